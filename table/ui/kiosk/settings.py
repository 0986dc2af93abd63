"""What people change at the table itself. The config has the values at the start, the journal the last ones."""

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
    language: str = one_of(*LANGUAGES, help="Of all texts.")
    large_text: bool = flag(False, "Larger writing.")
    brightness: int = number(100, 0, 100, "Of the screen, in percent.")
    sound: bool = flag(True, "Whether there is any.")
    volume: int = number(70, 0, 100, "Of the sound, in percent.")
    source: str = one_of(*SOURCES, help="Where the dice come from.")
    odds: bool = flag(False, "Whether they are shown beside the prompt.")
    fixed: frozenset[str] = frozenset()  # names that the command line or somebody here has decided

    @staticmethod
    def of(config: Config) -> "Settings":
        screen, sound = config.screen, config.sound
        source = config.dice.source
        return Settings(screen.language, screen.large_text, screen.brightness, sound.on, sound.volume, source)

    def changed(self, name: str, value: Any) -> "Settings":
        """That one changed here: the journal no longer decides it."""
        return replace(self, **{name: value, "fixed": self.fixed | {name}})

    def with_kept(self, kept: Mapping[str, Any]) -> "Settings":
        """These, changed by what the journal kept. Unknown names and values that are not right are ignored."""
        found = {}
        for one in fields(self):
            if one.name in kept and one.name not in self.fixed and one.metadata:
                with suppress(Refused):
                    found[one.name] = checked(one.name, kind_of(one), kept[one.name])
        return replace(self, **found)
