"""Decimals and percentages in each language's style: 12.5% in English, 12,5 % in Spanish."""

from table.text.catalogue import Catalogue


def localized(figure: str, say: Catalogue) -> str:
    """The figure, with its decimal point replaced by the language's decimal separator."""
    return figure.replace(".", say("value.decimal_point"))


def percent(share: float, say: Catalogue, places: int = 0) -> str:
    """A share as a percentage: 0 only for never, and 100 only for always. A share below 1% has at least one decimal
    place."""
    places = max(places, 1) if share < 0.01 else places
    figure, least = f"{100 * share:.{places}f}", 10.0**-places
    if share == 0 or share == 1:
        figure = f"{100 * share:.0f}"
    elif float(figure) == 0:
        figure = f"<{least:g}"
    elif float(figure) == 100:
        figure = f">{100 - least:g}"
    return say("value.percent", percent=localized(figure, say))


def points(change: float, say: Catalogue, signed: bool = False) -> str:
    """A change in a probability, in percentage points. Changes below ten points have one decimal place."""
    figure = 100 * change
    places = 1 if abs(figure) < 9.95 and change not in (0, 1) else 0
    written = f"{figure:{'+' if signed else ''}.{places}f}".replace("-", "−")
    return say("value.percent", percent=localized(written, say))
