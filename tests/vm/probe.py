"""Runs in the emulated machine in place of the table, as its user and in its sandbox: lists where it can write.

Its one rule: it really tries. It creates a file in every folder and opens every file for writing, and prints one line
for each success: `made FOLDER` or `opened FILE`.
"""

import os
import stat
from pathlib import Path

NOT_ON_A_DISK = ("/proc", "/sys")


def main() -> None:
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in NOT_ON_A_DISK]
        if can_make(Path(folder)):
            print("made", folder)
        for name in files:
            if can_open(os.path.join(folder, name)):
                print("opened", os.path.join(folder, name))


def can_make(folder: Path) -> bool:
    made = folder / f".probe-{os.getpid()}"
    try:
        made.touch(exist_ok=False)
    except OSError:
        return False
    made.unlink()
    return True


def can_open(path: str) -> bool:
    """Whether the file can be opened for writing. Only regular files are tried, because the unit decides about
    devices, and opening a pipe would block."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        os.close(os.open(path, os.O_WRONLY | os.O_NOFOLLOW))
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
