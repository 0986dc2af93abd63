"""Decimals and percentages follow the language."""

import pytest

from table.text.catalogue import Catalogue
from table.text.numbers import localized, percent, points

EN, ES = Catalogue("en"), Catalogue("es")


@pytest.mark.parametrize(
    ("share", "places", "english", "spanish"),
    [
        (0.125, 1, "12.5%", "12,5\u00a0%"),
        (0.125, 0, "12%", "12\u00a0%"),
        (0, 1, "0%", "0\u00a0%"),
        (1, 1, "100%", "100\u00a0%"),
        (0.004, 0, "0.4%", "0,4\u00a0%"),
        (0.0001, 0, "<0.1%", "<0,1\u00a0%"),
        (0.999, 0, ">99%", ">99\u00a0%"),
        (0.9999, 1, ">99.9%", ">99,9\u00a0%"),
        (1 / 6, 2, "16.67%", "16,67\u00a0%"),
    ],
)
def test_a_percentage_shows_0_only_for_never_and_100_only_for_always(share, places, english, spanish):
    assert (percent(share, EN, places), percent(share, ES, places)) == (english, spanish)


@pytest.mark.parametrize(
    ("change", "signed", "english", "spanish"),
    [
        (0.0425, True, "+4.2%", "+4,2\u00a0%"),
        (-0.0425, True, "−4.2%", "−4,2\u00a0%"),
        (0.38, True, "+38%", "+38\u00a0%"),
        (0.38, False, "38%", "38\u00a0%"),
    ],
)
def test_a_change_has_tenths_below_ten(change, signed, english, spanish):
    assert (points(change, EN, signed), points(change, ES, signed)) == (english, spanish)


def test_a_decimal_has_the_sign_of_the_language():
    assert (localized("2.5", EN), localized("2.5", ES)) == ("2.5", "2,5")
