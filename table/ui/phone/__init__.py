"""Phones at the table: rooms that people join, the page they load, and the port that serves it.

The one rule of this package: everything from a phone is untrusted until checked, and everything sent to it contains
only what its seat can see. The main thread owns the rooms; the server's thread only carries messages.
"""
