"""QR codes: a text as rows of light and dark squares, and those as lines for a terminal.

Its one rule: any phone reads it. So it is a plain QR code (few phones know the small kind), with the empty border that
the standard asks for.
"""

BORDER = 4  # squares


def squares(text: str) -> list[list[bool]]:
    """Row by row, its border too; True is dark."""
    import segno  # here, because a table seldom shows one and its first screen should not wait

    return [[bool(square) for square in row] for row in segno.make_qr(text, error="m").matrix_iter(border=BORDER)]


def lines(text: str, coloured: bool) -> list[str]:
    """For a terminal, two rows of squares a line. Without colours it needs light writing on a dark ground."""
    rows = squares(text)
    dark = [True] * len(rows[0])
    pairs = zip(rows[::2], [*rows[1::2], dark], strict=False)  # an odd row ends beside what is below it
    found = ["".join(" ▀▄█"[2 * (not low) + (not high)] for high, low in zip(*pair, strict=True)) for pair in pairs]
    return [f"\x1b[97;40m{line}\x1b[0m" for line in found] if coloured else found
