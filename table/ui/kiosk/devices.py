"""The table's devices and their latest reports. The main loop updates this information from messages, and scenes read
it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from table.devices import OwnDice
from table.devices.calibrating import Calibrating
from table.devices.hotspot import Hotspot
from table.session.messages import CameraLies, CameraSaw, HotspotState, SourceState
from table.text.catalogue import Catalogue


@dataclass
class Devices:
    states: dict[str, SourceState] = field(default_factory=dict)  # the latest state of each dice source, by name
    calibrating: Callable[[], Calibrating] | None = None  # starts a calibration; None without a camera
    own_dice: OwnDice | None = None  # what the camera has learned about these dice; None without a camera
    misfit: str = ""  # why the camera's pictures do not match its calibration
    unheld: tuple[str, ...] = ()  # settings that the camera keeps changing by itself
    saw: CameraSaw | None = None  # the camera's latest report on requested dice
    unasked: int = 0  # how many rolls in a row the camera has read without asking
    lies: CameraLies | None = None  # the camera's latest report on dice that the game did not ask for
    buttons_missing: str | None = None  # why there are no physical buttons; None if buttons were found
    had_buttons: bool = False  # whether buttons have been found at least once since the start
    hotspot: Hotspot | None = None  # the table's own Wi-Fi, on machines that can provide it
    hotspot_state: HotspotState | None = None  # the latest state of the table's own Wi-Fi; None until it is known

    def wrong(self, source: str, need_buttons: bool, say: Catalogue) -> str:
        """A sentence about a device that does not work, or an empty string."""
        state = self.states.get(source)
        if state and state.trouble:
            return say("device.at", port=state.port, what=say(f"{source}.{state.trouble}"))
        if self.buttons_missing and need_buttons:
            return say("device.why", why=self.buttons_missing)
        if self.buttons_missing and self.had_buttons:
            return say("device.lost", device=say("device.buttons"))
        return ""
