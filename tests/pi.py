"""A Raspberry Pi that there is not: a folder as its root, and stand-ins for the programs that change a real one.

Its one rule: the stand-ins take only what the real ones take, write down what they were asked for, and can be told to
fail. The command itself is the real one, in a process of its own.
"""

import os
import signal
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

from tests.processes import PATIENCE, until
from tests.sitting import ROOT

# The command with this folder as its root; nothing else about it is different.
COMMAND = """
import sys
from functools import partial
from pathlib import Path
from table import cli
from table.install import command

root = Path(sys.argv[1])
command.install = partial(command.install, root=root, patience=0.02)
command.update = partial(command.update, root=root, patience=0.02)
command.uninstall = partial(command.uninstall, root=root)
sys.exit(cli.main(sys.argv[2:]))
"""

SYSTEM = """#!/bin/sh
here=$(dirname "$0") name=$(basename "$0")
root=$here/../root
printf "%s\\n" "$name $*" >>"$here/log"
if [ -e "$here/fails-$name" ]; then
    cat "$here/fails-$name" >&2
    [ ! -e "$here/once" ] || rm "$here/fails-$name" "$here/once"
    exit 100
fi
if [ -e "$here/hangs-$name-$1" ]; then echo $$ >"$here/hanging"; exec sleep 60; fi
unit=$root/etc/systemd/system/dicetable.service
table=$root/opt/dicetable/current/lib/python3.11/site-packages/table
wrong() { echo "$name does not know $*" >&2; exit 64; }
case "$name $*" in
"dpkg-query --show --showformat="*)
    shift 2
    for one in "$@"; do [ ! -e "$here/packages/$one" ] || echo "$one installed"; done ;;
"apt-get -qq -o DPkg::Lock::Timeout=120 update") ;;
"apt-get -qq -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends "*)
    [ "$DEBIAN_FRONTEND" = noninteractive ] || wrong "how to ask"
    shift 6
    for one in "$@"; do touch "$here/packages/$one"; done ;;
"systemctl is-enabled dicetable.service")
    if [ -e "$here/enabled" ]; then echo enabled; else echo disabled; exit 1; fi ;;
"systemctl is-active dicetable.service")
    if [ -e "$here/active" ]; then echo active; else echo inactive; exit 3; fi ;;
"systemctl is-active display-manager.service")
    if [ -e "$here/desktop" ]; then echo active; else echo inactive; exit 3; fi ;;
"systemctl daemon-reload") rm -f "$here/loaded"; [ ! -e "$unit" ] || cp "$unit" "$here/loaded" ;;
"systemctl enable dicetable.service")
    [ -e "$unit" ] || { echo "Unit file dicetable.service does not exist." >&2; exit 1; }
    touch "$here/enabled" ;;
"systemctl disable --now dicetable.service") rm -f "$here/enabled" "$here/active" ;;
"systemctl reset-failed dicetable.service") ;;
"systemctl restart dicetable.service")
    rm -f "$here/active"
    [ -e "$here/loaded" ] || { echo "Unit dicetable.service not found." >&2; exit 5; }
    [ ! -e "$table/broken" ] || { echo "Job for dicetable.service failed." >&2; exit 1; }
    echo $$ >"$here/active"
    echo "started $(readlink "$root/opt/dicetable/current") by $(cat "$here/loaded")" >>"$here/log" ;;
"systemctl show --property=ActiveState,MainPID dicetable.service")
    [ ! -e "$table/leaves" ] || rm -f "$here/active"
    if [ -e "$here/active" ]; then echo "MainPID=$(cat "$here/active")"; echo ActiveState=active;
    else echo MainPID=0; echo ActiveState=inactive; fi
    [ ! -e "$table/crashes" ] || echo $$ >"$here/active" ;;
"systemd-sysusers ") cat "$root"/etc/sysusers.d/* >/dev/null; echo "dicetable:x:990:" >"$root/etc/passwd" ;;
"udevadm control --reload" | "udevadm trigger --action=change --subsystem-match=tty") ;;
"userdel dicetable") : >"$root/etc/passwd" ;;
*) wrong "$*" ;;
esac
"""

PYTHON = """#!/bin/sh
here=$(dirname "$0")/../../../here
printf "%s\\n" "python3 $*" >>"$here/log"
case "$*" in
"-I -c import sys; print("*) echo 3.11 ;;
"-I -m venv --system-site-packages "*)
    mkdir -p "$5/bin" "$5/lib/python3.11/site-packages"
    cp "$here/pip" "$5/bin/python" ;;
*) echo "python3 does not know $*" >&2; exit 64 ;;
esac
"""

PIP = f"""#!{sys.executable} -I
import glob, os, re, sys, time, zipfile
if sys.argv[1:3] == ["-I", "-c"]:
    print("3.11")
    sys.exit()
build = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
here = os.path.join(build, "../../../../here")
options, given = sys.argv[1:-1], sys.argv[-1]
with open(options[-1]) as file:
    fitting = file.read().split()
assert options[:-1] == ["-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet",
    "--no-cache-dir", "--ignore-installed", "--only-binary", ":all:", "--constraint"], options
with open(here + "/log", "a") as log:
    print("pip", given, *fitting, file=log)
inside = build + "/lib/python3.11/site-packages/"
if os.path.exists(here + "/hangs-pip"):
    os.makedirs(inside + "table")
    with open(here + "/hanging", "w") as file:
        file.write(str(os.getpid()))
    time.sleep(60)
if os.path.exists(here + "/fails-pip"):
    os.makedirs(inside + "table")
    sys.exit(open(here + "/fails-pip").read())
given = re.sub(r"\\[.*\\]", "", given)  # what it brings besides is not looked at
if "==" in given:
    wheels = glob.glob(here + "/index/" + given.replace("==", "-") + "-*")
elif os.path.isdir(given):
    wheels = glob.glob(here + "/index/*")
else:
    wheels = [given]
if not wheels:
    sys.exit("ERROR: No matching distribution found for " + given)
zipfile.ZipFile(wheels[0]).extractall(inside)
with open(build + "/bin/dicetable", "w") as file:
    print("#!/bin/sh", "echo dicetable", sep="\\n", file=file)
os.chmod(build + "/bin/dicetable", 0o755)
"""

OS_RELEASE = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n'
PROGRAMS = ("apt-get", "dpkg-query", "systemctl", "systemd-sysusers", "udevadm", "userdel")
FILES = ("service", "sysusers", "udev", "polkit")


class Pi:
    """`root` is its disk; what its programs know lies in `here`."""

    def __init__(self, folder: Path) -> None:
        self.root, self.here = folder / "root", folder / "here"
        self._started: list[subprocess.Popen[str]] = []
        for path in ("etc", "run/systemd/system", "usr/bin", "usr/local/bin", "var/lib"):
            (self.root / path).mkdir(parents=True)
        (self.here / "packages").mkdir(parents=True)
        (self.here / "index").mkdir()
        (self.root / "etc/os-release").write_text(OS_RELEASE)
        (self.root / "etc/rpi-issue").touch()
        for path, text in ((self.here / "system", SYSTEM), (self.here / "pip", PIP), (self.python, PYTHON)):
            path.write_text(text)
            path.chmod(0o755)
        for name in PROGRAMS:
            (self.here / name).symlink_to("system")

    @property
    def python(self) -> Path:
        return self.root / "usr/bin/python3"

    @property
    def builds(self) -> Path:
        return self.root / "opt/dicetable"

    @property
    def current(self) -> str:
        return os.readlink(self.builds / "current")

    @property
    def log(self) -> list[str]:
        return (self.here / "log").read_text().splitlines()

    def forget(self) -> None:
        (self.here / "log").write_text("")

    def tell(self, what: str, text: str = "") -> None:
        """One of the stand-ins something, such as to fail."""
        (self.here / what).write_text(text)

    def files(self) -> dict[str, str]:
        """All that is on its disk, and what each is."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            if path.is_symlink():
                found[str(path)] = os.readlink(path)
            elif path.is_file() and path.name != "dicetable-install.lock":
                found[str(path)] = path.read_text(errors="replace")
        return found

    def wheel(self, version: str, *faults: str, folder: str = "wheels", lacks: str = "") -> Path:
        """A small one: its system files say which version they are of, and `faults` how it fails."""
        path = self.here / folder / f"dicetable-{version}-py3-none-any.whl"
        path.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(path, "w") as file:
            for name in FILES:
                if name != lacks:
                    # Without a date: the same wheel, made again, is the same.
                    file.writestr(zipfile.ZipInfo(f"table/systemd/dicetable.{name}"), f"{name} of {version}")
            for fault in faults:
                file.writestr(zipfile.ZipInfo(f"table/{fault}"), "")
        return path

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PATH": os.pathsep.join([str(self.here), os.environ["PATH"]])}

    def start(self, *arguments: object, python: object = sys.executable) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [str(python), "-c", COMMAND, str(self.root), *map(str, arguments)],
            cwd=ROOT if python == sys.executable else self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def end(self) -> None:
        """All that was started here, and what that started in turn."""
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

    def run(self, *arguments: object, python: object = sys.executable) -> tuple[int, str, str]:
        """Its status, and what it said and complained of."""
        process = self.start(*arguments, python=python)
        said, complained = process.communicate(timeout=4 * PATIENCE)
        return process.returncode, said, complained

    def do(self, *arguments: object, python: object = sys.executable) -> str:
        status, said, complained = self.run(*arguments, python=python)
        assert (status, complained) == (0, "")
        return said

    def hanging(self, what: str, *arguments: object) -> tuple["subprocess.Popen[str]", int]:
        """The command while a program that it started hangs, and the id of that."""
        self.tell(f"hangs-{what}")
        process = self.start(*arguments)
        number = until("it hangs", lambda: (self.here / "hanging").exists() and self._number(), process)
        (self.here / f"hangs-{what}").unlink()
        return process, number

    def _number(self) -> int:
        return int((self.here / "hanging").read_text() or 0)
