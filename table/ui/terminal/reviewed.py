"""How somebody played, in a terminal: sentences, and the chance to win as it went up and down."""

from table.analysis.review import Decision, Review
from table.engine.referee import Referee
from table.text.catalogue import Catalogue
from table.text.narration import reviewed
from table.ui.terminal import charts
from table.ui.terminal.draw import isolated
from table.ui.terminal.screen import Screen


def show(screen: Screen, game: Referee, found: Review, every: bool = False, say: Catalogue | None = None) -> None:
    """`every` decision is told, in the order in which they were made, and not only the dearest slips."""
    say, name = say or Catalogue(), isolated(game.players[found.seat])
    judged = not reviewed.without(found, name, say)
    told = reviewed.told(found, name, say)
    if judged and every:
        told = iter(
            (reviewed.summary(found, name, say), reviewed.balance(found, say), *reviewed.notes(found, name, say))
        )
    screen.line("")
    for sentence in told:
        screen.say(sentence, indent="  ")
    if judged:
        screen.line("")
        points = [(each.win, each.slip) for each in found.decisions]
        charts.chances(screen, found.start, points, found.result)
        screen.say(say("terminal.chart"), "dim")
    if judged and every:
        screen.line("")
        for decision in found.decisions:
            screen.say(_decision(decision, say), "bad" if decision.slip else "", indent="  ")


def _decision(decision: Decision, say: Catalogue) -> str:
    if decision.slip:
        return reviewed.slip(decision, say)
    view, chosen = decision.view, decision.chosen
    return f"{reviewed.place(view, chosen, say)}: {reviewed.phrase(view, chosen, say)}."
