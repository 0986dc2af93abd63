"""Programs of the system, asked and waited for.

Its one rule: nobody is there to answer what one of them asks, and what it writes is text, whatever its bytes are.
"""

import subprocess
from collections.abc import Mapping, Sequence


def run(
    words: Sequence[str], seconds: float, env: Mapping[str, str] | None = None, close_fds: bool = True
) -> subprocess.CompletedProcess[str]:
    """OSError: there is no such program. TimeoutExpired: it has not ended in so many seconds."""
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
    """What it says; nothing if there is none, or it does not end, or (but with `failed`) it fails."""
    try:
        done = run(words, seconds)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if failed or done.returncode == 0 else ""
