"""The rule pages of each game, in every language, as blocks of text and pictures of dice.

Its one rule: a page is the same for every front end. The terminal and the kiosk decide how a block looks.

Pages are written in a subset of Markdown: # and ## headings, paragraphs, - bullets, 1. numbered steps, and tables
whose first row is the header:

    | Your roll | Chips |
    | --- | --- |
    | PoCo | 4 |

A line such as `[2 1] Mexico` is a picture of dice with a caption; `?` is a hidden die. `? Can I stop?` is a question,
and the lines below it are the answer. Words in backquotes show how to type an option. The terminal prints them,
and screens without a keyboard omit them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from table.engine.options import describe
from table.games import BUILT_IN, GAMES, defect, folder
from table.text.catalogue import FIRST, Catalogue
from table.text.game_texts import name, option_help, option_name, seats, summary


@dataclass(frozen=True)
class Heading:
    text: str
    level: int  # 1 for the game's name


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]


@dataclass(frozen=True)
class Steps:
    items: tuple[str, ...]  # numbered from 1


@dataclass(frozen=True)
class Grid:
    rows: tuple[tuple[str, ...], ...]  # the first row is the header


@dataclass(frozen=True)
class Question:
    text: str
    answer: str


@dataclass(frozen=True)
class Dice:
    values: tuple[int | None, ...]  # None: a hidden die
    caption: str


Block = Heading | Paragraph | Bullets | Steps | Grid | Question | Dice

_DICE = re.compile(r"\[([1-6?](?: [1-6?])*)\] (.+)")
_STEP = re.compile(r"\d+\. (.+)")
_RULE = re.compile(r"\|[\s|:-]+\|")  # the line between a table's header and its other rows
_TYPED = re.compile(r" `([^`]+)`")


def page(game_id: str, language: str = "en", typed: bool = False) -> tuple[Block, ...]:
    """The rules of a game. If there is no page in this language, the English one is used; if there is no page at all,
    one is generated. With `typed`, the page shows how to type each option, for people with a keyboard."""
    text = _written(game_id, language) or _written(game_id, FIRST) or _unwritten(game_id, Catalogue(language))
    return parse(_TYPED.sub(r" (\1)" if typed else "", text))


def _written(game_id: str, language: str) -> str:
    """The game's own page. Empty if there is none, or if another package's page cannot be read."""
    file = folder(game_id) / f"{language}.md"
    try:
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except (OSError, ValueError) as why:
        if game_id in BUILT_IN:
            raise
        defect(f"{game_id}: {language}.md", str(why))
        return ""


def _unwritten(game_id: str, say: Catalogue) -> str:
    """A page generated from the game's summary, number of players and options."""
    lines = [f"# {name(game_id, say)}", "", summary(game_id, say), "", seats(game_id, say)]
    options = [option for option in describe(GAMES[game_id].options) if option["type"] != "list"]
    if options:
        lines += ["", f"## {say('rules.options')}", ""]
    for option in options:
        typed = f"`{option['name']}={str(option['default']).lower()}`"
        help = option_help(game_id, option, say)
        lines.append(f"- {option_name(game_id, option['name'], say)} {typed}: {help}")
    return "\n".join(lines)


def parse(markdown: str) -> tuple[Block, ...]:
    """The blocks of a page. Lines of the same paragraph are joined, because each front end wraps them itself."""
    blocks: list[Block] = []
    for line in markdown.splitlines():
        _read(line, blocks)
    return tuple(block for block in blocks if block != Paragraph(""))


def _read(line: str, blocks: list[Block]) -> None:
    """Adds a line to the last block, or begins a new block. An empty line adds an empty paragraph."""
    dice, step = _DICE.fullmatch(line), _STEP.fullmatch(line)
    last = blocks[-1] if blocks else None
    text = line.strip()
    if not text:
        blocks.append(Paragraph(""))
    elif line.startswith("#"):
        blocks.append(Heading(line.lstrip("# "), len(line) - len(line.lstrip("#"))))
    elif dice:
        values = (None if value == "?" else int(value) for value in dice[1].split())
        blocks.append(Dice(tuple(values), dice[2]))
    elif line.startswith("? "):
        blocks.append(Question(line[2:], ""))
    elif line.startswith("|"):
        row = tuple(cell.strip() for cell in text[1:].removesuffix("|").split("|"))
        if not isinstance(last, Grid):
            blocks.append(Grid((row,)))
        elif not _RULE.fullmatch(text):
            blocks[-1] = Grid((*last.rows, _as_long(row, len(last.rows[0]))))
    elif line.startswith("- "):
        if isinstance(last, Bullets):
            blocks[-1] = Bullets((*last.items, line[2:]))
        else:
            blocks.append(Bullets((line[2:],)))
    elif step:
        if isinstance(last, Steps):
            blocks[-1] = Steps((*last.items, step[1]))
        else:
            blocks.append(Steps((step[1],)))
    elif isinstance(last, Bullets | Steps):
        blocks[-1] = type(last)((*last.items[:-1], f"{last.items[-1]} {text}"))
    elif isinstance(last, Question):
        blocks[-1] = Question(last.text, f"{last.answer} {text}".strip())
    elif isinstance(last, Paragraph) and last.text:
        blocks[-1] = Paragraph(f"{last.text} {text}")
    else:
        blocks.append(Paragraph(text))


def _as_long(row: tuple[str, ...], cells: int) -> tuple[str, ...]:
    return (*row, *[""] * cells)[:cells]


def column_widths(natural: Sequence[int], room: int) -> list[int]:
    """The widths of a table's columns, so that they fit in `room`. The widest columns are narrowed first."""
    most = max(natural, default=0)
    while most > 1 and sum(min(width, most) for width in natural) > room:
        most -= 1
    return [min(width, most) for width in natural]


def plain(blocks: Iterable[Block]) -> str:
    """The page as Markdown again, with dice as indented lines of numbers."""
    text, last = "", None
    for block in blocks:
        if last:
            text += "\n" if isinstance(block, Dice) and isinstance(last, Dice) else "\n\n"
        text, last = text + _plain(block), block
    return text


def _plain(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Bullets(items):
            return "\n".join(f"- {item}" for item in items)
        case Steps(items):
            return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
        case Grid(rows):
            return "\n".join(f"| {' | '.join(row)} |" for row in rows)
        case Question(text, answer):
            return f"? {text}\n{answer}"
        case Dice(values, caption):
            return f"    {'-'.join('?' if value is None else str(value) for value in values)}: {caption}"
