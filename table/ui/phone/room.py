"""A room: who is in it, who is going to play what, and whose phone plays which seat of the match in the session.

Its one rule: it changes what it was asked for, says that it has changed, and sends nothing itself.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from table.engine import options as game_options
from table.engine.asks import Choose, Over, Roll
from table.engine.errors import Refused
from table.engine.names import clean, made_good
from table.games import GAMES, bots
from table.session.lineup import Lineup, Seat, again, match_of
from table.session.match import LEVEL, called_anew
from table.session.messages import Player
from table.session.session import Session
from table.text.catalogue import Catalogue
from table.ui.phone.people import Person, Register

HOST_SECONDS = 15.0  # that a host may be away and still is one
MOST_HELD = 20  # games that can be gone on with, whose seats are known
# Phones are best for hidden dice: the first game that can be played with cups.
FIRST_GAME = next((game.id for game in GAMES.values() if hasattr(game.options, "cups")), next(iter(GAMES)))


@dataclass
class PhoneRules:
    """What the table allows phones. The operator may change it while it runs."""

    odds: bool = False
    patience: int = 60  # seconds until the others may do something about a phone that is gone
    create: bool = True


class Room:
    """Made and used by the main thread alone."""

    def __init__(
        self,
        session: Session,
        code: str,
        name: str,
        house: PhoneRules,
        known: Callable[[], Sequence[Player]] = tuple,
        screen: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self.code = code
        self.name = name
        self.house = house
        self._register = Register(clock)
        self.people = self._register.people
        self.party = Lineup(GAMES[FIRST_GAME])
        self.seats: dict[int, str] = {}  # of the match: whose phone plays there, by the person's id
        self.host: str | None = None
        self.changed = True  # since it was last sent to everybody
        self.kept_changed = False  # who is in it, which is kept over a restart
        self._known = known
        self._screen = screen  # the table has buttons of its own, at which somebody may play
        self._clock = clock
        self._waited: dict[int, float] = {}  # seats whose people are waited for once more, since then
        self._stood_in: set[int] = set()  # seats that a computer plays for a phone that was gone
        self._held: dict[str, dict[int, str]] = {}  # of games that can be gone on with: whose phone played where

    # Who is in it

    def join(self, name: str) -> tuple[Person, str]:
        """A new person and their token, in a seat if one is free."""
        person, token = self._register.enter(self._unused(name))
        self.host = self.host or person.id
        self._seat(person)
        self._touch(kept=True)
        return person, token

    def person(self, token: str) -> Person | None:
        return self._register.whose(token)

    def code_for(self, person: Person) -> str:
        return self._register.code_for(person)

    def take_over(self, code: str) -> tuple[Person, str] | None:
        found = self._register.take_over(code)
        if found:
            self._touch(kept=True)
        return found

    def arrives(self, person: Person, line: int) -> None:
        before = person.here
        person.lines.add(line)
        if before:
            return
        person.gone = None
        self._give_back(person)
        seat = self.seat_of(person)
        if seat is not None and seat in self._stood_in:
            self._stood_in.discard(seat)
            self.session.stand_in(seat, None)
        self._choose_host()
        self._touch()

    def _give_back(self, person: Person) -> None:
        """A seat that somebody at the table played for a phone that was gone."""
        match = self.session.match
        for seat, id in self._held.get(match.id, {}).items() if match and self.playing else ():
            if id == person.id and seat not in self.seats:
                self.seats[seat] = id
                self.session.play_with_phone(seat, True)

    def departs(self, person: Person, line: int) -> None:
        person.lines.discard(line)
        if not person.here:
            person.gone = self._clock()
        self._choose_host()
        self._touch()

    def leave(self, person: Person) -> None:
        """For good. In the middle of a game a computer goes on for them."""
        seat = self.seat_of(person)
        if seat is not None:
            if self.playing:
                self.session.stand_in(seat, LEVEL)
                self.session.play_with_phone(seat, False)
            self._stood_in.discard(seat)
            del self.seats[seat]
        for seats in self._held.values():
            for held in [at for at, id in seats.items() if id == person.id]:
                del seats[held]
        self.people.pop(person.id, None)
        self.party = replace(self.party, seats=tuple(s for s in self.party.seats if s.phone != person.id))
        self._choose_host()
        self._touch(kept=True)

    def rename(self, person: Person, name: str) -> None:
        self._only_in_lobby()
        self._call(person, name)

    def called_anew(self, names: Sequence[tuple[str, str | None]]) -> None:
        """Whoever has another name in the records, or none any more, has it here too: it would come back with the next
        game. One that goes on does so under the names that it began with."""
        for old, new in names:
            for person in [one for one in self.people.values() if one.name == old and not self.plays(old)]:
                self._call(person, new or "")
        if self.session.match and not self.playing:
            self.session.match = called_anew(self.session.match, names)

    def _call(self, person: Person, name: str) -> None:
        person.name = self._unused(name, person)
        self.party = replace(
            self.party,
            seats=tuple(replace(s, name=person.name) if s.phone == person.id else s for s in self.party.seats),
        )
        self._touch(kept=True)

    def seat_of(self, person: Person | None) -> int | None:
        if self.session.match is None:
            return None
        return next((seat for seat, id in self.seats.items() if person and id == person.id), None)

    # Before a game

    def ready(self, person: Person, ready: bool) -> None:
        person.ready = ready
        self._touch()

    def play(self, game: str) -> None:
        self._only_in_lobby()
        if game not in GAMES:
            raise Refused("sight.no_such_game")
        if game != self.party.game.id:
            self.party = Lineup(GAMES[game], self.party.seats[: GAMES[game].seats[1]])
        self._seat_everybody()
        self._touch()

    def propose(self, party: Lineup) -> None:
        """These are about to play, says the table itself; and whoever is here with a phone, instead of guests."""
        here = [person for person in self.people.values() if person.here]
        seats = [seat for seat in party.seats if not seat.phone or seat.phone in {person.id for person in here}]
        if here and not any(seat.phone for seat in seats):
            seats = [seat for seat in seats if not seat.guest and (len(here) == 1 or not seat.level)]
        self.party = replace(party, seats=tuple(seats))
        self._seat_everybody()
        self._touch()

    def option(self, name: str, value: Any) -> None:
        self._only_in_lobby()
        known = {option["name"]: option for option in game_options.describe(self.party.game.options)}
        if name in ("wins", "cups") or name not in known:  # the one the table says itself, the other needs its camera
            raise Refused("sight.not_offered")
        option = known[name]
        if type(value) is not type(option["default"]):
            raise Refused("sight.not_offered")
        if not (value in option["values"] if "values" in option else option["min"] <= value <= option["max"]):
            raise Refused("sight.not_offered")
        self.party = replace(self.party, options={**self.party.options, name: value})
        self._touch()

    def add_computer(self, level: str) -> None:
        self._only_in_lobby()
        if level not in bots.LEVELS or self.party.full:
            raise Refused("sight.not_offered")
        self.party = self.party.with_seat(Seat("", level))
        self._touch()

    def move(self, place: int, to: int) -> None:
        self._only_in_lobby()
        seats = list(self.party.seats)
        if not (0 <= place < len(seats) and 0 <= to < len(seats)):
            raise Refused("sight.not_offered")
        seats.insert(to, seats.pop(place))
        self.party = replace(self.party, seats=tuple(seats))
        self._touch()

    def drop(self, place: int) -> None:
        """Whoever sat there only watches from now on."""
        self._only_in_lobby()
        if not 0 <= place < len(self.party.seats):
            raise Refused("sight.not_offered")
        self.party = self.party.without(place)
        self._touch()

    def replace_seat(self, place: int, level: str) -> None:
        self._only_in_lobby()
        if not 0 <= place < len(self.party.seats) or level not in bots.LEVELS:
            raise Refused("sight.not_offered")
        seats = list(self.party.seats)
        seats[place] = Seat("", level)
        self.party = replace(self.party, seats=tuple(seats))
        self._touch()

    def waits_for(self) -> list[str]:
        """People who are not ready. The host is when they start."""
        return [
            person.name
            for seat in self.party.seats
            if (person := self.people.get(seat.phone)) and person.id != self.host and not (person.ready and person.here)
        ]

    def start(self) -> None:
        self._only_in_lobby()
        if self.waits_for():
            raise Refused("sight.not_ready")
        self.sit_down(self.party)

    def sit_down(self, party: Lineup) -> None:
        """Begins the game in the session, whoever wished it, here or at the table; Refused says why it cannot."""
        match = match_of(party, self._known())
        self.party = party
        self.seats = {place: seat.phone for place, seat in enumerate(party.seats) if seat.phone in self.people}
        self._waited.clear()
        self._stood_in.clear()
        self.session.begin(match, self.seats)
        self._hold(match.id)
        self._touch(kept=True)

    # While a game is on, and after it

    @property
    def playing(self) -> bool:
        match = self.session.match
        return match is not None and not isinstance(match.referee.ask, Over)

    def plays(self, name: str) -> bool:
        """Whether somebody of that name sits at a game that goes on, with a phone or at the table."""
        match = self.session.match
        return self.playing and match is not None and name in [match.referee.players[seat] for seat in match.sat_down]

    @property
    def at(self) -> str:
        """The ask that stands, as pages name it."""
        match = self.session.match
        return f"{match.id[:6]}:{len(match.referee.history)}:{self.session.taken_back}" if match else ""

    def asked(self, person: Person | None) -> Roll | Choose | None:
        """What is asked of this person's phone now."""
        match, seat = self.session.match, self.seat_of(person)
        if match is None or seat is None or self.session.turn != "phone":
            return None
        ask = match.referee.ask
        return ask if isinstance(ask, Roll | Choose) and ask.seat == seat else None

    def throw(self, person: Person, at: str) -> None:
        """A stale touch does nothing, and no word is lost about it: what stands is sent anyway."""
        if at == self.at and isinstance(self.asked(person), Roll):
            self.session.throw()

    def pick(self, person: Person, at: str, pick: int) -> None:
        ask = self.asked(person)
        if at == self.at and isinstance(ask, Choose) and 0 <= pick < len(ask.options):
            self.session.choose(ask.options[pick])

    def gone(self) -> list[int]:
        """Seats of people who are gone for longer than the others have to wait."""
        if not self.playing:
            return []
        now, found = self._clock(), []
        for seat, id in self.seats.items():
            person = self.people.get(id)
            since = person.gone if person else 0.0
            if since is not None and seat not in self._stood_in:
                since = max(since, self._waited.get(seat, since))
                if now - since >= self.house.patience:
                    found.append(seat)
        return found

    def decide(self, seat: int, do: str) -> None:
        """What the others want done about somebody whose phone is gone."""
        if seat not in self.gone():
            return  # back, or decided already
        if do == "wait":
            self._waited[seat] = self._clock()
        elif do == "computer":
            self._stood_in.add(seat)
            self.session.stand_in(seat, LEVEL)
        elif do == "table":
            self.session.play_with_phone(seat, False)
            del self.seats[seat]
        elif do == "remove":
            self._begin_without(seat)
        else:
            raise Refused("sight.not_offered")
        self._touch()

    def wish(self, person: Person, seat: int, do: str) -> None:
        """The same from a phone: of somebody who plays, or the host; and nobody gets a hand into theirs by it."""
        if do == "table" or (self.seat_of(person) is None and person.id != self.host):
            raise Refused("sight.not_offered")
        self.decide(seat, do)

    def _begin_without(self, seat: int) -> None:
        """No rules let a seat vanish: the game is given up, and the others begin again."""
        match = self.session.match
        assert match is not None
        left = self._playable(self._rematch().without(seat))
        if left.missing:
            raise Refused("sight.too_few")
        self.session.leave()
        self.sit_down(left)

    def again(self) -> None:
        if self.playing or self.session.match is None:
            raise Refused("sight.not_over")
        self.sit_down(self._playable(self._rematch()))

    def _rematch(self) -> Lineup:
        match = self.session.match
        assert match is not None
        party = again(match)
        phones = {place: id for place, id in self.seats.items() if id in self.people}
        seats = list(party.seats)
        for place, id in phones.items():
            person = self.people[id]
            # Where a computer stood in it is theirs again, if they are here for the next one.
            if seats[place].level is None or (place in self._stood_in and person.here):
                seats[place] = replace(seats[place], name=person.name, level=None, phone=id)
        return replace(party, seats=tuple(seats))

    def _playable(self, party: Lineup) -> Lineup:
        """Without a screen nobody is there to press for a person without a phone."""
        return party if self._screen else replace(party, seats=tuple(s for s in party.seats if s.level or s.phone))

    def to_lobby(self) -> None:
        """The game is over: who only watched takes a seat now."""
        if self.playing:
            raise Refused("sight.not_over")
        if self.session.match is not None:
            party = self._rematch()
            # Nobody asked for a computer that only stood in for somebody who never came back.
            computers = {place for place in self._stood_in if party.seats[place].level}
            left = replace(party, seats=tuple(s for at, s in enumerate(party.seats) if at not in computers))
            self.party = self._playable(left)
            self.session.set_aside()
        self.seats = {}
        self._seat_everybody()
        for person in self.people.values():
            person.ready = False
        self._touch()

    def resumed(self) -> None:
        """A game was gone on with: whose phones played in it do again; without a screen, computers for all others."""
        match = self.session.match
        self._stood_in.clear()
        self._waited.clear()
        held = self._held.get(match.id, {}) if match else {}
        self.seats = {seat: id for seat, id in held.items() if id in self.people}
        for seat in match.seating.people if match else ():
            if seat in self.seats:
                self.session.play_with_phone(seat, True)
            elif not self._screen:
                self.session.stand_in(seat, LEVEL)
        if match:
            self.party = self._rematch()
        self._touch()

    def _hold(self, match: str) -> None:
        """So that a game that is gone on with, today or after a restart, has the same phones."""
        self._held[match] = dict(self.seats)
        for old in list(self._held)[:-MOST_HELD]:
            del self._held[old]

    # Over a restart

    def kept(self) -> dict[str, Any]:
        """What is kept of the room: no token, only what one can be told by."""
        return {
            "code": self.code,
            "name": self.name,
            "match": self.session.match.id if self.session.match and self.playing else "",
            "held": {match: {str(seat): id for seat, id in seats.items()} for match, seats in self._held.items()},
            "people": self._register.kept(),
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """As it was; whatever is not what this version keeps is passed over."""
        try:
            code, name = str(kept["code"]), clean(str(kept["name"]))
            held = {str(m): {int(seat): str(id) for seat, id in seats.items()} for m, seats in kept["held"].items()}
            self._register.restore(kept["people"])
        except (AttributeError, KeyError, TypeError, ValueError):
            return
        self.code, self.name = code or self.code, name or self.name
        self._held = held
        self._seat_everybody()
        self._touch()

    # Inside

    def tick(self) -> None:
        """Somebody else is the host once that one is gone, and in the lobby nobody waits for a phone that went home."""
        before = self.host
        self._choose_host()
        self.changed = self.changed or self.host != before
        if self.playing:
            return
        now = self._clock()
        for person in list(self.people.values()):
            if person.gone is not None and now - person.gone > 10 * self.house.patience:
                self.leave(person)

    def _unused(self, name: str, own: Person | None = None) -> str:
        others = [person.name for person in self.people.values() if person is not own]
        others += [seat.name for seat in self.party.seats if not seat.phone and seat.level is None]
        return made_good([*others, clean(name) or "Player"])[-1]

    def _seat(self, person: Person) -> None:
        if self.session.match is None and not self.party.full and person.id not in {s.phone for s in self.party.seats}:
            self.party = self.party.with_seat(Seat(person.name, phone=person.id))

    def _seat_everybody(self) -> None:
        for person in self.people.values():
            if person.here:
                self._seat(person)

    def _choose_host(self) -> None:
        """Whoever is here longest, once the host is gone."""
        host = self.people.get(self.host or "")
        if host is None or (host.gone is not None and self._clock() - host.gone > HOST_SECONDS):
            here = [person.id for person in self.people.values() if person.here]
            self.host = here[0] if here else self.host if host else next(iter(self.people), None)

    def _only_in_lobby(self) -> None:
        if self.session.match is not None:
            raise Refused("sight.not_in_lobby")

    def _touch(self, kept: bool = False) -> None:
        self.changed = True
        self.kept_changed = self.kept_changed or kept


def sentence(why: Refused, say: Catalogue) -> str:
    """A refusal in somebody's language, if it is one of ours."""
    key = str(why)
    return say(key) if key.startswith("sight.") else key
