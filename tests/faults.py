"""`make faults`: plants known faults, one at a time, in a copy of the project, and sees that the tests catch each.

`make faults ARGS="hotspot install"` plants those of some groups only. A fault that is not caught, or whose place in the
source has gone, is an error.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
RULES = ["laws", "golden", "layers", "mexico", "bluff", "pocoloco", "cheese", "cacho", "protocol", "bots", "places"]
TABLE = ["session", "gestures", "picker", "choices", "debounce", "devices", "journal", "kills", "secrets", "table"]
EDICE = ["wire", "die", "link"]
DRIVER = ["boards"]
HOTSPOT = ["hotspot", "hotspot_table"]
INSTALL = ["install"]
PHONES = ["phones", "phone_port", "phone_table", "wire_of_phones"]
LOOKING = ["phone_records"]
RECORDS = ["records", "journal", "moments", "fairness", "luck"]
RULE_FAULTS = {
    "hidden dice in an event": (
        "table/engine/referee.py",
        '"dice": (None,) * ask.count}',
        '"dice": dice}',
    ),
    "a view that forgets to mask": (
        "table/engine/asks.py",
        "if hidden and seat != viewer",
        "if hidden and seat != viewer and viewer is None",
    ),
    "hands that are not hidden after the first round": (
        "table/games/cacho/rules.py",
        "table.hands.lay(seat, dice, hidden=True)",
        "table.hands.lay(seat, dice, hidden=table.round < 2)",
    ),
    "hidden dice that steer what the table draws": (
        "table/engine/referee.py",
        'f"{self.seed} {len(self.history)} {purpose}"',
        'f"{self.seed} {self.history} {purpose}"',
    ),
    "hidden dice in an error": (
        "table/engine/referee.py",
        '"" if ask.hidden else f", not {shown(answer)}"',
        'f", not {shown(answer)}"',
    ),
    "options that depend on another seat's dice": (
        "table/games/bluff/rules.py",
        "(yield Choose(caller, CALLS))",
        "(yield Choose(caller, CALLS if table.hands[claimant] != (6, 6) else CALLS[:1]))",
    ),
    "a rule that calls random": (
        "table/engine/customs.py",
        "    (picked,) = yield Draw",
        "    candidates = __import__('random').sample(list(candidates), len(candidates))\n    (picked,) = yield Draw",
    ),
    "Mexico ranked below 66": (
        "table/games/mexico/rules.py",
        "RANKING = (MEXICO, 66,",
        "RANKING = (66, MEXICO,",
    ),
    "a challenge to win that costs no lives": (
        "table/games/mexico/rules.py",
        "if winner == house:",
        'if winner == house and options.goal == "survive":',
    ),
    "who went out first placed higher": (
        "table/engine/places.py",
        "return True, -out.index(seat)",
        "return True, out.index(seat)",
    ),
    "a PocoLoco tie that picks the same seat twice": (
        "table/games/pocoloco/rules.py",
        "pick([seat for seat in lowest if seat != winner])",
        "pick(lowest)",
    ),
    "a second Cheese triple lost": (
        "table/games/cheese/rules.py",
        "THREE_POINTS[face])] * threes",
        "THREE_POINTS[face])] * min(threes, 1)",
    ),
    "the third die of a Cheese triple lost": (
        "table/games/cheese/rules.py",
        "(face,) * 3, THREE_POINTS[face])",
        "(face,) * 2, THREE_POINTS[face])",
    ),
    "an ace counted as wild in a single-die round": (
        "table/games/cacho/rules.py",
        "wild=not board.single)",
        "wild=True)",
    ),
}
TABLE_FAULTS = {
    "an answer that is taken before it is written": (
        "table/session/write_ahead.py",
        "        self.pending = Pending(self._journal.keep(entry), checked)\n",
        (
            "        self.pending = Pending(self._journal.keep(entry), checked)\n"
            "        self.take(match, self.pending)\n"
        ),
    ),
    "a hidden roll asked of a source that everybody sees": (
        "table/session/dice.py",
        "(throw.roll.hidden or throw.thrower ==",
        "(throw.thrower ==",
    ),
    "a choice that is taken back after dice were shown": (
        "table/session/session.py",
        'return not any("dice" in event.facts for event in last.events) and not _uncovered(last.before, last.after)',
        "return True",
    ),
    "news with what only one seat may see": (
        "table/session/write_ahead.py",
        "pending.answer, events, before, referee.view(None))",
        'pending.answer, events, before, referee.view(getattr(referee.ask, "seat", None)))',
    ),
    "a computer's choice that is taken though nobody asks for it any more": (
        "table/session/pace.py",
        "if chose.ticket != self._ticket or not",
        "if not",
    ),
    "a computer that hurries the screen": (
        "table/session/pace.py",
        "(self._since, pause.unseen) if shown is None else (max(self._since, shown), pause.shown)",
        "(self._since, pause.unseen)",
    ),
    "dice of an earlier throw that are taken for this one": (
        "table/session/dice.py",
        "(read.source, read.ticket) != (awaited.source, awaited.ticket)",
        "read.source != awaited.source",
    ),
    "a table that ends without a second press": (
        "table/ui/kiosk/scenes/menu.py",
        'return confirm(context, "confirm.lost" if lost else f"confirm.{ending}", do, under)',
        "return do(0.0)",
    ),
    "both buttons at the same instant that also mean Roll": (
        "table/ui/kiosk/gestures.py",
        "if at < min(self._since.values()) + CHORD:",
        "if False:",
    ),
    "an answer that is confirmed before it is on the disk": (
        "table/storage/journal/writer.py",
        "        try:\n            misfits = _commit(self._connection, kept)\n",
        (
            "        for ticket, _ in kept:\n            self._post(Committed(ticket))\n        time.sleep(0.02)\n"
            "        try:\n            misfits = _commit(self._connection, kept)\n"
        ),
    ),
}

EDICE_FAULTS = {
    "a check that nobody looks at": (
        "firmware/wire.py",
        'if line[-4:] != b"%04X" % crc(body):',
        "if False:",
    ),
    "a number that is written in two ways": (
        "firmware/wire.py",
        "if str(number) != words[1]:",
        "if False:",
    ),
    "lines of any length": (
        "firmware/wire.py",
        "self._overflown or len(self._held) + end - begin > LONGEST",
        "self._overflown",
    ),
    "two rolls under one ask": (
        "firmware/die.py",
        "if before == ask:",
        "if False:",
    ),
    "dice that favour one to four": (
        "firmware/die.py",
        "for byte in block if byte < 252]",
        "for byte in block]",
    ),
    "a stuck source that nobody tests": (
        "firmware/die.py",
        "            test(entropy)\n",
        "            pass\n",
    ),
    "hidden dice that everybody sees": (
        "firmware/die.py",
        "return [] if self._hidden and not self._down else self.rolled",
        "return self.rolled",
    ),
    "a roll of the boot before": (
        "table/devices/link.py",
        'elif fields.get("boot", self.boot) != self.boot:',
        "elif False:",
    ),
    "a roll that was asked for before": (
        "table/devices/link.py",
        'and fields.get("ask") == self._asked.ask:',
        "and True:",
    ),
    "a roll that contradicts itself": (
        "table/devices/link.py",
        "if twice and len(dice)",
        "if len(dice)",
    ),
    "a line that is heard twice": (
        "table/devices/link.py",
        "elif number > self._heard and",
        "elif",
    ),
    "a line that the dice obey twice": (
        "firmware/die.py",
        "if number <= self._heard:",
        "if False:",
    ),
    "dice that obey what was said to the boot before": (
        "firmware/die.py",
        'if fields.get("boot") != self.boot:',
        "if False:",
    ),
    "dice that tumble taken for dice that lie": (
        "table/devices/link.py",
        'elif verb == "rolled" and',
        'elif verb in ("rolling", "rolled") and',
    ),
    "more dice than were asked for": (
        "table/devices/link.py",
        "len(dice) == self._asked.count:",
        "len(dice) >= self._asked.count:",
    ),
    "a hello to another table": (
        "table/devices/link.py",
        'and fields.get("table") == self._word and',
        "and",
    ),
}
DRIVER_FAULTS = {
    "another roll for whoever asks again": (
        "table/devices/boards.py",
        "if self._last and self._last.roll is roll:",
        "if False:",
    ),
    "an old roll for a new ask": (
        "table/devices/boards.py",
        "if self._last and self._last.roll is roll:",
        "if self._last and self._last.roll == roll:",
    ),
    "a roll that is kept for the next one": (
        "table/devices/boards.py",
        "self._rolled = self._roller = None",
        "self._roller = None",
    ),
    "a roll that others make as soon as a cable is pulled": (
        "table/devices/boards.py",
        "if asked or (self._roller and now - self._since < GRACE):",
        "if asked:",
    ),
    "a hidden roll on dice that are somebody else's": (
        "table/devices/boards.py",
        "return next((link for link in able if link.id == own), None)",
        "return next(iter(able), None)",
    ),
    "two boards with one id taken for one": (
        "table/devices/boards.py",
        "if twin.id == shared and twin.boot != link.boot:",
        "if False:",
    ),
}
INSTALL_FAULTS = {
    "an update that does not go back": (
        "table/machine/install/command.py",
        "if good is None or good == build:",
        "if True:",
    ),
    "a table that need not stay up": (
        "table/machine/install/work.py",
        "if _process() != process or",
        "if",
    ),
    "a half made build that passes for a whole one": (
        "table/machine/install/look.py",
        "if _text(layout.whole(build)) == python)",
        "if layout.whole(build))",
    ),
    "a change that is forgotten when it is interrupted": (
        "table/machine/install/command.py",
        "work.note(layout, good, sure=False)",
        "work.note(layout, good, sure=True)",
    ),
    "pip that nobody waits for": (
        "table/machine/install/work.py",
        "close_fds=not keep_lock",
        "close_fds=True",
    ),
    "settings that are overwritten": (
        "table/machine/install/plan.py",
        "found.config, partial(work.write_new,",
        "False, partial(work.replace,",
    ),
}

PHONE_FAULTS = {
    "a public table that is somebody's view": (
        "table/ui/phone/snapshot.py",
        "match.referee.view(None) if match else {}",
        "match.referee.view(0) if match else {}",
    ),
    "a hand that is sent to whoever sits beside": (
        "table/ui/phone/snapshot.py",
        "own = match.hidden_dice(seat)",
        "own = match.hidden_dice((seat + 1) % len(match.referee.players))",
    ),
    "a stale tap that counts": (
        "table/ui/phone/seats.py",
        "if at == self.at and isinstance(ask, Choose)",
        "if isinstance(ask, Choose)",
    ),
    "a tap for another seat": (
        "table/ui/phone/seats.py",
        "return ask if isinstance(ask, Roll | Choose) and ask.seat == seat else None",
        "return ask if isinstance(ask, Roll | Choose) else None",
    ),
    "a token that stays good when its seat has moved": (
        "table/ui/phone/people.py",
        "        person.key = digest(token)\n",
        "        digest(token)\n",
    ),
    "tokens on the disk": (
        "table/ui/phone/people.py",
        "return hashlib.sha256(token.encode()).hexdigest()",
        "return token",
    ),
    "anybody as the host": (
        "table/ui/phone/connections.py",
        "elif person.id != room.register.host:",
        "elif room.register.host is None:",
    ),
    "a PIN that can be tried for ever": (
        "table/session/guard.py",
        "self._wrong += 1",
        "pass",
    ),
    "codes that can be tried for ever": (
        "table/ui/phone/people.py",
        "self._guesses += 1",
        "pass",
    ),
    "a line for any page in the world": (
        "table/ui/phone/gate.py",
        'return origin == f"{self._doors.scheme}://{request.host}"',
        "return True",
    ),
    "a page under any name": (
        "table/ui/phone/gate.py",
        "if not self._own_name(request.host) or",
        "if",
    ),
    "no end of messages": (
        "table/ui/phone/server.py",
        "if bucket.spill():\n                await",
        "if False:\n                await",
    ),
    "no end of lines": (
        "table/ui/phone/server.py",
        "self._from.get(peer, 0) >= MOST_OF_ONE",
        "False",
    ),
    "a field too many": (
        "table/ui/phone/wire.py",
        'if set(said) != {"say", *fields}:',
        'if not {"say", *fields} <= set(said):',
    ),
    "buttons that play for a phone": (
        "table/session/session.py",
        'return "phone" if ask.seat in self.phones else "person"',
        'return "person"',
    ),
    "a hand that is open while a computer stands in for a phone": (
        "table/ui/kiosk/private_look.py",
        "return match.alone and not phones",
        "return match.alone",
    ),
    "half a character that is let in": (
        "table/ui/phone/wire.py",
        "        json.dumps(said, ensure_ascii=False).encode()",
        "        json.dumps(said)",
    ),
    "a spectator who decides about others": (
        "table/ui/phone/room.py",
        'if do == "table" or (self.seats.of(person) is None and person.id != self.register.host):',
        'if do == "table":',
    ),
    "a seat that nobody gets back": (
        "table/ui/phone/seats.py",
        "            self._session.stand_in(own, None)\n",
        "            pass\n",
    ),
}

LOOKING_FAULTS = {
    "names that anybody changes from a phone": (
        "table/ui/phone/connections.py",
        '        self._only_operator(said["pin"])\n        if self._record_requests is None:',
        "        if self._record_requests is None:",
    ),
    "a game that is looked into while it is played": (
        "table/ui/phone/connections.py",
        "line.room.session.match if line.room and not line.room.playing else None",
        "line.room.session.match if line.room else None",
    ),
    "a name that is taken from whoever plays": (
        "table/ui/phone/connections.py",
        'if any(room.seats.plays(said["name"]) for room in self.rooms.values()):',
        "if False:",
    ),
    "questions that are answered though nobody waits for them": (
        "table/ui/phone/record_requests.py",
        "if asking and asking.line not in self._waiting:",
        "if asking:",
    ),
    "a page that asks as fast as it can": (
        "table/ui/phone/record_requests.py",
        "self._rests[ready.line] = now + PAUSE",
        "self._rests[ready.line] = now",
    ),
    "a review that is done in one go": (
        "table/ui/phone/replayed.py",
        "if time.monotonic() - begun > SLICE:",
        "if False:",
    ),
    "names of files in what phones are told": (
        "table/text/records/words.py",
        'return say(refusal if refusal.startswith("refused.") else "refused.unreadable")',
        'return say(refusal) if refusal.startswith("refused.") else refusal',
    ),
    "a number that no disk can count to": (
        "table/ui/phone/wire.py",
        "else abs(value) < LARGEST",
        "else True",
    ),
}

HOTSPOT_FAULTS = {
    "a hotspot that comes up again by itself": (
        "table/machine/hotspot.py",
        "        _again(False)  #",
        "        pass  #",
    ),
    "a code that breaks at a semicolon": (
        "table/machine/hotspot.py",
        """re.sub(r'([\\\\;,":])', r"\\\\\\1", text)""",
        "text",
    ),
    "a name that is cut at its colon": (
        "table/machine/hotspot.py",
        "(?:^|:)((?:\\\\.|[^:\\\\])*)",
        "(?:^|:)([^:]*)",
    ),
    "a screen that waits for NetworkManager": (
        "table/devices/hotspot.py",
        'threading.Thread(target=self._work, args=(work,), name="hotspot", daemon=True).start()',
        "self._work(work)",
    ),
}

RECORDS_FAULTS = {
    "hands opened in a game that goes on": (
        "table/storage/records/games.py",
        'if not isinstance(game.ask, Over):\n        raise Refused("This game is not over, so',
        'if False:\n        raise Refused("This game is not over, so',
    ),
    "a forgotten name that stays with a correction": (
        "table/storage/journal/store.py",
        "connection.execute(\"UPDATE corrections SET who = '' WHERE who = ?\", (entry.name,))",
        "pass",
    ),
    "a merged player who loses games": (
        "table/storage/journal/tallies.py",
        'DO UPDATE SET played = played + excluded.played, won = won + excluded.won,"\n    " last',
        'DO UPDATE SET played = excluded.played, won = excluded.won,"\n    " last',
    ),
    "dice of called cups that count": (
        "table/games/bluff/analysis.py",
        'return tuple(options.get("cups", ()))',
        "return ()",
    ),
    "a restored backup that ends the game on the table": (
        "table/storage/records/backup.py",
        'gone = "SELECT key FROM main.matches WHERE ended IS NOT NULL"',
        'gone = "SELECT key FROM main.matches"',
    ),
    "a test of dice that forgets how many groups are looked at": (
        "table/analysis/fairness.py",
        "share = bet - log(groups)",
        "share = bet",
    ),
    "luck that counts what was decided": (
        "table/analysis/luck.py",
        "places[value] = (2 * below + ways[value]) / (2 * 6**dice)",
        "places[value] = (below + ways[value]) / 6**dice",
    ),
    "a file that is opened besides SQLite while it is written": (
        "table/storage/journal/files.py",
        "if held := _HELD.get(folder.resolve()):",
        "if (held := _HELD.get(folder)) and False:",
    ),
    "games that go before photos do": (
        "table/storage/journal/prune.py",
        "if not changed:",
        "if True:",
    ),
    "a restored disk without what its log has": (
        "table/storage/records/backup.py",
        "    if files.unsettled(source):\n",
        "    if False:\n",
    ),
    "a forgotten name that stays in a room": (
        "table/storage/journal/store.py",
        "    _call_in_rooms(connection, entry.name, None)\n",
        "",
    ),
    "two who have met made one": (
        "table/storage/journal/store.py",
        "    if met(connection, entry.old, entry.new):\n",
        "    if False:\n",
    ),
    "a first day that is the last to be taken in": (
        "table/storage/journal/tallies.py",
        "since = coalesce(min(since, excluded.since)",
        "since = coalesce(max(since, excluded.since)",
    ),
}


def first_failure(tests: Sequence[str], path: str, right: str, wrong: str) -> str | None:
    """The first test that fails with that fault in place, if one does."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis"))
        source = (copy / path).read_text(encoding="utf-8")
        if source.count(right) != 1:
            sys.exit(f"{path} has no single place for {right!r} any more: bring tests/faults.py up to date.")
        (copy / path).write_text(source.replace(right, wrong), encoding="utf-8")
        run = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-x",
                "-q",
                "--hypothesis-seed=1",
                *(f"tests/test_{name}.py" for name in tests),
            ],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            timeout=600,
        )
    if run.returncode not in (0, 1):
        sys.exit(f"The tests could not be run:\n{run.stdout}{run.stderr}")
    failed = [line for line in run.stdout.splitlines() if line.startswith("FAILED ")]
    return failed[0].split()[1] if failed else None


GROUPS = {
    "rules": (RULES, RULE_FAULTS),
    "table": (TABLE, TABLE_FAULTS),
    "edice": (EDICE, EDICE_FAULTS),
    "driver": (DRIVER, DRIVER_FAULTS),
    "install": (INSTALL, INSTALL_FAULTS),
    "hotspot": (HOTSPOT, HOTSPOT_FAULTS),
    "phones": (PHONES, PHONE_FAULTS),
    "looking": (LOOKING, LOOKING_FAULTS),
    "records": (RECORDS, RECORDS_FAULTS),
}


def main(wanted: Sequence[str]) -> int:
    if unknown := set(wanted) - set(GROUPS):
        sys.exit(f"There is no group {min(unknown)}. The groups are {', '.join(GROUPS)}.")
    missed = 0
    for group in wanted or GROUPS:
        tests, faults = GROUPS[group]
        if found := first_failure(tests, "table/engine/errors.py", '"""Everything', '"""Everything'):
            sys.exit(f"Without any fault the tests fail too, at {found}: fix that first.")
        for name, fault in faults.items():
            found = first_failure(tests, *fault)
            missed += found is None
            print(f"{'caught' if found else 'MISSED'}  {name}{f' ({found})' if found else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
