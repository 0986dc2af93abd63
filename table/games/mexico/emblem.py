"""The emblem of Mexico."""

from table.ui.kiosk.paint import Sheet, arc
from table.ui.kiosk.pieces.emblems import paint_dice
from table.ui.kiosk.style import BLACK, TEAL, VERMILION, WHITE, Colour, mixed

_STRAW: Colour = (238, 190, 96)


def colour(game: str) -> Colour:
    return TEAL


def draw(sheet: Sheet, game: str) -> None:
    """A hat over a two and a one, the best roll in the game."""
    paint_dice(sheet, (2, 36.5, 67, 29), (1, 63.5, 67, 29))
    sheet.ellipse((50, 49), 36, 10, BLACK, alpha=110, soft=2)
    sheet.ellipse((50, 46), 39, 11.5, (mixed(_STRAW, BLACK, 0.1), mixed(_STRAW, BLACK, 0.45)))
    sheet.ellipse((50, 43.5), 39, 10.5, (mixed(_STRAW, WHITE, 0.25), _STRAW))
    sheet.ellipse((50, 43), 31, 7.4, (mixed(_STRAW, BLACK, 0.28), mixed(_STRAW, BLACK, 0.1)))
    crown = [(34, 43), (37, 28), (42, 17), (50, 14), (58, 17), (63, 28), (66, 43), *arc((50, 43), 16, 0, 180, 16, 0.3)]
    sheet.polygon(crown, (mixed(_STRAW, WHITE, 0.35), mixed(_STRAW, BLACK, 0.12)))
    sheet.stroke(
        arc((50, 38.5), 15.4, 168, 12, 20, 0.34), 5.5, (mixed(VERMILION, WHITE, 0.05), mixed(VERMILION, BLACK, 0.25))
    )
    for i, (x, y) in enumerate(arc((50, 44.5), 35, 170, 10, 8, 0.25)):
        sheet.circle((x, y), 2.1, TEAL if i % 2 else VERMILION)
