"""The contract of a dice source: what the table may ask of it, and what it can do.

Its one rule: nothing outside `table.devices` knows which device it has. A device subclasses `DiceSource`, defines what
is different for it, and inherits the rest: one without cups, buttons or pictures says nothing about them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from table.engine.asks import Roll
from table.engine.errors import Refused
from table.session.messages import CameraLies

if TYPE_CHECKING:
    from table.devices.calibrating import Calibrating


class Camera(Protocol):
    """The pictures of a source that looks at the dice."""

    def show(self, within: tuple[int, int] | None) -> None:
        """Pictures are wanted, no larger than that; `CameraShows` is posted with each. None: nobody looks."""

    def picture(self, after: int = 0) -> Any:
        """The newest one (with a `number` and a `frame`), if it is newer than that; else None."""


class Pairing(Protocol):
    """A source with several devices, of which each can be one player's own."""

    @property
    def waiting(self) -> str | None:
        """The player who gets the next device whose button is pressed."""

    @property
    def paired(self) -> Mapping[str, str]:
        """The id of the device of each player who has one."""

    def pair(self, player: str | None) -> None:
        """The next device whose button is pressed is that player's. None: nobody's."""

    def part(self, player: str) -> None:
        """The player has no device any more."""

    def rename(self, names: Mapping[str, str]) -> None:
        """The new names of players by the old ones: they keep their seats and their devices."""

    def light(self, seat: int | None) -> None:
        """Lamps are lit where a press would throw for that seat."""


class DiceSource:
    """Where dice come from. Each ask is answered by one DiceRead with its name and ticket, or by none if cancelled."""

    name: str
    instant: bool = False
    """It throws by itself and at once: for computers, and wherever another source would show what is hidden."""
    entered: bool = False
    """People throw real dice and say what they see: the screen offers digits, and calls `enter`."""
    reads_cups: bool = False
    """It can say what lies under a cup that was lifted."""
    watches: bool = False
    """People throw before they press: it is asked as soon as dice are."""

    # What only some devices have

    camera: Camera | None = None
    calibrating: "Callable[[], Calibrating] | None" = None
    """Begins a calibration."""
    pairing: Pairing | None = None

    def private(self, seat: int) -> bool:
        """Whether only that seat sees its dice until the table shows them: then it can throw hidden ones."""
        return False

    def sit(self, players: Iterable[str]) -> None:
        """Who sits where from now on."""

    def open(self) -> None:
        """It is in use now: begin what takes long. May be called repeatedly."""

    def rest(self) -> None:
        """It is not in use any more, until it is opened or asked again."""

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        """Throw, or wait for a throw. A new ask takes the place of the one before. `lifted`: they are not thrown, but
        lie under a cup that is lifted."""
        raise NotImplementedError

    def enter(self, dice: Iterable[int]) -> None:
        """The dice as people say that they are."""
        raise Refused("These dice are not typed in.")

    def cancel(self) -> None:
        """Nobody waits for the dice any more."""

    def close(self) -> None:
        """The table ends."""

    def count(self, lies: CameraLies) -> bool:
        """Whether the dice that were thrown without an ask still lie there: they are the answer to the next one."""
        return False
