"""Static checks of the phone page: its size, the files it needs, its texts, and code it must never contain.

These tests need no browser and no network. tests/test_browser.py runs the page.
"""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import table
from table.text.catalogue import languages, texts

FOLDER = Path(table.__file__).parent / "ui" / "phone" / "page"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js"]
MARKUP = [path for path in FILES if path.suffix == ".html"]
PLAYING = PUBLIC = 60_000  # the most bytes, texts included, that a browser fetches to play or to show the public table
LATER = 25_000  # the most bytes that are added when the records are first opened
SVG = "http://www.w3.org/2000/svg"  # an XML namespace, from which nothing is fetched

WORD = re.compile(r"""\bwords\(\s*(['"`])(.*?)\1""")
ASKED = re.compile(r"\bwords\(")  # every call of `words`, whatever its argument


def said() -> set[str]:
    """The keys of all texts that the modules use."""
    return {key for path in MODULES for _, key in WORD.findall(path.read_text("utf-8"))}


class Page(HTMLParser):
    """The files that a page fetches, its inline scripts and styles, and its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.attributes: set[str] = set()
        self.own: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.attributes |= {name for name, _ in attrs}
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style") and data.strip():
            self.own.append(data)


IMPORTED = re.compile(r"""(?:from|import) ['"]\./(.*?)['"]""")
FETCHED = re.compile(r"""import\(['"]\./(.*?)['"]\)|['"]/page/(.*?)['"]""")  # files fetched only when needed


def needed(*names: str) -> set[str]:
    """The named files, and all the files that they link or import statically."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            text = (FOLDER / name).read_text("utf-8")
            left += [each.removeprefix("/page/") for each in Page(text).fetched] if name.endswith(".html") else []
            left += IMPORTED.findall(text) if name.endswith(".js") else []
    return found


def later(names: set[str]) -> set[str]:
    """The files that the given files load later, and everything that those need in turn."""
    texts = [(FOLDER / name).read_text("utf-8") for name in names if name.endswith(".js")]
    wanted = {next(filter(None, found)) for text in texts for found in FETCHED.findall(text)} - names
    return wanted and (needed(*wanted) | later(needed(*wanted)) | wanted) - names


def size(names: set[str]) -> int:
    return sum((FOLDER / name).stat().st_size for name in names)


def spoken() -> int:
    """The size of the page's texts as they are sent, in the language where they are longest."""
    found = []
    for language in languages():
        words = {key.removeprefix("phone."): text for key, text in texts(language).items() if key.startswith("phone.")}
        found.append(len(json.dumps(words, default=dict)))
    return max(found)


def test_the_files_needed_to_play_are_small():
    files = needed("index.html")
    assert {"index.html", "app.css", "app.js", "lobby.js", "play.js"} <= files
    assert size(files) + spoken() < PLAYING


def test_the_public_table_is_small_and_loads_nothing_later():
    files = needed("table.html")
    assert {"table.html", "app.css", "table.css", "public.js"} <= files and later(files) == set()
    assert size(files) + spoken() < PUBLIC


def test_the_records_are_loaded_later_and_are_small():
    part = later(needed("index.html"))
    assert {"records.js", "records.css"} <= part
    assert size(part) < LATER


def test_every_file_is_fetched_by_some_page():
    files = needed("index.html") | needed("table.html")
    assert files | later(files) == {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_names_another_host(path):
    text = path.read_text("utf-8").replace(SVG, "")
    assert re.findall(r"(?:https?|wss?):?//\w[^\s\"'`)]*", text) == []
    assert re.findall(r"""(?:url\(|@import|src=|href=|from )\s*["']?//""", text) == []


@pytest.mark.parametrize("path", MARKUP, ids=lambda path: path.name)
def test_markup_has_no_inline_scripts_or_styles(path):
    page = Page(path.read_text("utf-8"))
    assert page.own == []
    assert "style" not in page.attributes
    assert not [name for name in page.attributes if name.startswith("on")]


@pytest.mark.parametrize("path", MARKUP, ids=lambda path: path.name)
def test_markup_fetches_only_files_in_the_folder(path):
    fetched = Page(path.read_text("utf-8")).fetched
    assert fetched and {name.rpartition("/")[0] for name in fetched} == {"/page"}
    assert all((FOLDER / name.removeprefix("/page/")).is_file() for name in fetched)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_import_only_files_in_the_folder(path):
    imported = re.findall(r"""(?:from|import) ['"](.*?)['"]""", path.read_text("utf-8"))
    assert all(name.startswith("./") and (FOLDER / name).is_file() for name in imported)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_messages_from_the_table_cannot_become_markup_or_code(path):
    text = path.read_text("utf-8")
    never = "innerHTML|outerHTML|insertAdjacentHTML|document.write|DOMParser|srcdoc|javascript:"
    assert re.findall(never, text) == []
    assert re.findall(r"\beval\s*\(|new Function|set(?:Timeout|Interval)\(\s*['\"`]", text) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_texts_are_looked_up_by_literal_keys(path):
    text = path.read_text("utf-8").replace("export function words(", "")
    assert len(ASKED.findall(text)) == len(WORD.findall(text))
    assert not any("$" in key for _, key in WORD.findall(text))


@pytest.mark.parametrize("language", languages())
def test_every_text_of_the_page_is_used_and_exists_in_every_language(language):
    assert said() == {key.removeprefix("phone.") for key in texts(language) if key.startswith("phone.")}


def test_the_page_knows_the_tables_languages():
    written = (FOLDER / "words.js").read_text("utf-8")
    assert dict(re.findall(r"(\w\w): '(\w+)'", written)) == dict(languages())


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix in (".js", ".css")], ids=lambda path: path.name)
def test_a_file_begins_with_its_purpose_and_its_one_rule(path):
    comment = path.read_text("utf-8").partition("*/")[0]
    assert comment.startswith("/* ") and "Its one rule:" in comment
