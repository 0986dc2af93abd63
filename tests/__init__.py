"""Tests, and what they share.

Games of other packages that are installed here are left out, also in the processes that tests start with code from
here: their own packages test them.
"""

from table import games

for _name in {*games.GAMES, *games.BROKEN} - {*games.BUILT_IN}:
    for _known in (games.GAMES, games.BROKEN, games._PACKAGES):
        _known.pop(_name, None)
