"""Solves Bluff between two seats: the winning probability for each pair of scores and cards, from the last round
back to the first.

Far above zero, only the difference between the scores matters. So a table is indexed by the lower score, up to a limit,
and by the lead. In a round, each seat claims once, the leader first. Each claim and the other seat's call are solved
exactly from the positions after them.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from table.games.bluff.claims import CLAIMS, Numbers, settle
from table.games.bluff.perfect import FAR, LOW, SCALE, ended, looked_up, stakes
from table.games.bluff.rules import MOST_ELIMINATION_ROUNDS

ROUNDS = 20
SWING = 30  # the most that one claim can change a lead: a true claim of 12 that is called
DECIDED = 1e-6  # smaller probabilities count as 0; far below the resolution of a table

LEAD = np.arange(-FAR, FAR + 1)
OTHER = np.arange(LOW + 1)[:, None] + np.maximum(-LEAD, 0)
OWN = OTHER + LEAD
AHEAD = LEAD[:, None]  # the lead, with an axis for the other seat's dice

Round = Callable[[Numbers, bool], Numbers]
"""Maps the table after a round to the table before it. In a last round the first caller also uses its own dice."""


def build(progress: Callable[[float], None]) -> dict[str, np.ndarray[Any, Any]]:
    """The tables of three kinds. In `draw`, lots decide who leads if the scores are tied, so the table fits
    either seat. `wins` is for the seat that leads if the scores are tied, because it has won more games. `simple` is
    for the seat that claims first with the simple rules."""
    kinds = (("draw", drawn_round, 2), ("wins", won_round, 2), ("simple", simple_round, 1))
    arrays = {}
    for done, (name, play, cards) in enumerate(kinds):
        ties = np.full((1, cards, cards, LOW + 1), 0.5)
        if play is not simple_round:
            ties = np.stack(list(eliminations(play, ties[0])))
        rounds = []
        for table in chances(play, ended(ties[-1])):
            rounds.append(table[..., 0])
            progress((done + len(rounds) / ROUNDS) / len(kinds))
        arrays[name] = packed(np.stack(rounds))
        arrays[f"{name}_ties"] = packed(ties)
    return arrays


def chances(play: Round, table: Numbers) -> Iterator[Numbers]:
    """The table with one round left, with two, and so on."""
    for played in range(ROUNDS):
        table = play(table, played == 0)
        yield table


def eliminations(play: Round, ties: Numbers) -> Iterator[Numbers]:
    """The value of a tie with no elimination round left (lots decide), with one, and so on."""
    yield ties
    for _ in range(MOST_ELIMINATION_ROUNDS):
        ties = play(ended(ties), True)[..., FAR, 0]
        yield ties


def drawn_round(table: Numbers, last: bool) -> Numbers:
    """The higher score leads. If the scores are tied, the leader is drawn by lot."""
    lead = own_lead(table, last)
    follow = seen(lead)  # from the same table, because it fits either seat
    return np.where(AHEAD > 0, lead, np.where(AHEAD < 0, follow, (lead + follow) / 2))


def won_round(table: Numbers, last: bool) -> Numbers:
    """The higher score leads. If the scores are tied, the seat that the table is for leads."""
    return np.where(AHEAD >= 0, own_lead(table, last), seen(own_lead(seen(table), last)))


def simple_round(table: Numbers, last: bool) -> Numbers:
    """The seat that the table is for leads, and no one rolls before their own claim."""
    return own_lead(table, by_dice=False)


def own_lead(table: Numbers, by_dice: bool) -> Numbers:
    return claimed(seen(claimed(seen(table), by_dice)))


def seen(table: Numbers) -> Numbers:
    """The table from the other seat's side: cards and leads are swapped, and each probability is subtracted from 1."""
    return 1 - np.swapaxes(table, 0, 1)[..., ::-1, :]


def claimed(table: Numbers, by_dice: bool = False) -> Numbers:
    """What each position is worth to the claimant, from the table of values after a claim. With `by_dice`, one value
    for each sum that the claimant may have rolled."""
    values = np.empty((*table.shape[:-1], len(CLAIMS) if by_dice else 1))
    values[:] = AHEAD > 0
    open_ = np.flatnonzero(((table > DECIDED) & (table < 1 - DECIDED)).any((0, 1, 2, 4)) | (LEAD == 0))
    leads = slice(max(0, open_[0] - SWING), open_[-1] + SWING + 1)
    after = looked_up(table)
    for card, against, low in np.ndindex(table.shape[:3]):
        places = OWN[low, leads, None], OTHER[low, leads, None], np.array([card]), np.array([against])
        found = settle(*stakes(after, *places)[:3])
        values[card, against, low, leads] = found.worth if by_dice else found.value[:, None]
    return values


def packed(table: Numbers) -> Numbers:
    """The format that `unpacked` reads: integers, stored as differences along the last two axes."""
    whole = np.round(table * SCALE).astype(np.uint16)
    return np.diff(np.diff(whole, axis=-2, prepend=np.uint16(0)), prepend=np.uint16(0))
