"""A dice table: the games, the players, and the code that rolls, shows and records the dice."""

__version__ = "0.1.0"
