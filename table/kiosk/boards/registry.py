"""The board of each game, by its id."""

from table.kiosk.boards import Board, bluff, cacho, cheese, mexico, pocoloco

BOARDS: dict[str, Board] = {
    "mexico": mexico.draw,
    "bluff": bluff.draw,
    "pocoloco": pocoloco.draw,
    "cheese": cheese.draw,
    "cacho": cacho.draw,
}
