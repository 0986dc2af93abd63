"""Shutting down and restarting the machine, with a fake systemctl that records its arguments."""

import os
import queue
import sys
import threading
from pathlib import Path

import pytest

from table.machine import power
from table.session.messages import Message, PowerRefused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no systemctl on Windows")

SECONDS = 60.0


@pytest.fixture
def systemctl(tmp_path, monkeypatch) -> Path:
    """A folder at the front of PATH, into which `does` writes a fake systemctl."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def does(folder: Path, script: str) -> None:
    (folder / "systemctl").write_text(f'#!/bin/sh\necho "$@" >>"{folder}/asked"\n{script}\n', encoding="utf-8")
    (folder / "systemctl").chmod(0o755)


def answered(wish: str) -> Message:
    box: queue.Queue[Message] = queue.Queue()
    power.ask(wish, box.put)
    return box.get(timeout=SECONDS)


@pytest.mark.parametrize(("wish", "verb"), [("shut_down", "poweroff"), ("restart", "reboot")])
def test_systemctl_is_called_and_success_posts_no_message(systemctl, wish, verb):
    does(systemctl, f"echo done >{systemctl}/done")
    heard: list[Message] = []
    power.ask(wish, heard.append)
    for thread in threading.enumerate():
        if thread.name == "power":
            thread.join(SECONDS)
    assert (systemctl / "asked").read_text(encoding="utf-8") == f"{verb}\n"
    assert (systemctl / "done").exists() and heard == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Failed to power off system via logind: Access denied.", "Access denied"),
        (
            "Failed to set wall message, ignoring: Access denied.\nFailed to reboot: Interactive login required.",
            "Interactive login required",
        ),
        (
            "System has not been booted with systemd as init system (PID 1). Can't operate.\nFailed to connect to bus.",
            "System has not been booted with systemd…",
        ),
        ("", "systemctl: status 1"),
    ],
)
def test_a_refusal_is_reported_with_a_short_part_of_the_systems_error(systemctl, said, why):
    (systemctl / "said").write_text(said, encoding="utf-8")
    does(systemctl, f"cat {systemctl}/said >&2; exit 1")
    assert answered("shut_down") == PowerRefused("shut_down", why)
    assert len(why) <= power.LONGEST


def test_a_machine_without_systemctl_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert answered("restart") == PowerRefused("restart", "systemctl: No such file or directory")


def test_a_systemctl_that_hangs_is_reported_after_a_while(systemctl, monkeypatch):
    does(systemctl, "exec sleep 600")
    monkeypatch.setattr(power, "PATIENCE", 0.3)
    assert answered("shut_down") == PowerRefused("shut_down", "systemctl: no answer")
