"""Whose e-dice is whose, and which lamps are lit for whom. No port, no clock.

Its one rule: an e-dice is one player's at most, and a player has one at most. A pair holds as long as the table runs.
"""

from collections.abc import Iterable, Mapping


class Pairs:
    def __init__(self) -> None:
        self.paired: dict[str, str] = {}  # by a player's name, the id of an e-dice
        self.waiting: str | None = None  # the player whose e-dice is the next that is pressed
        self.lit: int | None = None  # the seat that would throw
        self._players: tuple[str, ...] = ()

    def sit(self, players: Iterable[str]) -> None:
        """Who sits where; whoever was about to make a pair got up."""
        self._players, self.waiting = tuple(players), None

    def own(self, seat: int) -> str | None:
        """The id of the e-dice of whoever sits there."""
        return self.paired.get(self._players[seat]) if seat < len(self._players) else None

    def owner(self, device: str) -> str | None:
        return next((name for name, own in self.paired.items() if own == device), None)

    @property
    def taken(self) -> set[str]:
        return set(self.paired.values())

    def press(self, device: str) -> str | None:
        """Its button makes it somebody's, if somebody waits for one: their name."""
        player, self.waiting = self.waiting, None
        if player:
            self.paired = {name: own for name, own in self.paired.items() if own != device} | {player: device}
        return player

    def part(self, player: str) -> None:
        self.paired.pop(player, None)

    def rename(self, names: Mapping[str, str]) -> None:
        """The new names of players by the old ones: they keep their seats and their e-dice."""
        self._players = tuple(names.get(name, name) for name in self._players)
        self.paired = {names.get(name, name): device for name, device in self.paired.items()}
        self.waiting = names.get(self.waiting, self.waiting) if self.waiting else None

    def renamed(self, old: str, new: str) -> None:
        self.paired = {name: new if device == old else device for name, device in self.paired.items()}

    def lights(self, device: str) -> bool:
        """Whether its lamp is lit: a press would throw, or make it somebody's."""
        if self.lit is None:
            return self.waiting is not None
        own = self.own(self.lit)
        return self.waiting is not None or (device == own if own else device not in self.taken)
