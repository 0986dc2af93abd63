"""Synthesizes every sound of the table: `python assets/sounds/make.py` writes them into this folder.

Its one rule: it always produces the same bytes. The random generators have fixed seeds, so a sound changes only if
this file does.

The sounds are struck wood, plucked bars and knocks. Tones are damped sines; knocks are noise through a resonance.
Notes are in hertz, times in seconds, and all music is in C.
"""

import math
import random
import sys
import wave
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

RATE = 22050
Samples = list[float]

F3, G3, C4, D4, E4, F4, G4, B4 = 174.61, 196.0, 261.63, 293.66, 329.63, 349.23, 392.0, 493.88
AB4, C5, D5, E5, F5, G5, A5, B5 = 415.3, 523.25, 587.33, 659.26, 698.46, 783.99, 880.0, 987.77
C6, E6, G6 = 1046.5, 1318.5, 1568.0

# The partials of an instrument: for each, the multiple of the note's frequency, the loudness, and the share of the
# note's duration.
Kind = Sequence[tuple[float, float, float]]
MARIMBA: Kind = ((1.0, 1.0, 1.0), (3.93, 0.28, 0.22), (9.2, 0.08, 0.08))
KALIMBA: Kind = ((1.0, 1.0, 1.0), (2.0, 0.22, 0.6), (5.4, 0.16, 0.2), (8.9, 0.06, 0.1))
STRING: Kind = tuple((float(n), 0.8 / n, 1 / n) for n in range(1, 9))
CLAY: Kind = ((1.0, 1.0, 1.0), (1.47, 0.8, 0.8), (2.09, 0.55, 0.6), (2.83, 0.25, 0.4))


# Building blocks


def steady(number: float) -> float:
    """Round off the last digits, which vary between machines: the errors would add up over many samples."""
    return round(number, 12)


def ring(note: float, lasts: float, gain: float = 1.0) -> Samples:
    """A decaying sine, inaudible after `lasts`."""
    fall = steady(10 ** (-3 / (lasts * RATE)))
    turn = 2 * math.pi * note / RATE
    ahead, behind = 2 * fall * steady(math.cos(turn)), -fall * fall
    before, now = 0.0, gain * fall * steady(math.sin(turn))
    samples = [before]
    for _ in range(int(lasts * RATE)):
        samples.append(now)
        before, now = now, ahead * now + behind * before
    return samples


def hiss(chance: random.Random, lasts: float, low: float, high: float) -> Samples:
    """Noise between two pitches that swells and fades like a breath."""
    samples, deep, bright = [], 0.0, 0.0
    count = int(lasts * RATE)
    for at in range(count):
        noise = chance.random() * 2 - 1
        bright += (noise - bright) * min(1.0, 2 * math.pi * high / RATE)
        deep += (bright - deep) * min(1.0, 2 * math.pi * low / RATE)
        samples.append((bright - deep) * math.sin(math.pi * at / count) ** 2)
    return samples


def resonance(source: Samples, note: float, lasts: float) -> Samples:
    """The sound of a body that resonates at `note` when `source` strikes it."""
    fall = steady(10 ** (-3 / (lasts * RATE)))
    ahead, behind = 2 * fall * steady(math.cos(2 * math.pi * note / RATE)), -fall * fall
    before = now = 0.0
    samples = []
    for pushed in source + [0.0] * int(lasts * RATE):
        before, now = now, pushed * (1 - fall) + ahead * now + behind * before
        samples.append(now)
    return samples


def mix(*parts: tuple[float, float, Samples]) -> Samples:
    """Mix parts, each with its start, its loudness and its samples."""
    mixed = [0.0] * max(int(at * RATE) + len(part) for at, _, part in parts)
    for at, gain, part in parts:
        for place, sample in enumerate(part, int(at * RATE)):
            mixed[place] += gain * sample
    return mixed


def softened(samples: Samples, seconds: float) -> Samples:
    """Give the sound a gentle attack, as from a felt mallet."""
    count = int(seconds * RATE)
    return [sample * at / count for at, sample in enumerate(samples[:count])] + samples[count:]


def room(samples: Samples, depth: float = 0.2) -> Samples:
    """Add the echo of a small room: a few reflections, duller than the sound itself."""
    dull, heard = [], 0.0
    for sample in samples:
        heard += (sample - heard) * 0.35
        dull.append(heard)
    walls = ((0.019, 1.0), (0.031, -0.8), (0.047, 0.65), (0.071, -0.5), (0.103, 0.35))
    return mix((0.0, 1.0, samples), *((late, depth * gain, dull) for late, gain in walls))


# Instruments


def bar(note: float, lasts: float, kind: Kind = MARIMBA) -> Samples:
    """A wooden or metal bar, or a string, struck once."""
    heard = [part for part in kind if note * part[0] < RATE * 0.45]
    rings = [(0.0, gain, ring(note * times, lasts * share)) for times, gain, share in heard]
    return softened(mix(*rings), 0.002)


def knock(chance: random.Random, notes: Iterable[float], lasts: float, sharp: float = 0.004) -> Samples:
    """A knock on wood, which resonates at several notes at once. `sharp` is how many seconds the
    contact lasts: longer for a softer object."""
    count = int(sharp * RATE)
    push = [(chance.random() * 2 - 1) * (1 - at / count) for at in range(count)]
    bodies = ((0.0, 1 / (1 + place), resonance(push, note, lasts)) for place, note in enumerate(notes))
    return levelled(mix(*bodies))


def tune(notes: Iterable[tuple[float, float, float]], lasts: float, kind: Kind) -> Samples:
    """A sequence of notes: start, pitch and loudness of each."""
    return mix(*((at, gain, bar(note, lasts, kind)) for at, note, gain in notes))


def levelled(samples: Samples, level: float = 1.0) -> Samples:
    loudest = max(abs(sample) for sample in samples)
    return [sample * level / loudest for sample in samples]


# The sounds


def tick(chance: random.Random) -> Samples:
    return mix((0.0, 1.0, knock(chance, (1250, 2600, 4100), 0.035, 0.001)), (0.0, 0.35, bar(G6, 0.04)))


def take(chance: random.Random) -> Samples:
    notes = tune([(0.0, G5, 0.7), (0.06, C6, 1.0)], 0.3, MARIMBA)
    return room(mix((0.0, 1.0, notes), (0.0, 0.25, knock(chance, (900, 2100), 0.03))))


def back(chance: random.Random) -> Samples:
    notes = tune([(0.0, G4, 1.0), (0.07, D4, 0.8)], 0.3, MARIMBA)
    return room(mix((0.0, 1.0, notes), (0.0, 0.25, knock(chance, (420, 1100), 0.04))))


def turn(chance: random.Random) -> Samples:
    return room(tune([(0.0, G4, 0.8), (0.13, C5, 1.0), (0.13, E5, 0.35)], 0.55, KALIMBA), 0.25)


def refuse(chance: random.Random) -> Samples:
    thud = knock(chance, (165, 240, 610), 0.11, 0.006)
    return mix((0.0, 1.0, thud), (0.11, 0.8, thud), (0.0, 0.3, bar(F3, 0.12)), (0.11, 0.25, bar(F3, 0.12)))


def shake(chance: random.Random) -> Samples:
    """Dice in a leather cup, hitting each other and the wall, twice per swing of the arm."""
    parts = []
    for at in range(46):
        when = 0.72 * (at + chance.random()) / 46
        swing = 0.35 + 0.65 * abs(math.sin(2 * math.pi * when / 0.36))
        note = 1700 + 1900 * chance.random()
        parts.append((when, swing * (0.4 + 0.6 * chance.random()), knock(chance, (note, note * 1.63), 0.022, 0.001)))
        if at % 4 == 0:
            parts.append((when, 0.55 * swing, knock(chance, (290 + 60 * chance.random(), 520), 0.05, 0.005)))
    return room(mix(*parts), 0.15)


def land(chance: random.Random) -> Samples:
    """Dice landing on felt over wood: a thud, a few shorter hops, then rolling out."""
    parts, when, gain, hop = [], 0.0, 1.0, 0.085 + 0.04 * chance.random()
    for _ in range(5):
        note = 1500 + 900 * chance.random()
        parts.append((when, 0.5 * gain, knock(chance, (note, note * 1.9), 0.03, 0.001)))
        parts.append((when, gain, knock(chance, (128 + 20 * chance.random(), 265, 540), 0.1, 0.007)))
        when, gain, hop = when + hop * (0.8 + 0.4 * chance.random()), gain * 0.55, hop * 0.66
    return room(mix(*parts), 0.12)


def chip(chance: random.Random) -> Samples:
    """A clay chip landing on a pile."""
    first, second = bar(2350, 0.09, CLAY), bar(2540, 0.12, CLAY)
    pile = knock(chance, (760, 1480), 0.04, 0.002)
    return mix((0.0, 0.7, first), (0.0, 0.5, pile), (0.055, 1.0, second), (0.055, 0.3, pile))


def life(chance: random.Random) -> Samples:
    notes = tune([(0.0, C5, 0.8), (0.13, AB4, 0.9), (0.26, F4, 1.0), (0.26, F3, 0.6)], 0.6, MARIMBA)
    return room(mix((0.0, 1.0, notes), (0.26, 0.4, knock(chance, (110, 190), 0.2, 0.01))), 0.25)


def good(chance: random.Random) -> Samples:
    return room(tune([(0.0, C5, 0.7), (0.08, E5, 0.8), (0.16, G5, 0.9), (0.24, C6, 1.0)], 0.4, MARIMBA), 0.22)


def bad(chance: random.Random) -> Samples:
    """A knife through cheese, the board under it, and two dissonant notes."""
    slice_ = levelled(hiss(chance, 0.17, 900, 5200))
    board = knock(chance, (210, 480, 1150), 0.12, 0.003)
    notes = tune([(0.28, E4, 0.8), (0.42, AB4 / 2, 1.0), (0.42, D4 / 2, 0.6)], 0.4, MARIMBA)
    return room(mix((0.0, 0.45, slice_), (0.15, 0.9, board), (0.0, 0.9, notes)), 0.2)


def reveal(chance: random.Random) -> Samples:
    """A crescendo on a wooden drum, then the cup is lifted."""
    hits = [knock(chance, (150, 232, 410), 0.12, 0.005) for _ in range(14)]
    roll = [(at * 0.042, 0.3 + 0.6 * (at / 14) ** 2, hit) for at, hit in enumerate(hits)]
    lift = tune([(0.62, G4, 0.8), (0.62, D5, 0.7), (0.62, G5, 0.5)], 0.7, STRING)
    return room(mix(*roll, (0.62, 0.8, knock(chance, (120, 260, 900), 0.16)), (0.0, 0.8, lift)), 0.25)


def fanfare(chance: random.Random) -> Samples:
    """A short fanfare, as for a brass band, played in thirds on strings and marimba, with shakers."""
    call = [(0.0, C5, 0.7), (0.12, C5, 0.6), (0.24, C5, 0.7), (0.36, E5, 0.9), (0.6, D5, 0.7), (0.72, E5, 0.8)]
    call += [(0.84, G5, 1.0)]
    third = [(0.36, C5, 0.5), (0.6, B4, 0.5), (0.72, C5, 0.5), (0.84, E5, 0.7), (0.84, C6, 0.6)]
    bass = [(0.0, C4, 0.8), (0.36, G3, 0.7), (0.6, G3, 0.7), (0.84, C4, 0.9), (0.84, G3, 0.5)]
    shaker = [(at * 0.12, 0.12, levelled(hiss(chance, 0.05, 3500, 9000))) for at in range(8)]
    trill = [(0.96 + at * 0.07, (C6, E6)[at % 2], 0.35 - 0.03 * at) for at in range(8)]
    parts = [(0.0, 0.8, tune(call + third, 1.0, STRING)), (0.0, 0.7, tune(call + third, 0.6, MARIMBA))]
    parts += [(0.0, 0.7, tune(bass, 0.5, STRING)), (0.0, 0.6, tune(trill, 0.3, KALIMBA)), *shaker]
    return room(mix(*parts), 0.25)


def win(chance: random.Random) -> Samples:
    rise = [(0.0, G4, 0.6), (0.1, C5, 0.7), (0.2, E5, 0.75), (0.3, G5, 0.8), (0.48, F5, 0.8), (0.48, A5, 0.7)]
    rise += [(0.48, D5, 0.5), (0.66, G5, 0.8), (0.66, B5, 0.7), (0.66, D5, 0.5)]
    chord = [(0.84 + 0.018 * at, note, 0.8) for at, note in enumerate((C4, G4, C5, E5, G5, C6))]
    sparkle = [(1.1 + 0.075 * at, note, 0.3) for at, note in enumerate((G5, C6, E6, G6, E6, G6))]
    parts = [(0.0, 0.8, tune(rise, 0.45, MARIMBA)), (0.0, 0.5, tune(rise, 0.6, STRING))]
    parts += [(0.0, 0.7, tune(chord, 1.6, STRING)), (0.0, 0.6, tune(chord, 1.3, MARIMBA))]
    return room(mix(*parts, (0.0, 0.6, tune(sparkle, 0.45, KALIMBA))), 0.25)


# How each sound is made, and its relative loudness: sounds heard at every press are quiet, rare sounds may be loud.
SOUNDS: dict[str, tuple[Callable[[random.Random], Samples], float]] = {
    "tick": (tick, 0.28),
    "take": (take, 0.45),
    "back": (back, 0.45),
    "turn": (turn, 0.5),
    "refuse": (refuse, 0.5),
    "shake": (shake, 0.5),
    "land1": (land, 0.7),
    "land2": (land, 0.7),
    "land3": (land, 0.7),
    "chip": (chip, 0.45),
    "life": (life, 0.65),
    "good": (good, 0.6),
    "bad": (bad, 0.65),
    "reveal": (reveal, 0.7),
    "fanfare": (fanfare, 0.8),
    "win": (win, 0.8),
}


def made(name: str) -> bytes:
    """The 16-bit samples of a sound, with the end trimmed and faded out."""
    make, level = SOUNDS[name]
    samples = levelled(make(random.Random(name)), level)
    heard = max(at for at, sample in enumerate(samples) if abs(sample) > 0.002 * level)
    samples = samples[: heard + 1]
    fade = int(0.02 * RATE)
    for at in range(fade):
        samples[-1 - at] *= at / fade
    samples[0] = 0.0
    whole = array("h", (round(sample * 32767) for sample in samples))
    if sys.byteorder == "big":
        whole.byteswap()
    return whole.tobytes()


def write(name: str, folder: Path) -> Path:
    path = folder / f"{name}.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(made(name))
    return path


if __name__ == "__main__":
    for sound in SOUNDS:
        write(sound, Path(__file__).parent)
