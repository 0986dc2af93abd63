"""A table that is killed during a game resumes at the same point. `make soak` kills tables many more times."""

import random
import sys

import pytest

from tests.soak.kills import Ledger, kill

pytestmark = [pytest.mark.ground, pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")]


@pytest.mark.slow
def test_every_game_resumes_at_the_same_point_after_a_kill(tmp_path):
    ledger, chance = Ledger(), random.Random(20)
    for _ in range(20):
        kill(tmp_path, ledger, chance)
    assert ledger.kills == sum(ledger.cut.values()) == 20
    assert any(told.answers for told in ledger.matches.values())
