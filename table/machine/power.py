"""Shuts down or restarts the machine from the table's menu.

Its one rule: it sends a request and forces nothing. systemctl passes the request to logind, which checks the permission
(systemd/dicetable.polkit grants it to the table's user). A refusal is reported with the system's message.
"""

import subprocess
import threading

from table.machine.commands import run
from table.session.messages import Post, PowerRefused

COMMANDS = {"shut_down": "poweroff", "restart": "reboot"}
PATIENCE = 30.0  # seconds; a desktop might ask for a password first
LONGEST = 40  # characters of the system's message that fit on the screen


def ask(wish: str, post: Post) -> None:
    """`wish` is "shut_down" or "restart". If the wish is granted, the system ends the table like any other program."""

    def wait() -> None:
        why = _refusal(["systemctl", COMMANDS[wish]])
        if why:
            post(PowerRefused(wish, why))

    threading.Thread(target=wait, name="power", daemon=True).start()


def _refusal(command: list[str]) -> str:
    """Runs the command. Returns the reason for a refusal, or "" if the request was granted."""
    try:
        done = run(command, PATIENCE)
    except subprocess.TimeoutExpired:
        return "systemctl: no answer"
    except OSError as why:
        return f"systemctl: {why.strerror}"
    if done.returncode == 0:
        return ""
    return _reason(done.stderr) or f"systemctl: status {done.returncode}"


def _reason(said: str) -> str:
    """The reason in systemctl's error output: "Access denied" from "Failed to do this: Access denied.". Lines in
    which systemctl says that it is ignoring something are skipped."""
    lines = (line.strip() for line in said.splitlines() if "ignoring" not in line)
    why = next(filter(None, lines), "").rpartition(": ")[2].rstrip(".")
    return why if len(why) <= LONGEST else why[: LONGEST - 1] + "…"
