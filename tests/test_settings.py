"""The settings that people change at the table."""

from dataclasses import replace

from table.config import DEFAULT
from table.config.sections import ScreenSettings
from table.ui.kiosk.settings import Settings


def test_settings_start_from_the_config_and_the_journal_overrides_them():
    config = replace(DEFAULT, screen=ScreenSettings(language="es", brightness=60))
    settings = Settings.of(config).with_kept({"brightness": 80, "odds": True})
    assert (settings.language, settings.brightness, settings.odds) == ("es", 80, True)


def test_unknown_settings_and_values_are_ignored():
    kept = {"volume": 101, "brightness": True, "language": "xx", "source": 5, "sound": 1, "room": {}, "fixed": ["odds"]}
    assert Settings().with_kept(kept) == Settings()


def test_changes_made_before_the_journal_was_read_are_kept():
    settings = Settings().changed("volume", 20).with_kept({"volume": 90, "large_text": True})
    assert (settings.volume, settings.large_text) == (20, True)
