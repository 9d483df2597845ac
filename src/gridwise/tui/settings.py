"""Settings: what a person has chosen for the app, kept in a file of their own."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from gridwise.errors import GridwiseError
from gridwise.folders import data_folder
from gridwise.play.records import write_file

MAX_DELAY_SECONDS = 5.0  # seconds


@dataclass(frozen=True)
class AppSettings:
    """What can be set. A field that is empty or 0 is not set."""

    theme: str = "dark"
    delay: float = 0.6  # seconds that a move is shown before the next one
    opponent: str = "bot:casual"  # in a game that was not played yet
    animation: bool = True  # whether the little boards of the home screen play
    choices: dict[str, dict[str, str]] = field(default_factory=dict)  # game -> the last new game

    def choices_for(self, game: str) -> dict[str, str]:
        """What was chosen for the last new game; of a file that was edited, what makes sense."""
        saved: object = self.choices.get(game)
        if not isinstance(saved, dict):
            return {}
        return {row: value for row, value in saved.items() if isinstance(value, str)}

    def with_delay(self, seconds: float) -> AppSettings:
        """These settings with another pace, within bounds."""
        return replace(self, delay=round(min(MAX_DELAY_SECONDS, max(0.0, seconds)), 2))


def settings_path() -> Path:
    """The file; raises GridwiseError where there is no home."""
    return data_folder() / "settings.json"


def load_settings() -> AppSettings:
    """What was saved; the defaults for all that is missing, damaged or of another type."""
    saved: object = None
    with suppress(OSError, ValueError, GridwiseError, RecursionError):
        saved = json.loads(settings_path().read_text(encoding="utf-8"))
    if not isinstance(saved, dict):
        return AppSettings()
    known = {
        name: saved[name]
        for name, default in asdict(AppSettings()).items()
        if _same_kind(saved.get(name), default)
    }
    settings = AppSettings(**known)
    return settings.with_delay(settings.delay)


def _same_kind(value: object, default: object) -> bool:
    if isinstance(default, float):
        return (
            isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
        )
    return type(value) is type(default)


def save_settings(settings: AppSettings) -> None:
    """Write them so that the file is never half written; a folder that cannot be written is let be.

    Nobody should be kept from playing because a preference could not be saved.
    """
    with suppress(OSError, GridwiseError):
        path = settings_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(asdict(settings), indent=1).encode())
