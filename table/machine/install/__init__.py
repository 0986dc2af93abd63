"""A table that starts with its machine: put on a Raspberry Pi, changed for another version, and taken off again.

What is there is looked at (look), what is wanted is named (source), a plan is made of both without touching anything
(plan), shown, and carried out step by step (command, work). The one rule: every step can be interrupted by anything, a
power cut included, and the next run goes on from whatever it finds.
"""
