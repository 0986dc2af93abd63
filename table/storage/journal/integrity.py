"""Finds damage that SQLite's own integrity check does not find.

The one rule: this module only reads.
"""

import json
import sqlite3

from table.storage.journal.folded import whole


def contradiction(connection: sqlite3.Connection, deep: bool) -> str | None:
    """Describes the first inconsistency, or returns None. Looks for missing answers and players; with `deep`, also for
    text that was overwritten with zeros."""
    gap = connection.execute(
        "SELECT 1 FROM (SELECT match, count(*) AS found, max(number) + 1 AS numbered FROM answers GROUP BY match)"
        " LEFT JOIN matches ON key = match WHERE key IS NULL OR found <> numbered OR ended IS NOT NULL"
        " UNION ALL SELECT 1 FROM matches WHERE NOT EXISTS (SELECT 1 FROM seats WHERE match = key) LIMIT 1"
    ).fetchone()
    if gap:
        return "answers or players are missing"
    if deep:
        for options, log in connection.execute("SELECT options, log FROM matches"):
            json.loads(options)
            if log is not None:
                whole(log)
        for (value,) in connection.execute("SELECT value FROM settings"):
            json.loads(value)
        for table, columns in (("answers", "asked || answer || source"), ("seats", "name || coalesce(standing, '')")):
            if connection.execute(f"SELECT 1 FROM {table} WHERE instr({columns}, char(0)) LIMIT 1").fetchone():
                return f"text is missing in {table}"
    return None
