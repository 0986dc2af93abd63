"""The pages of the records: leaderboard, players, a player, games, a game, dice.

Its one rule: a page is built from data that has already been read, so any thread can build it for any front
end. Parts that a front end shows separately are functions of their own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from table.analysis.fairness import EXPECTED, Verdict, band
from table.analysis.luck import SeatLuck, luck
from table.engine.referee import Referee
from table.games import GAMES, bots
from table.session.match import News
from table.session.messages import Player
from table.storage.records import games as again
from table.storage.records.pages import DicePage, GameLine, GameList, GamePage, Moment, PlayerPage, Rival, leaders
from table.text import game_texts
from table.text.catalogue import Catalogue
from table.text.narration import transcript
from table.text.numbers import percent
from table.text.records import blocks as b
from table.text.records import words

ALL = 1_000_000  # no limit on the number of lines
LEADERS = 10  # leaders shown in the overview

Verdicts = Mapping[tuple[str, str], Verdict]
"""As returned by `storage.records.pages.verdicts`."""


def overview(everybody: Sequence[Player], counts: Mapping[str, int], last: GameList, say: Catalogue) -> b.Page:
    """The leaders, the number of finished games of each kind, and the last games."""
    title = say("records.title")
    if not last.total:
        return b.Page(title, (b.Text(say("records.none")),))
    each = [
        say("records.of_game", number=words.number(count), game=game_texts.name(game, say))
        for game, count in counts.items()
        if count
    ]
    total = words.games(last.total, say)
    leading = _some(leader_rows(everybody, say), 0, LEADERS, b.Link("board"), no_leaders(None, say), say)
    blocks = (
        b.Text(say("records.stands", name=total, figure=say.listed(each)) if each else total),
        b.Section(say("records.board"), leading),
        b.Section(say("records.last_games"), (b.Rows(tuple(game_row(line, say) for line in last.games)),)),
        b.Text(say("records.more_pages"), "quiet"),
    )
    return b.Page(title, blocks)


# Players


def board(
    label: str,
    players: Sequence[Player],
    say: Catalogue,
    game: str | None = None,
    known: Collection[str] | None = None,
    begin: int = 0,
    most: int = ALL,
) -> b.Page:
    """The players with the most wins, over all games or one. `known` are the players who have a page here; None means
    all."""
    rows = leader_rows(players, say, game, known)
    switch = b.Switch(
        label,
        (
            (say("records.all_games"), b.Link("board")),
            *((game_texts.name(each, say), b.Link("board", game=each)) for each in GAMES),
        ),
        list(GAMES).index(game) + 1 if game else 0,
    )
    new = [one.name for one in players if not one.played] if known is None and not game else []
    note = [b.Text(f"{say('records.no_games')} {say.listed(new)}", "quiet")] if new else []
    return b.Page(
        say("records.title"),
        (switch, *_some(rows, begin, most, b.Link("board", game=game or ""), no_leaders(game, say), say), *note),
    )


def leader_rows(
    players: Sequence[Player], say: Catalogue, game: str | None = None, known: Collection[str] | None = None
) -> list[b.Row]:
    found = leaders(players, game)
    longest = max((leader.played for leader in found), default=1)
    return [
        b.Row(
            leader.name,
            (words.share(leader.won, leader.played, say),),
            mark=str(leader.place),
            bar=b.Bar(leader.won / longest, leader.played / longest),
            link=b.Link("player", leader.name) if known is None or leader.name in known else None,
        )
        for leader in found
    ]


def players(everybody: Sequence[Player], say: Catalogue, begin: int = 0, most: int = ALL) -> b.Page:
    """All known players, most recently active first."""
    rows = [
        b.Row(one.name, (share(one, say) or say("records.no_games"),), face="table", link=b.Link("player", one.name))
        for one in everybody
    ]
    return b.Page(say("records.title"), _some(rows, begin, most, b.Link("players"), no_leaders(None, say), say))


def share(one: Player | PlayerPage, say: Catalogue) -> str:
    """How many games the player won, such as "5 of 12 (42%)". Empty if no game was finished."""
    played = sum(one.played.values())
    return words.share(sum(one.won.values()), played, say) if played else ""


def no_leaders(game: str | None, say: Catalogue) -> str:
    """Why a leaderboard is empty: guests' games do not count."""
    return say("records.no_leaders_of", game=game_texts.name(game, say)) if game else say("records.no_leaders")


def _some(
    rows: Sequence[b.Row], begin: int, most: int, link: b.Link, without: str, say: Catalogue
) -> tuple[b.Block, ...]:
    """One page of rows, with a link to the next page. If there are no rows, the text `without` is shown."""
    begin = max(0, begin)
    end = begin + most
    if not rows[begin:end]:
        return (b.Text(without, "quiet"),)
    more = (b.Go(say("records.further"), replace(link, number=end)),) if end < len(rows) else ()
    return (b.Rows(tuple(rows[begin:end])), *more)


def player(page: PlayerPage, verdict: Verdict | None, judged: int, say: Catalogue) -> b.Page:
    """The page of one player. `verdict` is about the player's dice, one of `judged` groups of dice that are judged
    together."""
    blocks = [*results(page, say)]
    if page.rivals:
        blocks.append(b.Section(say("records.rivals"), rivals(page, say)))
    if page.moments:
        rows = tuple(moment(best, say) for best in page.moments)
        blocks.append(b.Section(say("records.moments"), (b.Rows(rows),)))
    if verdict is not None and verdict.throws:
        blocks += [faces(say("records.dice"), verdict, say, judged), b.Text(say("records.band"), "quiet")]
    return b.Page(page.name, tuple(blocks), words.days(page, say))


def results(page: PlayerPage, say: Catalogue) -> tuple[b.Block, ...]:
    """How often the player won, recently and by game."""
    if not page.recent:
        return (b.Text(say("records.no_games")),)
    return (
        b.Text(say("records.won_of", share=share(page, say)), "lead"),
        b.Text(words.streak(page, say)),
        b.Dots(page.recent, say("records.recent")),
        b.Section(
            say("records.games"), (by_game(page, say), b.Go(say("records.their_games"), b.Link("games", page.name)))
        ),
    )


def by_game(page: PlayerPage, say: Catalogue) -> b.Rows:
    games = dict.fromkeys((*GAMES, *page.played))  # games that are no longer installed come last
    counts = [(game, page.played[game], page.won.get(game, 0)) for game in games if page.played.get(game)]
    most = max((played for _, played, _ in counts), default=1)
    rows = (
        b.Row(game_texts.name(game, say), words.parts(won, played, say), bar=b.Bar(won / most, played / most))
        for game, played, won in counts
    )
    return b.Rows(tuple(rows))


def rivals(page: PlayerPage, say: Catalogue) -> tuple[b.Rows, *tuple[b.Text, ...]]:
    """The most frequent opponents, and who won how often."""
    told = any(map(words.others_won, page.rivals))
    rows = b.Rows(tuple(_rival(met, say) for met in page.rivals))
    return (rows, b.Text(say("records.rivals_rest"), "quiet")) if told else (rows,)


def _rival(met: Rival, say: Catalogue) -> b.Row:
    figures = (
        words.games(met.played, say),
        say("records.count_won", count=met.won),
        say("records.count_lost", count=met.lost),
    )
    bar = b.Bar(met.won / met.played, 1.0, met.lost / met.played)
    return b.Row(met.name, figures, bar=bar, link=b.Link("player", met.name))


def moment(best: Moment, say: Catalogue) -> b.Row:
    figures = (say("records.number", number=best.number),)
    link = b.Link("game", number=best.number)
    return b.Row(words.moment(best, say), figures, game_texts.name(best.game, say), link=link)


# Games


def games(found: GameList, say: Catalogue, name: str = "", game: str = "", after: int = 0) -> b.Page:
    """Finished games, optionally only those of one player or one kind. With `after`, only games before that number."""
    if found.games:
        lines = b.Rows(tuple(game_row(line, say) for line in found.games))
        more = (b.Go(say("records.further"), b.Link("games", name, game, found.after)),) if found.after else ()
        blocks: tuple[b.Block, ...] = (b.Text(words.games(found.total, say), "quiet"), lines, *more)
    elif found.total and after:
        blocks = (b.Text(say("records.none_before", number=after), "quiet"),)
    else:
        blocks = (b.Text(say("records.none_such" if name or game else "records.none"), "quiet"),)
    return b.Page(name or say("records.title"), blocks, say("records.games") if name else "")


def game_row(line: GameLine, say: Catalogue, most: int = ALL) -> b.Row:
    """The winners, date, number and players of a game. At most `most` players are named."""
    line = words.named(line, say)
    names = [words.name(seat, at, say) for at, seat in enumerate(line.seats)]
    names = names if len(names) <= most else [*names[: most - 1], "…"]
    return b.Row(
        words.result(line, say),
        (words.day(line.ended, say, clock=True), say("records.number", number=line.number)),
        say("records.who_at", game=game_texts.name(line.game, say), names=say.listed(names)),
        link=b.Link("game", number=line.number),
    )


@dataclass(frozen=True)
class Told:
    """A replayed game."""

    game: Referee
    steps: Sequence[News]
    luck: Sequence[SeatLuck]


def told(page: GamePage) -> Told:
    """Replays a game, which takes a moment. Raises Refused if it cannot be replayed."""
    game = again.played(page)
    return Told(game, again.steps(game), luck(game))


def game(page: GamePage, told: Told | None, why: str, say: Catalogue) -> b.Page:
    """`why` is the reason if the game cannot be replayed."""
    line = page.line
    blocks: list[b.Block] = [b.Text(words.result(line, say), "lead")]
    if page.saved is not None:
        names = [words.who(seat, at, say) for at, seat in enumerate(line.seats)]
        unusual = transcript.options(page.saved, names, say, unusual=True)
        blocks += [b.Text(" · ".join(unusual), "quiet")] if unusual else []
    blocks.append(b.Rows(tuple(seat_row(line, at, say) for at in page.order)))
    if told is None:
        blocks.append(b.Text(why))
    else:
        blocks.append(b.Go(say("records.replay"), b.Link("replay", number=line.number), main=True))
        judged = len(line.seats) > 1 and bots.has_perfect(line.game)
        for at in (at for at in page.order if judged and line.seats[at].level is None):
            title = say("review.title", name=words.name(line.seats[at], at, say))
            blocks.append(b.Go(title, b.Link("review", number=line.number, at=at)))
        blocks.append(b.Section(say("records.standings"), (standings(line, told, say),)))
        blocks.append(b.Section(say("records.luck"), lucky(line, told, say)))
    minutes = round((line.ended - page.began) / 60)
    lasted = [say("records.minutes", count=minutes)] if 0 < minutes < 24 * 60 else []
    return b.Page(game_texts.name(line.game, say), tuple(blocks), " · ".join([words.numbered(line, say), *lasted]))


def seat_row(line: GameLine, at: int, say: Catalogue) -> b.Row:
    seat = line.seats[at]
    figure = words.figure(line, seat, say)
    return b.Row(
        words.who(seat, at, say),
        (figure,) if figure else (),
        note=say("records.guest") if seat.guest and seat.name else "",
        mark="★" if seat.won else "",
        face="computer" if seat.level else "table",
        tone="good" if seat.won else "",
        link=b.Link("player", seat.name) if seat.name and seat.level is None and not seat.guest else None,
    )


def standings(line: GameLine, told: Told, say: Catalogue) -> b.Series:
    rows = [seat_row(line, at, say) for at in range(len(line.seats))]
    ended = ", ".join(": ".join([row.label, *row.figures]) for row in rows)
    return b.Series(tuple(row.label for row in rows), tuple(map(tuple, transcript.standings(told.steps))), ended)


def lucky(line: GameLine, told: Told, say: Catalogue) -> tuple[b.Luck, ...]:
    """How lucky each seat was."""
    found = []
    for seat in told.luck:
        name, computer = words.who(line.seats[seat.seat], seat.seat, say), line.seats[seat.seat].level is not None
        part = seat.luckier_than if seat.throws else None
        found.append(b.Luck(name, part, words.luck(seat, name, say), words.best_throw(seat, say), computer))
    return tuple(found)


# Dice


def dice(
    page: DicePage,
    judged: Verdicts,
    say: Catalogue,
    by_source: Mapping[str, Sequence[int]] | None = None,
    bias: tuple[float, int] | None = None,
    most: int = ALL,
) -> b.Page:
    """All dice by source and by player. Players whose dice look suspicious come first, then those with the most rolls.
    `by_source`, which is used if only one group is shown, has the counts of that group by source. `bias` is a bias in
    percent, with the number of rolls needed to detect it."""
    sources = [(words.source(source, say), judged["source", source]) for source in page.sources]
    people = words.ordered([(name, judged["player", name]) for name in page.players])[:most]
    blocks: list[b.Block] = []
    if len(found := [*sources, *people]) == 1:
        ((title, verdict),) = found
        blocks.append(faces(say("records.dice"), verdict, say, len(judged)))
        blocks += [
            _faces(words.source(source, say), tuple(counts), say) for source, counts in (by_source or {}).items()
        ]
        blocks += [b.Text(say("records.not_judged"), "quiet")] if by_source else []
    elif sources:
        title = say("records.title")
        blocks.append(b.Section(say("records.by_source"), tuple(faces(*each, say) for each in sources)))
        if people:
            who = tuple(faces(name, verdict, say, link=b.Link("player", name)) for name, verdict in people)
            blocks.append(b.Section(say("records.by_player"), who))
    else:
        return b.Page(say("records.title"), (b.Text(say("records.none"), "quiet"),))
    how: list[b.Block] = [b.Text(say("records.band")), b.Text(words.trap(say))]
    if len(found) > 1:
        how += [*needed(found, len(judged), say), b.Text(say("records.needed_how"), "quiet")]
    if bias:
        shares = {"percent": percent(bias[0] / 100, say, 1), "fair": percent(EXPECTED, say, 1)}
        how.append(b.Text(say("records.noticed", rolls=words.number(bias[1]), **shares)))
    blocks.append(b.Section(say("records.dice_how"), tuple(how)))
    return b.Page(title, tuple(blocks))


def faces(label: str, verdict: Verdict, say: Catalogue, judged: int = 0, link: b.Link | None = None) -> b.Faces:
    """The chart of a group of dice. If `judged`, the number of groups judged together, is given, the chart also says
    how many more rolls would reveal a bias."""
    return replace(
        _faces(label, verdict.counts, say),
        level=verdict.level,
        text=words.fair(verdict, say),
        suspect=verdict.suspect,
        verdict=say(f"records.level.{verdict.level}"),
        needed=words.needed(verdict.throws, judged, say) if judged else (),
        link=link,
    )


def _faces(label: str, counts: tuple[int, ...], say: Catalogue) -> b.Faces:
    thrown = sum(counts)
    shown = tuple(percent(count / max(1, thrown), say, 1) for count in counts)
    return b.Faces(label, counts, shown, band(thrown))


def needed(groups: Sequence[tuple[str, Verdict]], judged: int, say: Catalogue) -> tuple[b.Text, b.Table]:
    """For each group of dice, how many more rolls would reveal a bias of each size."""
    lines = []
    for label, verdict in groups:
        left = words.still_needed(verdict.throws, judged).values()
        lines.append((label, *(words.number(count) if count else say("records.enough") for count in left)))
    heads = ("", *(say("records.one_in", number=one_in) for one_in in words.BIASES))
    return b.Text(say("records.needed_more")), b.Table(heads, tuple(lines))
