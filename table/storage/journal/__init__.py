"""The journal: a write-ahead log of every answer in every game, and the players' statistics.

Its one rule: data is never destroyed. A database that is damaged, not ours or too new keeps its content under a unique
file name. Whatever the disk does, the table keeps playing.

    entries.py   the entries: what can be written
    tables.py    the database schema
    store.py     writes entries into the tables, and reads the records
    folded.py    a finished game, compressed into one blob
    tallies.py   statistics of finished games: wins, faces of dice, best moments
    integrity.py consistency checks beyond SQLite's own
    upgrade.py   upgrades the schema of an older version
    prune.py     keeps the database below its configured size
    files.py     the files: finding, checking and repairing the database, and its backup copy
    trouble.py   the kinds of disk errors
    lock.py      one table per folder
    inbox.py     the queue of entries, and those that the disk has refused so far
    copying.py   makes the backup copy
    writer.py    the thread that writes
"""
