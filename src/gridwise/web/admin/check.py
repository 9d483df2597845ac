"""Check: whether every stored game can be read and played through, and is what it says it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy import select

from gridwise.web.game import restore_session
from gridwise.web.game.model import StoredGame
from gridwise.web.storage import Store
from gridwise.web.storage.schema import games
from gridwise.web.storage.store import CANCELLED, OVER

BATCH_SIZE = 500  # games that are listed at a time


def check(store: Store, progress: Callable[[int], None]) -> Iterator[tuple[str, str]]:
    """The id of each game that is not as it should be, and what is wrong with it."""
    with store.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            for (found,) in connection.exec_driver_sql("PRAGMA integrity_check"):
                if found != "ok":
                    yield "", f"SQLite finds the file damaged: {found}"
    done, last = 0, ""
    while True:
        chosen = select(games.c.id).where(games.c.id > last)
        with store.engine.connect() as connection:
            rows = connection.execute(chosen.order_by(games.c.id).limit(BATCH_SIZE)).all()
        if not rows:
            return
        for (game_id,) in rows:
            # On a running server it may have changed between two looks; twice is no accident.
            if _problems(store, game_id):
                yield from ((game_id, problem) for problem in _problems(store, game_id))
            done += 1
            progress(done)
        last = rows[-1].id


def _problems(store: Store, game_id: str) -> list[str]:
    try:
        stored = store.load(game_id)
        with store.engine.connect() as connection:
            chosen = select(games.c.status).where(games.c.id == game_id)
            status = connection.execute(chosen).scalar()
        if status is None:
            return []  # it was removed meanwhile
        return list(_differences(stored, status)) if stored else ["it does not have two seats"]
    except Exception as error:  # noqa: BLE001 - whatever it is, the game cannot be opened
        # Not the message: it may quote hidden cells.
        return [f"it cannot be read ({type(error).__name__})"]


def _differences(stored: StoredGame, status: str) -> Iterator[str]:
    numbers = [entry.number for entry in stored.journal]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "its events are not numbered from 1 on"
    session = restore_session(stored)
    outcome = session.match.outcome
    result = outcome.result if outcome else None
    if result != (stored.ending.result if stored.ending else None):
        yield f"it is stored as {stored.ending}, but played through it ends as {result}"
    expected = session.status
    if (OVER if status == CANCELLED else status) != expected:
        yield f"it is listed as {status}, but it is {expected}"
