"""Checkpoints: every answer is kept as it comes, so that nothing has to be asked twice.

JSON Lines. The first says what is graded, so that another grading does not go on from it; then
comes a line for each move.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from gridwise.arena.grades.line_log import LineLog
from gridwise.errors import BadRequest, quoted

Entry: TypeAlias = dict[str, Any]


class Checkpoint:
    """A file of answers, read once and then appended to; nothing is kept without a path.

    `fields` are what each entry has, with their types.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, about: Entry, fields: Mapping[str, type]
    ) -> None:
        self.entries: list[Entry] = []  # of an earlier run
        self._log = None if path is None else LineLog(path)
        if self._log:
            try:
                self._continue(self._log, about, fields)
            except BaseException:
                self._log.close()
                raise

    def _continue(self, log: LineLog, about: Entry, fields: Mapping[str, type]) -> None:
        name = quoted(str(log.path), 200)
        kept = list(_read(log, name))
        if not kept and json.dumps(about).encode().startswith(log.torn_line()):
            log.drop_torn_line()
            self.add(about)
            return
        if not kept or "checkpoint" not in kept[0]:
            raise BadRequest(f"{name} is no checkpoint.")
        if kept[0] != about:
            keys = about.keys() | kept[0].keys()
            differing = sorted(k for k in keys if kept[0].get(k) != about.get(k))
            named = ", ".join(f"{key} {kept[0].get(key)!r}" for key in differing[:3])
            raise BadRequest(f"{name} is the checkpoint of another grading: {named}.")
        for number, entry in enumerate(kept[1:], 2):
            if {key: type(value) for key, value in entry.items()} != fields:
                raise BadRequest(f"{name} is damaged in line {number}.")
        self.entries = kept[1:]
        log.drop_torn_line()

    def add(self, entry: Entry) -> None:
        """Append an entry; once this returns, a kill does not lose it."""
        if self._log:
            self._log.add(json.dumps(entry))

    def close(self) -> None:
        """Close the file."""
        if self._log:
            self._log.close()


def _read(log: LineLog, name: str) -> Iterator[Entry]:
    """The entries of a file; raises BadRequest for a line that is none."""
    for number, line in enumerate(log.lines(), 1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            problem = f"is damaged in line {number}" if number > 1 else "is no checkpoint"
            raise BadRequest(f"{name} {problem}.")
        yield entry
