"""The game that is being played: what just happened, the board, and what whoever's turn it is can do.

Its one rule: everything shared is drawn from the public view. What one seat alone may see is asked for only while that
person looks (or plays with nobody else who could see it), and is drawn apart from the rest.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pygame import Rect, Surface

from table.analysis import odds
from table.engine.asks import Choose, Option, Roll
from table.games import part
from table.text import narration
from table.text.choices import Entry
from table.text.choices import lists as choice_lists
from table.ui.kiosk import dice, frame, gauges, lists, private_look
from table.ui.kiosk.boards import Flight, Stage
from table.ui.kiosk.camera_overlay import Lens
from table.ui.kiosk.canvas import Canvas, Placed, Spot
from table.ui.kiosk.choosing import Choosing
from table.ui.kiosk.context import KioskContext
from table.ui.kiosk.correct import AGAIN, Correcting
from table.ui.kiosk.entry import Entering
from table.ui.kiosk.frame import Cap, Caps
from table.ui.kiosk.gestures import END, ROLL, Gesture, Held, Look, Moved, Run, Tap, Touched, Typed
from table.ui.kiosk.layout import cut_bottom, cut_right, inset
from table.ui.kiosk.lists import Item
from table.ui.kiosk.pieces import emblem
from table.ui.kiosk.scenes import Scene
from table.ui.kiosk.scenes.result import Result
from table.ui.kiosk.set_aside import ByHand
from table.ui.kiosk.show import Show, Shown
from table.ui.kiosk.style import GOLD, INK, INK_SOFT, NIGHT

MOST_NEWS = 3  # that are shown one after the other
PROMPT, STRIP = 56, 56  # units
FAULT_SECONDS = 6.0


@dataclass(frozen=True)
class Throw:
    """The table as it is while dice tumble over it."""

    what: tuple[object, ...]  # which throw, on which screen
    table: Surface
    texts: tuple[Placed, ...]
    spots: tuple[Spot, ...]
    flights: tuple[Flight, ...]


class Places(NamedTuple):
    """Where the parts of the screen are."""

    board: Rect
    prompt: Rect
    beside: Rect  # the words, for a small picture
    strip: Rect


class Play:
    restful = typing = False

    def __init__(self, context: KioskContext, now: float) -> None:
        match = context.session.match
        assert match is not None
        self.context = context
        self.match = match
        computers = frozenset(range(len(match.seating.levels))) - frozenset(match.seating.people)
        self._computers = computers
        self._show = Show(context.say, match.referee.view(None), computers)
        self._asked = -1  # the number of the answer that is asked for, as of the last look
        self._choosing: Choosing | None = None
        self._entering: Entering | None = None
        self._lens = Lens(context)
        self._by_hand = ByHand(context)
        self._entered = 0  # the ticket of the dice that were last entered
        self._passing = False  # the screen is being passed to whoever chooses, who may look before
        self._looking = False
        self._still = True  # nothing is being shown, so that a press means more than skipping it
        self._throw: Throw | None = None
        self._places = Places(*[Rect(0, 0, 0, 0)] * 4)  # as last drawn
        self._fault = ""
        self._fault_until = 0.0
        self._phones = context.session.phones
        self._face_the_ask()

    # What people do

    @property
    def wants_look(self) -> bool:
        return self._passing and self._still

    def handle(self, gesture: Gesture, now: float) -> Scene:
        if isinstance(gesture, Look):
            self._looking = gesture.on and self._passing
            return self
        if not self._show.done(now):
            if isinstance(gesture, (Tap, Touched)):
                self._show.skip(now)
                self._still = True
            return self
        session = self.context.session
        if gesture == Held(END):
            self._back()
        elif session.turn == "person":
            self._person(gesture)
        elif self._entering:
            self._enter(gesture)
        elif self._lens.correcting:
            self._correct(self._lens.correcting, gesture)
        return self

    def _correct(self, correcting: Correcting, gesture: Gesture) -> None:
        """Somebody says what a die is that the camera is not sure of, or that all are thrown again."""
        match correcting.handle(gesture):
            case "again":
                self.context.sounds.play("shake")
                self.context.session.dice.retry()
            case "done":
                self.context.sounds.play("take")
                self.context.session.dice.enter(correcting.dice)
            case _:
                self.context.sounds.play("tick")

    def _enter(self, gesture: Gesture) -> None:
        """One more die that somebody has thrown, or with the last all of them."""
        awaited = self.context.session.dice.awaited
        if self._entering and awaited and self._entering.handle(gesture):
            entered, self._entering, self._entered = self._entering.dice, None, awaited.ticket
            self.context.session.dice.enter(entered)
        elif isinstance(gesture, (Tap, Run, Moved, Typed)):
            self.context.sounds.play("tick")

    def _person(self, gesture: Gesture) -> None:
        if isinstance(self.match.referee.ask, Roll):
            entered = self._enters() and isinstance(gesture, Typed)
            if entered or gesture in (Tap(ROLL), Touched("dice")):
                self.context.sounds.play("tick" if self._enters() else "shake")
                self.context.session.throw()
                self._arm()
            if entered:
                self._enter(gesture)
            return
        if self._passing:
            if gesture in (Tap(END), Touched("go on")):
                self._passing = self._looking = False
            return
        if self._choosing:
            before = (self._choosing.entries, self._choosing.at, self._choosing.places)
            option = self._choosing.handle(gesture)
            if self._choosing.allowed:
                self._by_hand.forget()
            if option is not None:
                self.context.sounds.play("take")
                self.context.session.choose(option)
            elif gesture == Tap(END) and not self._choosing.allowed:
                self.context.sounds.play("refuse")
            elif before != (self._choosing.entries, self._choosing.at, self._choosing.places):
                self.context.sounds.play("tick")

    def _back(self) -> None:
        """One step back: in what is being entered, in a list, to the private look, to the choice before."""
        session = self.context.session
        self.context.sounds.play("back")
        if self._entering:
            if not self._entering.back():
                self._entering = None
                session.dice.cancel()
        elif self._lens.correcting and self._lens.correcting.back():
            pass
        elif session.dice.awaited:
            session.dice.cancel()
        elif self._choosing and not self._passing and self._choosing.back():
            pass
        elif self._may_look() and not self._passing:
            self._passing = True
        elif session.can_take_back:
            session.take_back()

    def _enters(self) -> bool:
        """Whoever is to throw throws real dice, and enters them."""
        expected = self.context.session.dice.expected
        return expected is not None and expected.entered

    def _arm(self) -> None:
        dice = self.context.session.dice
        awaited = dice.awaited
        if not awaited or not dice.asked or not dice.asked.entered:
            self._entering = None
        elif self._entering is None and awaited.ticket != self._entered:
            self._entering = Entering(awaited.roll.count)

    # What time does

    def tick(self, now: float) -> Scene:
        session = self.context.session
        if self._show.say is not self.context.say:  # what was told in another language is not told again
            self._show = Show(self.context.say, self.match.referee.view(None), self._computers)
        news = session.news.take()
        if len(news) > MOST_NEWS:  # another screen lay over the game, which went on: its last news are shown
            self._show.stand(news[-1].before)
            news = news[-1:]
        self._show.add(news, now)
        self._still = self._show.done(now)
        self._say_fault(session.news.take_fault(), now)
        for sound in self._show.take_sounds(now):
            self.context.sounds.play(sound)
        self._face_the_ask()
        taken = self._by_hand.see(self._choosing, self.match) if self._choosing and session.turn == "person" else None
        if taken is not None:
            session.choose(taken)
        self._lens.tick(now)
        return Result(self.context, now) if self._show.done(now) and session.turn == "over" else self

    @property
    def shown(self) -> float:
        """When all that happened is shown, or was: the computers wait for that."""
        return self._show.over

    def _say_fault(self, fault: str | None, now: float) -> None:
        if fault:
            self._fault, self._fault_until = self.context.say(f"play.fault_{fault}"), now + FAULT_SECONDS
        elif now >= self._fault_until:
            self._fault = ""

    def _face_the_ask(self) -> None:
        """When another ask stands than before, whatever was half chosen is gone."""
        referee = self.match.referee
        self._arm()
        session = self.context.session
        if (
            session.match and session.match is not self.match and session.match.id == self.match.id
        ):  # somebody stands in
            self.match = session.match
            self._computers = frozenset(range(len(self.match.seating.levels))) - frozenset(self.match.seating.people)
            self._asked = -1 if self._asked == len(referee.history) else self._asked
        if len(referee.history) == self._asked and self._phones == session.phones:
            return
        self._phones = session.phones
        if len(referee.history) < self._asked:
            self._show.stand(referee.view(None))  # an answer was taken back: there is nothing to tell of it
        self._asked = len(referee.history)
        self._choosing = None
        self._by_hand.forget()
        self._passing = self._looking = False
        ask = referee.ask
        if isinstance(ask, Choose) and self.match.level is None and ask.seat not in self._phones:
            self._choosing = Choosing(choice_lists(ask, referee.view(None)))
            self._passing = self._may_look()

    def _may_look(self) -> bool:
        """Whether the choice is one that depends on dice which only the one who chooses may see."""
        ask = self.match.referee.ask
        if not isinstance(ask, Choose) or self.match.level is not None or self._alone or ask.seat in self._phones:
            return False
        return ask.options[0] not in ("accept", "immunity") and bool(self.match.hidden_dice(ask.seat))

    def wake(self, now: float) -> float | None:
        wakes = [wake for wake in (self._show.wake(now), self._lens.wake(now)) if wake is not None]
        if self._fault:
            wakes.append(self._fault_until)
        return min(wakes, default=None)

    # What is seen

    def caps(self, now: float) -> Caps:
        say, session = self.context.say, self.context.session
        if not self._show.done(now):
            return Caps(Cap(say("cap.skip")), Cap(say("cap.skip")))
        if entered := self._entering or self._lens.correcting:
            return Caps(frame.following(say("cap.next"), entered.picker.entries), Cap(say("cap.take")))
        if session.turn != "person":
            return Caps()
        ask = self.match.referee.ask
        if isinstance(ask, Roll):
            key = "play.lift" if self.match.under_cup(ask) else "play.enter" if self._enters() else "play.throw"
            return Caps(Cap(say(key, count=ask.count)), None)
        if self._passing:
            return Caps(Cap(say("cap.hold_to_look")), Cap(say("cap.go_on")))
        assert self._choosing is not None
        if self._choosing.choice.kind == "roll_or_end":
            roll, end = self._choosing.entries
            return Caps(Cap(say(roll.key, **roll.facts)), Cap(say(end.key, **end.facts)))
        take = say("play.take_or_look") if self._may_look() else say("cap.take")
        more = frame.following(say("cap.next"), self._choosing.entries)
        if not self._choosing.allowed:  # back from what was touched to what the list offers
            more = Cap(say("cap.next"))
        return Caps(more, Cap(take, lit=self._choosing.allowed))

    def draw(self, canvas: Canvas, now: float) -> None:
        scene = self._show.at(now)
        moment = scene.moment
        lens = self._lens if self._lens.active(now) else None
        tumbling = moment is not None and moment.kind == "rolled" and moment.t < 1
        if not tumbling and (moment is not None or lens is None):
            self._throw = None
            self._draw_board(canvas, scene, now)
            self._draw_words(canvas, scene, now)
        else:
            self._draw_moving(canvas, scene, now, lens)
        if lens:
            lens.draw(canvas, self._places.board, self._places.beside)

    def _draw_moving(self, canvas: Canvas, scene: Shown, now: float, lens: Lens | None) -> None:
        """While dice tumble, here or under the camera, the board stands still: it is drawn once, and only they anew."""
        moment, flights = scene.moment, list[Flight]()
        turn = (
            moment.turn
            if moment
            else (self._asked, self._lens.correcting is None, self.context.session.dice.awaited is None)
        )
        what = (turn, lens and lens.small, canvas.area.size, canvas.style, self.context.say, self.context.wrong())
        if self._throw and self._throw.what == what:
            canvas.surface.blit(self._throw.table, (0, 0))
            canvas.texts += self._throw.texts
            canvas.spots += self._throw.spots
        else:
            self._draw_board(canvas, scene, now, flights)
            if moment:
                self._draw_words(canvas, scene, now)
            self._throw = Throw(what, canvas.surface.copy(), tuple(canvas.texts), tuple(canvas.spots), tuple(flights))
            if moment and not flights:  # this board moves them itself
                self._throw = None
                return
        if moment is None:  # what the camera says changes more often than the board
            self._draw_words(canvas, scene, now)
            return
        for flight in self._throw.flights:
            flight(canvas, moment.t)

    def _draw_board(self, canvas: Canvas, scene: Shown, now: float, flights: list[Flight] | None = None) -> None:
        say = self.context.say
        canvas.background()
        mark = emblem(self.match.game.id, canvas.px(36))
        name, line = say(f"game.{self.match.game.id}.name"), narration.round_line(scene.view, say)
        note = self.context.wrong() or (say("attract.demo") if self.context.run.demo else "")
        room = frame.head(canvas, name, line, mark, note)
        watched, person = self._watched(now), self._person_is_asked(now)
        strip = Rect(0, 0, 0, 0)
        if person and (self._entering or self._lens.correcting or self._listing() or self._hand()):
            strip, room = cut_bottom(room, canvas.px(STRIP), canvas.px(6))
        prompt, room = cut_bottom(room, canvas.px(PROMPT), canvas.px(4))
        beside = cut_right(prompt, prompt.height * 3 // 2)[0] if watched and self._lens.small else Rect(0, 0, 0, 0)
        self._places = Places(room, prompt, beside, strip)
        marks, touchable = self._marks() if person else (frozenset(), False)
        stage = Stage(say, self._computers, scene.moment, marks, touchable, flights)
        if person and not watched and isinstance(self.match.referee.ask, Roll):
            canvas.spot("dice", room)  # a touch anywhere on the board throws
        part(self.match.game.id, "board").draw(canvas, room, scene.view, stage)
        if self._lens.active(now) and not self._lens.small:
            canvas.veil(0.6)

    def _draw_words(self, canvas: Canvas, scene: Shown, now: float) -> None:
        places, person = self._places, self._person_is_asked(now)
        tumbling = scene.moment is not None and scene.moment.kind == "rolled" and scene.moment.t < 1
        canvas.panel(places.prompt, NIGHT, 12, alpha=150)
        words = self._draw_odds(canvas, inset(places.prompt, canvas.px(14) + places.beside.width, canvas.px(2)), person)
        # Words do not land before the dice.
        self._draw_prompt(canvas, words, "" if tumbling else scene.caption, person)
        if places.strip.height:
            self._draw_strip(canvas, places.strip)
        if person and self._passing:
            whole, shows_odds = places.board.union(places.prompt), self.context.settings.odds
            private_look.draw(canvas, whole, self.match, self.context.say, self._looking, shows_odds)

    def _watched(self, now: float) -> bool:
        """Dice are asked for, under a camera."""
        return self.context.session.dice.awaited is not None and self._lens.active(now)

    def _person_is_asked(self, now: float) -> bool:
        asked = self.context.session.turn == "person" or self._entering is not None or self._watched(now)
        return self._show.done(now) and asked

    def _phone_is_asked(self) -> bool:
        return self._still and self.context.session.turn == "phone"

    def _listing(self) -> bool:
        return self._choosing is not None and self._choosing.choice.kind != "roll_or_end" and not self._passing

    @property
    def _alone(self) -> bool:
        """One person among computers, and none of these only stands in for somebody with a phone who may come back."""
        return self.match.alone and not self._phones

    def _hand(self) -> list[int | None]:
        """The dice of the one person among computers: nobody is there to hide them from."""
        return self.match.hidden_dice(self.match.seating.people[0]) if self._alone else []

    def _marks(self) -> tuple[frozenset[int], bool]:
        """The dice that would stay with the entry shown."""
        if not self._choosing or self._choosing.choice.kind != "dice":
            return frozenset(), False
        return frozenset(self._choosing.places), True

    def _draw_odds(self, canvas: Canvas, rect: Rect, person: bool) -> Rect:
        """For those who want them, the chances of this moment beside what is asked. Returns what is left for words."""
        if not self.context.settings.odds or self._passing or not (person or self._phone_is_asked()):
            return rect
        referee = self.match.referee
        mine = odds.own(referee.view(self.match.seating.people[0])) if self._hand() else []
        lines = mine or odds.now(referee.view(None), referee.ask, self._looked_at())
        return gauges.beside(canvas, rect, lines, self.match.game.id, self.context.say, own=bool(mine))

    def _looked_at(self) -> Option | None:
        """The set of dice that would stay, if there is one."""
        choosing = self._choosing
        return choosing.choice.keeping.get(frozenset(choosing.places)) if choosing else None

    def _draw_prompt(self, canvas: Canvas, inner: Rect, caption: str, person: bool) -> None:
        """What just happened, and below it what is asked; while something is shown, that alone."""
        say, referee = self.context.say, self.match.referee
        asked = ""
        if person and self._choosing and not self._choosing.allowed:
            asked = self._by_hand.words or say("play.no_set")
        elif person or self._phone_is_asked():
            asked = narration.prompt(referee.ask, referee.view(None), say)
            if self._phone_is_asked():
                seat = getattr(referee.ask, "seat", 0)
                gone = seat in self.context.room.gone()
                name = narration.name_of(referee.view(None), seat)
                asked = say("play.phone_gone", name=name) if gone else say("play.on_phone", asked=asked)
        if person and self.context.session.dice.awaited and not self._entering:
            lines = [(self._lens.words(), GOLD if self._lens.doubtful else INK_SOFT)]
        else:
            lines = [(caption, INK_SOFT if asked else INK)]
        wrong = self._fault or (self._by_hand.words if person and asked != self._by_hand.words else "")
        lines = [(wrong, GOLD)] if wrong else lines
        lines += [(asked, INK)] if asked else []
        lines = [line for line in lines if line[0]]
        if not lines:
            return
        if len(lines) == 1:
            canvas.text(lines[0][0], inner, 21, lines[0][1], "bold", lines=2, shrink=0.6)
            return
        top, bottom = Rect(inner.x, inner.y, inner.width, inner.height * 2 // 5), Rect(inner)
        bottom.height = inner.height - top.height
        bottom.bottom = inner.bottom
        canvas.text(lines[0][0], top, 17, lines[0][1], shrink=0.55)
        canvas.text(lines[1][0], bottom, 21, lines[1][1], "bold", shrink=0.6)

    def _draw_strip(self, canvas: Canvas, rect: Rect) -> None:
        hand = [die for die in self._hand() if die is not None]
        if hand:
            size = canvas.px(34)
            step = size + canvas.px(4)
            wide = step * len(hand) + canvas.px(20)
            mine, rest = Rect(rect.x, rect.y, wide, rect.height), Rect(rect)
            rest.x, rest.width = rect.x + wide + canvas.px(6), rect.width - wide - canvas.px(6)
            canvas.private = True
            canvas.panel(mine, NIGHT, 12, border=GOLD, alpha=200)
            for place, die in enumerate(hand):
                canvas.blit(dice.die(die, size), center=(mine.x + canvas.px(10) + step * (place + 0.5), mine.centery))
            canvas.private = False
            rect = rest if self._listing() else rect
        entering, correcting = self._entering, self._lens.correcting
        if entering:
            items = [Item("", (face,)) for face in entering.picker.entries]
            lists.entered(canvas, rect, entering.count, entering.dice, items, entering.picker.at)
        elif correcting:
            items = [
                Item("", (face,)) if face != AGAIN else Item(self.context.say("play.again"))
                for face in correcting.picker.entries
            ]
            if correcting.open:
                lists.entered(canvas, rect, correcting.saw.count, correcting.dice, items, correcting.picker.at)
            else:
                lists.strip(canvas, rect, items, correcting.picker.at)
        elif self._listing() and self._choosing:
            lists.strip(canvas, rect, [self._item(entry) for entry in self._choosing.entries], self._choosing.at)

    def _item(self, entry: Entry) -> Item:
        """Dice say more than words where there are any."""
        say, facts = self.context.say, entry.facts
        match entry.key:
            case "choice.keep":
                return Item(str(facts["points"]), tuple(facts["dice"]))
            case "choice.reroll":
                return Item(say("play.reroll"), tuple(facts["dice"]))
            case "choice.bid":
                return Item(say("choice.count", count=facts["count"]), (facts["face"],), words_first=True)
        return Item(say(entry.key, **facts))
