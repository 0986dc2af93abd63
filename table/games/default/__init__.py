"""The defaults: one module for each part that a game can leave out."""
