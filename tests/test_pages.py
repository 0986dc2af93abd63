"""The rules pages have the same blocks in every language, and the terminal shows them completely."""

import io
import re

import pytest

from table.engine.options import describe
from table.games import GAMES
from table.text.catalogue import Catalogue, languages
from table.text.pages import Bullets, Dice, Grid, Heading, Paragraph, Question, Steps, page, parse, plain
from table.ui.terminal import draw
from table.ui.terminal.screen import Screen


def texts(blocks):
    for block in blocks:
        match block:
            case Heading(text, _) | Paragraph(text) | Dice(_, text):
                yield text
            case Bullets(items) | Steps(items):
                yield from items
            case Grid(rows):
                yield from (cell for row in rows for cell in row)
            case Question(text, answer):
                yield from (text, answer)


def shape(blocks):
    """The kind of each block in order, with the details that a translation must not change."""
    for block in blocks:
        match block:
            case Heading(_, level):
                yield Heading, level
            case Paragraph():
                yield Paragraph, None
            case Bullets(items) | Steps(items):
                yield type(block), len(items)
            case Grid(rows):
                yield Grid, [len(row) for row in rows]
            case Question():
                yield Question, None
            case Dice(values, _):
                yield Dice, values


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_page_has_the_same_blocks_in_every_language(game, language):
    assert list(shape(page(game, language))) == list(shape(page(game)))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_a_page_begins_with_the_games_name_and_shows_dice(game, language):
    blocks = page(game, language)
    assert blocks[0] == Heading(Catalogue(language)(f"{game}.name"), 1)
    assert [block.level for block in blocks if isinstance(block, Heading)].count(1) == 1
    assert sum(isinstance(block, Dice) for block in blocks) >= 2


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_a_page_has_a_goal_in_one_sentence_then_a_turn_in_steps_and_later_questions(game, language):
    _, goal, heading, turn, *rest = page(game, language)
    assert isinstance(goal, Paragraph) and len(re.findall(r"[.!?](?= |$)", goal.text)) == 1
    assert isinstance(heading, Heading) and isinstance(turn, Steps) and 3 <= len(turn.items) <= 5
    assert sum(isinstance(block, Question) for block in rest) >= 2


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_the_same_name_on_the_page_as_on_the_screens(game, language):
    say, text = Catalogue(language), " ".join(texts(page(game, language))).casefold()
    for option in describe(GAMES[game].options):
        assert say(f"{game}.option.{option['name']}.name").casefold() in text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", languages())
def test_the_terminal_shows_how_each_option_is_typed(game, language):
    typed = " ".join(texts(page(game, language, typed=True)))
    for option in describe(GAMES[game].options):
        assert re.search(rf"\({option['name']}=\w+", typed)
    assert not re.search(r"\w=", " ".join(texts(page(game, language))))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_no_markup_is_left_in_a_text(game, language):
    for text in texts(page(game, language)):
        assert text == " ".join(text.split()) and text
        assert not re.search(r"[\[\]#`*_]|^- ", text)


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_page_is_shown_in_the_terminal(game):
    sink = io.StringIO()
    Screen(io.StringIO(), sink).show_page(plain(page(game, typed=True)), "")
    shown = " ".join(sink.getvalue().split())
    for block in page(game, typed=True):
        for text in texts([block]):
            assert all(word in shown for word in text.split()) if isinstance(block, Grid) else text in shown
        if isinstance(block, Dice):
            assert f"{'-'.join(str(value or '?') for value in block.values)}: {block.caption}" in shown
    assert all(len(line) <= 80 for line in sink.getvalue().splitlines())


def test_a_page_is_parsed_into_blocks():
    text = "# Name\n\nOne\ntwo.\n[2 1] Mexico\n[? 6] half\nhidden\n\n## Part\n- a\n  b\n- c `c=1`\n\nEnd.\n\nMore.\n"
    assert parse(text) == (
        Heading("Name", 1),
        Paragraph("One two."),
        Dice((2, 1), "Mexico"),
        Dice((None, 6), "half"),
        Paragraph("hidden"),
        Heading("Part", 2),
        Bullets(("a b", "c `c=1`")),
        Paragraph("End."),
        Paragraph("More."),
    )


def test_steps_tables_and_questions_are_parsed():
    text = "1. One\n   more.\n2. Two.\n\n| A | B |\n| --- | --- |\n| c | |\n| d | e | f |\n\n? Why?\nFor\nfun.\n"
    assert parse(text) == (
        Steps(("One more.", "Two.")),
        Grid((("A", "B"), ("c", ""), ("d", "e"))),
        Question("Why?", "For fun."),
    )


def test_a_table_that_is_too_wide_for_the_terminal_wraps_its_widest_cells():
    rows = draw.page(plain(parse("| Roll | Score |\n| --- | --- |\n| one | a very long answer |")), 18)
    assert rows == [(" Roll  Score", True), (" one   a very", False), ("       long", False), ("       answer", False)]


def test_a_plain_page_is_the_same_page_with_numbers_for_dice():
    text = "# Name\n\nOne.\n\n[2 1] Mexico\n[? 6] half\n\n- a\n- b\n\n1. c\n2. d\n\n| e | f |\n| g | h |\n\n? Why?\nSo."
    assert plain(parse(text)) == text.replace("[2 1] ", "    2-1: ").replace("[? 6] ", "    ?-6: ")
