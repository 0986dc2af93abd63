"""Run in the emulated machine in the table's place, as its user and behind its walls: says where it could write.

Its one rule: it tries. Whatever the settings promise, a file is made in every folder, and each file is opened to write.
A line each: `made FOLDER` or `opened FILE`.
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
    """Only of files: devices are the unit's own business, and opening a pipe would wait."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        os.close(os.open(path, os.O_WRONLY | os.O_NOFOLLOW))
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
