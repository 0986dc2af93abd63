"""Which e-dice belongs to which player, and which lamps are lit. No port, no clock.

Its one rule: an e-dice belongs to at most one player, and a player has at most one. Pairs last until the table ends.
"""

from collections.abc import Iterable, Mapping


class Pairs:
    def __init__(self) -> None:
        self.paired: dict[str, str] = {}  # e-dice ids by player name
        self.waiting: str | None = None  # the player who gets the next e-dice that is pressed
        self.lit: int | None = None  # the seat that would roll
        self._players: tuple[str, ...] = ()
        self._pressed = ""  # the e-dice whose button was pressed last

    def sit(self, players: Iterable[str]) -> None:
        """Sets the players by seat, and cancels a pairing in progress."""
        self._players, self.waiting = tuple(players), None

    def own(self, seat: int) -> str | None:
        """The e-dice id of the player at that seat."""
        return self.paired.get(self._players[seat]) if seat < len(self._players) else None

    def owner(self, device: str) -> str | None:
        return next((name for name, own in self.paired.items() if own == device), None)

    @property
    def taken(self) -> set[str]:
        return set(self.paired.values())

    def preference(self, device: str) -> tuple[bool, bool, str]:
        """Sort key for a player without a pair: unpaired e-dice first, and of these the one pressed last."""
        return device in self.taken, device != self._pressed, device

    def press(self, device: str) -> str | None:
        """Handles a button press. Returns the player who got this e-dice, if someone was waiting for one."""
        player, self.waiting, self._pressed = self.waiting, None, device
        if player:
            self.paired = {name: own for name, own in self.paired.items() if own != device} | {player: device}
        return player

    def part(self, player: str) -> None:
        self.paired.pop(player, None)

    def rename(self, names: Mapping[str, str]) -> None:
        """Takes the players' new names by their old ones. Players keep their seats and their e-dice."""
        self._players = tuple(names.get(name, name) for name in self._players)
        self.paired = {names.get(name, name): device for name, device in self.paired.items()}
        self.waiting = names.get(self.waiting, self.waiting) if self.waiting else None

    def renamed(self, old: str, new: str) -> None:
        self.paired = {name: new if device == old else device for name, device in self.paired.items()}
        self._pressed = new if self._pressed == old else self._pressed

    def lights(self, device: str) -> bool:
        """Whether its lamp is lit: a press would roll or pair it."""
        if self.lit is None:
            return self.waiting is not None
        own = self.own(self.lit)
        return self.waiting is not None or (device == own if own else device not in self.taken)
