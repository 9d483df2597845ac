"""Running all checks on an engine, and the report on them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from gridwise.core.game import Game
from gridwise.engine.ugi.compliance.checks import CHECKS, NEEDED, check_output
from gridwise.engine.ugi.compliance.conversation import (
    LONGEST_LINE,
    Check,
    CheckFailed,
    CheckSkipped,
    Conversation,
    Status,
)
from gridwise.errors import EngineFailed

PATIENCE = 5.0  # seconds for an answer


@dataclass
class Report:
    """All checks of an engine."""

    command: str
    game: str
    name: str
    author: str
    checks: list[Check]

    def count(self, status: Status) -> int:
        """How many checks came out like this."""
        return sum(check.status is status for check in self.checks)

    @property
    def ok(self) -> bool:
        """Whether no check has failed."""
        return not self.count(Status.FAILED)

    def to_json(self) -> dict[str, Any]:
        """The report for other programs."""
        return {
            "command": self.command,
            "game": self.game,
            "engine": {"name": self.name, "author": self.author},
            **{str(status): self.count(status) for status in Status},
            "checks": [check.to_json() for check in self.checks],
        }


def check_engine(
    command: str,
    game: Game,
    patience: float = PATIENCE,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Run all checks; the engine has ended when this returns."""
    talk = Conversation(command, game, patience)
    done: list[Check] = []
    gone = False
    try:
        for number, function in enumerate(CHECKS, 1):
            name = function.__name__.removeprefix("check_").replace("_", "-")
            check = Check(name, (function.__doc__ or "").rstrip("."))
            done.append(check)
            if not gone:
                _run(function, talk, check)
                gone = function in NEEDED and check.status is Status.FAILED
            if progress:
                progress(number)
    finally:
        talk.close()
    name, author = (talk.identity.get(each, "") for each in ("name", "author"))
    return Report(command, game.key, name, author, done)


def _run(function: Callable[[Conversation], None], talk: Conversation, check: Check) -> None:
    """Run one check, on an engine that runs."""
    talk.check = Check("", "")
    try:
        if not talk.running and function not in NEEDED and function is not check_output:
            talk.handshake()
        talk.check = check
        function(talk)
        check.status = Status.PASSED
    except CheckSkipped:
        check.status = Status.SKIPPED
    except CheckFailed as failure:
        check.status = Status.FAILED
        check.expected = failure.expected
        check.got += failure.got
    except EngineFailed as failure:
        check.status = Status.FAILED
        check.got.append(str(failure)[:LONGEST_LINE])
    if check.status is Status.FAILED:
        with suppress(EngineFailed):
            talk.close()  # a late answer must not be taken for the answer to another question
