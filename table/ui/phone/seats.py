"""The seats that phones play in the match, and what happens when a phone disconnects.

Its one rule: a tap counts only if it answers the current ask and comes from the phone of the seat that is asked.
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

MOST_HELD = 20  # number of resumable matches for which the phones are remembered


@dataclass
class PhoneRules:
    """What phones are allowed to do. The operator can change these rules while the table runs."""

    odds: bool = False
    patience: int = 60  # seconds until the other players can decide about a disconnected player
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
        self.phones: dict[int, str] = {}  # the ids of the people who play with phones, by seat
        self._session = session
        self._people = people
        self._rules = rules
        self._screen = screen  # whether the table has its own buttons for people to play with
        self._clock = clock
        self._waited: dict[int, float] = {}  # by seat: when the other players last chose to wait
        self._stood_in: set[int] = set()  # seats played by a computer for a disconnected phone
        self.held: dict[str, dict[int, str]] = {}  # by id of a resumable match: `phones` when it began

    @property
    def playing(self) -> bool:
        match = self._session.match
        return match is not None and not isinstance(match.referee.ask, Over)

    @property
    def _level(self) -> str:
        """The level of computers that stand in for people."""
        assert self._session.match is not None
        return bots.usual(self._session.match.game.id)

    def plays(self, name: str) -> bool:
        """Whether a person with this name plays in a running game, with a phone or at the table."""
        match = self._session.match
        return self.playing and match is not None and name in [match.referee.players[seat] for seat in match.sat_down]

    @property
    def at(self) -> str:
        """The id of the current ask, which pages send with their answer."""
        match = self._session.match
        return f"{match.id[:6]}:{len(match.referee.history)}:{self._session.news.taken_back}" if match else ""

    def of(self, person: Person | None) -> int | None:
        if self._session.match is None or person is None:
            return None
        return next((seat for seat, id in self.phones.items() if id == person.id), None)

    def asked(self, person: Person | None) -> Roll | Choose | None:
        """The ask that this person's phone has to answer now, if any."""
        match, seat = self._session.match, self.of(person)
        if match is None or seat is None or self._session.turn != "phone":
            return None
        ask = match.referee.ask
        return ask if isinstance(ask, Roll | Choose) and ask.seat == seat else None

    def roll(self, person: Person, at: str) -> None:
        """Rolls. Ignores stale taps; the page receives the new state anyway."""
        if at == self.at and isinstance(self.asked(person), Roll):
            self._session.dice.throw()

    def pick(self, person: Person, at: str, pick: int) -> None:
        ask = self.asked(person)
        if at == self.at and isinstance(ask, Choose) and 0 <= pick < len(ask.options):
            self._session.choose(ask.options[pick])

    # Start and end of a match

    def begin(self, match: Match, lineup: Lineup) -> None:
        self._sit({place: seat.phone for place, seat in enumerate(lineup.seats)})
        self._session.begin(match, self.phones)
        self.held[match.id] = dict(self.phones)
        for old in list(self.held)[:-MOST_HELD]:
            del self.held[old]

    def resume(self) -> None:
        """Called after a match was resumed: people play with the same phones as before. Without a screen, computers
        play for everyone else."""
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
        """A line-up with the same players, except the one at the seat `without`. A computer that stood in for someone
        makes way if that person has reconnected; otherwise it plays only if `stand_ins` is set."""
        lineup, seats = again(match), list[Seat]()
        for place, before in enumerate(lineup.seats):
            seat = before
            person = self._people.get(self.phones.get(place, ""))
            stood_in = place in self._stood_in
            if person and (seat.level is None or (stood_in and person.here)):
                seat = replace(seat, name=person.name, level=None, phone=person.id)
            if seat.level:
                plays = stand_ins or not stood_in
            else:  # without a screen, no one can press for a person without a phone
                plays = self._screen or bool(seat.phone)
            if plays and place != without:
                seats.append(seat)
        return replace(lineup, seats=tuple(seats))

    # Connecting and disconnecting

    def back(self, person: Person) -> None:
        """Gives this person back the seat that a computer, or someone at the table, has been playing."""
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
        """Removes the person for good. If a game is running, a computer takes the person's place."""
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
        """The seats of people who have been disconnected for longer than `patience`."""
        return [seat for seat, left in self._patience_left().items() if left <= 0]

    def next_gone(self) -> float | None:
        """Seconds until another seat counts as gone, if its phone stays disconnected."""
        return min((left for left in self._patience_left().values() if left > 0), default=None)

    def _patience_left(self) -> dict[int, float]:
        """For each seat with a disconnected phone: the seconds until the other players can decide what happens to the
        seat."""
        if not self.playing:
            return {}
        now, found = self._clock(), {}
        for seat, id in self.phones.items():
            person = self._people.get(id)
            since = person.gone if person else 0.0
            if since is not None and seat not in self._stood_in:
                since = max(since, self._waited.get(seat, since))
                found[seat] = since + self._rules.patience - now
        return found

    def decide(self, seat: int, do: str) -> None:
        """Applies what the other players decided about a disconnected player."""
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
                raise Refused("refused.not_offered")
