"""What a page of the records is made of: a title, and blocks of text, rows and charts.

Its one rule: blocks are frozen values with all their words in one language. Whoever draws them looks nothing up and
computes no figures.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """Another page, by the name that phones ask for it."""

    page: str
    name: str = ""  # of a player
    game: str = ""  # its id, where only that is of interest
    number: int = 0  # of a game; of a list, where it goes on
    at: int = 0  # a step, or a seat


@dataclass(frozen=True)
class Text:
    text: str
    tone: str = ""  # "lead", "quiet", "good" or "bad"


@dataclass(frozen=True)
class Bar:
    """Shares of the whole length. `part` lies within `of`; `theirs` begins at the far end."""

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
    mark: str = ""  # before the label: a place, or a star
    face: str = ""  # "table" or "computer": whose picture stands beside it
    tone: str = ""
    bar: Bar | None = None
    link: Link | None = None


@dataclass(frozen=True)
class Rows:
    rows: tuple[Row, ...]
    tiles: bool = False  # single figures, side by side where there is room


@dataclass(frozen=True)
class Table:
    """Plain figures in columns."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Dots:
    """The last games, the oldest first."""

    won: tuple[bool, ...]
    text: str


@dataclass(frozen=True)
class Faces:
    """How often each face of somebody's dice came up, and what that says."""

    label: str
    counts: tuple[int, ...]
    shown: tuple[str, ...]  # the share of each
    band: tuple[float, float]  # in which the share of a fair face lies
    level: str = ""  # of a Verdict, where they are judged
    text: str = ""
    suspect: int = 0
    verdict: str = ""  # the level in a few words, where there are many of these
    needed: tuple[str, ...] = ()  # how many more throws would show what
    link: Link | None = None


@dataclass(frozen=True)
class Series:
    """How each seat stood at the start and after every round."""

    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    text: str  # how it ended, for who cannot see it


@dataclass(frozen=True)
class Luck:
    """From 0 to 1; in the middle is what was to be expected. None: nothing could be judged."""

    name: str
    part: float | None
    text: str
    detail: str


@dataclass(frozen=True)
class Chances:
    """The chance to win: at the start, before and after every decision and whether it was a slip, and in the end."""

    start: float
    points: tuple[tuple[float, float, bool], ...]
    result: float
    text: str


@dataclass(frozen=True)
class Go:
    """A button that leads to another page."""

    label: str
    link: Link
    main: bool = False


@dataclass(frozen=True)
class Switch:
    """One of several pages that are about different things of the same kind."""

    label: str
    links: tuple[tuple[str, Link], ...]
    at: int


@dataclass(frozen=True)
class Section:
    title: str
    blocks: "tuple[Block, ...]"
    folded: bool = False  # open only for who asks for it


Block = Text | Rows | Table | Dots | Faces | Series | Luck | Chances | Go | Switch | Section


@dataclass(frozen=True)
class Page:
    title: str
    blocks: tuple[Block, ...]
    detail: str = ""  # below the title
    tabs: tuple[tuple[str, Link], ...] = ()
