"""Which board of e-dice belongs to which player, and which lamps are lit.

Its one rule: a board belongs to one player at most, and a player has one board at most. Pairs last until the table
shuts down.
"""

from collections.abc import Iterable, Mapping


class Pairs:
    def __init__(self) -> None:
        self.paired: dict[str, str] = {}  # board ids by player name
        self.waiting: str | None = None  # the player who gets the next board whose button is pressed
        self.lit: int | None = None  # the seat that a press would roll for
        self._players: tuple[str, ...] = ()
        self._pressed = ""  # the id of the board whose button was pressed last

    def sit(self, players: Iterable[str]) -> None:
        """Sets the players, in seat order, and cancels a pairing in progress."""
        self._players, self.waiting = tuple(players), None

    def own(self, seat: int) -> str | None:
        """The id of the board that belongs to the player at that seat."""
        return self.paired.get(self._players[seat]) if seat < len(self._players) else None

    def owner(self, device: str) -> str | None:
        return next((name for name, own in self.paired.items() if own == device), None)

    @property
    def taken(self) -> set[str]:
        return set(self.paired.values())

    def preference(self, device: str) -> tuple[bool, bool, str]:
        """The sort key for a player without a board: first the boards without an owner, starting with the one whose
        button was pressed last."""
        return device in self.taken, device != self._pressed, device

    def press(self, device: str) -> str | None:
        """Handles a button press. Returns the player who got this board, if someone was waiting for one."""
        player, self.waiting, self._pressed = self.waiting, None, device
        if player:
            self.paired = {name: own for name, own in self.paired.items() if own != device} | {player: device}
        return player

    def part(self, player: str) -> None:
        self.paired.pop(player, None)

    def rename(self, names: Mapping[str, str]) -> None:
        """Renames players; `names` maps old names to new ones. Players keep their seats and their boards."""
        self._players = tuple(names.get(name, name) for name in self._players)
        self.paired = {names.get(name, name): device for name, device in self.paired.items()}
        self.waiting = names.get(self.waiting, self.waiting) if self.waiting else None

    def renamed(self, old: str, new: str) -> None:
        self.paired = {name: new if device == old else device for name, device in self.paired.items()}
        self._pressed = new if self._pressed == old else self._pressed

    def lights(self, device: str) -> bool:
        """Whether that board's lamp is lit, because a press would roll its dice or pair it."""
        if self.lit is None:
            return self.waiting is not None
        own = self.own(self.lit)
        return self.waiting is not None or (device == own if own else device not in self.taken)
