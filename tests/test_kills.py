"""A table that is killed in the middle of a game is found where it was: a few of what `make soak` does hundreds of."""

import random
import sys

import pytest

from tests.soak.kills import Ledger, kill

pytestmark = [pytest.mark.ground, pytest.mark.skipif(sys.platform == "win32", reason="a kill -9 is said to a Unix")]


@pytest.mark.slow
def test_whenever_a_table_is_killed_every_game_is_found_where_it_was(tmp_path):
    ledger, chance = Ledger(), random.Random(20)
    for _ in range(20):
        kill(tmp_path, ledger, chance)
    assert ledger.kills == sum(ledger.cut.values()) == 20
    assert any(told.answers for told in ledger.matches.values())
