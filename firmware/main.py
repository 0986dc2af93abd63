"""The electronic dice on a Raspberry Pi Pico: pins, LEDs and USB for `firmware.die`. Copied to the board as main.py.

Its one rule: it contains no logic. If the button is held down while the board is plugged in, the board stays at
the MicroPython prompt.
"""

import os
import select
import sys
from time import sleep_ms, ticks_diff, ticks_ms  # type: ignore[attr-defined]

import machine  # type: ignore[import-not-found]
import micropython  # type: ignore[import-not-found]
import neopixel  # type: ignore[import-not-found]

from firmware.die import LEDS, Die

DICE = 6  # dice on this board, 1 to 6
LEDS_PIN, BUTTON_PIN, LAMP_PIN = 0, 14, 15
AT_ONCE = 240  # maximum bytes read per turn


class Board:
    def __init__(self) -> None:
        self.button = machine.Pin(BUTTON_PIN, machine.Pin.IN, machine.Pin.PULL_UP)
        self.lamp = machine.Pin(LAMP_PIN, machine.Pin.OUT)
        self.leds = neopixel.NeoPixel(machine.Pin(LEDS_PIN), LEDS * DICE)
        self.shown: list[tuple[int, int, int]] = []
        self.came = select.poll()
        self.came.register(sys.stdin, select.POLLIN)
        self.ticks, self.now = ticks_ms(), 0
        self.die = Die(machine.unique_id().hex(), DICE, os.urandom)
        sys.stdout.buffer.write(self.die.greeting())

    def turn(self) -> None:
        ticks = ticks_ms()  # wraps around every twelve days, so only use differences
        self.now += ticks_diff(ticks, self.ticks)
        self.ticks = ticks
        data = b""
        while len(data) < AT_ONCE and self.came.poll(0):
            data += sys.stdin.buffer.read(1)
        said = self.die.turn(self.now, data, not self.button.value())
        if said:
            sys.stdout.buffer.write(said)
        self.lamp.value(self.die.lamp)
        lights = self.die.lights(self.now)
        if lights != self.shown:
            self.shown = lights
            for at, colour in enumerate(lights):
                self.leds[at] = colour
            self.leds.write()


def main() -> None:
    if not machine.Pin(BUTTON_PIN, machine.Pin.IN, machine.Pin.PULL_UP).value():
        return
    micropython.kbd_intr(-1)  # noise on the line must not act as Ctrl-C
    board = Board()
    dog = machine.WDT(timeout=8000)
    while True:
        board.turn()
        dog.feed()
        sleep_ms(2)


if __name__ == "__main__":
    main()
