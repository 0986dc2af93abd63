"""docs/phone-protocol.md names the keys that the table really sends."""

import asyncio
import json
import random
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

pytestmark = pytest.mark.ground
pytest.importorskip("aiohttp", reason="aiohttp serves the phones")

from table.text import numbers  # noqa: E402
from table.text.catalogue import Catalogue  # noqa: E402
from table.text.records.blocks import Bar, Block, Page, Row  # noqa: E402
from table.ui.phone.seats import PhoneRules  # noqa: E402
from tests.phones import Phone, play_out, rooms, seat  # noqa: E402
from tests.test_phones import at  # noqa: E402

DOC = (Path(__file__).parent.parent / "docs/phone-protocol.md").read_text(encoding="utf-8")
EXAMPLE = json.loads(re.search(r"```json\n(.*?)```", DOC, re.DOTALL)[1])  # type: ignore[index]
PARTS = {"rows": (Row, Bar)}  # classes inside a block, documented on the same line as the block
VALUES = {"lead", "quiet", "good", "bad", "computer"}  # documented values of `tone` and `face`, not keys


def keys(value: Any, where: str = "") -> Iterator[str]:
    """Every key in a JSON value, with the keys above it."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield f"{where}.{key}"
            yield from keys(each, f"{where}.{key}")
    elif isinstance(value, list):
        for each in value:
            yield from keys(each, where)


def test_the_example_of_the_state_has_exactly_the_keys_of_real_states(tmp_path: Path):
    """Bids are the only asks in the example; the other kinds are in a table below it."""
    with rooms(tmp_path, phone_rules=PhoneRules(odds=True)) as table:

        async def talk(session):
            people = await seat(table.address, session, ["Ann", "Bo"], "cacho", dice=2)
            await people[0].say("start")
            await people[0].sees(lambda state: state["phase"] == "playing")
            await people[1].close()
            await people[0].sees(lambda state: any(not one["here"] for one in state["table"]["seats"]))
            table.later(1000)
            await people[0].sees(lambda state: state["gone"])
            await people[1].open()
            await asyncio.gather(*(play_out(phone, random.Random(n)) for n, phone in enumerate(people)))
            return [json.loads(text) for phone in people for text in phone.heard]

        heard = at(table.address, talk)
    sent = set()
    for state in (one for one in heard if one["is"] == "state"):
        if state.get("ask") and state["ask"]["kind"] != "bid":
            state["ask"] = None
        sent |= set(keys(state))
    assert set(keys(EXAMPLE)) == sent


def test_the_example_of_the_list_of_rooms_has_exactly_its_keys(tmp_path: Path):
    found = re.search(r'`(\{"is": "rooms".*?\})`', DOC, re.DOTALL)
    assert found
    with rooms(tmp_path) as table:

        async def talk(session):
            await seat(table.address, session, ["Ann", "Bo"], "pocoloco")
            return await (await Phone(table.address, session).open()).until(lambda said: said["is"] == "rooms")

        assert set(keys(json.loads(found[1]))) == set(keys(at(table.address, talk)))


def chances(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "chance" in value:
            yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from chances(each)


def test_the_probabilities_in_the_example_are_shown_as_the_table_shows_them():
    found = list(chances(EXAMPLE))
    assert len(found) > 3
    assert [one["shown"] for one in found] == [numbers.percent(one["chance"], Catalogue("en")) for one in found]


@pytest.mark.parametrize("block", get_args(Block))
def test_every_key_of_a_records_block_is_documented(block: type):
    name = block.__name__.lower()
    (row,) = re.findall(rf"^\| `{name}` \| (.*) \|$", DOC.partition("## Pages of the records")[2], re.MULTILINE)
    has = {field.name for kind in (block, *PARTS.get(name, ())) for field in fields(kind)}
    values = VALUES | {"table"} if "face" in has else VALUES
    assert set(re.findall(r"`(\w+)`", row)) - (values - has) == has


def test_the_keys_of_a_records_page_are_documented():
    sentence = re.search(r"A page has (.*?);", DOC, re.DOTALL)
    assert sentence
    assert set(re.findall(r"`(\w+)`", sentence[1])) == {field.name for field in fields(Page)}
