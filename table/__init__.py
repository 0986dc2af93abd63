"""A dice table: the games, who plays them, and everything that rolls, shows or remembers them."""

__version__ = "0.1.0"
