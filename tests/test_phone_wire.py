"""Messages from phones: each is parsed into its declared fields, or refused with an error."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.engine.errors import Refused
from table.ui.phone import wire, words

RIGHT = {str: "x", bool: True, int: 3, object: 5}


@pytest.mark.parametrize("word", wire.SAYS)
def test_every_message_takes_exactly_its_fields(word):
    said = {"say": word, **{name: RIGHT[kind] for name, kind in wire.SAYS[word].items()}}
    assert wire.heard(json.dumps(said)) == said
    with pytest.raises(Refused):
        wire.heard(json.dumps({**said, "more": 1}))
    for name in wire.SAYS[word]:
        with pytest.raises(Refused):
            wire.heard(json.dumps({key: value for key, value in said.items() if key != name}))
        with pytest.raises(Refused):
            wire.heard(json.dumps({**said, name: ["x"]}))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.text() | st.binary() | ANYTHING.map(json.dumps))
def test_an_invalid_message_is_refused_with_a_sentence(text):
    with pytest.raises(Refused) as why:
        wire.heard(text)
    assert str(why.value).endswith(".")


@given(st.sampled_from(sorted(wire.SAYS)), st.data())
def test_a_field_of_the_wrong_type_is_never_accepted(word, data):
    values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers()))
    said = {"say": word, **{name: data.draw(values) for name in wire.SAYS[word]}}
    try:
        heard = wire.heard(json.dumps(said))
    except Refused:
        return
    for name, kind in wire.SAYS[word].items():
        assert type(heard[name]) in ((bool, int, str) if kind is object else (kind,))
        assert not isinstance(heard[name], str) or len(heard[name]) <= wire.LONGEST_TEXT


INVALID = ["[" * 2000, '{"say":"join","name":"' + "x" * 3000 + '"}', "{}", "null", '{"say":["join"]}']
LONE_SURROGATE = '{"say":"join","name":"\\ud800"}'


@pytest.mark.parametrize("text", [*INVALID, LONE_SURROGATE])
def test_deep_long_and_empty_messages_are_refused(text):
    with pytest.raises(Refused):
        wire.heard(text)


def test_room_names_have_three_words_and_rarely_repeat():
    chance = random.Random(1)
    found = {words.name(chance) for _ in range(500)}
    assert len(found) > 490 and all(len(name.split()) == 3 for name in found)
    assert [len(several) for several in (words.MOODS, words.ANIMALS, words.PLACES)] == [64, 64, 65]
    for several in (words.MOODS, words.ANIMALS, words.PLACES):
        assert len(set(several)) == len(several) and all(word.isalpha() and word.islower() for word in several)


def test_a_code_has_no_vowels_and_a_room_gets_a_free_one():
    chance = random.Random(1)
    assert all(not set(words.code(chance)) & set("AEIOUY0O1I") for _ in range(200))
    first = words.code(random.Random(7))
    assert words.code(random.Random(7), {first}) != first
