"""A puzzle played to its end: somebody finds the moves, the engine answers with the best defence.

The first move is the only one that wins. After it every move that still wins for certain is right,
however long it takes. In a game that can go round in circles it must also lead somewhere new,
unless it is the fastest win: so every line ends.

A PuzzleLine never changes; what is done to it gives another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from gridwise.core.board import Board
from gridwise.core.position import Position
from gridwise.core.rng import Stream
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue
from gridwise.engine.hints import in_moves
from gridwise.engine.puzzles import EXACT_IF_NEAR, THOROUGH, Puzzle, is_won, refuted

MOST_NODES = 2_000_000  # where there is chance and the end is not so near: some seconds


@dataclass(frozen=True)
class PuzzleLine:
    """How far a puzzle has been played, and with how much help."""

    puzzle: Puzzle
    true_board: Board  # cells that nobody has seen are dealt; what they are changes nothing
    positions: tuple[Position, ...]
    evaluation: Evaluation | None  # of the last one; None where there is nothing to find
    ruled_out: frozenset[int] = frozenset()  # wrong moves that were tried or named here
    hints: int = 0  # given here
    clean: bool = True  # no wrong move and no hint so far

    @property
    def solver(self) -> int:
        """The player who is to win."""
        return self.puzzle.position.turn

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.positions[-1]

    @property
    def is_solved(self) -> bool:
        """Whether the game is won."""
        return self.position.outcome is not None

    @property
    def awaits_answer(self) -> bool:
        """Whether the other player is to move."""
        return self.evaluation is None and not self.is_solved

    @cached_property
    def step(self) -> Puzzle:
        """What is to be found now, as a puzzle of its own."""
        assert self.evaluation is not None, "somebody has to be asked"
        return Puzzle(self.position, self.evaluation, self.puzzle.difficulty)

    def is_right(self, action: int) -> bool:
        """Whether a legal move wins for certain, as the line goes on."""
        return is_won(self.step.evaluation.of(action)) and not self._goes_back(action)

    def after_answer(self) -> PuzzleLine:
        """The line after the opponent's best defence."""
        return self.after(best_defence(self.position))

    def after(self, action: int) -> PuzzleLine:
        """The line after a right move, or an answer to one; the next one is worked out."""
        after = self.position.play(action, self.true_board)
        evaluation = _evaluated(after) if after.turn == self.solver else None
        return replace(
            self,
            positions=(*self.positions, after),
            evaluation=evaluation,
            ruled_out=frozenset(),
            hints=0,
        )

    def why_not(self, action: int) -> tuple[PuzzleLine, str]:
        """The line after a move that is not right, and what is wrong with it."""
        if self._goes_back(action):
            move = self.position.name(action)
            return self, f"{move} still wins, but you have been there. Find a way forward."
        tried = replace(self, ruled_out=self.ruled_out | {action}, clean=False)
        return tried, refuted(self.step, action)

    def hinted(self) -> tuple[PuzzleLine, str]:
        """A hint: first how long the win takes, then wrong moves, the most tempting first."""
        step, hinted = self.step, replace(self, hints=self.hints + 1, clean=False)
        if not self.hints:
            distance = step.solution.distance
            how = f"You can win in {in_moves(distance)}." if distance else "There is a sure win."
            return hinted, how
        wrong = [
            each
            for each in step.evaluation.moves
            if each.action not in self.ruled_out and not is_won(each)
        ]
        if len(wrong) < 2:
            left = [each for each in step.evaluation.moves if each.action not in self.ruled_out]
            return hinted, f"Only these are left: {' '.join(each.move for each in left)}."
        tempting = max(wrong, key=_temptation(self.position))
        named = replace(hinted, ruled_out=self.ruled_out | {tempting.action})
        return named, refuted(step, tempting.action)

    def _goes_back(self, action: int) -> bool:
        if not self.position.game.cyclic:
            return False
        found = self.step.evaluation.of(action)
        if not is_won(found) or found in self.step.evaluation.best_moves:
            return False
        seen = {each.key for each in self.positions}
        return self.position.play(action, self.true_board).key in seen


def start_line(puzzle: Puzzle) -> PuzzleLine:
    """A puzzle before its first move."""
    position = puzzle.position
    board = position.game.board_text(position.board)
    true_board = position.game.deal_unknown(position.board, Stream(f"puzzle {board}"))
    return PuzzleLine(puzzle, true_board, (position,), puzzle.evaluation)


def best_defence(position: Position) -> int:
    """The move that holds out longest; where no length is known, the one that looks best."""
    evaluation = _evaluated(position)
    if evaluation.distance is not None:
        return evaluation.best.action
    return max(evaluation.best_moves, key=_temptation(position)).action


def _temptation(position: Position) -> Callable[[MoveValue], tuple[float, float]]:
    """How good a move is, then how good it looks."""
    return lambda each: (each.rank[0], position.heuristic_score(each.action))


def _evaluated(position: Position) -> Evaluation:
    """What the moves are worth, exactly.

    In a line that is won for certain the end is near, or the search was exact before.
    """
    if not position.game.has_hidden_cells:
        return evaluate(position, THOROUGH)
    limits = EXACT_IF_NEAR
    evaluation = evaluate(position, limits)
    while not evaluation.exact and (limits.nodes or 0) < MOST_NODES:
        limits = Limits(nodes=10 * (limits.nodes or 1))
        evaluation = evaluate(position, limits)
    return evaluation
