"""Runs games: asks, options and the referee. It has no I/O, no clock and no randomness of its own."""
