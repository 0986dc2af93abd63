"""The rules of each game as players read them: the same page in every language, and all of it in the terminal."""

import io
import re

import pytest

from table.engine.options import describe
from table.games import GAMES
from table.text.catalogue import Catalogue, languages
from table.text.pages import Bullets, Dice, Heading, Paragraph, page, parse, plain
from table.ui.terminal.screen import Screen


def texts(blocks):
    for block in blocks:
        match block:
            case Heading(text, _) | Paragraph(text) | Dice(_, text):
                yield text
            case Bullets(items):
                yield from items


def shape(blocks):
    """The kinds of blocks in order, with what a translation cannot change about them."""
    for block in blocks:
        match block:
            case Heading(_, level):
                yield Heading, level
            case Paragraph():
                yield Paragraph, None
            case Bullets(items):
                yield Bullets, len(items)
            case Dice(values, _):
                yield Dice, values


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_page_has_the_same_blocks_in_every_language(game, language):
    assert list(shape(page(game, language))) == list(shape(page(game)))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_a_page_begins_with_the_name_of_the_game_and_shows_dice(game, language):
    blocks = page(game, language)
    assert blocks[0] == Heading(Catalogue(language)(f"{game}.name"), 1)
    assert [block.level for block in blocks if isinstance(block, Heading)].count(1) == 1
    assert sum(isinstance(block, Dice) for block in blocks) >= 2


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_named_in_the_page_as_the_screens_name_it(game, language):
    say, text = Catalogue(language), " ".join(texts(page(game, language))).casefold()
    for option in describe(GAMES[game].options):
        assert say(f"{game}.option.{option['name']}.name").casefold() in text


@pytest.mark.parametrize("game", GAMES)
def test_the_terminal_is_told_how_each_option_is_typed(game):
    typed = " ".join(texts(page(game, typed=True)))
    for option in describe(GAMES[game].options):
        assert re.search(rf"\({option['name']}=\w+", typed)
    assert "=" not in " ".join(texts(page(game)))


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
            assert text in shown
        if isinstance(block, Dice):
            assert f"{'-'.join(str(value or '?') for value in block.values)}: {block.caption}" in shown
    assert all(len(line) <= 80 for line in sink.getvalue().splitlines())


def test_a_page_is_read_block_by_block():
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


def test_a_plain_page_is_the_same_page_with_numbers_for_dice():
    text = "# Name\n\nOne.\n\n[2 1] Mexico\n[? 6] half\n\n- a\n- b"
    assert plain(parse(text)) == "# Name\n\nOne.\n\n    2-1: Mexico\n    ?-6: half\n\n- a\n- b"
