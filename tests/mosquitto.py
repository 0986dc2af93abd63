"""A real MQTT broker (mosquitto) on a free loopback port for tests, and a client that listens to all messages."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.processes import PATIENCE, Port, until

USER, PASSWORD = "table", "six & six/@#?%"


def program(name: str) -> str:
    """Find a program, even in the folders for daemons, which are not on every user's PATH."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: mosquitto)")
    return found


class Broker:
    """`with broker(folder) as it`. It keeps nothing on disk."""

    def __init__(self, folder: Path, *more: str) -> None:
        self._program = program("mosquitto")
        self._port = Port()
        self.port = self._port.number
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "log_dest file " + str(folder / "log")]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            lines.insert(0, "user root")  # otherwise mosquitto would switch to a user who cannot read this folder
        self._config = folder / "mosquitto.conf"
        self._config.write_text("\n".join([*lines, *more, ""]), encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "-c", str(self._config)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until("the broker is listening", self._listens)

    def _listens(self) -> bool:
        assert self._process is not None and self._process.poll() is None, "mosquitto ended"
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None

    def close(self) -> None:
        self.stop()
        self._port.close()

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


@contextmanager
def broker(folder: Path, *more: str) -> Iterator[Broker]:
    """Run a broker with additional config lines. Without them, anyone may connect."""
    made = Broker(folder, *(more or ["allow_anonymous true"]))
    try:
        made.start()
        yield made
    finally:
        made.close()


def locked(folder: Path) -> list[str]:
    """Config lines for a broker that only accepts USER with PASSWORD."""
    file = folder / "passwords"
    subprocess.run([program("mosquitto_passwd"), "-b", "-c", str(file), USER, PASSWORD], check=True, timeout=PATIENCE)
    return ["allow_anonymous false", f"password_file {file}"]


class Ear:
    """Subscribes to all topics: every message in order in `heard`, and the last payload per topic in `last`."""

    def __init__(self, port: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.heard: list[tuple[str, str]] = []
        self.last: dict[str, str] = {}
        self._listening = threading.Event()
        self._gone = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_connect = lambda *_: self.client.subscribe("#")
        self.client.on_subscribe = lambda *_: self._listening.set()
        self.client.on_disconnect = lambda *_: self._gone.set()
        self.client.on_message = lambda _client, _data, message: self._hear(message.topic, message.payload.decode())
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self._listening.wait(PATIENCE)

    def _hear(self, topic: str, payload: str) -> None:
        self.heard.append((topic, payload))
        self.last[topic] = payload

    def ending(self, end: str) -> str | None:
        """The last payload of the topic with this ending."""
        return next((payload for topic, payload in list(self.last.items()) if topic.endswith(end)), None)

    def state(self) -> dict[str, Any]:
        return json.loads(self.ending("/state") or "{}")

    def until(self, what: str, **facts: Any) -> dict[str, Any]:
        """Wait for a state with these facts, and return it."""
        return until(what, lambda: (state := self.state()).items() >= facts.items() and state)

    def until_said(self, end: str, payload: str) -> None:
        until(f"{end} says {payload}", lambda: self.ending(end) == payload)

    def say(self, topic: str, payload: str, retain: bool = False) -> None:
        self.client.publish(topic, payload, retain=retain)

    def close(self) -> None:
        self.client.disconnect()
        self._gone.wait(PATIENCE)
        self.client.loop_stop()


@contextmanager
def listening(port: int) -> Iterator[Ear]:
    ear = Ear(port)
    try:
        yield ear
    finally:
        ear.close()
