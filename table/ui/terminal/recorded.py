"""The records in a terminal: who leads, a player, the games, one game, the dice.

Its one rule: it fits the window, however narrow: names are cut, columns that have no room are left out, sentences are
broken.
"""

from collections.abc import Mapping, Sequence

from table.analysis import fairness
from table.analysis.fairness import Verdict
from table.analysis.luck import SeatLuck
from table.games import GAMES
from table.session.match import News
from table.session.messages import Player
from table.storage.records.pages import DicePage, GameLine, GameList, GamePage, Leader, PlayerPage, leaders
from table.text.catalogue import Catalogue
from table.text.narration import recorded, transcript
from table.text.narration.recorded import number
from table.ui.terminal import charts, draw, figures
from table.ui.terminal.figures import GAP, Bar
from table.ui.terminal.screen import Screen
from table.ui.terminal.words import listed, many

LEADERS = 10  # in the overview
NARROW = 24  # columns that a list of names needs beside the rest of its line
LONGEST = max(len(game.name) for game in GAMES.values())

_SAY = Catalogue()


def title(screen: Screen, text: str) -> None:
    screen.say(text, "name")


def heading(screen: Screen, text: str) -> None:
    screen.line("")
    screen.say(text, "bold")


def overview(screen: Screen, known: Sequence[Player], counts: Mapping[str, int], last: GameList) -> None:
    title(screen, _SAY("records.title"))
    if not last.total:
        screen.say(_SAY("records.none"))
        return
    by_game = listed([f"{number(count)} of {GAMES[game].name}" for game, count in counts.items() if count])
    screen.say(f"{_many(last.total, 'finished game')}: {by_game}.")
    board = leaders(known)
    if board:
        heading(screen, _SAY("records.board"))
        leaderboard(screen, board[:LEADERS])
    if len(board) > LEADERS:
        screen.say(f"{_many(len(board) - LEADERS, 'other')}: dicetable records players.", "dim")
    heading(screen, _SAY("records.last_games"))
    for line in last.games:
        game_line(screen, line)
    screen.line("")
    screen.say("More: dicetable records players, player NAME, games, game NUMBER, dice; and --help.", "dim")


def leaderboard(screen: Screen, board: Sequence[Leader]) -> None:
    most = max(1, *(leader.won for leader in board))
    wide = len(str(board[-1].place))
    rows = [
        (f"{leader.place:>{wide}}  {_short(screen, leader.name)}", *_won(leader.won, leader.played)) for leader in board
    ]
    heads = (" " * wide + "  player", "won", "played", "share")
    table(screen, heads, rows, [_bar(leader.won / most) for leader in board])


def players(screen: Screen, known: Sequence[Player], game: str | None) -> None:
    title(screen, _SAY("records.players") + (f": {GAMES[game].name}" if game else ""))
    board = leaders(known, game)
    if board:
        leaderboard(screen, board)
    else:
        screen.say(_SAY("records.none"))
    new = [_short(screen, player.name) for player in known if not player.played]
    if new and not game:
        screen.say(f"No finished game yet: {listed(new)}.", "dim")


def player(screen: Screen, page: PlayerPage, verdict: Verdict | None) -> None:
    title(screen, draw.isolated(page.name))
    played, won = sum(page.played.values()), sum(page.won.values())
    if days := recorded.days(page, _SAY):
        when = f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[1]}"
        screen.say(f"{_many(played, 'game')} {when}, {number(won)} won ({_percent(won, played)}).")
    if not page.recent:
        screen.say(_SAY("records.no_games"))
    else:
        screen.say(f"{recorded.streak(page, _SAY)}.")
        screen.line("")
        screen.line(charts.dots(page.recent, screen.width))
        screen.say("The last games, the newest on the right: ● won, ○ lost.", "dim")
        _by_game(screen, page)
    if page.rivals:
        _rivals(screen, page)
    if page.moments:
        heading(screen, _SAY("records.moments"))
        for moment in page.moments:
            said = f"{recorded.moment(moment, _SAY)} (game {moment.number})"
            _beside(screen, f"  {GAMES[moment.game].name}", said, LONGEST + 4, below=4)
    if verdict is not None and verdict.throws:
        heading(screen, _SAY("records.dice"))
        faces(screen, verdict)


def _by_game(screen: Screen, page: PlayerPage) -> None:
    screen.line("")
    shown = [game for game in GAMES if page.played.get(game)]
    rows = [(GAMES[game].name, *_won(page.won.get(game, 0), page.played[game])) for game in shown]
    bars = [_bar(page.won.get(game, 0) / page.played[game]) for game in shown]
    table(screen, ("game", "won", "played", "share"), rows, bars)


def _rivals(screen: Screen, page: PlayerPage) -> None:
    screen.line("")
    rows = [
        (_short(screen, rival.name), number(rival.won), number(rival.lost), number(rival.played))
        for rival in page.rivals
    ]
    bars = [
        (rival.won / (rival.won + rival.lost), 1.0) if rival.won + rival.lost else (0.0, 0.0) for rival in page.rivals
    ]
    table(screen, ("rival", "won", "lost", "games"), rows, bars)
    screen.say("Lost are games that the rival won; somebody else may have won the others.", "dim")


def games(screen: Screen, found: GameList, more: str, none: str) -> None:
    """`more` is what to type for those that came before, `none` why there are none, where it is not that none was ever
    finished here."""
    title(screen, _SAY("records.games"))
    if not found.games:
        screen.say(none or _SAY("records.none"))
        return
    for line in found.games:
        game_line(screen, line)
    shown = f"{number(len(found.games))} of {_many(found.total, 'game')}."
    screen.line("")
    screen.say(f"{shown} Those before: {more}" if found.after is not None else shown, "dim")


def game_line(screen: Screen, line: GameLine) -> None:
    """Its number, its day, what was played, and who won against whom."""
    head = f"{line.number:>5}  {recorded.day(line.ended, _SAY):>11}  {GAMES[line.game].name:<{LONGEST}}"
    _beside(screen, head, outcome(line), len(head) + len(GAP), below=7)


def outcome(line: GameLine) -> str:
    """Ann won against Bo and Dot."""
    names = [draw.isolated(recorded.name(seat, at, _SAY)) for at, seat in enumerate(line.seats)]
    won = [name for name, seat in zip(names, line.seats, strict=True) if seat.won]
    lost = [name for name, seat in zip(names, line.seats, strict=True) if not seat.won]
    against = f" against {listed(lost)}" if won and lost else ""
    return f"{listed(won)} won{against}" if won else f"{listed(names)} played"


def numbered(line: GameLine) -> str:
    return f"Game {line.number}: {GAMES[line.game].name}"


def game(screen: Screen, page: GamePage, steps: Sequence[News], luck: Sequence[SeatLuck], why: str) -> None:
    """`why` it cannot be played again, and has no steps, if it has none."""
    line = page.line
    title(screen, numbered(line))
    minutes = round((line.ended - page.began) / 60)
    lasted = f", {many(minutes, 'minute')}" if 0 < minutes < 24 * 60 else ""
    screen.say(f"{recorded.day(line.ended, _SAY, clock=True)}{lasted}.")
    names = [draw.isolated(recorded.who(seat, at, _SAY)) for at, seat in enumerate(line.seats)]
    if page.saved is not None and (unusual := transcript.options(page.saved, names, _SAY, unusual=True)):
        screen.say(_SAY("records.options", options=", ".join(unusual)) + ".", indent="  ")
    screen.line("")
    for seat, name in ((line.seats[at], names[at]) for at in page.order):
        figure = recorded.figure(line, seat, _SAY)
        guest = " (guest)" if seat.guest and seat.name else ""
        said = f"{'★' if seat.won else ' '} {name}{guest}" + (f": {figure}" if figure else "")
        screen.say(said, "good" if seat.won else "", indent="    ")
    if why:
        screen.line("")
        screen.say(why)
    if steps:
        heading(screen, "Round by round")
        charts.series(screen, list(zip(names, transcript.standings(steps), strict=True)))
        heading(screen, _SAY("records.luck"))
        for seat_luck, name in zip(luck, names, strict=True):
            screen.say(recorded.luck(seat_luck, name, _SAY), indent="  ")
            if thrown := recorded.best_throw(seat_luck, _SAY):
                screen.say(f"  {thrown}", "dim", indent="  ")
        screen.line("")
        screen.say(f"More: dicetable records replay {line.number}, review {line.number}, export {line.number}.", "dim")


def dice(screen: Screen, page: DicePage, verdicts: Mapping[tuple[str, str], Verdict]) -> None:
    """All of them."""
    title(screen, _SAY("records.dice"))
    if not page.sources:
        screen.say("No dice were thrown in a finished game yet.")
        return
    sources = [(recorded.source(source, _SAY), verdicts["source", source]) for source in page.sources]
    for name, verdict in sources:
        heading(screen, name)
        faces(screen, verdict)
    people = recorded.ordered([(name, verdicts["player", name]) for name in page.players])
    if people:
        heading(screen, _SAY("records.by_player"))
        _people(screen, people)
    heading(screen, "How many more throws would show a face that comes up too often")
    _needed(screen, [*sources, *people], len(verdicts))
    heading(screen, "How far this can be trusted")
    screen.say(recorded.trap(_SAY))


def _people(screen: Screen, people: Sequence[tuple[str, Verdict]]) -> None:
    """A line each, with its six faces side by side; a sentence for whatever is suspicious."""
    rows = [(_short(screen, name), _small(verdict.counts), number(verdict.throws)) for name, verdict in people]
    table(screen, ("player", "1 to 6", "throws"), rows, [(0.0, 0.0)] * len(rows))
    odd = [(name, verdict) for name, verdict in people if verdict.level in ("odd", "unfair")]
    for name, verdict in odd:
        screen.say(f"{draw.isolated(name)}: {recorded.fair(verdict, _SAY)}", "bad", indent="  ")
    if not odd:
        few = [verdict.level == "few" for _, verdict in people]
        told = "Nothing speaks against anybody's dice"
        told += ", where there are enough throws to say so." if any(few) else "."
        told = "There are too few throws yet to say anything of anybody's dice." if all(few) else told
        screen.say(f"{told} dicetable records dice --player NAME shows more.", "dim")


def _needed(screen: Screen, groups: Sequence[tuple[str, Verdict]], judged: int) -> None:
    rows = []
    for name, verdict in groups:
        left = [fairness.still_needed(verdict.throws, bias, judged) for bias in recorded.BIASES.values()]
        rows.append((_short(screen, name), *(number(throws) if throws else "none" for throws in left)))
    heads = ("", *(f"1 in {one_in}" for one_in in recorded.BIASES))
    table(screen, heads, rows, [(0.0, 0.0)] * len(rows))
    screen.say("A fair face comes up 1 time in 6. After so many throws 8 of 10 such dice would be noticed.", "dim")


def noticed(screen: Screen, percent: float, throws: int) -> None:
    """Of a bias that somebody asked for."""
    screen.line("")
    screen.say(
        f"A face that comes up {percent:g}% of the time, where 16.7% is fair, takes {number(throws)} throws from one "
        "source or player: then 8 of 10 such dice would be noticed."
    )


def some_dice(screen: Screen, name: str, verdict: Verdict, judged: int, by_source: Mapping[str, Sequence[int]]) -> None:
    """Of one source, or of one player with every source by itself."""
    title(screen, draw.isolated(name))
    faces(screen, verdict)
    for source, counts in by_source.items():
        heading(screen, recorded.source(source, _SAY))
        charts.faces(screen, counts, fairness.band(sum(counts)))
    if by_source:
        screen.say("By source this is not judged: the more one looks at, the more of it looks odd by chance.", "dim")
    screen.line("")
    for sentence in recorded.needed(verdict.throws, judged, _SAY):
        screen.say(sentence)
    screen.say(recorded.trap(_SAY), "dim")


def faces(screen: Screen, verdict: Verdict) -> None:
    charts.faces(screen, verdict.counts, fairness.band(verdict.throws), verdict.suspect)
    style = {"unfair": "bad", "odd": "bad"}.get(verdict.level, "")
    screen.say(recorded.fair(verdict, _SAY), style)


def table(screen: Screen, heads: Sequence[str], rows: Sequence[Sequence[str]], bars: Sequence[Bar]) -> None:
    """As figures do it, without the last columns where the window has no room for them."""
    widths = [max(map(draw.width_of, column)) for column in zip(heads, *rows, strict=True)]
    shown = len(heads)
    while shown > 2 and sum(widths[:shown]) + len(GAP) * (shown - 1) > screen.width:
        shown -= 1
    figures.table(screen, heads[:shown], [row[:shown] for row in rows], bars)


def _beside(screen: Screen, head: str, text: str, column: int, below: int) -> None:
    """A text that begins in that column, or in another one below its head where the window is too narrow."""
    if screen.width - column < NARROW:
        screen.say(head.rstrip(), indent=" " * below)
        head, column = "", below
    first, *rest = draw.wrapped(text, screen.width - column)
    screen.line(draw.padded(head, column) + first)
    for line in rest:
        screen.line(" " * column + line)


def _small(counts: Sequence[int]) -> str:
    """Six faces side by side."""
    most = len(charts.STEPS) - 1
    return "".join(charts.STEPS[round(most * count / (max(counts) or 1))] for count in counts)


def _short(screen: Screen, name: str) -> str:
    return draw.isolated(draw.cut(name, max(8, screen.width // 3)))


def _won(won: int, played: int) -> tuple[str, str, str]:
    return number(won), number(played), _percent(won, played)


def _percent(won: int, played: int) -> str:
    return f"{100 * won / played:.0f}%" if played else "-"


def _bar(share: float) -> Bar:
    return share, share


def _many(count: int, one: str) -> str:
    return f"{number(count)} {one if count == 1 else one + 's'}"
