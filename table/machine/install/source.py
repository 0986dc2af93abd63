"""Where a version of the table comes from: a wheel, a clone, the package index, or an existing build.

Its one rule: the name of a build's folder identifies its content. For a version from the package index, the name is
just the version number, because an index never reuses a number. Wheels and clones can change without a new number, so a
digest is added to the name. Extras that the config needs are appended (+league), because they make a different build.
"""

import hashlib
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from table import __version__
from table.engine.errors import Refused, shown
from table.machine.install.look import Found

PACKED = ("table", "vision", "firmware", "assets", "systemd", "pyproject.toml")  # what a wheel built from a clone has
WHEEL = re.compile(r"dicetable-([0-9][\w.+]*)(-\d\w*)?-[\w.]+-[\w.]+-[\w.]+\.whl")
NUMBER = re.compile(r"[0-9][\w.+]*")
ORIGIN = Path(__file__).resolve().parents[3]  # where this code runs from: a clone, a wheel on sys.path, or neither


@dataclass(frozen=True)
class Source:
    build: str
    given: str  # the requirement passed to pip
    says: str


def of_itself(found: Found) -> Source:
    """The source of the version that is running now: its build, wheel or clone, or else the package index."""
    running = found.builds.running
    if running and running in found.builds.whole:
        build, *has = running.split("+")
        if set(found.extras) <= {*has}:
            return made_before(running)
        return with_extras(replace(of_index(_number(build)), build=build), found.extras)
    if ORIGIN.suffix == ".whl":
        return with_extras(of_wheel(ORIGIN), found.extras)
    if (ORIGIN / "pyproject.toml").is_file():
        return with_extras(of_clone(ORIGIN), found.extras)
    return with_extras(of_index(__version__), found.extras)


def named(text: str, found: Found) -> Source:
    """The source for an argument of `dicetable update`: a wheel, a version, or the name of an existing build."""
    whole = found.builds.whole
    if text in whole:
        return made_before(text)
    if text.endswith(".whl") or "/" in text:
        return with_extras(of_wheel(Path(text)), found.extras)
    if NUMBER.fullmatch(text):
        return with_extras(of_index(text), found.extras)
    here = f" Existing builds: {', '.join(sorted(whole))}." if whole else ""
    raise Refused(f"An update needs a wheel or a version such as 0.2.0, not {shown(text)}.{here}")


def of_wheel(path: Path) -> Source:
    known = WHEEL.fullmatch(path.name)
    if known is None:
        raise Refused(f"{path} is not a dicetable wheel: its name must be dicetable-VERSION-py3-none-any.whl.")
    try:
        data = path.read_bytes()
        zipfile.ZipFile(path).close()
    except OSError as why:
        raise Refused(f"{path} cannot be read ({why.strerror}): name another file.") from None
    except zipfile.BadZipFile:
        raise Refused(f"{path} is damaged: download it again.") from None
    return Source(f"{known[1]}-{_digest([data])}", str(path.resolve()), str(path))


def of_clone(clone: Path) -> Source:
    files = sorted(path for part in PACKED for path in (clone / part, *(clone / part).rglob("*")) if path.is_file())
    ours = [path for path in files if "__pycache__" not in path.parts]
    digest = _digest(part for path in ours for part in (str(path.relative_to(clone)).encode(), path.read_bytes()))
    return Source(f"{__version__}-{digest}", str(clone), f"the clone {clone}")


def of_index(version: str) -> Source:
    return Source(version, f"dicetable=={version}", "the package index")


def made_before(build: str) -> Source:
    return replace(of_index(_number(build)), build=build)


def with_extras(source: Source, extras: Sequence[str]) -> Source:
    """Adds extras in pip's syntax, after the package's name or path."""
    if not extras:
        return source
    name, equals, number = source.given.partition("==")
    given, says = f"{name}[{','.join(extras)}]{equals}{number}", f"{source.says}, with {' and '.join(extras)}"
    return Source("+".join((source.build, *extras)), given, says)


def _number(build: str) -> str:
    return re.split("[-+]", build)[0]


def _digest(parts: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(b"%d\n" % len(part))
        total.update(part)
    return total.hexdigest()[:8]
