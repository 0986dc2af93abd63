"""A match being played: the seats, the pending ask, and the messages that arrive."""
