"""Everything works from a wheel, without the clone. The wheel is built and installed offline."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from table import __version__

CLONE = Path(__file__).parent.parent
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def run(*command, **more) -> str:
    """Run a command and return its output. The test fails if the command fails or takes minutes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    more |= {"env": environment, "encoding": "utf-8", "timeout": 180}
    done = subprocess.run(command, check=False, capture_output=True, **more)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed: make test installs it")
    pytest.importorskip("pip", reason="pip is not installed: make test installs it")
    dist = tmp_path_factory.mktemp("dist")
    run(*PIP, "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index", "-w", dist, CLONE)
    (built,) = dist.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The commands folder of a new environment that has the wheel and borrows its dependencies from this one."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    python = next(home.glob("[bS]*/python*"))
    run(*PIP, "--python", python, "install", "-q", "--no-deps", "--no-index", wheel)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    # Only the path is borrowed: the .pth files in that folder, which lead to the clone, are not processed.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python.parent


def test_assets_and_units_are_in_the_wheel(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("assets", "systemd"):
        # Ignore files that Python or a desktop leaves in these folders.
        found = (path for path in (CLONE / folder).rglob("*") if path.is_file())
        files = {path for path in found if path.name != ".DS_Store" and path.suffix != ".pyc"}
        assert files, f"{folder}/ is empty"
        assert {f"table/{path.relative_to(CLONE).as_posix()}" for path in files} <= inside


def test_only_the_three_packages_are_in_the_wheel(wheel):
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"table", "vision", "firmware", f"dicetable-{__version__}.dist-info"}


def test_the_installed_table_is_not_the_clone(installed, tmp_path):
    code = "from importlib.util import find_spec; print(*(find_spec(n).origin for n in %r), sep='\\n')"
    code %= (("table", "vision", "firmware"),)  # located but not imported, because dependencies may be missing
    for path in run(installed / "python", "-c", code, cwd=tmp_path).splitlines():
        assert Path(path).is_relative_to(installed.parent)


def test_the_installed_command_says_its_version(installed, tmp_path):
    assert __version__ in run(installed / "dicetable", "--version", cwd=tmp_path)


@pytest.mark.ground
def test_the_installed_reader_has_its_networks(installed, tmp_path):
    assert run(installed / "dicetable", "read", str(CLONE / "tests/dice/03.jpg"), cwd=tmp_path).endswith(
        "03.jpg: 2 2 3 5 5 (sum 17)\n"
    )


def test_the_installed_referee_answers(installed, tmp_path):
    lines = '{"games": true}\n{"new": "mexico", "players": ["Ann", "Bo"]}\n'
    games, ask = map(json.loads, run(installed / "dicetable", "referee", input=lines, cwd=tmp_path).splitlines())
    assert [game["id"] for game in games["games"]] == ["mexico", "bluff", "pocoloco", "cheese", "cacho"]
    assert "ask" in ask


@pytest.mark.parametrize("game", ["mexico", "bluff", "pocoloco", "cheese", "cacho"])
def test_the_installed_table_plays_and_shows_the_rules(installed, tmp_path, game):
    command = [installed / "dicetable", "play", game, "--seat", "Ann", "--seat", "computer"]
    output = run(*command, input="?\nq\ny\n", cwd=tmp_path)
    page = (CLONE / "table" / "games" / game / "en.md").read_text(encoding="utf-8")
    assert page.splitlines()[2] in output
    assert output.endswith("Goodbye!\n")


@pytest.mark.parametrize("folder", ["assets", "systemd"])
def test_the_installed_table_finds_its_files(installed, tmp_path, folder):
    code = f"from table.config import paths; print(paths.{folder}())"
    found = Path(run(installed / "python", "-c", code, cwd=tmp_path).strip())
    assert found.is_relative_to(installed.parent)
    for path in (CLONE / folder).iterdir():
        assert (found / path.name).exists()


@pytest.mark.parametrize("folder", ["assets", "systemd"])
def test_the_clone_finds_its_own_files(folder):

    from table.config import paths

    assert getattr(paths, folder)() == CLONE.resolve() / folder
