"""An emulated machine: boots, runs commands as root, and takes key presses.

Its one rule: it has no network and leaves nothing behind. Its writes go to a temporary snapshot.
"""

import json
import re
import select
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from tests import debian

PROGRAMS = {"qemu-system-x86_64": "qemu-system-x86"}
BOOT = 1800.0  # seconds until there is a shell
KERNEL = (
    "root=/dev/vda rootfstype=ext4 rw console=tty0 console=ttyS0 quiet systemd.show_status=0 "
    "no_timer_check systemd.default_timeout_start_sec=600"  # emulated clocks and programs are slow
)
ANSWER = 600.0  # seconds for a command, unless told otherwise


class Failed(Exception):
    """The machine did not do what it should. The message includes its output."""


class Machine:
    def __init__(self, base: Path, brought: Path, folder: Path, fast: bool) -> None:
        self.console = folder / "console.log"
        self._asked = 0
        with socket.socket(socket.AF_UNIX) as shell, socket.socket(socket.AF_UNIX) as keys:
            for listening, name in ((shell, "shell"), (keys, "keys")):
                listening.bind(str(folder / name))
                listening.listen(1)
                listening.settimeout(60)
            self._process = subprocess.Popen(_command(base, brought, folder, fast), start_new_session=True)
            try:
                self._shell, _ = shell.accept()
                self._keys, _ = keys.accept()
            except TimeoutError:
                debian.end(self._process)
                raise Failed("qemu did not start.") from None
        self._keys.settimeout(60)
        self._control = self._keys.makefile("rwb", buffering=0)
        self._control.readline()  # the QMP greeting
        self._order("qmp_capabilities")

    def boot(self) -> None:
        """Wait until systemd has started all enabled units."""
        end = time.monotonic() + BOOT
        while True:  # until the shell is running, its input is lost
            try:
                self.do("true", 20)
                break
            except Failed:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise
        self.do("systemctl is-system-running --wait || systemctl --failed --no-legend", end - time.monotonic())

    def do(self, command: str, seconds: float = ANSWER) -> str:
        """Run a command as root and return its output. Raises Failed if the command fails or takes too long."""
        self._asked += 1
        mark = f"--- answer {self._asked}:"
        self._shell.sendall(f"\n( {command}\n) </dev/null 2>&1; echo; echo '{mark}' $?\n".encode())
        heard, end = "", time.monotonic() + seconds
        while not (found := re.search(rf"^{mark} (\d+)$", heard, re.MULTILINE)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._shell], [], [], left)[0]:
                raise Failed(f"No answer within {seconds:.0f} seconds to: {command}\n{heard}")
            part = self._shell.recv(65536)
            if not part:
                raise Failed(f"The machine ended during: {command}\n{heard}")
            heard = (heard + part.decode(errors="replace")).replace("\r", "")
        # Drop the late output of an earlier command that timed out.
        said = re.sub(r"(?s)^.*--- answer \d+: \d+\n", "", heard[: found.start()])
        if found[1] != "0":
            raise Failed(f"Status {found[1]} of: {command}\n{said.strip()}")
        return said.strip()

    def until(self, command: str, wanted: str, seconds: float = ANSWER) -> str:
        """Repeat a command until its output contains the regular expression `wanted`."""
        end = time.monotonic() + seconds
        while not re.search(wanted, said := self.do(command)):
            if time.monotonic() > end:
                raise Failed(f"After {seconds:.0f} seconds no {wanted} in the output of: {command}\n{said}")
            time.sleep(1)
        return said

    def press(self, key: str) -> None:
        """Press and release a key, given by its QEMU key code."""
        self._order("send-key", keys=[{"type": "qcode", "data": key}], **{"hold-time": 200})

    def _order(self, what: str, **arguments: Any) -> None:
        self._control.write(json.dumps({"execute": what, "arguments": arguments}).encode() + b"\n")
        while "return" not in (said := json.loads(self._control.readline())):  # skip events
            if "error" in said:
                raise Failed(f"qemu answered {what} with: {said['error']}")

    def close(self) -> None:
        self._shell.close()
        self._control.close()
        self._keys.close()
        debian.end(self._process)


def _command(base: Path, brought: Path, folder: Path, fast: bool) -> list[str]:
    speed = ["-accel", "kvm", "-cpu", "host"] if fast else ["-accel", "tcg,thread=multi", "-cpu", "Nehalem"]
    return [
        "qemu-system-x86_64", *speed, "-smp", "2", "-m", "1536", "-nodefaults", "-no-reboot", "-nic", "none",
        "-display", "none", "-vga", "std",
        "-kernel", str(base / "kernel"), "-initrd", str(base / "initrd"),
        "-append", KERNEL,
        "-drive", f"file={base / 'disk'},format=raw,if=virtio,snapshot=on",
        "-drive", f"file={brought},format=raw,if=virtio,snapshot=on",
        "-serial", f"file:{folder / 'console.log'}",
        "-device", "virtio-serial",
        "-chardev", f"socket,id=shell,path={folder / 'shell'}", "-device", "virtserialport,chardev=shell,name=shell",
        "-qmp", f"unix:{folder / 'keys'}",
    ]  # fmt: skip
