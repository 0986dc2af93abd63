"""For each option, the chance that the player who is asked wins after choosing it, according to the perfect level."""

from table.engine.asks import Choose, View
from table.games import bots
from table.text.catalogue import Catalogue
from table.text.narration.reviewed import phrase
from table.text.numbers import percent
from table.ui.terminal.screen import Screen

MOST = 8  # options shown; there can be sixty bids, but only the best matter
WIDEST_BAR, NARROWEST_BAR = 24, 6


def show(screen: Screen, ask: Choose, view: View, say: Catalogue) -> None:
    if len(view["players"]) == 1:
        screen.say(say("review.alone"))
        return
    if not bots.has_perfect(view["game"]):
        screen.say(say("review.no_perfect"))
        return
    wins, chances = bots.win(view, ask.options), bots.policy("perfect", view, ask.options)
    told: dict[str, tuple[float, float]] = {}  # dice with the same faces share a line
    for option, win, chance in zip(ask.options, wins, chances, strict=True):
        words = phrase(view, option, say)
        told[words] = max(told.get(words, (0.0, 0.0)), (win, chance))
    ranked = sorted(told.items(), key=lambda line: line[1], reverse=True)
    exact = bots.solved(view["game"], view["options"], len(view["players"]))
    screen.say(say("terminal.odds.solved" if exact else "terminal.odds.estimated"))
    lines = [(words, percent(win, say, 1), win, _how_often(chance, say)) for words, (win, chance) in ranked[:MOST]]
    wide, figures, longest = (max(len(str(line[at])) for line in lines) for at in (0, 1, 3))
    room = min(WIDEST_BAR, screen.width - wide - figures - longest - 8)
    for words, figure, win, often in lines:
        bar = f"  {'━' * round(room * win):<{room}}" if room >= NARROWEST_BAR else ""
        screen.line(f"  {words:<{wide}}  {figure:>{figures}}{bar}  {often}".rstrip(), "good" if often else "")
    if len(ranked) > MOST:
        screen.say(f"  {say('terminal.odds.others', count=len(ranked) - MOST)}", "dim")


def _how_often(chance: float, say: Catalogue) -> str:
    """How often the perfect level would choose the option; empty if never."""
    if chance < 0.005:
        return ""
    return say("terminal.odds.always") if chance > 0.995 else say("terminal.odds.mixed", percent=percent(chance, say))
