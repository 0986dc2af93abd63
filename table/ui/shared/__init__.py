"""Shared by tables with and without a screen: the history of games, storage, and the message dispatcher."""
