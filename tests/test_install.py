"""Installing, updating and uninstalling the table as a service."""

import os
import signal
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from table import config
from table.machine.install import source
from table.machine.install.layout import RELEASES, Layout
from table.machine.install.look import look
from tests.pi import FILES, Pi
from tests.processes import PATIENCE, until
from tests.terminal_session import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the installer needs Linux")

PLACES = {
    "service": "etc/systemd/system/dicetable.service",
    "sysusers": "etc/sysusers.d/dicetable.conf",
    "udev": "etc/udev/rules.d/60-dicetable.rules",
    "polkit": "etc/polkit-1/rules.d/60-dicetable.rules",
}
QUESTIONS = ("dpkg-query", "systemctl is-", "systemctl show", "python3 -I -c")


@pytest.fixture
def pi(tmp_path) -> Iterator[Pi]:
    made = Pi(tmp_path)
    yield made
    made.end()


@pytest.fixture
def old(pi) -> str:
    """Installs version 0.1.0 and starts it; returns the name of its build."""
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    pi.forget()
    return pi.current


def changes(pi: Pi) -> list[str]:
    """The logged commands that change something."""
    return [line for line in pi.log if not line.startswith(QUESTIONS)]


def started(pi: Pi) -> list[str]:
    """The log's lines about starts. Each names the build that was started and the unit that started it."""
    return [line for line in pi.log if line.startswith("started ")]


def has_files_of(pi: Pi, version: str) -> bool:
    return all((pi.root / PLACES[name]).read_text() == f"{name} of {version}" for name in FILES)


# Installing


def test_a_dry_run_shows_every_step_and_changes_nothing(pi):
    before = pi.files()
    said = pi.do("install", "--dry-run", "--wheel", pi.wheel("0.1.0"))
    assert pi.files() == before
    assert changes(pi) == []
    for part in ("python3-lgpio", "/opt/dicetable/0.1.0-", *PLACES.values(), "getty@tty1", "/etc/dicetable.toml"):
        assert part in said


def test_installing_writes_every_file_and_starts_the_table(pi):
    wheel = pi.wheel("0.1.0")
    pi.do("install", "--wheel", wheel)
    assert has_files_of(pi, "0.1.0")
    assert os.readlink(pi.root / "usr/local/bin/dicetable") == str(pi.builds / "current/bin/dicetable")
    assert (pi.root / "etc/dicetable.toml").read_text() == config.commented()
    ours = "python3-venv udev libegl1 libgles2 libgbm1 libgl1-mesa-dri polkitd python3-lgpio dnsmasq-base"
    made = pi.builds / pi.current
    assert changes(pi) == [
        f"apt-get -qq -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends {ours}",
        f"python3 -I -m venv --system-site-packages {made}",
        f"pip {wheel} numpy<2 opencv-python-headless<4.12",
        "systemd-sysusers ",
        "udevadm control --reload",
        "systemctl daemon-reload",
        "udevadm trigger --action=change --subsystem-match=tty",
        "systemctl enable dicetable.service",
        "systemctl reset-failed dicetable.service",
        "systemctl restart dicetable.service",
        f"started {pi.current} by service of 0.1.0",
    ]


def test_a_second_run_has_nothing_to_do(pi, old):
    before = pi.files()
    said = pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert said.startswith("Nothing to do.")
    assert f"dicetable {old} is installed and running." in said
    assert (changes(pi), pi.files()) == ([], before)


def test_a_second_run_restores_what_is_missing_without_a_restart(pi, old):
    (pi.root / "usr/local/bin/dicetable").unlink()
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert (pi.root / "usr/local/bin/dicetable").is_symlink()
    assert changes(pi) == []


def test_a_changed_system_file_is_restored_and_reloaded(pi, old):
    (pi.root / PLACES["service"]).write_text("something else")
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert has_files_of(pi, "0.1.0")
    assert f"started {old} by service of 0.1.0" in pi.log


def test_an_existing_config_is_not_changed(pi):
    (pi.root / "etc/dicetable.toml").write_text("[screen]\n")
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert (pi.root / "etc/dicetable.toml").read_text() == "[screen]\n"


LEAGUE = '[league]\naddress = "postgresql://table@db/dice"\n'
BROKER = '[mqtt]\naddress = "mqtt://house"\n'


def test_extras_that_the_config_needs_are_installed_by_the_next_run_and_by_every_update(pi, old):
    wheel = pi.wheel("0.1.0")
    (pi.root / "etc/dicetable.toml").write_text(LEAGUE + BROKER)
    pi.do("install", "--wheel", wheel)
    assert pi.current == f"{old}+league+mqtt" and f"started {pi.current} by service of 0.1.0" in pi.log
    assert any(line.startswith(f"pip {wheel}[league,mqtt] ") for line in pi.log)
    assert pi.do("install", "--wheel", wheel).startswith("Nothing to do.")
    pi.wheel("0.2.0", folder="index")
    pi.do("update", "0.2.0")
    assert pi.current == "0.2.0+league+mqtt"
    assert any(line.startswith("pip dicetable[league,mqtt]==0.2.0 ") for line in pi.log)
    (pi.root / "etc/dicetable.toml").write_text("")
    pi.do("update", f"{old}+league+mqtt")  # this build already exists, so no network is needed
    assert pi.current == f"{old}+league+mqtt"


def test_a_build_with_more_extras_than_the_config_needs_is_kept(pi):
    (pi.root / "etc/dicetable.toml").write_text(LEAGUE)
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    found = look(Layout(pi.root))
    found = replace(found, builds=replace(found.builds, running=pi.current, whole=frozenset({pi.current})))
    assert source.of_itself(replace(found, extras=())).build == source.of_itself(found).build == pi.current
    more = source.of_itself(replace(found, extras=("league", "mqtt")))
    assert (more.build, more.given) == (f"{pi.current}+mqtt", "dicetable[league,mqtt]==0.1.0")


def test_an_invalid_config_does_not_prevent_installing(pi):
    (pi.root / "etc/dicetable.toml").write_text("[league]\nadress = 3\n")
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert "+" not in pi.current


def test_when_run_from_a_clone_the_command_installs_the_clone(pi):
    pi.wheel("0.1.0", folder="index")  # the fake pip installs this wheel for the clone
    pi.do("install")
    assert any(line.startswith(f"pip {ROOT} ") for line in pi.log)
    assert pi.do("install").startswith("Nothing to do.")


def test_a_changed_clone_is_another_build(tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "table/a.py").write_text("1")
    before = source.of_clone(tmp_path).build
    (tmp_path / "table/__pycache__").mkdir()
    (tmp_path / "table/__pycache__/a.pyc").write_text("left by Python")
    assert source.of_clone(tmp_path).build == before
    (tmp_path / "table/a.py").write_text("2")
    assert source.of_clone(tmp_path).build != before


def test_trixie_gets_a_numpy_that_fits_its_packages(pi):
    release = pi.root / "etc/os-release"
    release.write_text(release.read_text().replace("12", "13"))
    wheel = pi.wheel("0.1.0")
    pi.do("install", "--wheel", wheel)
    assert f"pip {wheel} numpy>=2,<3" in pi.log


def test_plain_debian_is_not_asked_for_packages_of_raspberry_pi_os(pi):
    (pi.root / "etc/rpi-issue").unlink()
    assert "keyboard replaces the buttons" in pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert not any("lgpio" in line for line in changes(pi))


def test_a_desktop_that_occupies_the_screen_is_mentioned(pi):
    wheel = pi.wheel("0.1.0")
    assert "multi-user.target" not in pi.do("install", "--dry-run", "--wheel", wheel)
    pi.tell("desktop")
    assert "set-default multi-user.target" in pi.do("install", "--dry-run", "--wheel", wheel)


# Refusals and failures


def refused(pi: Pi, *arguments: object) -> str:
    """Check that the command is refused with a one-line error and changes nothing. Returns the error."""
    before = pi.files()
    status, _, complained = pi.run(*arguments)
    assert status == 2
    assert complained.startswith("dicetable: ")
    assert complained.count("\n") == 1
    assert pi.files() == before
    assert changes(pi) == []
    return complained


@pytest.mark.parametrize("system", ["ID=debian\nVERSION_ID=11", "ID=raspbian\nVERSION_ID=12", "ID=fedora"])
def test_an_unsupported_system_is_refused_without_the_option_anyway(pi, system):
    (pi.root / "etc/os-release").write_text(f"PRETTY_NAME='Another one'\n{system}\n")
    assert "This is Another one" in refused(pi, "install", "--wheel", pi.wheel("0.1.0"))
    pi.do("install", "--anyway", "--wheel", pi.wheel("0.1.0"))
    assert started(pi) == [f"started {pi.current} by service of 0.1.0"]


def test_a_machine_without_systemd_is_refused(pi):
    (pi.root / "run/systemd/system").rmdir()
    assert "systemd" in refused(pi, "install", "--wheel", pi.wheel("0.1.0"))


@pytest.mark.parametrize("unfit", ["run/systemd/system", "etc/os-release"])
def test_on_an_unfit_machine_a_dry_run_shows_the_steps_and_the_error(pi, unfit):
    (pi.root / unfit).rename(pi.root / "etc/elsewhere")
    wheel = pi.wheel("0.1.0")
    complained = refused(pi, "install", "--dry-run", "--wheel", wheel)
    assert complained == refused(pi, "install", "--wheel", wheel)
    _, said, _ = pi.run("install", "--dry-run", "--wheel", wheel)
    for part in ("Steps:", "/opt/dicetable/0.1.0-", *PLACES.values(), "/etc/dicetable.toml"):
        assert part in said


def test_a_foreign_dicetable_command_is_not_overwritten(pi):
    (pi.root / "usr/local/bin/dicetable").write_text("mine")
    assert "move it away" in refused(pi, "install", "--wheel", pi.wheel("0.1.0"))


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("other-1.0-py3-none-any.whl", b"", "not a dicetable wheel"),
        ("dicetable-0.1.0-py3-none-any.whl", b"torn", "damaged"),
        ("dicetable-0.1.0-py3-none-any.whl", None, "No such file"),
    ],
)
def test_an_invalid_wheel_is_refused(pi, tmp_path, name, data, says):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert says in refused(pi, "install", "--wheel", tmp_path / name)


def test_without_root_the_error_mentions_sudo():
    code = (
        "import os, sys, table.machine.install.command; from table import app\n"
        "os.geteuid() or os.seteuid(65534)\n"  # drop root after the imports, which may need it
        "sys.exit(app.main(sys.argv[1:]))"
    )
    for words in (["install"], ["update", "1.0"], ["uninstall"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "run it with sudo" in done.stderr


def test_without_a_network_nothing_is_installed_and_the_error_says_so(pi):
    pi.tell("fails-apt-get", "E: Could not resolve the archive\n")
    status, _, complained = pi.run("install", "--wheel", pi.wheel("0.1.0"))
    assert status == 1
    assert "Could not resolve the archive. Check the network" in complained
    assert not pi.builds.exists()


def test_outdated_package_lists_are_updated(pi):
    pi.tell("fails-apt-get", "E: Unable to locate package\n")
    pi.tell("once")
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    asked = [line.split()[4] for line in pi.log if line.startswith("apt-get")]
    assert asked == ["install", "update", "install"]


@pytest.mark.parametrize("command", ["install --wheel", "update"])
def test_a_full_disk_leaves_the_installation_unchanged(pi, old, command):
    pi.tell("fails-pip", "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n")
    before = pi.files()
    status, _, complained = pi.run(*command.split(), pi.wheel("0.2.0"))
    assert status == 1
    assert complained.endswith("No space left on device.\n")
    assert pi.files() == before
    assert "restart" not in " ".join(pi.log)


def test_a_failed_first_install_is_reported_and_completed_by_the_next_run(pi):
    pi.tell("fails-systemd-sysusers", "no\n")
    status, _, complained = pi.run("install", "--wheel", pi.wheel("0.1.0"))
    assert (status, complained) == (1, "dicetable: systemd-sysusers says: no.\n")
    (pi.here / "fails-systemd-sysusers").unlink()
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert f"started {pi.current} by service of 0.1.0" in pi.log


# Updating


def test_an_update_is_started_and_the_previous_build_is_kept(pi, old):
    pi.do("update", pi.wheel("0.2.0"))
    assert pi.current.startswith("0.2.0-")
    assert has_files_of(pi, "0.2.0")
    assert f"started {pi.current} by service of 0.2.0" in pi.log
    assert (pi.builds / old).is_dir()
    assert not any(line.startswith("apt-get") for line in pi.log)


def test_the_next_update_removes_the_oldest_build(pi, old):
    pi.do("update", pi.wheel("0.2.0"))
    second = pi.current
    pi.do("update", pi.wheel("0.3.0"))
    assert {path.name for path in pi.builds.iterdir()} == {second, pi.current, "current", "good"}


def test_new_versions_come_from_the_index_and_existing_builds_from_the_disk(pi, old):
    pi.wheel("0.2.0", folder="index")
    pi.do("update", "0.2.0")
    assert pi.current == "0.2.0"
    pi.forget()
    pi.do("update", old)
    assert pi.current == old
    assert not any(line.startswith("pip") for line in pi.log)


def test_an_unknown_version_is_reported(pi, old):
    status, _, complained = pi.run("update", "0.9.0")
    assert status == 1
    assert "No matching distribution found for dicetable==0.9.0" in complained
    assert pi.current == old


@pytest.mark.parametrize("words", ["latest", "0.1.0-00000000"])
def test_an_argument_that_is_neither_a_file_nor_a_version_is_refused(pi, old, words):
    assert old in refused(pi, "update", words)


def test_an_update_before_installing_is_refused(pi):
    assert "dicetable install" in refused(pi, "update", "0.2.0")


@pytest.mark.parametrize("fault", ["broken", "crashes", "leaves"])
def test_an_update_that_does_not_start_or_keep_running_is_rolled_back(pi, old, fault):
    status, said, complained = pi.run("update", pi.wheel("0.2.0", fault, lacks="udev"))
    assert status == 1
    assert f"Going back to {old}." in said
    assert complained.endswith(f"was not installed: the table still runs {old}.\n")
    assert pi.current == old
    assert has_files_of(pi, "0.1.0")
    assert started(pi)[-1] == f"started {old} by service of 0.1.0"
    assert pi.do("update", old).startswith("Nothing to do.")


def test_a_system_file_that_a_version_no_longer_has_is_removed(pi, old):
    pi.do("update", pi.wheel("0.2.0", lacks="udev"))
    assert not (pi.root / PLACES["udev"]).exists()


# Interrupted


def test_after_a_kill_during_the_build_the_table_keeps_running_and_the_next_run_starts_over(pi, old):
    wheel = pi.wheel("0.2.0")
    process, pip = pi.hanging("pip", "update", wheel)
    process.kill()
    process.communicate()
    (half,) = {path.name for path in pi.builds.iterdir()} - {old, "current", "good"}
    assert pi.current == old
    try:
        assert "Another installation is running" in pi.run("update", wheel)[2]  # pip is still running
    finally:
        os.kill(pip, signal.SIGKILL)
    pi.forget()
    until("pip has ended", lambda: pi.run("install", "--wheel", pi.wheel("0.1.0"))[0] == 0)
    assert not (pi.builds / half).exists()
    assert changes(pi) == []
    pi.do("update", wheel)
    assert pi.current == half


@pytest.mark.parametrize("fault", ["", "broken"])
def test_after_a_kill_during_the_restart_the_next_run_finishes_the_update(pi, old, fault):
    wheel = pi.wheel("0.2.0", *filter(None, [fault]))
    process, restart = pi.hanging("systemctl-restart", "update", wheel)
    process.kill()
    process.communicate()
    os.kill(restart, signal.SIGKILL)
    pi.forget()
    status, _, _ = pi.run("install", "--wheel", wheel)
    assert status == (1 if fault else 0)
    assert pi.current.startswith("0.1.0" if fault else "0.2.0")
    assert started(pi)[-1] == f"started {pi.current} by service of {pi.current[:5]}"


def test_after_a_kill_between_restoring_and_reloading_a_system_file_the_next_run_reloads_it(pi, old):
    (pi.root / PLACES["service"]).write_text("something else")
    process, udev = pi.hanging("udevadm-control", "update", old)
    process.kill()
    process.communicate()
    os.kill(udev, signal.SIGKILL)
    assert has_files_of(pi, "0.1.0")
    pi.forget()
    pi.do("update", old)
    assert "systemctl daemon-reload" in pi.log
    assert started(pi) == [f"started {old} by service of 0.1.0"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_update_is_rolled_back(pi, old, number):
    process, restart = pi.hanging("systemctl-restart", "update", pi.wheel("0.2.0"))
    process.send_signal(number)
    with suppress(ProcessLookupError):
        os.kill(restart, signal.SIGKILL)  # a terminal would signal both processes
    said, complained = process.communicate(timeout=PATIENCE)
    assert f"\nInterrupted. Going back to {old}.\n" in said
    assert (process.returncode, "Traceback" in complained) == (1, False)
    assert pi.current == old
    assert started(pi)[-1] == f"started {old} by service of 0.1.0"


def test_a_lost_connection_does_not_stop_the_update(pi, old):
    process, restart = pi.hanging("systemctl-restart", "update", pi.wheel("0.2.0", "broken"))
    process.stdout.close()
    process.stderr.close()
    process.send_signal(signal.SIGHUP)
    os.kill(restart, signal.SIGKILL)
    process.wait(timeout=PATIENCE)
    assert pi.current == old
    assert started(pi)[-1] == f"started {old} by service of 0.1.0"


# Uninstalling


def test_uninstalling_keeps_only_games_and_settings(pi):
    before = set(pi.files())
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    (pi.root / "var/lib/dicetable").mkdir()
    (pi.root / "var/lib/dicetable/table.db").write_text("games")
    shown = pi.do("uninstall", "--dry-run")
    assert has_files_of(pi, "0.1.0")
    said = pi.do("uninstall")
    assert shown.splitlines() == [line for line in said.splitlines() if not line.startswith("[")]
    kept = {str(pi.root / path) for path in ("etc/dicetable.toml", "etc/passwd", "var/lib/dicetable/table.db")}
    assert set(pi.files()) - before == kept
    assert not pi.builds.exists()
    assert not (pi.here / "enabled").exists()
    assert not (pi.here / "active").exists()
    assert not (pi.here / "loaded").exists()
    assert pi.do("uninstall").startswith("Nothing to do.")


def test_purging_also_removes_games_settings_and_the_user(pi, old):
    (pi.root / "var/lib/dicetable").mkdir()
    (pi.root / "var/lib/dicetable/table.db").write_text("games")
    pi.do("uninstall", "--purge")
    assert not (pi.root / "etc/dicetable.toml").exists()
    assert not (pi.root / "var/lib/dicetable").exists()
    assert (pi.root / "etc/passwd").read_text() == ""
    assert pi.do("uninstall", "--purge").startswith("Nothing to do.")


def test_a_foreign_dicetable_command_is_not_removed(pi, old):
    (pi.root / "usr/local/bin/dicetable").unlink()
    (pi.root / "usr/local/bin/dicetable").write_text("mine")
    pi.do("uninstall")
    assert (pi.root / "usr/local/bin/dicetable").read_text() == "mine"


def test_after_uninstalling_it_can_be_installed_again(pi, old):
    pi.do("uninstall")
    pi.do("install", "--wheel", pi.wheel("0.1.0"))
    assert started(pi)[-1] == f"started {pi.current} by service of 0.1.0"


# With the real venv and pip


def small_wheel(folder: Path, name: str, version: str, needs: str = "") -> None:
    """Writes an empty package, so that pip can choose between versions without a network."""
    packed = name.replace("-", "_")
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs and f'Requires-Dist: {needs}'}\n"
    with zipfile.ZipFile(folder / f"{packed}-{version}-py3-none-any.whl", "w") as file:
        info = f"{packed}-{version}.dist-info"
        file.writestr(f"{info}/METADATA", about)
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> Path:
    """The table's real wheel, with empty packages for its dependencies."""
    for tool in ("hatchling", "pip", "ensurepip"):
        pytest.importorskip(tool, reason=f"{tool} is not installed: make test and Debian's python3-venv do that")
    folder = tmp_path_factory.mktemp("wheels")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "-w", folder, ROOT], check=True, capture_output=True, timeout=180)
    for one in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]:
        small_wheel(folder, *one.partition(";")[0].split(">="))
    small_wheel(folder, "numpy", "2.2.6")
    small_wheel(folder, "opencv-python-headless", "4.11.0.86", "numpy>=1.23.5")
    small_wheel(folder, "opencv-python-headless", "4.13.0.90", "numpy>=2")
    return folder


@pytest.fixture
def offline(wheels, monkeypatch) -> None:
    """Makes pip use these wheels only."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("PIP_NO_COMPILE", "1")  # saves time, since most modules are imported only once


@pytest.mark.usefixtures("offline")
@pytest.mark.slow
def test_the_real_wheel_installs_itself_into_a_real_environment(pi, wheels, monkeypatch):
    base = Path(sys.base_prefix, "bin", f"python{sysconfig.get_python_version()}")
    pi.python.write_text(f'#!/bin/sh\nexec "{base}" "$@"\n')
    (wheel,) = wheels.glob("dicetable-*")
    with monkeypatch.context() as run_from_it:
        run_from_it.setenv("PYTHONPATH", str(wheel))
        pi.do_by(pi.python, "install")
    build = pi.builds / pi.current
    inside = {path.name for path in build.glob("lib/python3*/site-packages/*.dist-info")}
    assert {"numpy-1.26.dist-info", "opencv_python_headless-4.11.0.86.dist-info"} <= inside
    assert "include-system-site-packages = true" in (build / "pyvenv.cfg").read_text()
    for path in (ROOT / "systemd").iterdir():
        assert (pi.root / PLACES[path.suffix[1:]]).read_bytes() == path.read_bytes()
    command = pi.root / "usr/local/bin/dicetable"
    assert subprocess.check_output([command, "--version"], cwd=pi.root, text=True).startswith("dicetable ")
    # Without a wheel or a clone, the installed command recognizes its own build and can uninstall it.
    assert pi.do_by(build / "bin/python", "install").startswith("Nothing to do.")
    pi.do_by(build / "bin/python", "uninstall")
    assert not pi.builds.exists()


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(("release", "chosen"), [("12", {"numpy-1.26", "4.11"}), ("13", {"numpy-2.2.6", "4.13"})])
def test_pip_finds_packages_that_fit_each_debian(tmp_path, release, chosen):
    (tmp_path / "fitting").write_text("\n".join(RELEASES[release][1]))
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "-c", tmp_path / "fitting"]
    said = subprocess.check_output([*pip, "dicetable"], cwd=tmp_path, text=True, timeout=4 * PATIENCE)
    assert all(one in said.splitlines()[-1] for one in chosen)
