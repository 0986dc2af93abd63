"""The people of a room, their tokens, and the host.

Its one rule: the token identifies the person. A token is created here and sent once, and only its digest is stored. A
name, an id or a room code gives no access.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from table.engine.errors import Refused
from table.engine.names import clean

MOST_PEOPLE = 40  # maximum number of people in a room, including those who only watch
CODE_SECONDS = 120.0  # lifetime of a code for another phone
MOST_GUESSES = 5  # after this many wrong codes, all codes become invalid
HOST_SECONDS = 15.0  # seconds that a host can be disconnected before losing the role


@dataclass
class Person:
    id: str  # known to everyone in the room
    key: str  # the digest of the person's token
    name: str
    ready: bool = False
    lines: set[int] = field(default_factory=set)  # the person's connections
    gone: float | None = None  # when the person disconnected; None while connected

    @property
    def here(self) -> bool:
        return bool(self.lines)


class Register:
    """The people in a room, by id."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.people: dict[str, Person] = {}
        self.host: str | None = None
        self._clock = clock
        self._numbers = 0
        self._codes: dict[str, tuple[str, float]] = {}  # by code: the person's id and the expiry time
        self._guesses = 0

    @property
    def here(self) -> list[Person]:
        return [person for person in self.people.values() if person.here]

    def enter(self, name: str) -> tuple[Person, str]:
        """Adds a person. Returns the person and their token."""
        if len(self.people) >= MOST_PEOPLE:
            raise Refused("refused.full")
        self._numbers += 1
        token = secrets.token_urlsafe(24)
        person = Person(f"p{self._numbers}", digest(token), name, gone=self._clock())
        self.people[person.id] = person
        self.host = self.host or person.id
        return person, token

    def leave(self, person: Person) -> None:
        self.people.pop(person.id, None)
        self.choose_host()

    def arrives(self, person: Person, line: int) -> bool:
        """Adds a connection. Returns whether the person was disconnected before."""
        came = not person.here
        person.lines.add(line)
        person.gone = None
        self.choose_host()
        return came

    def departs(self, person: Person, line: int) -> None:
        person.lines.discard(line)
        if not person.here:
            person.gone = self._clock()
        self.choose_host()

    def choose_host(self) -> None:
        """If the host is gone, selects the connected person who joined first."""
        host = self.people.get(self.host or "")
        if host is None or (host.gone is not None and self._clock() - host.gone > HOST_SECONDS):
            here = [person.id for person in self.people.values() if person.here]
            self.host = here[0] if here else self.host if host else next(iter(self.people), None)

    def gone_for(self, seconds: float) -> list[Person]:
        now = self._clock()
        return [one for one in self.people.values() if one.gone is not None and now - one.gone > seconds]

    def whose(self, token: str) -> Person | None:
        key = digest(token)
        return next((p for p in self.people.values() if secrets.compare_digest(p.key, key)), None)

    def code_for(self, person: Person) -> str:
        """A one-time code that lets another phone become this person, valid for two minutes."""
        now = self._clock()
        self._codes = {c: found for c, found in self._codes.items() if found[1] > now and found[0] != person.id}
        code = f"{secrets.randbelow(10**6):06}"
        self._codes[code] = (person.id, now + CODE_SECONDS)
        return code

    def take_over(self, code: str) -> tuple[Person, str] | None:
        """Redeems a code: returns the person and a new token, or None if the code is invalid."""
        found = self._codes.pop(code, None)
        if found is None or found[1] <= self._clock() or found[0] not in self.people:
            self._guesses += 1
            if self._guesses >= MOST_GUESSES:  # someone is guessing: owners of a valid code must request a new one
                self._codes.clear()
                self._guesses = 0
            return None
        person, token = self.people[found[0]], secrets.token_urlsafe(24)
        person.key = digest(token)
        return person, token

    def kept(self) -> list[dict[str, str]]:
        """The people to save, with the digests of their tokens, never the tokens."""
        return [{"id": p.id, "key": p.key, "name": p.name} for p in self.people.values()]

    def restore(self, kept: Iterable[Any]) -> None:
        """Restores saved people. Raises ValueError, KeyError or TypeError if the data is invalid."""
        people = [Person(str(p["id"]), str(p["key"]), clean(str(p["name"])), gone=self._clock()) for p in kept]
        numbers = [int(person.id[1:]) for person in people]
        for person in people[:MOST_PEOPLE]:
            self.people.setdefault(person.id, person)
        self._numbers = max([self._numbers, *numbers])


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
