"""The phone page in a real browser: Debian's Chromium plays several phones at once, against real rooms on loopback.

A phone does only what a person could: it touches visible elements where they are on the page. The tests read the
table's state only to check what a page must or must not show.
"""

import asyncio
import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.ground
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test installs it")

from table.analysis import odds  # noqa: E402
from table.engine.asks import Over  # noqa: E402
from table.engine.names import clean  # noqa: E402
from table.text import numbers  # noqa: E402
from table.text.catalogue import Catalogue, texts  # noqa: E402
from tests import phones  # noqa: E402
from tests.past_games import filled  # noqa: E402
from tests.phones import Rooms, rooms  # noqa: E402
from tests.test_phones import at  # noqa: E402

SLOW = 30.0  # seconds before a test gives up waiting for a page
SMALL, LARGE = (320, 568), (390, 844)
TOUCHABLE = {"button", "link", "textbox", "combobox", "switch", "spinbutton", "DisclosureTriangle"}
HOLD = "button.peek"

# Waits until the page has reacted to the last touch, then reads what it asks the player.
LOOK = """async () => {
  const all = (what) => [...document.querySelectorAll(what)];
  const text = (what) => document.querySelector(what)?.textContent ?? '';
  const off = 'footer :is(.huge, .picks button, .steppers ~ button, .tray button)[aria-disabled=true]';
  const busy = () => all(off).length
    && !all('footer .tray button[aria-disabled=false]').length;
  let frames = 0;
  do await new Promise(requestAnimationFrame); while (busy() && ++frames < 2000); // about half a minute
  const kinds = { roll: '.huge', bid: '.steppers', dice: '.tray', list: '.picks' };
  return {
    kind: Object.keys(kinds).find((each) => all(`footer ${kinds[each]}`).length) ?? '',
    turn: all('.prompt.mine').length > 0, picks: all('footer .picks button').length,
    prompt: text('.prompt h1'), live: text('#live'), heard: window.heard.slice(-4).join(' '),
    known: all('main .die:not(.unknown), .hand .die:not(.unknown)').length,
  };
}"""

# Finds layout faults: content wider than the screen, elements off its edge, buttons too small for a finger.
FIT = """async () => {
  await new Promise(requestAnimationFrame);
  const all = (what) => [...document.querySelectorAll(what)];
  const width = screen.width;
  const beside = all('button, a, input, select, summary, h1, .seat, .card, .die').filter((node) => {
    const { left, right, width: wide } = node.getBoundingClientRect();
    return wide && !node.closest('.hints, .unseen') && (left < -0.5 || right > width + 0.5);
  });
  const thin = all('button').filter((node) => {
    const { width: wide, height } = node.getBoundingClientRect();
    return wide && Math.min(wide, height) < 43.5; // a finger is 44 wide
  });
  const range = document.createRange();
  const lines = (text, { index, 0: word }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const broken = all('button').filter((node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode, words = text.data.matchAll(/[^\\s-]+/g);
      if (!text.parentElement.closest('.unseen') && [...words].some((word) => lines(text, word) > 1)) return true;
    }
    return false;
  });
  const html = (nodes) => nodes.map((node) => node.outerHTML.slice(0, 200));
  return {
    wide: Math.max(document.documentElement.scrollWidth, innerWidth) - width,
    beside: html(beside), thin: html(thin), broken: html(broken),
  };
}"""

# The middle of the nth match, scrolled into view, and the element that covers it, if any.
MIDDLE = """([what, n]) => {
  const node = document.querySelectorAll(what)[n];
  if (!node) return null;
  node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { x, y, width, height } = node.getBoundingClientRect();
  const at = [x + width / 2, y + height / 2];
  const top = document.elementFromPoint(...at);
  return { x: at[0], y: at[1], under: node.contains(top) ? '' : top?.outerHTML.slice(0, 300) ?? 'the edge' };
}"""

BARE = '<link rel="icon" href="data:,">'

# Records what the live region announces, and reports violations of the content security policy.
LISTEN = """
  addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective));
  window.heard = [];
  addEventListener('DOMContentLoaded', () => {
    const live = document.querySelector('[aria-live]');
    if (!live) return; // an empty page
    new MutationObserver(() => heard.push(live.textContent)).observe(live, { childList: true, characterData: true });
  });
"""


class Phone:
    """A phone in its own browser context. It keeps what the page sends and requests, and every error and warning."""

    def __init__(self, browser: Any, size: tuple[int, int], language: str, touch: bool, **how: Any) -> None:
        self.size = size
        self.language = language
        self.name = ""  # the player who uses it
        self.complaints: list[str] = []
        self.sent: list[dict[str, Any]] = []  # messages sent to the table
        self.fetched: list[str] = []  # paths requested from the table
        self._address = ""
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            screen={"width": size[0], "height": size[1]},
            has_touch=touch,
            is_mobile=touch,
            locale={"en": "en-GB", "es": "es-MX"}[language],
            **{"reduced_motion": "reduce", **how},  # so that no test waits for animations
        )
        self.context.set_default_timeout(SLOW * 1000)
        self.context.add_init_script(LISTEN)
        self.page: Any = None

    def lend(self, address: str) -> None:
        """Prepare the phone for a test whose table is at this address."""
        self._address, self.name = address, ""
        for told in (self.complaints, self.sent, self.fetched):
            told.clear()

    def take_back(self) -> None:
        """Leave the table: the next test's table may get the same address, so close the page and forget the token."""
        self.context.set_offline(False)  # a failed test may have left it offline
        if self.page and not self.page.is_closed() and self.page.url != "about:blank":
            self.page.evaluate("localStorage.clear()")
            self.page.goto("about:blank")

    def open(self, path: str = "/") -> "Phone":
        """Open the page at a path or a full URL."""
        if self.page is None or self.page.is_closed():
            self._new_page()
        self.page.goto(path if "://" in path else self._address + path)
        return self

    def bare(self) -> "Phone":
        """Open an empty page at the table's origin."""
        if self.page is None or self.page.is_closed():
            self._new_page()
        self.page.route("**/bare", lambda route: route.fulfill(content_type="text/html", body=BARE))
        self.page.goto(f"{self._address}/bare")
        self.page.unroute("**/bare")
        return self

    def _new_page(self) -> None:
        self.page = self.context.new_page()
        self.page.on(
            "console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text)
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._fetches(request.url))
        self.page.on("websocket", self._listens)
        self._devtools = self.context.new_cdp_session(self.page)

    def _fetches(self, url: str) -> None:
        if url == "about:blank":
            return
        self.fetched.append(urlsplit(url).path)
        if urlsplit(url).netloc != urlsplit(self._address).netloc:
            self.complaints.append(f"It requested {url}.")

    def _listens(self, line: Any) -> None:
        self._fetches(line.url)
        line.on("framesent", lambda said: self.sent.append(json.loads(said)))

    def word(self, key: str, **facts: Any) -> str:
        text = texts(self.language)[f"phone.{key}"]
        assert isinstance(text, str)
        return text.format(**facts)

    def button(self, key: str, inside: str = "body", **facts: Any) -> Any:
        return self.page.locator(inside).get_by_role("button", name=self.word(key, **facts), exact=True)

    def tap(self, key: str, inside: str = "body", **facts: Any) -> None:
        self.button(key, inside, **facts).tap()

    def write(self, key: str, text: str, inside: str = "body") -> None:
        self.page.locator(inside).get_by_label(self.word(key)).fill(text)

    def touch(self, what: str, n: int = 0) -> None:
        """Touch the middle of an element, if it still exists. `tap` is slower: it waits until the element is stable."""
        if found := self._middle(what, n):
            self.page.touchscreen.tap(*found)

    def _middle(self, what: str, n: int = 0) -> tuple[float, float] | None:
        found = self.page.evaluate(MIDDLE, [what, n])
        assert not found or not found["under"], f"{what} is covered by {found['under']}."
        return found and (found["x"], found["y"])

    def hold(self, what: str) -> Callable[[], None]:
        """Touch and hold. Returns a function that lifts the finger."""
        self.page.locator(what).wait_for()
        x, y = self._middle(what) or (0, 0)
        self._devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        return lambda: self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def look(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        return seen

    def until(self, wanted: Callable[[], Any]) -> None:
        end = time.monotonic() + SLOW
        while not wanted():
            assert time.monotonic() < end, self.page.locator("body").inner_text()
            self.page.wait_for_timeout(10)

    def exists(self, what: str, **how: Any) -> bool:
        return bool(self.page.locator(what, **how).count())

    def unnamed_controls(self) -> list[str]:
        """Roles of controls without a readable name in the accessibility tree."""
        tree = self._devtools.send("Accessibility.getFullAXTree")
        found = [node for node in tree["nodes"] if not node["ignored"] and node["role"]["value"] in TOUCHABLE]
        return [
            node["role"]["value"] for node in found if not any(map(str.isalnum, node.get("name", {}).get("value", "")))
        ]

    def fit(self) -> None:
        """Check that everything fits the screen, every button is large enough, no label is broken inside a word, and
        every control has a name."""
        seen = self.page.evaluate(FIT)
        found = seen["wide"], seen["beside"], seen["thin"], seen["broken"], self.unnamed_controls()
        assert found == (0, [], [], [], [])

    def dice(self) -> list[str]:
        """The labels of the player's own dice as shown now, hidden ones included."""
        found = self.page.locator(".hand .die").evaluate_all(
            "(all) => all.map((die) => die.getAttribute('aria-label'))"
        )
        return list(found)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed (Debian: chromium)")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=["--no-sandbox"], timeout=SLOW * 2000)
        yield opened
        opened.close()


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Rooms]:
    """Real rooms, with as many finished games as the test's parameter says."""
    if games := getattr(request, "param", 0):
        filled(tmp_path, games)
    with rooms(tmp_path, pin="1234", skips=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def pool(browser: Any) -> dict[str, list[Phone]]:
    """Phones that no test is using, by their settings. Starting a browser context takes longer than many tests do."""
    return {}


@pytest.fixture
def phone(browser: Any, pool: dict[str, list[Phone]], table: Rooms) -> Iterator[Callable[..., Phone]]:
    """Lends phones, and fails the test if one of them reported an error or warning."""
    lent: list[tuple[str, Phone]] = []

    def lend(size: tuple[int, int] = LARGE, language: str = "en", touch: bool = True, **how: Any) -> Phone:
        kind = str((size, language, touch, how))
        free = pool.setdefault(kind, [])
        one = free.pop() if free else Phone(browser, size, language, touch, **how)
        one.lend(table.address)
        lent.append((kind, one))
        return one

    yield lend
    for _, one in lent:
        one.take_back()
    for kind, one in lent:
        pool[kind].append(one)
    assert [complaint for _, one in lent for complaint in one.complaints] == []


def host(phone: Phone, name: str = "Ann") -> str:
    """Open a room and return its address."""
    phone.name = clean(name)
    phone.open()
    phone.tap("create")
    phone.write("your_name", name, "dialog")
    phone.tap("create", "dialog")
    phone.button("invite", "main").wait_for()
    return str(phone.page.url)


def join(phone: Phone, address: str, name: str) -> None:
    phone.name = clean(name)
    phone.open(address)
    phone.write("your_name", name)
    phone.tap("join")
    phone.button("be_ready").wait_for()


def game(phone: Phone, name: str, options: dict[str, str]) -> None:
    """Choose a game and its options in the lobby, as the host."""
    phone.tap("change")
    phone.page.locator("dialog button.card", has_text=name).tap()
    phone.page.locator("h2", has_text=name).wait_for()
    if options:
        phone.page.locator("summary").tap()
    for label, value in options.items():
        phone.page.locator(f"label.option:has(b:text-is('{label}')) select").select_option(label=value)


def seat(table: Rooms, phone: Callable[..., Phone], played: str, start: bool = True, **options: Any) -> list[Phone]:
    """Seat Ann and Bo over the socket and open their phones with stored tokens. Tests of whole games join by touch."""

    async def talk(session: Any) -> list[phones.Phone]:
        people = await phones.seat(table.address, session, ["Ann", "Bo"], played, **options)
        if start:
            await people[0].say("start")
            for one in people:
                await one.sees(lambda state: state["phase"] == "playing")
        return people

    with ThreadPoolExecutor(1) as aside:  # Playwright's event loop runs in this thread
        people = aside.submit(at, table.address, talk).result()
    ann, bo = phone(), phone(SMALL, "es")
    for one, person in zip((ann, bo), people, strict=True):
        one.name = person.name
        kept = [f"dicetable.{person.room}", person.token]
        one.bare().page.evaluate("([key, token]) => localStorage.setItem(key, token)", kept)
        one.open(f"/{person.room}")
    return [ann, bo]


def answer(phone: Phone, seen: dict[str, Any], chance: random.Random) -> None:
    """Touch one of the offered answers at random."""
    kind, words = seen["kind"], seen["picks"]
    if kind == "roll":
        phone.touch("footer .huge")
    elif kind == "list" or (words and chance.random() < 0.6):
        phone.touch("footer .picks button", chance.randrange(words))
    elif kind == "bid":
        if chance.random() < 0.3:
            phone.touch("footer .stepper button", chance.randrange(4))
        phone.touch("footer .steppers ~ button")
    else:
        for n in range(phone.page.locator("footer .tray button").count()):
            if chance.random() < 0.3:
                phone.touch("footer .tray button", n)
        if not phone.exists("footer .tray ~ button.main"):
            phone.touch("footer .hints button")
            phone.until(lambda: phone.exists("footer .tray ~ button.main") or not phone.exists("footer .tray"))
        phone.touch("footer .tray ~ button.main")


def asked(table: Rooms, phones: list[Phone]) -> Phone | None:
    """Wait for a player's turn. Returns that player's phone, or None once the game is over."""
    (room,) = table.host.connections.rooms.values()
    end = time.monotonic() + SLOW
    while room.session.turn not in ("phone", "over"):
        assert time.monotonic() < end, room.session.turn
        time.sleep(0.002)
    referee = room.session.match.referee
    names = {phone.name: phone for phone in phones}
    return None if isinstance(referee.ask, Over) else names[referee.players[referee.ask.seat]]


def play(table: Rooms, phones: list[Phone], chance: random.Random) -> set[str]:
    """Play to the end, and return the kinds of decisions that came up. Checks the layout once per phone and kind."""
    kinds: set[tuple[str, str]] = set()
    end = time.monotonic() + 2 * SLOW
    while phone := asked(table, phones):
        assert time.monotonic() < end, f"the game does not end; {phone.name} sees {phone.look()}"
        seen = phone.look()
        if not seen["kind"]:
            continue  # the page has not received this player's ask yet
        assert seen["turn"] and seen["prompt"] in seen["heard"]
        if (phone.name, seen["kind"]) not in kinds:
            kinds.add((phone.name, seen["kind"]))
            phone.fit()
        answer(phone, seen, chance)
    for phone in phones:
        phone.page.locator(".result").wait_for()
    return {kind for _, kind in kinds}


def names(phone: Phone, where: str = ".name") -> list[str]:
    return list(phone.page.locator(where).evaluate_all("(all) => all.map((name) => name.firstChild.data)"))


def match_of(table: Rooms) -> Any:
    (room,) = table.host.connections.rooms.values()
    return room.session.match


def hand_of(table: Rooms, name: str) -> list[int]:
    match = match_of(table)
    return list(match.hidden_dice(match.referee.players.index(name)) or [])


def called(phone: Phone, dice: list[int]) -> list[str]:
    return [phone.word(f"die_{face}") for face in dice]


def everybody_rolls(table: Rooms, phones: list[Phone]) -> None:
    """In a game of Cacho, answer the rolls until every phone shows its hidden dice."""
    end = time.monotonic() + SLOW
    while not all(phone.exists(".hand") for phone in phones):
        assert time.monotonic() < end, "a player has no dice"
        phone = asked(table, phones)
        if phone and phone.look()["kind"] == "roll":
            phone.touch("footer .huge")


# Whole games

GAMES = {
    "mexico": ({"lives": "1"}, {"roll", "list"}),
    "bluff": ({"rounds": "1"}, {"roll", "list"}),
    "pocoloco": ({"chips": "2"}, {"roll"}),
    "cheese": ({"goal": "500"}, {"roll", "dice"}),
    "cacho": ({"dice": "1"}, {"roll", "bid"}),
}


@pytest.mark.parametrize("played", GAMES)
def test_two_phones_and_a_computer_play_a_whole_game_while_the_public_page_shows_it(table: Rooms, phone, played: str):
    options, kinds = GAMES[played]
    say = texts("en")
    ann, bo = phone(color_scheme="dark", reduced_motion="no-preference"), phone(SMALL, "es", color_scheme="light")
    public = phone((1280, 720), touch=False)
    host(ann)
    ann.tap("invite", "main")
    address = ann.page.get_by_label(ann.word("address")).input_value()
    ann.tap("close")
    join(bo, address, "Maximiliana-Guadalupe")
    ann.page.get_by_role("button", name=say["level.classic.name"]).tap()
    game(ann, say[f"{played}.name"], {say[f"{played}.option.{name}.name"]: to for name, to in options.items()})
    code = address.rpartition("/")[2]
    public.open(f"/table/{code}")
    public.page.locator(".people").get_by_text("Maximiliana-Guadalupe").wait_for()
    bo.tap("be_ready")
    for one in (ann, bo):
        one.fit()
    ann.tap("start")
    assert play(table, [ann, bo], random.Random(played)) >= kinds
    match = match_of(table)
    winners = [match.referee.players[seat] for seat in match.winners]
    assert winners
    public.page.locator(".result").wait_for()
    assert not public.exists("button, a, input")
    for one in (ann, bo, public):
        one.fit()
        assert sorted(names(one, ".won .name")) == sorted(winners)
    assert [one for one in (ann, bo) if one.page.locator("h1").inner_text() in ("You win!", "¡Ganaste!")] == [
        one for one in (ann, bo) if one.name in winners
    ]
    assert not public.exists("text=You win!")
    assert bo.page.locator("html").get_attribute("lang") == "es"


# The lobby and the menu


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_lobby_of_a_game_with_five_levels_fits(table: Rooms, phone, size: tuple[int, int], language: str):
    one = phone(size, language)
    host(one)
    assert one.page.locator("main section:last-child > .row button").count() == 5
    one.fit()


def test_players_can_rename_themselves_in_the_lobby(table: Rooms, phone):
    ann, bo = seat(table, phone, "mexico", start=False)
    bo.tap("rename")
    field = bo.page.get_by_label(bo.word("your_name"))
    assert field.input_value() == "Bo"
    bo.fit()
    field.fill("Bonifacio")
    bo.tap("save")
    for one in (ann, bo):
        one.until(lambda: names(one, ".people .name") == ["Ann", "Bonifacio"])  # noqa: B023
    assert not bo.exists("dialog[open]")
    bo.fit()


def test_the_operator_changes_settings_from_a_phone_only_with_the_pin(table: Rooms, phone):
    ann, bo = seat(table, phone, "mexico")
    bo.page.locator(".seats").wait_for()
    bo.tap("menu")
    bo.tap("operator")
    bo.fit()
    on, off = bo.word("on"), bo.word("off")
    odds, create = bo.word("odds"), bo.word("new_rooms")
    note = bo.page.locator("dialog [role=alert]")
    bo.write("pin", "4321")
    bo.page.get_by_role("button", name=f"{odds}: {on}", exact=True).tap()
    note.get_by_text(texts("es")["refused.wrong_pin"]).wait_for()
    assert not table.phone_rules.odds
    bo.write("pin", "1234")
    bo.page.get_by_role("button", name=f"{odds}: {on}", exact=True).tap()
    note.get_by_text(bo.word("saved")).wait_for()
    ann.page.locator("summary", has_text=ann.word("odds")).wait_for()
    bo.page.get_by_role("button", name=f"{create}: {off}", exact=True).tap()
    bo.until(lambda: not table.phone_rules.create)
    bo.write("patience", "soon")
    bo.tap("save")
    note.get_by_text(texts("es")["refused.not_offered"]).wait_for()
    bo.write("patience", "90")
    bo.tap("save")
    bo.until(lambda: table.phone_rules.patience == 90)
    bo.tap("close")
    bo.tap("menu")
    bo.tap("operator")
    assert bo.page.get_by_label(bo.word("pin")).input_value() == ""
    ann.tap("menu")
    ann.tap("other_rooms")
    ann.page.locator("ul.rooms").wait_for()
    assert not ann.button("create").count()


# Coming back


@pytest.mark.parametrize("how", ["offline", "closed"])
def test_a_phone_that_reconnects_gets_its_seat_and_dice_back(table: Rooms, phone, how: str):
    ann, bo = seat(table, phone, "cacho")
    everybody_rolls(table, [ann, bo])
    address, prompt = bo.page.url, bo.look()["prompt"]
    if how == "offline":
        bo.context.set_offline(True)
        cut(table, "Bo")
        bo.page.locator(".connecting").wait_for()
    else:
        bo.page.close()
    ann.page.locator(".seat", has_text="Bo").locator(".away").wait_for()
    if how == "offline":
        bo.until(lambda: bo.complaints)  # the page tried to reconnect
        assert bo.exists(".connecting") and bo.exists(".hand")
        bo.context.set_offline(False)
    else:
        bo.open(address)
    bo.until(lambda: bo.exists(".hand") and not bo.exists(".connecting"))
    assert all("ERR_INTERNET_DISCONNECTED" in one for one in bo.complaints)
    bo.complaints.clear()
    let_go = bo.hold(HOLD)
    bo.page.locator(".seen").wait_for()
    assert bo.dice() == called(bo, hand_of(table, "Bo"))
    let_go()
    bo.page.locator(".hand:not(.seen)").wait_for()
    assert bo.look()["prompt"] == prompt
    ann.until(lambda: not ann.exists(".away"))


# The real socket module with sockets that never open and timers that only this script fires.
RECONNECT = """async () => {
  const lines = [], waits = [], live = [];
  let next;
  window.setTimeout = (call, wait) => { waits.push(wait); next = call; };
  window.clearTimeout = () => { next = () => {}; };
  window.WebSocket = class { constructor() { lines.push(this); } close() {} };
  const { connect } = await import('/page/socket.js');
  connect(() => ({}), () => {}, (now) => live.push(now));
  for (let n = 0; n < 6; n++) {
    lines.at(-1).onclose();
    next();
  }
  const tried = lines.length;
  dispatchEvent(new Event('online'));
  const online = lines.length - tried;
  lines.at(-1).onmessage({ data: '{"is": "beat"}' });
  lines.at(-1).onclose();
  return { tried, online, waits, live };
}"""


def test_a_lost_connection_is_retried_with_growing_delays_and_at_once_when_the_network_is_back(table: Rooms, phone):
    told = phone().bare().page.evaluate(RECONNECT)  # the empty page has no connection of its own
    # A message arrived before the last wait, so the delays start over.
    assert told["waits"] == [250, 500, 1000, 1500, 1500, 1500, 250]
    assert (told["tried"], told["online"], told["live"]) == (7, 1, [True, False])


def cut(table: Rooms, name: str) -> None:
    """Close this player's connections from the server. Going offline does not close an open WebSocket in Chromium."""
    (room,) = table.host.connections.rooms.values()
    (person,) = [one for one in room.people.values() if one.name == name]
    server = table.port._server
    assert server
    for line in list(person.lines):
        asyncio.run_coroutine_threadsafe(server._pages[line].socket.close(), server._loop).result(SLOW)


def test_a_transfer_code_moves_a_seat_and_its_dice_to_another_phone(table: Rooms, phone):
    ann, bo = seat(table, phone, "cacho")
    everybody_rolls(table, [ann, bo])
    bo.tap("menu")
    bo.fit()
    bo.tap("pass")
    code = bo.page.locator("dialog .code").inner_text()
    other = phone(SMALL).open(bo.page.url)
    other.tap("have_code")
    other.write("code", code, "dialog")
    other.fit()
    other.tap("take")
    let_go = other.hold(HOLD)
    other.page.locator(".seen").wait_for()
    assert other.dice() == called(other, hand_of(table, "Bo"))
    let_go()
    bo.page.get_by_text(bo.word("moved")).wait_for()
    assert not bo.exists(".hand") and bo.button("join").is_visible()
    bo.open(bo.page.url)  # its token is no longer valid
    bo.button("join").wait_for()
    assert not bo.exists(".hand")
    if ann.exists("footer .steppers"):
        ann.touch("footer .steppers ~ button")
    other.page.locator("footer .steppers").wait_for()
    other.touch("footer .steppers ~ button")
    ann.page.locator("footer .steppers").wait_for()


# Hidden dice and odds


def test_odds_are_next_to_the_question_and_odds_of_hidden_dice_show_only_with_the_dice(table: Rooms, phone):
    table.phone_rules.odds = True
    ann, bo = seat(table, phone, "cacho")
    everybody_rolls(table, [ann, bo])
    bidder, other = (ann, bo) if ann.look()["kind"] else (bo, ann)
    bidder.touch("footer .steppers ~ button")
    other.page.locator("footer .steppers").wait_for()
    for one, name in ((ann, "Ann"), (bo, "Bo")):
        say, match = Catalogue(one.language), match_of(table)
        one.until(lambda: one.page.locator(".prompt .row").count() == 2)  # noqa: B023
        one.fit()
        view = match.referee.view(match.referee.players.index(name))
        own = [numbers.percent(line.chance, say) for line in odds.own(view)]
        assert not one.exists(".hand .row")
        let_go = one.hold(HOLD)
        one.page.locator(".seen .row").first.wait_for()
        assert one.page.locator(".hand .row b").all_inner_texts() == own
        assert all(chance in one.look()["live"] for chance in own)
        one.fit()
        let_go()
        one.until(lambda: not one.exists(".hand .row"))  # noqa: B023


def test_hidden_dice_are_in_the_page_only_while_the_player_peeks(table: Rooms, phone):
    ann, bo = seat(table, phone, "cacho")
    public = phone((1280, 720), touch=False).open(f"/table/{ann.page.url[-4:]}")
    everybody_rolls(table, [ann, bo])
    public.page.locator(".seat .unknown").first.wait_for()
    hidden, dice = [ann.word("die_hidden")] * 5, called(ann, hand_of(table, "Ann"))
    assert ann.dice() == hidden

    def covered() -> bool:
        return not any(one.look()["known"] for one in (ann, bo, public))

    assert covered()
    plain = ann.page.content()
    let_go = ann.hold(HOLD)
    ann.page.locator(".seen").wait_for()
    assert ann.dice() == dice
    words = ann.page.locator(".hint").inner_text()
    assert words not in plain and ann.look()["live"] == words
    assert not bo.look()["known"] and not public.look()["known"]
    let_go()
    ann.until(covered)
    assert ann.dice() == hidden and words not in ann.page.content()
    ann.tap("show")  # the dice stay visible until they are covered again
    ann.page.locator(".seen").wait_for()
    assert ann.dice() == dice
    ann.open(ann.page.url)
    ann.page.locator(".hand").wait_for()
    assert ann.dice() == hidden and words not in ann.page.content()


MARKUP = '<img src=x onerror="alert(1)"><b>Al</b>'


def test_markup_in_names_stays_text(table: Rooms, phone):
    ann, bo = phone(), phone(SMALL)
    public = phone((1280, 720), touch=False)
    address = host(ann, MARKUP)
    public.open(f"/table/{address[-4:]}")
    join(bo, address, "&lt;script&gt;{name}")
    game(ann, "Bluff", {texts("en")["bluff.option.rounds.name"]: "1"})
    bo.tap("be_ready")
    for phase in ("lobby", "game"):
        for one in (ann, bo, public):
            for name in (MARKUP, "&lt;script&gt;{name}"):
                one.until(lambda: name in names(one))  # noqa: B023
            assert not one.exists("img, b:text-is('Al')")
        bo.fit()
        if phase == "lobby":
            ann.tap("start")
            ann.page.locator(".seats").wait_for()
    play(table, [ann, bo], random.Random(1))
    bo.fit()


# Keyboard only


def tab_to(phone: Phone, what: str) -> None:
    for _ in range(40):
        if phone.page.evaluate(f"document.activeElement.matches({what!r})"):
            return
        phone.page.keyboard.press("Tab")
    raise AssertionError(f"The Tab key does not reach {what}.")


def test_keyboard_users_can_join_roll_keep_dice_and_bank(table: Rooms, phone):
    ann = phone(touch=False).open()
    keys = ann.page.keyboard
    ann.button("create").wait_for()
    tab_to(ann, "main button.main.wide")
    keys.press("Enter")
    ann.page.locator("dialog input").first.wait_for()
    tab_to(ann, "dialog input")
    keys.type("Ann")
    keys.press("Enter")
    ann.button("change").wait_for()
    tab_to(ann, "section.card h2 ~ button")
    keys.press("Enter")
    cheese = ann.page.locator("dialog button.card", has_text=texts("en")["cheese.name"])
    cheese.wait_for()
    for _ in range(20):
        keys.press("Tab")
        if cheese.evaluate("(node) => node === document.activeElement"):
            break
    keys.press("Space")
    (room,) = table.host.connections.rooms.values()
    room.session.dice.devices["simulated"]._chance = random.Random(1)  # rolls 2 5 1 3 1 4: only some of them score
    ann.page.locator("footer button.main[aria-disabled=false]").wait_for()
    tab_to(ann, "footer button.main")
    keys.press("Enter")
    ann.page.locator("footer .huge[aria-disabled=false]").wait_for()
    tab_to(ann, "footer .huge")
    keys.press("Space")
    ann.page.locator("footer .tray button[aria-disabled=false]").first.wait_for()
    tab_to(ann, "footer .tray button")
    keys.press("Space")
    ann.page.locator("footer .tray [aria-pressed=true]").wait_for()
    tab_to(ann, "footer .hints button")
    keys.press("Enter")
    ann.page.locator("footer .tray ~ button.main").wait_for()
    tab_to(ann, "footer .tray ~ button.main")
    keys.press("Enter")
    ann.page.locator("footer .picks button[aria-disabled=false]").first.wait_for()
    tab_to(ann, "footer .picks button")
    keys.press("Space")
    ann.page.locator("footer .huge, footer .tray").first.wait_for()


def test_keyboard_users_can_bid_and_peek(table: Rooms, phone):
    ann, bo = seat(table, phone, "cacho")
    everybody_rolls(table, [ann, bo])
    ann.until(lambda: ann.exists("footer .steppers") or bo.exists("footer .steppers"))
    asked = ann if ann.exists("footer .steppers") else bo
    keys = asked.page.keyboard
    tab_to(asked, ".peek")
    keys.down("Space")
    asked.page.locator(".seen").wait_for()
    assert asked.dice() == called(asked, hand_of(table, "Ann" if asked is ann else "Bo"))
    keys.up("Space")
    asked.page.locator(".hand:not(.seen)").wait_for()
    bid = asked.page.locator("footer .steppers ~ button.main")
    before = bid.inner_text()
    tab_to(asked, "[role=spinbutton]")
    keys.press("ArrowUp")
    asked.until(lambda: bid.inner_text() != before)
    tab_to(asked, "footer .steppers ~ button.main")
    keys.press("Enter")
    other = bo if asked is ann else ann
    other.page.locator("footer .steppers").wait_for()
    count, face = match_of(table).referee.view(None)["bid"]  # the next bid starts one count higher
    begins = other.page.get_by_role("spinbutton").evaluate_all("(all) => all.map((one) => one.ariaValueNow)")
    assert begins == [str(count + 1), str(face)]


# The records


RECORDS = pytest.mark.parametrize("table", [24], indirect=True)  # with 24 finished games in the records


def text(phone: Phone, what: str) -> str:
    return str(phone.page.locator(what).first.inner_text())


def records(phone: Phone) -> None:
    """Open the leaderboard from the first screen."""
    phone.open()
    phone.tap("records")
    phone.page.locator("ol.lines").wait_for()


def asked_for(phone: Phone) -> list[str]:
    """The pages of the records that this phone requested."""
    return [said["page"] for said in phone.sent if said["say"] == "records"]


def replay(phone: Phone) -> Any:
    return phone.page.get_by_role("button", name=texts(phone.language)["records.replay"])


def tab(phone: Phone, page: str) -> None:
    name = texts(phone.language)[f"records.{page}"]
    phone.page.locator(".tabs").get_by_role("button", name=name, exact=True).tap()
    phone.page.locator(".tabs [aria-current]", has_text=name).wait_for()


@RECORDS
@pytest.mark.parametrize(("size", "language"), [(SMALL, "es"), (LARGE, "en")])
def test_a_visitor_without_a_room_can_browse_players_games_steps_and_dice(table, phone, size, language):
    ann = phone(size, language)
    records(ann)
    ann.fit()
    leader = text(ann, "ol.lines .name")
    ann.page.locator("ol.lines button").first.tap()
    ann.page.locator("header strong", has_text=leader).wait_for()
    ann.page.locator(".faces").wait_for()
    ann.page.locator("summary", has_text=ann.word("change_player")).tap()
    ann.fit()
    ann.tap("back")
    ann.page.locator("ol.lines").wait_for()
    tab(ann, "games")
    ann.page.locator("ul.lines").wait_for()
    ann.fit()
    ann.page.locator("ul.lines button", has_text=texts(language)["bluff.name"]).first.tap()
    replay(ann).wait_for()
    ann.fit()
    replay(ann).tap()
    ann.page.locator(".seats").wait_for()
    told = text(ann, ".prompt")
    for _ in range(3):
        ann.tap("step_on")
    ann.until(lambda: text(ann, ".prompt .tag").startswith(ann.word("step", number=4, count="")))
    assert text(ann, ".prompt") != told and ann.page.locator(".seats .die:not(.unknown)").count() >= 2
    assert not ann.exists(".seats .unknown")
    assert texts(language)["records.hidden_then"] in text(ann, ".seats")
    ann.fit()
    ann.tap("step_last")  # the page fetches the last step from the table
    ann.page.locator(".outcome").wait_for()
    ann.fit()
    ann.tap("back")
    replay(ann).wait_for()
    ann.tap("back")
    tab(ann, "dice")
    ann.page.locator(".faces").first.wait_for()
    ann.fit()
    label = ann.page.locator(".faces").first.get_attribute("aria-label")
    assert label and label.count("%") == 6
    ann.tap("close")
    ann.button("create").wait_for()
    assert not ann.exists(".tabs")


@RECORDS
def test_the_records_code_is_fetched_only_when_the_records_are_first_opened(table: Rooms, phone):
    ann = phone()
    ann.open()
    ann.button("records").wait_for()
    part = {"/page/records.js", "/page/records.css", "/page/charts.js"}
    assert "/page/play.js" in ann.fetched and not part & set(ann.fetched)
    ann.tap("records")
    ann.page.locator("ol.lines").wait_for()
    assert part <= set(ann.fetched)


@RECORDS
def test_back_forward_and_reload_keep_the_current_records_page(table: Rooms, phone):
    ann = phone()
    host(ann)
    ann.tap("menu")
    ann.tap("records")
    ann.page.locator("ol.lines button").first.wait_for()
    name = text(ann, "ol.lines .name")
    ann.page.locator("ol.lines button").first.tap()
    ann.page.locator("header strong", has_text=name).wait_for()
    ann.page.go_back()
    ann.page.locator("ol.lines").wait_for()
    ann.page.go_forward()
    ann.page.locator("header strong", has_text=name).wait_for()
    ann.page.reload()
    ann.page.locator("header strong", has_text=name).wait_for()
    ann.page.locator(".faces").wait_for()
    ann.tap("close")
    ann.button("invite", "main").wait_for()  # back in the room and in Ann's seat
    assert names(ann, ".people .name") == ["Ann"]


@RECORDS
def test_a_review_lists_every_decision_and_links_to_its_step(table: Rooms, phone):
    ann = phone()
    records(ann)
    tab(ann, "games")
    cheese = texts("en")["cheese.name"]
    ann.page.locator("ul.lines button", has_text=cheese).first.tap()
    ann.page.locator("main button.wide", has_text="How did").first.tap()
    ann.page.locator(".chances svg[role=img]").wait_for()
    ann.page.locator("summary", has_text=texts("en")["review.decisions"]).tap()
    ann.fit()
    lines = ann.page.locator("details .line")
    place = lines.first.locator("b").first.inner_text()
    lines.first.tap()
    ann.page.locator(".seats").wait_for()
    assert place.startswith("Round 1") and text(ann, "header small").startswith("Round 1")


def test_players_can_open_a_review_after_a_game_and_return_for_the_next_one(table: Rooms, phone):
    ann, bo = seat(table, phone, "bluff", rounds=1)
    play(table, [ann, bo], random.Random(2))
    for one, name in ((ann, "Ann"), (bo, "Bo")):
        one.tap("review")
        title = texts(one.language)["review.title"]
        assert isinstance(title, str)
        one.page.locator("header strong", has_text=title.format(name=name)).wait_for()
        one.page.locator(".chances, main .say").first.wait_for()
        one.fit()
    ann.tap("close")
    ann.tap("again")
    ann.page.locator(".prompt").wait_for()

    def bos_turn() -> bool:
        """If it is still Ann's turn, roll for her. Returns whether it is Bo's turn now."""
        ann.touch("footer .huge")
        return bool(bo.button("your_turn").count())

    bo.until(bos_turn)
    bo.tap("your_turn")
    bo.page.locator(".prompt.mine").wait_for()


def test_a_review_covers_the_game_just_played_and_not_an_earlier_one(table: Rooms, phone):
    ann, bo = seat(table, phone, "bluff", rounds=1)
    for number in range(2):
        play(table, [ann, bo], random.Random(number))
        ann.tap("review")
        ann.page.locator(".chances, main .say").first.wait_for()
        assert asked_for(ann) == ["review"] * (number + 1)
        ann.tap("close")
        ann.tap("again")
        ann.page.locator(".prompt").wait_for()


@RECORDS
def test_a_reopened_page_is_fetched_again_but_going_back_uses_the_cached_one(table: Rooms, phone):
    ann = phone()
    records(ann)
    tab(ann, "players")
    tab(ann, "board")
    assert asked_for(ann) == ["board", "players", "board"]
    ann.page.locator("ol.lines button", has_text="Bo").tap()
    ann.page.locator(".faces").wait_for()
    ann.page.go_back()
    ann.page.locator("ol.lines").wait_for()
    assert asked_for(ann) == ["board", "players", "board", "player"]


@RECORDS
def test_merging_two_names_needs_a_second_tap_and_clears_what_was_typed(table: Rooms, phone):
    ann = phone()
    records(ann)
    ann.page.locator("ol.lines button", has_text="Cleo").tap()
    ann.page.locator("summary", has_text=ann.word("change_player")).tap()
    ann.write("pin", "1234")
    ann.write("new_name", "Dee")
    ann.tap("save")
    ann.page.locator("header strong", has_text="Dee").wait_for()
    ann.page.locator(".faces").wait_for()
    ann.page.locator("summary", has_text=ann.word("change_player")).tap()
    typed = [ann.page.get_by_label(ann.word(word)).input_value() for word in ("pin", "new_name")]
    assert typed == ["", ""]
    ann.write("pin", "1234")
    ann.write("new_name", "Bo")
    ann.tap("merge")
    ann.page.get_by_text(ann.word("merge_sure", name="Dee", to="Bo")).wait_for()
    ann.fit()
    ann.tap("merge")
    ann.page.locator("#note", has_text=texts("en")["refused.no_merge_player"]).wait_for()  # the two have met in a game


@RECORDS
def test_the_operator_renames_and_deletes_a_player_from_a_phone(table: Rooms, phone):
    ann = phone()
    records(ann)
    ann.page.locator("ol.lines button", has_text="Bo").tap()
    ann.page.locator("summary", has_text=ann.word("change_player")).tap()
    ann.write("pin", "9999")
    ann.write("new_name", "Bonnie")
    ann.tap("save")
    ann.page.locator("#note", has_text=texts("en")["refused.wrong_pin"]).wait_for()
    ann.write("pin", "1234")
    ann.tap("save")
    ann.page.locator("header strong", has_text="Bonnie").wait_for()
    ann.page.locator(".faces").wait_for()
    ann.page.locator("summary", has_text=ann.word("change_player")).tap()
    ann.write("pin", "1234")
    ann.tap("forget")
    ann.page.get_by_text(ann.word("forget_how", name="Bonnie")).wait_for()
    ann.fit()
    ann.tap("forget")
    ann.page.locator("ol.lines").wait_for()
    ann.until(lambda: sorted(names(ann, ".lines .name")) == ["Ann", "Cleo"])


@RECORDS
def test_keyboard_users_can_open_a_step_of_a_game_and_go_back(table: Rooms, phone):
    ann = phone(touch=False).open()
    keys = ann.page.keyboard
    ann.button("records").wait_for()
    tab_to(ann, "main > button:last-of-type")
    keys.press("Enter")
    ann.page.locator("ol.lines").wait_for()
    tab_to(ann, ".tabs :nth-child(3)")
    keys.press("Enter")
    ann.page.locator("ul.lines").wait_for()
    tab_to(ann, "ul.lines button")
    keys.press("Enter")
    replay(ann).wait_for()
    tab_to(ann, "main > button.main")
    keys.press("Enter")
    ann.page.locator("input[type=range]").wait_for()
    tab_to(ann, "input[type=range]")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    third = ann.word("step", number=3, count="")
    ann.until(lambda: text(ann, ".prompt .tag").startswith(third))
    assert ann.look()["heard"]
    tab_to(ann, "header .back")
    keys.press("Enter")
    replay(ann).wait_for()
