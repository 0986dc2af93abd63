"""A real PostgreSQL server for tests, on a free loopback port, which can be stopped and started."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.processes import PATIENCE, Port, until

USER, PASSWORD = "den", "six & six/@#?%"
ESCAPED = "six%20%26%20six%2F%40%23%3F%25"
WATCHER = "watcher"  # used by the tests, without a password because checking one is slow
DATABASE = "postgres"


def program(name: str) -> str:
    """Find a PostgreSQL program, also in Debian's folders, which are not on PATH."""
    folders = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *folders]))
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: postgresql)")
    return found


class Server:
    """A PostgreSQL server for tests, started by `with server() as it`. It keeps its data while it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._port = Port()
        self.port = self._port.number
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root, so run it as user postgres, who must own the folder.
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._as = {"user": "postgres", "group": "postgres", "extra_groups": []}
            shutil.chown(folder, "postgres", "postgres")
        command = [
            program("initdb"),
            "-D",
            str(self._data),
            "-U",
            WATCHER,
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]
        subprocess.run(
            [*command, "--auth=trust"], check=True, capture_output=True, timeout=PATIENCE, cwd="/", **self._as
        )
        (self._data / "pg_hba.conf").write_text(
            f"host all {WATCHER} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n", encoding="utf-8"
        )

    def start(self) -> None:
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "fsync": "off"}
        self._process = subprocess.Popen(
            [program("postgres"), "-D", str(self._data), *(f"--{name}={value}" for name, value in settings.items())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            **self._as,
        )
        until("the server answers", self._answers)

    def _answers(self) -> bool:
        assert self._process is not None and self._process.poll() is None, "PostgreSQL ended"
        try:
            psycopg.connect(self._watching(DATABASE)).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        """Stop at once, as in a power cut."""
        if self._process:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
            self._process = None

    def close(self) -> None:
        self.stop()
        self._port.close()

    @property
    def runs(self) -> bool:
        return self._process is not None

    def address(self, database: str, user: str = USER, password: str = ESCAPED) -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def _watching(self, database: str) -> str:
        return f"postgresql://{WATCHER}@127.0.0.1:{self.port}/{database}"

    def empty(self) -> str:
        """Remove the league from the database; return the database's name. A new one per test would take longer."""
        self.do(DATABASE, "DROP SCHEMA IF EXISTS dicetable CASCADE")
        return DATABASE

    def do(self, database: str, *statements: str) -> None:
        with psycopg.connect(self._watching(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def dump(self, database: str) -> str:
        """The whole database as text."""
        command = [program("pg_dump"), self._watching(database)]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

    def ask(self, database: str, question: str, facts: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._watching(database)) as connection:
            return connection.execute(question, facts or None).fetchall()


@contextmanager
def server() -> Iterator[Server]:
    program("initdb")
    with tempfile.TemporaryDirectory() as folder:
        made = Server(Path(folder))
        try:
            made.start()
            made.do(DATABASE, f"CREATE ROLE {USER} LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
            yield made
        finally:
            made.close()
