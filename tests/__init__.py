"""The tests, and what they share.

Games from other packages are left out even if they are installed here, because their own packages test them. This
also holds in processes that run code from this package.
"""

from table import games

for _name in {*games.GAMES, *games.BROKEN} - {*games.BUILT_IN}:
    for _known in (games.GAMES, games.BROKEN, games._PACKAGES):
        _known.pop(_name, None)
