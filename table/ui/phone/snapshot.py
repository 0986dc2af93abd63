"""The state that is sent to a page: the lobby or the public table and, if the page belongs to a seat, the seat's own
hand and ask.

Its one rule: everything that pages share is built from the public view, once for all pages. Only a seat's own hand is
built from that seat's view.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from table.analysis import odds
from table.engine import options as game_options
from table.engine.asks import Choose, Over, Roll, View
from table.engine.errors import Refused
from table.games import BROKEN, GAMES, bots
from table.session.lineup import Lineup, Seat, level_of, match_of, offered, shown
from table.session.match import Match
from table.text import game_texts, narration, numbers
from table.text.catalogue import Catalogue
from table.text.choices import Choice, label, lists, plain, values
from table.text.refusals import sentence
from table.ui import qr
from table.ui.phone.people import Person
from table.ui.phone.room import Room

TOLD = 4  # maximum number of sentences about what happened

Json = dict[str, Any]


class Snapshot:
    """A room's state at one moment. The parts that all pages share are built once."""

    def __init__(self, room: Room, address: str) -> None:
        self._room = room
        self._address = address
        self._shared: dict[str, Json] = {}
        match = room.session.match
        self._public: View = match.referee.view(None) if match else {}

    def state(self, person: Person | None, say: Catalogue, version: int) -> Json:
        room, seat = self._room, self._room.seats.of(person)
        if say.language not in self._shared:
            self._shared[say.language] = self._everybodys(say)
        state = {**self._shared[say.language], "is": "state", "version": version, "language": say.language}
        state["you"] = None
        if person:
            state["you"] = {
                "id": person.id,
                "name": person.name,
                "seat": seat,
                "host": person.id == room.register.host,
                "ready": person.ready,
            }
        state["hand"] = state["ask"] = None
        match = room.session.match
        if match and seat is not None and room.playing:
            state["hand"] = hand(match, seat, say, room.phone_rules.odds)
            if ask := room.seats.asked(person):
                own = {"at": room.seats.at, "prompt": narration.own_prompt(ask, self._public, say)}
                state["ask"] = own | asked(ask, self._public, say)
        return state

    def _everybodys(self, say: Catalogue) -> Json:
        room, match = self._room, self._room.session.match
        shared: Json = {
            "room": {
                "name": room.name,
                "code": room.code,
                "address": self._address,
                "qr": _code(self._address),
            },
            "at": room.seats.at,
            "phase": "lobby" if match is None else "playing" if room.playing else "over",
            "odds": None,
            "review": match is not None and bots.has_perfect(match.game.id),
            "gone": [],
            "stuck": say("play.fault_rules") if room.session.stuck else "",
        }
        if match is None:
            return shared | {"lobby": lobby(room, say)}
        view = self._public
        if room.phone_rules.odds and room.playing and odds.has_odds(match.game.id):
            shared["odds"] = {
                "now": chances(odds.now(view, match.referee.ask), view, say),
                "all": chances(odds.odds(view), view, say),
            }
        shared["gone"] = [{"seat": seat, "name": match.referee.players[seat]} for seat in room.seats.gone()]
        return shared | {"table": table(room, match, view, say)}


@lru_cache(16)
def _code(address: str) -> list[str]:
    return ["".join("01"[dark] for dark in row) for row in qr.squares(address)]


def lobby(room: Room, say: Catalogue) -> Json:
    lineup = room.lobby.lineup
    waiting = room.lobby.waits_for()
    why = ""
    if lineup.missing:
        why = say("players.too_few", count=lineup.missing)
    elif waiting:
        why = say("lobby.waiting_for", names=say.listed(waiting))
    else:
        try:
            match_of(lineup, ())
        except Refused as no:
            why = sentence(no, say)
    return {
        "game": lineup.game.id,
        "games": [
            {
                "id": game.id,
                "name": game_texts.name(game.id, say),
                "summary": game_texts.summary(game.id, say),
                "seats": game_texts.seats(game.id, say),
                "broken": False,
            }
            for game in GAMES.values()
        ]
        + [
            {"id": name, "name": name, "summary": say("choose.broken", why=why), "seats": "", "broken": True}
            for name, why in BROKEN.items()
        ],
        "seats": [_lobby_seat(room, place, name, say) for place, name in enumerate(lineup.names())],
        "watching": [p.name for p in room.people.values() if p.here and p.id not in {s.phone for s in lineup.seats}],
        "levels": [
            {"level": level, "name": game_texts.level_name(level, say, lineup.game.id)}
            for level in bots.levels(lineup.game.id)
        ],
        "options": _options(lineup, say),
        "start": not why,
        "why": why,
    }


def _lobby_seat(room: Room, place: int, name: str, say: Catalogue) -> Json:
    seat = room.lobby.lineup.seats[place]
    person = room.people.get(seat.phone)
    kind = "computer" if seat.level else "phone" if person else "table"
    return {
        "place": place,
        "name": name,
        "kind": kind,
        "id": seat.phone,
        "ready": person.ready or person.id == room.register.host if person else True,
        "here": person.here if person else True,
        "host": bool(person) and seat.phone == room.register.host,
        "detail": level_of(room.lobby.lineup, seat, say) if seat.level else "",
    }


def _options(lineup: Lineup, say: Catalogue) -> list[Json]:
    while lineup.missing:  # with too few players, show the options for the fewest possible
        lineup = lineup.with_seat(Seat(""))
    found, played, game = [], lineup.in_force(), lineup.game
    for option in game_options.describe(game.options):
        name = option["name"]
        if "of" in option or name not in played:  # lists cannot be changed here; see `lobby.with_option`
            continue
        choices = offered(option, lineup)
        found.append(
            {
                "name": name,
                "label": game_texts.option_name(game.id, name, say),
                "help": game_texts.option_help(game.id, option, say),
                "value": played[name],
                "shown": shown(game, option, played[name], say),
                "values": [{"value": value, "shown": shown(game, option, value, say)} for value in choices],
            }
        )
    return found


def table(room: Room, match: Match, view: View, say: Catalogue) -> Json:
    ask = match.referee.ask
    told = [narration.tell(event, news, say) for news in room.session.news.recent for event in news.events]
    over = isinstance(ask, Over)
    ended = narration.result(view, match.places, say) if over else None
    return {
        "game": match.game.id,
        "title": game_texts.name(match.game.id, say),
        "round": narration.round_line(view, say),
        "prompt": narration.prompt(ask, view, say),
        "told": told[-TOLD:],
        "seats": [_seat(room, match, view, seat, say) for seat in narration.order(view)],
        "facts": facts(view, say),
        "result": ended
        and {
            "sentence": ended.sentence,
            "lines": [
                {"seat": line.seat, "place": line.place, "name": line.name, "figure": line.figure, "won": line.won}
                for line in ended.lines
            ],
        },
    }


def _seat(room: Room, match: Match, view: View, seat: int, say: Catalogue) -> Json:
    person = room.people.get(room.seats.phones.get(seat, ""))
    level = match.seating.levels[seat]
    kind = "computer" if level else "phone" if seat in room.session.phones else "table"
    here = person.here if person and kind == "phone" else True
    return laid(view, seat, say) | {"kind": kind, "here": here}


def laid(view: View, seat: int, say: Catalogue) -> Json:
    """A seat's standing and dice in the given view."""
    return {
        "seat": seat,
        "name": view["players"][seat],
        "figure": narration.standing(view, seat, say),
        "turn": view["turn"] == seat,
        "out": narration.out(view, seat),
        "dice": view["dice"][seat],
        "kept": list(narration.kept(view, seat)),
        "note": narration.note(view, seat, say),
        "marks": narration.marks(view, seat, say),
    }


def facts(view: View, say: Catalogue) -> list[Json]:
    return [{"label": name, "value": value} for name, value in narration.facts(view, say)]


def hand(match: Match, seat: int, say: Catalogue, with_odds: bool) -> Json | None:
    """The dice that only this seat can see, or that lie under its own cup, and their odds."""
    own = match.hidden_dice(seat)
    if not own:
        return None
    known = [die for die in own if die is not None]
    words = narration.hand(known, match.game.id, say) if known else say("play.under_cup")
    view = match.referee.view(seat)
    lines = chances(odds.own(view), view, say) if with_odds else []
    said = ". ".join([words, *(f"{line['label']}: {line['shown']}" for line in lines)])
    return {"dice": own, "words": words, "odds": lines, "said": said}


def chances(lines: Sequence[odds.Odds], view: View, say: Catalogue) -> list[Json]:
    return [
        {
            "label": narration.chance(line, view["game"], say),
            "shown": numbers.percent(line.chance, say),
            "chance": round(line.chance, 4),
        }
        for line in lines
    ]


def asked(ask: Roll | Choose, public: View, say: Catalogue) -> Json:
    """The choices for a phone, from the ask and the public view only."""
    if isinstance(ask, Roll):
        lifted = not ask.hidden and None in public["dice"][ask.seat]
        return {"kind": "roll", "label": say("play.lift" if lifted else "play.throw", count=ask.count)}
    number = {option: pick for pick, option in enumerate(ask.options)}
    choice = lists(ask, public)
    match choice.kind:
        case "bid":
            return {"kind": "bid", **_bids(ask, public, say)}
        case "dice":
            return {"kind": "dice", **_sets(choice, number, say), "options": []}
    main = choice.entries[choice.start] if choice.kind == "roll_or_end" else None  # no other kind has a main entry
    offered = [
        {"pick": number[entry.option], "label": label(entry, say), "main": entry is main}
        for entry in choice.entries
        if entry.option is not None
    ]
    return {"kind": "list", "options": offered}


def _bids(ask: Choose, public: View, say: Catalogue) -> Json:
    """The choices for a bid. The steppers on the page start at the last bid with one more die, if that bid is
    allowed."""
    last = public.get("bid")
    more = ("bid", (last[0] + 1, last[1])) if last else None
    main = more if more in ask.options else ask.options[0]
    counts: dict[int, list[Json]] = {}
    words: list[Json] = []
    for pick, option in enumerate(ask.options):
        match option:
            case ("bid", (int(count), int(face))):
                counts.setdefault(count, []).append(
                    {"face": face, "pick": pick, "label": say.bid(count, face), "main": option == main}
                )
            case str():
                words.append({"pick": pick, "label": label(plain(option, public, ask.seat), say)})
    return {"counts": [{"count": count, "faces": faces} for count, faces in sorted(counts.items())], "options": words}


def _sets(choice: Choice, number: Mapping[Any, int], say: Catalogue) -> Json:
    """All sets of dice that can be kept, the best first. Sets with the same faces have the same label."""
    worth = {values(choice.dice, entry.places or ()): place for place, entry in enumerate(choice.entries)}
    found = []
    for places, option in choice.keeping.items():
        place = worth[values(choice.dice, places)]
        entry = choice.entries[place]
        found.append((place, sorted(places), {"pick": number[option], "label": label(entry, say)}))
    found.sort(key=lambda one: (one[0], one[1]))
    return {"dice": list(choice.dice), "sets": [{"keep": keep, **rest} for _, keep, rest in found]}
