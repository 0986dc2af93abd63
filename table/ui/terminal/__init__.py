"""Any game in a terminal: people and computers, simulated dice, hidden dice shown only to their player.

Its one rule: text for everyone comes from the public view and public events; text for one player comes from that seat's
view and is shown separately.
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
from table.engine.options import describe
from table.engine.referee import with_about
from table.games import GAMES, bots, has_part
from table.session.match import Match, begin, public_news, seated
from table.text import narration, pages
from table.text.catalogue import Catalogue
from table.ui.terminal import choices, odds, records, setup, tell
from table.ui.terminal.draw import isolated
from table.ui.terminal.screen import Screen, folded, quoted
from table.ui.terminal.setup import Left


def play(
    game: str | None,
    seats: Sequence[str],
    options: Sequence[str],
    seed: int | None,
    save: Path | None = None,
    say: Catalogue | None = None,
) -> None:
    """Plays games until the players quit. Asks for anything not given; raises Refused for anything invalid.

    A seat is a person's name, `computer`, or `computer:LEVEL`. An option is `name=value`. `save` is a new file for the
    first finished game; later games get a number added to the name."""
    say = say or Catalogue()
    screen = Screen(sys.stdin, sys.stdout, say)
    if save:
        _check_new(save, say)
    try:
        _evening(screen, say, game, list(seats), options, seed, save)
    except Left:
        screen.say(say("terminal.goodbye"))


def _check_new(save: Path, say: Catalogue) -> None:
    """Checks before the first game that it can be saved."""
    try:
        with suppress(FileNotFoundError):
            os.lstat(save)
            raise Refused(say("terminal.save_exists", file=save))
        with TemporaryFile(dir=save.parent):
            pass
    except OSError as why:
        raise Refused(say("terminal.save_unwritable", file=save, why=why.strerror)) from None


def _keep(screen: Screen, say: Catalogue, sitting: "Sitting", save: Path) -> None:
    """Saves a finished game atomically, through a temporary file, and never overwrites."""
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
        screen.say(say("terminal.not_kept", file=save, why=why.strerror), "bad")
        return
    screen.say(say("terminal.kept", file=path), "dim")


def _reserved(save: Path) -> Path:
    """Reserves the first unused name of game.json, game-2.json and so on."""
    for number in count(1):
        path = save if number == 1 else save.with_name(f"{save.stem}-{number}{save.suffix}")
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            break
    return path


def demo(say: Catalogue) -> None:
    """A short game between computers, to show what a game looks like."""
    screen = Screen(sys.stdin, sys.stdout, say)
    game = next(iter(GAMES.values()))
    seating = seated([setup.COMPUTER] * max(2, game.seats[0]), game)
    options = {"rounds": 3} if any(option["name"] == "rounds" for option in describe(game.options)) else {}
    referee = begin(game, seating, options)
    setup.introduce(screen, say, referee, seating)
    Sitting(screen, Match(referee, seating), say).play()


def _evening(
    screen: Screen,
    say: Catalogue,
    game_id: str | None,
    seats: list[str],
    typed: Sequence[str],
    seed: int | None,
    save: Path | None,
) -> None:
    """One game after another. Each game's seed is derived from the given one."""
    game = None if game_id is None else setup.find_game(game_id, say)
    seating = setup.seating_of(seats, game, say) if seats and game else None
    if not (game and seating):
        setup.welcome(screen)
    before: list[str] | None = None
    while True:
        asked = not (game and seating)
        if game is None:
            game = setup.ask_game(screen, say, lambda wanted: _show_rules(screen, wanted, say))
        if seating is None and seats:
            try:
                seating = setup.seating_of(seats, game, say)
            except Refused as why:
                screen.say(str(why))
        if seating is None:
            seats, seating = setup.ask_seats(screen, say, game, before)
        if asked and not typed:
            options, referee = setup.ask_options(screen, say, game, seating, seed)
        else:
            options = setup.parse_options(typed, game, seating.names, say)
            referee = setup.start(game, seating, options, seed, say)
        guests = tuple(seat for seat in seating.people if seating.names[seat] == say("players.guest"))
        while True:
            setup.introduce(screen, say, referee, seating)
            match = Match(referee, seating, guests)
            sitting = Sitting(screen, match, say)
            try:
                sitting.play()
            except RuleFailed as failed:
                screen.say(say("terminal.fault", what=failed.what), "bad")
            if save and isinstance(match.referee.ask, Over):
                _keep(screen, say, sitting, save)
            if _another(screen, match, say):
                break
            seed = None if seed is None else seed + 1
            referee = begin(game, seating, options, seed)
        before, seats, game, seating, typed = seats, [], None, None, []
        seed = None if seed is None else seed + 1


def _another(screen: Screen, match: Match, say: Catalogue) -> bool:
    """Whether to set up another game; otherwise the same one is played again. People can first ask for a review."""
    hint = say("terminal.again.hint")
    people = match.seating.people if bots.has_perfect(match.game.id) else []
    if people:
        hint = say("terminal.again.how", hint=hint)
    while True:
        text = folded(screen.ask(say("terminal.again.ask", hint=hint)))
        if text in ("h", "how") and people:
            try:
                for seat in people:
                    records.show_review(screen, match.referee, review(match.referee, seat), say)
            except NoTable:
                screen.say(say("refused.no_table"))
        elif text in ("q", "quit"):
            raise Left
        elif not text or _yes(text, say):
            return False
        elif text in ("n", "new", "another"):
            return True
        else:
            screen.say(say("terminal.not_offered", text=quoted(text), hint=hint))


def _yes(text: str, say: Catalogue) -> bool:
    """Whether the text is yes or a prefix of it."""
    return bool(text) and any(word.startswith(folded(text)) for word in ("yes", folded(say("value.yes"))))


def _show_rules(screen: Screen, game: Game, say: Catalogue) -> None:
    screen.show_page(pages.plain(pages.page(game.id, say.language, typed=True)), say("terminal.more"))


class Sitting:
    """One game at this terminal."""

    def __init__(self, screen: Screen, match: Match, say: Catalogue) -> None:
        self.screen = screen
        self.match = match
        self.say = say
        self.referee = match.referee
        self._shown: tuple[Any, ...] = ()  # round, standing and turn in the last status line
        self._sources: list[str] = []  # the source of each answer, as named in the journal
        self._began = time.time()

    def play(self) -> None:
        before = self.referee.view(None)
        self._tell(None, None, self.referee.opening, before)
        while not isinstance(self.referee.ask, Over):
            ask, before = self.referee.ask, self.referee.view(None)
            answer = self._answer(ask)
            self._tell(ask, answer, self.referee.answer(answer), before)
            if isinstance(ask, Roll) and ask.hidden and ask.seat in self.match.seating.people:
                self._look(ask.seat)
        tell.show_end(self.screen, self.referee.view(None), self.referee.ask.places, self.say)

    def saved(self) -> dict[str, Any]:
        """The game in the referee's format, with the extra data for the records."""
        about = {
            "match": self.match.id,
            "began": self._began,
            "ended": time.time(),
            "levels": list(self.match.seating.levels),
            "guests": list(self.match.guests),
            "sources": self._sources,
        }
        return with_about(self.referee.save(), about)

    def _tell(self, ask: Ask | None, answer: Answer | None, events: Sequence[Event], before: View) -> None:
        news = public_news(len(self.referee.history) - 1, ask, answer, events, before, self.referee.view(None))
        tell.show_news(self.screen, news, self.say)

    def _answer(self, ask: Roll | Choose | Draw) -> Answer:
        self._show_status(ask)
        if isinstance(ask, Draw):
            return self._from("table", self.referee.drawn())
        level = self.match.seating.levels[ask.seat]
        if isinstance(ask, Choose):
            if level is None:
                return self._from("choice", self._choice(ask))
            self.screen.moment()
            return self._from("computer", self.match.computers_choice())
        if self.match.under_cup(ask):
            lifted = self._ask(ask.seat, self._prompt(), lambda text: choices.typed_dice(text, ask.count, self.say))
            return self._from("typed", lifted)
        if level is not None:
            if not ask.hidden:
                self.screen.moment()
        elif not self.match.thrown_already(ask):
            self._wait_for_throw(ask)
        return self._from("simulated", self.referee.drawn())

    def _from(self, source: str, answer: Answer) -> Answer:
        self._sources.append(source)
        return answer

    def _show_status(self, ask: Roll | Choose | Draw) -> None:
        """Shows the status before a question to a person and at the start of a turn or round, unless the last status
        line said the same."""
        view = self.referee.view(None)
        if isinstance(ask, Draw):
            if ask.kind == "order" or isinstance(ask.candidates[0], str):  # such a draw opens a round or a turn
                self.screen.line("")
            return
        thrown = isinstance(ask, Roll) and (ask.hidden or self.match.thrown_already(ask))
        small = thrown or (isinstance(ask, Roll) and narration.thrown_for(ask, view) is not None)
        new = (view["round"], view["standing"], ask.seat)
        head = self._shown[:1] != new[:1]
        if head or (new != self._shown and not small):
            if not (self.referee.history and isinstance(self.referee.history[-1][0], Draw)):
                self.screen.line("")
            tell.show_status(self.screen, view, self.say)
        if head or not small:
            self._shown = new

    def _choice(self, ask: Choose) -> Answer:
        asked = choices.question(ask, self.referee.view(None), self.say)
        hint, mine = asked.hint, self.match.hidden_dice(ask.seat)
        if mine and self.match.alone:
            self._tell_hand(ask.seat, mine)
        elif mine:
            hint = f"{hint}; {self.say('terminal.hint.look')}"
        self._show_facts(ask.seat)
        for line in asked.lines:
            self.screen.line(line)
        return self._ask(ask.seat, f"{self._prompt()} ({hint})", asked.read)

    def _wait_for_throw(self, ask: Roll) -> None:
        prompt = f"{self._prompt()} ({self.say('terminal.hint.throw')})"
        if ask.hidden and not self.match.alone:
            prompt = self.say("terminal.pass", name=self._name(ask.seat))
        else:
            self._show_facts(ask.seat)
        self._ask(ask.seat, prompt, self._only_enter)

    def _show_facts(self, seat: int) -> None:
        if not has_part(self.match.game.id, "board"):  # otherwise the prompt has the figures
            tell.show_facts(self.screen, self.referee.view(None), seat, self.say)

    def _only_enter(self, text: str) -> Answer:
        if text and not folded(self.say("button.roll")).startswith(folded(text)):
            choices.refuse(text, self.say("terminal.hint.throw"), self.say)
        return ()

    def _prompt(self) -> str:
        view = self.referee.view(None)
        return tell.named(self.screen, view, narration.prompt(self.referee.ask, view, self.say))

    def _name(self, seat: int) -> str:
        return isolated(narration.name_of(self.referee.view(None), seat))

    def _ask(self, seat: int, prompt: str, read: Callable[[str], Answer]) -> Answer:
        """Asks until the answer is valid. The same letters for help, quit, look and odds work at every question."""
        while True:
            text = self.screen.ask(prompt)
            word = text.casefold()
            if word in ("?", "h", "help"):
                _show_rules(self.screen, self.referee.game, self.say)
            elif word in ("q", "quit"):
                if _yes(self.screen.ask(self.say("terminal.leave")), self.say):
                    raise Left
            elif word in ("l", "look") and self.match.hidden_dice(seat):
                if not self.match.alone:
                    self._pass_to(seat)
                self._look(seat)
            elif word in ("o", "odds"):
                self._show_odds(self.referee.ask)
            else:
                try:
                    return read(text)
                except Refused as why:
                    self.screen.say(str(why))

    def _pass_to(self, seat: int) -> None:
        self.screen.ask(self.say("terminal.pass", name=self._name(seat)))

    def _look(self, seat: int) -> None:
        """Shows the seat's own dice: directly if there is only one person, otherwise on a separate screen that is then
        cleared."""
        # The seat's view contains the dice of a hidden roll even before the roll is announced.
        dice = self.referee.view(seat)["dice"][seat]

        def show() -> None:
            self._tell_hand(seat, dice)
            self.screen.dice(dice)

        if self.match.alone:
            show()
        else:
            self._apart(seat, show)

    def _apart(self, seat: int, show: Callable[[], None]) -> None:
        """Shows something only to this seat, and clears it afterwards."""
        name = self._name(seat)
        with self.screen.apart():
            self.screen.line(self.say("terminal.apart", name=name))
            self.screen.line("")
            show()
            self.screen.line("")
            if self.screen.watched:
                self.screen.ask(self.say("terminal.hide"))
            else:
                self.screen.line(self.say("terminal.apart_end", name=name))

    def _tell_hand(self, seat: int, dice: Sequence[int | None]) -> None:
        hand = tell.dice_in_words(dice, self.referee.game.id, self.say)
        self.screen.say(self.say("records.stands", name=self._name(seat), figure=hand))

    def _show_odds(self, ask: Ask | Over) -> None:
        """Shows what each option is worth to a perfect player. If there are hidden dice, the values could reveal them,
        so only the player who is asked sees them."""
        if not isinstance(ask, Choose):
            self.screen.say(self.say("terminal.odds.nothing"))
            return

        def show() -> None:
            try:
                odds.show(self.screen, ask, self.referee.view(ask.seat), self.say)
            except NoTable:
                self.screen.say(self.say("refused.no_table"))

        if self.match.hidden_dice(ask.seat) and not self.match.alone:
            self._pass_to(ask.seat)
            self._apart(ask.seat, show)
        else:
            show()
