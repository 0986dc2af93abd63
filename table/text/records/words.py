"""The words of the records: days, results, best moments, fairness of dice, and luck.

Its one rule: every figure names what it counts, and every suspicion says how often chance alone would cause it.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from table.analysis import fairness
from table.analysis.fairness import Verdict
from table.analysis.luck import SeatLuck
from table.session.messages import League, Player
from table.storage.records.pages import SOURCES, GameLine, GamePage, Moment, PlayerPage, Rival, SeatLine
from table.text import game_texts, guests
from table.text.catalogue import Catalogue, readable
from table.text.narration import counted
from table.text.narration.words import faces
from table.text.numbers import percent

BIASES = {5: 1 / 5 - 1 / 6, 4: 1 / 4 - 1 / 6, 3: 1 / 3 - 1 / 6}
"""For a face that comes up once in N rolls: N, and by how much its probability exceeds a fair face's."""
EVEN = 0.2  # for luck: smaller deviations from 0.5 count as average


def day(at: float, say: Catalogue, clock: bool = False) -> str:
    """A date in local time, such as "17 Nov 2026". `clock` adds the time of day, as in "17 Nov 2026, 21:05"."""
    then = time.localtime(at)
    words = say("records.day", day=then.tm_mday, month=say(f"records.month.{then.tm_mon}"), year=then.tm_year)
    return say("records.day_clock", day=words, clock=f"{then.tm_hour}:{then.tm_min:02}") if clock else words


def source(word: str, say: Catalogue) -> str:
    return say(f"source.{word}.name" if word in SOURCES else "records.source_unknown")


def why(refusal: str, say: Catalogue) -> str:
    """Why a page cannot be shown. A refusal without a translation is meant for the command line and can contain file
    names, so a general text replaces it."""
    return say(refusal if refusal.startswith("refused.") else "refused.unreadable")


def numbered(line: GameLine, say: Catalogue) -> str:
    """A game's number and date, such as "No. 12 · 17 Nov 2026, 21:05"."""
    return f"{say('records.number', number=line.number)} · {day(line.ended, say, clock=True)}"


def number(value: int) -> str:
    """Separates thousands with a narrow no-break space, as in "12 345". This works in all languages."""
    return f"{value:,}".replace(",", "\u202f")


def games(count: int, say: Catalogue) -> str:
    """A number of games, such as "12 games"."""
    return say("records.count_games", count=count, number=number(count))


def parts(won: int, played: int, say: Catalogue) -> tuple[str, str]:
    """The games won, as a count and as a percentage: "12 of 30" and "40%"."""
    return say("records.of", won=number(won), played=number(played)), percent(won / max(1, played), say)


def share(won: int, played: int, say: Catalogue) -> str:
    """The games won, such as "12 of 30 (40%)"."""
    return "{} ({})".format(*parts(won, played, say))


def who(seat: SeatLine, at: int, say: Catalogue) -> str:
    """A player's name. A computer's name comes with its level; a deleted player has a seat number instead."""
    if seat.level is not None:
        return say("records.computer", name=seat.name, level=game_texts.level_name(seat.level, say))
    return name(seat, at, say)


def name(seat: SeatLine, at: int, say: Catalogue) -> str:
    return seat.name or say("records.somebody", number=at + 1)


def named(line: GameLine, say: Catalogue) -> GameLine:
    """The game with the guests' names in this language."""
    at = [place for place, seat in enumerate(line.seats) if seat.guest]
    names = guests.in_language([seat.name for seat in line.seats], at, say)
    seats = (replace(seat, name=called) for seat, called in zip(line.seats, names, strict=True))
    return replace(line, seats=tuple(seats))


def in_language(page: GamePage, say: Catalogue) -> GamePage:
    """The page with the guests' names in this language. The saved game keeps its names, because its digest
    covers them."""
    return replace(page, line=named(page.line, say))


def board(league: League | None, here: tuple[Player, ...], say: Catalogue) -> tuple[str, tuple[Player, ...]]:
    """The leaderboard's title and players: the league's, or this table's."""
    if league is None:
        return say("records.board"), here
    return (say("records.board_here"), here) if league.trouble else (say("records.board_all"), league.players)


def result(line: GameLine, say: Catalogue) -> str:
    """Who won, such as "Ann and Bo won". Empty if there is no winner."""
    won = [name(seat, at, say) for at, seat in enumerate(line.seats) if seat.won]
    return say("records.won_by", count=len(won), names=say.listed(won)) if won else ""


def figure(line: GameLine, seat: SeatLine, say: Catalogue) -> str:
    """A seat's final standing, such as "3 lives" or "4200 points". Empty if the game has no standings."""
    return "" if seat.standing is None else counted(line.game, seat.standing, say)


def moment(best: Moment, say: Catalogue) -> str:
    return say.get(f"{best.game}.moment.{best.kind}", f"{readable(best.kind)}: {best.value}", count=best.value)


def streak(page: PlayerPage, say: Catalogue) -> str:
    """The current streak and the longest winning streak. The latter is omitted for players who never won."""
    if not page.recent:
        return say("records.no_games")
    now = say("records.streak_won" if page.streak > 0 else "records.streak_lost", count=abs(page.streak))
    return say("records.streak", now=now, longest=page.longest) if page.longest else now


def others_won(met: Rival) -> bool:
    """Whether someone else won some of the games that two rivals both played."""
    return met.won + met.lost < met.played


def days(page: PlayerPage, say: Catalogue) -> str:
    """The days of the first and the last game; a single day if they are the same."""
    found = list(dict.fromkeys(day(at, say) for at in (page.first, page.last) if at is not None))
    return say("records.days", first=found[0], last=found[1]) if len(found) > 1 else "".join(found)


def fair(verdict: Verdict, say: Catalogue) -> str:
    """A verdict in words, with the number of rolls and, if the dice look suspicious, how often fair dice would
    give such counts."""
    throws, one_in = number(verdict.throws), number(round(verdict.one_in))
    if verdict.level in ("few", "fair"):
        return say(f"records.dice_{verdict.level}", count=verdict.throws, rolls=throws)
    if not verdict.suspect:
        return say(f"records.dice_{verdict.level}", rolls=throws, one_in=one_in)
    face = say(f"records.face.{verdict.suspect}")
    key = f"records.face_{verdict.level}_{'often' if verdict.often else 'seldom'}"
    return say(key, face=face, rolls=throws, one_in=one_in)


def needed(throws: int, groups: int, say: Catalogue) -> tuple[str, ...]:
    """Which biases these rolls would have revealed, and how many more rolls it takes to reveal the others."""
    found = []
    for one_in, left in still_needed(throws, groups).items():
        key = "records.needed" if left else "records.needed_none"
        found.append(say(key, one_in=one_in, count=left, rolls=number(left)))
    return tuple(found)


def still_needed(throws: int, groups: int) -> dict[int, int]:
    """For each N in `BIASES`, how many more rolls would reveal a face that comes up once in N rolls."""
    return {one_in: fairness.still_needed(throws, bias, groups) for one_in, bias in BIASES.items()}


def trap(say: Catalogue) -> str:
    """A sentence that says why it does no harm to check these figures often."""
    return say("records.trap", one_in=round(fairness.UNFAIR))


def luck(seat: SeatLuck, name: str, say: Catalogue) -> str:
    """How lucky a seat's rolls were, compared with what the same dice could have shown."""
    if not seat.throws:
        return say("records.luck_none", name=name)
    luckier, better = seat.luckier_than, percent(seat.better, say)
    word = "even" if abs(luckier - 0.5) < EVEN else "lucky" if luckier > 0.5 else "unlucky"
    part = round(100 * (luckier if luckier > 0.5 else 1 - luckier))
    return say(f"records.luck_{word}", name=name, count=seat.throws, better=better, part=min(part, 99))


def best_throw(seat: SeatLuck, say: Catalogue) -> str:
    if seat.best is None or seat.worst is None:
        return ""
    return say(
        "records.luck_throws",
        best=faces(seat.best.dice),
        best_round=seat.best.round,
        worst=faces(seat.worst.dice),
        worst_round=seat.worst.round,
    )


def ordered(groups: Sequence[tuple[str, Verdict]]) -> list[tuple[str, Verdict]]:
    """The groups of dice, those that look suspicious first, then by number of rolls."""
    return sorted(
        groups, key=lambda group: (-group[1].one_in if group[1].level in ("odd", "unfair") else 0, -group[1].throws)
    )
