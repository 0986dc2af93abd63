"""What a game says that has no words of its own.

A game needs nothing here to be told: what happens is said by the names that its rules use ("Ann: bust, points 12").
Texts alone make that good sentences. They stand in the game's folder in a file a language (en.toml, es.toml), where
`bust` in the section `[tell]` of pig/en.toml is the text `pig.tell.bust`:

    name, summary, minutes          what the menu says of the game ("5 to 15" minutes)
    unit                            a standing: { one = "{count} point", other = "{count} points" }
    round                           the line at the top: "Round {round}, first to {goal}"
    result                          who won: "{names} won with {figure}!" (and {count}, how many won)
    hand                            hidden dice, for whoever may see them: "{sum} together" (and {dice}, {count})
    option.<name>.name, .help       an option; with .<value> for each word it can be set to
    tell.<event>                    what happened, by the name that the rules tell it under
    tell.<word>                     what was chosen, by the word of the option
    tell.rolled                     a throw in sight: {name}, {dice}, {sum}, {count}
    tell.order, tell.pick           what the table drew: {name}, {names}; of a pick that is no seat, {drawn}
    prompt.<word>                   the question, by the word of any of the options
    prompt.throw, shake, lift       an ask for dice: in sight, hidden, under a real cup ({name}, {count})
    prompt.order, prompt.pick       the table is to draw ({names} are those drawn from)
    choice.<word>                   an option on a button or in a list
    choice.<word>_dice              beside the faces, where the option is a set of dice
    fact.<field>                    the name of a field of the board, as tiles on the screen and lines elsewhere
    review.<word>                   an option, as part of the sentence on how somebody played
    odds.<what>                     a line of odds

A text is told facts, each in braces. Those of an event are its own:

    numbers, words      as they are, with a space for each _ of a word; a flag is yes or no
    dice, other lists   "4 5"; what holds lists or nothing is left out
    seat, seats         the player {name}, the players {names}
    winner, loser, leader, player, other, caller, starter, target, and their plurals
                        seats too, told as names under their own names
    {count}             decides between `one` and `other`: the event's own, or its first number that is no seat

Those of a choice are {name}, the value of the option by its word (("claim", 7) is {claim}, and {count}), and of a
set of dice {dice}, the faces, and {count}, how many. Choices, prompts, rounds, results and reviews are told all
options of the game and the numbers and words of its board, too. A text that asks for a fact that is not there is
passed over, as if it did not exist.

What takes more than that is a function of the same name as one below, in the `words.py` of the game. It says what is
special and leaves the rest to the one here:

    from table.games.default import words as default

    def tell(event, news, say):
        if event.kind == "bust" and event.facts["points"] > 50:
            return say("pig.tell.bust_of_a_lifetime", name=name_of(news.before, event.facts["seat"]))
        return default.tell(event, news, say)

Its one rule: only public events and public views come in here, so nothing else can come out.
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
SHARED = ("begins", "cup", "out")
"""Events that mean the same in every game."""
MOST_IN_ORDER = 4  # names; of more only the first, and the board shows the others


# What happened


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
    shared = [f"tell.{event.kind}"] if event.kind in SHARED else []
    try:
        return say.first(key, *shared, **facts)
    except KeyError:
        return _plainly(event, news.before, say)


def told_by_another(event: Event, news: News) -> bool:
    """Whether another event of the same news tells it as well, so that a transcript leaves it out."""
    return False


def counting(event: Event, news: News) -> Callable[[int], bool]:
    """Of an event that shows all hands: whether a die of that face counts for what was called."""
    return lambda die: True


def worded(facts: Mapping[str, Any], view: View, say: Catalogue) -> Facts:
    """The facts of an event, or the fields of a board, as texts are told them."""
    found = {}
    for fact, value in facts.items():
        name = {"seat": "name", "seats": "names"}.get(fact, fact)
        said = _worded(fact, value, view, say)
        if said is not None:
            found[name] = said
    numbers = [value for value in found.values() if type(value) is int]
    return {"count": numbers[0], **found} if numbers else found


def _worded(fact: str, value: Any, view: View, say: Catalogue) -> int | str | None:
    """None of what is no single thing: nothing, or a list of lists."""
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
    """Ann: bust, points 12."""
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


# What is asked


def prompt(ask: Ask, view: View, say: Catalogue) -> str:
    """What the ask wants, and of whom."""
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
    """What a single die is thrown for, each player one: "begin" or "lowest". None if it is thrown to be played."""
    return None


def one_die(ask: Roll, view: View) -> bool:
    """In sight, and not under a real cup: what games that throw one for who begins ask there."""
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
    """What can be chosen: roll or end, sets of the own dice, or a list of everything."""
    if {*ask.options} == {"roll", "end"}:
        return roll_or_end(ask, public)
    if keeping := staying(ask, public):
        return sets_of_dice(ask, public, keeping)
    return Choice("list", tuple(plain(option, public, ask.seat) for option in ask.options))


def why_not(dice: Sequence[int], say: Catalogue) -> str:
    """Why these dice cannot be set aside together."""
    return say("play.no_set")


# How it stands


def round_line(view: View, say: Catalogue) -> str:
    """Which round this is, of how many or to what."""
    return say.first(f"{view['game']}.round", "round.plain", **board(view))


def standing(view: View, seat: int, say: Catalogue) -> str:
    """2 lives, 34 points; nothing of a seat that has no number."""
    figure = view["standing"][seat]
    return "" if figure is None else narration.counted(view["game"], figure, say)


def result(view: View, winners: Sequence[int], say: Catalogue) -> str:
    """Who won, in a sentence."""
    game, names = view["game"], names_of(view, winners, say)
    facts = {**board(view), "name": name_of(view, winners[0]), "names": names, "count": len(winners)}
    facts["figure"] = narration.standing(view, winners[0], say)
    generic = "result.figure" if say.has(f"{game}.unit") and facts["figure"] else "result.won"
    return say.first(f"{game}.result", generic, **facts)


def final(view: View, seat: int, say: Catalogue) -> str:
    """How the seat stood in the end."""
    return narration.standing(view, seat, say)


def order(view: View) -> Sequence[int]:
    """The seats of this round, as they follow each other."""
    return range(len(view["players"]))


def out(view: View, seat: int) -> bool:
    """Whether the seat plays no more: the game's board may have a list of them, `out`."""
    gone = view.get("out")
    return isinstance(gone, list) and seat in gone


def kept(view: View, seat: int) -> Sequence[int]:
    """The dice that the seat has set aside, which lie there beside those in its hand: the game's board may have a list
    of them, `kept`, for the seat whose turn it is."""
    found = view.get("kept")
    return found if isinstance(found, (list, tuple)) and seat == view["turn"] else ()


def note(view: View, seat: int, say: Catalogue) -> str:
    """What the seat has said or reached in this round."""
    return ""


def marks(view: View, seat: int, say: Catalogue) -> list[str]:
    """What else the seat has, a word each."""
    return []


def facts(view: View, say: Catalogue) -> list[tuple[str, str]]:
    """The fields of the board that are one thing each: a label and a value."""
    found = []
    for field, value in view.items():
        if field in COMMON or isinstance(value, list):
            continue  # what a list means only the game knows
        said = _worded(field, value, view, say)
        if said is not None:
            found.append((fact_name(view["game"], field, say), str(said)))
    return found


def fact_name(game: str, field: str, say: Catalogue) -> str:
    return say.get(f"{game}.fact.{field}", readable(field))


def hand(dice: Sequence[int], game: str, say: Catalogue) -> str:
    """What hidden dice come to."""
    shown = faces(sorted(dice))
    return say.get(f"{game}.hand", shown, dice=shown, sum=sum(dice), count=len(dice))


def chance(line: Odds, game: str, say: Catalogue) -> str:
    """What might happen."""
    plainly = " ".join([readable(line.what), *map(str, line.facts.values())])
    return say.get(f"{game}.odds.{line.what}", plainly, **line.facts)


# How somebody played: told after the game to whoever played it, from that seat's view


def place(view: View, option: Option, say: Catalogue) -> str:
    """Where a decision was: the round, and what lay in front of the seat."""
    return place_with([die for die in view["dice"][view["seat"]] if die is not None], view, say)


def place_with(dice: Sequence[int], view: View, say: Catalogue) -> str:
    there = say("review.round", round=view["round"])
    return say("review.with_dice", place=there, dice=faces(dice)) if dice else there


def phrase(view: View, option: Option, say: Catalogue) -> str:
    """An option in a few words, as it is said of whoever chose it."""
    entry = plain(option, view, view["seat"])
    return say.get(f"{view['game']}.review.{entry.word}", label(entry, say), **spoken(entry))
