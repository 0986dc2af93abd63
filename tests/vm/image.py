"""The disks of the emulated machine: a Debian system that has never been booted, and a disk with the files to test.

Its one rule: the system is built once and never changed; everything from this clone is on the other disk.
"""

import hashlib
import shutil
import sys
from pathlib import Path

from table.machine.install.layout import PACKAGES
from tests import debian

PROGRAMS = {"mmdebstrap": "mmdebstrap", "genext2fs": "genext2fs", "mke2fs": "e2fsprogs"}
KERNEL = ("linux-image-amd64", "initramfs-tools", "zstd", "kmod")
SYSTEM = ("systemd-sysv", "dbus", "python3", "util-linux", "procps")
MODULES = ("virtio_pci", "virtio_blk", "ext4")  # needed to mount the disk
ROOM = "4G"
BROUGHT = "/mnt"  # where the second disk is mounted

# A root shell on a virtio port. It ends when the other end disconnects, and restarts for the next connection.
SHELL = """[Service]
ExecStart=/bin/sh -c 'exec /bin/sh <>/dev/virtio-ports/shell >&0 2>&1'
Environment=HOME=/root
Restart=always
RestartSec=1
[Unit]
StartLimitIntervalSec=0
"""


def base(suite: str) -> Path:
    """The folder with disk, kernel and initrd, built on first use."""
    packages = sorted({*KERNEL, *SYSTEM, *PACKAGES})
    digest = hashlib.sha256("\n".join((*packages, SHELL)).encode()).hexdigest()[:8]
    what = f"Debian {suite} with systemd and a kernel (some minutes)"
    return debian.kept(f"vm-{suite}-{digest}", what, lambda made: _base(suite, packages, made))


def _base(suite: str, packages: list[str], made: Path) -> None:
    made.mkdir()
    disk, unit = made / "disk", made / "shell.service"
    unit.write_text(SHELL, encoding="utf-8")
    units = "/etc/systemd/system"
    # The initrd has only this disk's drivers: unpacking all of Debian's drivers takes a long time under emulation.
    small = (
        'mkdir -p "$1/etc/initramfs-tools/conf.d" "$1/usr/share/initramfs-tools/modules.d" && '
        'echo MODULES=list >"$1/etc/initramfs-tools/conf.d/vm" && '
        f'printf "%s\\n" {" ".join(MODULES)} >"$1/usr/share/initramfs-tools/modules.d/vm"'
    )
    left_out = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in ("doc", "man", "locale")]
    hooks = [
        f"--essential-hook={small}",
        f"--customize-hook=upload {unit} {units}/shell.service",
        f'--customize-hook=ln -s ../shell.service "$1{units}/multi-user.target.wants/"',
        # Without a machine ID the first boot would ask questions.
        '--customize-hook=chroot "$1" systemd-machine-id-setup',
        f"--customize-hook=download /vmlinuz {made / 'kernel'}",
        f"--customize-hook=download /initrd.img {made / 'initrd'}",
    ]
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--format=ext2", f"--include={','.join(packages)}"]
    debian.run(3000, [*command, *left_out, *hooks, suite, str(disk)])
    unit.unlink()
    debian.run(60, ["truncate", f"--size={ROOM}", str(disk)])
    debian.run(300, ["resize2fs", "-f", str(disk)])
    debian.run(60, ["tune2fs", "-j", str(disk)])  # add a journal, so it survives a power cut


def brought(suite: str, wheel: Path, folder: Path) -> Path:
    """A disk with the wheel, its dependencies as wheels, and the probe."""
    wanted = debian.requirements(suite)
    digest = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:8]
    wheels = debian.kept(
        f"vm-{suite}-wheels-{digest}",
        "the packages as wheels",
        lambda made: debian.pip("download", "--dest", str(made), *debian.fitting(suite, "x86_64"), *wanted),
    )
    files = folder / "files"
    shutil.copytree(wheels, files / "wheels")
    shutil.copy(wheel, files)
    shutil.copy(Path(__file__).with_name("probe.py"), files)
    disk = folder / "brought"
    debian.run(300, ["mke2fs", "-q", "-t", "ext4", "-d", str(files), str(disk), "1G"])
    shutil.rmtree(files)
    return disk


def wheel(folder: Path) -> Path:
    debian.run(300, [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)])
    return next(folder.glob("*.whl"))
