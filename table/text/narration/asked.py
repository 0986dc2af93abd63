"""What is asked now, and the line of the round. Its one rule: one sentence, and it begins with whoever is asked."""

from typing import Literal

from table.engine.asks import Ask, Choose, Draw, Over, Roll, View
from table.text.catalogue import Catalogue
from table.text.narration.stands import result
from table.text.narration.words import name_of, names_of


def prompt(ask: Ask | Over, view: View, say: Catalogue) -> str:
    """What the ask that stands wants, and of whom; after the end, who won."""
    match ask:
        case Roll():
            return _roll(ask, view, say)
        case Choose():
            return _choice(ask, view, say)
        case Draw():
            return _draw(ask, view, say)
        case Over(places):
            return result(view, places, say).sentence


def thrown_for(ask: Roll, view: View) -> Literal["begin", "lowest"] | None:
    """What a single die is thrown for, each player one; None if it is thrown to be played."""
    if view["game"] not in ("mexico", "cacho") or ask.count > 1 or ask.hidden or None in view["dice"][ask.seat]:
        return None
    # In an elimination nobody throws for the start again once a round was played.
    played = view["options"].get("mode") == "elimination" and any(view["scores"])
    return "lowest" if played else "begin"


def _roll(ask: Roll, view: View, say: Catalogue) -> str:
    name, purpose = name_of(view, ask.seat), thrown_for(ask, view)
    if ask.hidden:
        return say("prompt.shake", name=name)
    if purpose:
        return say("mexico.prompt.lowest" if purpose == "lowest" else "prompt.begin", name=name)
    under_cup = None in view["dice"][ask.seat]
    return say("prompt.lift" if under_cup else "prompt.throw", name=name, count=ask.count)


def _choice(ask: Choose, view: View, say: Catalogue) -> str:
    name = name_of(view, ask.seat)
    match ask.options[0]:
        case "roll" if view["game"] == "cheese":
            return say("cheese.prompt.roll_or_bank", name=name, count=view["left"], points=view["points"])
        case "roll":
            return say("prompt.roll_or_end", name=name)
        case "end":
            return say("pocoloco.prompt.reroll", name=name)
        case "accept":
            return say("bluff.prompt.believe", name=name, claim=view["claim"])
        case "immunity":
            return say("bluff.prompt.immunity", name=name)
        case ("keep", _):
            return say("cheese.prompt.keep", name=name)
        case ("claim", _):
            return say("bluff.prompt.claim", name=name)
    if view["bid"]:
        return say("cacho.prompt.raise", name=name, bid=say.bid(*view["bid"]))
    return say("cacho.prompt.open", name=name)


def _draw(ask: Draw, view: View, say: Catalogue) -> str:
    if ask.kind == "order":
        own = {"bluff": "bluff.prompt.draw_circle", "cacho": "cacho.prompt.draw_seats"}
        return say(own.get(view["game"], "prompt.draw_order"))
    if view["game"] == "cheese":
        return say("cheese.prompt.draw_card")
    return say("prompt.draw_between", names=names_of(view, [int(seat) for seat in ask.candidates], say))


def round_line(view: View, say: Catalogue) -> str:
    """Which round this is, of how many or to what."""
    number, options = view["round"], view["options"]
    match view["game"]:
        case "mexico" if options["mode"] == "challenge":
            key = "round.of" if options["goal"] == "survive" else "mexico.round.won"
            return say(key, round=number, rounds=options["rounds"], won=view["won"][0])
        case "bluff" if number > options["rounds"]:
            return say("bluff.round.playing_off", round=number)
        case "bluff":
            return say("round.of", round=number, rounds=options["rounds"])
        case "cheese":
            return say("cheese.round.to_goal", round=number, goal=options["goal"])
        case "cacho" if view["in_play"]:
            return say(
                "cacho.round.dice_single" if view["single"] else "cacho.round.dice", round=number, count=view["in_play"]
            )
    return say("round.plain", round=number)
