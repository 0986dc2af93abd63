"""The table's texts are complete in every language, and all of them are used.

The tests read the keys from the source code, so that no new text can be forgotten.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from table.devices import SOURCES
from table.engine.options import describe
from table.games import GAMES, bots
from table.games.cheese import rules as cheese
from table.text.catalogue import FORMS, Catalogue, Text, languages, texts

TABLE = Path(bots.__file__).parent.parent
# Texts that the catalogue itself uses for numbers, bids and lists, and the texts of the language menu.
OWN = (
    "language.name",
    "number.",
    "face.",
    "list.and",
    "list.or",
    "phone.",
)  # "phone." texts are used by the phone page


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_english_and_spanish_exist_under_their_own_names():
    assert dict(languages()) == {"en": "English", "es": "Español"}


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_texts_in_the_same_order_and_forms(language):
    assert list(texts(language)) == list(texts("en"))
    for key, text in texts(language).items():
        assert isinstance(text, str) == isinstance(texts("en")[key], str), key


@pytest.mark.parametrize("language", languages())
def test_every_text_has_the_same_placeholders_in_every_language(language):
    for key, text in texts(language).items():
        found, english = (set().union(*map(placeholders, forms(form))) for form in (text, texts("en")[key]))
        assert found == english, key


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty_or_badly_spaced(language):
    for key, text in texts(language).items():
        for form in forms(text):
            assert isinstance(form, str) and form and form == form.strip() and "  " not in form and "\n" not in form, (
                key
            )


@pytest.mark.parametrize("language", languages())
def test_placeholders_are_plain_names(language):
    for key, text in texts(language).items():
        assert all(name.isidentifier() for form in forms(text) for name in placeholders(form)), key


@pytest.mark.parametrize("language", languages())
def test_all_games_options_levels_and_cards_have_names(language):
    say = Catalogue(language)
    for game in GAMES.values():
        for word in ("name", "summary", "minutes"):
            assert say(f"{game.id}.{word}")
        for option in describe(game.options):
            words = ["name", "help", *(option["values"] if option["type"] == "string" else ())]
            assert all(say(f"{game.id}.option.{option['name']}.{word}") for word in words)
    levels = {level for game in GAMES for level in bots.levels(game)} | {"search"}
    assert all(say(f"level.{level}.{word}") for level in levels for word in ("name", "help"))
    assert all(say(f"cheese.card.{card}") for card in cheese.DECK)


def test_a_game_has_the_same_summary_in_its_rules_and_in_its_english_texts():
    english = texts("en")
    assert all(game.summary == english[f"{game.id}.summary"] for game in GAMES.values())


def test_no_text_names_an_unknown_option():
    known = {(game.id, option["name"]) for game in GAMES.values() for option in describe(game.options)}
    named = (key.split(".") for key in texts("en"))
    assert {
        (game, name) for game, part, name, *_ in (key for key in named if len(key) > 2) if part == "option"
    } == known


@pytest.mark.parametrize("code", ["full", "readonly", "corrupt", "older", "foreign", "newer", "locked", "failed"])
@pytest.mark.parametrize("language", languages())
def test_every_journal_error_is_a_sentence(language, code):
    said = Catalogue(language)(f"trouble.{code}", detail="/data/table.db")
    assert said[0] in "/" or said[0].isupper()
    assert said.endswith(".") and len(said) <= 120


def test_placeholders_are_filled_and_the_count_selects_the_plural_form():
    say, di = Catalogue("en"), Catalogue("es")
    assert say("choose.seats", least=2, most=10) == "2 to 10 players"
    assert [say("many.points", count=count) for count in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [di("many.points", count=count) for count in (0, 1, 2)] == ["0 puntos", "1 punto", "2 puntos"]


def test_braces_in_a_name_stay_unchanged():
    assert Catalogue("en")("play.pass", name="{count}") == "Pass to {count}"


def test_a_missing_text_or_placeholder_raises():
    say = Catalogue("es")
    with pytest.raises(KeyError, match=r"es\.toml has no text menu\.dance"):
        say("menu.dance")
    with pytest.raises(KeyError, match="most"):
        say("choose.seats", least=2)
    with pytest.raises(KeyError, match="count"):
        say("many.points")


def test_an_unknown_language_falls_back_to_english():
    assert Catalogue("tlh").language == "en"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["one ace", "two fives", "three sixes", "twelve aces", "13 twos"]),
        ("es", ["un as", "dos cincos", "tres seises", "doce ases", "13 doses"]),
    ],
)
def test_bids_are_written_in_words(language, said):
    say = Catalogue(language)
    assert [say.bid(*bid) for bid in ((1, 1), (2, 5), (3, 6), (12, 1), (13, 2))] == said


@pytest.mark.parametrize(
    ("language", "names", "joined", "said"),
    [
        ("en", ["Ann"], "and", "Ann"),
        ("en", ["Ann", "Inés"], "and", "Ann and Inés"),
        ("en", ["Ann", "Bo", "Oto"], "or", "Ann, Bo or Oto"),
        ("es", ["Ana", "Bo"], "and", "Ana y Bo"),
        ("es", ["Ana", "Bo", "Inés"], "and", "Ana, Bo e Inés"),
        ("es", ["Ana", "Hilda"], "and", "Ana e Hilda"),
        ("es", ["Ana", "Ian"], "and", "Ana y Ian"),
        ("es", ["Ana", "Yolanda"], "and", "Ana y Yolanda"),
        ("es", ["Ana", "Óscar"], "or", "Ana u Óscar"),
    ],
)
def test_names_are_joined_as_in_speech(language, names, joined, said):
    assert Catalogue(language).listed(names, joined) == said


# Texts used by the source


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(TABLE.rglob("*.py")):
        if not {"install", "doctor", "pretend.py"} & {
            path.parent.name,
            path.name,
        }:  # the texts of these modules are not in the catalogue
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def pattern(text: ast.JoinedStr) -> str:
    """An f-string as a regular expression. Any name matches where the f-string has an expression in braces."""
    parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.]+" for part in text.values)
    return "".join(parts)


def keys_used(call: ast.Call) -> Iterator[str]:
    """The keys that a call of `say` can use, as regular expressions."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).endswith("screen"):
        return  # a terminal screen's `say` takes whole sentences
    asked = [call.args[0]] if name == "say" and call.args else []
    while asked:
        match asked.pop():
            case ast.Constant(value=str(key)):
                yield re.escape(key)
            case ast.JoinedStr() as text:
                yield pattern(text)
            case ast.IfExp(body=body, orelse=other):
                asked += [body, other]


def test_every_text_used_in_the_source_is_in_the_catalogue():
    calls = [(path, node) for path, tree in sources() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for path, call in calls:
        for key in keys_used(call):
            assert any(re.fullmatch(key, known) for known in texts("en")), f"{path.name}, line {call.lineno}: {key}"


# Keys built from names in a game's rules: `{game}.tell.{event}`, or `tell.{event}` for all games.
BY_NAME = re.compile(r"(\[\\w\.\]\+\\\.)?(tell|chose|prompt|choice|fact|review)\\\.\[\\w\.\]\+")
SECTIONS = ("tell", "chose", "prompt", "choice", "fact", "review")


def names_in(*paths: Path) -> set[str]:
    """The string constants and the declared fields in source files."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(word)) | ast.AnnAssign(target=ast.Name(id=word)):
                    found.add(word)
    return found


@cache
def keys_in_the_source() -> tuple[set[str], set[str]]:
    """All string constants of the source, and a regular expression for each f-string that looks like a key."""
    plain, patterns = set(), set()
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                plain.add(node.value)
            elif isinstance(node, ast.JoinedStr) and re.match(r"(\w+|\[\\w\.\]\+)\\\.", pattern(node)):
                patterns.add(pattern(node))
    anything = {r"[\w.]+\.[\w.]+"}  # this pattern comes from names of modules, not of texts
    return plain, {known for known in patterns - anything if not BY_NAME.fullmatch(known)}


def unused(keys: Iterable[str]) -> list[str]:
    plain, patterns = keys_in_the_source()
    shared = names_in(TABLE / "games/default/words.py", TABLE / "text/choices.py")
    of_game = {
        game: names_in(*(TABLE / "games" / game / f"{part}.py" for part in ("rules", "words"))) for game in GAMES
    }

    of_devices = names_in(*(TABLE / "devices").glob("*.py"))  # device errors: `{device}.{word}`

    def by_name(key: str) -> bool:
        match key.split("."):
            case [device, word] if device in SOURCES:
                return word in of_devices
            case [section, word] if section in SECTIONS:
                return word in shared.union(*of_game.values())
            case [game, section, word] if section in SECTIONS:
                return word.removesuffix("_dice") in shared | of_game[game]
        return False

    return [
        key
        for key in keys
        if key not in plain
        and not key.startswith(OWN)
        and not any(re.fullmatch(known, key) for known in patterns)
        and not by_name(key)
    ]


def test_every_text_in_the_catalogue_is_used():
    assert unused(texts("en")) == []


@pytest.mark.parametrize(
    "key",
    [
        "cap.dance",
        "edice.dance",
        "tell.dance",
        "mexico.tell.dance",
        "mexico.choice.claim",
        "cheese.tell.mexico",
        "bluff.fact.left",
    ],
)
def test_an_unused_text_is_found(key):
    assert unused([key]) == [key]


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ('say("menu.back")', ["menu.back"]),
        ('context.say("menu.back", name=1)', ["menu.back"]),
        ('say(f"{game}.name")', ["mexico.name", "game.a.b.name"]),
        ('say("a.b" if x else "a.c")', ["a.b", "a.c"]),
        ("say(key)", []),
        ('self.screen.say("menu.back")', []),
        ('tell("menu.back")', []),
    ],
)
def test_the_keys_that_a_call_uses_are_found(source, keys):
    found = list(keys_used(ast.parse(source).body[0].value))
    assert all(any(re.fullmatch(known, key) for known in found) for key in keys) and bool(found) == bool(keys)


def test_plurals_always_have_all_forms():
    assert all(set(text) == FORMS for text in texts("en").values() if not isinstance(text, str))
    assert not any(key.endswith((".one", ".other")) for key in texts("en"))
