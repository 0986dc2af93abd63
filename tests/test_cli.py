"""The `dicetable` command: incorrect use gets one clear line and a non-zero exit status, never a traceback."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from table.text.catalogue import texts
from tests.processes import COMMAND, PATIENCE, typed
from tests.terminal_session import ROOT, Sitting


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in this process, with empty input."""
    return typed(*arguments, env=dict(os.environ))


def run_apart(*arguments: str, shell: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a separate process, with its streams redirected as `shell` says."""
    command = ["sh", "-c", f'"$0" "$@" {shell}', *COMMAND, *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plya"], 'no command "plya". Did you mean play?'),
        (["chess"], "commands are table, demo, config, play, review, serve, referee"),
        (["bluff"], "Did you mean play bluff?"),
        (["--fast"], "--fast"),
        (["--window", "wide"], "1280x720"),
        (["demo", "--window", "1x1"], "from 320x240"),
        (["--config", "no-such-file.toml"], "no-such-file.toml"),
        (["play", "--fast"], "Try dicetable play --help"),
        (["play", "--seed", "x"], "--seed"),
        (["play", "--seat"], "--seat"),
        (["referee", "more"], "more"),
        (["play", "chess"], 'no game called "chess". Did you mean cheese?'),
        (["play", "mexico", "--seat", "Ann"], "2 to 10 players"),
        (["play", "mexico", "--seat", "Ann", "--seat", "computer:grand"], 'no computer level "grand".'),
        (["play", "mexico", "--seat", "Ann", "--seat", "Bo", "--option", "lives=0"], "from 1 to 9"),
        (["play", "mexico", "--seat", "Ann", "--seat", "Bo", "--option", "livse=2"], "Did you mean lives?"),
        (["play", "mexico", "--seat", "Ann", "--seat", "Bo", "--option", "lives"], "name=value"),
        (["play", "mexico", "--seat", "Ann", "--seat", "Bo", "--option", "double=yes"], "mode=Elimination"),
    ],
    ids=lambda case: case if isinstance(case, str) else " ".join(case),
)
def test_wrong_use_gets_one_line_and_status_2(arguments, says):
    done = run(*arguments)
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["doctor", "--config", "no-such-file.toml"],
        ["doctor", "--fast"],
        pytest.param(["read", "no-such-file.jpg", "--calibration", "README.md"], marks=pytest.mark.ground),
        pytest.param(["watch", "no-such-camera"], marks=pytest.mark.ground),
        ["hotspot", "maybe"],
    ],
    ids=" ".join,
)
def test_with_json_errors_are_json_too(arguments):
    plain, done = run(*arguments), run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (plain.returncode, "") and done.returncode in (1, 2)
    told = json.loads(done.stdout)
    assert list(told) == ["error"] and plain.stderr.endswith(f"{told['error']}\n") and plain.stdout == ""


@pytest.mark.skipif(sys.platform == "win32", reason="the redirections need a Unix shell")
@pytest.mark.parametrize("shell", ["<&-", ">&-", "<&- >&-", "> /dev/full"])
@pytest.mark.parametrize("command", ["play", "referee"])
def test_closed_or_full_streams_get_one_line_and_status_1(command, shell):
    if "full" in shell and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full on this system")
    if command == "referee" and shell == "> /dev/full":
        shell = "< tests/golden/cacho.txt > /dev/full"
    done = run_apart(command, shell=shell)
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert done.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="the pipe needs a Unix shell")
def test_a_closed_pipe_ends_the_referee_silently():
    rubbish = "yes | "
    command = " ".join(f"'{word}'" for word in [*COMMAND, "referee"])
    pipe = f"{rubbish} {command} | head -n 1"
    done = subprocess.run(["sh", "-c", pipe], capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)
    assert done.stdout.startswith('{"error"')
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["table", "--help"],
        ["demo", "--help"],
        ["config", "--help"],
        ["play", "--help"],
        ["referee", "--help"],
        ["review", "--help"],
        ["arena", "--help"],
        ["odds", "--help"],
        ["hotspot", "--help"],
        ["install", "--help"],
        ["update", "--help"],
        ["uninstall", "--help"],
    ],
    ids=" ".join,
)
def test_help_comes_with_examples(arguments):
    done = run(*arguments)
    assert done.returncode == 0
    assert "Examples:\n  " in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if not line.startswith("  ")), "lines are too long"
    assert done.stderr == ""


def test_the_version_is_printed():
    assert re.fullmatch(r"dicetable \d+\.\d+\.\d+\n", run_apart("--version", shell="").stdout)


def test_sigterm_during_a_private_look_restores_the_terminal():
    sitting = Sitting("play", "bluff", "--seat", "Ann", "--seat", "Bo", "--seed", "1", tty=True)
    for _ in range(20):
        question = sitting.until_question()
        assert question, "the game ended before a private look"
        if texts("en")["terminal.hide"] in question:
            break
        sitting.type("\n")
    else:
        raise AssertionError(f"no private look:\n{sitting.text}")
    assert "\x1b[?1049l" not in sitting.text
    sitting.process.send_signal(signal.SIGTERM)
    while sitting.until_question() is not None:
        pass
    status, errors = sitting.end()
    assert (status, errors) == (143, "")
    assert sitting.text.count("\x1b[?1049l") == 1
