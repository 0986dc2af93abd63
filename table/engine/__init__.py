"""Runs games: asks, options, the referee. No I/O, no clock, no randomness of its own."""
