"""Makes names and codes for rooms. Names and codes have to be easy to say in a noisy bar, easy to remember and type,
and hard to misread.

Its one rule: no word in these lists is rude, alone or next to another, in either of the table's languages.
"""

import random
from collections.abc import Container


def _each(words: str) -> tuple[str, ...]:
    return tuple(words.split())


MOODS = _each("""
amber brave breezy bright calm clever cosy crimson curious daring dreamy eager early fancy fearless festive gentle
gleaming golden graceful happy honest humble jolly kind late lively lucky magic mellow merry mighty misty modest noble
northern patient playful polite proud quiet rapid royal rustic shiny silent silver sleepy smiling snowy southern
sparkling speedy spry starry steady sunny swift tidy velvet warm western wise witty
""")
ANIMALS = _each("""
badger bear beetle bison camel canary cat condor crane cricket deer dolphin duck eagle falcon ferret finch fox frog
gazelle giraffe goose hare hawk hedgehog heron horse ibis jaguar koala lark lemur lion lizard lynx magpie marten mole
moose moth newt otter owl panda parrot pelican penguin pony puffin quail rabbit raven robin salmon seal sparrow stork
swan tiger toucan trout turtle walrus wren
""")
PLACES = _each("""
atlas balcony bay beacon bridge cabin canyon castle cedar cliff coast corner creek delta desert dune fair farm ferry
field forest fountain garden gate glacier grove hall harbour hill island lagoon lake lantern library lighthouse market
meadow mill moon mountain oasis orchard palace park pier plaza pond port prairie river road sea shore square station
stream street summit terrace theatre tower trail valley village woods
""")

LETTERS = "BCDFGHJKLMNPRSTVWXZ"  # no vowels, so that codes never form words, and no letters that look alike
LENGTH = 4


def name(chance: random.Random, taken: Container[str] = ()) -> str:
    """A name that no other room has, such as Brave Otter Harbour."""
    while True:
        found = " ".join(chance.choice(words).capitalize() for words in (MOODS, ANIMALS, PLACES))
        if found not in taken:
            return found


def code(chance: random.Random, taken: Container[str] = ()) -> str:
    """A code that no other room has, such as KRTB."""
    while True:
        found = "".join(chance.choice(LETTERS) for _ in range(LENGTH))
        if found not in taken:
            return found
