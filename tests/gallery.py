"""Every screen of the kiosk by name, with the steps that lead there and what it shows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy

from table.devices import DiceSource
from table.devices.calibrating import Calibrating
from table.engine.asks import Choose, Roll, View
from table.games import GAMES
from table.session.lineup import Lineup, Seat
from table.session.messages import (
    CameraLies,
    CameraSaw,
    Correction,
    DeviceLost,
    DiceRead,
    HotspotState,
    Player,
    PowerRefused,
    SeenDie,
    SourceState,
    Troubled,
)
from table.ui.kiosk.gestures import END, ROLL, Look, Moved, Tap, Touched, Typed
from table.ui.kiosk.scenes.attract import SHOWN, Attract
from table.ui.kiosk.scenes.calibration import Calibration
from table.ui.kiosk.scenes.games import games
from table.ui.kiosk.scenes.go_on import go_on
from table.ui.kiosk.scenes.hotspot import HotspotScreen
from table.ui.kiosk.scenes.join import Join
from table.ui.kiosk.scenes.keyboard import Keyboard
from table.ui.kiosk.scenes.menu import confirm, leave, menu, switched
from table.ui.kiosk.scenes.odds import odds
from table.ui.kiosk.scenes.options import options
from table.ui.kiosk.scenes.pairing import pairing
from table.ui.kiosk.scenes.play import Play
from table.ui.kiosk.scenes.player import to_player
from table.ui.kiosk.scenes.players import Players
from table.ui.kiosk.scenes.records import dice, leaderboard, records
from table.ui.kiosk.scenes.records import people as all_people
from table.ui.kiosk.scenes.review import Reviewing
from table.ui.kiosk.scenes.rules import rules
from table.ui.kiosk.scenes.settings import settings
from table.ui.kiosk.scenes.trouble import trouble
from tests import filmed, homegame, tabletop
from tests.recorded import (
    arrive,
    happens,
    in_league,
    kept,
    leader,
    loaded,
    no_longer_kept,
    of_game,
    stepped,
    stranger,
    taken,
    unreadable,
    with_pin,
)
from tests.visit import Screen, Step, Visit, draw
from vision.lighting import Finding

NAMES = ("Ann", "Bo", "Carla", "Dmitri", "Élodie", "Farouk", "Ginevra", "Hugo", "Iñigo", "June")
LONGEST = (
    "Maximiliana Wolkenstein-Hohenburg-Mühlen",
    "Wilhelmina Catherine Montgomery-Weatherw",
    "José María de la Santísima Trinidad Góme",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "Bartholomew Featherstonehaugh-Cholmonde.",
    "Grandmother Ermintrude of Long Whatton 🎲",
    "Anastasia Konstantinowna Prokofjewa-Smit",
    "Llanfairpwllgwyngyllgogerychwyrndrobwlll",
    "Mr. Christopher Jonathan Wetherby-Wright",
    "Óscar Iván Hernández-Martínez de Córdoba",
)
EVENING = 1_700_000_000.0

SCREENS: dict[str, Screen] = {}


def add(
    name: str,
    shows: str,
    *steps: Step,
    private: bool = False,
    pages: bool = False,
    moving: bool = False,
    **settings: Any,
) -> None:
    assert name not in SCREENS, name
    SCREENS[name] = Screen(name, shows, steps, settings, private, pages, moving)


# Steps


def show(scene: Callable[[Visit], Any]) -> Step:
    return lambda visit: visit.show(scene(visit))


def wait(seconds: float) -> Step:
    def step(visit: Visit) -> None:
        visit.table.now += seconds

    return step


def do(*gestures: Any) -> Step:
    return lambda visit: visit.do(*gestures)


def sit(game: str, people: int, computers: int = 0, seed: int = 1, **options: Any) -> Step:
    return lambda visit: visit.sit(game, people, computers, seed, **options)


def moment(kind: str, t: float, when: Callable[[Any, View], Any] = lambda facts, view: True) -> Step:
    return lambda visit: visit.moment(kind, t, when)


def asked(when: Callable[[Any, View], Any]) -> Step:
    return lambda visit: visit.asked(when)


def rolling(ask: Any, view: View) -> bool:
    return isinstance(ask, Roll)


def choosing(first: str) -> Callable[[Any, View], bool]:
    """Match a choice whose first option has this name."""

    def when(ask: Any, view: View) -> bool:
        if not isinstance(ask, Choose):
            return False
        option = ask.options[0]
        return (option[0] if isinstance(option, tuple) else option) == first

    return when


def also(one: Callable[[Any, View], Any], two: Callable[[View], Any]) -> Callable[[Any, View], Any]:
    return lambda ask, view: one(ask, view) and two(view)


def bidding(ask: Any, view: View) -> bool:
    return isinstance(ask, Choose) and bool(view["bid"])


def finished(game: str, people: int, computers: int = 0, seed: int = 1, **options: Any) -> list[Step]:
    return [sit(game, people, computers, seed, **options), Visit.over]


# The first screen, and starting a game

attract = show(lambda visit: Attract(visit.context, visit.table.now))
for place, game in enumerate(GAMES):
    add(f"attract-{game}", f"The big dice at rest, {game}, and a hint to press Roll", attract, wait(place * SHOWN + 2))
add("attract-tumbling", "The dice in the air", attract, wait(SHOWN + 0.4))
add(
    "attract-no-buttons",
    "No physical buttons were found",
    lambda visit: setattr(visit.context.devices, "buttons_missing", "no pins here"),
    attract,
)
add(
    "attract-journal-full",
    "The disk is full",
    lambda visit: visit.context.storage.failed(Troubled("full", "")),
    attract,
)

add("games", "The five games, the first one marked", show(lambda visit: games(visit.context)))
add("games-last", "The last game marked", show(lambda visit: games(visit.context)), do(Moved(-1)))


def known(visit: Visit) -> None:
    """Everyone has played here before."""
    won = [{"bluff": 3, "cacho": 1}, {}, {"cheese": 12}, {"mexico": 1}] * 3
    visit.context.history.players = tuple(Player(name, won[at], won[at]) for at, name in enumerate(visit.names))


def players(game: str, people: int, *levels: str) -> Step:
    def step(visit: Visit) -> None:
        seats = [Seat(name) for name in visit.names[:people]] + [Seat("", level) for level in levels]
        visit.show(Players(visit.context, Lineup(GAMES[game], tuple(seats))))

    return step


add("players", "One person and a computer, Start marked", known, players("mexico", 1, "classic"))
add("players-alone", "One seat for Cheese, a known player marked", known, players("cheese", 1), do(*[Moved(1)] * 6))
add("players-nobody", "No players yet: how many are missing", players("bluff", 0))
add("players-five", "Five of ten seats taken", known, players("pocoloco", 3, "classic", "random"))
add(
    "players-computer",
    "The computer levels",
    players("mexico", 1, "classic"),
    show(lambda visit: visit.scene._computers()),
)
add("players-ten", "A full table of ten", players("pocoloco", 8, "classic", "random"))
add("players-ten-people", "Ten people, the last one marked for removal", players("bluff", 10), do(Moved(-1)))


def keyboard(visit: Visit) -> None:
    under = Players(visit.context, Lineup(GAMES["mexico"], ()))
    visit.show(Keyboard(visit.context, under, under.named))


add("keyboard", "No name typed yet, the first row marked", keyboard)
add(
    "keyboard-letter",
    "A name half typed, a letter of the third row marked",
    keyboard,
    do(*[Touched(f"key:{key}") for key in ("1.2", "2.6", "1.6")]),
    do(Tap(ROLL), Tap(ROLL), Tap(END), Tap(ROLL), Tap(ROLL)),
)
add("keyboard-longest", "A name of forty letters", keyboard, do(*[Typed("W") for _ in range(40)]))

for game in GAMES:
    people = 3 if game in ("bluff", "cacho", "pocoloco") else 2

    def choose_options(visit: Visit, game: str = game, people: int = people) -> None:
        party = Lineup(GAMES[game], tuple(Seat(name) for name in visit.names[:people]))
        visit.show(options(visit.context, party, Players(visit.context, party)))

    add(f"options-{game}", f"The options of {game}, Start marked", choose_options)
    changing = do(Tap(ROLL), Tap(END), Tap(ROLL))
    add(f"options-{game}-changed", "A changed option, and the entry that resets it", choose_options, changing)
    add(f"options-{game}-last", "The last option marked", choose_options, do(Moved(-1)))

# Mexico

alone = {"mode": "elimination"}
rolled_two = lambda facts, view: len(facts["dice"]) == 2  # noqa: E731
add("mexico-begin", "One die each decides who begins", sit("mexico", 2), asked(rolling))
add("mexico-tumbling", "Two dice in the air", sit("mexico", 2), moment("rolled", 0.45, rolled_two), moving=True)
add(
    "mexico-roll-or-end",
    "After a roll: roll again or end",
    sit("mexico", 1, 1, seed=3),
    asked(also(choosing("roll"), lambda view: any(view["scores"]))),
)
add("mexico-mexico", "A Mexico", sit("mexico", 4, seed=2, **alone), moment("mexico", 0.5), moving=True)
add("mexico-lost", "A life is lost", sit("mexico", 2), moment("lost", 0.5), moving=True)
add(
    "mexico-to-win",
    "The challenge to win rounds: some are won, and a life is lost",
    sit("mexico", 1, 1, seed=1, goal="win"),
    asked(also(choosing("roll"), lambda view: min(view["won"]) > 0)),
)
add("mexico-won", "A round is won", sit("mexico", 2), moment("won", 0.5), moving=True)
add("mexico-tie", "A round without a winner", sit("mexico", 2, seed=4), moment("tie", 0.5), moving=True)
add(
    "mexico-lowest",
    "Two players tie for the lowest roll: one die each",
    sit("mexico", 5, seed=3, **alone),
    asked(lambda ask, view: isinstance(ask, Roll) and ask.count == 1 and any(view["scores"])),
)
add(
    "mexico-four",
    "Four players, everyone for themselves",
    sit("mexico", 3, 1, seed=5, **alone),
    asked(also(choosing("roll"), lambda view: view["round"] > 1)),
)
add(
    "mexico-lowest-odds",
    "Odds during play: beating the best roll, and not being the lowest",
    sit("mexico", 4, seed=5, **alone),
    asked(also(choosing("roll"), lambda view: len(set(view["scores"])) > 2)),
    odds=True,
)
add(
    "mexico-ten",
    "Ten players, some of them out",
    sit("mexico", 7, 3, seed=5, **alone),
    asked(also(choosing("roll"), lambda view: view["standing"].count(0) > 2)),
)
add(
    "mexico-many-lives",
    "Nine lives, shown as a heart and a number",
    sit("mexico", 3, seed=5, lives=9, **alone),
    asked(also(choosing("roll"), lambda view: view["round"] > 2)),
)

# Bluff

add("bluff-circle", "The order of the round is drawn", sit("bluff", 4), moment("drew", 0.6), moving=True)
add("bluff-shake", "The first player shakes the cup", sit("bluff", 4), asked(rolling))
add("bluff-pass", "Pass the screen to the player who claims", sit("bluff", 4), asked(choosing("claim")))
add("bluff-look", "The private look", sit("bluff", 4), asked(choosing("claim")), do(Look(True)), private=True)
add(
    "bluff-claim", "What to claim, the mark in a neutral place", sit("bluff", 4), asked(choosing("claim")), do(Tap(END))
)
add(
    "bluff-alone",
    "One person among computers: their own dice",
    sit("bluff", 1, 3),
    asked(choosing("claim")),
    private=True,
)
add(
    "bluff-alone-believe",
    "One person among computers: believe or call",
    sit("bluff", 1, 3),
    asked(choosing("accept")),
    private=True,
)
add("bluff-believe", "Believe it or call it", sit("bluff", 4), asked(choosing("accept")))
add("bluff-immunity", "The card that cancels a called bluff", sit("bluff", 4, seed=2), asked(choosing("immunity")))
add("bluff-called", "A called bluff, the dice are shown", sit("bluff", 4), moment("called", 0.7), moving=True)
called = lambda facts, view: facts["called"] and any(facts["gains"])  # noqa: E731
add("bluff-scored", "What a called claim changes", sit("bluff", 4, seed=3), moment("scored", 0.6, called), moving=True)
add("bluff-two", "Two players", sit("bluff", 2, seed=3), asked(choosing("accept")))
add("bluff-seven", "Seven players", sit("bluff", 7, seed=3), asked(choosing("accept")))
add(
    "bluff-ten",
    "Ten players in the circle",
    sit("bluff", 8, 2, seed=3),
    asked(also(choosing("accept"), lambda view: view["round"] > 1)),
)
add(
    "bluff-lift",
    "Dice under a real cup are typed in",
    sit("bluff", 4, cups=True),
    asked(rolling),
    do(Tap(ROLL), Typed("4")),
    source="typed",
)

# PocoLoco

many_done = lambda view: len([rank for rank in view["ranks"] if rank]) > 5  # noqa: E731
add("pocoloco-order", "The order of the round is drawn", sit("pocoloco", 4), moment("drew", 0.6), moving=True)
add("pocoloco-roll", "The first roll", sit("pocoloco", 3), asked(rolling))
add("pocoloco-tumbling", "Three dice in the air", sit("pocoloco", 4), moment("rolled", 0.45), moving=True)
add(
    "pocoloco-reroll",
    "Which dice to reroll",
    sit("pocoloco", 4, seed=2),
    asked(also(choosing("end"), lambda view: any(view["ranks"]))),
    do(Tap(ROLL), Tap(ROLL)),
)
add("pocoloco-chips", "Chips fly to the loser", sit("pocoloco", 4), moment("chips", 0.5), moving=True)
add("pocoloco-two", "Two players", sit("pocoloco", 1, 1), asked(choosing("end")))
add("pocoloco-ten", "A full table of ten", sit("pocoloco", 8, 2, seed=3), asked(also(choosing("end"), many_done)))
add(
    "pocoloco-ten-tumbling",
    "A full table of ten, the dice in the air",
    sit("pocoloco", 8, 2, seed=3),
    moment("rolled", 0.3, lambda facts, view: many_done(view)),
    moving=True,
)
add(
    "pocoloco-typed",
    "Typing in dice: two of three are entered",
    sit("pocoloco", 4),
    asked(rolling),
    do(Tap(ROLL), Typed("4"), Typed("1"), Tap(ROLL), Tap(ROLL)),
    source="typed",
)

# Cheese

keeping = choosing("keep")
much = lambda ask, view: keeping(ask, view) and len(ask.options) > 4 and view["round"] > 3  # noqa: E731
add("cheese-roll", "Before a roll", sit("cheese", 3), asked(also(rolling, lambda view: view["round"] > 1)))
add("cheese-tumbling", "Six dice in the air", sit("cheese", 3), moment("rolled", 0.4), moving=True)
add("cheese-keep", "Which dice to keep, best first", sit("cheese", 3), asked(much))
add(
    "cheese-no-set",
    "Touched dice that do not score together",
    sit("cheese", 3),
    asked(much),
    do(*[Touched(f"die:{at}") for at in range(6)]),
)
add(
    "cheese-roll-or-bank",
    "Points at risk next to banked points",
    sit("cheese", 3),
    asked(also(choosing("roll"), lambda view: view["round"] > 2 and view["points"] > 400)),
)
add("cheese-cut", "The cheese is cut: the turn's points are gone", sit("cheese", 3), moment("cut", 0.5), moving=True)
add("cheese-banked", "Points are banked", sit("cheese", 3), moment("banked", 0.5), moving=True)
passing = sit("cheese", 3, seed=2, pass_bonus=500)
add("cheese-passed", "All six dice scored: the cheese is passed", passing, moment("passed", 0.5), moving=True)
add("cheese-card", "A card is drawn", sit("cheese", 3, cards=True), moment("drew", 0.7), moving=True)
add("cheese-cards-keep", "A turn with a card", sit("cheese", 4, cards=True), asked(keeping))
add("cheese-last-turns", "The goal is reached", sit("cheese", 3, last_turn=True, goal=1000), moment("last_turns", 1.0))
add("cheese-alone", "A solo game", sit("cheese", 1), asked(also(choosing("roll"), lambda view: view["round"] > 2)))
add(
    "cheese-ten",
    "Ten players, a high goal",
    sit("cheese", 8, 2, goal=100_000),
    asked(also(keeping, lambda view: view["round"] > 20)),
)
add(
    "cheese-typed",
    "Typing in dice: four of six are entered",
    sit("cheese", 2),
    asked(rolling),
    do(Tap(ROLL), *[Typed(die) for die in "5163"], Moved(1)),
    source="typed",
)

# Cacho

opening = lambda ask, view: isinstance(ask, Choose) and not view["bid"]  # noqa: E731
full = GAMES["cacho"].seats[1]
add("cacho-begin", "One die each decides who begins", sit("cacho", 4), asked(rolling))
add("cacho-shake", "Everyone shakes", sit("cacho", 4), asked(lambda ask, view: rolling(ask, view) and ask.hidden))
add("cacho-open", "The first bid: how many", sit("cacho", 4), asked(opening), do(Tap(END)))
add(
    "cacho-open-face",
    "The first bid: of which face",
    sit("cacho", 4),
    asked(opening),
    do(Tap(END), Tap(ROLL), Tap(END)),
)
add("cacho-pass", "Pass the screen to the next bidder", sit("cacho", 4), asked(bidding))
add("cacho-look", "The private look", sit("cacho", 4), asked(bidding), do(Look(True)), private=True)
add("cacho-raise", "Raise or doubt", sit("cacho", 4), asked(bidding), do(Tap(END)))
add("cacho-alone", "One person among computers: their own dice", sit("cacho", 1, 3), asked(bidding), private=True)
add("cacho-challenge", "The dice that count light up", sit("cacho", 4), moment("challenged", 0.75), moving=True)
add("cacho-challenge-end", "A challenge, counted out", sit("cacho", 4), moment("challenged", 1.0))
add("cacho-lost", "A die is lost", sit("cacho", 4), moment("lost", 0.5), moving=True)
calza = moment("challenged", 1.0, lambda facts, view: facts["word"] == "calza")
add("cacho-calza", "A calza", sit("cacho", 4), calza)
add(
    "cacho-regained",
    "A calza was exact: a die comes back",
    sit("cacho", 4, seed=3),
    moment("regained", 0.5),
    moving=True,
)
single = lambda ask, view: isinstance(ask, Choose) and view["single"]  # noqa: E731
add("cacho-single", "Two players, one with a single die", sit("cacho", 2, dice=2), asked(single), do(Tap(END)))
later = also(bidding, lambda view: view["round"] > 2)
add("cacho-full", "A full table", sit("cacho", full - 2, 2, seed=3), asked(later), do(Tap(END)))
add("cacho-full-challenge", "A challenge at a full table", sit("cacho", full - 2, 2, seed=3), moment("challenged", 1.0))

# Results, rules and odds

SHORT: dict[str, dict[str, Any]] = {
    "mexico": {},
    "bluff": {"rounds": 2},
    "pocoloco": {"chips": 3},
    "cheese": {"goal": 2000},
    "cacho": {"dice": 2},
}
for game, short in SHORT.items():
    people = 1 if game == "mexico" else 3
    add(f"result-{game}", f"The result of a game of {game}", *finished(game, people, 1, **short))
    for_all = {**short, **alone} if game == "mexico" else short
    add(f"result-{game}-full", "The result at a full table", *finished(game, GAMES[game].seats[1], **for_all))
    read = show(lambda visit, game=game: rules(visit.context, game, visit.scene))
    add(f"rules-{game}", f"The rules of {game}, page by page", read, pages=True)
    chances = show(lambda visit: odds(visit.context, visit.context.session.match.referee.view(None), visit.scene))
    choosing_any = bidding if game == "cacho" else lambda ask, view: isinstance(ask, Choose)
    add(
        f"odds-{game}",
        f"The odds in a game of {game}",
        sit(game, 2 if game == "mexico" else 4),
        asked(choosing_any),
        chances,
    )
for name, shows in {
    "mexico-roll-or-end": "beating the house",
    "bluff-believe": "a claim",
    "bluff-alone-believe": "a claim, among computers",
    "pocoloco-reroll": "rerolling the marked dice",
    "cheese-keep": "rolling the dice that would be left",
    "cheese-cards-keep": "cutting and passing the cheese",
    "cheese-roll-or-bank": "rolling the last die",
    "cacho-look": "the bid, for a player who sees their own dice",
    "cacho-raise": "the bid, for someone who sees no dice",
    "cacho-alone": "the bid, for a person among computers",
}.items():
    there = SCREENS[name]
    add(f"{name}-odds", f"Odds during play: {shows}", *there.steps, private=there.private, odds=True)

# A game with rules but no screens of its own


def home(visit: Visit) -> None:
    visit.table._held.enter_context(homegame.registered())


def someone_out(view: View) -> Any:
    return view["out"] and any(view["dice"][view["turn"]])


to_choice = asked(choosing("roll"))
add("ferry-alone", "A solo player", home, sit("ferry", 1, dice=2), to_choice)
add("ferry-two", "Two players, and the first one's roll", home, sit("ferry", 1, 1), to_choice)
add("ferry-four", "Four players, one of them out", home, sit("ferry", 3, 1), asked(also(choosing("roll"), someone_out)))
add("ferry-ten", "Ten players and six dice", home, sit("ferry", 10, dice=6), asked(also(choosing("roll"), someone_out)))
add("ferry-hidden", "Hidden dice on the table", home, sit("ferry", 4, secret=True), to_choice, do(Tap(END)))
add("ferry-tumbling", "Dice in the air", home, sit("ferry", 3), moment("rolled", 0.45), moving=True)
add("ferry-landed", "The standing changes", home, sit("ferry", 3), moment("landed", 0.6), moving=True)
add("ferry-result", "Who won", home, *finished("ferry", 3, goal=40))
add(
    "ferry-rules",
    "The rules page of a game that has none",
    home,
    show(lambda visit: rules(visit.context, "ferry", visit.scene)),
)

add("result-alone", "The result of a solo game", *finished("cheese", 1, goal=1000))


def judged(visit: Visit) -> None:
    """Wait until every decision has been reviewed."""
    tabletop.loaded(visit.scene)
    while visit.scene.wake(visit.table.now) is not None:
        visit.scene.tick(visit.table.now)


for game, how in {"mexico": {}, "cheese": {"goal": 2000}, "cacho": {"dice": 2}}.items():
    add(
        f"review-{game}",
        f"The review of a game of {game}",
        *finished(game, 1, 1, **how),
        show(lambda visit: Reviewing(visit.context, visit.context.session.match, visit.scene)),
        judged,
    )

# Menus, settings and trouble

to_menu = [sit("cheese", 2), asked(keeping), show(lambda visit: menu(visit.context, visit.scene))]
add("menu", "The table menu during a game", *to_menu)
add("menu-end", "The end of the table menu", *to_menu, do(Moved(-1)))
add("leave", "Set the game aside, or give it up", *to_menu, show(lambda visit: leave(visit.context, visit.scene)))
for question in ("give_up_sure", "shut_down", "restart", "exit"):
    sure = show(
        lambda visit, key=f"confirm.{question}": confirm(visit.context, key, lambda _: visit.scene, visit.scene)
    )
    add(f"confirm-{question.replace('_', '-')}", "Asks for a second press to confirm", *to_menu, sure)

for wish in ("shut_down", "restart"):
    wished = show(lambda visit, wish=wish: switched(visit.context, wish, visit.scene))
    why = "System has not been booted with systemd…"  # the longest reason that is shown
    refusal = lambda visit, wish=wish, why=why: setattr(visit.context.run, "refused", PowerRefused(wish, why))  # noqa: E731
    add(f"power-{wish.replace('_', '-')}", "The machine has been asked to do it", *to_menu, wished)
    add(f"power-{wish.replace('_', '-')}-refused", "The machine refused", *to_menu, wished, refusal)

to_settings = show(lambda visit: settings(visit.context, visit.scene))
add("settings", "The settings of the table", to_settings)
add("settings-dice", "Where the dice come from", to_settings, do(*[Moved(1)] * 6), source="typed")


# The camera

calibrating = lambda step: show(lambda visit: Calibration(visit.context, filmed.at(step), visit.scene))  # noqa: E731
looking = lambda visit: visit.show(visit.scene.tick(visit.table.now))  # noqa: E731
placing = lambda visit: draw(visit, (160, 96))  # noqa: E731
for step, shows in {
    "dice": "The tray should be empty, but there are dice in it",
    "empty": "The tray is empty",
    "edge": "The edge of the tray was found",
    "strip": "Asks where the strip for kept dice is",
    "first": "One die is seen",
    "more": "Five dice are seen",
    "verdict": "Everything is fine",
}.items():
    add(f"calibration-{step}", shows, calibrating(step), looking, moving=step in ("dice", "first", "more", "verdict"))
add(
    "calibration-edge-corner",
    "A corner of the tray is being moved",
    calibrating("edge"),
    looking,
    placing,
    do(*[Moved(-1)], Tap(END), Tap(END)),
)
add(
    "calibration-strip-right",
    "A strip on the right of the tray",
    calibrating("strip"),
    looking,
    placing,
    do(Tap(ROLL), Tap(ROLL), Tap(END), Tap(ROLL)),
)


def badly_lit(visit: Visit) -> None:
    """Show the last step, with findings about the light."""
    good = filmed.at("verdict")
    work = Calibrating(lambda: None, lambda *_: None, aside=lambda work: None)
    assert good.shown is not None
    told = (
        Finding("glare", (300.0, 270.0)),
        Finding("alike", min(good.shown.dice, key=lambda die: die.centre[1]).centre),
        Finding("flicker"),
    )
    work.frame, work.shown = good.frame, replace(good.shown, findings=told)
    visit.show(Calibration(visit.context, work, visit.scene))


add("calibration-light", "What to change about the light, and where", badly_lit, looking, moving=True)
add(
    "calibration-no-picture",
    "The camera gives no picture",
    show(lambda visit: Calibration(visit.context, Calibrating(lambda: None, lambda *_: None), visit.scene)),
)
add(
    "settings-camera",
    "A camera can be calibrated",
    lambda visit: setattr(visit.context.devices, "calibrating", lambda: filmed.at("empty")),
    to_settings,
    do(*[Moved(1)] * 7),
)
add(
    "settings-camera-streak",
    "How many rolls in a row the camera has read without asking",
    lambda visit: setattr(visit.context.devices, "calibrating", lambda: filmed.at("empty")),
    lambda visit: setattr(visit.context.devices, "unasked", 128),
    to_settings,
    do(*[Moved(1)] * 7),
)
add(
    "settings-camera-unheld",
    "A camera that does not hold its settings",
    lambda visit: setattr(visit.context.devices, "calibrating", lambda: filmed.at("empty")),
    lambda visit: setattr(visit.context.devices, "unheld", ("exposure", "gain", "white balance", "focus")),
    to_settings,
    do(*[Moved(1)] * 7),
)


class LearnedDice:
    """What a camera has learned about the dice."""

    count = 128

    def begin_with(self, faces: tuple[Any, ...] = ()) -> None:
        self.count = len(faces)


learned = lambda visit: setattr(visit.context.devices, "own_dice", LearnedDice())  # noqa: E731
add("settings-own-dice", "The camera has learned these dice", learned, to_settings, do(*[Moved(1)] * 7))
add("settings-own-dice-sure", "Asks before the dice are forgotten", learned, to_settings, do(*[Moved(1)] * 7, Tap(END)))


# The table's own Wi-Fi


class Quiet:
    """A hotspot whose state never changes."""

    def __init__(self, busy: bool = False) -> None:
        self.busy = busy

    def look(self) -> None: ...


def own_wifi(state: HotspotState | None, busy: bool = False) -> list[Step]:
    def step(visit: Visit) -> None:
        visit.context.devices.hotspot, visit.context.devices.hotspot_state = Quiet(busy), state
        visit.show(HotspotScreen(visit.context, visit.context.devices.hotspot, visit.scene))

    return [step, lambda visit: visit.show(visit.scene.tick(visit.table.now))]


WIFI = HotspotState(True, "Dice Table 472", "wkpvdtrnqhzm", "10.42.0.1")
longest = HotspotState(True, "W" * 32, "mw" * 31 + "m", "10.42.255.255")
add("hotspot-on", "The code, the name and the password of the table's own Wi-Fi", *own_wifi(WIFI))
add("hotspot-on-off", "It can be turned off", *own_wifi(WIFI), do(Tap(ROLL)))
add("hotspot-on-longest", "The longest possible name and password", *own_wifi(longest))
add("hotspot-off", "It is off", *own_wifi(HotspotState()))
add("hotspot-off-leaves", "The table would leave a network for it", *own_wifi(HotspotState(network="Vicarage 5 GHz")))
add("hotspot-busy", "Waiting for NetworkManager", *own_wifi(HotspotState(), busy=True))
for code in ("missing", "asleep", "no_wifi", "radio", "busy", "denied", "failed"):
    said = "Connection activation failed: 802.1X supplicant took too long to authenticate."
    wrong = own_wifi(HotspotState(trouble=code, detail=said))
    add(f"hotspot-{code.replace('_', '-')}{'-device' if code == 'busy' else ''}", "It cannot be turned on", *wrong)
add("settings-hotspot", "The way to the table's own Wi-Fi", *own_wifi(WIFI), to_settings, do(Moved(-1), Moved(-1)))


# Phones


class OpenPort:
    """Stands in for the phone server; opens no real port."""

    def __init__(self, address: str = "http://192.168.178.41:8000", why: str = "") -> None:
        self.address, self.why = address, why

    def of(self, code: str) -> str:
        return f"{self.address}/{code}"

    def send(self, out: Any) -> None: ...

    def tell(self, connections: Any) -> None: ...


def with_phones(*names: str, gone: Sequence[str] = (), **port: Any) -> Step:
    """These people have joined, and those in `gone` have disconnected."""

    def step(visit: Visit) -> None:
        context = visit.context
        context.room.code, context.room.name = "KRTB", "Brave Otter Harbour"
        context.connect(OpenPort(**port))
        for number, name in enumerate(names):
            person, _ = context.room.join(name)
            if name not in gone:
                context.room.arrives(person, number)

    return step


def sit_with_phones(game: str, gone: bool = False) -> Step:
    def step(visit: Visit) -> None:
        context, people = visit.context, list(visit.context.room.people.values())
        visit.table.sources["simulated"]._chance.seed(1)
        visit.context.session._chance.seed(1)
        context.sit_down(Lineup(GAMES[game], (*(Seat(p.name, phone=p.id) for p in people), Seat("", "classic")), {}))
        context.session.match.referee.seed = 1
        context.room.phone_rules.patience = 0 if gone else 60
        visit.show(Play(context, visit.table.now))
        while context.session.turn != "phone":
            visit._answer()
            visit._skip()

    return step


join = show(lambda visit: Join(visit.context, visit.scene))
add("attract-phones", "The code to join with a phone", with_phones(), attract)
add(
    "attract-phones-no-buttons",
    "The code, two people who have joined, and no physical buttons",
    with_phones("Ann", "Bo"),
    lambda visit: setattr(visit.context.devices, "buttons_missing", "no pins here"),
    attract,
)
add("join", "How to join with a phone; no one has joined yet", with_phones(), join)
add("join-three", "Three people have joined", with_phones(*NAMES[:3]), join)
add("join-closed", "The port could not be opened", with_phones(address="", why="Address already in use"), join)
add("players-phones", "Two phones and a computer", with_phones("Ann", "Bo"), players("bluff", 0, "classic"))
add("bluff-phone", "Waiting for a phone", with_phones("Ann", "Bo"), sit_with_phones("bluff"))
add(
    "bluff-phone-gone",
    "Waiting for a phone that has disconnected",
    with_phones("Ann", "Bo", gone=("Ann", "Bo")),
    sit_with_phones("bluff", gone=True),
)
add(
    "join-gone",
    "What to do about a phone that has disconnected",
    with_phones("Ann", "Bo", gone=("Bo",)),
    sit_with_phones("bluff", gone=True),
    join,
)


def put_aside(count: int) -> Step:
    def step(visit: Visit) -> None:
        found = []
        for at, game in enumerate(list(GAMES)[-count:]):
            visit.sit(game, 2 if game == "mexico" else 4)
            found.append(replace(visit.context.session.set_aside(), at=EVENING - (30, 4000, 200_000, 900)[at]))
        visit.context.history.unfinished = tuple(found)
        visit.show(go_on(visit.context, lambda: EVENING))

    return step


add("go-on", "One unfinished game", put_aside(1))
add("go-on-more", "Several unfinished games, the last entry marked", put_aside(4), do(Moved(-1)))


def lose_the_dice(visit: Visit) -> None:
    visit.context.session.handle(DeviceLost("typed", "The cable is out."))
    visit.show(trouble(visit.context, visit.scene))


typing = [sit("cheese", 2), asked(rolling), do(Tap(ROLL))]
add("trouble", "The dice source was lost during a roll", *typing, lose_the_dice, source="typed")
for code in ("full", "readonly", "corrupt", "foreign", "newer", "older", "locked", "failed"):
    wrong = Troubled(code, "/home/table/.local/share/dicetable/table.db")
    note = lambda visit, wrong=wrong: visit.context.storage.failed(wrong)  # noqa: E731
    add(f"journal-{code}", "Games cannot be saved, or not all of them", note, sit("cheese", 3), asked(keeping))


# Electronic dice


def edice(visit: Visit) -> None:
    """Use e-dice as the source, without searching for any."""
    visit.context.session.dice.source = "edice"


def without_edice(visit: Visit) -> None:
    visit.show(pairing(visit.context, visit.table.sources["edice"], visit.scene))


def own(waiting: bool) -> Step:
    """The first player has a set of e-dice; if `waiting`, the second player is about to pair a set."""

    def step(visit: Visit) -> None:
        visit.context.session.dice.devices["edice"].boards.pairs.paired = {visit.names[0]: "e66141c41b2a4f28"}
        visit.context.session.dice.devices["edice"].boards.pairs.waiting = visit.names[1] if waiting else None
        visit.context.devices.states["edice"] = SourceState("edice", ready=2)
        visit.show(pairing(visit.context, visit.table.sources["edice"], visit.scene))

    return step


def lose_the_edice(why: str) -> Step:
    def step(visit: Visit) -> None:
        visit.context.session.dice.lost = DeviceLost("edice", why)
        visit.show(trouble(visit.context, visit.scene))

    return step


with_edice = [sit("bluff", 4), asked(rolling), edice]
add("settings-edice", "Electronic dice as the source", to_settings, edice, do(*[Moved(1)] * 6))
add(
    "menu-edice",
    "The menu with an entry for pairing",
    *with_edice,
    show(lambda v: menu(v.context, v.scene)),
    do(*[Moved(1)] * 3),
)
add("pairing", "Who has e-dice of their own and who does not", *with_edice, own(False))
add("pairing-press", "A player should press the button of their e-dice", *with_edice, own(True), do(Moved(1)))
add(
    "pairing-absent",
    "No e-dice to pair",
    *with_edice,
    show(lambda v: pairing(v.context, v.table.sources["edice"], v.scene)),
)
add("edice-lost", "No e-dice is plugged in", *with_edice, lose_the_edice("absent"))
add("edice-lost-own", "The roller's own e-dice is not plugged in", *with_edice, lose_the_edice("own"))
add("edice-lost-twin", "The roller's e-dice cannot be told apart from another", *with_edice, lose_the_edice("twin"))
add("edice-lost-idle", "The e-dice is connected but does not roll", *with_edice, lose_the_edice("idle"))
for code in ("silent", "stalled", "foreign", "version", "flood", "rebooted", "entropy", "denied", "busy"):
    said = lambda visit, code=code: visit.context.devices.states.update(  # noqa: E731
        edice=SourceState("edice", "/dev/ttyACM0", code)
    )
    add(f"edice-{code}", "Something is wrong with the e-dice", *with_edice, said)


# Dice under the camera


class Still(DiceSource):
    """A camera source that shows one picture; the test says which dice it sees."""

    name, watches, reads_cups = "camera", True, True

    def __init__(self) -> None:
        self.camera = self

    def picture(self, after: int = 0) -> Any:
        return SimpleNamespace(number=1, frame=five_dice()) if after < 1 else None

    def ask(self, ticket: int, roll: Roll, lifted: bool = False) -> None: ...
    def show(self, within: Any) -> None: ...
    def enter(self, dice: Any, seen: Any = ()) -> None: ...


PLACES = ((120, 110), (250, 200), (360, 120), (150, 270), (330, 280))


@cache
def five_dice() -> Any:
    """A grey tray with a white square at each place."""
    seen = numpy.empty((360, 480, 3), numpy.uint8)
    seen[:, :, 0] = (60 + numpy.arange(360) // 8)[:, None]
    seen[:, :, 1] = 70 + numpy.arange(480) // 12
    seen[:, :, 2] = 64
    for x, y in PLACES:
        seen[y - 24 : y + 24, x - 24 : x + 24] = (225, 236, 240)
    return seen


def camera(visit: Visit) -> None:
    """Use a camera that shows one picture."""
    visit.table.sources["camera"] = Still()
    visit.context.session.dice.use("camera")


def saw(
    state: str,
    values: Sequence[int] = (),
    doubtful: int = 0,
    doubts: tuple[str, ...] = (),
    places: tuple[tuple[float, float], ...] = (),
) -> Step:
    """Report this reading from the camera; the last `doubtful` dice are uncertain."""

    def step(visit: Visit) -> None:
        session = visit.context.session
        assert session.dice.awaited
        seen = []
        for place, value in enumerate(values):
            x, y = PLACES[place]
            box = tuple(((x + u) / 480, (y + v) / 360) for u, v in ((-24, -24), (24, -24), (24, 24), (-24, 24)))
            seen.append(SeenDie(value, box, place < len(values) - doubtful))
        count = session.dice.awaited.roll.count
        visit.context.devices.saw = CameraSaw(session.dice.awaited.ticket, state, count, tuple(seen), doubts, places)
        visit._tick()
        visit.table.now += 0.5  # a question can be answered only after a moment

    return step


under = [sit("pocoloco", 3), asked(lambda ask, view: rolling(ask, view) and ask.count == 3), camera]
add("camera-waits", "Dice are needed, and the camera is watching", *under, saw("empty"))
add("camera-restarts", "The camera's process is restarting", *under, saw("restarting"))
add("camera-rolling", "Something moves under the camera", *under, saw("moving"))
add("camera-read", "Three dice, each with a box and a value", *under, saw("read", (6, 2, 5)))


def answered(*dice: int, read: tuple[int, ...] = ()) -> Step:
    """Take these dice, which people confirmed or corrected if there is a reading."""

    def step(visit: Visit) -> None:
        session = visit.context.session
        correction = Correction(read, (False,) * len(read), "a die is tilted", b"") if read else None
        session.handle(DiceRead("camera", session.dice.awaited.ticket, dice, correction=correction))
        visit._tick()

    return step


add(
    "camera-streak",
    "The last of many rolls that were read without asking",
    lambda visit: visit.context.count_unasked(128),
    *under,
    saw("read", (6, 2, 5)),
    answered(6, 2, 5),
    moving=True,
)
add("camera-on-edge", "An uncertain die to be confirmed", *under, saw("unsure", (6, 2, 5), 1, ("edge",)))
add("camera-few", "Only two of three dice are visible", *under, saw("unsure", (6, 2), 0, ("few",)))
add("camera-many", "Too many dice", *under, saw("unsure", (6, 2, 5, 1), 0, ("many",)))
add(
    "camera-strange",
    "All dice, and an object that is not a die",
    *under,
    saw("unsure", (6, 2, 5), 0, ("strange",), ((0.69, 0.78),)),
)
on_edge = [*under, saw("unsure", (6, 2, 5), 1, ("edge",))]
confirmed = [do(Tap(ROLL)), answered(6, 2, 5, read=(6, 2, 5))]
add("camera-confirmed", "The uncertain die was confirmed", *on_edge, *confirmed, moving=True)
corrected = [do(Tap(END), Typed("4")), answered(6, 2, 4, read=(6, 2, 5))]
add("camera-corrected", "The uncertain die was corrected", *on_edge, *corrected, moving=True)
add(
    "camera-correct",
    "One of two dice is corrected, the next one is asked about",
    *under,
    saw("unsure", (6, 2, 5), 2, ("edge",)),
    do(Tap(END), Tap(ROLL), Tap(END)),
)
add("camera-change", "A certain die is about to be changed", *on_edge, do(Touched("die:0"), Typed("3")))
add("camera-stayed", "All dice may have been there before", *under, saw("unsure", (6, 2, 5), 3, ("stayed",)))


def lies(strip: Sequence[int], loose: Sequence[int], thrown: bool = False) -> Step:
    """Dice have been moved into the strip while a player is choosing."""

    def step(visit: Visit) -> None:
        visit.context.devices.lies = CameraLies(tuple(strip), (), tuple(loose), thrown)
        visit._tick()

    return step


def rolled(*dice: int) -> Step:
    """Roll these dice."""

    def step(visit: Visit) -> None:
        session = visit.context.session
        session.handle(DiceRead("camera", session.dice.awaited.ticket, dice))
        visit._tick()
        visit._skip()

    return step


to_keep = [sit("cheese", 3), asked(rolling), camera, rolled(1, 5, 3, 3, 2, 6)]
add("camera-aside", "Two dice in the strip that can be kept", *to_keep, lies((1, 5), (3, 3, 2, 6)))
add("camera-aside-idle", "Two dice in the strip that do not score", *to_keep, lies((3, 2), (1, 5, 3, 6)))
add("camera-aside-turned", "A die was turned over on its way", *to_keep, lies((4,), (1, 5, 3, 3, 2)))
add("camera-aside-rolled", "The other dice were rolled anyway", *to_keep, lies((3,), (1, 1, 4, 4, 6), thrown=True))
cups = [camera, sit("bluff", 3, rules="simple", cups=[0, 1, 2]), asked(choosing("accept"))]
call = [lambda visit: visit.context.session.choose("call"), Visit._tick, Visit._skip]
add("camera-cup", "A cup should be lifted, but other dice are in the tray", *cups, *call, saw("settled"))
add(
    "camera-cup-doubt",
    "Dice that may be left over from the last roll",
    *cups,
    *call,
    saw("unsure", (6, 2), 2, ("stayed",)),
)
add(
    "camera-odds",
    "Odds during play, next to the camera's picture",
    sit("cheese", 3),
    asked(choosing("roll")),
    camera,
    lambda visit: visit.context.session.choose("roll"),
    Visit._tick,
    Visit._skip,
    saw("empty"),
    odds=True,
)


# Records


def open_page(scene: Callable[[Visit], Any]) -> list[Step]:
    return [kept, show(scene), arrive]


to_records = open_page(lambda visit: records(visit.context, visit.scene))
add("records", "The entries of the records", *to_records)
add("records-board", "The leaderboard, for all games and for each", *to_records, do(Tap(END)), pages=True)
board = show(lambda visit: leaderboard(visit.context, visit.scene))
add("records-board-nobody", "No one has won yet", board)
add("records-board-league", "The leaderboard of the league", kept, in_league(), board)
add("records-board-league-away", "The league cannot be reached", kept, in_league("away", "timed out"), board)
add("records-people", "The players, the first one marked", *to_records, do(Tap(ROLL), Tap(END)))
add("records-people-nobody", "No known players yet", show(lambda visit: all_people(visit.context, visit.scene)))
to_first = open_page(lambda visit: to_player(visit.context, leader(visit), visit.scene, visit.table.now))
add("records-player", "A player: figures, streak and last games", *to_first)
add("records-player-delete", "A player, Delete marked", *to_first, do(Moved(-1)))
add(
    "records-player-seated",
    "A seated player cannot be renamed",
    kept,
    lambda visit: visit.context.sit_down(Lineup(GAMES["mexico"], (Seat(leader(visit)), Seat("", "classic")))),
    *to_first[1:],
    do(Moved(-1)),
)
add("records-rivals", "A player's most frequent opponents", *to_first, do(Moved(1), Tap(END)))
add("records-moments", "The best moments of a player", *to_first, do(Moved(1), Moved(1), Tap(END)))
add("records-games", "The finished games", *to_records, do(Moved(1), Moved(1), Tap(END)), arrive)
add("records-games-player", "The games of a player, further down", *to_first, do(Tap(END)), arrive, do(*[Moved(1)] * 6))
for game in GAMES:
    add(f"records-game-{game}", f"The page of a game of {game}", *of_game(game))
add("records-game-five", "A game of five, with a guest and a computer", *of_game("cheese", 5), do(Moved(1)))
add("records-game-gone", "A game whose moves are no longer kept", kept, no_longer_kept, arrive)
to_luck = do(Tap(ROLL), Tap(END))
add("records-luck", "The luck of each seat", *of_game("cacho"), to_luck, pages=True)
add("records-luck-five", "The luck of five players", *of_game("cheese", 5), to_luck, pages=True)
replaying = {
    "mexico": happens("rolled", 1),
    "bluff": lambda shown: happens("chose", 1)(shown) and "claim" in str(shown.moment.facts["option"]),
    "pocoloco": happens("chips"),
    "cheese": happens("banked", 1),
    "cacho": lambda shown: happens("chose", 1)(shown) and len(shown.view["bids"]) > 1,
}
for game, when in replaying.items():
    add(f"records-replay-{game}", f"A step of a game of {game}", *of_game(game), do(Tap(END)), stepped(when))
counted_out = stepped(happens("challenged"))
add("records-replay-challenge", "A bid is counted out", *of_game("cacho"), do(Tap(END)), counted_out)
add("records-replay-begin", "The first step", *of_game("bluff", 5), do(Tap(END)))
to_end = stepped(lambda shown: shown.moment is None)
add("records-replay-end", "The last step: who won", *of_game("cheese"), do(Tap(END)), to_end)
add(
    "records-dice",
    "The dice by source with a verdict, and by player",
    *open_page(lambda visit: dice(visit.context, visit.scene, visit.table.now)),
    pages=True,
)
add("records-dice-player", "The dice of a player", *to_first, do(*[Moved(1)] * 3, Tap(END)), arrive, pages=True)
add("records-dice-loaded", "A face that comes up too often", loaded, pages=True)
to_name = [*to_first, do(*[Moved(1)] * 4)]
add("records-rename", "Typing a new name", *to_name, do(Tap(END)))
add("records-rename-taken", "The name is taken", *to_name, do(Tap(END)), taken)
add("records-merge", "Which player is the same person", *to_name, do(Moved(1), Tap(END)))
add("records-merge-met", "They have played against each other", *to_name, do(Moved(1), Tap(END), Tap(END)), arrive)
add(
    "records-merge-sure",
    "Asks for a second press before two players are merged",
    *to_name,
    do(Moved(1), Tap(END)),
    stranger,
)
add(
    "records-delete-sure",
    "Asks for a second press before a player is deleted",
    *to_name,
    do(Moved(1), Moved(1), Tap(END)),
)
add("records-slow", "A page takes long to load", *to_records, do(Moved(-1), Tap(END)), wait(1.0))
add("records-refused", "A page cannot be read", *to_records, unreadable, do(Moved(-1), Tap(END)), arrive)
add("pin", "The operator's PIN, two digits entered", with_pin, *to_name, do(Tap(END), Typed("2"), Typed("4")))
to_pin = [with_pin, *to_name, do(Tap(END))]
add("pin-wrong", "A wrong PIN", *to_pin, do(Typed("1"), Tap(END)))
add("pin-locked", "Too many wrong PINs", *to_pin, do(*[Typed("1"), Tap(END)] * 5), wait(1.0))
add("attract-leaders", "Who leads, between the games", kept, attract, wait(2 * SHOWN + 2))
add("attract-leaders-phones", "Who leads, next to the code", kept, with_phones(), attract, wait(2 * SHOWN + 2))
add("menu-records", "The menu with an entry for the records", kept, *to_menu, do(*[Moved(1)] * 4))
