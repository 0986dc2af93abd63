"""All e-dice that are plugged in: which one rolls, whose it is, and what is said when one is missed. No port, no clock.

Its one rule: a roll is asked for under one word until it is answered. Whatever happens to a cable meanwhile, dice that
rolled under that word say the same again, and dice that did not roll now. `EDice` tells it which ports there are, when
one is opened, what came there and when it is closed, and writes what it answers; all calls come with the time.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.devices.link import Asked, Link
from table.devices.pairs import Pairs
from table.devices.ports import Ports
from table.engine.asks import Dice, Roll
from table.session.messages import DeviceFound, DeviceLost, DiceRead, Post, SourcePaired, SourcePressed, SourceState

NAME = "edice"
GRACE = 2.0  # seconds that dice may be away before it is said; a cable that was knocked out is back in less
LONGEST = 8.0  # seconds that a roll may take, however often it was asked for
COLOUR = "3c3c30"  # of the pips
QUIET = ("", "unplugged", "silent")  # what a port that was not named may be without a word about it


@dataclass(frozen=True)
class _Standing:
    ticket: int
    roll: Roll
    asked: Asked


@dataclass(frozen=True)
class _Roller:
    """The e-dice that was asked to roll."""

    id: str
    boot: str  # when it was last seen
    since: float
    rebooted: bool = False  # since then


class Boards:
    def __init__(self, post: Post, named: bool) -> None:
        """`named`: somebody said at which ports they are, so that whatever is wrong there is said."""
        self._post = post
        self._named = named
        self.ports = Ports()
        self._standing: _Standing | None = None
        self._last: _Standing | None = None  # it may have been cancelled, and may be asked for again,
        self._rolled: Dice | None = None  # and this is what fell
        self._roller: _Roller | None = None
        self._since = 0.0  # when dice were asked for, or some that could roll went away
        self._lost = False
        self._state = SourceState(NAME)
        self.pairs = Pairs()
        self._pressed = ""  # the id of the last one
        self._shared: set[str] = set()  # ids that several boards have

    # What the table wants

    def ask(self, ticket: int, roll: Roll, now: float) -> None:
        if self._last and self._last.roll is roll:
            self._standing = replace(self._last, ticket=ticket)
            if self._rolled:  # the answer crossed a second ask, as when it comes with the news that they are back
                self._give(self._rolled, now)
                return
        else:
            self._standing = _Standing(ticket, roll, Asked(secrets.token_hex(4), roll.count, roll.hidden))
            self._rolled = self._roller = None
        self._last = self._standing
        if self._overdue(now):
            self._roller = None  # somebody wants to try again, maybe with others
        self._since, self._lost = now, False
        self._assign(now)
        if "" in self.ports.wrong:
            self._post(DeviceLost(NAME, "pyserial"))

    def cancel(self, now: float) -> None:
        self._standing = None
        self._assign(now)

    def light(self) -> None:
        """Somebody else is to press, or a pair was made or parted."""
        for link in self.ports.links.values():
            link.light(self.pairs.lights(link.id), COLOUR)

    # What happens at the ports

    def without_pyserial(self) -> None:
        """There are no ports, and that is said of one without a name."""
        self.ports.wrong[""] = ("pyserial", 0.0)
        self._post(DeviceLost(NAME, "pyserial"))

    def look(self, ports: Sequence[str], now: float) -> list[str]:
        """The ports that are there, again and again: those to open now."""
        to_open = self.ports.look(ports, now)
        if self._standing:
            self._assign(now)  # to others, once those that were asked have been away for too long
        self._tell(now)
        return to_open

    def opened(self, port: str, now: float) -> None:
        self.ports.links[port] = Link(now)

    def hear(self, port: str, data: bytes, now: float) -> bytes:
        """What came at an open port, if anything did, and what is to be written there. To be called every now and then,
        as silence means something too, and at once if something is `waiting`."""
        link = self.ports.links[port]
        before = (link.ready, link.trouble)
        link.hear(data, now)
        if link.ready and not before[0]:
            self._tell_apart(link)
        link.due(now)
        for _ in range(link.presses):
            self._press(link)
        link.presses = 0
        if link.rolled:
            self._answer(link, now)
        if before != (link.ready, link.trouble):
            if link.ready:
                self.ports.wrong.pop(port, None)
            if before[0] and not link.over:
                self._since = now  # it is greeted anew
            self.light()  # now it is known whose it is
            self._assign(now)
            self._tell(now)
        return link.line.take_unsent()

    def waiting(self, port: str) -> bool:
        """Something is to be written there."""
        return self.ports.links[port].line.waiting

    def over(self, port: str) -> bool:
        """Nothing good will come of it while the port stays open."""
        return self.ports.links[port].over

    def closed(self, port: str, why: str, now: float) -> None:
        """It is closed, or could not be opened. `why` is a word for the reason; one that was `over` has its own."""
        link = self.ports.closed(port, why, now)
        if link and link.ready:
            self._since = now  # it may be back in a moment
        self._assign(now)
        self._tell(now)

    # Inside

    def _tell_apart(self, link: Link) -> None:
        """Cheap boards may share an id. Once two of them were here together, their boot is part of it: else one would
        throw what the other's player is to hide. It costs a pair its e-dice when that one is switched off."""
        shared = link.id
        for twin in self.ports.links.values():
            if twin.id == shared and twin.boot != link.boot:
                self._shared.add(shared)
                twin.id = f"{shared}/{twin.boot}"  # all that was known by the id was this one's
                self.pairs.renamed(shared, twin.id)
                if self._roller and self._roller.id == shared:
                    self._roller = replace(self._roller, id=twin.id)
                self._pressed = twin.id if self._pressed == shared else self._pressed
        if shared in self._shared:
            link.id = f"{shared}/{link.boot}"

    def _chosen(self, now: float) -> Link | None:
        """Who is to roll: the player's own. Dice that all may see are rolled by those that were asked for them, if they
        are back in a moment; else by the last that were pressed, or any."""
        standing = self._standing
        if standing is None:
            return None
        able = [one for one in self.ports.ready if one.dice >= standing.roll.count and not _dead(one)]
        own = self.pairs.own(standing.roll.seat)
        if own or standing.roll.hidden:
            return next((link for link in able if link.id == own), None)
        asked = next((link for link in able if self._roller and link.id == self._roller.id), None)
        if asked or (self._roller and now - self._since < GRACE):
            return asked
        taken = self.pairs.taken
        able.sort(key=lambda link: (link.id in taken, link.id != self._pressed, link.id))
        return next(iter(able), None)

    def _assign(self, now: float) -> None:
        """The roll that stands goes to the e-dice that is to make it, and to no other."""
        chosen = self._chosen(now)
        for link in self.ports.links.values():
            link.ask(self._standing.asked if self._standing and link is chosen else None, now)
        if chosen:
            if not self._roller or chosen.id != self._roller.id:
                self._roller = _Roller(chosen.id, chosen.boot, now)
            elif chosen.boot != self._roller.boot:
                self._roller = replace(self._roller, boot=chosen.boot, rebooted=True)
        if chosen and self._lost and not self._overdue(now):
            self._lost = False
            self._post(DeviceFound(NAME))

    def _overdue(self, now: float) -> bool:
        """They were asked, and whatever else they say or however often they come back, no dice fall."""
        return self._roller is not None and now - self._roller.since >= LONGEST

    def _answer(self, link: Link, now: float) -> None:
        rolled, link.rolled = link.rolled, None
        if rolled and self._standing and rolled.ask == self._standing.asked.ask:
            self._give(rolled.dice, now)

    def _give(self, dice: Dice, now: float) -> None:
        assert self._standing
        self._post(DiceRead(NAME, self._standing.ticket, dice))
        self._standing, self._rolled = None, dice
        self._assign(now)

    def _press(self, link: Link) -> None:
        self._pressed = link.id
        if player := self.pairs.press(link.id):
            self._post(SourcePaired(NAME, player, link.id))
            self.light()
        else:
            self._post(SourcePressed(NAME, link.id, self.pairs.owner(link.id)))

    def _tell(self, now: float) -> None:
        """What is wrong, if that has changed; and after a while, that nobody is there to roll."""
        said, roller = self.ports.troubles, self._roller
        if self._standing and roller and roller.rebooted:
            said |= {port: "rebooted" for port, link in self.ports.links.items() if link.ready and link.id == roller.id}
        quiet = ("", "unplugged") if self._named else QUIET
        wrong = [(port, why) for port, why in sorted(said.items()) if why not in quiet]
        state = SourceState(NAME, *(wrong[0] if wrong else ("", "")), len(self.ports.ready))
        if state != self._state:
            self._state = state
            self._post(state)
        gone = not (self._chosen(now) or self.ports.hope) and now - self._since >= GRACE
        if self._standing and not self._lost and (gone or self._overdue(now)):
            self._lost = True
            self._post(DeviceLost(NAME, self._why(state, now)))
            if not state.trouble and not self._overdue(now):
                self._roller = None  # it was pulled out for long: once it is back, it has all the time again

    def _why(self, state: SourceState, now: float) -> str:
        """Why no dice come."""
        standing, ready = self._standing, self.ports.ready
        assert standing
        if self._roller and self._roller.rebooted:
            return "rebooted"
        if self._chosen(now):
            return "idle"
        own = self.pairs.own(standing.roll.seat)
        theirs = [link for link in ready if link.id == own or not (own or standing.roll.hidden)]
        if theirs:
            return next((link.trouble for link in theirs if link.trouble), "few")
        if own and own.partition("/")[0] in self._shared and ready:
            return "twin"
        return "own" if ready else state.trouble or ("unplugged" if self._roller else "absent")


def _dead(link: Link) -> bool:
    return link.trouble == "entropy"
