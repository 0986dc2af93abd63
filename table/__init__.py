"""A dice table: the games, who plays them, and everything that rolls, shows or remembers them."""
