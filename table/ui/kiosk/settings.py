"""Settings that people change at the table. The config has the initial values; the journal stores changes."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from table.config import Config
from table.config.sections import LANGUAGES, SOURCES
from table.engine.errors import Refused
from table.engine.fields import checked, flag, kind_of, number, one_of


@dataclass(frozen=True)
class Settings:
    language: str = one_of(*LANGUAGES, help="Language of all texts.")
    large_text: bool = flag(False, "Larger text.")
    brightness: int = number(100, 0, 100, "Screen brightness in percent.")
    sound: bool = flag(True, "Sound on or off.")
    volume: int = number(70, 0, 100, "Sound volume in percent.")
    source: str = one_of(*SOURCES, help="Source of the dice.")
    odds: bool = flag(False, "Show odds next to the prompt.")
    fixed: frozenset[str] = frozenset()  # settings fixed by the command line or already changed in this run

    @staticmethod
    def of(config: Config) -> "Settings":
        screen, sound = config.screen, config.sound
        source = config.dice.source
        return Settings(screen.language, screen.large_text, screen.brightness, sound.on, sound.volume, source)

    def changed(self, name: str, value: Any) -> "Settings":
        """Returns a copy with a new value for this setting. The value in the journal can no longer override the new
        one."""
        return replace(self, **{name: value, "fixed": self.fixed | {name}})

    def with_kept(self, kept: Mapping[str, Any]) -> "Settings":
        """Returns a copy with the values saved in the journal. Unknown names and invalid values are ignored."""
        found = {}
        for one in fields(self):
            if one.name in kept and one.name not in self.fixed and one.metadata:
                with suppress(Refused):
                    found[one.name] = checked(one.name, kind_of(one), kept[one.name])
        return replace(self, **found)
