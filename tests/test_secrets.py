"""Hidden dice must not change anything that people can see, hear or measure at the shared screen, except in a private
look.

Two tables get the same presses at the same times and differ only in their hidden dice. Until the
rules reveal those dice, both must show the same.
"""

import random
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("pygame", reason="pygame draws the table")
pytest.importorskip("gpiozero", reason="gpiozero has the mock pins")

import pygame  # noqa: E402

from table.devices import DiceSource  # noqa: E402
from table.engine.asks import Choose, Roll  # noqa: E402
from table.session.lineup import Seat  # noqa: E402
from table.session.messages import DiceRead  # noqa: E402
from table.ui.kiosk.scenes.attract import Attract  # noqa: E402
from table.ui.kiosk.scenes.result import Result  # noqa: E402
from tests.fingers import QUICK  # noqa: E402
from tests.tabletop import Tabletop  # noqa: E402

ANN, BO, CY = Seat("Ann"), Seat("Bo"), Seat("Cy")
CARELESS = Seat("", "random")  # ignores its own dice
CLASSIC = Seat("", "classic")  # its choices depend on its own dice
SHOWING = {"call", "dudo", "calza"}
SIZE = (480, 288)  # the size does not matter, and a small screen is faster


class Dealt(DiceSource):
    """Simulated dice. Open dice, and the hidden dice of the seats in `same`, are the same at both tables."""

    name, instant = "simulated", True

    def __init__(self, table: Tabletop, seed: int, apart: int, same: Collection[int]) -> None:
        """`apart` is added to the value of every die that should differ."""
        self._chance = random.Random(seed)
        self._apart, self._same = apart, same
        self._post = table.mailbox.post
        table.sources[self.name] = self

    def private(self, seat: int) -> bool:
        return True

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None:
        dice = tuple(self._chance.choices(range(1, 7), k=roll.count))
        if roll.hidden and roll.seat not in self._same:
            dice = tuple((die - 1 + self._apart) % 6 + 1 for die in dice)
        self._post(DiceRead(self.name, ticket, dice))


class Pair:
    """Two tables that get the same presses. Everything perceivable is compared twenty times a second."""

    def __init__(self, tables: tuple[Tabletop, Tabletop], seed: int) -> None:
        self.tables = tables
        self.chance = random.Random(seed)
        self.apart: Collection[str] = ()  # what may differ between the tables at the moment
        self.compared = 0

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / QUICK)):
            for table in self.tables:
                table.run(QUICK, QUICK)
            self.compare()

    def compare(self) -> None:
        """Check that the tables show the same, unless the rules have already revealed dice."""
        left, right = (chosen(table) for table in self.tables)
        assert left == right
        if self.shown():
            return
        left, right = (perceived(table) for table in self.tables)
        differ = [what for what in left if left[what] != right[what]]
        assert set(differ) <= set(self.apart), (differ, left["texts"], right["texts"])
        self.compared += 1

    def press(self, button: str, seconds: float = 2 * QUICK) -> None:
        self.down(button)
        self.run(seconds)
        self.up(button)

    def down(self, *buttons: str) -> None:
        for table in self.tables:
            for button in buttons:
                table.pin(button).drive_low()

    def up(self, *buttons: str) -> None:
        for table in self.tables:
            for button in buttons:
                table.pin(button).drive_high()
        self.run(2 * QUICK)

    @property
    def one(self) -> Tabletop:
        """The left table. Its screen decides what is pressed at both tables."""
        return self.tables[0]

    def ask(self) -> Any:
        return self.one.session.match.referee.ask

    def hands(self) -> list[list[list[int]]]:
        """The hidden dice of every seat, at both tables."""
        matches = [table.session.match.referee for table in self.tables]
        return [[match.view(seat)["dice"][seat] for seat in range(len(match.players))] for match in matches]

    def shown(self) -> bool:
        return any(option in SHOWING for _, option in chosen(self.one))

    def go_on(self) -> None:
        """Do anything that is offered, except looking at dice or revealing them."""
        scene, say = self.one.scene, self.one.context.say
        caps = scene.caps(self.one.now)
        if caps.roll is None and caps.end is None:
            self.run(QUICK)
        elif caps.roll and caps.roll.label == say("cap.hold_to_look"):
            self.press("end")
        elif caps.roll and caps.roll.label == say("cap.next"):
            for _ in range(self.chance.choice((0, 1, 1, 2))):
                self.press("roll")
            while (entry := scene._decision.choosing.entries[scene._decision.choosing.at]).option in SHOWING:
                if all(one.option in SHOWING for one in scene._decision.choosing.entries):
                    return
                self.press("roll")
            self.press("end")
            assert entry.option not in SHOWING
        elif caps.end and caps.end.label == say("cap.skip"):
            self.run(0.5)  # watch the animation to its end
        else:
            self.press("roll")

    def until_choice(self, seat: int | None = None) -> None:
        """Go on until the screen is passed to this seat, or to any seat if it is None."""
        for _ in range(400):
            if self.one.scene.wants_look and seat in (None, self.ask().seat):
                return
            self.go_on()
        raise AssertionError("no one has a choice to make")


def chosen(table: Tabletop) -> list[tuple[int, Any]]:
    """The choices so far and who made them, which is public."""
    history = table.session.match.referee.history if table.session.match else []
    return [(ask.seat, option) for ask, option in history if isinstance(ask, Choose)]


def perceived(table: Tabletop) -> dict[str, Any]:
    canvas, scene, now = table.canvas, table.scene, table.now
    return {
        "scene": type(scene).__name__,
        "picture": bytes(table.kiosk.surface.get_view("0")),
        "texts": [(text.text, tuple(text.rect), tuple(text.drawn), text.cut, text.private) for text in canvas.texts],
        "spots": [(name, tuple(rect)) for name, rect in canvas.spots],
        "caps": scene.caps(now),
        "lamps": [bool(table.factory.pin(pin).state) for pin in (22, 23)],
        "wake": scene.wake(now),
        "due": table.kiosk.due(now),
        "wants look": scene.wants_look,
        "sounds": list(table.ears.heard),
        "turn": table.session.turn if table.session.match else None,
        "answers": len(table.session.match.referee.history) if table.session.match else None,
    }


@contextmanager
def side_by_side(
    game: str,
    seats: tuple[Seat, ...],
    same: Collection[int] = (),
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    odds: bool = False,
) -> Iterator[Pair]:
    with Tabletop(pins=True, size=SIZE, odds=odds) as left, Tabletop(pins=True, size=SIZE, odds=odds) as right:
        for apart, table in enumerate((left, right)):
            table.kiosk.surface = pygame.Surface(SIZE)  # otherwise both tables would share pygame's only window
            Dealt(table, seed, apart, same)
            table.sit(game, seats, dict(options or {}))
            table.session.match.referee.seed = seed  # the seed decides how long computers pause
        yield Pair((left, right), seed)


GAMES = [("bluff", {}), ("bluff", {"rules": "simple"}), ("cacho", {}), ("cacho", {"raise": "classic", "dice": 2})]


@pytest.mark.parametrize(("seed", "odds"), [(1, False), (2, True)])
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_hidden_dice_change_nothing_while_no_one_looks(game, options, seed, odds):
    with side_by_side(game, (ANN, BO, CY), seed=seed, options=options, odds=odds) as pair:
        pair.until_choice()
        for _ in range(15):
            mine, others = pair.hands()
            if isinstance(pair.ask(), Choose) and any(mine):
                assert mine != others, "the tables must differ in hidden dice"
            pair.go_on()
        assert not pair.shown() and pair.compared > 100


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_computers_think_equally_long_whatever_dice_are_hidden(game, options):
    """The random player's own dice differ, too. The classic player's do not, because they would change its choices."""
    with side_by_side(game, (ANN, CARELESS, BO, CLASSIC), same={3}, seed=5, options=options) as pair:
        for _ in range(60):
            if pair.shown() or isinstance(pair.one.scene, Result):
                break
            pair.go_on()
        assert {seat for seat, _ in chosen(pair.one)} & {1, 3} and pair.compared > 50


@pytest.mark.parametrize("odds", [False, True])
@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_a_person_among_computers_learns_nothing_about_their_dice(game, odds):
    with side_by_side(game, (ANN, CARELESS, CARELESS), same={0}, seed=3, odds=odds) as pair:
        for _ in range(40):
            if pair.shown():
                break
            pair.go_on()
        assert pair.compared > 50


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_the_menu_the_odds_and_a_game_set_aside_reveal_nothing(game):
    with side_by_side(game, (ANN, BO, CY)) as pair:
        pair.until_choice()
        say = pair.one.context.say
        pair.down("roll", "end")
        pair.run(0.9)
        pair.up("roll", "end")
        for _ in range(2):  # down the menu, past the rules, to the odds
            pair.press("roll")
        pair.press("end")
        assert any(word.startswith(say("menu.odds")) for word in pair.one.words)
        pair.press("end")
        pair.press("roll")
        pair.press("end")
        assert say("confirm.leave") in pair.one.words
        pair.press("roll")
        pair.press("end")
        assert isinstance(pair.one.scene, Attract) and pair.one.session.match is None
        pair.press("roll")
        assert say("go_on.title") in pair.one.words
        pair.press("end")
        mine, others = pair.hands()
        assert mine != others and pair.one.scene.wants_look
        pair.run(1.0)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_a_private_look_shows_only_the_players_own_dice(game, seat):
    with side_by_side(game, (ANN, BO, CY), same={seat}, odds=True) as pair:
        pair.until_choice(seat)
        mine, others = pair.hands()
        assert mine[seat] == others[seat] and mine != others
        words = set(pair.one.words)
        pair.down("roll")
        pair.run(0.5)
        new = [placed for placed in pair.one.canvas.texts if placed.text not in words]
        assert new and all(placed.private for placed in new)
        pair.up("roll")
        assert not any(placed.private for placed in pair.one.canvas.texts)


@pytest.mark.parametrize("game", ["bluff", "cacho"])
def test_a_private_look_changes_the_picture_but_not_the_sounds_or_lamps(game):
    with side_by_side(game, (ANN, BO, CY), odds=True) as pair:
        pair.until_choice()
        pair.apart = {"picture", "texts"}
        pair.down("roll")
        pair.run(0.5)
        left, right = (perceived(table) for table in pair.tables)
        assert left["picture"] != right["picture"], "the look shows the dice"
        for_all = [[text for text in side["texts"] if not text[-1]] for side in (left, right)]
        assert for_all[0] == for_all[1]
        pair.apart = ()
        pair.up("roll")
        pair.press("end")
        for _ in range(4):
            pair.go_on()


@pytest.mark.parametrize(("game", "word"), [("bluff", "call"), ("cacho", "dudo")])
def test_dice_revealed_by_the_rules_are_shown_to_everyone(game, word):
    with side_by_side(game, (ANN, BO, CY)) as pair:
        pair.until_choice()
        pair.go_on()
        for _ in range(40):
            choosing, roll = pair.one.scene._decision.choosing, pair.one.scene.caps(pair.one.now).roll
            in_list = roll is not None and roll.label == pair.one.context.say("cap.next")
            if in_list and word in [entry.option for entry in choosing.entries]:
                break
            pair.go_on()
        while choosing.entries[choosing.at].option != word:
            pair.press("roll")
        pair.press("end")
        pair.run(1.0)
        left, right = (perceived(table) for table in pair.tables)
        assert pair.shown() and left["picture"] != right["picture"], "the screen must show revealed dice"
