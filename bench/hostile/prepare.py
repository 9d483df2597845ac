"""Databases as somebody hostile, or a few years, leave them; made before the server starts."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from gridwise import Match, game
from gridwise.web.game import NewGame, events, model, new_game
from gridwise.web.settings import ServerLimits
from gridwise.web.storage import Store, open_database, sqlite_file

FINISHED = 300_000  # games on the start page's long list
UNJOINED = ServerLimits().client_games - 10  # that one address has begun, and then it goes on
LISTED = 10_000  # one in so many is listed for everybody
PACE = 2.0  # seconds between them, within the limit
TAKE_BACKS = 708
PLIES = 500  # of the game that is taken back; each take-back replays them
KIND = game("grid-runner")  # its board is always the same
POISONED = 40  # such games: one that was loaded stays in memory


def database_of(folder: Path) -> Path:
    """The file that `gridwise serve` uses."""
    return folder / "games.db"


def _new_database(folder: Path) -> Store:
    return Store(open_database(sqlite_file(database_of(folder))))


def poison(folder: Path, seed: int) -> list[str]:
    """Games with many take-backs, and one of them against a bot; their ids."""
    *played, (player, move, action) = _moves(PLIES + 1, seed)
    happened: list[events.Event] = [events.MovePlayed(*each) for each in played]
    board = KIND.example_board
    for _ in range(TAKE_BACKS):
        happened.append(events.MovePlayed(player, move, action))
        happened.append(events.TakenBack(player, PLIES, board))
    opponents = ["bot", *["same-screen"] * POISONED]
    return [_store(folder, opponent, happened) for opponent in opponents]


def long_game(folder: Path, seed: int) -> str:
    """A game that has ended after as many moves as a game may have; its id."""
    happened = [events.MovePlayed(*each) for each in _moves(ServerLimits().plies, seed)]
    return _store(folder, "same-screen", happened)


def _moves(count: int, seed: int) -> list[tuple[int, str, int]]:
    """Moves of a game that goes on for ever: the player, the text, the action of each."""
    rng, match = random.Random(seed), Match(KIND)
    while len(match.actions) < count:
        match.move(rng.choice(match.legal_moves))
        while match.outcome:
            match.undo()
    return list(zip(match.movers, match.moves, match.actions, strict=True))


def _store(folder: Path, opponent: str, happened: Sequence[events.Event]) -> str:
    """A game in which that has happened; its id."""
    store = _new_database(folder)
    try:
        request = {"game": KIND.key, "opponent": opponent, "level": "random"}
        setup, seats = new_game(NewGame.model_validate(request), "somebody", ServerLimits().plies)
        store.write([model.GameCreated(setup, seats)])
        entries = [
            model.EntryAdded(setup.id, model.JournalEntry(number, event, None, time.time()))
            for number, event in enumerate(happened, 1)
        ]
        store.write(entries)
    finally:
        store.close()
    return setup.id


def finished_games(folder: Path) -> None:
    """A start page with a long past."""
    _fill(folder, FINISHED, f"{time.time()} - n", f"{time.time()} - n + 0.5", "human")


def unjoined_games(folder: Path) -> None:
    """What one address without a cookie can leave behind overnight."""
    _fill(folder, UNJOINED, f"{time.time()} - n * {PACE}", "NULL", "open")


def _fill(folder: Path, count: int, created: str, finished: str, second: str) -> None:
    """Games by SQL, a hundred thousand in a second or two; the expressions are in terms of n."""
    _new_database(folder).close()
    over = finished != "NULL"
    numbers = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?)"
    connection = sqlite3.connect(database_of(folder))
    with connection:
        connection.execute(
            f"""INSERT INTO games (id, game, board, target, handicap, first, deal, seed, listed,
                created, finished, result, reason) {numbers}
            SELECT printf('%012x', n), 'number-run', '53152/24251/43453/11523/32214', 0, 0, 1,
                'fair', '1', n % {LISTED} = 0, {created}, {finished},
                {"'p1', 'trapped'" if over else "NULL, NULL"} FROM numbers""",  # noqa: S608
            (count,),
        )
        for number, kind in ((1, "human"), (2, second)):
            token = "''" if kind == "open" else f"printf('%064x', 2 * n + {number})"
            connection.execute(
                f"""INSERT INTO seats (game_id, number, kind, name, level, token) {numbers}
                SELECT printf('%012x', n), {number}, '{kind}', '', '', {token}
                FROM numbers""",  # noqa: S608
                (count,),
            )
    connection.close()
