"""Cacho."""
