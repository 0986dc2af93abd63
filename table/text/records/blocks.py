"""The parts of a records page: a title, and blocks of text, rows and charts.

Its one rule: blocks are frozen values with all their text in one language. Code that draws them looks nothing up and
computes no figures.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A link to another page. `page` is the name by which phones request it."""

    page: str
    name: str = ""  # a player's name
    game: str = ""  # a game's id, to show only that game
    number: int = 0  # a game's number, or where a list begins
    at: int = 0  # a step of a game, or a seat


@dataclass(frozen=True)
class Text:
    text: str
    tone: str = ""  # "lead", "quiet", "good" or "bad"


@dataclass(frozen=True)
class Bar:
    """The parts of a bar, as fractions of its full length. `part` is what is filled of the length `of`, and
    `theirs` is what an opponent fills from the far end."""

    part: float
    of: float = 1.0
    theirs: float = 0.0


@dataclass(frozen=True)
class Row:
    """A line of a list."""

    label: str
    figures: tuple[str, ...] = ()
    detail: str = ""
    note: str = ""
    mark: str = ""  # shown before the label: a place, or a star
    face: str = ""  # "table" or "computer": the picture next to the label
    tone: str = ""
    bar: Bar | None = None
    link: Link | None = None


@dataclass(frozen=True)
class Rows:
    rows: tuple[Row, ...]
    tiles: bool = False  # the rows are short and stand side by side if there is room


@dataclass(frozen=True)
class Table:
    """Plain figures in columns."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Dots:
    """Whether each of the last games was won, oldest first, drawn as a row of dots."""

    won: tuple[bool, ...]
    text: str


@dataclass(frozen=True)
class Faces:
    """How often each face of someone's dice came up, and the verdict."""

    label: str
    counts: tuple[int, ...]
    shown: tuple[str, ...]  # the percentage of each face
    band: tuple[float, float]  # the range in which a fair die's share of each face usually lies
    level: str = ""  # the level of the Verdict, if the dice are judged
    text: str = ""
    suspect: int = 0
    verdict: str = ""  # the level in a few words, for lists of several players or sources
    needed: tuple[str, ...] = ()  # for each size of bias, how many more rolls would reveal it
    link: Link | None = None


@dataclass(frozen=True)
class Series:
    """The standing of each seat at the start and after every round."""

    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    text: str  # the result, for screen readers


@dataclass(frozen=True)
class Luck:
    """Luck from 0 to 1, where 0.5 is average. None means that there is nothing to judge."""

    name: str
    part: float | None
    text: str
    detail: str
    computer: bool = False


@dataclass(frozen=True)
class Chances:
    """A player's probability of winning at the start, before and after each decision, and at the end. A point also
    tells whether its decision was a mistake."""

    start: float
    points: tuple[tuple[float, float, bool], ...]
    result: float
    axis: tuple[str, ...]  # labels, highest first
    text: str


@dataclass(frozen=True)
class Go:
    """A button that leads to another page."""

    label: str
    link: Link
    main: bool = False


@dataclass(frozen=True)
class Switch:
    """A choice between pages of the same kind."""

    label: str
    links: tuple[tuple[str, Link], ...]
    at: int


@dataclass(frozen=True)
class Section:
    title: str
    blocks: "tuple[Block, ...]"
    folded: bool = False  # collapsed until selected


Block = Text | Rows | Table | Dots | Faces | Series | Luck | Chances | Go | Switch | Section


@dataclass(frozen=True)
class Page:
    title: str
    blocks: tuple[Block, ...]
    detail: str = ""  # shown below the title
    tabs: tuple[tuple[str, Link], ...] = ()
