"""Phones at the table: rooms that people join, the page that they get, and the port that it comes from.

The one rule of this room: whatever a phone says is rubbish until it was checked, and whatever it is sent was made from
what its own seat may see. The main thread owns the rooms; the server's thread only carries messages.
"""
