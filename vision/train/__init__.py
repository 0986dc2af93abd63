"""Makes the reader's two networks from nothing: renders pictures, trains, exports. The only room that needs PyTorch.

Its one rule: it never sees a photograph, so every folder of photographs is unseen.
"""
