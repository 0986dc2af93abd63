"""The records as pages: what the journal knows, in words, with the figures that charts are drawn from.

The terminal, the phones and the kiosk draw the same pages, so each sentence is put together once.

    words.py    days, results, verdicts and luck in the catalogue's words
    blocks.py   what a page is made of
    pages.py    the pages: leaderboard, players, a player, games, a game, dice
    review.py   the page that tells how somebody played
"""
