"""The contract of a dice source: what the table can ask of it, and what it can do.

Its one rule: no code outside `table.devices` knows which device it uses. A device subclasses `DiceSource`, overrides
what differs and inherits the rest: a device without cups, buttons or pictures does not mention them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import CameraLies, SeenDie

if TYPE_CHECKING:
    from table.devices.calibrating import Calibrating


class Camera(Protocol):
    """The pictures of a source with a camera."""

    def show(self, within: tuple[int, int] | None) -> None:
        """Requests pictures of at most this size; `CameraShows` is posted with each picture. None stops the
        pictures."""

    def picture(self, after: int = 0) -> Any:
        """The newest picture (with a `number` and a `frame`) if its number is higher than `after`; otherwise None."""


class Pairing(Protocol):
    """A source with several devices, each of which can belong to one player."""

    @property
    def waiting(self) -> str | None:
        """The player who gets the next device whose button is pressed."""

    @property
    def paired(self) -> Mapping[str, str]:
        """The device ids of the players who have a device, by player name."""

    def pair(self, player: str | None) -> None:
        """Pairs the player with the next device whose button is pressed. None cancels a pairing that is still
        waiting."""

    def part(self, player: str) -> None:
        """Takes the device away from the player."""

    def rename(self, names: Mapping[str, str]) -> None:
        """Renames players; `names` maps old names to new ones. Players keep their seats and their devices."""

    def light(self, seat: int | None) -> None:
        """Lights the lamps of the devices on which a press would roll for that seat."""


class OwnDice(Protocol):
    """What a source with a camera has learned about the dice that people use."""

    @property
    def count(self) -> int:
        """How many faces of dice are remembered."""

    def begin_with(self, faces: tuple[Any, ...] = ()) -> None:
        """Forgets everything but these faces."""


class DiceSource:
    """Where dice come from. Each ask is answered by one DiceRead with the source's name and the ask's ticket, unless
    the ask is cancelled."""

    name: str
    instant: bool = False
    """It rolls by itself at once: for computer players, and whenever another source would reveal hidden dice."""
    entered: bool = False
    """People roll real dice and enter the values: the screen offers the numbers and calls `enter`."""
    reads_cups: bool = False
    """It can read the dice under a lifted cup."""
    watches: bool = False
    """People roll before they press, so it is asked as soon as dice are needed."""

    # What only some sources have

    camera: Camera | None = None
    calibrating: "Callable[[], Calibrating] | None" = None
    """Starts a calibration."""
    pairing: Pairing | None = None
    own_dice: OwnDice | None = None

    def private(self, seat: int) -> bool:
        """Whether only that seat sees its dice until the table shows them. Only such a source can roll hidden dice."""
        return False

    def sit(self, players: Iterable[str]) -> None:
        """Sets the players, in seat order."""

    def open(self) -> None:
        """Called when the source comes into use: starts any slow initialization. Idempotent."""

    def rest(self) -> None:
        """Called when the source goes out of use, until it is opened or asked again."""

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        """Rolls, or waits for a roll. A new ask replaces the previous one. `lifted`: the dice are not rolled but lie
        under a cup that is lifted."""
        raise NotImplementedError

    def enter(self, dice: Iterable[int], seen: Sequence[SeenDie | None] = ()) -> None:
        """Accepts the values that people entered. `seen`: what the camera sees of each of these dice, None for a die
        that it does not see; empty without a camera."""
        raise Refused("These dice cannot be typed in.")

    def cancel(self) -> None:
        """Cancels the pending ask."""

    def close(self) -> None:
        """Called when the table ends."""

    def count(self, lies: CameraLies) -> bool:
        """Whether the dice rolled without an ask are still there. If so, they answer the next ask."""
        return False
