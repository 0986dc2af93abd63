"""What each option is worth, for whoever is asked: the chance to win after it, as perfect sees it."""

from table.engine.asks import Choose, View
from table.games import bots
from table.text.catalogue import Catalogue
from table.text.narration.reviewed import phrase
from table.ui.terminal.screen import Screen

MOST = 8  # lines: of sixty bids, only the best are of interest
WIDEST_BAR, NARROWEST_BAR = 24, 6


def show(screen: Screen, ask: Choose, view: View) -> None:
    say = Catalogue()
    if len(view["players"]) == 1:
        screen.say(say("review.alone"))
        return
    wins, chances = bots.win(view, ask.options), bots.policy("perfect", view, ask.options)
    told: dict[str, tuple[float, float]] = {}  # of dice that show the same faces, one line
    for option, win, chance in zip(ask.options, wins, chances, strict=True):
        words = phrase(view, option, say)
        told[words] = max(told.get(words, (0.0, 0.0)), (win, chance))
    ranked = sorted(told.items(), key=lambda line: line[1], reverse=True)
    exact = bots.solved(view["game"], view["options"], len(view["players"]))
    screen.say("Chance to win after it, if all play perfectly:" if exact else "Chance to win after it, estimated:")
    wide = max(len(words) for words, _ in ranked[:MOST])
    often = {words: _how_often(chance) for words, (_, chance) in ranked[:MOST]}
    room = min(WIDEST_BAR, screen.width - wide - 13 - max(map(len, often.values())))
    for words, (win, _) in ranked[:MOST]:
        bar = f"  {'━' * round(room * win):<{room}}" if room >= NARROWEST_BAR else ""
        screen.line(f"  {words:<{wide}}  {win:6.1%}{bar}  {often[words]}".rstrip(), "good" if often[words] else "")
    if len(ranked) > MOST:
        screen.say(f"  ({len(ranked) - MOST} others are worth no more.)", "dim")


def _how_often(chance: float) -> str:
    """What perfect would do; where it mixes, how often."""
    if chance < 0.005:
        return ""
    return "perfect does this" if chance > 0.995 else f"perfect, {chance:.0%} of the time"
