"""Stand-ins for the modules that only a Pico has. With them the firmware runs under MicroPython on this machine."""

import sys

import usb


class Module:
    def __init__(self, **names):
        for name, what in names.items():
            setattr(self, name, what)


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number, mode=None, pull=None):
        self._button = mode == Pin.IN

    def value(self, level=None):
        return 0 if self._button and usb.down() else 1


class NeoPixel:
    def __init__(self, pin, count):
        self._leds = [(0, 0, 0)] * count

    def __setitem__(self, at, colour):
        self._leds[at] = colour

    def write(self):
        pass


class Poll:
    def register(self, stream, events):
        pass

    def poll(self, timeout):
        return [1] if usb.some() else []


class In:
    def read(self, count):
        return bytes([usb.take()])


class Out:
    def write(self, data):
        for byte in data:
            usb.say(byte)


modules = sys.modules
modules["machine"] = Module(Pin=Pin, unique_id=lambda: b"\xe6aA\xc4\x1b*O(")
modules["neopixel"] = Module(NeoPixel=NeoPixel)
modules["select"] = Module(poll=Poll, POLLIN=1)
modules["os"] = Module(urandom=lambda count: bytes([usb.noise() for _ in range(count)]))
modules["time"] = Module(sleep_ms=None, ticks_ms=usb.now, ticks_diff=lambda later, earlier: later - earlier)
modules["sys"] = Module(stdin=Module(buffer=In()), stdout=Module(buffer=Out()), modules=modules)
