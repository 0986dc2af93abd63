"""The table on a screen: scenes, boards, and what they are drawn with.

Its one rule: what is drawn on the shared screen comes from the public view alone.
"""
