"""Choices made with real dice under the camera: people keep dice by moving them to the strip, and roll the rest again.

The dice in the strip are shown as a selection first. People accept the selection by pressing End or by rolling the
rest. A selection that the rules forbid is explained and never accepted.
"""

from table.engine.asks import Dice, Option, Roll
from table.games import part
from table.session.match import Match
from table.session.messages import CameraLies
from table.text.choices import values
from table.ui.kiosk.choosing import Choosing
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.keep_strip import Aside, set_aside


class ByHand:
    def __init__(self, context: KioskContext) -> None:
        self._context = context
        self._heard = context.devices.lies  # the latest report already seen; at first, one about an earlier roll
        self._thrown: CameraLies | None = None  # the roll that completed the selection; still to be counted as a roll
        self._laid = False  # whether the selection shown comes from the strip
        self.words = ""  # why the dice in the strip cannot be accepted

    def see(self, choosing: Choosing, match: Match) -> Option | None:
        """Shows the dice in the strip as the selection. Returns the selected option once the other dice have been
        rolled."""
        lies = self._context.devices.lies
        if lies is None:
            return None
        if choosing.choice.kind == "roll_or_end":
            return self._go_on(lies, choosing.entries[0].facts["count"])
        if lies is self._heard or choosing.choice.kind != "dice":
            return None
        self._heard = lies
        if not lies.sure:
            self.words = self._context.say("aside.unclear") if len(lies.strip) > len(lies.before) else ""
            return None
        on_table, loose = choosing.choice.dice, () if lies.thrown else lies.loose
        aside = set_aside(on_table, _last_thrown(match), lies.strip, lies.before, loose)
        before, self.words = choosing.places, ""
        if aside.places:
            choosing.lay_aside(aside.places)
        elif self._laid:
            choosing.back()  # returns to the selection made on the screen, if any
        self._laid = bool(aside.places)
        option = choosing.choice.keeping.get(aside.places)
        if aside.wrong or (aside.places and option is None):
            self.words = self._why(aside, match, values(on_table, aside.places), lies.thrown)
            self._context.sounds.play("refuse")
        elif lies.thrown and aside.places and len(lies.loose) == len(on_table) - len(aside.places):
            if self._context.session.dice.device.count(lies):
                self._thrown = lies
                self._context.sounds.play("take")
                return option
        elif choosing.places != before:
            self._context.sounds.play("tick")
        return None

    def forget(self) -> None:
        """Called when there is a new choice, or when someone selects on the screen."""
        self.words, self._laid = "", False

    def _go_on(self, lies: CameraLies, count: int) -> Option | None:
        """Returns "roll" when this many dice have been rolled, even if that happened before the choice was offered."""
        new = lies is not self._heard or lies is self._thrown
        self._heard, self._thrown = lies, None
        if not new or not self._context.session.dice.device.camera:
            return None
        self.words = ""
        if lies.thrown and len(lies.loose) == count and self._context.session.dice.device.count(lies):
            self._context.sounds.play("take")
            return "roll"
        if lies.thrown:
            self.words = self._context.say("aside.not_counted")
            self._context.sounds.play("refuse")
        return None

    def _why(self, aside: Aside, match: Match, faces: tuple[int, ...], thrown: bool) -> str:
        say = self._context.say
        if aside.wrong == "many":
            why = say("aside.many")
        elif aside.wrong:
            why = say(f"aside.{aside.wrong}", face=aside.dice[0])
        else:
            why = part(match.game.id, "words").why_not(faces, say)
        return f"{why} {say('aside.not_counted')}" if thrown else why


def _last_thrown(match: Match) -> Dice:
    """The last visible roll of the choosing seat, even if the seat has made other choices since."""
    seat = match.referee.view(None)["turn"]
    for ask, answer in reversed(match.referee.history):
        if isinstance(ask, Roll) and ask.seat == seat and not ask.hidden:
            return tuple(die for die in answer if isinstance(die, int))
    return ()
