"""What each option is worth, for whoever is asked: the chance to win after it, as perfect sees it."""

from table import bots
from table.catalogue import Catalogue
from table.rules.vocabulary import Choose, View
from table.tell.reviewed import percent, phrase
from table.terminal.screen import Screen

MOST = 8  # lines: of sixty bids, only the best are of interest
BAR = 24


def show(screen: Screen, ask: Choose, view: View) -> None:
    wins, chances = bots.win(view, ask.options), bots.policy("perfect", view, ask.options)
    say = Catalogue()
    told: dict[str, tuple[float, float]] = {}  # of dice that show the same faces, one line
    for option, win, chance in zip(ask.options, wins, chances, strict=True):
        words = phrase(view, option, say)
        told[words] = max(told.get(words, (0.0, 0.0)), (win, chance))
    ranked = sorted(told.items(), key=lambda line: line[1], reverse=True)
    exact = bots.solved(view["game"], view["options"], len(view["players"]))
    screen.say("Chance to win after it, if all play perfectly:" if exact else "Chance to win after it, estimated:")
    wide = max(len(words) for words, _ in ranked[:MOST])
    for words, (win, chance) in ranked[:MOST]:
        bar = "━" * round(BAR * win)
        often = f"perfect: {chance:.0%}" if chance >= 0.005 else ""
        line = f"  {words:<{wide}}  {percent(win, say):>5}  {bar:<{BAR}}  {often}"
        screen.line(line.rstrip(), "good" if often else "")
    if len(ranked) > MOST:
        screen.say(f"  ({len(ranked) - MOST} others are worth no more.)", "dim")
