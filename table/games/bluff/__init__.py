"""Bluff."""
