"""Makes the reader's two networks from nothing: renders pictures, trains, exports. The only room that needs PyTorch.

Its one rule: no network ever sees a photograph, so every folder of photographs is unseen.
"""
