"""The kiosk: scenes, game boards, and everything used to draw them.

The shared screen is drawn from the public view only.
"""
