"""A room: its people, the lobby, and the seats of its session's match.

Its one rule: it applies requests, sets `changed`, and sends nothing itself.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from table.engine.errors import Refused
from table.engine.names import clean
from table.session.lineup import Lineup, match_of
from table.session.match import called_anew
from table.session.messages import Player
from table.session.session import Session
from table.ui.phone.lobby import Lobby
from table.ui.phone.people import Person, Register
from table.ui.phone.seats import PhoneRules, Seats


class Room:
    """One room. Created and used only by the main thread."""

    def __init__(
        self,
        session: Session,
        code: str,
        name: str,
        phone_rules: PhoneRules,
        known: Callable[[], Sequence[Player]] = tuple,
        screen: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self.code = code
        self.name = name
        self.phone_rules = phone_rules
        self.register = Register(clock)
        self.people = self.register.people
        self.lobby = Lobby(session, self.register)
        self.seats = Seats(session, self.people, phone_rules, screen, clock)
        self.changed = True  # whether the room has changed since it was last sent to the pages
        self.notice = ""  # key of a text to show once on every page in the room; empty: none
        self.kept_changed = False  # whether the room's people have changed and must be saved for a restart
        self._known = known

    @property
    def playing(self) -> bool:
        return self.seats.playing

    def touch(self, kept: bool = False) -> None:
        self.changed = True
        self.kept_changed = self.kept_changed or kept

    # People

    def join(self, name: str) -> tuple[Person, str]:
        """Adds a person, with a seat if one is free. Returns the person and their token."""
        person, token = self.register.enter(self.lobby.unused(name))
        self.lobby.seat([person])
        self.touch(kept=True)
        return person, token

    def arrives(self, person: Person, line: int) -> None:
        if self.register.arrives(person, line):
            self.seats.back(person)
            self.touch()

    def departs(self, person: Person, line: int) -> None:
        self.register.departs(person, line)
        self.touch()

    def leave(self, person: Person) -> None:
        """Removes the person for good."""
        self.seats.leave(person)
        self.register.leave(person)
        self.lobby.leave(person)
        self.touch(kept=True)

    def rename(self, person: Person, name: str) -> None:
        self.lobby.only_here()
        self.lobby.call(person, name)
        self.touch(kept=True)

    def called_anew(self, names: Sequence[tuple[str, str | None]]) -> None:
        """Applies name changes from the records; otherwise the old names would return with the next game. A running
        game keeps the names it started with."""
        for old, new in names:
            for person in [one for one in self.people.values() if one.name == old and not self.seats.plays(old)]:
                self.lobby.call(person, new or "")
                self.touch(kept=True)
        if self.session.match and not self.playing:
            self.session.match = called_anew(self.session.match, names)

    def ready(self, person: Person, ready: bool) -> None:
        person.ready = ready
        self.touch()

    def tick(self) -> None:
        """Replaces a host who is gone. In the lobby, removes people who have been disconnected for a long time."""
        before = self.register.host
        self.register.choose_host()
        self.changed = self.changed or self.register.host != before
        for person in [] if self.playing else self.register.gone_for(10 * self.phone_rules.patience):
            self.leave(person)

    # A game

    def start(self) -> None:
        self.lobby.only_here()
        if self.lobby.waits_for():
            raise Refused("refused.not_ready")
        self.sit_down(self.lobby.lineup)

    def sit_down(self, lineup: Lineup) -> None:
        """Begins the game, whether it was started here or at the table. Raises Refused if that is not possible."""
        match = match_of(lineup, self._known())
        self.lobby.lineup = lineup
        self.seats.begin(match, lineup)
        self.touch(kept=True)

    def again(self) -> None:
        if self.playing or self.session.match is None:
            raise Refused("refused.not_over")
        self.sit_down(self.seats.rematch(self.session.match))

    def to_lobby(self) -> None:
        """Returns to the lobby after a game. People who only watched get a seat."""
        if self.playing:
            raise Refused("refused.not_over")
        if self.session.match is not None:
            self.lobby.lineup = self.seats.rematch(self.session.match, stand_ins=False)
            self.session.set_aside()
        self.seats.phones = {}
        self.lobby.seat(self.register.here)
        for person in self.people.values():
            person.ready = False
        self.touch()

    def resumed(self) -> None:
        """Called after a game was resumed: the people who played with phones do so again."""
        assert self.session.match is not None
        self.seats.resume()
        self.lobby.lineup = self.seats.rematch(self.session.match)
        self.touch()

    def decide(self, seat: int, do: str) -> None:
        """Applies what the other players decided about a disconnected player."""
        match = self.session.match
        if match is None or seat not in self.seats.gone():
            return  # reconnected, or already decided
        if do != "remove":
            self.seats.decide(seat, do)
        else:  # the rules cannot remove a seat, so the game is given up and a new one starts
            left = self.seats.rematch(match, without=seat)
            if left.missing:
                raise Refused("refused.too_few")
            self.session.leave()
            self.sit_down(left)
        self.touch()

    def wish(self, person: Person, seat: int, do: str) -> None:
        """Like `decide`, but from a player's or the host's phone. Phones cannot choose "table", because then the
        player's hidden dice could be seen at the table."""
        if do == "table" or (self.seats.of(person) is None and person.id != self.register.host):
            raise Refused("refused.not_offered")
        self.decide(seat, do)

    # Saving across a restart

    def kept(self) -> dict[str, Any]:
        """The room's state to save, with the digests of tokens, never the tokens."""
        held = self.seats.held.items()
        return {
            "code": self.code,
            "name": self.name,
            "match": self.session.match.id if self.session.match and self.playing else "",
            "held": {match: {str(seat): id for seat, id in phones.items()} for match, phones in held},
            "people": self.register.kept(),
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Restores the data of `kept`; ignores invalid data."""
        try:
            code, name = str(kept["code"]), clean(str(kept["name"]))
            held = {str(m): {int(seat): str(id) for seat, id in seats.items()} for m, seats in kept["held"].items()}
            self.register.restore(kept["people"])
        except (AttributeError, KeyError, TypeError, ValueError):
            return
        self.code, self.name = code or self.code, name or self.name
        self.seats.held = held
        self.lobby.seat(self.register.here)
        self.touch()
