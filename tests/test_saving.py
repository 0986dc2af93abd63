"""Files are written atomically, also by several writers at once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

pytestmark = pytest.mark.ground

from vision import saving  # noqa: E402

LONG = "usb-a-camera-with-a-very-long-name-of-its-maker-and-model"


@pytest.mark.parametrize("names", [(f"{LONG}.json", f"{LONG}.dice"), ("csi.dice", "csi.dice")])
def test_writers_at_the_same_time_do_not_mix_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]
) -> None:
    """Both writers have their data in a temporary file before either of them goes on."""
    both, sync, errors = threading.Barrier(2, timeout=5), saving.os.fsync, []

    def synced(file: int) -> None:
        sync(file)
        both.wait()

    monkeypatch.setattr(saving.os, "fsync", synced)

    def write(name: str) -> None:
        try:
            saving.write(tmp_path / name, name.encode() * 1000)
        except OSError as why:
            errors.append(why)

    writers = [threading.Thread(target=write, args=(name,), daemon=True) for name in names]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(10)
    assert errors == []
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {n: n.encode() * 1000 for n in names}


def test_a_file_with_a_very_long_name_and_ending_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 100 + "." + "e" * 150)
    saving.write(path, b"data")
    assert path.read_bytes() == b"data"
