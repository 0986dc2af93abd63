"""How somebody played, in a terminal: sentences, and the chance to win as it went up and down."""

from table.catalogue import Catalogue
from table.referee import Referee
from table.review import Review
from table.tell import reviewed
from table.terminal.screen import Screen
from table.terminal.words import Names

HIGH = 8  # lines of the chart
_AXIS = 6  # columns before it


def show(screen: Screen, game: Referee, found: Review) -> None:
    screen.line("")
    for sentence in reviewed.told(found, Names(game.players).who(found.seat), Catalogue()):
        screen.say(sentence, indent="  ")
    if found.decisions:
        screen.line("")
        for line in chart(found, screen.width):
            screen.line(line)
        screen.say("The chance to win after each decision; ▾ marks those that gave some away.", "dim")


def chart(found: Review, width: int) -> list[str]:
    """A column each for the start, every decision and the end; several share one where the window is narrow."""
    points = [(found.start, False), *((each.win, each.slip) for each in found.decisions), (found.result, False)]
    columns = min(len(points), width - _AXIS - 1)
    wide = max(1, min(3, (width - _AXIS - 1) // len(points)))
    shares = [points[len(points) * at // columns : len(points) * (at + 1) // columns] for at in range(columns)]
    heights = [round(2 * HIGH * share[-1][0]) for share in shares]
    lines = []
    for row in range(HIGH, 0, -1):
        label = {HIGH: "100%", HIGH // 2: " 50%"}.get(row, "")
        bars = (_bar(height - 2 * (row - 1)) * wide for height in heights)
        lines.append(f"{label:>{_AXIS - 1}}│{''.join(bars)}".rstrip())
    lines.append(f"{'0%':>{_AXIS - 1}}╰{'─' * (columns * wide)}")
    marks = "".join(("▾" if any(slip for _, slip in share) else " ").center(wide) for share in shares)
    return [*lines, *([f"{' ' * _AXIS}{marks}".rstrip()] if marks.strip() else [])]


def _bar(halves: int) -> str:
    return "█" if halves >= 2 else "▄" if halves == 1 else " "
