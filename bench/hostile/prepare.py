"""Databases as somebody hostile, or a few years, leave them; made before the server starts.

A server of the version that is measured makes one game of each kind, and the rest are copies of its
rows: nothing here knows how that version stores a game, but for the events of a long one.
"""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from bench.web_load.server import from_address, serving
from gridwise import Match, game, games

FINISHED = 300_000  # games that others have finished
LISTED = 10_000  # one in so many is listed for everybody
OWNERS = 3  # clients with unfinished games of their own
UNFINISHED = 50  # games of each, as many as one may have
PASTS = 4  # browsers with a long past
PAST = 10_000  # finished games of each
TAKE_BACKS = 708
PLIES = 500  # of the game that is taken back; each take-back replays them
MOST_PLIES = 1_000  # then a game is stopped
KIND = game("grid-runner")  # its board is always the same
POISONED = 40  # such games: one that was loaded stays in memory

Happened = tuple[int, str, dict[str, Any]]  # the player, the kind of event, its data


def database_of(folder: Path) -> Path:
    """The file that `gridwise serve` uses."""
    return folder / "games.db"


class Database:
    """A database while it is being prepared, and a server on it."""

    def __init__(self, http: httpx.Client, connection: sqlite3.Connection, seed: int) -> None:
        self._http, self._connection = http, connection
        self.rng = random.Random(seed)
        self._made = 0  # games: each comes from an address of its own
        self._copied = 0

    def new_game(self, token: str, kind: str, opponent: str, **more: object) -> str:
        """The id of a game that the holder of a token has started."""
        self._made += 1
        request = {"game": kind, "opponent": opponent, "level": "random", **more}
        return str(self._post("", token, request)["id"])

    def finished_game(self, kind: str, opponent: str, token: str, **more: object) -> str:
        """The id of a game that was given up."""
        game_id = self.new_game(token, kind, opponent, **more)
        if opponent == "link":
            self._post(f"/{game_id}/seats", secrets.token_urlsafe(32), {})
        version = 1 if opponent == "link" else 0
        self._post(f"/{game_id}/resign", token, {"version": version})
        return game_id

    def _post(self, path: str, token: str, body: dict[str, object]) -> dict[str, Any]:
        headers = {**from_address(self._made), "Cookie": f"gridwise={token}"}
        answer = self._http.post(f"/api/games{path}", json=body, headers=headers).raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def add_events(self, game_id: str, happened: Iterable[Happened]) -> None:
        """Let things have happened in a new game."""
        rows = (
            (game_id, number, player, kind, json.dumps(data), float(number))
            for number, (player, kind, data) in enumerate(happened, 1)
        )
        added = "INSERT INTO events (game_id, number, player, kind, data, at)"
        with self._connection as connection:
            connection.executemany(f"{added} VALUES (?, ?, ?, ?, ?, ?)", rows)

    def copy(self, game_id: str, count: int, **changed: str) -> None:
        """So many copies of a game, each a second older; columns as expressions in terms of n.

        A hundred thousand take a second or two.
        """
        copy_id = f"printf('%012x', n + {self._copied})"
        self._copied += count
        changed = {
            "id": copy_id,
            "game_id": copy_id,
            "created": "created - n",
            "finished": "finished - n",
            **changed,
        }
        for table, key in (("games", "id"), ("seats", "game_id")):
            with self._connection as connection:
                rows = connection.execute(f"PRAGMA table_info({table})")
                columns = ", ".join(changed.get(row[1], row[1]) for row in rows)
                connection.execute(
                    f"""WITH RECURSIVE numbers(n) AS
                        (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?)
                    INSERT INTO {table} SELECT {columns}
                    FROM {table}, numbers WHERE {key} = ?""",  # noqa: S608
                    (count, game_id),
                )


def poison(database: Database) -> dict[str, Any]:
    """Games with many take-backs, and one of them against a bot; their ids."""
    *happened, last = _moves(PLIES + 1, database.rng)
    taken_back = (last[0], "takeback", {"plies": PLIES, "board": KIND.example_board})
    happened += [last, taken_back] * TAKE_BACKS
    ids = []
    for opponent in ("bot", *["same-screen"] * POISONED):
        ids.append(database.new_game(secrets.token_urlsafe(32), KIND.key, opponent))
        database.add_events(ids[-1], happened)
    return {"games": ids}


def long_game(database: Database) -> dict[str, Any]:
    """A game that has ended after as many moves as a game may have; its id."""
    game_id = database.new_game(secrets.token_urlsafe(32), KIND.key, "same-screen")
    database.add_events(game_id, _moves(MOST_PLIES, database.rng))
    return {"long": game_id}


def _moves(count: int, rng: random.Random) -> list[Happened]:
    """Moves of a game that goes on for ever."""
    match = Match(KIND)
    while len(match.actions) < count:
        match.move(rng.choice(match.legal_moves))
        while match.outcome:
            match.undo()
    played = zip(match.movers, match.moves, strict=True)
    return [(player, "move", {"move": move}) for player, move in played]


def finished_games(database: Database) -> dict[str, Any]:
    """A start page with a long past."""
    game_id = database.finished_game("number-run", "link", secrets.token_urlsafe(32), listed=True)
    holder = "printf('%064x', 2 * n + number)"
    database.copy(game_id, FINISHED, token=holder, listed=f"n % {LISTED} = 0")
    return {}


def own_games(database: Database) -> dict[str, Any]:
    """Clients with as many unfinished games as one may have; their tokens."""
    tokens = [secrets.token_urlsafe(32) for _ in range(OWNERS)]
    kinds = games()
    for token in tokens:
        for kind in kinds:
            game_id = database.new_game(token, kind.key, "same-screen")
            database.copy(game_id, UNFINISHED // len(kinds) - 1)
    return {"tokens": tokens}


def long_past(database: Database) -> dict[str, Any]:
    """Browsers with many finished games, under a name; their tokens."""
    tokens = [secrets.token_urlsafe(32) for _ in range(PASTS)]
    for token in tokens:
        database.copy(database.finished_game("number-run", "bot", token, name="Ann"), PAST - 1)
    return {"tokens": tokens}


PREPARED: dict[str, Callable[[Database], dict[str, Any]]] = {
    "poison": poison,
    "look-back": long_game,
    "start-page": finished_games,
    "own-games": own_games,
    "burst": own_games,
    "past": long_past,
}


def prepare(
    folder: Path, patterns: Sequence[str], seed: int, settings: dict[str, str]
) -> dict[str, dict[str, Any]]:
    """Make a database for some patterns, if they need one; what each of them has to know."""
    needed = [name for name in patterns if name in PREPARED]
    if not needed:
        return {}
    with (
        serving(folder, settings=settings) as server,
        httpx.Client(base_url=server.address, timeout=60) as http,
        closing(sqlite3.connect(database_of(folder), timeout=60)) as connection,
    ):
        database = Database(http, connection, seed)
        return {name: PREPARED[name](database) for name in needed}
