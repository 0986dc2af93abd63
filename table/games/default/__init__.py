"""The defaults: one module for each part that a game may lack."""
