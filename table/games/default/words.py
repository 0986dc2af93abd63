"""The sentences of a game. A game's own `words.py` can replace any function below.

Without any texts, an event is shown with the names that the rules use ("Ann: bust, points 12"). Texts turn such
lines into good sentences, without any code. Texts are in the game's folder, in one file per language (en.toml,
es.toml). For example, `bust` in the section `[tell]` of pig/en.toml is the text `pig.tell.bust`:

    name, summary, minutes          the game's entry in the menu ("5 to 15" minutes)
    unit                            a standing: { one = "{count} point", other = "{count} points" }
    round                           the line at the top: "Round {round}, first to {goal}"
    result                          who won: "{names} won with {figure}!" (and {count}, the number of winners)
    hand                            hidden dice, in a private view: "Total: {sum}" (and {dice}, {count})
    option.<name>.name, .help       an option; with .<value> for each word it can be set to
    tell.<event>                    an event, by the name that the rules use in table.tell
    tell.<word>                     a choice, by the word of the option
    tell.rolled                     a roll that is not hidden: {name}, {dice}, {sum}, {count}
    tell.order, tell.pick           the result of a draw: {name}, {names}; {drawn} if it is not a seat
    prompt.<word>                   the question to the player, by the word of any of the options
    prompt.throw, shake, lift       a Roll: open, hidden, under a real cup ({name}, {count})
    prompt.order, prompt.pick       a Draw ({names} are the candidates)
    choice.<word>                   an option on a button or in a list
    choice.<word>_dice              shown next to the dice if the option is a set of dice
    fact.<field>                    the label of a field of the board: on a tile on the screen, in a line elsewhere
    review.<word>                   an option within a sentence of the review
    odds.<what>                     a line of odds

A text can use facts, each in braces. An event has its own facts:

    numbers, words      unchanged, with each _ of a word shown as a space; a flag is yes or no
    dice, other lists   "4 5"; empty lists and lists of lists are left out
    seat, seats         the player {name}, the players {names}
    winner, loser, leader, player, other, caller, starter, target, and their plurals
                        also seats: each becomes a player's name under its own key
    {count}             selects `one` or `other`: the event's own count, or its first number that is not a seat

A choice has {name} and the value of its option under its word: ("claim", 7) gives {claim} and {count}. A set of dice
gives {dice}, the faces, and {count}, how many. Choices, prompts, rounds, results and reviews can also use all options
of the game and the numbers and words of its board. A text that uses an unknown fact is ignored, as if it did not exist.

For anything more, write a function with the same name as one below in the game's `words.py`. It handles the special
cases and leaves the rest to the default:

    from table.games.default import words as default

    def tell(event, news, say):
        if event.kind == "bust" and event.facts["points"] > 50:
            return say("pig.tell.bust_of_a_lifetime", name=name_of(news.before, event.facts["seat"]))
        return default.tell(event, news, say)

These functions get only public events and public views, so they cannot leak hidden dice.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table.analysis.odds import Odds
from table.engine.asks import Ask, Choose, Draw, Event, Option, Roll, View
from table.session.match import News
from table.text import narration
from table.text.catalogue import Catalogue, readable
from table.text.choices import COMMON, Choice, board, label, plain, roll_or_end, sets_of_dice, spoken, staying
from table.text.narration.words import faces, name_of, names_of

Facts = dict[str, Any]

SEATS = ("winner", "loser", "leader", "player", "other", "caller", "starter", "target")
ENGINE = ("begins", "out")
"""Events that the engine itself tells, so they mean the same in every game. All others belong to a single game."""
MOST_IN_ORDER = 4  # a drawn order with more names is told by its first name only, because the board shows the rest


# Events


def tell(event: Event, news: News, say: Catalogue) -> str:
    """The sentence for one public event."""
    match event.kind:
        case "rolled":
            return _rolled(event.facts, news, say)
        case "chose":
            return _chose(event.facts, news, say)
        case "drew":
            return _drew(event.facts, news, say)
    key, facts = f"{news.before['game']}.tell.{event.kind}", worded(event.facts, news.before, say)
    shared = [f"tell.{event.kind}"] if event.kind in ENGINE else []
    try:
        return say.first(key, *shared, **facts)
    except KeyError:
        return _plainly(event, news.before, say)


def told_by_another(event: Event, news: News) -> bool:
    """Whether a transcript leaves this event out, because another event of the same news says the same."""
    return False


def counting(event: Event, news: News) -> Callable[[int], bool]:
    """For an event that reveals all hands: a function that says which faces count towards the call."""
    return lambda die: True


def worded(facts: Mapping[str, Any], view: View, say: Catalogue) -> Facts:
    """The facts of an event, or the fields of a board, in the form that texts use."""
    found = {}
    for fact, value in facts.items():
        name = {"seat": "name", "seats": "names"}.get(fact, fact)
        said = _worded(fact, value, view, say)
        if said is not None:
            found[name] = said
    numbers = [value for value in found.values() if type(value) is int]
    return {"count": numbers[0], **found} if numbers else found


def _worded(fact: str, value: Any, view: View, say: Catalogue) -> int | str | None:
    """A value in the form that texts use; None if they cannot use it, such as an empty list or a list of lists."""
    if isinstance(value, bool):
        return say("value.yes" if value else "value.no")
    players = range(len(view["players"]))
    if isinstance(value, int):
        return name_of(view, value) if fact in ("seat", *SEATS) and value in players else value
    if isinstance(value, str):
        return value.replace("_", " ") or None
    if isinstance(value, (list, tuple)) and value and all(die is None or isinstance(die, int) for die in value):
        seats = (fact == "seats" or fact.removesuffix("s") in SEATS) and all(seat in players for seat in value)
        return names_of(view, value, say) if seats else faces(value)
    return None


def _plainly(event: Event, view: View, say: Catalogue) -> str:
    """An event that has no text, for example "Ann: bust, points 12"."""
    facts = {fact: _worded(fact, value, view, say) for fact, value in event.facts.items()}
    who = next((facts.pop(fact) for fact in ("seat", "seats") if fact in facts), None)
    parts = [f"{fact_name(view['game'], fact, say).lower()} {said}" for fact, said in facts.items() if said is not None]
    what = ", ".join([readable(event.kind), *parts])
    return say("tell.plain", name=who, what=what[0].lower() + what[1:]) if who else what


def _rolled(facts: Facts, news: News, say: Catalogue) -> str:
    before, seat, dice = news.before, facts["seat"], facts["dice"]
    name = name_of(before, seat)
    if None in dice:
        return say("tell.shaken", name=name)
    if None in before["dice"][seat]:
        return say("tell.lifted", name=name)
    if isinstance(news.ask, Roll) and narration.thrown_for(news.ask, before):
        return say("tell.one_die", name=name, die=dice[0])
    own = f"{before['game']}.tell.rolled"
    return say.first(own, "tell.rolled", name=name, dice=faces(dice), sum=sum(dice), count=len(dice))


def _chose(facts: Facts, news: News, say: Catalogue) -> str:
    before = news.before
    entry = plain(facts["option"], before, facts["seat"])
    said = {**spoken(entry), "name": name_of(before, facts["seat"]), "choice": label(entry, say)}
    word = entry.word
    return say.first(f"{before['game']}.tell.{word}", f"chose.{word}", "chose.plain", **said)


def _drew(facts: Facts, news: News, say: Catalogue) -> str:
    before, drawn = news.before, facts["drawn"]
    game, first = before["game"], drawn[0]
    if not isinstance(first, int):
        return say.first(f"{game}.tell.pick", "tell.pick", drawn=readable(first))
    name = name_of(before, first)
    if facts["kind"] == "pick":
        return say.first(
            f"{game}.tell.pick", "tell.pick", drawn=name, name=name, names=_candidates(news.ask, before, say)
        )
    names = [name_of(before, seat) for seat in drawn]
    what = "order_many" if len(names) > MOST_IN_ORDER else "order"
    return say.first(f"{game}.tell.{what}", f"tell.{what}", name=name, names=", ".join(names))


def _candidates(ask: Ask | None, view: View, say: Catalogue) -> str:
    assert isinstance(ask, Draw)
    return names_of(view, [int(seat) for seat in ask.candidates], say)


# Asks


def prompt(ask: Ask, view: View, say: Catalogue) -> str:
    """The question to the player who is asked."""
    match ask:
        case Roll():
            return _asked_to_roll(ask, view, say)
        case Choose():
            return _asked_to_choose(ask, view, say)
        case Draw("order"):
            return say.first(f"{view['game']}.prompt.order", "prompt.draw_order")
    if not all(isinstance(candidate, int) for candidate in ask.candidates):
        return say.first(f"{view['game']}.prompt.pick", "prompt.draw")
    return say.first(f"{view['game']}.prompt.pick", "prompt.draw_between", names=_candidates(ask, view, say))


def thrown_for(ask: Roll, view: View) -> str | None:
    """Why each player rolls a single die: "begin" or "lowest". None for a normal roll."""
    return None


def one_die(ask: Roll, view: View) -> bool:
    """Whether this is one open die without a real cup, as in a roll for who starts."""
    return ask.count == 1 and not ask.hidden and None not in view["dice"][ask.seat]


def _asked_to_roll(ask: Roll, view: View, say: Catalogue) -> str:
    under_cup = None in view["dice"][ask.seat]
    purpose = "shake" if ask.hidden else narration.thrown_for(ask, view) or ("lift" if under_cup else "throw")
    keys = f"{view['game']}.prompt.{purpose}", f"prompt.{purpose}"
    return say.first(*keys, name=name_of(view, ask.seat), count=ask.count)


def _asked_to_choose(ask: Choose, view: View, say: Catalogue) -> str:
    words = dict.fromkeys(option if isinstance(option, str) else option[0] for option in ask.options)
    generic = "prompt.roll_or_end" if {*words} == {"roll", "end"} else "prompt.choose"
    if staying(ask, view):
        generic = "prompt.reroll" if "reroll" in words else "prompt.keep"
    keys = [f"{view['game']}.prompt.{word}" for word in words]
    return say.first(*keys, generic, **{**board(view), "name": name_of(view, ask.seat)})


def choices(ask: Choose, public: View) -> Choice:
    """The choice to show: roll or end, sets of the player's dice, or a list of all options."""
    if {*ask.options} == {"roll", "end"}:
        return roll_or_end(ask, public)
    if keeping := staying(ask, public):
        return sets_of_dice(ask, public, keeping)
    return Choice("list", tuple(plain(option, public, ask.seat) for option in ask.options))


def why_not(dice: Sequence[int], say: Catalogue) -> str:
    """Why these dice cannot be set aside together."""
    return say("play.no_set")


# Standings


def round_line(view: View, say: Catalogue) -> str:
    """The round number, with the number of rounds or the goal."""
    return say.first(f"{view['game']}.round", "round.plain", **board(view))


def standing(view: View, seat: int, say: Catalogue) -> str:
    """The seat's standing in words, for example "2 lives" or "34 points". Empty if the game gives the seat no
    number."""
    figure = view["standing"][seat]
    return "" if figure is None else narration.counted(view["game"], figure, say)


def result(view: View, winners: Sequence[int], say: Catalogue) -> str:
    """A sentence with the winners."""
    game, names = view["game"], names_of(view, winners, say)
    facts = {**board(view), "name": name_of(view, winners[0]), "names": names, "count": len(winners)}
    facts["figure"] = narration.standing(view, winners[0], say)
    generic = "result.figure" if say.has(f"{game}.unit") and facts["figure"] else "result.won"
    return say.first(f"{game}.result", generic, **facts)


def final(view: View, seat: int, say: Catalogue) -> str:
    """The seat's final standing."""
    return narration.standing(view, seat, say)


def order(view: View) -> Sequence[int]:
    """The seats in the playing order of this round."""
    return range(len(view["players"]))


def out(view: View, seat: int) -> bool:
    """Whether the seat is out of the game. Read from the board's optional list `out`."""
    gone = view.get("out")
    return isinstance(gone, list) and seat in gone


def kept(view: View, seat: int) -> Sequence[int]:
    """The dice that the seat has set aside, shown next to its hand. Read from the board's optional list `kept`, for the
    seat whose turn it is."""
    found = view.get("kept")
    return found if isinstance(found, (list, tuple)) and seat == view["turn"] else ()


def note(view: View, seat: int, say: Catalogue) -> str:
    """What the seat has claimed or reached in this round."""
    return ""


def marks(view: View, seat: int, say: Catalogue) -> list[str]:
    """Other short labels for the seat."""
    return []


def facts(view: View, say: Catalogue) -> list[tuple[str, str | int | float]]:
    """The board's fields that hold a single value, each as a label and a value."""
    found: list[tuple[str, str | int | float]] = []
    for field, value in view.items():
        if field in COMMON or isinstance(value, list):
            continue  # only the game knows what a list means
        said = _worded(field, value, view, say)
        if said is not None:
            found.append((fact_name(view["game"], field, say), said))
    return found


def fact_name(game: str, field: str, say: Catalogue) -> str:
    return say.get(f"{game}.fact.{field}", readable(field))


def hand(dice: Sequence[int], game: str, say: Catalogue) -> str:
    """Hidden dice and their value."""
    shown = faces(sorted(dice))
    return say.get(f"{game}.hand", shown, dice=shown, sum=sum(dice), count=len(dice))


def chance(line: Odds, game: str, say: Catalogue) -> str:
    """A line of odds."""
    plainly = " ".join([readable(line.what), *map(str, line.facts.values())])
    return say.get(f"{game}.odds.{line.what}", plainly, **line.facts)


# Review: shown after the game to each player, from that seat's view


def place(view: View, option: Option, say: Catalogue) -> str:
    """Where a decision was made: the round, and the dice in front of the seat."""
    return place_with([die for die in view["dice"][view["seat"]] if die is not None], view, say)


def place_with(dice: Sequence[int], view: View, say: Catalogue) -> str:
    there = say("review.round", round=view["round"])
    return say("review.with_dice", place=there, dice=faces(dice)) if dice else there


def phrase(view: View, option: Option, say: Catalogue) -> str:
    """An option in a few words, within a sentence of the review."""
    entry = plain(option, view, view["seat"])
    return say.get(f"{view['game']}.review.{entry.word}", label(entry, say), **spoken(entry))
