"""Looking back at a game: positions to step through, other moves tried on them, and the review.

A review may take a while. It is worked out in the background, and the page says how far it is.
"""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from gridwise.core.game import Position
from gridwise.engine.review import MARKS, SIMULATIONS, in_words
from gridwise.engine.worth import Limits, Option, weigh
from gridwise.errors import BadRequest, GridwiseError
from gridwise.play.records import Record, Step
from gridwise.show.graph import graph
from gridwise.show.svg import PAGE, svg
from gridwise.web.answers import error_body
from gridwise.web.asking import questions
from gridwise.web.hall import Hall
from gridwise.web.looking import reviewed
from gridwise.web.refusals import kind_and_status
from gridwise.web.table import Table

AT_ONCE = 0.4  # seconds that a review is waited for before the page is told to come again
MOST_TRIED = 60  # moves
# For "what if": short, since somebody waits for it.
TRIED = Limits(nodes=2_000_000, seconds=2.0)
TRIED_BY_CHANCE = Limits(nodes=SIMULATIONS)

WINNERS = {"1-0": 1, "0-1": 2}


def position_at(record: Record, number: int, *, over: bool) -> dict[str, Any]:
    """The position after so many moves, and what is said of it."""
    steps = list(record.steps())
    if not 0 <= number < len(steps):
        raise BadRequest(f"This game has {len(steps) - 1} moves.")
    step = steps[number]
    view = record.game.view(step.board, step.state, _cell(steps, record, number))
    is_last = number == len(steps) - 1
    told = [view.caption] if view.caption else []
    if is_last and over:
        told.insert(0, how_it_ended(record))
    if number == 0:
        headline = "The start."
    else:
        mover = steps[number - 1].state.turn
        headline = f"Move {number}: Player {mover} plays {record.moves[number - 1]}."
    return _told(record, Position(record.game, step.board, step.state), view) | {
        "at": number,
        "headline": headline,
        "told": " ".join(told),
    }


def tried_at(record: Record, number: int, moves: list[str]) -> dict[str, Any]:
    """The position after other moves than those of the game, and what its moves are worth.

    For a worker thread. Cells that nobody had seen by then stay unknown, and are not asked about.
    """
    if len(moves) > MOST_TRIED:
        raise BadRequest(f"At most {MOST_TRIED} moves can be tried in a row.")
    game = record.game
    steps = list(record.steps())
    if not 0 <= number < len(steps):
        raise BadRequest(f"This game has {len(steps) - 1} moves.")
    state, last = steps[number].state, -1
    for move in moves:
        seen = game.seen(record.board, state)
        action = game.read_move(seen, state, move)
        last = game.words.target(seen, state, action)
        state = game.rules.play(record.board, state, action)
        game.check_known(record.board, state)
    seen = game.seen(record.board, state)
    view = game.view(seen, state, last)
    position = Position(game, seen, state)
    told = _told(record, position, view)
    told |= {"at": number, "told": "Not from the game: a position you are trying out."}
    if not position.legal:
        reason = game.words.reason(seen, state)
        headline = f"A draw: {reason}."
        if view.result != "draw":
            headline = f"Player {1 if view.result == 'p1' else 2} wins: {reason}."
        return told | {"headline": headline, "worth": "", "options": []}
    worth = weigh(position, TRIED_BY_CHANCE if game.hides else TRIED)
    best = max(worth.options, key=lambda option: option.points)
    best = Option(best.action, worth.value, worth.distance, worth.win)
    return told | {
        "headline": f"Player {state.turn} to move.",
        "worth": f"For Player {state.turn} this is {in_words(best)}.",
        "options": [
            {
                "move": game.words.action_name(seen, state, option.action),
                "worth": in_words(option),
            }
            for option in worth.options
        ],
    }


def _told(record: Record, position: Position, view: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "svg": svg(view, PAGE, playable=True),
        "legal": record.game.legal_moves(position.board, position.state),
        "questions": questions(position),
    }


def _cell(steps: list[Step], record: Record, number: int) -> int:
    """The cell the move to this position went to."""
    if number == 0:
        return -1
    before = steps[number - 1]
    return record.game.words.target(before.board, before.state, steps[number].action)


def how_it_ended(record: Record) -> str:
    """The result in a sentence."""
    winner = WINNERS.get(record.result)
    if winner:
        return f"Player {winner} wins: {record.termination}."
    if record.result == "1/2-1/2":
        return f"A draw: {record.termination}."
    return f"Nobody has won: {record.termination}."


class _Job:
    """A review that is being worked out."""

    def __init__(self, hall: Hall, table: Table) -> None:
        self.done = 0
        self.task = asyncio.ensure_future(reviewed(hall, table, self._note))

    def _note(self, done: int) -> None:
        self.done = done  # from the worker thread; one int, and only for show


_jobs: WeakKeyDictionary[Table, _Job] = WeakKeyDictionary()


def under_way(table: Table) -> bool:
    """Whether a review is there, or being worked out."""
    return table.review is not None or table in _jobs


async def review_for_page(hall: Hall, table: Table) -> dict[str, Any]:
    """The review if it is there, or how far it is; the first who asks starts it."""
    if table.review is None:
        job = _jobs.get(table)
        if job is None:
            job = _jobs[table] = _Job(hall, table)
        await asyncio.wait([job.task], timeout=AT_ONCE)
        if not job.task.done():
            of = len(table.state_for(None)["moves"])
            return {"ready": False, "done": job.done, "of": of}
        _jobs.pop(table, None)
        try:
            job.task.result()
        except GridwiseError as error:
            return error_body(kind_and_status(error)[0], str(error))
    return _as_shown(table.review or {})


def _as_shown(review: dict[str, Any]) -> dict[str, Any]:
    marks = {
        number: MARKS[each["grade"]]
        for number, each in enumerate(review["moves"], 1)
        if each["grade"] in MARKS
    }
    return {
        "ready": True,
        "graph": graph(review["curve"], marks, PAGE),
        "summary": review["summary"],
        "moves": [
            {
                "mark": marks.get(number, ""),
                "grade": each["grade"],
                "worth": each["worth"],
                "best": each["best"] if each["lost"] > 0 else "",
                "comment": each["comment"],
            }
            for number, each in enumerate(review["moves"], 1)
        ],
    }
