"""Conversation: an engine that is checked, with everything that was said noted for the report."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gridwise.core.game import Game
from gridwise.engine.ugi.process import UgiProcess, signals_deferred
from gridwise.errors import BadRequest, quoted

START_SECONDS = 10.0  # for the answer to `ugi`
READY_SECONDS = 60.0  # for the first `readyok`: an engine may compile or load something
MOST_LINES = 20  # of what an engine said that a report shows
LONGEST_LINE = 200

ANSWERS = ("id", "option", "ugiok", "readyok", "response", "info", "bestmove")


class Status(StrEnum):
    """How a check came out."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"  # it does not apply, or the engine did not get that far


@dataclass
class Check:
    """One check: what it is about, and what happened."""

    name: str
    about: str
    status: Status = Status.SKIPPED
    sent: list[str] = field(default_factory=list)
    expected: str = ""
    got: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The check for other programs."""
        return {
            "name": self.name,
            "about": self.about,
            "status": str(self.status),
            "sent": self.sent,
            "expected": self.expected,
            "got": self.got,
        }


class CheckFailed(Exception):
    """Ends a check; what was expected and what came are in it."""

    def __init__(self, expected: str, *got: str) -> None:
        super().__init__(expected)
        self.expected, self.got = expected, got


class CheckSkipped(Exception):
    """Ends a check that does not apply."""


class Conversation:
    """An engine that is checked: what is said to it, and what it says, noted for the report."""

    def __init__(self, command: str, game: Game, patience: float) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise BadRequest(f"Cannot read the command {quoted(command)}: {error}.") from None
        if not self._words:
            raise BadRequest("ugi-check needs the command of an engine, like ./engine.")
        self.command, self.game, self.patience = command, game, patience
        self.check = Check("", "")
        self.options: list[str] = []
        self.identity: dict[str, str] = {}
        self.strange: list[str] = []  # lines that begin with no word of the protocol
        self._process: UgiProcess | None = None

    def start(self) -> UgiProcess:
        """The running engine, started if it is not."""
        if self._process is None:
            with signals_deferred():
                self._process = UgiProcess(self.command, self._words)
        return self._process

    def close(self) -> None:
        """End the engine."""
        if self._process:
            process, self._process = self._process, None
            process.close()

    def say(self, line: str) -> None:
        """Say a line to it."""
        self.check.sent.append(line)
        self.start().send(line, self.patience)

    def hear(self, wanted: str, seconds: float | None = None) -> str | None:
        """The rest of its next line that begins with a word; None if it does not come in time."""
        seconds = self.patience if seconds is None else seconds
        heard = self.start().receive(wanted, seconds, self.note)
        if heard is not None:
            self.note(f"{wanted} {heard}".rstrip())
        return heard

    def expect(self, wanted: str, seconds: float | None = None) -> str:
        """The same; fails the check if it does not come."""
        heard = self.hear(wanted, seconds)
        if heard is None:
            limit = self.patience if seconds is None else seconds
            raise CheckFailed(f"{wanted} within {limit:.3g} seconds")
        return heard

    def ready(self) -> None:
        """Have it say that it is there; fails the check if it does not."""
        self.say("isready")
        self.expect("readyok")

    def ask(self, position: str, question: str) -> str | None:
        """Its answer to a query about a position; None if there is none."""
        self.start().forget_lines()
        self.say(position)
        self.say(f"query {question}")
        self.say("isready")
        found: list[str] = []
        heard = self.start().receive("readyok", self.patience, found.append)
        for line in found:
            self.note(line)
        if heard is None:
            raise CheckFailed(f"response to query {question}, then readyok")
        answers = [line for line in found if line.split(" ", 1)[0] == "response"]
        return answers[0].partition(" ")[2] if answers else None

    def handshake(self) -> None:
        """Start it again after a check that has ended it, before the next one begins."""
        process = self.start()
        process.send("ugi", self.patience)
        if process.receive("ugiok", START_SECONDS) is None:
            raise CheckFailed("ugiok after a new start")
        process.send("isready", self.patience)
        if process.receive("readyok", READY_SECONDS) is None:
            raise CheckFailed("readyok after a new start")

    @property
    def running(self) -> bool:
        """Whether it has been started and not ended."""
        return self._process is not None

    def note(self, line: str) -> None:
        """Keep a line for the report; what begins with no word of the protocol also by itself."""
        if line and line.split(" ", 1)[0] not in ANSWERS:
            self.strange.append(line[:LONGEST_LINE])
            del self.strange[MOST_LINES:]
        self.check.got.append(line[:LONGEST_LINE])
        if len(self.check.got) > MOST_LINES:  # the last ones say what became of it
            self.check.got[MOST_LINES // 2 : -MOST_LINES // 2] = ["…"]
