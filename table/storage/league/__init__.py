"""The league: the finished games of several tables in one PostgreSQL database, and the leaderboard of all of them.

Its one rule: what the league has of this table follows what is in the table's own file, and never the other way round.
So nothing is lost while it is away: what waits is in the file, and is sent when it can be.

    waiting.py   what the league has not been told yet, read from the file
    books.py     what the league has: its tables, a parcel taken in, the leaderboard; the only one that needs psycopg
    uploader.py  the thread that sends the one to the other

Why every game is there exactly once, with the names that it has here:

A parcel is read from the file in one go, is written to the league in one transaction, and is marked as sent by the
journal after that. Cut off before the transaction is done, the league has nothing of it; cut off after it, the file has
no mark, and all of it is sent again. A game that comes again meets its own id, the key of the league's table, and stays
the one game that it is; only the names at its seats are made those that it comes with.

A name can change at any moment, and the journal writes one thing after the other. Before the parcel is read: it has the
new name. After the mark: the journal notes the change beside it, and the next parcel has it. Between the two: the mark
says with which names each game was sent, and the journal marks none whose names are others by now; so that one goes
again, with those.

Changes are told in their order, before the games of the same parcel. Told twice they could do harm, as where two people
have swapped names; so all games here that were sent and have one of these names, or none any more, are told once more
after them. Whatever the league made of a name that is told of, the file has the last word.

A table tells of its own games only: each has the id of the table that sent it first. Two people with one name are one
in the league; their names are changed where they play.
"""

from table.storage.league.uploader import SHOWN, Uploader, answers, sentence

__all__ = ["SHOWN", "Uploader", "answers", "sentence"]
