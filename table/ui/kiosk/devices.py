"""The devices of this table, and what each last reported. The loop fills it from messages; scenes read it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from table.devices.calibrating import Calibrating
from table.devices.hotspot import Hotspot
from table.session.messages import CameraLies, CameraSaw, HotspotState, SourceState
from table.text.catalogue import Catalogue


@dataclass
class Devices:
    states: dict[str, SourceState] = field(default_factory=dict)  # of dice sources, by name
    calibrating: Callable[[], Calibrating] | None = None  # starts a calibration; None: there is no camera
    misfit: str = ""  # why the camera's pictures do not fit its calibration, if so
    unheld: tuple[str, ...] = ()  # settings that the camera keeps changing by itself
    saw: CameraSaw | None = None  # the state of the last dice that the camera was asked for
    lies: CameraLies | None = None  # dice set aside or thrown under the camera without an ask
    buttons_missing: str | None = None  # why there are no physical buttons, if so
    had_buttons: bool = False  # there were some since the start
    hotspot: Hotspot | None = None  # the table's own Wi-Fi, where the machine can have one
    hotspot_state: HotspotState | None = None  # None: not known yet

    def wrong(self, source: str, need_buttons: bool, say: Catalogue) -> str:
        """A sentence on a device that does not work; empty if all do."""
        state = self.states.get(source)
        if state and state.trouble:
            return say("device.at", port=state.port, what=say(f"{source}.{state.trouble}"))
        if self.buttons_missing and need_buttons:
            return say("device.why", why=self.buttons_missing)
        if self.buttons_missing and self.had_buttons:
            return say("device.lost", device=say("device.buttons"))
        return ""
