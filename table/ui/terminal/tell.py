"""What happened, in words and pictures, as everybody at the table may know it.

Its one rule: only public events and the public view come in here, so nothing else can come out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from table.engine.asks import Ask, Draw, Event, Over, Roll, View
from table.engine.places import Places
from table.games.cacho import rules as cacho
from table.games.cheese import rules as cheese
from table.games.mexico import rules as mexico
from table.ui.terminal import words
from table.ui.terminal.draw import cut, isolated, padded, width_of
from table.ui.terminal.screen import Screen
from table.ui.terminal.words import Names, listed, many

Facts = dict[str, Any]
UNITS = {"mexico": ("life", "lives"), "bluff": ("point", "points"), "pocoloco": ("chip", "chips")}
UNITS |= {"cheese": ("point", "points"), "cacho": ("die", "dice")}
MOST_PICTURES = 3  # hands drawn at once: more would not fit a window of 24 lines
_LONGEST_IN_STATUS = 16


@dataclass(frozen=True)
class Scene:
    """One answer and what it changed, as everybody saw it."""

    screen: Screen
    names: Names
    computers: frozenset[int]
    ask: Ask | Over
    before: View
    after: View

    def say(self, text: str, style: str = "") -> None:
        self.screen.say(text, style)

    def gained(self, seat: int) -> int:
        return int(self.after["standing"][seat]) - int(self.before["standing"][seat])


def tell(scene: Scene, event: Event) -> None:
    assert event.visible_to(None)
    TELL[event.kind](scene, event.facts)


def show_status(screen: Screen, view: View) -> None:
    """The round, everybody's standing and whose turn it is, in a line or as few as it takes."""
    parts = [_round(view)]
    for seat, standing in enumerate(view["standing"]):
        few = len(view["standing"]) <= 3
        figure = "" if standing is None else many(standing, *UNITS[view["game"]]) if few else str(standing)
        if standing is None and view["game"] == "mexico":
            figure = "the house"
        part = f"{isolated(cut(view['players'][seat], _LONGEST_IN_STATUS))}: {figure}"
        parts.append(screen.paint(f"▸ {part}", "name") if seat == view["turn"] else part)
    lines = [""]
    for part in parts:
        if lines[-1] and width_of(lines[-1]) + width_of(part) + 6 > screen.width:
            lines.append("")
        lines[-1] += ("  ·  " if lines[-1] else "── " if len(lines) == 1 else "   ") + part
    lines[-1] += " " + "─" * max(0, screen.width - width_of(lines[-1]) - 1)
    for line in lines:
        screen.line(line)


def _round(view: View) -> str:
    number, options = view["round"], view["options"]
    match view["game"]:
        case "mexico" if options.get("goal") == "survive":
            return f"Round {number} of {options['rounds']}"
        case "mexico" if options.get("goal") == "win":
            return f"Round {number}, {view['won'][0]} of {options['rounds']} won"
        case "bluff":
            extra = number > options["rounds"]
            return f"Round {number}, playing off" if extra else f"Round {number} of {options['rounds']}"
        case "cheese":
            return f"Round {number} to {options['goal']}"
        case "cacho" if view["in_play"]:
            single = " (aces not wild)" if view["single"] else ""
            return f"Round {number}, {many(view['in_play'], 'die', 'dice')} in play{single}"
    return f"Round {number}"


def rolled(scene: Scene, facts: Facts) -> None:
    seat, dice = facts["seat"], facts["dice"]
    who, game = scene.names.who(seat), scene.after["game"]
    if None in dice:
        return  # rolled out of sight: told once for all of them
    if one_die_each(scene.ask, scene.before):
        scene.say(f"{who} rolled a {dice[0]}.")
    elif game == "mexico":
        scene.say(f"{who} rolled {words.mexico_words(mexico.score(dice))}:")
        scene.screen.dice(sorted(dice, reverse=True))
    elif game == "pocoloco":
        dice = scene.after["dice"][seat]  # the whole hand, of which some may have been rolled again
        scene.say(f"{who} rolled {words.faces(dice)}, {words.pocoloco_words(dice)}:")
        scene.screen.dice(dice)
    elif game == "bluff" and scene.before["dice"][seat]:
        scene.say(f"{who} lifted the cup.")
    elif game == "cacho":
        scene.say(f"{who} lifted the cup: {words.faces(dice)}.")
    else:
        scene.say(f"{who} rolled {words.faces(dice)}:")
        scene.screen.dice(dice)


def one_die_each(ask: Ask | Over, view: View) -> bool:
    """A roll to find who begins, or who of those tied: too little for a picture."""
    if not isinstance(ask, Roll) or ask.count > 1 or ask.hidden or view["game"] not in ("mexico", "cacho"):
        return False
    return None not in view["dice"][ask.seat]  # one die may also be all that lies under a cup


def one_die_for(ask: Roll, view: View) -> str:
    """What a single die is thrown for, as the end of a sentence."""
    if not one_die_each(ask, view):
        return ""
    alive = [seat for seat, lives in enumerate(view["standing"]) if lives]
    tied = view["game"] == "mexico" and all(view["scores"][seat] is not None for seat in alive)
    return ", to find who is lowest" if tied else ", to find who begins"


def rolled_out_of_sight(screen: Screen, names: Names, seats: Sequence[int]) -> None:
    screen.say(f"{names.listed(seats, start=True)} rolled out of sight.")


def chose(scene: Scene, facts: Facts) -> None:
    seat, option, view = facts["seat"], facts["option"], scene.before
    who, by_computer = scene.names.who(seat), facts["seat"] in scene.computers
    match option:
        case "roll" if by_computer:
            scene.say(f"{who} rolled again.")
        case "end" if by_computer and view["game"] != "cheese":
            scene.say(f"{who} stopped there.")
        case ("claim", claim):
            scene.say(f"{who} claimed {claim}.")
        case "accept":
            scene.say(f"{who} believed it.")
        case "call":
            scene.say(f"{who} called the bluff!")
        case "immunity":
            scene.say(f"{who} played the immunity card, and nothing changed.")
        case ("keep", places):
            kept = [view["dice"][seat][place] for place in places]
            points = cheese.score(kept).total
            scene.say(f"{who} kept {words.faces(kept)} for {points}: {view['points'] + points} so far this turn.")
        case ("reroll", places) if by_computer:
            scene.say(f"{who} picked up {words.faces(view['dice'][seat][place] for place in places)}.")
        case ("bid", bid):
            scene.say(f"{who} bid {words.bid_words(bid)}.", "bold")
        case "dudo" | "calza":
            scene.say(f"{who} said {option} to {words.bid_words(view['bid'])}.", "bold")


def drew(scene: Scene, facts: Facts) -> None:
    drawn = facts["drawn"]
    if facts["kind"] == "order":
        meant = "seating" if scene.after["game"] == "cacho" else "order of this round"
        scene.say(f"The table drew the {meant}: {', '.join(scene.names.whom(seat) for seat in drawn)}.")
    elif isinstance(drawn[0], str):
        scene.say(f"The card: {words.CARDS[drawn[0]]}.", "bold")
    else:
        assert isinstance(scene.ask, Draw)
        level = [int(seat) for seat in scene.ask.candidates]
        drawn_name = scene.names.whom(drawn[0])
        scene.say(f"Level: {scene.names.listed(level)}. The table drew {drawn_name} {_purpose(scene, level)}.")


def _purpose(scene: Scene, level: Sequence[int]) -> str:
    """What a seat is drawn for, which only the state of the table tells."""
    view = scene.before
    if scene.after["turn"] is None and (view["game"] == "bluff" or not any(view["standing"][seat] for seat in level)):
        return "to win"
    if view["game"] == "bluff":
        return "to lead"
    best = max(rank for rank in view["ranks"] if rank is not None)
    all_of_the_best = [seat for seat, rank in enumerate(view["ranks"]) if rank == best]
    return "for the best roll" if sorted(level) == all_of_the_best else "for the lowest"


def cup(scene: Scene, facts: Facts) -> None:
    dice = many(facts["count"], "die", "dice")
    scene.say(f"{scene.names.who(facts['seat'])}: throw {dice} under the cup, and look for yourself.", "bold")


def begins(scene: Scene, facts: Facts) -> None:
    scene.say(f"First to play: {scene.names.whom(facts['seat'])}.")


def said_mexico(scene: Scene, facts: Facts) -> None:
    scene.say("Mexico! Nothing beats it.", "good")


def won_round(scene: Scene, facts: Facts) -> None:
    winner, scores = facts["seat"], facts["scores"]
    best, worst = (words.mexico_words(scores[seat]) for seat in (winner, 1 - winner))
    scene.say(f"{scene.names.who(winner)} won the round: {best} beats {worst}.", "bold")


def tie(scene: Scene, facts: Facts) -> None:
    scene.say(f"Both had {words.mexico_words(facts['score'])}: a tie, and nobody lost a life.", "bold")


def lost(scene: Scene, facts: Facts) -> None:
    who, unit = scene.names.who(facts["seat"]), UNITS[scene.after["game"]]
    scene.say(f"{who} lost {many(facts.get('lives', 1), *unit)}, {facts['left'] or 'none'} left.", "bad")


def out(scene: Scene, facts: Facts) -> None:
    scene.say(f"{scene.names.who(facts['seat'])} went out of the game.", "bad")


def called(scene: Scene, facts: Facts) -> None:
    claimant, dice = facts["claimant"], facts["dice"]
    scene.screen.dice(dice)
    but = "and had it" if facts["hit"] else f"had {sum(dice)}"
    scene.say(f"{scene.names.who(claimant)} claimed {facts['claim']}, {but}.", "bold")


def scored(scene: Scene, facts: Facts) -> None:
    told: list[str] = []
    for seat, meant in zip((facts["claimant"], facts["caller"]), facts["gains"], strict=True):
        gained, name = scene.gained(seat), scene.names.who(seat) if not told else scene.names.whom(seat)
        if gained:
            told.append(f"{name} {'took' if gained > 0 else 'lost'} {abs(gained)}")
        elif meant:
            told.append(f"{name} had nothing to lose")
    if told:
        scene.say(f"{listed(told)}.", "good" if facts["gains"][0] > 0 else "bad")


def tied(scene: Scene, facts: Facts) -> None:
    scene.say(f"Level at the top: {scene.names.listed(facts['seats'])} play on for the win.", "bold")


def void(scene: Scene, facts: Facts) -> None:
    scene.say("The highest was shared: everybody tied rolled again.")


def chips(scene: Scene, facts: Facts) -> None:
    names, given = scene.names, facts["given"]
    winner, loser = facts["winner"], facts["loser"]
    hand = words.pocoloco_words(scene.after["dice"][winner])
    scene.say(f"{names.who(winner)} had the best roll ({hand}), {names.whom(loser)} the lowest.", "bold")
    givers = [seat for seat in scene.after["order"] if given[seat]]
    if len(givers) == 1:
        gifts = f" from {names.whom(givers[0])}"
    else:
        gifts = ": " + listed([f"{given[seat]} from {names.whom(seat)}" for seat in givers])
    scene.say(f"{names.who(loser)} got {many(sum(given), 'chip')}{gifts}.", "bad")


def cut_the_cheese(scene: Scene, facts: Facts) -> None:
    lost = f"lost {many(facts['points'], 'point')}" if facts["points"] else "had nothing yet to lose"
    scene.say(f"Nothing scores. {scene.names.who(facts['seat'])} cut the cheese and {lost}.", "bad")


def passed(scene: Scene, facts: Facts) -> None:
    bonus = f", for {facts['bonus']} points more" if facts["bonus"] else ""
    scene.say(f"All six dice scored: {scene.names.whom(facts['seat'])} passed the cheese{bonus}!", "good")


def banked(scene: Scene, facts: Facts) -> None:
    who = scene.names.who(facts["seat"])
    scene.say(f"{who} banked {many(facts['points'], 'point')}, {facts['total']} in all.", "good")


def last_turns(scene: Scene, facts: Facts) -> None:
    scene.say(f"{scene.names.who(facts['seat'])} reached the goal: one last turn for everybody else.", "bold")


def challenged(scene: Scene, facts: Facts) -> None:
    names, (number, face) = scene.names, facts["bid"]
    wild = not scene.before["single"] and face != cacho.ACES
    scene.say("All dice:", "bold")
    hands = [(seat, dice) for seat, dice in enumerate(facts["dice"]) if dice]
    broad = max(width_of(names.who(seat)) for seat, _ in hands)
    for seat, dice in hands:

        def supports(place: int, dice: Sequence[int] = dice) -> bool:
            return dice[place] == face or (wild and dice[place] == cacho.ACES)

        if len(hands) <= MOST_PICTURES:
            scene.screen.line(names.who(seat))
            scene.screen.dice(dice, supports)
        else:
            styles = ("good" if supports(place) else "dim" for place in range(len(dice)))
            shown = (scene.screen.paint(str(die), style) for die, style in zip(dice, styles, strict=True))
            scene.screen.line(f"  {padded(names.who(seat), broad)}  {' '.join(shown)}")
    count, aces = facts["count"], " with the aces" if wild else ""
    verdict = f"{number - count} too few" if count < number else f"{count - number} more than bid"
    verdict = "exactly as bid" if count == number else verdict
    there = "There was" if count == 1 else "There were"
    scene.say(f"{there} {words.bid_words((count, face))}{aces}: {verdict}.", "bold")


def regained(scene: Scene, facts: Facts) -> None:
    left = many(facts["left"], "die", "dice")
    scene.say(f"{scene.names.who(facts['seat'])} took a lost die back: {left} now.", "good")


TELL: dict[str, Callable[[Scene, Facts], None]] = {
    "rolled": rolled,
    "chose": chose,
    "drew": drew,
    "begins": begins,
    "mexico": said_mexico,
    "won": won_round,
    "tie": tie,
    "lost": lost,
    "out": out,
    "called": called,
    "scored": scored,
    "tied": tied,
    "void": void,
    "chips": chips,
    "cut": cut_the_cheese,
    "passed": passed,
    "banked": banked,
    "last_turns": last_turns,
    "cup": cup,
    "dudo": challenged,
    "calza": challenged,
    "regained": regained,
}


def show_end(screen: Screen, names: Names, view: View, places: Places) -> None:
    """Who won, and how everybody stood."""
    screen.line("")
    screen.say(f"★ {names.listed(places[0], start=True)} won, in round {view['round']}!", "good")
    broad = max(width_of(names.who(seat)) for seat in range(len(view["players"])))
    for seat in (seat for seats in places for seat in seats):
        standing = view["standing"][seat]
        if view["game"] == "mexico" and view["options"]["mode"] == "challenge":
            figure = many(view["won"][seat], "round") + " won"
        else:
            figure = many(standing, *UNITS[view["game"]])
        screen.line(f"  {padded(names.who(seat), broad)}  {figure}")
    screen.line("")
