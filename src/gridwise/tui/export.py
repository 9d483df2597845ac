"""A kept game as a file of its own: a record, a picture or an animation."""

from __future__ import annotations

from pathlib import Path

from gridwise.play.kept_game import SUFFIX
from gridwise.play.records import Record, back_up, record_text, recorded_positions, write_file

FORMS = {
    SUFFIX: "The record, as text",
    ".svg": "A picture of the end (SVG)",
    ".png": "A picture of the end (PNG)",
    ".gif": "The whole game, animated (GIF)",
}


def export(record: Record, target: Path) -> None:
    """Write a game as a record or a picture, whatever the name says; an older file is kept."""
    from gridwise.show.pictures import picture  # noqa: PLC0415 - 0.1 s, only for this

    if target.suffix == SUFFIX:
        content = record_text(record).encode()
    else:
        content = picture(target.suffix, [each.view for each in recorded_positions(record)])
    back_up(target)
    write_file(target, content)
