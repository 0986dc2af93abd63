"""The tests and the code they share.

Games from other packages are left out, even if they are installed, because those packages test them. They are also left
out in every process that runs code from this package.
"""

from table import games

for _name in {*games.GAMES, *games.BROKEN} - {*games.BUILT_IN}:
    for _known in (games.GAMES, games.BROKEN, games._PACKAGES):
        _known.pop(_name, None)
