"""What the journal knows, made to be looked at: players, games, dice; changed by name; exported, imported, backed up.

Its one rule: a page is a frozen value, read in one go from the file that the table keeps in, while that goes on
writing. Whatever shows it (the kiosk, a phone, a command) reads nothing by itself.

    pages.py    what a page holds
    read.py     the pages, read from the file
    games.py    a finished game: played again up to any step, exported, imported
    reader.py   the thread that reads for a table
    names.py    a player renamed, merged with another, forgotten
    backup.py   a copy of everything, and everything from a copy
"""
