"""The words of the questions that the camera asks when it is unsure: the question itself, and what the buttons do."""

from table.text.catalogue import Catalogue
from table.ui.kiosk.entry import Entering
from table.ui.kiosk.frame import Cap, Caps, following


def question(entering: Entering, lifted: bool, say: Catalogue) -> str:
    """What people are asked about the dice. Empty if they can only roll again. `lifted`: the dice were under a cup."""
    if entering.saw is None or not entering.dice:
        return ""
    if entering.change is not None and entering.die:
        return say("reading.change", read=entering.die.value, face=entering.change)
    if not entering.confirming:
        return say("reading.which" if entering.die else "reading.missing")
    if "stayed" in entering.saw.doubts:
        return say("reading.lift_stayed" if lifted else "reading.stayed")
    if len(entering.asked) == 1:
        return say("reading.this_one", face=entering.asked[0].value)
    return say("reading.all")


def caps(entering: Entering, say: Catalogue) -> Caps:
    """What the buttons do during an entry."""
    if entering.confirming:
        return Caps(Cap(say("reading.all_correct", count=entering.count)), Cap(say("reading.correct")))
    if entering.change is not None and entering.die:
        keep = say("reading.keep", face=entering.die.value)
        return Caps(Cap(keep), Cap(say("reading.change_to", face=entering.change)))
    return Caps(following(say("cap.next"), entering.picker.entries), Cap(say("cap.take")))
