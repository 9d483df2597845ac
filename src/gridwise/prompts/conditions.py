"""Conditions: what a model is shown and how often it may try again, as data.

They are part of every result: two scores can be compared only if their conditions are the same. Two
sets of them have names, the tracks. `open` asks for everything a player needs: to know which moves
are legal, to keep track and to plan. `planning` shows the legal moves and takes the first answer.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from typing import Any

from gridwise.errors import BadRequest, quoted

CHOICES = {
    "legal_moves": ("shown", "hidden"),
    "history": ("shown", "hidden"),
    "board": ("grid", "sentences", "json"),
    "rules": ("full", "short"),
}
TRACKS: dict[str, dict[str, Any]] = {
    "open": {"legal_moves": "hidden", "history": "shown", "retries": 2},
    "planning": {"legal_moves": "shown", "history": "shown", "retries": 0},
}
DEFAULT_TRACK = "open"
MAX_RETRIES = 20  # more than anybody has asked for; a slip such as 2000 would cost money
_SKIN = re.compile(r"[a-z0-9-]{1,40}(\+[a-z0-9-]{1,40}){0,4}")


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a position is shown to a model, and what happens after a bad answer."""

    legal_moves: str = "hidden"  # whether the legal moves are listed, also after a bad answer
    history: str = "shown"  # whether the moves of both players so far are listed
    board: str = "grid"  # the board as a drawn grid, as sentences or as JSON
    rules: str = "full"  # the whole rules, or a few sentences
    retries: int = 2  # how often a model may try again after an answer that is no legal move
    skin: str = "plain"  # the words, names and side that the game is shown with: `skins.py`

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            given = getattr(self, name)
            if given not in choices:
                raise BadRequest(f"`{name}` is {' or '.join(choices)}, not {quoted(str(given))}.")
        if not isinstance(self.retries, int) or not 0 <= self.retries <= MAX_RETRIES:
            raise BadRequest(
                f"`retries` is a whole number from 0 to {MAX_RETRIES}, "
                f"not {quoted(str(self.retries))}."
            )
        if not isinstance(self.skin, str) or not _SKIN.fullmatch(self.skin):
            raise BadRequest(
                "A skin is named like plain, mirrored or theme+turned, "
                f"not {quoted(str(self.skin))}."
            )

    @classmethod
    def read(cls, **given: object) -> Conditions:
        """The conditions that task arguments name: texts or numbers, in any case.

        `track` names a set of them. What is not given, or None, is as the track has it, or by
        default. Raises BadRequest, which says what is possible.
        """
        names = [field.name for field in fields(cls)]
        track = str(given.pop("track", None) or DEFAULT_TRACK).strip().casefold()
        if track not in TRACKS:
            raise BadRequest(f"`track` is {' or '.join(TRACKS)}, not {quoted(track)}.")
        for name in given:
            if name not in names:
                raise BadRequest(
                    f"There is no condition {quoted(name)}. The conditions are track, "
                    f"{', '.join(names)}."
                )
        chosen = {name: _read(name, value) for name, value in given.items() if value is not None}
        return cls(**{**TRACKS[track], **chosen})

    @property
    def label(self) -> str:
        """The nearest track, and what is not as it has it: `open`, `planning skin=theme`."""
        labels: list[list[str]] = []
        for track, chosen in TRACKS.items():
            usual = Conditions(**chosen).to_dict()
            other = [f"{name}={it}" for name, it in self.to_dict().items() if it != usual[name]]
            labels.append([track, *other])
        nearest: list[str] = min(labels, key=len)
        return " ".join(nearest)

    def to_dict(self) -> dict[str, str | int]:
        """The conditions as data, for logs and results."""
        return asdict(self)


def _read(name: str, value: object) -> Any:  # noqa: ANN401 - the data class checks it
    """One argument in the form that the data class has."""
    text = str(value).strip().casefold()
    if name == "retries":
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) else value
    if isinstance(value, bool) and "shown" in CHOICES.get(name, ()):
        return "shown" if value else "hidden"
    return text
