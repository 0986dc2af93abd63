"""The games. `GAMES` is the registry, in menu order; everything else finds a game there."""

from table.rules import bluff, cacho, cheese, mexico, pocoloco
from table.rules.vocabulary import Game

GAMES: dict[str, Game] = {game.id: game for game in (mexico.GAME, bluff.GAME, pocoloco.GAME, cheese.GAME, cacho.GAME)}
