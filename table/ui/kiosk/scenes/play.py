"""The game being played: shows what happened, then lets the person who is asked roll or choose.

While a beat is shown, a press skips it and does nothing else.
"""

from typing import Literal

from table.engine.asks import Choose, Roll
from table.ui.kiosk import asking
from table.ui.kiosk.camera_overlay import CameraOverlay
from table.ui.kiosk.canvas import Canvas
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.deciding import Decision
from table.ui.kiosk.entry import Entering
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Look, Moved, Run, Tap, Touched, Typed
from table.ui.kiosk.match_screen import Background, MatchScreen
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.result import Result
from table.ui.kiosk.set_aside import ByHand
from table.ui.kiosk.show import Show

MOST_NEWS = 3  # news items shown one after the other; if there are more, only the latest is shown
FAULT_SECONDS = 6.0


class Play(Scene):
    def __init__(self, context: KioskContext, now: float) -> None:
        match = context.session.match
        assert match is not None
        self.context = context
        self.match = match
        self._show = self._new_show()
        self._faced = -1, frozenset[int]()  # at the last check: the number of answers, and the seats with phones
        self._decision: Decision | None = None  # the decision of a person at the table
        self._entering: Entering | None = None
        self._overlay = CameraOverlay(context)
        self._by_hand = ByHand(context)
        self._entered = 0  # ticket of the dice entered last
        self._still = True  # whether no beat is being shown, so that a press does more than skip it
        self._background: Background | None = None  # the last background, kept while something moves over it
        self._fault = ("", 0.0)  # error message, and when it expires
        self._face_the_ask()

    # Input

    @property
    def wants_look(self) -> bool:
        return self._decision is not None and self._decision.passing and self._still

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if isinstance(gesture, Look):
            if self._decision:
                self._decision.looking = gesture.on and self._decision.passing
            return self
        self._overlay.release()
        if not self._show.done(now):
            if isinstance(gesture, (Tap, Touched)):
                self._show.skip(now)
                self._still = True
            return self
        session = self.context.session
        if gesture == Held(END):
            self._back()
        elif session.stuck:
            if gesture == Tap(ROLL) or isinstance(gesture, Touched):
                self.context.sounds.play("take")
                session.stuck = False
        elif session.turn == "person":
            self._person(gesture)
        elif self._entering:
            self._enter(gesture)
        elif self._overlay.correcting and self._overlay.answerable(now):
            self._correct(self._overlay.correcting, gesture, now)
        return self

    def _correct(self, correcting: Entering, gesture: Gesture, now: float) -> None:
        """Lets someone confirm what the camera read, enter the dice that it is unsure of, or ask to roll again."""
        match correcting.handle(gesture):
            case "again":
                self.context.sounds.play("shake")
                self.context.session.dice.retry()
            case "done":
                self.context.sounds.play("take")
                values = [value for value in correcting.values if value is not None]
                self.context.session.dice.enter(values, correcting.dice)
                self._overlay.entered(now)
            case _:
                self.context.sounds.play("tick")

    def _enter(self, gesture: Gesture) -> None:
        """Lets someone enter the value of a real die. The last die completes the roll."""
        awaited = self.context.session.dice.awaited
        if self._entering and awaited and self._entering.handle(gesture) == "done":
            entered = [value for value in self._entering.values if value is not None]
            self._entering, self._entered = None, awaited.ticket
            self.context.session.dice.enter(entered)
        elif isinstance(gesture, (Tap, Run, Moved, Typed)):
            self.context.sounds.play("tick")

    def _person(self, gesture: Gesture) -> None:
        if isinstance(self.match.referee.ask, Roll):
            entered = self._enters() and isinstance(gesture, Typed)
            if entered or gesture in (Tap(ROLL), Touched("dice")):
                self.context.sounds.play("tick" if self._enters() else "shake")
                self.context.session.dice.throw()
                self._arm()
            if entered:
                self._enter(gesture)
        elif self._decision:
            self._decision.handle(gesture)

    def _back(self) -> None:
        """Goes one step back: in the entered dice, in a list, to the peek, or to the previous choice."""
        session = self.context.session
        self.context.sounds.play("back")
        if self._entering:
            if not self._entering.back():
                self._entering = None
                session.dice.cancel()
        elif self._overlay.correcting and self._overlay.correcting.back():
            pass
        elif session.dice.awaited:
            session.dice.cancel()
        elif self._decision and self._decision.back():
            pass
        elif session.can_take_back:
            session.take_back()

    def _enters(self) -> bool:
        """Whether the next roll uses real dice that are entered by hand."""
        expected = self.context.session.dice.expected
        return expected is not None and expected.entered

    def _arm(self) -> None:
        dice, awaited = self.context.session.dice, self.context.session.dice.awaited
        if awaited is None or dice.asked is None or not dice.asked.entered:
            self._entering = None
        elif self._entering is None and awaited.ticket != self._entered:
            self._entering = Entering(awaited.roll.count)

    # Time

    def tick(self, now: float) -> Scene:
        session = self.context.session
        if self._show.say is not self.context.say:  # the language has changed: do not show old beats again
            self._show = self._new_show()
        news = session.news.take()
        self._overlay.follow(news, self.match)
        if len(news) > MOST_NEWS:  # the game continued under another screen: show only the latest news
            self._show.stand(news[-1].before)
            news = news[-1:]
        self._show.add(news, now)
        self._still = self._show.done(now)
        self._say_fault(session.news.take_fault(), now)
        for sound in self._show.take_sounds(now):
            self.context.sounds.play(sound)
        self._face_the_ask()
        if self._decision and session.turn == "person":
            self._decision.see()
        self._overlay.tick(now)
        if session.stuck and self.context.run.demo and self._show.done(now):
            from table.ui.kiosk.demo import next_game

            return next_game(self.context, now)
        return Result(self.context, now) if self._show.done(now) and session.turn == "over" else self

    @property
    def shown(self) -> float:
        """When everything that has happened so far will have been shown. Computers wait until this time before they
        play."""
        return self._show.over

    def _new_show(self) -> Show:
        return Show(self.context.say, self.match.referee.view(None), self.match.seating.computers)

    def _say_fault(self, fault: str | None, now: float) -> None:
        if fault:
            self._fault = self.context.say(f"play.fault_{fault}"), now + FAULT_SECONDS
        elif now >= self._fault[1]:
            self._fault = "", 0.0

    def _face_the_ask(self) -> None:
        """Discards an unfinished selection when the ask or the person who answers it changes."""
        self._arm()
        session, before = self.context.session, self._faced
        changed = session.match if session.match is not self.match else None
        if changed and changed.id == self.match.id:  # someone else has taken over a seat
            self.match = changed
            before = (-1, before[1]) if before[0] == len(self.match.referee.history) else before
        referee = self.match.referee
        self._faced = len(referee.history), session.phones
        if self._faced == before:
            return
        if self._faced[0] < before[0]:
            self._show.stand(referee.view(None))  # an answer was undone, which is not shown as a beat
        ask = referee.ask
        at_the_table = isinstance(ask, Choose) and self.match.level is None and ask.seat not in session.phones
        self._decision = Decision(self.context, self.match, self._by_hand) if at_the_table else None

    def wake(self, now: float) -> float | None:
        faults = self._fault[1] if self._fault[0] else None
        left = self.context.room.seats.next_gone()  # after this time, the prompt says that the phone is disconnected
        wakes = (self._show.wake(now), self._overlay.wake(now), faults, None if left is None else now + left)
        return min((wake for wake in wakes if wake is not None), default=None)

    # Drawing

    def caps(self, now: float) -> Caps:
        say = self.context.say
        if not self._show.done(now):
            return Caps(Cap(say("cap.skip")), Cap(say("cap.skip")))
        if entering := self._entering or self._overlay.correcting:
            return asking.caps(entering, say)
        if self.context.session.stuck:
            return Caps(Cap(say("play.try_again")))
        if self.context.session.turn != "person":
            return Caps()
        ask = self.match.referee.ask
        if isinstance(ask, Roll):
            key = "play.lift" if self.match.under_cup(ask) else "play.enter" if self._enters() else "play.throw"
            return Caps(Cap(say(key, count=ask.count)), None)
        assert self._decision is not None
        return self._decision.caps()

    def draw(self, canvas: Canvas, now: float) -> None:
        session, shown = self.context.session, self._show.at(now)
        overlay = self._overlay if self._overlay.active(now) else None
        asked: Literal["person", "phone", ""] = ""
        if self._show.done(now):
            person = session.turn == "person" or self._entering or (overlay and session.dice.awaited)
            asked = "person" if person else "phone" if session.turn == "phone" else ""
        fault = self._fault[0] or (self.context.say("play.fault_rules") if session.stuck else "")
        screen = MatchScreen(self.context, self.match, shown, asked, self._decision, self._entering, overlay, fault)
        self._background = screen.draw(canvas, self._background)
