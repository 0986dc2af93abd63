"""The config file: valid values are used; errors name the line and suggest the nearest valid value."""

import tomllib
from dataclasses import FrozenInstanceError, fields, replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table import config
from table.app import main
from table.app.arguments import WRONG_USE
from table.config import DEFAULT, commented, load, parse, paths
from table.config.sections import KEYS
from table.config.values import CAMERAS, parse_size
from table.engine.errors import Refused


def refusal(text: str) -> str:
    with pytest.raises(Refused) as caught:
        parse(text, "table.toml")
    said = str(caught.value)
    assert "\n" not in said
    return said


# Valid files


def test_a_missing_or_empty_file_means_all_defaults():
    assert load(None) == parse("", "table.toml") == parse("[screen]\n[dice]\n", "table.toml") == DEFAULT


def test_the_system_wide_file_is_used_unless_another_one_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(paths, "MACHINE", tmp_path / "dicetable.toml")
    assert paths.config() is None
    paths.MACHINE.write_text("[screen]\nlanguage = 7\n", encoding="utf-8")
    assert main(["table"]) == WRONG_USE
    assert f"{paths.MACHINE}, line 2" in capsys.readouterr().err
    assert main(["table", "--config", str(tmp_path / "other.toml")]) == WRONG_USE
    assert "other.toml" in capsys.readouterr().err


def test_the_commented_file_has_every_key_with_its_default():
    written = tomllib.loads(commented())
    assert parse(commented(), "table.toml") == DEFAULT
    assert {name: list(keys) for name, keys in written.items()} == {
        section.name: [key.name for key in fields(getattr(DEFAULT, section.name))] for section in fields(DEFAULT)
    }


def test_every_key_of_the_commented_file_has_a_comment_above_it():
    lines = commented().splitlines()
    for before, line in pairwise(lines):
        assert before.startswith("# ") or "=" not in line or line.startswith("#")
        assert len(line) <= 110


CHANGED = {
    ("screen", "window"): '"1280x720"',
    ("screen", "language"): '"es"',
    ("screen", "large_text"): "true",
    ("screen", "brightness"): "0",
    ("screen", "idle_minutes"): "240",
    ("buttons", "enabled"): '"off"',
    ("buttons", "roll_pin"): "0",
    ("buttons", "end_pin"): "5",
    ("buttons", "roll_lamp"): "6",
    ("buttons", "end_lamp"): "26",
    ("buttons", "pull_up"): "false",
    ("buttons", "pin_factory"): '"lgpio"',
    ("buttons", "debounce_ms"): "40",
    ("buttons", "roll_colour"): '"red"',
    ("buttons", "end_colour"): '"white"',
    ("dice", "source"): '"typed"',
    ("dice", "camera"): '"csi"',
    ("dice", "edice"): '"/dev/ttyACM0"',
    ("sound", "on"): "false",
    ("sound", "volume"): "100",
    ("phones", "on"): "false",
    ("phones", "port"): "9000",
    ("phones", "room"): '"The Red Lion"',
    ("phones", "public_url"): '"https://dice.example.org"',
    ("phones", "reach"): '"anywhere"',
    ("phones", "create"): "false",
    ("phones", "odds"): "true",
    ("phones", "patience"): "30",
    ("phones", "position"): '"52.37,4.89"',
    ("mqtt", "address"): '"mqtt://ann:secret@homeassistant.local"',
    ("mqtt", "name"): '"The Red Lion"',
    ("mqtt", "discovery"): '"ha/found"',
    ("league", "address"): '"postgresql://ann:secret@db.example.org/dicetable"',
    ("league", "name"): '"The Red Lion"',
    ("operator", "pin"): '"2468"',
    ("journal", "megabytes"): "64",
    ("journal", "folder"): "'C:\\Users\\Ann Smith\\dice'",
}


def test_every_key_can_be_changed_without_affecting_others():
    assert set(CHANGED) == {(section.name, key) for section in fields(DEFAULT) for key in KEYS[section.name]}
    for (section, key), value in CHANGED.items():
        changed = parse(f"[{section}]\n{key} = {value}\n", "table.toml")
        before = getattr(DEFAULT, section)
        taken = getattr(getattr(changed, section), key)
        assert taken != getattr(before, key)
        assert changed == replace(DEFAULT, **{section: replace(before, **{key: taken})})


@pytest.mark.parametrize(
    "text", ["sound.volume = 5", "sound = {volume = 5}", "[sound]\r\nvolume = 5\r\n", '["sound"]\n"volume" = 5']
)
def test_keys_can_be_written_in_any_toml_syntax(text):
    assert parse(text, "table.toml").sound.volume == 5


def test_a_config_is_immutable():
    with pytest.raises(FrozenInstanceError):
        DEFAULT.sound.volume = 3


def test_a_key_in_its_former_section_still_works():
    older = parse('[phones]\nport = 9000\npin = "2468"\n', "table.toml")
    assert older == parse('[phones]\nport = 9000\n[operator]\npin = "2468"\n', "table.toml")
    assert older.operator.pin == "2468" and "pin" not in KEYS["phones"]


@pytest.mark.parametrize(("pin", "typed"), [("secret", ""), ("12", "12"), ("2468 1357", ""), ("1" * 13, "")])
def test_a_pin_in_the_former_section_that_is_now_invalid_still_lets_the_table_start(pin, typed):
    older = parse(f'[operator]\n[phones]\npin = "{pin}"\n', "table.toml")
    assert (older.operator.pin, older.operator.typed) == (pin, typed)


# Invalid files

PIN = 'four to twelve digits in quotes, such as "2468", or "" for none'
SECTIONS = [section.name for section in fields(DEFAULT)]
WRONG = [
    ("[buttons]\nroll_pim = 4", 'line 2: There is no key "roll_pim" in [buttons]. Did you mean roll_pin?'),
    (
        "[sound]\non = true\n\n# why\nbrightness = 40",
        'line 5: There is no key "brightness" in [sound]. It belongs in [screen].',
    ),
    ("[sound]\nxyz = 1", 'line 2: There is no key "xyz" in [sound]. Its keys are on, volume.'),
    ("\n[buttins]\nroll_pin = 3", "line 2: There is no section [buttins]. Did you mean buttons?"),
    (
        "[camera]",
        f"line 1: There is no section [camera]. There are {', '.join(SECTIONS[:-1])} or {SECTIONS[-1]}.",
    ),
    ("volume = 3", 'line 1: The key "volume" is outside of all sections. It belongs under [sound].'),
    ("volum = 3", 'line 1: There is no key "volum". Did you mean volume? Every key belongs to a section.'),
    ("sound = 3", "line 1: sound is a section: write [sound], and its keys on the lines below."),
    ("[[sound]]\non = true", "line 1: sound is a section: write [sound], and its keys on the lines below."),
    (
        "[sound]\nvolume = 101",
        "line 2: [sound] volume must be a whole number from 0 to 100, not 101. Did you mean 100?",
    ),
    ("[sound]\nvolume = -1", "line 2: [sound] volume must be a whole number from 0 to 100, not -1. Did you mean 0?"),
    (
        '[sound]\nvolume = "70"',
        'line 2: [sound] volume must be a whole number from 0 to 100, not "70". Did you mean 70?',
    ),
    ("[sound]\nvolume = nan", "line 2: [sound] volume must be a whole number from 0 to 100, not NaN."),
    ("[sound]\nvolume = true", "line 2: [sound] volume must be a whole number from 0 to 100, not true."),
    ("[sound]\nvolume = 1979-05-27", "line 2: [sound] volume must be a whole number from 0 to 100, not that date."),
    ('[sound]\non = "yes"', 'line 2: [sound] on must be true or false, not "yes". Did you mean true?'),
    ("[sound]\non = 0", "line 2: [sound] on must be true or false, not 0. Did you mean false?"),
    ("[sound]\non = []", "line 2: [sound] on must be true or false, not []."),
    (
        "[screen]\nidle_minutes = 0",
        "line 2: [screen] idle_minutes must be a whole number from 1 to 240, not 0. Did you mean 1?",
    ),
    (
        '[dice]\nsource = "Simulate"',
        (
            'line 2: [dice] source must be "simulated", "typed", "camera" or "edice", not "Simulate". '
            "Did you mean simulated?"
        ),
    ),
    (
        '[dice]\ncamera = "camra:0"',
        f'line 2: There is no camera "camra:0". Did you mean camera:0? A camera is {CAMERAS}.',
    ),
    ("[dice]\ncamera = 0", "line 2: [dice] camera must be one line of text, not 0."),
    ('[screen]\nlanguage = "fr"', 'line 2: [screen] language must be "en" or "es", not "fr".'),
    ('[screen]\nwindow = "big"', 'line 2: A window has a size such as 1280x720, not "big".'),
    (
        "[screen]\nwindow = [1280, 720]",
        'line 2: [screen] window must be a size such as "1280x720", or "" for full screen, not [1280, 720].',
    ),
    ('[journal]\nfolder = "a\\nb"', 'line 2: [journal] folder must be one line of text, not "a\\nb".'),
    ("[mqtt]\naddress = 7", "line 2: [mqtt] address must be one line of text, not 7."),
    (
        '[mqtt]\ndiscovery = "a/#"',
        'line 2: [mqtt] discovery must be words of letters, digits, _ and -, separated by /, not "a/#".',
    ),
    ("[operator]\npin = 2468", f"line 2: [operator] pin must be {PIN}, not 2468."),
    ('[operator]\npin = "123"', f'line 2: [operator] pin must be {PIN}, not "123".'),
    ("[phones]\non = true\npin = 2468", "line 3: [phones] pin must be one line of text, not 2468."),
    (
        'operator = 5\n[phones]\npin = "2468"',
        "line 1: operator is a section: write [operator], and its keys on the lines below.",
    ),
    (
        'operator = "pin"\n[phones]\npin = "2468"',
        "line 1: operator is a section: write [operator], and its keys on the lines below.",
    ),
    (
        '[operator]\npin = "2468"\n[phones]\npin = "2468"',
        "line 4: [phones] pin is now [operator] pin, which is set too: remove this one.",
    ),
    (
        "[buttons]\nroll_pin = 28",
        "line 2: [buttons] roll_pin must be a whole number from 0 to 27, not 28. Did you mean 27?",
    ),
    (
        "[buttons]\nroll_pin = 27",
        "line 2: [buttons] roll_pin is 27, and so is end_pin: choose different pins.",
    ),
    (
        "[buttons]\nend_lamp = 5\n\nroll_pin = 5",
        "line 4: [buttons] roll_pin is 5, and so is end_lamp: choose different pins.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_errors_name_the_line_and_a_valid_value(text, sentence):
    assert refusal(text) == refusal(text.replace("\n", "\r\n")) == f"table.toml, {sentence}"


FOUND = [
    ('# volum = 1\n[journal]\nfolder = """\\\n[sound]\\\nvolum = 2"""\n[sound]\non = false # volum = 3\nvolum = 4', 8),
    ('[journal]\nfolder = "volum = 1"\n[sound]\n"volum" = 4', 4),
    ("[dice]\n\nsound.volum = 1\n", 3),  # this key is inside [dice], where it is invalid
    ("sound.on = true\nsound.volum = 1\n", 2),
    ("\nsound = {on = true, volum = 1}", 2),
    ("[sound]\nvolum = [ # a list\n  1,\n\n  2]\non = true", 2),
    ("[sound]\non = true\n[sound.volum]\nx = 1\n", 3),
    ("[sound]\nvolum = '''\n'''\n", 2),
]


@pytest.mark.parametrize(("text", "line"), FOUND)
def test_the_line_is_found_in_any_toml_syntax(text, line):
    assert refusal(text).startswith(f"table.toml, line {line}: There is no key ")


STATEMENTS = [
    "# a comment",
    "",
    "on = true",
    "volume = 5",
    "x1 = [\n1,\n# one\n2]",
    'x2 = """\non = 3\n\n"""',
    "x3.y = {z = 1}",
]


@given(st.permutations(STATEMENTS))
def test_the_line_is_the_first_one_of_the_statement(statements):
    text = "\n".join(["[sound]", *statements])
    first = next(statement for statement in statements if statement.startswith("x"))
    line = 2 + "\n".join(["", *statements]).split(f"\n{first}")[0].count("\n")
    assert refusal(text).startswith(f'table.toml, line {line}: There is no key "{first[:2]}" in [sound].')


NOT_TOML = [
    ("[sound]\nvolume 3", 2),
    ("[sound]\nvolume = ", 2),
    ("[sound]\nvolume = 3\nvolume = 4", 3),
    ("[sound\n", 1),
    ("[journal]\nfolder = 'x", 2),
    ('[journal]\nfolder = """x\ny\n', 3),
    ("[sound]\n[sound]", 2),
]


@pytest.mark.parametrize(("text", "line"), NOT_TOML)
def test_toml_syntax_errors_name_the_line_too(text, line):
    assert refusal(text).startswith(f"table.toml, line {line}: This is not TOML: ")


@pytest.mark.parametrize("text", ["[sound]\nvolume = " + "9" * 5000, "[sound]\nvolume = " + "[" * 5000])
def test_endless_numbers_and_brackets_are_refused(text):
    assert refusal(text).startswith("table.toml")


def test_the_line_is_found_quickly_in_a_long_file():
    lines = [f"# {number}" for number in range(5000)]
    assert refusal("\n".join([*lines, "[sound]", *lines, "volum = 1", *lines])).startswith("table.toml, line 10002: ")


@given(st.text())
def test_any_text_is_either_parsed_or_refused_with_one_sentence(text):
    try:
        parse(text, "table.toml")
    except Refused:
        assert refusal(text).startswith("table.toml")


# The file


def test_a_file_with_a_byte_order_mark_can_be_read(tmp_path):
    file = tmp_path / "table.toml"
    file.write_bytes("\ufeff[sound]\r\nvolume = 3\r\n".encode())
    assert load(file).sound.volume == 3


def test_a_wrong_key_is_reported_with_the_name_of_the_file(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text("[sound]\nvolum = 3\n", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        load(file)
    assert str(caught.value) == f'{file}, line 2: There is no key "volum" in [sound]. Did you mean volume?'


def test_an_unreadable_file_is_refused_with_one_sentence(tmp_path):
    latin, long = tmp_path / "latin.toml", tmp_path / "long.toml"
    latin.write_bytes("[journal]\nfolder = 'años'".encode("latin-1"))
    long.write_bytes(b"#" * (config.MOST_BYTES + 1))
    said = {
        tmp_path / "none.toml": f"There is no file {tmp_path / 'none.toml'}: create one with dicetable config.",
        tmp_path: f"{tmp_path} is a folder, not a config file.",
        latin: f"{latin}, line 2: This is not UTF-8. Save the file as UTF-8.",
        long: f"{long} is too long for a config file.",
        Path("a\0b"): '"a\\u0000b" is not a valid file name.',
    }
    for path, sentence in said.items():
        with pytest.raises(Refused) as caught:
            load(path)
        assert str(caught.value) == sentence


# Sizes


@pytest.mark.parametrize(
    ("text", "size"),
    [("1280x720", (1280, 720)), (" 800 X 480 ", (800, 480)), ("320x240", (320, 240)), ("7680×4320", (7680, 4320))],
)
def test_a_size_is_width_and_height(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "1280", "x720", "1280x", "1280x720x3", "-800x480", "1e3x480", "٣٢٠x240", "800.5x480"]
)
def test_an_invalid_size_is_refused_with_an_example(text):
    with pytest.raises(Refused, match="A window has a size such as 1280x720, not "):
        parse_size(text)


@pytest.mark.parametrize("text", ["319x240", "800x99", "99999x99999"])
def test_a_size_out_of_range_is_refused_with_the_range(text):
    with pytest.raises(Refused) as caught:
        parse_size(text)
    assert str(caught.value) == f"A window has a size from 320x240 to 7680x4320, not {text}."
