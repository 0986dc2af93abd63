"""Every text for people, in every language: `say = Catalogue("es")`, then `say("menu.leave")`.

Its one rule: no texts in the code. A missing key is a bug and raises KeyError.

Texts shared by all games are in assets/language/, one file per language. A game's own texts are in its folder, and
their keys begin with its id: `won` in the section `tell` of mexico/en.toml is `mexico.tell.won`. A text can contain
{facts}. A TOML table with `one` and `other` is one text in two forms, and the fact `count` selects the form.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from table.config import paths
from table.games import BUILT_IN, GAMES, defect, folder

Text = str | Mapping[str, str]
FORMS = {"one", "other"}
FIRST = "en"  # first in menus, and used in place of an unknown language

# In Spanish, "y" becomes "e" before an i sound, and "o" becomes "u" before an o sound: "Ana e Inés", but "agua y
# hielo".
_SOUNDS = {"and": re.compile(r"h?[iíy](?![aeou])", re.IGNORECASE), "or": re.compile(r"h?[oó]", re.IGNORECASE)}


class Catalogue:
    """The texts of one language. Call it with a key to get a text."""

    def __init__(self, language: str = FIRST) -> None:
        self.language = language if language in languages() else FIRST
        self._texts = texts(self.language)

    def __call__(self, key: str, /, **facts: Any) -> str:
        text = self._texts.get(key)
        if text is None:
            raise KeyError(f"{self.language}.toml has no text {key}")
        if isinstance(text, Mapping):
            text = text["one" if facts["count"] == 1 else "other"]
        return text.format_map(facts)

    def first(self, /, *keys: str, **facts: Any) -> str:
        """The text of the first key that exists and needs no facts other than those given. Raises KeyError if there is
        none."""
        for key in keys:
            try:
                return self(key, **facts)
            except KeyError as missing:
                self._passed_over(key, missing)
        raise KeyError(f"{self.language}.toml has none of {', '.join(keys)}")

    def has(self, key: str) -> bool:
        return key in self._texts

    def get(self, key: str, default: str, /, **facts: Any) -> str:
        """The text, or `default` if it is missing, because games from other packages might lack texts."""
        try:
            return self(key, **facts)
        except KeyError as missing:
            self._passed_over(key, missing)
        return default

    def _passed_over(self, key: str, missing: KeyError) -> None:
        """Warns the author of another package's game about a text that uses an unknown fact."""
        game, _, rest = key.partition(".")
        if key in self._texts and game in GAMES and game not in BUILT_IN:
            defect(f"{game}: {rest}", f"this text uses the fact {missing}, which is not available here")

    def number(self, count: int) -> str:
        """The number as a word, such as "three", or in digits if the language has no word for it."""
        key = f"number.{count}"
        return self(key) if key in self._texts else str(count)

    def faces(self, face: int, count: int = 1) -> str:
        """The name of a face, such as "five", or "fives" if there are several dice."""
        return self(f"face.{face}", count=count)

    def bid(self, count: int, face: int) -> str:
        """A count of a face, such as "three fives" or "one ace"."""
        return self("number.of", count=count, number=self.number(count), face=self.faces(face, count))

    def listed(self, items: Sequence[str], joined: str = "and") -> str:
        """Joins the items with "and" or "or", as in "Ann, Bo and Dot"."""
        if len(items) == 1:
            return items[0]
        sound = "_same_sound" if _SOUNDS[joined].match(items[-1]) else ""
        return self(f"list.{joined}{sound}", first=", ".join(items[:-1]), last=items[-1])


def capital(text: str) -> str:
    """Capitalizes the first letter, even after a mark, as in "¿Qué apuestas?"."""
    return re.sub(r"\w", lambda first: first[0].upper(), text, count=1)


def readable(word: str) -> str:
    """Turns a name from the code into words: full_house becomes Full house."""
    return capital(word.replace("_", " ").strip())


@cache
def languages() -> Mapping[str, str]:
    """What each language calls itself, by language code, in menu order."""
    found = {path.stem for path in (paths.assets() / "language").glob("*.toml")}
    codes = sorted(found, key=lambda code: (code != FIRST, code))
    return MappingProxyType({code: str(_shared(code)["language.name"]) for code in codes})


@cache
def texts(language: str) -> Mapping[str, Text]:
    """All texts of a language, by key. A game without this language uses its English texts."""
    found = dict(_shared(language))
    for game in GAMES:
        for code in (FIRST, language):
            found |= _of_game(game, code)
    return MappingProxyType(found)


@cache
def _shared(language: str) -> Mapping[str, Text]:
    with (paths.assets() / "language" / f"{language}.toml").open("rb") as file:
        return dict(_flat(tomllib.load(file), ""))


@cache
def _of_game(game: str, language: str) -> Mapping[str, Text]:
    file = folder(game) / f"{language}.toml"
    try:
        found = dict(_flat(tomllib.loads(file.read_text(encoding="utf-8")), f"{game}.")) if file.is_file() else {}
        for key, text in found.items():
            for form in text.values() if isinstance(text, Mapping) else [text]:
                _check(key, form)
        return found
    except (OSError, ValueError) as why:  # another package's file: the game is played without its own texts
        if game in BUILT_IN:
            raise
        defect(f"{game}: {language}.toml", str(why))
        return {}


def _check(key: str, text: Any) -> None:
    """Validates a text, so that formatting it can fail only because of a missing fact."""
    if not isinstance(text, str):
        raise ValueError(f"{key} is not a text: {text}")
    try:
        facts = [(fact, spec, conversion) for _, fact, spec, conversion in Formatter().parse(text) if fact is not None]
    except ValueError as why:
        raise ValueError(f"{key}: {why}") from None
    for fact, spec, conversion in facts:
        if not fact.isidentifier() or spec or conversion:
            raise ValueError(f"{key}: a fact must be a plain name in braces, not {{{fact}}}")


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Text]]:
    for name, entry in table.items():
        if isinstance(entry, dict) and entry.keys() != FORMS:
            yield from _flat(entry, f"{prefix}{name}.")
        else:
            yield prefix + name, entry
