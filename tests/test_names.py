"""Player names: any input becomes printable, unique and storable."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from table.engine.names import made_good


@pytest.mark.parametrize(
    ("typed", "good"),
    [
        (["Ann", "Bo"], ["Ann", "Bo"]),
        (["", "  ", "\t\n"], ["Player 1", "Player 2", "Player 3"]),
        (["Ann", "Ann", "Ann"], ["Ann", "Ann 2", "Ann 3"]),
        (["Ann", " Ann "], ["Ann", "Ann 2"]),
        (["Zoë", "Zoe\u0308"], ["Zoë", "Zoë 2"]),
        (["\x1b[31mRed\x07"], ["[31mRed"]),
        (["Ann\u202eBo", "\u2066\u200f\ufeff"], ["AnnBo", "Player 2"]),
        (["two\r\nlines", "two\u2028lines"], ["two lines", "two lines 2"]),
        (["\u200b", "\u00ad", "\u3164", "\u200d", "\u2800"], [f"Player {seat}" for seat in range(1, 6)]),
        (["Ann", "Ann\u200b", "An\u00adn"], ["Ann", "Ann 2", "Ann 3"]),
        (["می\u200cخواهم"], ["می\u200cخواهم"]),
        (["\ud800Ann\udc00", "\ud83d"], ["Ann", "Player 2"]),
        (["x" * 50], ["x" * 40]),
        (["x" * 50, "x" * 40], ["x" * 40, "x" * 38 + " 2"]),
        (["é" * 41], ["é" * 40]),
        (["👨‍👩‍👧‍👦" * 41], ["👨‍👩‍👧‍👦" * 40]),
        (["👍🏽" * 41, "🇨🇭" * 41], ["👍🏽" * 40, "🇨🇭" * 40]),
        (["علي", "שרה", "王小明"], ["علي", "שרה", "王小明"]),
    ],
)
def test_names_are_cleaned_up(typed, good):
    assert made_good(typed) == tuple(good)


any_text = st.text(st.characters(codec=None), max_size=50)


@given(st.lists(any_text | st.sampled_from(["", "Ann", "Ann 2", "Player 2"]), min_size=1, max_size=10))
@example(["e\x00\u0301", "é"])
def test_any_input_becomes_unique_printable_names_and_valid_names_do_not_change(typed):
    good = made_good(typed)
    assert all(name == name.strip() != "" for name in good)
    assert not {unicodedata.category(char) for name in good for char in name} & {"Cc", "Cs", "Zl", "Zp"}
    assert len({unicodedata.normalize("NFC", name) for name in good}) == len(typed)
    assert made_good(good) == good
