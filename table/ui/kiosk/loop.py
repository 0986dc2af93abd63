"""The main loop: handles messages and input, advances the scene, and redraws only when something changed.

The loop blocks only while waiting for the next message, input event or frame. `Kiosk.turn` runs one iteration at a
given time, so a test can play a whole evening in a second; `run` uses a real clock and screen.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import pygame

from table.machine.service import Service
from table.session.mailbox import Mailbox
from table.session.messages import (
    CameraFits,
    CameraHolds,
    CameraLies,
    CameraSaw,
    CameraShows,
    DeviceFound,
    DeviceLost,
    DiceRead,
    HotspotState,
    Message,
    Opened,
    PhonePort,
    PhoneSaid,
    PowerRefused,
    Pressed,
    Recounted,
    Released,
    SourcePaired,
    SourcePressed,
    SourceState,
)
from table.ui.kiosk import frame, style
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.gestures import END, Both, Gesture, Held, Look, Touched
from table.ui.kiosk.inputs import Inputs
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.attract import Attract
from table.ui.kiosk.scenes.menu import menu
from table.ui.kiosk.scenes.play import Play
from table.ui.kiosk.scenes.result import Result
from table.ui.kiosk.scenes.review import Reviewing
from table.ui.kiosk.scenes.trouble import trouble
from table.ui.shared.dispatch import dispatch, tick

FRAME = 1 / 60
SMALLEST = (64, 48)  # pixels; nothing is drawn in a smaller window
AWAKE, ASLEEP = 0.010, 0.040  # seconds between input polls; SDL offers no cheaper way to wake up on input
DOZE = 20.0  # seconds without input before polling becomes as slow as on the first screen
LONGEST = 0.25  # longest time between two iterations, in seconds


class Lamps(Protocol):
    def lamps(self, roll: bool, end: bool) -> None: ...


class Kiosk:
    """Shows scenes on the screen and passes input to them."""

    def __init__(
        self, context: KioskContext, scene: Scene, surface: pygame.Surface, lamps: Lamps | None, now: float
    ) -> None:
        self.context = context
        self.scene = scene
        self.surface = surface
        self.canvas: Canvas | None = None  # the canvas of the last draw
        self.lamps = lamps
        self.inputs = Inputs()
        self._touched = now  # time of the last input
        self._trouble: Scene | None = None  # the screen that reports a lost device
        self._under_trouble = scene
        self._match: str | None = None  # id of the match at the last iteration
        self._changed = True
        self._wake: float | None = None  # when a redraw is due, computed at the last draw

    def turn(self, messages: Sequence[Message], events: Sequence[pygame.event.Event], now: float) -> bool:
        """Runs one iteration. Returns whether the screen was redrawn."""
        self.hear(messages, now)
        for event in events:
            if event.type in (pygame.VIDEORESIZE, pygame.VIDEOEXPOSE, pygame.WINDOWSIZECHANGED):
                self.surface = pygame.display.get_surface() or self.surface
                self._changed = True
            elif event.type == pygame.QUIT:
                self.context.run.ending = "exit"
            elif event.type in (pygame.MOUSEMOTION, pygame.FINGERDOWN):
                pygame.mouse.set_visible(event.type == pygame.MOUSEMOTION and not event.touch)
                self._do(self.inputs.event(event, self.canvas, now), now)
            else:
                self._do(self.inputs.event(event, self.canvas, now), now)
        self._do(self.inputs.gestures.due(now), now)
        self.show(self.scene.tick(now), now)
        tick(now, self.scene.shown if isinstance(self.scene, Play) else None, self.context.history, [self.context.room])
        self._follow_phones(now)
        self.context.publish()
        self._say_lost(now)
        self._rest_if_left(now)
        # A beat that is over no longer reports a wake time, so also check the wake time stored at the last draw.
        wakes = (self._wake, self.scene.wake(now))
        if not (self._changed or any(wake is not None and wake <= now for wake in wakes)):
            return False
        self._draw(now)
        return True

    def hear(self, messages: Sequence[Message], now: float) -> None:
        """Handles messages and answers phones. The screen is updated with the next frame."""
        for message in messages:
            self._hear(message, now)
        self.context.publish()

    def due(self, now: float) -> float:
        """When the next iteration is due if no message or input arrives earlier."""
        phones = self.context.phones.connections.due if self.context.phones else None
        wakes = (self._wake, self.scene.wake(now), self.inputs.gestures.next_due, phones, self.context.session.pace.due)
        return min([now + LONGEST, *(wake for wake in wakes if wake is not None)])

    def glance(self, now: float) -> float:
        """Seconds between polls of keys and touch."""
        return ASLEEP if self.scene.restful or now - self._touched >= DOZE else AWAKE

    @property
    def doing(self) -> str:
        """A status line for the service manager."""
        match, waiting = self.context.session.match, self.context.history.unfinished
        if match:
            return f"A game of {match.game.id} is in progress."
        return f"No game is in progress{f'; {len(waiting)} can be resumed' if waiting else ''}."

    def _hear(self, message: Message, now: float) -> None:
        match message:
            case Pressed(button, at):
                self._do(self.inputs.pressed(button, at), now)
            case Released(button, at):
                self._do(self.inputs.released(button, at), now)
            case PowerRefused():
                self.context.run.refused = message
                self.context.sounds.play("refuse")
            case CameraSaw():
                self.context.devices.saw = message
                if message.state != "restarting":  # a restart does not mean that anyone is here
                    self._touched = now  # people who roll real dice do not have to press anything
            case CameraLies():
                self.context.devices.lies = message
                self._touched = now
            case DiceRead():
                self.context.devices.lies = None  # the report was about the previous roll
                self._shared(message)
            case CameraShows():
                if not isinstance(self.scene, Play):
                    return  # the camera picture is not on screen
            case CameraFits(why):
                self.context.devices.misfit = why
            case CameraHolds(refused):
                self.context.devices.unheld = refused
            case SourceState():
                self.context.devices.states[message.source] = message
            case SourcePressed():
                self._throw_by_own(message, now)
            case SourcePaired():
                self.context.sounds.play("take")
                self._touched = now
            case HotspotState():
                self.context.devices.hotspot_state = message
            case PhonePort() if self.context.phones:
                self.context.phones.port.opened(message)
            case DeviceLost("buttons", why):
                self.context.devices.buttons_missing = why
            case DeviceFound("buttons"):
                self.context.devices.buttons_missing = None
                self.context.devices.had_buttons = True
            case Opened(records):
                self._shared(message)
                self.context.opened(records)
            case Recounted():
                self._shared(message)
                self.context.recounted()
            case _:
                if isinstance(message, PhoneSaid) and message.said["say"] != "hello":
                    self._touched = now
                if not self._shared(message):
                    return  # nothing visible changed
        self._changed = True

    def _shared(self, message: Message) -> bool:
        """Handles a message that tables without a screen receive too. Returns whether anything changed."""
        context = self.context
        connections = context.phones.connections if context.phones else None
        return dispatch(message, context.history, context.storage, connections, [context.room])

    def _do(self, gestures: Sequence[Gesture], now: float) -> None:
        for gesture in gestures:
            self._touched = now
            self._changed = True
            if isinstance(gesture, Both) or gesture == Touched("menu"):
                self._open_menu(now)
            else:
                self.show(self.scene.handle(gesture, now), now)

    def _follow_phones(self, now: float) -> None:
        """Shows a game that was started on a phone, and leaves one that was ended there."""
        match = self.context.session.match
        if match is None:
            if isinstance(self.scene, Play) or (isinstance(self.scene, Result | Reviewing) and self._match is not None):
                self.show(Attract(self.context, now), now)
        elif match.id != self._match and not (isinstance(self.scene, Play) and self.scene.match.id == match.id):
            self.show(Play(self.context, now), now)
        self._match = match.id if match else None

    def _throw_by_own(self, pressed: SourcePressed, now: float) -> None:
        """Treats a press on a set of e-dice like a touch on the board. The set's lamp is on while a press would roll
        the dice.

        A person with their own set must use that one; everyone else can use any unassigned set.
        """
        session, seat = self.context.session, self._throws_with(pressed.source)
        pairing = session.dice.devices[pressed.source].pairing
        if not isinstance(self.scene, Play) or seat is None or session.match is None or pairing is None:
            return
        name = session.match.referee.players[seat]
        if pressed.player != (name if name in pairing.paired else None):
            return
        if session.turn == "phone":  # phone players cannot use the table's buttons, but they can use their own e-dice
            session.dice.throw()
        else:
            self._do([Touched("dice")], now)

    def _throws_with(self, source: str) -> int | None:
        """The seat that can roll with this source now, if any."""
        match, expected = self.context.session.match, self.context.session.dice.expected
        return getattr(match.referee.ask, "seat", None) if match and expected and expected.name == source else None

    def _open_menu(self, now: float) -> None:
        """Opens the menu over the scene. A scene without a menu is itself an overlay, which is closed instead."""
        opened = menu(self.context, self.scene)
        self.show(opened if opened is not self.scene else self.scene.handle(Held(END), now), now)

    def _say_lost(self, now: float) -> None:
        """Shows a report when the device that should roll the dice is gone. The report ends when the device returns or
        another source is selected."""
        if self.context.session.dice.lost is None:
            if self._trouble is self.scene:  # the device came back
                self.show(self._under_trouble, now)
            self._trouble = None
        elif self._trouble is None:
            self._under_trouble = self.scene
            self._trouble = trouble(self.context, self.scene)
            self.show(self._trouble, now)

    def _rest_if_left(self, now: float) -> None:
        """Returns an untouched table to the first screen. A game in progress is set aside and can be resumed."""
        session = self.context.session
        if isinstance(self.scene, Play) and ((session.turn == "table" and not session.stuck) or session.writing):
            self._touched = now  # computers are playing: do not interrupt people who are watching
        if self.scene.restful or now - self._touched < 60 * self.context.config.screen.idle_minutes:
            return
        self.context.set_aside()
        self.show(Attract(self.context, now), now)

    def show(self, scene: Scene, now: float) -> None:
        """Shows the scene from now on. Buttons that are still held do nothing on the new scene."""
        if scene is not self.scene:
            if isinstance(self.scene, Play):
                self.scene.handle(Look(False), now)
            self.inputs.screen_changed(now)
            self.scene = scene
            self._changed = True
        self.inputs.gestures.looking = scene.wants_look
        self.inputs.typing = scene.typing

    def _draw(self, now: float) -> None:
        settings = self.context.settings
        say, buttons = self.context.say, self.context.config.buttons
        words = say("button.roll"), say("button.end")
        look = style.Look(settings.large_text, *words, buttons.roll_colour, buttons.end_colour)
        canvas = Canvas(self.surface, look)
        large = canvas.area.width >= SMALLEST[0] and canvas.area.height >= SMALLEST[1]
        if large:
            self.scene.draw(canvas, now)
        caps = self.scene.caps(now)
        if large:
            frame.caps(canvas, caps)
            canvas.veil(settings.brightness / 100)
        self.canvas = canvas
        self._changed = False
        self._wake = self.scene.wake(now)
        for device in self.context.session.dice.devices.values():
            if device.pairing:
                device.pairing.light(self._throws_with(device.name))
        if self.lamps:
            self.lamps.lamps(caps.roll is not None and caps.roll.lit, caps.end is not None and caps.end.lit)


def run(
    kiosk: Kiosk, mailbox: Mailbox, clock: Callable[[], float], ended: Callable[[], bool], service: Service
) -> None:
    """Runs until the table is asked to end."""
    while not (kiosk.context.run.ending or ended()):
        begun = clock()
        if kiosk.turn(mailbox.take(), pygame.event.get(), begun):
            pygame.display.flip()
        service.alive(begun)
        service.doing(kiosk.doing)
        now = clock()
        due = kiosk.due(now)
        if due <= now:  # an animation is running: one frame every 1/60 s, however many messages arrive
            while (left := begun + FRAME - clock()) > 0:
                if mailbox.wait(left):
                    kiosk.hear(mailbox.take(), clock())
            continue
        # Polling the window is much cheaper than a whole iteration.
        glance = kiosk.glance(now)
        while (left := due - clock()) > 0:
            if mailbox.wait(min(left, glance)) or pygame.event.peek() or ended():
                break
