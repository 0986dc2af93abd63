"""The records: the journal's data as pages to show, name changes, export, import and backups.

Its one rule: a page is a frozen value, read in one transaction, even while the table is writing. The code that shows it
(the kiosk, a phone, a command) never reads the database itself.

    pages.py    the contents of each page
    read.py     reads the pages from the database
    games.py    a finished game: replay, export, import
    reader.py   the thread that reads pages for a table
    names.py    renaming, merging and deleting players
    backup.py   backup and restore
"""
