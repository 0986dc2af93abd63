"""How the tables in assets/players are made: `make solve`, from nothing but the rules. A table never imports it.

One file a game; its `build` is given somewhere to tell its progress (from 0 to 1) and returns, for each file to be
written, its arrays by name.
"""
