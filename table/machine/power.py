"""The machine itself, switched off or started anew by whoever stands at the table.

Its one rule: it is asked for and never forced. systemctl hands the wish to logind, which knows who may (of the table's
own user, systemd/dicetable.polkit says it); a refusal comes back in the system's words.
"""

import subprocess
import threading

from table.machine.commands import run
from table.session.messages import Post, PowerRefused

COMMANDS = {"shut_down": "poweroff", "restart": "reboot"}
PATIENCE = 30.0  # seconds: on a desktop somebody may be asked for a password first
LONGEST = 40  # letters of the system's words: the screen has room for no more


def ask(wish: str, post: Post) -> None:
    """`wish` is "shut_down" or "restart". If it is granted, the table is told to end like any other program."""

    def wait() -> None:
        why = _refusal(["systemctl", COMMANDS[wish]])
        if why:
            post(PowerRefused(wish, why))

    threading.Thread(target=wait, name="power", daemon=True).start()


def _refusal(command: list[str]) -> str:
    """Why not; empty if it was granted."""
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
    """Of "Failed to do this: Access denied." the last part, in the first line; what it ignores itself is no reason."""
    lines = (line.strip() for line in said.splitlines() if "ignoring" not in line)
    why = next(filter(None, lines), "").rpartition(": ")[2].rstrip(".")
    return why if len(why) <= LONGEST else why[: LONGEST - 1] + "…"
