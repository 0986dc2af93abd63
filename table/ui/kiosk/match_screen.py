"""The screen of a match: the board, the prompt below it, and the strip for entering or selecting.

Shared content is drawn from the public view. The dice of a person who plays alone are marked as private.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pygame import Rect, Surface

from table.analysis import odds
from table.engine.asks import Roll
from table.games import part
from table.session.match import Match
from table.text import game_texts, narration
from table.text.choices import BID, Entry, beside, label
from table.ui.kiosk import asking, dice, frame, gauges, lists, private_look
from table.ui.kiosk.boards import Flight, Stage
from table.ui.kiosk.camera_overlay import CameraOverlay
from table.ui.kiosk.canvas import Canvas, Placed, Spot
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.deciding import Decision
from table.ui.kiosk.entry import AGAIN, OTHER, Entering
from table.ui.kiosk.layout import cut_bottom, cut_left, cut_right, inset
from table.ui.kiosk.lists import Item
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.show import Shown
from table.ui.kiosk.style import GOLD, INK, INK_SOFT, NIGHT

PROMPT, STRIP = 56, 56  # units


class Places(NamedTuple):
    """The areas of the screen."""

    board: Rect
    prompt: Rect
    beside: Rect  # for the small camera picture, next to the prompt
    strip: Rect


@dataclass(frozen=True)
class Background:
    """The static part of a screen with tumbling dice or a camera picture, drawn once instead of in each frame."""

    key: tuple[object, ...]  # the background is drawn again when this changes
    places: Places
    table: Surface
    texts: tuple[Placed, ...]
    spots: tuple[Spot, ...]
    flights: tuple[Flight, ...]  # the tumbling dice


@dataclass(frozen=True)
class MatchScreen:
    """Everything that is needed to draw one frame."""

    context: KioskContext
    match: Match
    shown: Shown
    asked: Literal["person", "phone", ""]  # who is asked; empty during a beat and if no person is asked
    decision: Decision | None  # the decision of a person at the table
    entering: Entering | None  # real dice being entered
    overlay: CameraOverlay | None  # the camera picture, if active
    fault: str  # error message to show

    def draw(self, canvas: Canvas, before: Background | None) -> Background | None:
        """Draws the frame. Returns the background for the next frame while something moves."""
        if self._tumbles or (self.overlay and not self.shown.moment):
            background, places = self._draw_moving(canvas, before)
        else:
            background, places = None, self._draw_board(canvas)
            self._draw_words(canvas, places)
        if self.overlay:
            self.overlay.draw(canvas, places.board, places.beside)
        return background

    @property
    def _tumbles(self) -> bool:
        moment = self.shown.moment
        return moment is not None and moment.kind == "rolled" and moment.t < 1 and bool(moment.facts["places"])

    @property
    def _watched(self) -> CameraOverlay | None:
        """The camera overlay while the game waits for dice from the camera, otherwise None."""
        return self.overlay if self.context.session.dice.awaited else None

    @property
    def _own_dice(self) -> list[int | None]:
        return private_look.own_dice(self.match, self.context.session.phones)

    def _draw_moving(self, canvas: Canvas, before: Background | None) -> tuple[Background | None, Places]:
        moment, overlay = self.shown.moment, self.overlay
        if moment:
            turn: object = moment.turn
        else:
            listed = overlay and overlay.correcting and overlay.correcting.listed
            turn = len(self.match.referee.history), listed, self._watched is None
        key = (turn, overlay and overlay.small, canvas.area.size, canvas.style, self.context.say, self.context.wrong())
        if before and before.key == key:
            background: Background | None = before
            canvas.surface.blit(before.table, (0, 0))
            canvas.texts += before.texts
            canvas.spots += before.spots
            places, flights = before.places, before.flights
        else:
            tumbling = list[Flight]()
            places = self._draw_board(canvas, tumbling)
            if moment:
                self._draw_words(canvas, places)
            flights, texts, spots = tuple(tumbling), tuple(canvas.texts), tuple(canvas.spots)
            background = Background(key, places, canvas.surface.copy(), texts, spots, flights)
        if moment is None:  # a camera picture, whose message changes more often than the board
            self._draw_words(canvas, places)
        elif not flights:  # this board draws its tumbling dice itself, in each frame
            background = None
        else:
            for flight in flights:
                flight(canvas, moment.t)
        return background, places

    def _draw_board(self, canvas: Canvas, flights: list[Flight] | None = None) -> Places:
        context, match, person, decision = self.context, self.match, self.asked == "person", self.decision
        say, overlay, watched = context.say, self.overlay, self._watched
        name, line = game_texts.name(match.game.id, say), narration.round_line(self.shown.view, say)
        note = context.wrong() or (say("attract.demo") if context.run.demo else "")
        room = frame.head(canvas, name, line, emblem(match.game.id, canvas.px(36)), note)
        strip = beside = Rect(0, 0, 0, 0)
        correcting = overlay and overlay.correcting and overlay.correcting.listed
        if person and (self.entering or correcting or (decision and decision.listed) or self._own_dice):
            strip, room = cut_bottom(room, canvas.px(STRIP), canvas.px(6))
        prompt, room = cut_bottom(room, canvas.px(PROMPT), canvas.px(4))
        if watched and watched.small:
            beside = cut_right(prompt, prompt.height * 3 // 2)[0]
        marks = decision.marks if person and decision else None
        stage = Stage(say, match.seating.computers, self.shown.moment, marks, flights)
        if person and not watched and isinstance(match.referee.ask, Roll):
            canvas.spot("dice", room)  # touching anywhere on the board rolls
        part(match.game.id, "board").draw(canvas, room, self.shown.view, stage)
        if overlay and not overlay.small:
            canvas.veil(0.6)
        return Places(room, prompt, beside, strip)

    def _draw_words(self, canvas: Canvas, places: Places) -> None:
        canvas.panel(places.prompt, NIGHT, 12, alpha=150)
        inner = inset(places.prompt, canvas.px(14) + places.beside.width, canvas.px(2))
        self._draw_prompt(canvas, self._draw_odds(canvas, inner))
        if places.strip.height:
            self._draw_strip(canvas, places.strip)
        if self.asked == "person" and self.decision and self.decision.passing:
            whole, say, shows_odds = places.board.union(places.prompt), self.context.say, self.context.settings.odds
            private_look.draw(canvas, whole, self.match, say, self.decision.looking, shows_odds)

    def _draw_odds(self, canvas: Canvas, rect: Rect) -> Rect:
        """Draws the current odds next to the prompt if they are enabled. Returns the rest of the line."""
        decision, referee = self.decision, self.match.referee
        if not self.context.settings.odds or not self.asked or (decision and decision.passing):
            return rect
        mine = odds.own(referee.view(self.match.seating.people[0])) if self._own_dice else []
        lines = mine or odds.now(referee.view(None), referee.ask, decision.shown if decision else None)
        return gauges.beside(canvas, rect, lines, self.match.game.id, self.context.say, own=bool(mine))

    def _draw_prompt(self, canvas: Canvas, inner: Rect) -> None:
        """Draws the latest event and, below it, the prompt. During a beat only the event is shown."""
        asked, wrong = self._asked_of_whom(), self.fault
        if not wrong and self.asked and self.decision and asked != self.decision.wrong:
            wrong = self.decision.wrong
        if wrong:
            first = wrong, GOLD
        elif self.asked == "person" and self._watched and not self.entering:
            first = self._watched.words(), GOLD if self._watched.doubtful else INK_SOFT
            if correcting := self._watched.correcting:
                asked = asking.question(correcting, self._watched.lifted, self.context.say) or asked
        else:  # show no caption before the dice have landed
            first = "" if self._tumbles else self.shown.caption, INK_SOFT if asked else INK
        lines = [line for line in (first, (asked, INK)) if line[0]]
        if len(lines) == 1:
            canvas.text(lines[0][0], inner, 21, lines[0][1], "bold", lines=2, shrink=0.6)
        elif lines:
            low, top = cut_bottom(inner, inner.height - inner.height * 2 // 5, 0)
            canvas.text(lines[0][0], top, 17, lines[0][1], shrink=0.55)
            canvas.text(lines[1][0], low, 21, lines[1][1], "bold", shrink=0.6)

    def _asked_of_whom(self) -> str:
        """The prompt for the player who is asked, or a note that this player's phone is disconnected."""
        say, referee = self.context.say, self.match.referee
        if not self.asked:
            return ""
        if self.asked == "person" and self.decision and not self.decision.choosing.allowed:
            return self.decision.wrong or say.first(f"{self.match.game.id}.no_set", "play.no_set")
        view = referee.view(None)
        asked = narration.prompt(referee.ask, view, say)
        seat = getattr(referee.ask, "seat", 0)
        if self.asked == "person":
            return asked
        if seat in self.context.room.seats.gone():
            return say("play.phone_gone", name=narration.name_of(view, seat))
        return say("play.on_phone", asked=asked)

    def _draw_strip(self, canvas: Canvas, rect: Rect) -> None:
        entering, decision = self.entering or (self.overlay and self.overlay.correcting), self.decision
        hand = [die for die in self._own_dice if die is not None]
        if hand:
            rest = _draw_hand(canvas, rect, hand)
            rect = rest if decision and decision.listed else rect
        if entering:
            words = {AGAIN: self.context.say("play.again"), OTHER: self.context.say("reading.another")}
            items = [Item(words[face]) if face in words else Item("", (face,)) for face in entering.picker.entries]
            if entering.dice:
                lists.entered(canvas, rect, entering.values, entering.place, items, entering.picker.at)
            else:
                lists.strip(canvas, rect, items, entering.picker.at)
        elif decision and decision.listed:
            items = [self._item(entry) for entry in decision.choosing.entries]
            lists.strip(canvas, rect, items, decision.choosing.at)

    def _item(self, entry: Entry) -> Item:
        """The strip item of an entry, with dice instead of words where possible."""
        say = self.context.say
        if entry.shows:
            return Item(beside(entry, say), entry.shows, words_first=entry.key == BID)
        return Item(label(entry, say))


def _draw_hand(canvas: Canvas, rect: Rect, hand: list[int]) -> Rect:
    """Draws, on the left, the dice that only one person may see. Returns the rest of the strip."""
    size = canvas.px(34)
    step = size + canvas.px(4)
    wide = step * len(hand) + canvas.px(20)
    mine, rest = cut_left(rect, wide, canvas.px(6))
    canvas.private = True
    canvas.panel(mine, NIGHT, 12, border=GOLD, alpha=200)
    for place, die in enumerate(hand):
        canvas.blit(dice.die(die, size), center=(mine.x + canvas.px(10) + step * (place + 0.5), mine.centery))
    canvas.private = False
    return rest
