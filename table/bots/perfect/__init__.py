"""The mathematics of each game, with numpy and with tables from assets/players that `make solve` builds.

Each file has `perfect` (a policy), `win` (the seat's chance to win the game after each option) and `fair` (its chance
before anything was thrown). Where a game is not solved (see `solved` in the game's file beside this folder), they are
the best estimate that the same tables give.
"""
