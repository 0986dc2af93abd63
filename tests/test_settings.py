"""What people change at the table itself."""

from dataclasses import replace

from table.config import DEFAULT
from table.config.sections import ScreenSettings
from table.ui.kiosk.settings import Settings


def test_the_config_says_how_they_begin_and_the_journal_how_they_were_last():
    config = replace(DEFAULT, screen=ScreenSettings(language="es", brightness=60))
    settings = Settings.of(config).with_kept({"brightness": 80, "odds": True})
    assert (settings.language, settings.brightness, settings.odds) == ("es", 80, True)


def test_values_and_names_that_this_version_does_not_know_are_ignored():
    kept = {"volume": 101, "brightness": True, "language": "xx", "source": 5, "sound": 1, "room": {}, "fixed": ["odds"]}
    assert Settings().with_kept(kept) == Settings()


def test_what_was_changed_before_the_journal_was_read_stays():
    settings = Settings().changed("volume", 20).with_kept({"volume": 90, "large_text": True})
    assert (settings.volume, settings.large_text) == (20, True)
