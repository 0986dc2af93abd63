"""What people change at the table itself. The config has the values at the start, the journal the last ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from table.config import Config
from table.devices import SOURCES
from table.text.catalogue import languages


@dataclass(frozen=True)
class Settings:
    language: str = "en"
    large_text: bool = False
    brightness: int = 100
    sound: bool = True
    volume: int = 70
    source: str = "simulated"
    odds: bool = False  # shown beside the prompt
    fixed: frozenset[str] = frozenset()  # names that the command line or somebody here has decided

    @staticmethod
    def of(config: Config) -> "Settings":
        return Settings(
            config.screen.language,
            config.screen.large_text,
            config.screen.brightness,
            config.sound.on,
            config.sound.volume,
            config.dice.source,
        )

    def changed(self, name: str, value: Any) -> "Settings":
        """That one changed here: the journal no longer decides it."""
        return replace(self, **{name: value, "fixed": self.fixed | {name}})

    def with_kept(self, kept: Mapping[str, Any]) -> "Settings":
        """These, changed by what the journal kept. Unknown names and invalid values are ignored."""
        valid = {name: value for name, value in kept.items() if name in VALID and VALID[name](value)}
        return replace(self, **{name: value for name, value in valid.items() if name not in self.fixed})


def _is_switch(value: Any) -> bool:
    return type(value) is bool


def _is_percent(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 100


VALID: dict[str, Callable[[Any], bool]] = {
    "language": lambda value: value in languages(),
    "large_text": _is_switch,
    "brightness": _is_percent,
    "sound": _is_switch,
    "volume": _is_percent,
    "source": lambda value: value in SOURCES,
    "odds": _is_switch,
}
