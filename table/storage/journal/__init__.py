"""The journal: every answer of every game on the disk before the match takes it, and what is known of the players.

Its one rule: nothing is ever destroyed. A file that is broken, foreign or too new keeps its content under a name that
nobody else uses, and the table plays on whatever the disk does.

    entries.py   what can be kept
    tables.py    the tables of the file
    store.py     what is in them: an entry written, the records read
    folded.py    a game that has ended, in one piece
    tallies.py   what is counted of those: games won, faces of dice, best moments
    integrity.py what is wrong in a file that SQLite itself finds whole
    upgrade.py   a file that an older table wrote
    prune.py     keeps to the size that the config gives it
    files.py     the files: which one is ours and whole, setting aside, the older copy
    trouble.py   what can be wrong with a disk, in one word
    lock.py      one table a folder
    inbox.py     entries that wait for the thread, and those that the disk refused until it takes them
    copying.py   makes the older copy
    writer.py    the thread that does it all
"""
