"""The league: the finished games of several tables in one PostgreSQL database, with a common leaderboard.

Its one rule: the league's data follows the table's own database, never the other way round. So nothing is lost while
the league is unreachable: unsent games stay in the table's database, and are sent later.

    waiting.py   reads unsent games and name changes from the table's database
    books.py     the league's database: schema, writing a parcel, the leaderboard; the only module that uses psycopg
    uploader.py  the thread that sends parcels

Why every game arrives exactly once, with the same names as at the table:

A parcel is read in one transaction, written to the league in one transaction, and then marked as sent by the journal.
If the connection is lost before the league commits, the league has nothing. If the connection is lost after that, the
games are not marked, and are sent again. A game that arrives twice keeps its one row, because its id is the primary
key; only the names at its seats are updated.

A name may change at any time, but the journal serializes all writes. If it changes before the parcel is read, the
parcel has the new name. If it changes after the games were marked, the journal records the change, and the next parcel
contains it. If it changes in between, the names that were sent no longer match those in the journal. The journal
marks only games whose names match, so the others are sent again.

Name changes are applied in order, before the games in the same parcel. Applying them twice could be wrong, for example
if two people swapped names. So for games that were sent earlier, the parcel also lists the current names at all seats
that the changes may affect. These names are applied last: the table's database has the final say.

A table changes only its own games: each game has the id of the table that sent it first. Two people with the same name
are one player in the league; to separate them, rename one at their table.
"""

from table.storage.league.uploader import SHOWN, Uploader, answers, sentence

__all__ = ["SHOWN", "Uploader", "answers", "sentence"]
