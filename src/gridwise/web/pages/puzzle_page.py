"""Puzzles by their address.

Nothing is stored between two requests: the same address is always the same puzzle. The last ones
are kept in memory, and one that many ask for at once is looked for once.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

from gridwise.engine.puzzles import Puzzle, PuzzleAddress, puzzle_at
from gridwise.errors import BadBoard, MoveError
from gridwise.show.svg import PAGE, svg
from gridwise.web.game import questions
from gridwise.web.workers import Workers
from gridwise.web.workers.questions import puzzle_texts

MOST_KEPT = 256


class PuzzleCache:
    """The puzzles that were asked for last."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._puzzles: dict[PuzzleAddress, Puzzle] = {}
        self._looking: dict[PuzzleAddress, asyncio.Task[Puzzle]] = {}
        self._waiting: Counter[PuzzleAddress] = Counter()

    async def puzzle(self, address: PuzzleAddress) -> Puzzle:
        """The puzzle with that address, found by a worker unless it is known."""
        if address in self._puzzles:
            return self._puzzles[address]
        if address not in self._looking:
            asked = self._workers.ask(address.game, puzzle_at, address)
            self._looking[address] = asyncio.create_task(asked)
        task = self._looking[address]
        self._waiting[address] += 1
        try:
            puzzle = await asyncio.shield(task)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
                del self._looking[address]
                task.cancel()  # nobody waits for it any more
        while len(self._puzzles) >= MOST_KEPT:
            del self._puzzles[next(iter(self._puzzles))]
        self._puzzles[address] = puzzle
        return puzzle

    async def page(self, address: PuzzleAddress, move: str, *, show_answer: bool) -> dict[str, Any]:
        """What to show of a puzzle, after an attempt if there was one."""
        puzzle = await self.puzzle(address)
        position, solution = puzzle.position, puzzle.solution.action
        wrong, tried = "", None
        if move:
            try:
                tried = position.read(move)
            except MoveError as error:
                wrong = str(error)
        solved = tried == solution
        over = solved or show_answer
        why_not = explanation = ""
        if over or tried is not None:
            refuted = None if solved else tried
            why_not, explanation = await self._workers.ask(
                address.game, puzzle_texts, puzzle, refuted, explain=over
            )
        shown = position
        if over:
            with suppress(BadBoard):  # it would turn up a cell that nobody has seen
                shown = position.play(solution)
        return {
            "turn": position.turn,
            "difficulty": puzzle.difficulty,
            "solved": solved,
            "over": over,
            "wrong": f"{why_not} Try again." if why_not else wrong,
            "explanation": explanation,
            "caption": shown.view.caption,
            "svg": svg(shown.view, PAGE, playable=True),
            "questions": [] if over else questions(shown),
        }
