"""Trains the reader's two networks from scratch: renders pictures, trains, exports. Only this package needs PyTorch.

Its one rule: the networks are never trained on photographs, so all photographs are suitable for testing them.
"""
