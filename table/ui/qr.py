"""QR codes: a text as rows of light and dark modules, and as lines for a terminal.

Its one rule: every phone can read the codes. So they are standard QR codes (few phones read Micro QR), with the quiet
zone that the standard requires.
"""

BORDER = 4  # modules


def squares(text: str) -> list[list[bool]]:
    """The rows, including the quiet zone; True is dark."""
    import segno  # imported here: it is rarely needed, and the first screen should not wait for it

    return [[bool(square) for square in row] for row in segno.make_qr(text, error="m").matrix_iter(border=BORDER)]


def lines(text: str, coloured: bool) -> list[str]:
    """A code for a terminal, two rows per line. Without colours, phones can read it only if the terminal shows
    light text on a dark background."""
    rows = squares(text)
    dark = [True] * len(rows[0])
    # If the number of rows is odd, the last one is paired with a dark row.
    pairs = zip(rows[::2], [*rows[1::2], dark], strict=False)
    found = ["".join(" ▀▄█"[2 * (not low) + (not high)] for high, low in zip(*pair, strict=True)) for pair in pairs]
    return [f"\x1b[97;40m{line}\x1b[0m" for line in found] if coloured else found
