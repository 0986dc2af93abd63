"""A match being played: who sits where, what is asked of whom, and the messages that arrive."""
