"""The game that is being played: what just happened, the board, and what whoever's turn it is can do.

Its one rule: everything shared is drawn from the public view. What one seat alone may see is asked for only while that
person looks (or plays with nobody else who could see it), and is drawn apart from the rest.
"""

from dataclasses import dataclass

from pygame import Rect, Surface

from table.kiosk import dice, frame, lists, tell
from table.kiosk.boards import Flight, Stage
from table.kiosk.boards.registry import BOARDS
from table.kiosk.canvas import Canvas, Placed, Spot
from table.kiosk.choices import Choosing, Entry
from table.kiosk.choices import lists as choice_lists
from table.kiosk.desk import Desk
from table.kiosk.entry import Entering
from table.kiosk.frame import Cap, Caps
from table.kiosk.gestures import END, ROLL, Gesture, Held, Look, Moved, Run, Tap, Touched, Typed
from table.kiosk.layout import centred, cut_bottom, cut_top, inset
from table.kiosk.lists import Item
from table.kiosk.pieces import avatar, emblem
from table.kiosk.scenes import Scene
from table.kiosk.scenes.result import Result
from table.kiosk.show import Show, Shown
from table.kiosk.style import DARK, DARK_SOFT, FELT, GOLD, INK, INK_SOFT, IVORY, NIGHT
from table.rules.vocabulary import Choose, Draw, Roll

MOMENTS = {Draw: 0.25, Roll: 0.4, Choose: 0.9}  # how long a computer, or the table, takes before it does something
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


class Play:
    restful = typing = False

    def __init__(self, desk: Desk, now: float) -> None:
        match = desk.hall.match
        assert match is not None
        self.desk = desk
        self.match = match
        computers = frozenset(range(len(match.seating.levels))) - frozenset(match.seating.people)
        self._computers = computers
        self._show = Show(desk.say, match.referee.view(None), computers)
        self._asked = -1  # the number of the answer that is asked for, as of the last look
        self._choosing: Choosing | None = None
        self._entering: Entering | None = None
        self._entered = 0  # the ticket of the dice that were last entered
        self._passing = False  # the screen is being passed to whoever chooses, who may look before
        self._looking = False
        self._still = True  # nothing is being shown, so that a press means more than skipping it
        self._throw: Throw | None = None
        self._due: float | None = None  # when the table goes on by itself
        self._fault = ""
        self._fault_until = 0.0
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
        hall = self.desk.hall
        if gesture == Held(END):
            self._back()
        elif hall.turn == "person":
            self._person(gesture)
        elif self._entering:
            self._enter(gesture)
        return self

    def _enter(self, gesture: Gesture) -> None:
        """One more die that somebody has thrown, or with the last all of them."""
        awaited = self.desk.hall.awaited
        if self._entering and awaited and self._entering.handle(gesture):
            entered, self._entering, self._entered = self._entering.dice, None, awaited.ticket
            self.desk.hall.enter(entered)
        elif isinstance(gesture, (Tap, Run, Moved, Typed)):
            self.desk.sounds.play("tick")

    def _person(self, gesture: Gesture) -> None:
        if isinstance(self.match.referee.ask, Roll):
            entered = self._enters() and isinstance(gesture, Typed)
            if entered or gesture in (Tap(ROLL), Touched("dice")):
                self.desk.sounds.play("tick" if self._enters() else "shake")
                self.desk.hall.throw()
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
            if option is not None:
                self.desk.sounds.play("take")
                self.desk.hall.choose(option)
            elif gesture == Tap(END) and not self._choosing.allowed:
                self.desk.sounds.play("refuse")
            elif before != (self._choosing.entries, self._choosing.at, self._choosing.places):
                self.desk.sounds.play("tick")

    def _back(self) -> None:
        """One step back: in what is being entered, in a list, to the private look, to the choice before."""
        hall = self.desk.hall
        self.desk.sounds.play("back")
        if self._entering:
            if not self._entering.back():
                self._entering = None
                hall.cancel()
        elif hall.awaited:
            hall.cancel()
        elif self._choosing and not self._passing and self._choosing.back():
            pass
        elif self._may_look() and not self._passing:
            self._passing = True
        elif hall.can_take_back:
            hall.take_back()

    def _enters(self) -> bool:
        """Whoever is to throw throws real dice, and enters them."""
        ask = self.match.referee.ask
        return isinstance(ask, Roll) and self.desk.hall.source_for(ask) == "typed"

    def _arm(self) -> None:
        awaited = self.desk.hall.awaited
        if not awaited or awaited.source != "typed":
            self._entering = None
        elif self._entering is None and awaited.ticket != self._entered:
            self._entering = Entering(awaited.roll.count)

    # What time does

    def tick(self, now: float) -> Scene:
        hall = self.desk.hall
        if self._show.say is not self.desk.say:  # what was told in another language is not told again
            self._show = Show(self.desk.say, self.match.referee.view(None), self._computers)
        self._show.add(hall.take_news(), now)
        self._still = self._show.done(now)
        self._say_fault(hall.take_fault(), now)
        for sound in self._show.take_sounds(now):
            self.desk.sounds.play(sound)
        self._face_the_ask()
        if not self._show.done(now):
            self._due = None
        elif hall.turn == "over":
            return Result(self.desk, now)
        elif hall.turn == "table":
            if self._due is None:
                self._due = now + MOMENTS[type(self.match.referee.ask)]
            elif self._due <= now:
                self._due = None
                hall.step()
        return self

    def _say_fault(self, fault: str | None, now: float) -> None:
        if fault:
            self._fault, self._fault_until = self.desk.say(f"play.fault_{fault}"), now + FAULT_SECONDS
        elif now >= self._fault_until:
            self._fault = ""

    def _face_the_ask(self) -> None:
        """When another ask stands than before, whatever was half chosen is gone."""
        referee = self.match.referee
        self._arm()
        if len(referee.history) == self._asked:
            return
        if len(referee.history) < self._asked:
            self._show.stand(referee.view(None))  # an answer was taken back: there is nothing to tell of it
        self._asked = len(referee.history)
        self._choosing = None
        self._passing = self._looking = False
        ask = referee.ask
        if isinstance(ask, Choose) and self.match.level is None:
            self._choosing = Choosing(choice_lists(ask, referee.view(None)))
            self._passing = self._may_look()

    def _may_look(self) -> bool:
        """Whether the choice is one that depends on dice which only the one who chooses may see."""
        ask = self.match.referee.ask
        if not isinstance(ask, Choose) or self.match.level is not None or self.match.alone:
            return False
        return ask.options[0] not in ("accept", "immunity") and bool(self.match.hidden_dice(ask.seat))

    def wake(self, now: float) -> float | None:
        wakes = [wake for wake in (self._show.wake(now), self._due) if wake is not None]
        if self._fault:
            wakes.append(self._fault_until)
        return min(wakes, default=None)

    # What is seen

    def caps(self, now: float) -> Caps:
        say, hall = self.desk.say, self.desk.hall
        if not self._show.done(now):
            return Caps(Cap(say("cap.skip")), Cap(say("cap.skip")))
        if self._entering:
            return Caps(Cap(say("cap.next")), Cap(say("cap.take")))
        if hall.turn != "person":
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
        return Caps(Cap(say("cap.next")), Cap(take, lit=self._choosing.allowed))

    def draw(self, canvas: Canvas, now: float) -> None:
        scene = self._show.at(now)
        moment = scene.moment
        if moment is None or moment.kind != "rolled" or moment.t == 1:
            self._throw = None
            self._draw_table(canvas, scene, now)
            return
        # While dice tumble nothing else moves: the table is drawn once, and only they anew.
        what = (moment.turn, canvas.area.size, canvas.style, self.desk.say, self.desk.wrong())
        if self._throw and self._throw.what == what:
            canvas.surface.blit(self._throw.table, (0, 0))
            canvas.texts += self._throw.texts
            canvas.spots += self._throw.spots
        else:
            flights: list[Flight] = []
            self._draw_table(canvas, scene, now, flights)
            self._throw = Throw(what, canvas.surface.copy(), tuple(canvas.texts), tuple(canvas.spots), tuple(flights))
            if not flights:  # this board moves them itself
                self._throw = None
                return
        for flight in self._throw.flights:
            flight(canvas, moment.t)

    def _draw_table(self, canvas: Canvas, scene: Shown, now: float, flights: list[Flight] | None = None) -> None:
        say = self.desk.say
        canvas.background()
        mark = emblem(self.match.game.id, canvas.px(36))
        name, line = say(f"game.{self.match.game.id}.name"), tell.round_line(scene.view, say)
        note = self.desk.wrong() or (say("attract.demo") if self.desk.demo else "")
        room = frame.head(canvas, name, line, mark, note)
        person = self._show.done(now) and (self.desk.hall.turn == "person" or self._entering is not None)
        strip = None
        if person and (self._entering or self._listing() or self._hand()):
            strip, room = cut_bottom(room, canvas.px(STRIP), canvas.px(6))
        prompt, room = cut_bottom(room, canvas.px(PROMPT), canvas.px(4))
        marks, touchable = self._marks() if person else (frozenset(), False)
        stage = Stage(say, self._computers, scene.moment, marks, touchable, flights)
        if person and isinstance(self.match.referee.ask, Roll):
            canvas.spot("dice", room)  # a touch anywhere on the board throws
        BOARDS[self.match.game.id](canvas, room, scene.view, stage)
        tumbling = scene.moment is not None and scene.moment.kind == "rolled" and scene.moment.t < 1
        self._draw_prompt(
            canvas, prompt, "" if tumbling else scene.caption, person
        )  # words do not land before the dice
        if strip:
            self._draw_strip(canvas, strip)
        if person and self._passing:
            self._draw_passing(canvas, room.union(prompt))

    def _listing(self) -> bool:
        return self._choosing is not None and self._choosing.choice.kind != "roll_or_end" and not self._passing

    def _hand(self) -> list[int | None]:
        """The dice of the one person among computers: nobody is there to hide them from."""
        return self.match.hidden_dice(self.match.seating.people[0]) if self.match.alone else []

    def _marks(self) -> tuple[frozenset[int], bool]:
        """The dice that would stay with the entry shown."""
        if not self._choosing or self._choosing.choice.kind != "dice":
            return frozenset(), False
        return frozenset(self._choosing.places), True

    def _draw_prompt(self, canvas: Canvas, rect: Rect, caption: str, person: bool) -> None:
        """What just happened, and below it what is asked; while something is shown, that alone."""
        say, referee = self.desk.say, self.match.referee
        asked = ""
        if person and self._choosing and not self._choosing.allowed:
            asked = say("play.no_set")
        elif person:
            asked = tell.prompt(referee.ask, referee.view(None), say)
        lines = [(self._fault, GOLD)] if self._fault else [(caption, INK_SOFT if asked else INK)]
        lines += [(asked, INK)] if asked else []
        lines = [line for line in lines if line[0]]
        canvas.panel(rect, NIGHT, 12, alpha=150)
        if not lines:
            return
        inner = inset(rect, canvas.px(14), canvas.px(2))
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
        if self._entering:
            self._draw_entering(canvas, rect)
        elif self._listing() and self._choosing:
            lists.strip(canvas, rect, [self._item(entry) for entry in self._choosing.entries], self._choosing.at)

    def _item(self, entry: Entry) -> Item:
        """Dice say more than words where there are any."""
        say, facts = self.desk.say, entry.facts
        match entry.key:
            case "choice.keep":
                return Item(str(facts["points"]), tuple(facts["dice"]))
            case "choice.reroll":
                return Item(say("play.again"), tuple(facts["dice"]))
            case "choice.bid":
                return Item(say("choice.count", count=facts["count"]), (facts["face"],), words_first=True)
        return Item(say(entry.key, **facts))

    def _draw_entering(self, canvas: Canvas, rect: Rect) -> None:
        """The dice that are in, and the six that can be next."""
        assert self._entering is not None
        size = canvas.px(34)
        step = size + canvas.px(4)
        wide = step * self._entering.count + canvas.px(16)
        tray = Rect(rect.x, rect.y, wide, rect.height)
        canvas.panel(tray, NIGHT, 12, alpha=200)
        for place in range(self._entering.count):
            center = (tray.x + canvas.px(8) + step * (place + 0.5), tray.centery)
            if place < len(self._entering.dice):
                canvas.blit(dice.die(self._entering.dice[place], size), center=center)
                canvas.spot(f"entered:{place}", Rect(round(center[0] - step / 2), tray.y, step, tray.height))
            else:
                canvas.ring(center, size * 0.4, INK_SOFT, 2)
        rest = Rect(tray.right + canvas.px(8), rect.y, rect.right - tray.right - canvas.px(8), rect.height)
        lists.strip(canvas, rest, [Item("", (face,)) for face in range(1, 7)], self._entering.picker.at)

    def _draw_passing(self, canvas: Canvas, rect: Rect) -> None:
        """Over the board: whom to pass the screen to, and while Roll is held, that seat's dice."""
        ask, say = self.match.referee.ask, self.desk.say
        assert isinstance(ask, Choose)
        name = self.match.referee.players[ask.seat]
        card = inset(rect, rect.width // 8, canvas.px(6))
        canvas.veil(0.45)
        canvas.panel(card, IVORY, 18, border=GOLD, width=4, shadow=True)
        inner = inset(card, canvas.px(20), canvas.px(14))
        if not self._looking:
            low, top = cut_bottom(inner, inner.height * 3 // 10)
            face, top = cut_top(top, top.height * 3 // 5, canvas.px(4))
            canvas.blit(avatar(name, face.height * 9 // 10), center=face.center)
            canvas.text(say("play.pass", name=name), top, 32, DARK, "display", lines=2, shrink=0.5)
            canvas.text(say("play.hold_to_look", name=name), low, 20, DARK_SOFT, "bold", lines=2)
            canvas.spot("go on", card)
            return
        canvas.private = True
        own = self.match.referee.view(ask.seat)["dice"][ask.seat]
        low, top = cut_bottom(inner, inner.height // 3)
        size = min(
            canvas.px(90), top.height - canvas.px(18), (top.width + canvas.px(8)) // max(1, len(own)) - canvas.px(8)
        )
        step = size + canvas.px(8)
        canvas.panel(centred(top, step * len(own) + canvas.px(14), size + canvas.px(18)), FELT, 14)
        for place, die in enumerate(own):
            center = (top.centerx + step * (place - (len(own) - 1) / 2), top.centery)
            canvas.blit(dice.die(die, size), center=center)
        canvas.text(self._in_words(own), low, 22, DARK, "bold", lines=2)
        canvas.private = False

    def _in_words(self, own: list[int]) -> str:
        """What the dice come to: their sum in Bluff, how many of each face in Cacho."""
        say = self.desk.say
        if self.match.game.id == "bluff":
            return say("play.together", sum=sum(own))
        return say.listed([say.bid(own.count(face), face) for face in sorted(set(own))])
