"""The people of a room, the tokens that they are told by, and who of them is the host.

Its one rule: a person is whoever has the token. It is made here, sent once, and only its digest is kept; a name, an id
or a code of a room opens nothing.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from table.engine.errors import Refused
from table.engine.names import clean

MOST_PEOPLE = 40  # in a room, those who only watch by name too
CODE_SECONDS = 120.0  # that a code for another phone is worth something
MOST_GUESSES = 5  # wrong ones, until all codes are worth nothing
HOST_SECONDS = 15.0  # that a host may be away and still is one


@dataclass
class Person:
    id: str  # that everybody may know
    key: str  # the digest of their token
    name: str
    ready: bool = False
    lines: set[int] = field(default_factory=set)  # that they are connected by
    gone: float | None = None  # since when they are not

    @property
    def here(self) -> bool:
        return bool(self.lines)


class Register:
    """Who is in a room, by id."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.people: dict[str, Person] = {}
        self.host: str | None = None
        self._clock = clock
        self._numbers = 0
        self._codes: dict[str, tuple[str, float]] = {}  # for another phone: whose seat, and until when
        self._guesses = 0

    @property
    def here(self) -> list[Person]:
        return [person for person in self.people.values() if person.here]

    def enter(self, name: str) -> tuple[Person, str]:
        """A new person and their token."""
        if len(self.people) >= MOST_PEOPLE:
            raise Refused("sight.full")
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
        """Returns whether they were gone until now."""
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
        """Once the host is gone, the person who has been here longest."""
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
        """With which another phone becomes this person: short, for two minutes, worth one try of it."""
        now = self._clock()
        self._codes = {c: found for c, found in self._codes.items() if found[1] > now and found[0] != person.id}
        code = f"{secrets.randbelow(10**6):06}"
        self._codes[code] = (person.id, now + CODE_SECONDS)
        return code

    def take_over(self, code: str) -> tuple[Person, str] | None:
        """Whoever shows this code goes on at another phone, with a new token; None if nobody does."""
        found = self._codes.pop(code, None)
        if found is None or found[1] <= self._clock() or found[0] not in self.people:
            self._guesses += 1
            if self._guesses >= MOST_GUESSES:  # somebody tries them all: whoever has one asks for another
                self._codes.clear()
                self._guesses = 0
            return None
        person, token = self.people[found[0]], secrets.token_urlsafe(24)
        person.key = digest(token)
        return person, token

    def kept(self) -> list[dict[str, str]]:
        """No token, only what one can be told by."""
        return [{"id": p.id, "key": p.key, "name": p.name} for p in self.people.values()]

    def restore(self, kept: Iterable[Any]) -> None:
        """As it was; ValueError, KeyError or TypeError if that is not what this version keeps."""
        people = [Person(str(p["id"]), str(p["key"]), clean(str(p["name"])), gone=self._clock()) for p in kept]
        numbers = [int(person.id[1:]) for person in people]
        for person in people[:MOST_PEOPLE]:
            self.people.setdefault(person.id, person)
        self._numbers = max([self._numbers, *numbers])


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
