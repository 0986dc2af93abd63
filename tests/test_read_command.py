"""`dicetable read`: each file gets a result or a one-sentence error, and input files are never changed.

These tests do not depend on how well the networks read dice.
"""

import json
import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.ground
cv2 = pytest.importorskip("cv2", reason="OpenCV reads the dice")

import numpy as np  # noqa: E402

from tests.processes import COMMAND, PATIENCE, environment, run, typed  # noqa: E402
from tests.terminal_session import ROOT  # noqa: E402
from vision import command, files, mark  # noqa: E402
from vision.reading import OK, UNSURE, Box, Die, Reading  # noqa: E402
from vision.render import draw, random_scene  # noqa: E402

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes and such file names need Unix")
KEYS = ["file", "status", "dice", "why", "ms"]

# How to store a picture so that it is upright with EXIF orientation 1 to 8.
STORED = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p, 1),
    7: lambda p: np.rot90(p, 2).transpose(1, 0, 2),
    8: lambda p: np.rot90(p, -1),
}


def encoded(ending: str, picture: Any, *options: int) -> bytes:
    return cv2.imencode(ending, np.ascontiguousarray(picture), list(options))[1].tobytes()


def exif(turn: int, order: str) -> bytes:
    begins = b"MM\0*" if order == ">" else b"II*\0"
    return begins + struct.pack(f"{order}IHHHIHHI", 8, 1, 274, 3, 1, turn, 0, 0)


def turned_jpeg(picture: Any, turn: int, *options: int) -> bytes:
    """A JPEG with an EXIF orientation, sometimes big-endian and sometimes little-endian, since cameras use both."""
    plain, body = encoded(".jpg", STORED[turn](picture), *options), b"Exif\0\0" + exif(turn, "<>"[turn % 2])
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + plain[2:]


def turned_png(picture: Any, turn: int) -> bytes:
    plain, body = encoded(".png", STORED[turn](picture)), b"eXIf" + exif(turn, ">")
    return plain[:33] + struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body)) + plain[33:]


def of_size(jpeg: bytes, wide: int, high: int) -> bytes:
    """The same JPEG with a false size in its header."""
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + struct.pack(">HH", high, wide) + jpeg[at + 4 :]


def of_size_png(png: bytes, wide: int, high: int) -> bytes:
    head = png[12:16] + struct.pack(">II", wide, high) + png[24:29]
    return png[:12] + head + struct.pack(">I", zlib.crc32(head)) + png[33:]


@pytest.fixture(scope="module")
def picture() -> Any:
    return draw(random_scene(np.random.default_rng(4), (320, 240), dice=2, die_px=(50, 60)), (320, 240)).image


@pytest.fixture(scope="module")
def smooth() -> Any:
    """A gradient that survives any codec and looks different in each orientation."""
    y, x = np.mgrid[:120, :160]
    return np.dstack((x, 2 * y, (x + y) // 2)).astype(np.uint8)


def lines(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def film(path: Path, frames: list[Any]) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 20, frames[0].shape[1::-1])
    for frame in frames:
        writer.write(frame)
    writer.release()


# All kinds of files in one command.


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory, picture: Any) -> tuple[list[str], dict[str, dict[str, Any]], Any]:
    """Good and bad files, and the output of one command for all of them."""
    home = tmp_path_factory.mktemp("zoo")
    jpeg, png = encoded(".jpg", picture), encoded(".png", picture)
    dark, grey = np.full((120, 160, 3), 4, np.uint8), np.full((120, 160, 3), 128, np.uint8)
    whole = {
        "good.png": png,
        "turned.png": turned_png(picture, 6),
        "with a space.jpg": jpeg,
        "no-ending": jpeg,
        "grey.png": encoded(".png", grey),
        "dark.png": encoded(".png", dark),
        "text.jpg": b"no picture at all\n" * 50,
        "list.mp4": b"#EXTM3U\nhttp://127.0.0.1:9/film.ts\n" * 20,
        "phone.heic": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100),
        "empty.jpg": b"",
        "short.jpg": jpeg[: len(jpeg) // 2],
        "almost.jpg": jpeg[:-2],
        "begun.jpg": jpeg[:30],
        "short.png": png[: len(png) // 2],
        "almost.png": png[:-12],
        "one.png": encoded(".png", picture[:1, :1]),
        "bomb.jpg": of_size(jpeg, 40000, 25000),
        "hollow.jpg": of_size(jpeg, 9000, 9000),
        "bomb.png": of_size_png(png, 40000, 25000),
        "hundred.png": of_size_png(png, 12000, 8500),
        "no-film.mp4": b"\0\0\0\x18ftypisom" + bytes(200),
        "last.png": png,
    }
    for name, data in whole.items():
        (home / name).write_bytes(data)
    names = list(whole)
    film(home / "dark.avi", [dark] * 40)
    film(home / "grey.avi", [grey] * 20)
    film(home / "short.avi", [grey] * 3)
    (home / "cut.avi").write_bytes((home / "grey.avi").read_bytes()[:4000])
    (home / "bare").mkdir()
    (home / "nest" / "inner").mkdir(parents=True)
    album = home / "album"
    (album / "inner").mkdir(parents=True)
    for name in ("b.png", "a.JPG", ".hidden.png", "c.read.png", "c.read-2.png", "notes.txt", "inner/d.png"):
        (album / name).write_bytes(png if name.endswith("png") else jpeg)
    names += ["dark.avi", "grey.avi", "short.avi", "cut.avi", "bare", "nest", "album", "missing.jpg", "camera:97"]
    if sys.platform != "win32":
        (home / "new\nline.png").write_bytes(png)
        os.mkfifo(home / "pipe.jpg")
        os.symlink(os.devnull, home / "device.jpg")
        names += ["new\nline.png", "pipe.jpg", "device.jpg"]
    if sys.platform == "linux":
        Path(os.fsdecode(os.fsencode(home) + b"/caf\xe9.png")).write_bytes(png)
        Path(os.fsdecode(os.fsencode(home) + b"/caf\xe9.avi")).write_bytes((home / "grey.avi").read_bytes())
        names += [os.fsdecode(b"caf\xe9.png"), os.fsdecode(b"caf\xe9.avi")]
    (home / "locked.png").write_bytes(png)
    (home / "locked.png").chmod(0)
    names.append("locked.png")
    paths = [name if name.startswith("camera") else str(home / name) for name in names]
    done = run("read", "--json", *paths, env=environment(home))
    said = {os.path.relpath(line["file"], home) if "/" in line["file"] else line["file"]: line for line in lines(done)}
    return names, said, done


def test_every_file_has_a_line_in_the_order_given(zoo):
    names, _, done = zoo
    said = [os.path.basename(line["file"]) for line in lines(done)]
    at = names.index("album")
    assert said == [*names[:at], "a.JPG", "b.png", *names[at + 1 :]]
    assert done.returncode == 1
    assert done.stderr == ""


def test_a_line_has_exactly_the_documented_keys(zoo):
    for line in lines(zoo[2]):
        assert list(line) == (KEYS if "at" not in line else [*KEYS, "at"]), line
        assert line["status"] in ("ok", "unsure", "error")
        assert (line["why"] is None) == (line["status"] == "ok"), line
        assert isinstance(line["ms"], int)
        assert line["status"] != "error" or line["dice"] == []
        for die in line["dice"]:
            assert list(die) == ["value", "box", "confidence"]
            assert 1 <= die["value"] <= 6 and 0 <= die["confidence"] <= 1
            left, top, wide, high = die["box"]
            assert all(isinstance(edge, int) for edge in die["box"])
            assert left >= 0 and top >= 0 and left + wide <= 320 and top + high <= 240


def test_a_picture_reads_the_same_under_any_file_name(zoo):
    names, said, _ = zoo
    strange = [name for name in names if name.startswith(("new", "caf")) and name.endswith("png")]
    for name in ["last.png", "turned.png", *strange]:
        assert [said[name][key] for key in KEYS[1:4]] == [said["good.png"][key] for key in KEYS[1:4]], name
    assert said["with a space.jpg"]["dice"] == said["no-ending"]["dice"]
    assert said["good.png"]["status"] != "error"


def test_an_empty_table_is_ok_and_a_dark_picture_is_unsure(zoo):
    said = zoo[1]
    assert (said["grey.png"]["status"], said["grey.png"]["dice"]) == ("ok", [])
    assert (said["dark.png"]["status"], said["dark.png"]["why"]) == ("unsure", "too dark")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("text.jpg", "neither a picture nor a video"),
        ("list.mp4", "neither a picture nor a video"),
        ("phone.heic", "HEIC"),
        ("empty.jpg", "The file is empty."),
        ("short.jpg", "incomplete"),
        ("almost.jpg", "incomplete"),
        ("begun.jpg", "incomplete"),
        ("hollow.jpg", "incomplete"),
        ("short.png", "incomplete"),
        ("almost.png", "incomplete"),
        ("one.png", "only 1x1 pixels"),
        ("bomb.jpg", "1000 megapixels"),
        ("bomb.png", "1000 megapixels"),
        ("hundred.png", "102 megapixels"),
        ("no-film.mp4", "The video cannot be decoded"),
        ("cut.avi", "incomplete"),
        ("bare", "The folder has no pictures."),
        ("nest", "no pictures itself: name the folders in it."),
        ("missing.jpg", "There is no such file."),
        ("camera:97", "There is no camera 97"),
        pytest.param("pipe.jpg", "a pipe or a device", marks=posix),
        pytest.param("device.jpg", "a pipe or a device", marks=posix),
    ],
)
def test_an_unreadable_file_gets_a_one_sentence_error(zoo, name, says):
    line = zoo[1][name]
    assert line["status"] == "error"
    assert says in line["why"]
    assert line["why"].endswith(".") and "\n" not in line["why"]


def test_a_file_without_permission_gets_a_one_sentence_error(zoo):
    if os.access(Path(zoo[1]["locked.png"]["file"]), os.R_OK):
        assert zoo[1]["locked.png"]["status"] != "error"  # root and Windows can read the file whatever its mode
    else:
        assert zoo[1]["locked.png"]["why"].startswith("The file cannot be opened")


def test_a_film_has_a_line_with_the_time_at_which_the_dice_settled(zoo):
    said = zoo[1]
    assert (said["dark.avi"]["status"], said["dark.avi"]["why"]) == ("unsure", "too dark")
    assert 0 < said["dark.avi"]["at"] <= 2
    for name in ("grey.avi", *(n for n in zoo[0] if n.startswith("caf") and n.endswith("avi"))):
        assert (said[name]["status"], said[name]["why"], said[name]["dice"]) == ("ok", None, []), "an empty table"
        assert said[name]["at"] == pytest.approx(0.95, abs=0.1)
    assert (said["short.avi"]["status"], said["short.avi"]["why"]) == ("unsure", "no roll settled")


# Decoding: orientation, depth, transparency and truncated files.


@pytest.mark.parametrize("turn", STORED)
@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_the_exif_orientation_is_applied(tmp_path, smooth, turn, ending):
    path = tmp_path / f"turned.{ending}"
    path.write_bytes(turned_jpeg(smooth, turn) if ending == "jpg" else turned_png(smooth, turn))
    photo = files.load(str(path))
    assert photo.size == (160, 120)
    assert np.abs(photo.frame.astype(int) - smooth).mean() < (3 if ending == "jpg" else 0.01)


@pytest.mark.parametrize("turn", [1, 6])
def test_a_large_jpeg_is_decoded_at_a_smaller_size_but_its_boxes_are_in_full_size(tmp_path, smooth, turn):
    path = tmp_path / "large.jpg"
    path.write_bytes(turned_jpeg(cv2.resize(smooth, (3200, 2400)), turn, cv2.IMWRITE_JPEG_QUALITY, 60))
    photo = files.load(str(path))
    assert photo.size == (3200, 2400)
    assert photo.frame.shape == (1200, 1600, 3)
    die = Die(5, (400.0, 300.0), Box((400.0, 300.0), (40.0, 40.0), 0.0), 0.9)
    reading = command.enlarged(Reading((die,), UNSURE, "glare on the die at 400,300"), photo)
    assert command.upright(reading.dice[0].box, photo.size) == [760, 560, 80, 80]
    assert reading.why == "glare on the die at 800,600"


@pytest.mark.parametrize("ending", [".png", ".tiff"])
@pytest.mark.parametrize("deep", [False, True])
def test_grey_and_16_bit_pictures_are_converted_to_8_bit_colour(tmp_path, smooth, ending, deep):
    grey = smooth[..., 1]
    for name, stored, shown in (("grey", grey, np.dstack([grey] * 3)), ("colour", smooth, smooth)):
        path = tmp_path / f"{name}{ending}"
        path.write_bytes(encoded(ending, stored.astype(np.uint16) * 257 if deep else stored))
        assert np.array_equal(files.load(str(path)).frame, shown), name


@pytest.mark.parametrize("ending", [".png", ".webp", ".tiff"])
def test_transparent_areas_become_grey(tmp_path, smooth, ending):
    alpha = np.full((120, 160), 255, np.uint8)
    alpha[:60] = 0
    path = tmp_path / f"cut-out{ending}"
    path.write_bytes(encoded(ending, np.dstack((smooth, alpha))))
    frame = files.load(str(path)).frame
    assert (frame[:60] == files.GREY).all()
    assert np.array_equal(frame[60:], smooth[60:])


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_a_truncated_file_is_never_accepted(tmp_path, smooth, ending):
    data, path = encoded(ending, smooth), tmp_path / f"cut{ending}"
    for length in range(len(data) - 1, 4, -max(1, len(data) // 25)):
        path.write_bytes(data[:length])
        with pytest.raises(ValueError, match=r"\.$"):
            files.load(str(path))


# Marked pictures.


def test_text_output_has_a_line_per_photo_and_marked_pictures_overwrite_nothing(tmp_path, picture):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    good = encoded(".jpg", picture)
    for name in ("a/one.jpg", "b/one.jpg", "out/one.read.jpg", "out/keep.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(good)
    (tmp_path / "grey.png").write_bytes(encoded(".png", np.full((90, 90, 3), 99, np.uint8)))
    names = ["a", "b/one.jpg", "out/one.read.jpg", "bad\n.jpg", "grey.png"]
    paths = [str(tmp_path / name) for name in names]
    done = typed("read", *paths, "--annotate", str(tmp_path / "out"), "--expect", "9", env=environment(tmp_path))
    assert done.returncode == 1
    said = done.stdout.splitlines()
    assert [line.split(": ")[0] for line in said] == [str(tmp_path / "a/one.jpg"), *(paths[i] for i in (1, 2, 4))]
    assert all(": unsure: " in line for line in said)
    assert said[-1].endswith("grey.png: unsure: 0 of the expected 9")
    assert done.stderr == f"dicetable: {tmp_path}{os.sep}bad\\n.jpg: There is no such file.\n"
    made = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert made == [
        "grey.read.png",
        "keep.jpg",
        "one.read-2.jpg",
        "one.read-3.jpg",
        "one.read.jpg",
        "one.read.read.jpg",
    ]
    for name in ("a/one.jpg", "b/one.jpg", "out/one.read.jpg", "out/keep.jpg"):
        assert (tmp_path / name).read_bytes() == good
    assert cv2.imread(str(tmp_path / "out" / "grey.read.png")).shape[0] > 90


def test_an_unwritable_marked_picture_is_one_error_and_reading_continues(tmp_path, smooth):
    (tmp_path / "out" / "x.read.png").mkdir(parents=True)
    for name in ("x.png", "y.png"):
        (tmp_path / name).write_bytes(encoded(".png", smooth))
    paths = [str(tmp_path / name) for name in ("x.png", "y.png")]
    done = typed("read", *paths, "--annotate", str(tmp_path / "out"), env=environment(tmp_path))
    assert [line.split(": ")[0] for line in done.stdout.splitlines()] == paths
    assert len(done.stderr.splitlines()) == 1 and "cannot be written" in done.stderr
    assert done.returncode == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["x.read.png"]


def test_a_single_photo_is_marked_under_the_given_file_name(tmp_path, smooth):
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(".png", smooth))
    done = typed("read", str(path), "--annotate", str(tmp_path / "seen.jpg"), env=environment(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert cv2.imread(str(tmp_path / "seen.jpg")) is not None
    assert sorted(found.name for found in tmp_path.iterdir()) == ["photo.png", "seen.jpg"]


@pytest.mark.parametrize("size", [(24, 24), (240, 320), (1500, 2000), (16, 900)])
@pytest.mark.parametrize("status", [OK, UNSURE])
def test_a_reading_is_drawn_on_a_picture_of_any_size(size, status):
    side = min(size) / 3
    dice = tuple(
        Die(value, (x, size[0] / 2), Box((x, size[0] / 2), (side, side), 20.0), 0.3 * value % 1)
        for value, x in enumerate((0.0, size[1] / 2, float(size[1])), 1)
    )
    frame = np.full((*size, 3), 200, np.uint8)
    before = frame.copy()
    shown = mark.mark(frame, Reading(dice, status, None if status == OK else "what lies at 3,4 is not clear"))
    assert np.array_equal(frame, before)
    assert shown.dtype == np.uint8 and shown.shape[0] > size[0] and shown.shape[1] % size[1] == 0


@pytest.mark.parametrize(
    ("values", "status", "why", "says"),
    [
        ((), OK, None, "no dice"),
        ((5,), OK, None, "5"),
        ((5, 2, 5, 3), OK, None, "2 3 5 5 (sum 15)"),
        ((4, 1), UNSURE, "2 of the expected 5", "unsure: 2 of the expected 5 (seen: 1 4)"),
        ((), UNSURE, "too dark", "unsure: too dark"),
    ],
)
def test_a_result_is_written_as_people_would_say_it(values, status, why, says):
    dice = tuple(Die(value, (0.0, 0.0), Box((0.0, 0.0), (9.0, 9.0), 0.0), 0.9) for value in values)
    assert mark.result(Reading(dice, status, why)) == says


# The rest of the command.


@pytest.mark.parametrize(
    "arguments",
    [
        ["read", "{home}/photo.png", "--annotate", "{home}/other.png"],
        ["calibrate", "{home}/other.png", "--empty", "{home}/photo.png", "--dice", "{home}/photo.png"],
        ["calibrate", "{home}", "--empty", "{home}/photo.png", "--dice", "{home}/photo.png"],
    ],
    ids=" ".join,
)
def test_a_picture_that_the_command_did_not_write_is_never_overwritten(tmp_path, smooth, arguments):
    data = encoded(".png", smooth)
    for name in ("photo.png", "other.png"):
        (tmp_path / name).write_bytes(data)
    done = typed(*(word.format(home=tmp_path) for word in arguments), env=environment(tmp_path))
    assert "already exists" in done.stderr and (done.returncode, done.stdout) == (2, "")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"photo.png": data, "other.png": data}


def test_a_marked_picture_may_be_overwritten(tmp_path, smooth):
    (tmp_path / "photo.png").write_bytes(encoded(".png", smooth))
    for _ in range(2):
        paths = [str(tmp_path / name) for name in ("photo.png", "seen.read.png")]
        done = typed("read", paths[0], "--annotate", paths[1], env=environment(tmp_path))
        assert (done.returncode, done.stderr) == (0, "")
    assert cv2.imread(str(tmp_path / "seen.read.png")) is not None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "FILE"),
        (["x.jpg", "--expect", "many"], "--expect"),
        (["x.jpg", "--expect", "-1"], "from 0 to 100"),
        (["camera:front"], "camera:0"),
        (["{home}/photo.png", "--calibration", "{home}/missing"], "missing"),
        (["{home}/photo.png", "--annotate", "{home}/photo.png"], "is the picture to read"),
        (["{home}/photo.png", "{home}/photo.png", "--annotate", "{home}/seen.png"], "choose a folder"),
        (["{home}/photo.png", "--annotate", "{home}/photo.png/inner"], "cannot be created"),
        (["{home}/photo.png", "--annotate", "{home}/seen.gif"], "ends in .png, .jpg, .jpeg or .webp"),
        (["{home}/photo.png", "--annotate", ""], "takes a folder"),
        (["{home}/photo.png", "--calibration", "/dev/zero"], "not a calibration"),
        (["{home}/photo.png", "--calibration", "{home}/photo.png"], "not a calibration"),
    ],
    ids=lambda case: case if isinstance(case, str) else " ".join(case),
)
def test_wrong_use_gets_one_line_and_status_2(tmp_path, smooth, arguments, says):
    data = encoded(".png", smooth)
    (tmp_path / "photo.png").write_bytes(data)
    done = typed("read", *(word.format(home=tmp_path) for word in arguments), env=environment(tmp_path))
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert [path.name for path in tmp_path.iterdir()] == ["photo.png"]
    assert (tmp_path / "photo.png").read_bytes() == data


def test_help_includes_examples(tmp_path):
    done = typed("read", "--help", env=environment(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Examples:\n  " in done.stdout and "camera:0" in done.stdout


BAR_AT_ONCE = "import sys, vision.command as it; it.PATIENCE = 0; from table.app import main; sys.exit(main())"


@posix
@pytest.mark.parametrize(("told", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_command_shows_its_progress_and_ends_on_a_signal(tmp_path, picture, told, status):
    """Standard error is a terminal, and there are too many photos to finish before the signal."""
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(".png", picture))
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", BAR_AT_ONCE, "read", *[str(path)] * 5000],
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        end = time.monotonic() + PATIENCE
        try:
            while b" of 5000" not in shown and time.monotonic() < end:
                shown += os.read(ours, 1000)
            process.send_signal(told)
            assert process.wait(PATIENCE) == status
            shown += rest(ours)
        finally:
            process.kill()
            os.close(ours)
    assert b"\r[" in shown and b"%" in shown
    assert b"Traceback" not in shown


def rest(terminal: int) -> bytes:
    """The remaining output of a terminal after its writer has exited."""
    said = b""
    try:
        while more := os.read(terminal, 1000):
            said += more
    except OSError:
        pass  # Linux reports the end as EIO
    return said


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full on this system")
def test_a_full_output_gets_one_line_and_status_1(tmp_path, smooth):
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(".png", smooth))
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*COMMAND, "read", str(path)],
            cwd=ROOT,
            env=environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
    assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr
    assert done.returncode == 1
