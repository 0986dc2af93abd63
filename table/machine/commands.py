"""Runs system programs and waits for them.

Its one rule: a program gets no input, so it cannot wait for an answer; and its output is always decoded, with invalid
bytes replaced.
"""

import subprocess
from collections.abc import Mapping, Sequence


def run(
    words: Sequence[str], seconds: float, env: Mapping[str, str] | None = None, close_fds: bool = True
) -> subprocess.CompletedProcess[str]:
    """Raises OSError if there is no such program, and TimeoutExpired if it takes longer than `seconds`."""
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        env=env,
        close_fds=close_fds,
    )


def asked(*words: str, seconds: float, failed: bool = False) -> str:
    """The program's output. The output is "" if the program is missing, times out, or (unless `failed` is true)
    fails."""
    try:
        done = run(words, seconds)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if failed or done.returncode == 0 else ""
