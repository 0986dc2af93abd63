"""All connected boards of e-dice: which one rolls, who owns each, and which are missing.

Its one rule: a roll keeps the same ask id until it is answered. Whatever happens to the cable meanwhile, dice that
have already rolled for that id repeat their result, and dice that have not rolled yet roll now. This module opens no
ports and has no clock. `EDice` reports which ports are available, which have opened or closed, and what data has
arrived; it also writes the replies. Every call passes the current time.
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
GRACE = 2.0  # seconds before missing dice are reported; a cable knocked loose is usually back sooner
LONGEST = 8.0  # seconds that a roll can take, including all retries
COLOUR = "3c3c30"  # the colour of the pips
QUIET = ("", "unplugged", "silent")  # troubles that are not reported for a port found automatically


@dataclass(frozen=True)
class _Standing:
    ticket: int
    roll: Roll
    asked: Asked


@dataclass(frozen=True)
class _Roller:
    """The board that was asked to roll."""

    id: str
    boot: str  # the board's boot id when last seen
    since: float
    rebooted: bool = False  # whether it has rebooted since it was asked


class Boards:
    def __init__(self, post: Post, named: bool) -> None:
        """`named`: whether the ports were named in the settings. If so, every problem with them is reported."""
        self._post = post
        self._named = named
        self.ports = Ports()
        self._standing: _Standing | None = None
        self._last: _Standing | None = None  # the last ask, even if it was cancelled, because it can be asked again
        self._rolled: Dice | None = None  # the result for `_last`
        self._roller: _Roller | None = None
        self._since = 0.0  # when dice were requested, or when a board that could roll was disconnected
        self._lost = False
        self._state = SourceState(NAME)
        self.pairs = Pairs()
        self._shared: set[str] = set()  # ids that several boards share

    # Requests from the table

    def ask(self, ticket: int, roll: Roll, now: float) -> None:
        if self._last and self._last.roll is roll:
            self._standing = replace(self._last, ticket=ticket)
            if self._rolled:  # the table can ask again before the answer has reached it
                self._give(self._rolled, now)
                return
        else:
            self._standing = _Standing(ticket, roll, Asked(secrets.token_hex(4), roll.count, roll.hidden))
            self._rolled = self._roller = None
        self._last = self._standing
        if self._overdue(now):
            self._roller = None  # a retry, possibly with another board
        self._since, self._lost = now, False
        self._assign(now)
        if "" in self.ports.wrong:
            self._post(DeviceLost(NAME, "pyserial"))

    def cancel(self, now: float) -> None:
        self._standing = None
        self._assign(now)

    def light(self) -> None:
        """Updates all lamps. Called when another seat is to roll or a board has a new owner."""
        for link in self.ports.links.values():
            link.light(self.pairs.lights(link.id), COLOUR)

    # Events at the ports

    def without_pyserial(self) -> None:
        """Reports pyserial as missing, under an empty port name."""
        self.ports.wrong[""] = ("pyserial", 0.0)
        self._post(DeviceLost(NAME, "pyserial"))

    def look(self, ports: Sequence[str], now: float) -> list[str]:
        """Takes the current list of ports and returns those to open now. Called repeatedly."""
        to_open = self.ports.look(ports, now)
        if self._standing:
            self._assign(now)  # reassigns the roll if its board has been away for too long
        self._tell(now)
        return to_open

    def opened(self, port: str, now: float) -> None:
        self.ports.links[port] = Link(now)

    def hear(self, port: str, data: bytes, now: float) -> bytes:
        """Takes data received at an open port (possibly none) and returns the bytes to write. Call it regularly,
        because silence also matters, and at once when the port is `waiting`."""
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
                self._since = now  # gives the board time to say hello again
            self.light()  # a ready board has an id, so its owner is known
            self._assign(now)
            self._tell(now)
        return link.line.take_unsent()

    def waiting(self, port: str) -> bool:
        """Whether there is data to write."""
        return self.ports.links[port].line.waiting

    def over(self, port: str) -> bool:
        """Whether the port has to be closed, because its device cannot be used as e-dice."""
        return self.ports.links[port].over

    def closed(self, port: str, why: str, now: float) -> None:
        """The port was closed or could not be opened. `why` is a trouble word such as "busy"; a link that is `over`
        has its own trouble word, which is used instead."""
        link = self.ports.closed(port, why, now)
        if link and link.ready:
            self._since = now  # gives the board time to come back
        self._assign(now)
        self._tell(now)

    # Internals

    def _tell_apart(self, link: Link) -> None:
        """Cheap boards can share an id. Once two of them have been connected at the same time, the boot id becomes part
        of their ids. Otherwise one board could roll hidden dice for the other board's player. The price is that such a
        board loses its owner when it is switched off."""
        shared = link.id
        for twin in self.ports.links.values():
            if twin.id == shared and twin.boot != link.boot:
                self._shared.add(shared)
                twin.id = f"{shared}/{twin.boot}"  # until now, the shared id meant this board
                self.pairs.renamed(shared, twin.id)
                if self._roller and self._roller.id == shared:
                    self._roller = replace(self._roller, id=twin.id)
        if shared in self._shared:
            link.id = f"{shared}/{link.boot}"

    def _chosen(self, now: float) -> Link | None:
        """The board that should roll. Players who own a board use only that one. Hidden dice are rolled only on the
        player's own board. Any other roll stays with the board that was asked, unless that board has been away for
        GRACE seconds. Then it goes to a board that nobody owns, if there is one, preferably the one whose button was
        pressed last."""
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
        return min(able, key=lambda link: self.pairs.preference(link.id), default=None)

    def _assign(self, now: float) -> None:
        """Sends the pending roll to the chosen board, and cancels it on all others."""
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
        """Whether the board was asked at least LONGEST seconds ago and has sent no result, whatever else it sent."""
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
        if player := self.pairs.press(link.id):
            self._post(SourcePaired(NAME, player, link.id))
            self.light()
        else:
            self._post(SourcePressed(NAME, link.id, self.pairs.owner(link.id)))

    def _tell(self, now: float) -> None:
        """Posts the trouble state if it changed, and DeviceLost if no board has been able to roll for a while."""
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
                self._roller = None  # a board that was unplugged gets the full time again when it is back

    def _why(self, state: SourceState, now: float) -> str:
        """The trouble word that says why no dice arrive."""
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
