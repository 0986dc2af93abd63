"""The records as pages: the contents of the journal in words, with the figures for charts.

The terminal, the phones and the kiosk draw the same pages, so each sentence is composed once.

    words.py    days, results, verdicts and luck in the catalogue's words
    blocks.py   the parts of a page
    pages.py    the pages: leaderboard, players, a player, games, a game, dice
    review.py   the page about how someone played
"""
