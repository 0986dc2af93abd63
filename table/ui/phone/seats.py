"""Whose phone plays which seat of the match, and what happens when a phone is gone.

Its one rule: a tap counts only if it answers the ask that stands, and comes from the phone of the seat that is asked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from table.engine.asks import Choose, Over, Roll
from table.engine.errors import Refused
from table.games import bots
from table.session.lineup import Lineup, Seat, again
from table.session.match import Match
from table.session.session import Session
from table.ui.phone.people import Person

MOST_HELD = 20  # matches that may be resumed, whose phones are known


@dataclass
class PhoneRules:
    """What the table allows phones. The operator may change it while it runs."""

    odds: bool = False
    patience: int = 60  # seconds until the others may do something about a phone that is gone
    create: bool = True


class Seats:
    def __init__(
        self,
        session: Session,
        people: Mapping[str, Person],
        rules: PhoneRules,
        screen: bool,
        clock: Callable[[], float],
    ) -> None:
        self.phones: dict[int, str] = {}  # by seat, whose phone plays there: the person's id
        self._session = session
        self._people = people
        self._rules = rules
        self._screen = screen  # the table has buttons of its own, at which somebody may play
        self._clock = clock
        self._waited: dict[int, float] = {}  # by seat, since when the others wait once more
        self._stood_in: set[int] = set()  # seats that a computer plays for a phone that was gone
        self.held: dict[str, dict[int, str]] = {}  # by match that may be resumed: `phones` at its beginning

    @property
    def playing(self) -> bool:
        match = self._session.match
        return match is not None and not isinstance(match.referee.ask, Over)

    @property
    def _level(self) -> str:
        """The level of a computer that stands in for somebody."""
        assert self._session.match is not None
        return bots.usual(self._session.match.game.id)

    def plays(self, name: str) -> bool:
        """Whether somebody of that name sits at a game that goes on, with a phone or at the table."""
        match = self._session.match
        return self.playing and match is not None and name in [match.referee.players[seat] for seat in match.sat_down]

    @property
    def at(self) -> str:
        """The ask that stands, as pages name it."""
        match = self._session.match
        return f"{match.id[:6]}:{len(match.referee.history)}:{self._session.news.taken_back}" if match else ""

    def of(self, person: Person | None) -> int | None:
        if self._session.match is None or person is None:
            return None
        return next((seat for seat, id in self.phones.items() if id == person.id), None)

    def asked(self, person: Person | None) -> Roll | Choose | None:
        """What is asked of this person's phone now."""
        match, seat = self._session.match, self.of(person)
        if match is None or seat is None or self._session.turn != "phone":
            return None
        ask = match.referee.ask
        return ask if isinstance(ask, Roll | Choose) and ask.seat == seat else None

    def throw(self, person: Person, at: str) -> None:
        """A stale tap does nothing, and gets no answer but the state that is sent anyway."""
        if at == self.at and isinstance(self.asked(person), Roll):
            self._session.dice.throw()

    def pick(self, person: Person, at: str, pick: int) -> None:
        ask = self.asked(person)
        if at == self.at and isinstance(ask, Choose) and 0 <= pick < len(ask.options):
            self._session.choose(ask.options[pick])

    # A match begins, and ends

    def begin(self, match: Match, lineup: Lineup) -> None:
        self._sit({place: seat.phone for place, seat in enumerate(lineup.seats)})
        self._session.begin(match, self.phones)
        self.held[match.id] = dict(self.phones)
        for old in list(self.held)[:-MOST_HELD]:
            del self.held[old]

    def resume(self) -> None:
        """A match is resumed with the same phones. Without a screen, computers play for all other people."""
        match = self._session.match
        assert match is not None
        self._sit(self.held.get(match.id, {}))
        for seat in match.seating.people:
            if seat in self.phones:
                self._session.play_with_phone(seat, True)
            elif not self._screen:
                self._session.stand_in(seat, self._level)

    def _sit(self, phones: dict[int, str]) -> None:
        self.phones = {seat: id for seat, id in phones.items() if id in self._people}
        self._waited.clear()
        self._stood_in.clear()

    def rematch(self, match: Match, stand_ins: bool = True, without: int | None = None) -> Lineup:
        """The same people once more, but the seat `without`. Where a computer stood in for one who is back, they play
        again; other computers that stood in play only with `stand_ins`."""
        lineup, seats = again(match), list[Seat]()
        for place, before in enumerate(lineup.seats):
            seat = before
            person = self._people.get(self.phones.get(place, ""))
            stood_in = place in self._stood_in
            if person and (seat.level is None or (stood_in and person.here)):
                seat = replace(seat, name=person.name, level=None, phone=person.id)
            if seat.level:
                plays = stand_ins or not stood_in
            else:  # without a screen nobody can press for a person without a phone
                plays = self._screen or bool(seat.phone)
            if plays and place != without:
                seats.append(seat)
        return replace(lineup, seats=tuple(seats))

    # People come and go

    def back(self, person: Person) -> None:
        """Gives them their seat back from the computer, or the person at the table, who played for them."""
        match = self._session.match
        for seat, id in self.held.get(match.id, {}).items() if match and self.playing else ():
            if id == person.id and seat not in self.phones:
                self.phones[seat] = id
                self._session.play_with_phone(seat, True)
        own = self.of(person)
        if own in self._stood_in:
            self._stood_in.discard(own)
            self._session.stand_in(own, None)

    def leave(self, person: Person) -> None:
        """For good. In the middle of a game a computer goes on for them."""
        seat = self.of(person)
        if seat is not None:
            if self.playing:
                self._session.stand_in(seat, self._level)
                self._session.play_with_phone(seat, False)
            self._stood_in.discard(seat)
            del self.phones[seat]
        self.held = {
            match: {at: id for at, id in phones.items() if id != person.id} for match, phones in self.held.items()
        }

    def gone(self) -> list[int]:
        """Seats of people who are gone for longer than the others have to wait."""
        if not self.playing:
            return []
        now, found = self._clock(), []
        for seat, id in self.phones.items():
            person = self._people.get(id)
            since = person.gone if person else 0.0
            if since is not None and seat not in self._stood_in:
                since = max(since, self._waited.get(seat, since))
                if now - since >= self._rules.patience:
                    found.append(seat)
        return found

    def decide(self, seat: int, do: str) -> None:
        """What the others want done about somebody whose phone is gone."""
        match do:
            case "wait":
                self._waited[seat] = self._clock()
            case "computer":
                self._stood_in.add(seat)
                self._session.stand_in(seat, self._level)
            case "table":
                self._session.play_with_phone(seat, False)
                del self.phones[seat]
            case _:
                raise Refused("sight.not_offered")
