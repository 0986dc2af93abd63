"""A fake Raspberry Pi: a folder as its root, and fakes for the system programs that would change a real one.

The fakes accept only the arguments that the installer uses, log their calls and can be told to fail. The command under
test is real. It runs in this process, or in a child process if a test kills it or runs it with another Python.
"""

import io
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from unittest import mock

from table.machine.install import command
from tests.in_process import Output, call
from tests.processes import PATIENCE, until
from tests.terminal_session import ROOT

# The real command, with another folder as its root and a shorter wait.
COMMAND = """
import sys
from functools import partial
from pathlib import Path
from table import app
from table.machine.install import command

root = Path(sys.argv[1])
command.install = partial(command.install, root=root, patience=0.02)
command.update = partial(command.update, root=root, patience=0.02)
command.uninstall = partial(command.uninstall, root=root)
sys.exit(app.main(sys.argv[2:]))
"""

UPHELD = 0.02  # seconds that a table has to stay up after an update


@contextmanager
def here(root: Path) -> Iterator[None]:
    """Patch the commands in this process to use this root."""
    bound = {
        "install": partial(command.install, root=root, patience=UPHELD),
        "update": partial(command.update, root=root, patience=UPHELD),
        "uninstall": partial(command.uninstall, root=root),
    }
    with mock.patch.multiple(command, **bound):
        yield


SYSTEM = """#!/bin/sh
here=${0%/*} name=${0##*/}
root=$here/../root
printf "%s\\n" "$name $*" >>"$here/log"
if [ -e "$here/fails-$name" ]; then
    cat "$here/fails-$name" >&2
    [ ! -e "$here/once" ] || rm "$here/fails-$name" "$here/once"
    exit 100
fi
if [ -e "$here/hangs-$name-$1" ]; then echo $$ >"$here/hanging"; exec sleep 600; fi
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
    for one in "$@"; do : >"$here/packages/$one"; done ;;
"systemctl is-enabled dicetable.service")
    if [ -e "$here/enabled" ]; then echo enabled; else echo disabled; exit 1; fi ;;
"systemctl is-active dicetable.service")
    if [ -e "$here/active" ]; then echo active; else echo inactive; exit 3; fi ;;
"systemctl is-active display-manager.service")
    if [ -e "$here/desktop" ]; then echo active; else echo inactive; exit 3; fi ;;
"systemctl daemon-reload") rm -f "$here/loaded"; [ ! -e "$unit" ] || cp "$unit" "$here/loaded" ;;
"systemctl enable dicetable.service")
    [ -e "$unit" ] || { echo "Unit file dicetable.service does not exist." >&2; exit 1; }
    : >"$here/enabled" ;;
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
here=${0%/*}/../../../here
printf "%s\\n" "python3 $*" >>"$here/log"
case "$*" in
"-I -c import sys; print("*) echo 3.11 ;;
"-I -m venv --system-site-packages "*)
    mkdir -p "$5/bin" "$5/lib/python3.11/site-packages"
    cp "$here/pip" "$5/bin/python" ;;
*) echo "python3 does not know $*" >&2; exit 64 ;;
esac
"""

# Each wheel has an unpacked copy of its files next to it, so that this script does not need Python to unpack the wheel.
PIP = """#!/bin/sh
[ "$1 $2" != "-I -c" ] || { echo 3.11; exit; }
build=${0%/bin/*}
here=$build/../../../../here
inside=$build/lib/python3.11/site-packages
known="-I -m pip --disable-pip-version-check --no-input install --quiet --no-cache-dir --ignore-installed"
known="$known --only-binary :all: --constraint $build/constraints.txt"
given=${*#"$known "}
[ "$known $given" = "$*" ] || { echo "pip does not know $*" >&2; exit 64; }
fitting=
while read -r one; do fitting="$fitting $one"; done <"$build/constraints.txt"
printf "%s\\n" "pip $given$fitting" >>"$here/log"
if [ -e "$here/hangs-pip" ]; then mkdir "$inside/table"; echo $$ >"$here/hanging"; exec sleep 600; fi
if [ -e "$here/fails-pip" ]; then mkdir "$inside/table"; cat "$here/fails-pip" >&2; exit 1; fi
case "$given" in  # extras are ignored
*\\[*) plain=${given%%\\[*}${given##*\\]} ;;
*) plain=$given ;;
esac
case "$plain" in
*==*) files=$here/index/${plain%%==*}-${plain##*==}-py3-none-any.whl.files ;;
*.whl) files=$plain.files ;;
*) for files in "$here"/index/*.files; do :; done ;;
esac
[ -d "$files" ] || { echo "ERROR: No matching distribution found for $plain" >&2; exit 1; }
cp -r "$files/." "$inside"
printf "#!/bin/sh\\necho dicetable\\n" >"$build/bin/dicetable"
chmod 755 "$build/bin/dicetable"
"""

OS_RELEASE = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n'
PROGRAMS = ("apt-get", "dpkg-query", "systemctl", "systemd-sysusers", "udevadm", "userdel")
FILES = ("service", "sysusers", "udev", "polkit")


class Pi:
    """`root` is the Pi's disk; `here` holds the fakes and their state."""

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
        """Control a fake, for example make it fail."""
        (self.here / what).write_text(text)

    def files(self) -> dict[str, str]:
        """The files on the Pi's disk with their contents, and the links with their targets."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            if path.is_symlink():
                found[str(path)] = os.readlink(path)
            elif path.is_file() and path.name != "dicetable-install.lock":
                found[str(path)] = path.read_text(errors="replace")
        return found

    def wheel(self, version: str, *faults: str, folder: str = "wheels", lacks: str = "") -> Path:
        """Make a small wheel whose system files name its version. `faults` say how it fails."""
        path = self.here / folder / f"dicetable-{version}-py3-none-any.whl"
        files = {f"table/systemd/dicetable.{name}": f"{name} of {version}" for name in FILES if name != lacks}
        files |= {f"table/{fault}": "" for fault in faults}
        with_files = path.with_name(f"{path.name}.files")
        shutil.rmtree(with_files, ignore_errors=True)
        (with_files / "table/systemd").mkdir(parents=True)
        with zipfile.ZipFile(path, "w") as file:
            for name, text in files.items():
                file.writestr(zipfile.ZipInfo(name), text)  # without a date, so that the build is reproducible
                (with_files / name).write_text(text)
        return path

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PATH": os.pathsep.join([str(self.here), os.environ["PATH"]])}

    def start(self, *arguments: object, python: object = sys.executable) -> "subprocess.Popen[str]":
        """Start the command in a child process."""
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
        """Kill all started processes and their children."""
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Run the command; return its status, output and errors."""
        out, errors = Output(), Output()
        with here(self.root):
            status = call([*map(str, arguments)], self.environment(), io.StringIO(), out, errors, ROOT)
        return status, out.text, errors.text

    def do(self, *arguments: object) -> str:
        status, said, complained = self.run(*arguments)
        assert (status, complained) == (0, "")
        return said

    def do_by(self, python: Path, *arguments: object) -> str:
        """Run the command successfully with another Python."""
        process = self.start(*arguments, python=python)
        said, complained = process.communicate(timeout=4 * PATIENCE)
        assert (process.returncode, complained) == (0, "")
        return said

    def hanging(self, what: str, *arguments: object) -> tuple["subprocess.Popen[str]", int]:
        """Start the command and make one of its programs hang; return the process and the hanging program's id."""
        self.tell(f"hangs-{what}")
        process = self.start(*arguments)
        number = until("the program hangs", lambda: (self.here / "hanging").exists() and self._number(), process)
        (self.here / f"hangs-{what}").unlink()
        return process, number

    def _number(self) -> int:
        return int((self.here / "hanging").read_text() or 0)
