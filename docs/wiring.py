"""`make wiring`: draws the wiring of the electronic dice and of the two buttons, and the plan of a tray, into docs/.

Its one rule: pins, pips and colours come from the code that uses them, so the pictures always match it.
"""

import re
from collections.abc import Callable
from html import escape
from math import radians, tan
from pathlib import Path

from firmware.die import LEDS, MOST, PIPS
from table.config import DEFAULT
from table.ui.kiosk.style import BUTTON_COLOURS

HERE = Path(__file__).parent
INK, PAPER, BOARD, COPPER, CHIP = "#22302f", "#fbf7ec", "#1f7a4d", "#d9a441", "#202826"
RED, BLACK, GREEN, BLUE, ORANGE = "#cf3a2b", "#2b2b2b", "#1c8f5a", "#2f6fb3", "#d9822b"
GREY, METAL, LIT = "#6a7573", "#c9ced1", "#ffe08a"


# Shared elements


def text(
    x: float, y: float, words: str, size: int = 14, anchor: str = "start", fill: str = INK, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight}>{escape(words)}</text>'
    )


def wire(colour: str, *points: tuple[float, float], width: float = 4) -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'


def box(x: float, y: float, width: float, height: float, fill: str, round: float = 6, stroke: str = INK) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" fill="{fill}" stroke="{stroke}" '
        'stroke-width="1.5"/>'
    )


def dot(x: float, y: float, radius: float, fill: str, stroke: str = INK) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="1.2"/>'


def switch(x: float, y: float) -> list[str]:
    """A push button with its left contact at x and y."""
    return [
        dot(x, y, 5, "#ffffff"),
        dot(x + 90, y, 5, "#ffffff"),
        wire(INK, (x + 2, y - 4), (x + 82, y - 28)),
        box(x + 35, y - 36, 26, 10, RED, 4),
    ]


def lamp(x: float, y: float) -> list[str]:
    """An LED with its anode (the longer leg) at x and y."""
    points = f"{x},{y - 16} {x},{y + 16} {x + 32},{y}"
    return [
        f'<polygon points="{points}" fill="{LIT}" stroke="{INK}" stroke-width="1.5"/>',
        wire(INK, (x + 32, y - 16), (x + 32, y + 16)),
    ]


def resistor(x: float, y: float) -> list[str]:
    return [box(x, y - 9, 52, 18, "#e7d3a8", 6), text(x + 26, y - 14, "330 Ω", 12, "middle")]


def page(width: int, height: int, found: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n'
        f'<rect width="100%" height="100%" rx="14" fill="{PAPER}"/>\n' + "\n".join(found) + "\n</svg>\n"
    )


# The electronic dice

WIDTH, HEIGHT = 980, 584
STEP, FIRST, LEFT, RIGHT = 20, 96, 120, 260  # layout of the Pico's pins, twenty on each side
PLACES = ((0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2))  # column and row of each LED of a die
GROUND, POWER = 38, 40  # pin numbers on the board
AT = {0: 1, 14: 19, 15: 20}  # board pin of each GPIO in use, from the Pico's datasheet


def gpio(name: str) -> int:
    """The GPIO number assigned to this name in firmware/main.py."""
    names, numbers = re.search(
        r"^(LEDS_PIN.*) = (.*)$", (HERE.parent / "firmware" / "main.py").read_text(), re.M
    ).groups()
    return dict(zip(names.split(", "), map(int, numbers.split(", ")), strict=True))[name]


def pin(place: int) -> tuple[int, int]:
    """The position of a pin in the picture: 1 to 20 on the left and 40 to 21 on the right, from top to bottom."""
    return (LEFT, FIRST + STEP * (place - 1)) if place <= 20 else (RIGHT, FIRST + STEP * (40 - place))


def pico() -> list[str]:
    found = [
        box(LEFT - 12, FIRST - 40, RIGHT - LEFT + 24, 19 * STEP + 70, BOARD, 10),
        box(LEFT + 45, FIRST - 54, 50, 36, METAL, 4),
        text(LEFT + 70, FIRST - 30, "USB", 12, "middle"),
        box(LEFT + 43, FIRST + 150, 54, 54, CHIP, 3),
        text(LEFT + 70, FIRST + 100, "Raspberry Pi", 13, "middle", "#ffffff", True),
        text(LEFT + 70, FIRST + 118, "Pico", 13, "middle", "#ffffff", True),
    ]
    used = {*AT.values(), GROUND, POWER, 23}
    for place in range(1, 41):
        x, y = pin(place)
        found.append(dot(x, y, 5.5, COPPER if place in used else "#8a9a6b", "#5d4a1c"))
        if place in used:
            names = {number: f"GP{gpio_number}" for gpio_number, number in AT.items()} | {POWER: "5 V (VBUS)"}
            side = (x + 12, "start") if place <= 20 else (x - 12, "end")
            label = names.get(place, "GND")
            found.append(text(side[0], y + 4, label, 10, side[1], "#ffffff"))
            out = (x - 18, "end") if place <= 20 else (x + 18, "start")
            found.append(text(out[0], y - 5, str(place), 10, out[1], GREY))
    return found


def die(x: float, y: float, number: int, face: int) -> list[str]:
    """A die with seven LEDs, numbered along the chain and lit to show a face."""
    found = [box(x, y, 126, 126, "#ffffff", 16)]
    places = [(x + 27 + 36 * column, y + 27 + 36 * row) for column, row in PLACES]
    found.append(wire("#c8d5cf", *places))
    for led, (across, down) in enumerate(places):
        found.append(dot(across, down, 11, LIT if led in PIPS[face] else "#e3e7e5"))
        found.append(text(across, down + 4, str(led), 11, "middle"))
    found.append(text(x + 63, y + 146, f"die {number}", 13, "middle", bold=True))
    return found


def edice() -> str:
    data, roll, light = (AT[gpio(name)] for name in ("LEDS_PIN", "BUTTON_PIN", "LAMP_PIN"))
    top, dice = 150, (430, 610, 800)
    found = [
        # the power and ground rails
        wire(RED, pin(POWER), (330, FIRST), (330, 60), (940, 60)),
        wire(BLACK, pin(GROUND), (350, FIRST + 2 * STEP), (350, 84), (940, 84)),
        text(944, 64, "5 V", 13, fill=RED, bold=True),
        text(944, 88, "GND", 13, fill=BLACK, bold=True),
        *(wire(RED, (x + 46, 60), (x + 46, top)) for x in dice),
        *(wire(BLACK, (x + 80, 84), (x + 80, top)) for x in dice),
        *(dot(x + 46, 60, 5, RED, RED) for x in dice),
        *(dot(x + 80, 84, 5, BLACK, BLACK) for x in dice),
        # the capacitor
        wire(RED, (375, 60), (375, 66)),
        box(366, 64, 18, 18, "#3a4c63", 3),
        text(398, 50, "1000 µF between 5 V and GND", 12),
        # data
        wire(
            GREEN, pin(data), (60, FIRST), (60, 30), (300, 30), (300, 345), (392, 345), (392, top + 27), (457, top + 27)
        ),
        box(318, 336, 52, 18, "#e7d3a8", 6),
        text(344, 372, "330 Ω", 12, "middle"),
        text(302, 22, "data", 13, fill=GREEN, bold=True),
        wire(
            GREEN,
            (dice[0] + 99, top + 99),
            (dice[0] + 150, top + 99),
            (dice[0] + 150, top + 27),
            (dice[1] + 27, top + 27),
        ),
        wire(
            GREEN,
            (dice[1] + 99, top + 99),
            (dice[1] + 150, top + 99),
            (dice[1] + 150, top + 27),
            (dice[2] + 27, top + 27),
        ),
        # the button and its lamp
        wire(BLUE, pin(roll), (70, pin(roll)[1]), (70, 544), (470, 544)),
        wire(ORANGE, pin(light), (90, pin(light)[1]), (90, 524), (330, 524), (330, 440), (470, 440)),
        wire(BLACK, pin(23), (300, pin(23)[1]), (300, 400), (640, 400), (640, 544), (560, 544)),
        wire(BLACK, (560, 440), (640, 440)),
        *resistor(372, 440),
        *lamp(470, 440),
        wire(BLACK, (504, 440), (562, 440)),
        text(486, 474, "lamp", 13, "middle", bold=True),
        *switch(470, 544),
        dot(640, 440, 5, BLACK, BLACK),
        text(515, 572, "roll button", 13, "middle", bold=True),
        *pico(),
        *die(dice[0], top, 1, 6),
        *die(dice[1], top, 2, 5),
        *die(dice[2], top, 3, 3),
        text(WIDTH - 40, top + 176, f"… up to {MOST} dice, {LEDS} LEDs each, one chain", 13, "end"),
        text(WIDTH - 40, 440, "Each die's chain begins at LED 0 (DIN)", 13, "end"),
        text(WIDTH - 40, 460, "and ends at LED 6 (DOUT), which goes", 13, "end"),
        text(WIDTH - 40, 480, "to LED 0 of the next die.", 13, "end"),
    ]
    return page(WIDTH, HEIGHT, found)


# The two buttons

HEADER = {  # header pin of each GPIO on a Raspberry Pi
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
ROLL_GROUND, END_GROUND = 9, 14
ODD, EVEN, TOP, ROW = 296, 318, 84, 20


def header(place: int) -> tuple[int, int]:
    return (ODD if place % 2 else EVEN, TOP + ROW * ((place - 1) // 2))


def lead(colour: str, place: int, across: float, *points: tuple[float, float]) -> list[str]:
    """A wire from the header, first horizontally to `across`, then along the points. A wire from an odd pin passes
    between the even pins. Wires drawn earlier get a gap where this wire crosses them."""
    x, y = header(place)
    out = [(x, y), (x + 10, y + 10)] if place % 2 else [(x, y)]
    straight = [(350, out[-1][1]), (across, out[-1][1])]
    return [wire(PAPER, *straight, width=10), wire(colour, *out, straight[1], *points)]


def raspberry(named: dict[int, str]) -> list[str]:
    """A Raspberry Pi with its USB ports at the bottom, so that pin 1 is at the top."""
    found = [
        box(60, 36, 280, 506, BOARD, 16),
        *(dot(x, y, 9, PAPER, COPPER) for x, y in ((84, 60), (84, 446))),
        box(130, 24, 64, 30, "#3b4446", 3),
        text(162, 44, "SD card", 11, "middle", "#ffffff"),
        box(130, 290, 76, 76, METAL, 6),
        text(168, 420, "Raspberry Pi", 18, "middle", "#ffffff", True),
        *(box(x, 500, 66, 66, METAL, 4) for x in (78, 158)),
        *(text(x, 538, "USB", 12, "middle") for x in (111, 191)),
        box(238, 500, 76, 60, METAL, 4),
        text(276, 535, "Ethernet", 12, "middle"),
        box(ODD - 13, TOP - 13, 48, ROW * 19 + 26, CHIP, 4),
    ]
    for place in range(1, 41):
        x, y = header(place)
        found.append(box(x - 5, y - 5, 10, 10, COPPER if place in named else "#8a8f83", 1 if place == 1 else 5, CHIP))
    found.append(text(ODD - 20, TOP + 4, "pin 1", 11, "end", "#ffffff"))
    for row in sorted({(place - 1) // 2 for place in named}):
        here = [place for place in (2 * row + 1, 2 * row + 2) if place in named]
        words = " | ".join(f"{place}: {named[place]}" for place in here)
        found.append(text(ODD - 20, TOP + ROW * row + 4, words, 11, "end", "#ffffff"))
    return found


def button(y: float, word: str, colour: str, ground: str, contact: str, light: str) -> list[str]:
    """A button's contact and lamp, with labels for the wires that come from the left."""
    red, green, blue = BUTTON_COLOURS[colour]
    return [
        wire(BLACK, (690, y + 60), (800, y + 60)),
        dot(800, y + 60, 5, BLACK, BLACK),
        *switch(600, y + 60),
        text(645, y + 82, "contact", 12, "middle", GREY),
        *resistor(604, y + 130),
        *lamp(690, y + 130),
        text(706, y + 164, "lamp", 12, "middle", GREY),
        text(496, y - 8, ground, 12),
        text(496, y + 52, contact, 12, fill=BLUE),
        text(496, y + 122, light, 12, fill=ORANGE),
        dot(890, y + 64, 64, CHIP),
        dot(890, y + 64, 53, f"#{red:02x}{green:02x}{blue:02x}", "#ffffff"),
        text(890, y + 72, word, 22, "middle", "#ffffff", True),
    ]


def buttons() -> str:
    pins = DEFAULT.buttons
    numbers = (pins.roll_pin, pins.roll_lamp, pins.end_pin, pins.end_lamp)
    roll, roll_lamp, end, end_lamp = (HEADER[number] for number in numbers)
    named = {HEADER[number]: f"GPIO {number}" for number in numbers} | {ROLL_GROUND: "GND", END_GROUND: "GND"}
    says = {place: f"pin {place}, {name}" for place, name in named.items()}
    first, second = 78, 376
    found = [
        *raspberry(named),
        *lead(BLACK, END_GROUND, 428, (428, second), (800, second), (800, second + 130), (722, second + 130)),
        *lead(BLUE, end, 406, (406, second + 60), (600, second + 60)),
        *lead(ORANGE, end_lamp, 384, (384, second + 130), (690, second + 130)),
        *lead(BLACK, ROLL_GROUND, 428, (428, first), (800, first), (800, first + 130), (722, first + 130)),
        *lead(BLUE, roll, 450, (450, first + 60), (600, first + 60)),
        *lead(ORANGE, roll_lamp, 472, (472, first + 130), (690, first + 130)),
        *button(first, "Roll", pins.roll_colour, says[ROLL_GROUND], says[roll], says[roll_lamp]),
        *button(second, "End", pins.end_colour, says[END_GROUND], says[end], says[end_lamp]),
    ]
    return page(980, 590, found)


# The tray

FLOOR, WALL, THICK, LEDGE = (30, 20), 4, 1, 6  # centimetres
SEEN, PIXELS = (50, 28), (1280, 720)  # what the camera sees of the floor in centimetres, and its picture in pixels
ANGLE = 60  # horizontal field of view of a typical webcam, in degrees
FELT, WOOD, IVORY = "#1e6062", "#a87a4e", "#f8f0de"


def height(angle: float) -> float:
    """How many centimetres above the floor a camera with this field of view has to be."""
    return SEEN[0] / 2 / tan(radians(angle / 2))


def arrow(a: tuple[float, float], b: tuple[float, float]) -> list[str]:
    """A dimension line from a to b, horizontal or vertical."""
    ends = ((a, 1), (b, -1))
    if a[1] == b[1]:
        heads = [[(x + 8 * way, y - 4), (x, y), (x + 8 * way, y + 4)] for (x, y), way in ends]
    else:
        heads = [[(x - 4, y + 8 * way), (x, y), (x + 4, y + 8 * way)] for (x, y), way in ends]
    return [wire(GREY, a, b, width=1.5), *(wire(GREY, *head, width=1.5) for head in heads)]


def shape(points: list[tuple[float, float]], fill: str, opacity: float = 1.0) -> str:
    path = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    return f'<polygon points="{path}" fill="{fill}" fill-opacity="{opacity}"/>'


def small_die(x: float, y: float, face: int, turned: float) -> str:
    """A die seen from above, at the scale of the plan."""
    spots = [(x - 4 + 4 * column, y - 4 + 4 * row) for column, row in PLACES]
    pips = "".join(f'<circle cx="{a}" cy="{b}" r="1.4" fill="{INK}"/>' for a, b in (spots[at] for at in PIPS[face]))
    return f'<g transform="rotate({turned} {x} {y})">{box(x - 6.5, y - 6.5, 13, 13, IVORY, 3)}{pips}</g>'


def from_the_side(x: float, y: float, k: float) -> list[str]:
    """A cross-section through the middle of the tray. The camera is centred over tray and ledge; `y` is the
    level of the floor."""
    high = y - k * height(ANGLE)
    left = x - k * (FLOOR[0] / 2 + THICK + LEDGE / 2)  # outer side of the left wall
    inner, right = left + k * THICK, left + k * (THICK + FLOOR[0])
    end, half = right + k * (THICK + LEDGE), k * SEEN[0] / 2
    lamps = (x - half - 10, x + half + 10)
    found = [
        shape([(x, high), (x - half, y), (x + half, y)], BLUE, 0.1),
        *(wire(BLUE, (x, high), (at, y), width=1) for at in (x - half, x + half)),
        *(shape([(at - 26, y - 198), (at + 26, y - 198), (right + 10, y), (inner - 10, y)], LIT, 0.28) for at in lamps),
        wire(INK, (x + half + 70, y + 14), (x + half + 70, high - 34), (x, high - 34), (x, high - 14), width=6),
        box(x - 22, high - 18, 44, 24, CHIP, 5),
        dot(x, high + 7, 7, "#7fb3d9"),
        text(x - 34, high - 2, "camera", 13, "end", bold=True),
    ]
    for at in lamps:
        found += [box(at - 30, y - 224, 60, 16, METAL, 4), box(at - 30, y - 206, 60, 8, "#ffffff", 3)]
    found += [
        text(lamps[0] - 30, y - 234, "lamp", 13, bold=True),
        text(lamps[0] + 38, y - 198, "diffuser", 12),
        box(40, y + 14, x + half + 60, 12, "#d9cbb0", 2),
        box(left, y - k * WALL, k * THICK, k * WALL + 14, WOOD, 1),
        box(right, y - k * WALL, k * THICK, k * WALL + 14, WOOD, 1),
        box(right, y - k * WALL - 6, k * (THICK + LEDGE), 8, WOOD, 1),
        box(inner, y, k * FLOOR[0], 14, FELT, 1),
        *(box(at, y - k * 1.6, k * 1.6, k * 1.6, IVORY, 2) for at in (inner + 40, inner + 96)),
        box(right + 28, y - k * WALL - 6 - k * 1.6, k * 1.6, k * 1.6, IVORY, 2),
        *arrow((x, high + 18), (x, y)),
        text(x + 8, (high + y) / 2 + 34, f"{height(ANGLE):.0f} cm, for a", 12),
        text(x + 8, (high + y) / 2 + 50, f"camera of {ANGLE}°", 12),
        *arrow((inner, y + 44), (right, y + 44)),
        text((inner + right) / 2, y + 60, f"{FLOOR[0]} cm", 12, "middle"),
        *arrow((right + k * THICK, y + 44), (end, y + 44)),
        text((right + k * THICK + end) / 2, y + 60, f"{LEDGE} cm", 12, "middle"),
        *arrow((left - 14, y - k * WALL), (left - 14, y)),
        text(left - 20, y - k * WALL / 2 + 4, f"{WALL} cm", 12, "end"),
        *arrow((x - half, y + 74), (x + half, y + 74)),
        text(x, y + 90, f"the picture shows at most {SEEN[0]} cm of the floor", 12, "middle"),
    ]
    return found


def from_above(x: float, y: float, k: float) -> list[str]:
    """The plan, as the camera sees it; `x` and `y` are the centre of its picture."""
    wide, deep = k * SEEN[0], k * SEEN[1]
    left = x - k * (FLOOR[0] / 2 + THICK + LEDGE / 2)
    top = y - k * (FLOOR[1] / 2 + THICK)
    outer = (k * (FLOOR[0] + 2 * THICK), k * (FLOOR[1] + 2 * THICK))
    ledge = left + outer[0]
    dice = ((52, 60, 6, 12), (120, 110, 3, -30), (178, 46, 5, 50), (92, 30, 2, 80))
    marks = ((left - 22, top), (left - 22, top + outer[1] - 18), (ledge + 4, top), (ledge + 4, top + outer[1] - 18))
    return [
        box(x - wide / 2, y - deep / 2, wide, deep, "#efe6d2", 4, BLUE),
        box(left, top, outer[0] + k * LEDGE, outer[1], WOOD, 4),
        box(left + k * THICK, top + k * THICK, k * FLOOR[0], k * FLOOR[1], FELT, 2),
        wire("#8a6240", (ledge, top), (ledge, top + outer[1]), width=1.5),
        *(small_die(left + a, top + b, face, turned) for a, b, face, turned in dice),
        *(small_die(ledge + k * LEDGE / 2, top + b, face, 0) for b, face in ((66, 1), (92, 5))),
        *(box(a, b, 18, 18, "#ffffff", 0, "#ffffff") + box(a + 3, b + 3, 12, 12, INK, 0) for a, b in marks),
        text(
            x - wide / 2, y - deep / 2 - 10, f"the picture, {PIXELS[0]} × {PIXELS[1]} pixels", 13, bold=True, fill=BLUE
        ),
        wire(GREY, (left + 110, top + outer[1] - 40), (left + 90, y + deep / 2 + 26), width=1.5),
        text(left + 90, y + deep / 2 + 42, "matt felt, unlike the dice", 12, "middle"),
        wire(GREY, (ledge + 36, top + 116), (ledge + 36, y + deep / 2 + 26), width=1.5),
        text(ledge + 36, y + deep / 2 + 42, "ledge for kept dice", 12, "middle"),
        wire(GREY, (left - 13, top + outer[1] - 4), (x - wide / 2 + 40, y + deep / 2 + 62), width=1.5),
        text(x - wide / 2 + 36, y + deep / 2 + 78, "printed markers, only if the edge is not found", 12),
        *arrow((x + wide / 2 - 14, top + k * THICK), (x + wide / 2 - 14, top + outer[1] - k * THICK)),
        text(x + wide / 2 + 6, y + 4, f"{FLOOR[1]} cm", 12),
    ]


def tray() -> str:
    return page(980, 490, [*from_the_side(240, 380, 7), *from_above(730, 200, 7.6)])


PICTURES: dict[str, Callable[[], str]] = {"edice.svg": edice, "buttons.svg": buttons, "tray.svg": tray}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / name).write_text(draw(), encoding="utf-8")
