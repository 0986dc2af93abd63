"""The five games in a terminal: people and computers, simulated dice, hidden dice shown only to their player.

Its one rule: what everybody reads comes from the public view and from public events; what one person reads, from the
view of that seat, and apart from the rest.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from table.analysis.review import review
from table.engine.asks import Answer, Ask, Choose, Draw, Event, Game, Over, Roll, View
from table.engine.errors import NoTable, Refused, RuleFailed
from table.engine.referee import with_about
from table.games import GAMES
from table.session.match import Match, begin, seated
from table.text import pages
from table.ui.terminal import choices, odds, reviewed, setup, tell
from table.ui.terminal.screen import Screen
from table.ui.terminal.setup import Left
from table.ui.terminal.words import YOU, Names, faces, many


def play(
    game: str | None, seats: Sequence[str], options: Sequence[str], seed: int | None, save: Path | None = None
) -> None:
    """Plays until nobody wants to any more. What is not given is asked for; what is given wrongly is Refused.

    A seat is a person's name, or `computer`, or `computer:LEVEL`. An option is `name=value`. `save` is a file that does
    not exist yet, for the first game that is played to its end; those after it get a number to their name.
    """
    screen = Screen(sys.stdin, sys.stdout)
    if save:
        _check_new(save)
    try:
        _evening(screen, game, list(seats), options, seed, save)
    except Left:
        screen.say("Goodbye.")


def _check_new(save: Path) -> None:
    """Before the first game, so that none is played that could not be written."""
    try:
        with suppress(FileNotFoundError):
            os.lstat(save)
            raise Refused(f"{save} exists already and was left as it is: name another file.")
        with TemporaryFile(dir=save.parent):
            pass
    except OSError as why:
        raise Refused(f"{save} cannot be written ({why.strerror}): name another file.") from None


def _keep(screen: Screen, sitting: "Sitting", save: Path) -> None:
    """A game that is over, whole and over nothing: what is being written has another name until it is."""
    beside = save.with_name(f".{sitting.match.id}.new")
    try:
        try:
            with open(beside, "x", encoding="utf-8") as file:
                json.dump(sitting.saved(), file)
                file.flush()
                os.fsync(file.fileno())
            path = _reserved(save)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as why:
        screen.say(f"The game is not kept: {save} cannot be written ({why.strerror}).", "bad")
        return
    screen.say(f"The game is in {path}, for dicetable review and dicetable records import.", "dim")


def _reserved(save: Path) -> Path:
    """game.json, game-2.json: the first of these that nobody has, and that nobody can take any more."""
    for number in count(1):
        path = save if number == 1 else save.with_name(f"{save.stem}-{number}{save.suffix}")
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            break
    return path


def demo() -> None:
    """One short game of computers, for whoever reads the output."""
    screen = Screen(sys.stdin, sys.stdout)
    seating = seated(["computer", "computer"], GAMES["mexico"])
    referee = begin(GAMES["mexico"], seating, {"rounds": 3})
    setup.introduce(screen, referee, seating, {})
    Sitting(screen, Match(referee, seating)).play()


def _evening(
    screen: Screen, game_id: str | None, seats: list[str], typed: Sequence[str], seed: int | None, save: Path | None
) -> None:
    """One game after the other. With a seed, each has a seed of its own that follows from it."""
    game = None if game_id is None else setup.find_game(game_id)
    seating = seated(seats, game) if seats and game else None
    if not (game and seating):
        setup.welcome(screen)
    before: list[str] | None = None
    while True:
        asked = not (game and seating)
        if game is None:
            game = setup.ask_game(screen, lambda wanted: _show_rules(screen, wanted))
        if seating is None and seats:
            try:
                seating = seated(seats, game)
            except Refused as why:
                screen.say(str(why))
        if seating is None:
            seats, seating = setup.ask_seats(screen, game, before)
        if asked and not typed:
            options, referee = setup.ask_options(screen, game, seating, seed)
        else:
            options = setup.parse_options(typed, game, seating.names)
            referee = begin(game, seating, options, seed)
        while True:
            setup.introduce(screen, referee, seating, options)
            match = Match(referee, seating)
            sitting = Sitting(screen, match)
            try:
                sitting.play()
            except RuleFailed as why:
                screen.say(str(why), "bad")
            if save and isinstance(match.referee.ask, Over):
                _keep(screen, sitting, save)
            if _another(screen, match):
                break
            seed = None if seed is None else seed + 1
            referee = begin(game, seating, options, seed)
        before, seats, game, seating, typed = seats, [], None, None, []
        seed = None if seed is None else seed + 1


def _another(screen: Screen, match: Match) -> bool:
    """Whether the next game is another one; the same again if not. Whoever played can first ask how."""
    again = "Play again? (Enter: the same; n: another game; h: how did I play; q: quit)"
    while True:
        text = screen.ask(again if match.seating.people else again.replace("h: how did I play; ", "")).casefold()
        if text in ("h", "how") and match.seating.people:
            for seat in match.seating.people:
                reviewed.show(screen, match.referee, review(match.referee, seat))
            continue
        if text in ("q", "quit"):
            raise Left
        if text in ("", "y", "yes"):
            return False
        if text in ("n", "new", "another"):
            return True
        screen.say("Press Enter to play the same again, or type n for another game, h for how you played or q to quit.")


def _show_rules(screen: Screen, game: Game) -> None:
    screen.show_page(pages.plain(pages.page(game.id, typed=True)))


class Sitting:
    """One game at this terminal."""

    def __init__(self, screen: Screen, match: Match) -> None:
        self.screen = screen
        self.match = match
        self.referee = match.referee
        self.seating = match.seating
        self.names = Names(match.referee.players)
        self.alone = match.alone
        self._shown: tuple[Any, ...] = ()  # round, standing and turn as of the last status line
        self._unseen: list[int] = []  # seats that rolled out of sight, not yet told
        self._sources: list[str] = []  # of the answers, in the journal's words
        self._began = time.time()

    def play(self) -> None:
        self._tell(self.referee.opening, self.referee.ask, self.referee.view(None))
        while not isinstance(self.referee.ask, Over):
            ask, before = self.referee.ask, self.referee.view(None)
            answer = self._answer(ask)
            self._tell(self.referee.answer(answer), ask, before)
            if isinstance(ask, Roll) and ask.hidden:
                self._rolled_unseen(ask.seat)
        tell.show_end(self.screen, self.names, self.referee.view(None), self.referee.ask.places)

    def saved(self) -> dict[str, Any]:
        """The game as the referee loads it, with what the records need beside it."""
        about = {
            "match": self.match.id,
            "began": self._began,
            "ended": time.time(),
            "levels": list(self.seating.levels),
            "guests": [seat for seat, name in enumerate(self.referee.players) if name == YOU],
            "sources": self._sources,
        }
        return with_about(self.referee.save(), about)

    def _tell(self, events: Sequence[Event], ask: Ask | Over, before: View) -> None:
        computers = frozenset(range(len(self.referee.players))) - frozenset(self.seating.people)
        scene = tell.Scene(self.screen, self.names, computers, ask, before, self.referee.view(None))
        for event in events:
            if event.visible_to(None):
                tell.tell(scene, event)

    def _answer(self, ask: Roll | Choose | Draw) -> Answer:
        if not (isinstance(ask, Roll) and ask.hidden):
            self._tell_unseen()
        self._show_status(ask)
        if isinstance(ask, Draw):
            return self._from("table", self.referee.drawn())
        level = self.seating.levels[ask.seat]
        if isinstance(ask, Roll):
            if self.match.under_cup(ask):
                prompt = f"{self._to(ask.seat)}Lift the cup. Which {many(ask.count, 'die', 'dice')} lay under it?"
                lifted = self._ask(ask.seat, prompt, lambda text: choices.typed_dice(text, ask.count))
                return self._from("typed", lifted)
            if level is not None:
                if not ask.hidden:
                    self.screen.moment()
            elif not self.match.thrown_already(ask):
                self._wait_for_throw(ask)
            return self._from("simulated", self.referee.drawn())
        if level is not None:
            self.screen.moment()
            return self._from("computer", self.match.computers_choice())
        return self._from("choice", self._choice(ask))

    def _from(self, source: str, answer: Answer) -> Answer:
        self._sources.append(source)
        return answer

    def _show_status(self, ask: Roll | Choose | Draw) -> None:
        """Before every question to a person and at the head of a turn or round, unless it shows nothing new."""
        view = self.referee.view(None)
        if isinstance(ask, Draw):
            if ask.kind == "order" or isinstance(ask.candidates[0], str):  # these open a round or a turn
                self.screen.line("")
            return
        small = tell.one_die_each(ask, view)
        small = small or (isinstance(ask, Roll) and (ask.hidden or self.match.thrown_already(ask)))
        new = (view["round"], view["standing"], ask.seat)
        head = self._shown[:1] != new[:1]
        if head or (new != self._shown and not small and (ask.seat in self.seating.people or isinstance(ask, Roll))):
            if not (self.referee.history and isinstance(self.referee.history[-1][0], Draw)):
                self.screen.line("")
            tell.show_status(self.screen, view)
        if head or not small:
            self._shown = new

    def _choice(self, ask: Choose) -> Answer:
        asked = choices.question(ask, self.referee.view(None), self.names)
        if asked.before:
            self.screen.say(asked.before)
        mine = self.match.hidden_dice(ask.seat)
        again = ""
        if mine and self.alone:
            self.screen.say(self._dice_in_words(ask.seat, mine))
        elif mine:
            again = " (l: look)"
        return self._ask(ask.seat, self._to(ask.seat) + asked.prompt + again, asked.read)

    def _wait_for_throw(self, ask: Roll) -> None:
        if ask.hidden and not self.alone:
            who = self.names.who(ask.seat)
            prompt = f"Pass the keyboard to {who}. {who}: press Enter when nobody else can see."
        else:
            why = tell.one_die_for(ask, self.referee.view(None))
            prompt = f"{self._to(ask.seat)}Enter throws {many(ask.count, 'die', 'dice')}{why}."
        self._ask(ask.seat, prompt, _only_enter)

    def _ask(self, seat: int, prompt: str, read: Callable[[str], Answer]) -> Answer:
        """Asks until the answer is one. The same few letters work at every question."""
        while True:
            text = self.screen.ask(prompt)
            word = text.casefold()
            if word in ("?", "h", "help"):
                _show_rules(self.screen, self.referee.game)
            elif word in ("q", "quit"):
                if self.screen.ask("End this game for everybody? (y: yes; Enter: no)").casefold() in ("y", "yes"):
                    raise Left
            elif word in ("l", "look") and self.match.hidden_dice(seat):
                self._look_again(seat)
            elif word in ("o", "odds"):
                try:
                    self._show_odds(self.referee.ask)
                except NoTable as why:
                    self.screen.say(str(why))
            else:
                try:
                    return read(text)
                except Refused as why:
                    self.screen.say(str(why))

    def _rolled_unseen(self, seat: int) -> None:
        if self.seating.levels[seat] is not None:
            self._unseen.append(seat)
            return
        self._look(seat)
        if not self.alone:
            self._unseen.append(seat)

    def _tell_unseen(self) -> None:
        if self._unseen:
            tell.rolled_out_of_sight(self.screen, self.names, self._unseen)
            self._unseen = []

    def _look_again(self, seat: int) -> None:
        if not self.alone:
            self.screen.ask(f"{self.names.who(seat)}: press Enter when nobody else can see.")
        self._look(seat)

    def _look(self, seat: int) -> None:
        """The seat's own dice: plainly if only one person is here, otherwise apart and gone afterwards."""
        # Before the answer to a hidden roll is told, the seat's view already holds the dice.
        dice = self.referee.view(seat)["dice"][seat]
        if self.alone:
            self.screen.say(f"{self._dice_in_words(seat, dice)} Only you can see this.")
            self.screen.dice(dice)
            return
        with self.screen.apart():
            self.screen.line(f"(only {self.names.who(seat)} may look)")
            self.screen.line("")
            self.screen.line(self._dice_in_words(seat, dice))
            self.screen.dice(dice)
            self.screen.line("")
            if self.screen.watched:
                self.screen.ask("Enter hides them again")
            else:
                self.screen.line(f"(end of what only {self.names.who(seat)} may look at)")

    def _show_odds(self, ask: Ask | Over) -> None:
        """What each option is worth to perfect. With hidden dice that would give them away, so then it is for one."""
        if not isinstance(ask, Choose):
            self.screen.say("There is nothing to choose now, so there are no odds to compare.")
            return
        mine = self.match.hidden_dice(ask.seat)
        if mine and not self.alone:
            self.screen.ask(f"{self.names.who(ask.seat)}: press Enter when nobody else can see.")
            with self.screen.apart():
                odds.show(self.screen, ask, self.referee.view(ask.seat))
                if self.screen.watched:
                    self.screen.ask("Enter hides them again")
        else:
            odds.show(self.screen, ask, self.referee.view(ask.seat))

    def _dice_in_words(self, seat: int, dice: Sequence[int | None]) -> str:
        total = sum(die or 0 for die in dice)
        summed = f", {total} together" if self.referee.game.id == "bluff" else ""
        return f"{self.names.whose(seat)} {'die' if len(dice) == 1 else 'dice'}: {faces(dice)}{summed}."

    def _to(self, seat: int) -> str:
        return "" if self.alone else f"{self.names.who(seat)}: "


def _only_enter(text: str) -> Answer:
    if text.casefold() not in ("", "r", "roll"):
        raise Refused("Press Enter to throw.")
    return ()
