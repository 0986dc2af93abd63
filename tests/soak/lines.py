"""E-dice on a serial line that flips bits, adds noise, and damages, drops, repeats and delays messages.

Its one rule: all true rolls are recorded, each with the board's boot and the ask. Every roll that the table accepts has
to be one of them.
"""

import random
from collections import Counter

from firmware import die
from table.devices.link import Asked, Link

STEP = 20  # milliseconds by which the simulated clock advances
HOSTILE = {"good": 20, "flip": 4, "cut": 3, "lose": 2, "double": 3, "late": 3, "join": 3, "old": 2, "noise": 1}


class Hostile:
    """A serial line that damages data at random."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.carried: Counter[str] = Counter()
        self._late: list[tuple[int, bytes]] = []
        self._old: list[bytes] = []

    def carry(self, data: bytes, now: int) -> bytes:
        found = b"".join(line for due, line in self._late if due <= now)
        self._late = [one for one in self._late if one[0] > now]
        return found + b"".join([self._bend(line, now) for line in data.splitlines(True)])

    def _bend(self, line: bytes, now: int) -> bytes:
        chance = self.chance
        how = chance.choices(list(HOSTILE), list(HOSTILE.values()))[0]
        self.carried[how] += 1
        old = chance.choice(self._old) if self._old else line
        self._old = [*self._old[-40:], line]
        begin = chance.randrange(len(line))
        match how:
            case "flip":
                flipped = bytearray(line)
                for _ in range(chance.randint(1, 8)):
                    bit = chance.randrange(8 * len(line))
                    flipped[bit // 8] ^= 1 << bit % 8
                return bytes(flipped)
            case "cut":
                return line[:begin] + line[chance.randint(begin, len(line)) :]
            case "lose":
                return b""
            case "double":
                return line + line
            case "late":
                self._late.append((now + chance.choice((50, 500, 2000, 9000)), line))
                return b""
            case "join":  # the head of one line and the tail of another, cut at the same position
                head, tail = (line, old) if chance.random() < 0.5 else (old, line)
                at = min(begin, len(tail) - 1, len(head))
                return head[:at] + tail[at:]
            case "old":
                return old + line
            case "noise":
                self.carried["flood"] += chance.random() < 0.3
                return chance.randbytes(chance.choice((3, 30, 300))) + (b"\n" if chance.random() < 0.5 else b"") + line
        return line


def hostile(lines: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Run both ends of a hostile line with a simulated clock. Now and then the board reboots, the line is flooded, or
    the port is reopened. Returns counts, and a message for each wrong roll."""
    chance = random.Random(seed)
    up, down = Hostile(chance), Hostile(chance)
    board, booted = die.Die("e66141c41b2a4f28", 6, chance.randbytes), 0
    truth: dict[tuple[str, str], tuple[int, ...]] = {}
    now, counts, wrong = 0, Counter[str](), list[str]()
    link = Link(0.0)
    asked: Asked | None = None
    to_table = b""
    while up.carried.total() + down.carried.total() < lines:
        now += STEP
        if asked is None:
            asked = Asked(f"{chance.getrandbits(32):08x}", chance.randint(1, 6), chance.random() < 0.2)
        if chance.random() < 0.001:
            board = die.Die("e66141c41b2a4f28", 6, chance.randbytes, now)
            to_table += board.greeting()
            booted += 1
        if chance.random() < 0.0005:
            to_table += chance.randbytes(9000)
            counts["floods"] += 1
        link.ask(asked, now / 1000)
        link.hear(to_table, now / 1000)
        link.due(now / 1000)
        if link.rolled:
            counts["rolls"] += 1
            if link.rolled.ask != asked.ask or link.rolled.dice != truth.get((link.boot, asked.ask)):
                wrong.append(
                    f"{link.rolled} was accepted but {truth.get((link.boot, asked.ask))} was rolled for {asked}"
                )
            asked = None
        said = link.line.take_unsent()
        if link.over:
            counts[link.trouble] += 1
            link = Link(now / 1000)
        heard = board.turn(now, down.carry(said, now), chance.random() < 0.02)
        if board.rolled and board._done_at < 0 and asked and board._ask == asked.ask:
            rolled = tuple(board.rolled)
            if truth.setdefault((board.boot, board._ask), rolled) != rolled:
                wrong.append(f"{rolled} was a second, different roll for {board._ask}")
        to_table = up.carry(heard, now)
    counts |= Counter({"lines": up.carried.total() + down.carried.total(), "reboots": booted})
    counts["damaged"] = counts["lines"] - up.carried["good"] - down.carried["good"]
    return counts, wrong
