"""`make faults`: plant known faults, one at a time, in a copy of the project and check that the tests catch each one.

`make faults ARGS="hotspot install"` plants only the faults of these groups. A fault that is not caught, or whose place
in the source no longer exists, is an error.
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
EDICE = ["edice_wire", "die", "link"]
DRIVER = ["boards"]
HOTSPOT = ["hotspot", "hotspot_table"]
INSTALL = ["install"]
PHONES = ["phones", "phone_port", "phone_table", "phone_wire"]
LOOKING = ["phone_records"]
RECORDS = ["records", "journal", "moments", "fairness", "luck"]
RULE_FAULTS = {
    "hidden dice in an event": (
        "table/engine/referee.py",
        '"dice": (None,) * ask.count}',
        '"dice": dice}',
    ),
    "a spectator's view that does not mask hidden dice": (
        "table/engine/asks.py",
        "if hidden and seat != viewer",
        "if hidden and seat != viewer and viewer is None",
    ),
    "hands that are not hidden after the first round": (
        "table/games/cacho/rules.py",
        "table.hands.lay(seat, dice, hidden=True)",
        "table.hands.lay(seat, dice, hidden=table.round < 2)",
    ),
    "hidden dice that influence the table's draws": (
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
    "a win challenge that costs no lives": (
        "table/games/mexico/rules.py",
        "if winner == house:",
        'if winner == house and options.goal == "survive":',
    ),
    "the first player out placed higher": (
        "table/engine/places.py",
        "(True, -out.index(seat)) if seat in out",
        "(True, out.index(seat)) if seat in out",
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
    "an answer taken before it is written": (
        "table/session/write_ahead.py",
        "        self.pending = Pending(self._journal.keep(entry), checked, rolled)\n",
        (
            "        self.pending = Pending(self._journal.keep(entry), checked, rolled)\n"
            "        self.take(match, self.pending)\n"
        ),
    ),
    "a hidden roll from a source that everyone sees": (
        "table/session/dice.py",
        "(throw.roll.hidden or throw.thrower ==",
        "(throw.thrower ==",
    ),
    "a choice taken back after dice were shown": (
        "table/session/session.py",
        'return not any("dice" in event.facts for event in last.events) and not _uncovered(last.before, last.after)',
        "return True",
    ),
    "news with a private view": (
        "table/session/write_ahead.py",
        "pending.answer, events, before, referee.view(None), pending.rolled)",
        'pending.answer, events, before, referee.view(getattr(referee.ask, "seat", None)), pending.rolled)',
    ),
    "a computer's choice accepted for an old ask": (
        "table/session/pace.py",
        "if chose.ticket != self._ticket or not",
        "if not",
    ),
    "a computer that does not wait for the screen": (
        "table/session/pace.py",
        "(self._since, pause.unseen) if shown is None else (max(self._since, shown), pause.shown)",
        "(self._since, pause.unseen)",
    ),
    "dice of an earlier roll accepted for this one": (
        "table/session/dice.py",
        "(read.source, read.ticket) != (awaited.source, awaited.ticket)",
        "read.source != awaited.source",
    ),
    "a table that closes without a second press": (
        "table/ui/kiosk/scenes/menu.py",
        'return confirm(context, "confirm.lost" if lost else f"confirm.{ending}", do, under)',
        "return do(0.0)",
    ),
    "both buttons at once that also trigger Roll": (
        "table/ui/kiosk/gestures.py",
        "if at < min(self._since.values()) + CHORD:",
        "if False:",
    ),
    "an answer confirmed before it is on disk": (
        "table/storage/journal/writer.py",
        "        try:\n            misfits = _commit(self._database.connection, kept)\n",
        (
            "        for ticket, _ in kept:\n            self._post(Committed(ticket))\n        time.sleep(0.02)\n"
            "        try:\n            misfits = _commit(self._database.connection, kept)\n"
        ),
    ),
}

EDICE_FAULTS = {
    "an ignored checksum": (
        "firmware/wire.py",
        'if line[-4:] != b"%04X" % crc(body):',
        "if False:",
    ),
    "a number with two spellings": (
        "firmware/wire.py",
        "if str(number) != words[1]:",
        "if False:",
    ),
    "lines without a length limit": (
        "firmware/wire.py",
        "self._overflown or len(self._held) + end - begin > LONGEST",
        "self._overflown",
    ),
    "two rolls for one ask": (
        "firmware/die.py",
        "if before == ask:",
        "if False:",
    ),
    "dice that favour one to four": (
        "firmware/die.py",
        "for byte in block if byte < 252]",
        "for byte in block]",
    ),
    "an untested entropy source": (
        "firmware/die.py",
        "            test(entropy)\n",
        "            pass\n",
    ),
    "hidden dice that everyone sees": (
        "firmware/die.py",
        "return [] if self._hidden and not self._down else self.rolled",
        "return self.rolled",
    ),
    "a roll from before a reboot": (
        "table/devices/link.py",
        'elif fields.get("boot", self.boot) != self.boot:',
        "elif False:",
    ),
    "a roll for an earlier ask": (
        "table/devices/link.py",
        'and fields.get("ask") == self._asked.ask:',
        "and True:",
    ),
    "a roll that contradicts itself": (
        "table/devices/link.py",
        "if twice and len(dice)",
        "if len(dice)",
    ),
    "a repeated line processed twice by the table": (
        "table/devices/link.py",
        "elif not self.line.repeated(number) and",
        "elif",
    ),
    "a repeated line obeyed twice by the dice": (
        "firmware/die.py",
        "if number <= self._heard:",
        "if False:",
    ),
    "dice that obey a line meant for an earlier boot": (
        "firmware/die.py",
        'if fields.get("boot") != self.boot:',
        "if False:",
    ),
    "tumbling dice reported as a result": (
        "table/devices/link.py",
        'elif verb == "rolled" and',
        'elif verb in ("rolling", "rolled") and',
    ),
    "more dice than asked for": (
        "table/devices/link.py",
        "len(dice) == self._asked.count:",
        "len(dice) >= self._asked.count:",
    ),
    "a hello meant for another table": (
        "table/devices/link.py",
        'and fields.get("table") == self._word and',
        "and",
    ),
}
DRIVER_FAULTS = {
    "a second roll for a repeated ask": (
        "table/devices/boards.py",
        "if self._last and self._last.roll is roll:",
        "if False:",
    ),
    "an old roll for a new ask": (
        "table/devices/boards.py",
        "if self._last and self._last.roll is roll:",
        "if self._last and self._last.roll == roll:",
    ),
    "a roll kept for the next ask": (
        "table/devices/boards.py",
        "self._rolled = self._roller = None",
        "self._roller = None",
    ),
    "a roll by another board as soon as a cable is pulled": (
        "table/devices/boards.py",
        "if asked or (self._roller and now - self._since < GRACE):",
        "if asked:",
    ),
    "a hidden roll on another player's dice": (
        "table/devices/boards.py",
        "return next((link for link in able if link.id == own), None)",
        "return next(iter(able), None)",
    ),
    "two boards with the same id treated as one": (
        "table/devices/boards.py",
        "if twin.id == shared and twin.boot != link.boot:",
        "if False:",
    ),
}
INSTALL_FAULTS = {
    "a failed update that is not rolled back": (
        "table/machine/install/command.py",
        "if good is None or good == build:",
        "if True:",
    ),
    "a new build that does not have to stay up": (
        "table/machine/install/work.py",
        "if _process() != process or",
        "if",
    ),
    "an incomplete build treated as complete": (
        "table/machine/install/look.py",
        "if _text(layout.whole(build)) == python)",
        "if layout.whole(build))",
    ),
    "an interrupted change that is forgotten": (
        "table/machine/install/command.py",
        "work.note(layout, good, sure=False)",
        "work.note(layout, good, sure=True)",
    ),
    "an update that does not wait for a running pip": (
        "table/machine/install/work.py",
        "close_fds=not keep_lock",
        "close_fds=True",
    ),
    "overwritten settings": (
        "table/machine/install/plan.py",
        "found.config, partial(work.write_new,",
        "False, partial(work.replace,",
    ),
}

PHONE_FAULTS = {
    "a private view shown as the public table": (
        "table/ui/phone/snapshot.py",
        "match.referee.view(None) if match else {}",
        "match.referee.view(0) if match else {}",
    ),
    "a hand sent to the next seat": (
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
    "an old token that still works after a seat has moved": (
        "table/ui/phone/people.py",
        "        person.key = digest(token)\n",
        "        digest(token)\n",
    ),
    "plain tokens on disk": (
        "table/ui/phone/people.py",
        "return hashlib.sha256(token.encode()).hexdigest()",
        "return token",
    ),
    "anyone as the host": (
        "table/ui/phone/connections.py",
        "elif person.id != room.register.host:",
        "elif room.register.host is None:",
    ),
    "unlimited attempts at the PIN": (
        "table/session/guard.py",
        "self._wrong += 1",
        "pass",
    ),
    "unlimited attempts at the room code": (
        "table/ui/phone/people.py",
        "self._guesses += 1",
        "pass",
    ),
    "a connection from any web page": (
        "table/ui/phone/gate.py",
        'return origin == f"{self._doors.scheme}://{request.host}"',
        "return True",
    ),
    "a page served under any host name": (
        "table/ui/phone/gate.py",
        "if not self._own_name(request.host) or",
        "if",
    ),
    "no limit on messages": (
        "table/ui/phone/server.py",
        "if bucket.spill():\n                await",
        "if False:\n                await",
    ),
    "no limit on connections": (
        "table/ui/phone/server.py",
        "self._from.get(peer, 0) >= MOST_OF_ONE",
        "False",
    ),
    "a message with an extra field": (
        "table/ui/phone/wire.py",
        'if set(said) != {"say", *fields}:',
        'if not {"say", *fields} <= set(said):',
    ),
    "buttons that play for a phone's seat": (
        "table/session/session.py",
        'return "phone" if ask.seat in self.phones else "person"',
        'return "person"',
    ),
    "a hand shown while a computer stands in for a phone": (
        "table/ui/kiosk/private_look.py",
        "return match.alone and not phones",
        "return match.alone",
    ),
    "a lone surrogate accepted in a message": (
        "table/ui/phone/wire.py",
        "        json.dumps(said, ensure_ascii=False).encode()",
        "        json.dumps(said)",
    ),
    "a spectator who decides about others": (
        "table/ui/phone/room.py",
        'if do == "table" or (self.seats.of(person) is None and person.id != self.register.host):',
        'if do == "table":',
    ),
    "a seat that its player cannot get back": (
        "table/ui/phone/seats.py",
        "            self._session.stand_in(own, None)\n",
        "            pass\n",
    ),
}

LOOKING_FAULTS = {
    "names that anyone can change from a phone": (
        "table/ui/phone/connections.py",
        '        self._only_operator(said["pin"])\n        if self._record_requests is None:',
        "        if self._record_requests is None:",
    ),
    "a review of a game still in progress": (
        "table/ui/phone/connections.py",
        "line.room.session.match if line.room and not line.room.playing else None",
        "line.room.session.match if line.room else None",
    ),
    "a name that changes while its player is playing": (
        "table/ui/phone/connections.py",
        'if any(room.seats.plays(said["name"]) for room in self.rooms.values()):',
        "if False:",
    ),
    "requests answered after their client has gone": (
        "table/ui/phone/record_requests.py",
        "if asking and asking.line not in self._waiting:",
        "if asking:",
    ),
    "requests without a rate limit": (
        "table/ui/phone/record_requests.py",
        "self._rests[ready.line] = now + PAUSE",
        "self._rests[ready.line] = now",
    ),
    "a review without time slices": (
        "table/ui/phone/replayed.py",
        "elif now.judged == 0 or time.monotonic() - begun > SLICE:",
        "elif now.judged == 0:",
    ),
    "file names sent to phones": (
        "table/text/records/words.py",
        'return say(refusal if refusal.startswith("refused.") else "refused.unreadable")',
        'return say(refusal) if refusal.startswith("refused.") else refusal',
    ),
    "a number too large for SQLite": (
        "table/ui/phone/wire.py",
        "else abs(value) < LARGEST",
        "else True",
    ),
}

HOTSPOT_FAULTS = {
    "a hotspot that starts again by itself": (
        "table/machine/hotspot.py",
        "        _set_autoconnect(False)  #",
        "        pass  #",
    ),
    "a code that breaks at a semicolon": (
        "table/machine/hotspot.py",
        """re.sub(r'([\\\\;,":])', r"\\\\\\1", text)""",
        "text",
    ),
    "a name cut off at its colon": (
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
    "hands revealed in an unfinished game": (
        "table/storage/records/games.py",
        'if not isinstance(game.ask, Over):\n        raise Refused("This game is not over, so',
        'if False:\n        raise Refused("This game is not over, so',
    ),
    "a deleted name that stays in a correction": (
        "table/storage/journal/store.py",
        "connection.execute(\"UPDATE corrections SET who = '' WHERE who = ?\", (entry.name,))",
        "pass",
    ),
    "a merged player who loses games": (
        "table/storage/journal/tallies.py",
        'DO UPDATE SET played = played + excluded.played, won = won + excluded.won,"\n    " last',
        'DO UPDATE SET played = excluded.played, won = excluded.won,"\n    " last',
    ),
    "real dice under a called cup that are counted": (
        "table/games/bluff/analysis.py",
        'return tuple(options.get("cups", ()))',
        "return ()",
    ),
    "a restored backup that deletes an unfinished game": (
        "table/storage/records/backup.py",
        'gone = "SELECT key FROM main.matches WHERE ended IS NOT NULL"',
        'gone = "SELECT key FROM main.matches"',
    ),
    "a fairness test that ignores the number of groups": (
        "table/analysis/fairness.py",
        "share = bet - log(groups)",
        "share = bet",
    ),
    "luck computed with the wrong share for ties": (
        "table/analysis/luck.py",
        "places[value] = (2 * below + ways[value]) / (2 * 6**dice)",
        "places[value] = (below + ways[value]) / 6**dice",
    ),
    "a database file opened outside SQLite while in use": (
        "table/storage/journal/files.py",
        "if held := _HELD.get(folder.resolve()):",
        "if (held := _HELD.get(folder)) and False:",
    ),
    "games pruned before photos": (
        "table/storage/journal/prune.py",
        "if not changed:",
        "if True:",
    ),
    "a restore that ignores the write-ahead log": (
        "table/storage/records/backup.py",
        "    if files.unsettled(source):\n",
        "    if False:\n",
    ),
    "a deleted name that stays in a room": (
        "table/storage/journal/store.py",
        "    _rename_in_rooms(connection, entry.name, None)\n",
        "",
    ),
    "two players merged although they played each other": (
        "table/storage/journal/store.py",
        "    if met(connection, entry.old, entry.new):\n",
        "    if False:\n",
    ),
    "the latest first day kept when records are combined": (
        "table/storage/journal/tallies.py",
        "since = coalesce(min(since, excluded.since)",
        "since = coalesce(max(since, excluded.since)",
    ),
}


NO_FAULT = "table/engine/errors.py", "class Refused", "class Refused"
"""A fault that changes nothing: with it, the tests of every group must pass."""


def first_failure(tests: Sequence[str], path: str, right: str, wrong: str) -> str | None:
    """Return the first test that fails with this fault in place, or None."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis"))
        source = (copy / path).read_text(encoding="utf-8")
        if source.count(right) != 1:
            sys.exit(f"{path} must contain {right!r} exactly once. Update tests/faults.py.")
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
        sys.exit(f"Unknown group {min(unknown)}. The groups are {', '.join(GROUPS)}.")
    missed = 0
    for group in wanted or GROUPS:
        tests, faults = GROUPS[group]
        if found := first_failure(tests, *NO_FAULT):
            sys.exit(f"{found} fails even without a fault. Fix that first.")
        for name, fault in faults.items():
            found = first_failure(tests, *fault)
            missed += found is None
            print(f"{'caught' if found else 'MISSED'}  {name}{f' ({found})' if found else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
