"""What the server refuses, with the word for programs and the status for HTTP.

Refused              400  something that cannot be done; the message says what can
├── NotFound         404  no such game
├── NotYours         403  somebody else's seat, or another site's page
├── Conflict         409  not now: the game is over, the seat is taken, nothing was asked
│   └── Stale        409  made on an older version of the game; the answer has the present one
├── TooLarge         413  too many bytes
├── TooMany          429  too often, or too much at once
└── Unavailable      503  the database does not answer
"""

from __future__ import annotations

from gridwise.errors import GridwiseError, OutOfTurn


class Refused(GridwiseError):
    """Something that cannot be done."""

    status = 400


class NotFound(Refused):
    """There is no such game, or no such page."""

    kind, status = "not-found", 404


class NotYours(Refused):
    """It takes a seat that this browser does not hold."""

    kind, status = "not-yours", 403


class Conflict(Refused):
    """It cannot be done as things stand."""

    kind, status = "conflict", 409


class Stale(Conflict):
    """The game has moved on since the version it was made on."""

    kind = "stale"


class TooLarge(Refused):
    """More bytes than anybody needs."""

    kind, status = "too-large", 413


class TooMany(Refused):
    """More often, or more at once, than is allowed."""

    kind, status = "too-many", 429

    def __init__(self, message: str, after: int = 10) -> None:
        super().__init__(message)
        self.after = after  # seconds until it is worth trying again


class Unavailable(Refused):
    """The database does not answer, so nothing can be promised."""

    kind, status = "unavailable", 503


def kind_and_status(error: GridwiseError) -> tuple[str, int]:
    """The word and the HTTP status for anything that is raised on purpose."""
    if isinstance(error, Refused):
        return error.kind, error.status
    if isinstance(error, OutOfTurn):
        return "out-of-turn", 409
    return error.kind, 400
