"""The words of the records: days, results, best moments, whether dice are fair, and luck.

Its one rule: a figure never stands without what it counts, nor a suspicion without how often chance does the same.
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

BIASES = {5: 1 / 5 - 1 / 6, 4: 1 / 4 - 1 / 6, 3: 1 / 3 - 1 / 6}
"""How often a face may come up, one time in so many, and how much that is more than fair."""
EVEN = 0.2  # of luck: nearer to the middle than that, nothing is worth a word


def day(at: float, say: Catalogue, clock: bool = False) -> str:
    """17 Nov 2026; with the clock, 17 Nov 2026, 21:05. In the time of this machine."""
    then = time.localtime(at)
    words = say("records.day", day=then.tm_mday, month=say(f"records.month.{then.tm_mon}"), year=then.tm_year)
    return say("records.day_clock", day=words, clock=f"{then.tm_hour}:{then.tm_min:02}") if clock else words


def source(word: str, say: Catalogue) -> str:
    return say(f"source.{word}.name" if word in SOURCES else "records.source_unknown")


def why(refusal: str, say: Catalogue) -> str:
    """Why a page cannot be shown, in words that every language has: other sentences are for whoever types commands, and
    may name files of this machine."""
    return say(refusal if refusal.startswith("sight.") else "sight.unreadable")


def numbered(line: GameLine, say: Catalogue) -> str:
    """No. 12 · 17 Nov 2026, 21:05."""
    return f"{say('records.number', number=line.number)} · {day(line.ended, say, clock=True)}"


def number(value: int) -> str:
    """12 345: with a thin space where there are thousands, which all languages read alike."""
    return f"{value:,}".replace(",", "\u202f")


def games(count: int, say: Catalogue) -> str:
    """12 games."""
    return say("records.count_games", count=count, number=number(count))


def parts(won: int, played: int, say: Catalogue) -> tuple[str, str]:
    """12 of 30, 40%."""
    percent = round(100 * won / played) if played else 0
    return say("records.of", won=number(won), played=number(played)), say("value.percent", percent=percent)


def share(won: int, played: int, say: Catalogue) -> str:
    """12 of 30 (40%)."""
    return "{} ({})".format(*parts(won, played, say))


def who(seat: SeatLine, at: int, say: Catalogue) -> str:
    """A name; of a computer with its level; of somebody who was forgotten, their seat."""
    if seat.level is not None:
        return say("records.computer", name=seat.name, level=game_texts.level_name(seat.level, say))
    return name(seat, at, say)


def name(seat: SeatLine, at: int, say: Catalogue) -> str:
    called = guests.in_language([seat.name], [0] if seat.guest else [], say)[0]
    return called or say("records.somebody", number=at + 1)


def in_language(page: GamePage, say: Catalogue) -> GamePage:
    """The game with the names of guests in this language."""
    at = [place for place, seat in enumerate(page.line.seats) if seat.guest]
    names = guests.in_language([seat.name for seat in page.line.seats], at, say)
    seats = (replace(seat, name=called) for seat, called in zip(page.line.seats, names, strict=True))
    saved = page.saved
    if saved is not None:
        saved = {**saved, "players": list(guests.in_language(saved["players"], at, say))}
    return replace(page, line=replace(page.line, seats=tuple(seats)), saved=saved)


def board(league: League | None, here: tuple[Player, ...], say: Catalogue) -> tuple[str, tuple[Player, ...]]:
    """What the leaderboard is called, and who is on it: everybody of the league, or of this table."""
    if league is None:
        return say("records.board"), here
    return (say("records.board_here"), here) if league.trouble else (say("records.board_all"), league.players)


def result(line: GameLine, say: Catalogue) -> str:
    """Ann won; Ann and Bo won."""
    won = [name(seat, at, say) for at, seat in enumerate(line.seats) if seat.won]
    return say("records.won_by", count=len(won), names=say.listed(won)) if won else ""


def figure(line: GameLine, seat: SeatLine, say: Catalogue) -> str:
    """How a seat stood in the end: 3 lives, 4 200 points. Empty where its game counts nothing for it."""
    return "" if seat.standing is None else counted(line.game, seat.standing, say)


def moment(best: Moment, say: Catalogue) -> str:
    return say.get(f"{best.game}.moment.{best.kind}", f"{readable(best.kind)}: {best.value}", count=best.value)


def streak(page: PlayerPage, say: Catalogue) -> str:
    """3 games lost in a row; the most won in a row: 7. Of somebody who never won, the first half alone."""
    if not page.recent:
        return say("records.no_games")
    now = say("records.streak_won" if page.streak > 0 else "records.streak_lost", count=abs(page.streak))
    return say("records.streak", now=now, longest=page.longest) if page.longest else now


def others_won(met: Rival) -> bool:
    """Whether somebody else won some of the games of two rivals."""
    return met.won + met.lost < met.played


def days(page: PlayerPage, say: Catalogue) -> str:
    """From their first game to their last, or the one day of both."""
    found = list(dict.fromkeys(day(at, say) for at in (page.first, page.last) if at is not None))
    return say("records.days", first=found[0], last=found[1]) if len(found) > 1 else "".join(found)


def fair(verdict: Verdict, say: Catalogue) -> str:
    """After 412 throws nothing speaks against these dice; or six comes up too often: 1 in 400 by chance."""
    throws, one_in = number(verdict.throws), number(round(verdict.one_in))
    if verdict.level in ("few", "fair"):
        return say(f"records.dice_{verdict.level}", count=verdict.throws, throws=throws)
    if not verdict.suspect:
        return say(f"records.dice_{verdict.level}", throws=throws, one_in=one_in)
    face = say(f"records.face.{verdict.suspect}")
    key = f"records.face_{verdict.level}_{'often' if verdict.often else 'seldom'}"
    return say(key, face=face, throws=throws, one_in=one_in)


def needed(throws: int, groups: int, say: Catalogue) -> tuple[str, ...]:
    """What so many throws would have shown by now, and how many more a smaller bias takes."""
    found = []
    for one_in, left in still_needed(throws, groups).items():
        key = "records.needed" if left else "records.needed_none"
        found.append(say(key, one_in=one_in, count=left, throws=number(left)))
    return tuple(found)


def still_needed(throws: int, groups: int) -> dict[int, int]:
    """How many more throws would show a face that comes up one time in so many."""
    return {one_in: fairness.still_needed(throws, bias, groups) for one_in, bias in BIASES.items()}


def trap(say: Catalogue) -> str:
    """Why one may look at all of that as often as one likes."""
    return say("records.trap", one_in=round(fairness.UNFAIR))


def luck(seat: SeatLuck, name: str, say: Catalogue) -> str:
    """Ann's 14 throws were better than 58% of what the same dice could have shown; in 8 of 10 games luck is worse."""
    if not seat.throws:
        return say("records.luck_none", name=name)
    luckier, better = seat.luckier_than, round(100 * seat.better)
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
    """What is suspicious first, then what was thrown most."""
    return sorted(
        groups, key=lambda group: (-group[1].one_in if group[1].level in ("odd", "unfair") else 0, -group[1].throws)
    )
