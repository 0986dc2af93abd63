"""`dicetable install`, `update` and `uninstall`: show the steps, carry them out, and roll back on failure.

Its one rule: if a table was running before, one is running afterwards, in the new version or the previous one.
"""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from table.engine.errors import Refused
from table.machine.install import plan, source, work
from table.machine.install.layout import Layout
from table.machine.install.look import Found, look
from table.machine.install.plan import Step
from table.machine.install.source import Source
from table.machine.install.work import Failed

ROOT = Path("/")
PATIENCE = 10.0  # seconds that a new version must keep running

Say = Callable[[str], None]


def install(
    say: Say,
    wheel: str | None = None,
    anyway: bool = False,
    dry_run: bool = False,
    root: Path = ROOT,
    patience: float = PATIENCE,
) -> None:
    def wanted(found: Found) -> Source:
        return source.with_extras(source.of_wheel(Path(wheel)), found.extras) if wheel else source.of_itself(found)

    _switch_to(say, wanted, anyway, dry_run, Layout(root), patience)


def update(say: Say, to: str, dry_run: bool = False, root: Path = ROOT, patience: float = PATIENCE) -> None:
    def wanted(found: Found) -> Source:
        if found.builds.current is None:
            raise Refused("No table is installed on this machine: run dicetable install first.")
        return source.named(to, found)

    # True, because the first install already checked whether this system is supported.
    _switch_to(say, wanted, True, dry_run, Layout(root), patience)


def uninstall(say: Say, purge: bool = False, dry_run: bool = False, root: Path = ROOT) -> None:
    layout = Layout(root)
    _check_rights(root, dry_run)
    with nullcontext() if dry_run else work.alone(layout):
        found = look(layout)
        steps = plan.remove(found, purge)
        _show(say, steps, plan.notes_of_removal(found, purge))
        if not dry_run:
            _carry_out(_despite_hangup(say), steps, steps)


def _switch_to(
    say: Say, wanted: Callable[[Found], Source], anyway: bool, dry_run: bool, layout: Layout, patience: float
) -> None:
    """Makes a build and switches to it."""
    _check_rights(layout.root, dry_run)
    with nullcontext() if dry_run else work.alone(layout):
        found = look(layout)
        unfit = plan.unfit(found, anyway)
        if unfit and not dry_run:
            raise Refused(unfit)
        brought = wanted(found)
        build, good = brought.build, found.builds.good
        prepare, settle = plan.prepare(found, brought), plan.settle(found, build, patience)
        steps = [*prepare, *settle]
        _show(say, steps, plan.notes(found))
        if unfit:  # a dry run still shows the steps
            raise Refused(unfit)
        if dry_run:
            return
        say = _despite_hangup(say)
        os.umask(0o022)  # the table's user must be able to read all files
        _carry_out(say, prepare, steps)
        if _undone(settle):
            if good is not None:
                work.note(layout, good, sure=False)
            try:
                _carry_out(say, settle, steps)
            except BaseException as why:  # including Ctrl-C
                if good is None or good == build:
                    raise
                _go_back(say, layout, good, str(why) if isinstance(why, Failed) else "Interrupted.", patience)
                raise Failed(f"{build} was not installed: the table still runs {good}.") from None
            work.note(layout, build, sure=True)
        say(f"dicetable {build} is installed and running.")


def _go_back(say: Say, layout: Layout, good: str, why: str, patience: float) -> None:
    say(f"{why} Going back to {good}.")
    steps = plan.settle(look(layout), good, patience)
    try:
        _carry_out(say, steps, steps)
    except Failed as again:
        raise Failed(f"{good} was restored, but does not start either: {again}") from None
    work.note(layout, good, sure=True)


def _despite_hangup(say: Say) -> Say:
    """Makes the installation survive a lost terminal, such as an SSH session over bad Wi-Fi."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def said(line: str) -> None:
        with suppress(OSError):
            say(line)

    return said


def _check_rights(root: Path, dry_run: bool) -> None:
    if sys.platform != "linux":
        raise Refused("The table can be installed only on Raspberry Pi OS and Debian: here, just run dicetable.")
    if root == ROOT and not dry_run and os.geteuid() != 0:
        raise Refused("This changes the system: run it with sudo, or add --dry-run to only see the steps.")


def _undone(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if not step.done]


def _show(say: Say, steps: Sequence[Step], notes: Sequence[str]) -> None:
    undone, done = _undone(steps), [step for step in steps if step.done]
    if undone:
        say("\n  - ".join(["Steps:", *(step.says for step in undone)]))
        if done:
            say("\n  - ".join(["Already done:", *(step.says for step in done)]))
        for note in notes:
            say(f"Note: {note}")
    else:
        say("Nothing to do.")


def _carry_out(say: Say, steps: Sequence[Step], shown: Sequence[Step]) -> None:
    """Carries out the steps that are not done yet, numbered as in the list that was shown."""
    all_of_them = _undone(shown)
    for step in _undone(steps):
        say(f"[{all_of_them.index(step) + 1}/{len(all_of_them)}] {step.says}")
        try:
            step.do()
        except OSError as why:
            raise Failed(f"{why.filename or 'The disk'}: {why.strerror}.") from None
