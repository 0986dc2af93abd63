"""Replays a finished game step by step.

Its one rule: all hands are visible, because the game is over.
"""

from collections.abc import Sequence

from table.engine.places import Places
from table.session.match import News
from table.text.catalogue import Catalogue
from table.text.narration import result, round_line, transcript
from table.text.narration.words import faces
from table.ui.terminal.screen import Screen

LONGEST = 9  # a step's number has fewer digits than this


def watch(screen: Screen, steps: Sequence[News], places: Places, say: Catalogue) -> None:
    """Shows steps as the user asks for them."""
    at, last = 0, len(steps) - 1
    while True:
        screen.line("")
        screen.line(say("records.screen.step", number=at + 1, count=len(steps)), "dim")
        _show(screen, steps[at], say)
        if at == last:
            screen.say(f"★ {result(steps[at].after, places, say).sentence}", "good")
        text = screen.ask(say("records.replay_keys")).casefold()
        if text in ("q", "quit") or (not text and at == last):
            return
        if not text:
            at += 1
        elif text in ("b", "back"):
            at = max(0, at - 1)
        elif text.isdecimal() and len(text) < LONGEST and 1 <= int(text) <= len(steps):
            at = int(text) - 1
        else:
            screen.say(say("records.replay_strange", count=len(steps)))


def _show(screen: Screen, news: News, say: Catalogue) -> None:
    """Shows the standings before the step, its events, and all dice on the table after it."""
    before, after = news.before, news.after
    screen.say(round_line(before, say), "bold")
    screen.say(transcript.stands(before, say), "dim")
    for sentence in transcript.sentences(news, say):
        screen.say(sentence)
    for name, dice in zip(after["players"], after["dice"], strict=True):
        if dice:
            screen.say(say("records.stands", name=name, figure=faces(dice)), "dim", indent="  ")
