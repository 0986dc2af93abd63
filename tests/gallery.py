"""Every screen of the table by its name: the steps that lead there, and what it shows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from table.kiosk.gestures import END, ROLL, Look, Moved, Tap, Touched, Typed
from table.kiosk.party import Party, Seat
from table.kiosk.scenes.attract import SHOWN, Attract
from table.kiosk.scenes.games import games
from table.kiosk.scenes.go_on import go_on
from table.kiosk.scenes.keyboard import Keyboard
from table.kiosk.scenes.menu import confirm, leave, menu
from table.kiosk.scenes.odds import Odds
from table.kiosk.scenes.options import options
from table.kiosk.scenes.players import Players
from table.kiosk.scenes.rules import Rules
from table.kiosk.scenes.settings import settings
from table.kiosk.scenes.trouble import trouble
from table.messages import DeviceLost, Player, Records, Troubled
from table.rules import GAMES
from table.rules.vocabulary import Choose, Roll, View
from tests.visit import Screen, Step, Visit

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


# steps


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


def throwing(ask: Any, view: View) -> bool:
    return isinstance(ask, Roll)


def choosing(first: str) -> Callable[[Any, View], bool]:
    """Asked to choose, and the first option begins so."""

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


# the first screen, and the way to a game

attract = show(lambda visit: Attract(visit.desk, visit.table.now))
for place, game in enumerate(GAMES):
    add(f"attract-{game}", f"Big dice at rest, {game}, press Roll", attract, wait(place * SHOWN + 2))
add("attract-tumbling", "The dice in the air", attract, wait(SHOWN + 0.4))
add(
    "attract-no-buttons",
    "No physical buttons were found",
    lambda visit: setattr(visit.desk, "buttons_missing", "no pins here"),
    attract,
)
add("attract-journal-full", "The disk is full", lambda visit: visit.desk.trouble(Troubled("full", "")), attract)

add("games", "The five games, the first of them marked", show(lambda visit: games(visit.desk)))
add("games-last", "The last game marked", show(lambda visit: games(visit.desk)), do(Moved(-1)))


def known(visit: Visit) -> None:
    """All of them have played here before."""
    won = [{"bluff": 3, "cacho": 1}, {}, {"cheese": 12}, {"mexico": 1}] * 3
    visit.desk.records = Records(tuple(Player(name, won[at], won[at]) for at, name in enumerate(visit.names)))


def players(game: str, people: int, *levels: str) -> Step:
    def step(visit: Visit) -> None:
        seats = [Seat(name) for name in visit.names[:people]] + [Seat("", level) for level in levels]
        visit.show(Players(visit.desk, Party(GAMES[game], tuple(seats))))

    return step


add("players", "One and a computer, Start marked", known, players("mexico", 1, "classic"))
add(
    "players-alone", "One seat for Cheese, the list at a known player", known, players("cheese", 1), do(*[Moved(1)] * 6)
)
add("players-nobody", "Nobody yet: how many are missing", players("bluff", 0))
add("players-five", "Five seats of ten", known, players("pocoloco", 3, "classic", "random"))
add("players-ten", "A full table of ten", players("pocoloco", 8, "classic", "random"))
add("players-ten-people", "Ten people, the last one marked to be taken away", players("bluff", 10), do(Moved(-1)))

keyboard = show(lambda visit: Keyboard(visit.desk, Players(visit.desk, Party(GAMES["mexico"], ()))))
add("keyboard", "A name yet to be typed, the first row marked", keyboard)
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
        party = Party(GAMES[game], tuple(Seat(name) for name in visit.names[:people]))
        visit.show(options(visit.desk, party, Players(visit.desk, party)))

    add(f"options-{game}", f"The options of {game}, Start marked", choose_options)
    changing = do(Tap(ROLL), Tap(END), Tap(ROLL))
    add(f"options-{game}-changed", "An option changed, so that there is a way back", choose_options, changing)
    add(f"options-{game}-last", "The last option marked", choose_options, do(Moved(-1)))

# Mexico

alone = {"mode": "elimination"}
rolled_two = lambda facts, view: len(facts["dice"]) == 2  # noqa: E731
add("mexico-begin", "The first ask: one die each for who begins", sit("mexico", 2), asked(throwing))
add("mexico-tumbling", "Two dice in the air", sit("mexico", 2), moment("rolled", 0.45, rolled_two), moving=True)
add(
    "mexico-roll-or-end",
    "A throw lies there: roll or end",
    sit("mexico", 1, 1, seed=3),
    asked(also(choosing("roll"), lambda view: any(view["scores"]))),
)
add("mexico-mexico", "A Mexico", sit("mexico", 4, seed=2, **alone), moment("mexico", 0.5), moving=True)
add("mexico-lost", "A life is lost", sit("mexico", 2), moment("lost", 0.5), moving=True)
add("mexico-won", "A round is won", sit("mexico", 2), moment("won", 0.5), moving=True)
add("mexico-tie", "A round that nobody wins", sit("mexico", 2, seed=4), moment("tie", 0.5), moving=True)
add(
    "mexico-lowest",
    "Two are lowest: one die each",
    sit("mexico", 5, seed=3, **alone),
    asked(lambda ask, view: isinstance(ask, Roll) and ask.count == 1 and any(view["scores"])),
)
add(
    "mexico-four",
    "Four play for themselves",
    sit("mexico", 3, 1, seed=5, **alone),
    asked(also(choosing("roll"), lambda view: view["round"] > 1)),
)
add(
    "mexico-ten",
    "Ten play, some are out",
    sit("mexico", 7, 3, seed=5, **alone),
    asked(also(choosing("roll"), lambda view: view["standing"].count(0) > 2)),
)
add(
    "mexico-many-lives",
    "Nine lives are a heart and a number",
    sit("mexico", 3, seed=5, lives=9, **alone),
    asked(also(choosing("roll"), lambda view: view["round"] > 2)),
)

# Bluff

add("bluff-circle", "The order of the round is drawn", sit("bluff", 4), moment("drew", 0.6), moving=True)
add("bluff-shake", "The first shakes the cup", sit("bluff", 4), asked(throwing))
add("bluff-pass", "Pass the screen to whoever claims", sit("bluff", 4), asked(choosing("claim")))
add("bluff-look", "The private look", sit("bluff", 4), asked(choosing("claim")), do(Look(True)), private=True)
add("bluff-claim", "What to claim, from a neutral place", sit("bluff", 4), asked(choosing("claim")), do(Tap(END)))
add("bluff-alone", "One among computers: the own dice", sit("bluff", 1, 3), asked(choosing("claim")), private=True)
add("bluff-believe", "Believe it or call it", sit("bluff", 4), asked(choosing("accept")))
add("bluff-immunity", "The card that cancels a called bluff", sit("bluff", 4, seed=2), asked(choosing("immunity")))
add("bluff-called", "A called bluff, the dice are shown", sit("bluff", 4), moment("called", 0.7), moving=True)
called = lambda facts, view: facts["called"] and any(facts["gains"])  # noqa: E731
add("bluff-scored", "What a called claim changes", sit("bluff", 4, seed=3), moment("scored", 0.6, called), moving=True)
add("bluff-two", "Two play", sit("bluff", 2, seed=3), asked(choosing("accept")))
add("bluff-seven", "Seven play", sit("bluff", 7, seed=3), asked(choosing("accept")))
add(
    "bluff-ten",
    "Ten in the circle",
    sit("bluff", 8, 2, seed=3),
    asked(also(choosing("accept"), lambda view: view["round"] > 1)),
)
add(
    "bluff-lift",
    "Real dice under a real cup are typed in",
    sit("bluff", 4, cups=True),
    asked(throwing),
    do(Tap(ROLL), Typed("4")),
    source="typed",
)

# PocoLoco

many_done = lambda view: len([rank for rank in view["ranks"] if rank]) > 5  # noqa: E731
add("pocoloco-order", "The order of the round is drawn", sit("pocoloco", 4), moment("drew", 0.6), moving=True)
add("pocoloco-throw", "The first throw", sit("pocoloco", 3), asked(throwing))
add("pocoloco-tumbling", "Three dice in the air", sit("pocoloco", 4), moment("rolled", 0.45), moving=True)
add(
    "pocoloco-reroll",
    "Which dice to throw again",
    sit("pocoloco", 4, seed=2),
    asked(also(choosing("end"), lambda view: any(view["ranks"]))),
    do(Tap(ROLL), Tap(ROLL)),
)
add("pocoloco-chips", "Chips fly to whoever lost", sit("pocoloco", 4), moment("chips", 0.5), moving=True)
add("pocoloco-two", "Two play", sit("pocoloco", 1, 1), asked(choosing("end")))
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
    "Typed-in dice: two of three are in",
    sit("pocoloco", 4),
    asked(throwing),
    do(Tap(ROLL), Typed("4"), Typed("1"), Tap(ROLL), Tap(ROLL)),
    source="typed",
)

# Cheese

keeping = choosing("keep")
much = lambda ask, view: keeping(ask, view) and len(ask.options) > 4 and view["round"] > 3  # noqa: E731
add("cheese-throw", "A throw", sit("cheese", 3), asked(also(throwing, lambda view: view["round"] > 1)))
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
    "Points at risk beside points banked",
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
add("cheese-alone", "A game alone", sit("cheese", 1), asked(also(choosing("roll"), lambda view: view["round"] > 2)))
add(
    "cheese-ten",
    "Ten play, to a large goal",
    sit("cheese", 8, 2, goal=100_000),
    asked(also(keeping, lambda view: view["round"] > 20)),
)
add(
    "cheese-typed",
    "Typed-in dice: four of six are in",
    sit("cheese", 2),
    asked(throwing),
    do(Tap(ROLL), *[Typed(die) for die in "5163"], Moved(1)),
    source="typed",
)

# Cacho

opening = lambda ask, view: isinstance(ask, Choose) and not view["bid"]  # noqa: E731
full = GAMES["cacho"].seats[1]
add("cacho-begin", "One die each for who begins", sit("cacho", 4), asked(throwing))
add("cacho-shake", "Everybody shakes", sit("cacho", 4), asked(lambda ask, view: throwing(ask, view) and ask.hidden))
add("cacho-open", "The first bid: how many", sit("cacho", 4), asked(opening), do(Tap(END)))
add(
    "cacho-open-face",
    "The first bid: of which face",
    sit("cacho", 4),
    asked(opening),
    do(Tap(END), Tap(ROLL), Tap(END)),
)
add("cacho-pass", "Pass the screen to whoever bids", sit("cacho", 4), asked(bidding))
add("cacho-look", "The private look", sit("cacho", 4), asked(bidding), do(Look(True)), private=True)
add("cacho-raise", "Raise or doubt", sit("cacho", 4), asked(bidding), do(Tap(END)))
add("cacho-alone", "One among computers: the own dice", sit("cacho", 1, 3), asked(bidding), private=True)
add("cacho-challenge", "Those that count light up", sit("cacho", 4), moment("challenged", 0.75), moving=True)
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
add("cacho-single", "Two play, one has a single die", sit("cacho", 2, dice=2), asked(single), do(Tap(END)))
later = also(bidding, lambda view: view["round"] > 2)
add("cacho-full", "As many as can play", sit("cacho", full - 2, 2, seed=3), asked(later), do(Tap(END)))
add("cacho-full-challenge", "All of them are challenged", sit("cacho", full - 2, 2, seed=3), moment("challenged", 1.0))

# results, rules and odds

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
    add(f"result-{game}-full", "The result of a full table", *finished(game, GAMES[game].seats[1], **for_all))
    rules = show(lambda visit, game=game: Rules(visit.desk, game, visit.scene))
    add(f"rules-{game}", f"The rules of {game}, page by page", rules, pages=True)
    odds = show(lambda visit: Odds(visit.desk, visit.desk.hall.match.referee.view(None), visit.scene))
    choosing_any = bidding if game == "cacho" else lambda ask, view: isinstance(ask, Choose)
    add(
        f"odds-{game}",
        f"The odds in a game of {game}",
        sit(game, 2 if game == "mexico" else 4),
        asked(choosing_any),
        odds,
    )
add("result-alone", "The result of a game alone", *finished("cheese", 1, goal=1000))

# menus, settings and trouble

to_menu = [sit("cheese", 2), asked(keeping), show(lambda visit: menu(visit.desk, visit.scene))]
add("menu", "The table menu in the middle of a game", *to_menu)
add("menu-end", "The end of the table menu", *to_menu, do(Moved(-1)))
add("leave", "Put the game aside, or give it up", *to_menu, show(lambda visit: leave(visit.desk, visit.scene)))
for question in ("give_up_sure", "shut_down", "restart", "exit"):
    sure = show(lambda visit, key=f"confirm.{question}": confirm(visit.desk, key, lambda _: visit.scene, visit.scene))
    add(f"confirm-{question.replace('_', '-')}", "A second press before that", *to_menu, sure)

to_settings = show(lambda visit: settings(visit.desk, visit.scene))
add("settings", "The settings of the table", to_settings)
add("settings-dice", "Where the dice come from", to_settings, do(*[Moved(1)] * 5), source="typed")


def put_aside(count: int) -> Step:
    def step(visit: Visit) -> None:
        found = []
        for at, game in enumerate(list(GAMES)[-count:]):
            visit.sit(game, 2 if game == "mexico" else 4)
            found.append(replace(visit.desk.hall.set_aside(), at=EVENING - (30, 4000, 200_000, 900)[at]))
        visit.desk.records = Records(unfinished=tuple(found))
        visit.show(go_on(visit.desk, lambda: EVENING))

    return step


add("go-on", "One game can be gone on with", put_aside(1))
add("go-on-more", "Several games, the last entry marked", put_aside(4), do(Moved(-1)))


def lose_the_dice(visit: Visit) -> None:
    visit.desk.hall.handle(DeviceLost("typed", "The cable is out."))
    visit.show(trouble(visit.desk, visit.scene))


typing = [sit("cheese", 2), asked(throwing), do(Tap(ROLL))]
add("trouble", "The dice source was lost in the middle of a throw", *typing, lose_the_dice, source="typed")
for code in ("full", "readonly", "corrupt", "foreign", "newer", "older", "locked", "failed"):
    wrong = Troubled(code, "/home/table/.local/share/dicetable/table.db")
    note = lambda visit, wrong=wrong: visit.desk.trouble(wrong)  # noqa: E731
    add(f"journal-{code}", "Nothing can be kept, or not all of it", note, sit("cheese", 3), asked(keeping))
