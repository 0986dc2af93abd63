"""What happened, in sentences and pictures, from public information.

Its one rule: it receives only public events and the public view, so it cannot reveal anything else.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeGuard

from table.engine.asks import Event, Roll, View
from table.engine.places import Places
from table.session.match import News
from table.text import narration
from table.text.catalogue import Catalogue
from table.text.narration.words import faces
from table.ui.terminal.draw import cut, isolated, padded, width_of, with_names
from table.ui.terminal.screen import Screen

MOST_PICTURES = 3  # hands drawn at once: more would not fit a window of 24 lines
_LONGEST_IN_STATUS = 16


def sentence(screen: Screen, view: View, text: str, style: str = "") -> None:
    """A sentence with the players' names highlighted; right-to-left names are isolated."""
    screen.say(named(screen, view, text, "" if style else "name"), style)


def named(screen: Screen, view: View, text: str, style: str = "") -> str:
    names = [narration.name_of(view, seat) for seat in range(len(view["players"]))]
    return with_names(text, names, lambda name: screen.paint(name, style))


def show_status(screen: Screen, view: View, say: Catalogue) -> None:
    """The round, all standings and whose turn it is, in as few lines as possible."""
    parts = [narration.round_line(view, say)]
    for seat, name in enumerate(view["players"]):
        part = f"{isolated(cut(name, _LONGEST_IN_STATUS))}: {narration.standing(view, seat, say)}"
        parts.append(screen.paint(f"▸ {part}", "name") if seat == view["turn"] else part)
    lines = [""]
    for part in parts:
        if lines[-1] and width_of(lines[-1]) + width_of(part) + 6 > screen.width:
            lines.append("")
        lines[-1] += ("  ·  " if lines[-1] else "── " if len(lines) == 1 else "   ") + part
    lines[-1] += " " + "─" * max(0, screen.width - width_of(lines[-1]) - 1)
    for line in lines:
        screen.line(line)


def show_facts(screen: Screen, view: View, seat: int, say: Catalogue) -> None:
    """The game's public figures in a line, and the dice that the seat has set aside."""
    facts = narration.facts(view, say)
    if kept := narration.kept(view, seat):
        facts.append((say.first(f"{view['game']}.fact.kept", "terminal.kept_dice"), faces(kept)))
    if facts:
        screen.say("   ".join(f"{name}: {value}" for name, value in facts), "dim")


def show_news(screen: Screen, news: News, say: Catalogue) -> None:
    """A sentence per event, with the dice that it reveals."""
    told = [narration.tell(event, news, say) for event in news.events]
    rolls = {at: _after_roll(event, news) for at, event in enumerate(news.events) if event.kind == "rolled"}
    drawn = [list(news.events[at].facts["dice"]) for at, hand in rolls.items() if hand]
    for at, (event, text) in enumerate(zip(news.events, told, strict=True)):
        if at not in rolls and not _repeats(event, drawn):
            _show_hands(screen, event, news)
        if not any(later.startswith(text) for later in told[at + 1 :]):  # else a later sentence repeats it
            sentence(screen, news.after, text)
        if hand := rolls.get(at):
            screen.dice(hand)


def _after_roll(event: Event, news: News) -> Sequence[int | None]:
    """The hand to draw below the sentence of a roll: the whole hand if it is public, otherwise none. A single die is
    not drawn, because the sentence names it."""
    dice, seat = event.facts["dice"], event.facts["seat"]
    if isinstance(news.ask, Roll) and narration.thrown_for(news.ask, news.before):
        return ()
    if None in news.before["dice"][seat]:  # dice under a cup are shown by the event that lifts it
        return ()
    hand: Sequence[int | None] = news.after["dice"][seat]
    if None not in dice and Counter(dice) - Counter(hand):  # the hand was cleared after the roll
        hand = dice
    return hand if len(hand) > 1 and None not in hand else ()


def _repeats(event: Event, drawn: Sequence[Sequence[int]]) -> bool:
    """Whether the event repeats the dice of a roll that is drawn anyway. Rules can report dice as a list or a tuple."""
    dice = event.facts.get("dice")
    return isinstance(dice, (list, tuple)) and list(dice) in drawn


def _show_hands(screen: Screen, event: Event, news: News) -> None:
    """The dice that an event shows: one hand, or one per seat."""
    dice = event.facts.get("dice")
    if _is_hand(dice):
        screen.dice(dice)
        return
    if not isinstance(dice, (list, tuple)) or not all(map(_is_hand, dice)):
        return
    hands = [(seat, hand) for seat, hand in enumerate(dice) if hand]
    counts = narration.counting(event, news)
    names = [named(screen, news.before, narration.name_of(news.before, seat), "name") for seat, _ in hands]
    for name, (_, hand) in zip(names, hands, strict=True):
        if len(hands) <= MOST_PICTURES:
            screen.line(name)
            screen.dice(hand, lambda place, hand=hand: counts(hand[place]))  # type: ignore[misc]
        else:
            shown = " ".join(screen.paint(str(die), "good" if counts(die) else "dim") for die in hand)
            screen.line(f"  {padded(name, max(map(width_of, names)))}  {shown}")


def _is_hand(dice: Any) -> TypeGuard[Sequence[int | None]]:
    return isinstance(dice, (list, tuple)) and all(die is None or die in range(1, 7) for die in dice)


def dice_in_words(dice: Sequence[int | None], game: str, say: Catalogue) -> str:
    """A hand, and what it is worth."""
    known = [die for die in dice if die is not None]
    return say("terminal.hand", dice=faces(dice), hand=narration.hand(known, game, say))


def show_end(screen: Screen, view: View, places: Places, say: Catalogue) -> None:
    """Who won, and the final standings."""
    result = narration.result(view, places, say)
    screen.line("")
    sentence(screen, view, f"★ {result.sentence}", "good")
    broad = max(width_of(line.name) for line in result.lines)
    for line in result.lines:
        screen.line(f"  {padded(isolated(line.name), broad)}  {line.figure}")
    screen.line("")
