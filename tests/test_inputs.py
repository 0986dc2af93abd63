"""From window events to gestures."""

from dataclasses import dataclass, field

import pytest

pygame = pytest.importorskip("pygame", reason="pygame is not installed: make test installs it")

from table.ui.kiosk.gestures import Both, Dragged, Held, Look, Moved, Scrolled, Tap, Touched, Typed  # noqa: E402
from table.ui.kiosk.inputs import Inputs  # noqa: E402

pytestmark = pytest.mark.ground

ROLL, END = Tap("roll"), Tap("end")


@dataclass
class Screen:
    """A drawn screen: a list, a box over its second entry, and the caps of the two buttons."""

    area: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 800, 480))
    spots: list = field(
        default_factory=lambda: [
            ("entry:0", pygame.Rect(0, 0, 800, 100)),
            ("entry:1", pygame.Rect(0, 100, 800, 100)),
            ("over", pygame.Rect(100, 100, 100, 100)),
            ("cap:roll", pygame.Rect(0, 400, 300, 80)),
            ("cap:end", pygame.Rect(500, 400, 300, 80)),
        ]
    )


SCREEN = Screen()
FIRST, SECOND, OVER, NOTHING = (400, 50), (400, 150), (150, 150), (400, 300)
ROLL_CAP, END_CAP = (100, 440), (600, 440)


class Person:
    """Generates input events at given times and collects the gestures."""

    def __init__(self):
        self.inputs = Inputs()
        self.gestures = []

    def does(self, at, kind, **facts):
        self.gestures += self.inputs.event(pygame.event.Event(kind, facts), SCREEN, at)
        return self

    def key(self, at, key, unicode="", mod=0, up=False):
        return self.does(at, pygame.KEYUP if up else pygame.KEYDOWN, key=key, unicode=unicode, mod=mod)

    def mouse(self, at, place, up=False, button=1, touch=False):
        kind = pygame.MOUSEBUTTONUP if up else pygame.MOUSEBUTTONDOWN
        return self.does(at, kind, pos=place, button=button, touch=touch)

    def finger(self, at, place, up=False, finger=0):
        """A touch as SDL reports it: a finger event, followed by a simulated mouse event."""
        x, y = place[0] / 800, place[1] / 480
        kind = pygame.FINGERUP if up else pygame.FINGERDOWN
        self.does(at, kind, x=x, y=y, dx=0, dy=0, touch_id=7, finger_id=finger, pressure=1.0)
        return self.mouse(at, place, up, touch=True) if finger == 0 else self

    def waits(self, until):
        self.gestures += self.inputs.gestures.due(until)
        return self


@pytest.fixture
def person():
    return Person()


@pytest.mark.parametrize("key", [pygame.K_SPACE, pygame.K_r])
def test_space_and_r_are_roll(person, key):
    assert person.key(0, key).key(0.2, key, up=True).gestures == [ROLL]


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_e])
def test_enter_and_e_are_end(person, key):
    assert person.key(0, key).key(0.2, key, up=True).gestures == [END]


def test_holding_enter_means_back(person):
    assert person.key(0, pygame.K_RETURN).waits(2).key(3, pygame.K_RETURN, up=True).gestures == [Held("end")]


def test_escape_or_both_keys_open_the_menu(person):
    assert person.key(0, pygame.K_ESCAPE).gestures == [Both()]
    assert person.key(1, pygame.K_SPACE).key(1, pygame.K_RETURN).waits(2).gestures == [Both(), Both()]


def test_arrow_keys_and_the_wheel_move_the_selection(person):
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN):
        person.key(0, key)
    person.does(0, pygame.MOUSEWHEEL, x=0, y=1).does(0, pygame.MOUSEWHEEL, x=0, y=-3)
    person.does(0, pygame.MOUSEWHEEL, x=1, y=0)
    assert [gesture.step for gesture in person.gestures] == [-1, -1, 1, 1, -1, 1]
    assert all(isinstance(gesture, Moved) for gesture in person.gestures)


def test_other_characters_count_as_typing(person):
    person.key(0, pygame.K_5, "5").key(0, pygame.K_KP7, "7").key(0, pygame.K_d, "D").key(0, pygame.K_TAB, "\t")
    person.key(0, pygame.K_LSHIFT).does(0, pygame.TEXTINPUT, text="5")
    assert person.gestures == [Typed("5"), Typed("7"), Typed("D")]


def test_desktop_shortcuts_are_ignored(person):
    person.key(0, pygame.K_r, "\x12", pygame.KMOD_LCTRL).key(0, pygame.K_RETURN, "\r", pygame.KMOD_LALT)
    person.key(0.1, pygame.K_r, up=True).key(0.1, pygame.K_RETURN, up=True)
    assert person.gestures == []


def test_while_typing_a_name_letters_are_not_shortcuts(person):
    person.inputs.typing = True
    person.key(0, pygame.K_r, "r").does(0, pygame.TEXTINPUT, text="r").key(0.1, pygame.K_r, up=True)
    person.does(0.2, pygame.TEXTINPUT, text="é").does(0.3, pygame.TEXTINPUT, text=" ").key(
        0.4, pygame.K_BACKSPACE, "\b"
    )
    person.key(0.5, pygame.K_RETURN, "\r").key(0.6, pygame.K_RETURN, up=True)
    assert person.gestures == [Typed("r"), Typed("é"), Typed(" "), Typed("\b"), END]


def test_two_keys_for_the_same_button_are_one_press(person):
    person.key(0, pygame.K_RETURN).key(0.1, pygame.K_e).key(0.2, pygame.K_RETURN, up=True)
    assert person.gestures == []
    assert person.key(0.3, pygame.K_e, up=True).gestures == [END]


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_a_spot_is_touched_at_the_release(person, by):
    point = getattr(person, by)
    assert point(0, FIRST).gestures == []
    assert point(0.2, FIRST, up=True).gestures == [Touched("entry:0")]


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_the_spot_drawn_last_is_touched(person, by):
    point = getattr(person, by)
    point(0, OVER)
    assert point(0.2, OVER, up=True).gestures == [Touched("over")]


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_sliding_to_another_spot_touches_neither(person, by):
    point = getattr(person, by)
    point(0, FIRST)
    assert point(0.2, SECOND, up=True).gestures == []


def test_touching_outside_all_spots_is_reported_too(person):
    assert person.finger(0, NOTHING).finger(0.1, NOTHING, up=True).gestures == [Touched("")]


def test_a_touch_at_the_very_edge_counts(person):
    person.does(0, pygame.FINGERDOWN, x=1.0, y=1.0, touch_id=7, finger_id=0)
    assert person.does(0.1, pygame.FINGERUP, x=1.0, y=1.0, touch_id=7, finger_id=0).gestures == [END]


def test_only_the_left_mouse_button_counts(person):
    assert person.mouse(0, FIRST, button=3).mouse(0.1, FIRST, button=3, up=True).gestures == []


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_touching_a_cap_presses_its_button(person, by):
    point = getattr(person, by)
    point(0, ROLL_CAP)
    point(0.2, ROLL_CAP, up=True)
    point(1, END_CAP)
    point(1.2, END_CAP, up=True)
    assert person.gestures == [ROLL, END]


def test_sliding_off_the_end_cap_cancels_the_press(person):
    assert person.finger(0, END_CAP).finger(0.3, NOTHING, up=True).waits(2).gestures == []


def test_two_fingers_on_both_caps_open_the_menu(person):
    person.finger(0, ROLL_CAP).finger(0.01, END_CAP, finger=1).waits(1)
    person.finger(1.1, ROLL_CAP, up=True).finger(1.2, END_CAP, up=True, finger=1)
    assert person.waits(5).gestures == [Both()]


def test_holding_the_roll_cap_starts_a_look(person):
    person.inputs.gestures.looking = True
    assert person.finger(0, ROLL_CAP).waits(1).gestures == [Look(True)]
    assert person.finger(2, NOTHING, up=True).gestures == [Look(True), Look(False)]


def test_losing_the_focus_releases_everything(person):
    person.inputs.gestures.looking = True
    person.key(0, pygame.K_SPACE).mouse(0.5, FIRST).does(1, pygame.WINDOWFOCUSLOST)
    assert person.gestures == [Look(True), Look(False)]
    person.mouse(2, FIRST, up=True).key(2, pygame.K_SPACE, up=True)
    assert person.gestures == [Look(True), Look(False)]
    assert person.inputs.gestures.next_due is None


def test_a_key_held_when_the_focus_is_lost_means_nothing(person):
    assert person.key(0, pygame.K_RETURN).does(0.5, pygame.WINDOWFOCUSLOST).waits(5).gestures == []


def test_physical_buttons_work_alongside_the_keys(person):
    inputs = person.inputs
    assert inputs.pressed("end", 0.0) == []
    assert inputs.gestures.next_due is not None
    assert inputs.released("end", 0.2) == [END]
    person.does(0.3, pygame.WINDOWFOCUSLOST)
    assert inputs.pressed("roll", 1.0) + inputs.gestures.due(1.1) == [ROLL]


def test_a_touch_that_began_on_another_screen_is_ignored(person):
    person.mouse(0, FIRST).key(0, pygame.K_RETURN)
    assert person.inputs.screen_changed(0.1) == []
    assert person.mouse(0.2, FIRST, up=True).key(0.2, pygame.K_RETURN, up=True).gestures == []


def test_touches_are_ignored_until_something_is_drawn():
    inputs = Inputs()
    event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=FIRST, button=1, touch=False)
    assert inputs.event(event, None, 0.0) == []


def test_other_events_are_ignored(person):
    person.does(0, pygame.MOUSEMOTION, pos=FIRST, rel=(0, 0), buttons=(0, 0, 0)).does(0, pygame.ACTIVEEVENT)
    assert person.does(0, pygame.USEREVENT).gestures == []


def test_only_handles_can_be_dragged(person):
    handle = Screen(spots=[("handle:2", pygame.Rect(0, 0, 50, 50)), ("page", pygame.Rect(60, 0, 50, 50))])
    inputs = person.inputs

    def does(kind, place):
        facts = {"pos": place, "touch": False, "button": 1}
        return inputs.event(pygame.event.Event(kind, facts), handle, 0.0)

    assert does(pygame.MOUSEMOTION, (20, 20)) == []
    does(pygame.MOUSEBUTTONDOWN, (20, 20))
    assert does(pygame.MOUSEMOTION, (300, 200)) == [Dragged("handle:2", (300, 200))]
    does(pygame.MOUSEBUTTONUP, (300, 200))
    assert does(pygame.MOUSEMOTION, (310, 200)) == []
    does(pygame.MOUSEBUTTONDOWN, (70, 20))
    assert does(pygame.MOUSEMOTION, (300, 200)) == []


@pytest.mark.parametrize(("down", "up", "step"), [(350, 240, 1), (350, 140, 2), (150, 260, -1), (150, 360, -2)])
def test_dragging_a_list_scrolls_by_whole_entries_without_selecting(person, down, up, step):
    for pointer in ("mouse", "finger"):
        person.gestures.clear()
        spots = [(f"entry:{n}", pygame.Rect(0, 100 * n, 800, 100)) for n in range(4)]
        inputs, screen = person.inputs, Screen(spots=spots)

        def does(kind, y, pointer=pointer, inputs=inputs, screen=screen):
            facts = {"pos": (50, y), "touch": False, "button": 1}
            if pointer == "finger":
                facts = {"x": 50 / 800, "y": y / 480, "touch_id": 7, "finger_id": 0}
            person.gestures += inputs.event(pygame.event.Event(kind, facts), screen, 0.0)

        press, move, lift = (
            (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP)
            if pointer == "mouse"
            else (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP)
        )
        does(press, down)
        for y in range(down, up, 5 if up > down else -5):
            does(move, y)
        does(move, up)
        does(lift, up)
        assert sum(gesture.step for gesture in person.gestures) == step
        assert all(isinstance(gesture, Scrolled) for gesture in person.gestures)


def test_small_movements_still_select_an_entry(person):
    person.mouse(0, SECOND)
    for place in ((410, 190), (390, 110)):
        person.does(0, pygame.MOUSEMOTION, pos=place, touch=False)
    assert person.mouse(0.1, (390, 110), up=True).gestures == [Touched("entry:1")]
