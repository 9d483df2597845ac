"""A puzzle played to its end: somebody finds the moves, the opponent answers with the best defence.

The first move is the only one that wins. After it every move that still wins for certain is right,
however long it takes. In a game that can go round in circles it must also lead somewhere new,
unless it is the fastest win: so every line ends.

A PuzzleLine never changes; what is done to it gives another one. Nothing is searched: the puzzle
says what every move is worth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.position import Position
from gridwise.engine.evaluation import MoveValue
from gridwise.engine.hints import in_moves
from gridwise.engine.puzzles.puzzle import Puzzle, Step, is_won, true_board


class ExplainedMove(NamedTuple):
    """A move of the solution, and why it is played."""

    before: Position
    after: Position
    why: str


@dataclass(frozen=True)
class PuzzleLine:
    """How far a puzzle has been played, and with how much help."""

    puzzle: Puzzle
    true_board: Board  # cells that nobody has seen are dealt; what they are changes nothing
    positions: tuple[Position, ...]
    number: int = 0  # of the step that is next
    due: tuple[int, ...] = ()  # the opponent's answers that have not been played yet
    ruled_out: frozenset[int] = frozenset()  # wrong moves that were tried or named here
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
        return bool(self.due)

    @property
    def is_open(self) -> bool:
        """Whether there is a move to find."""
        return not self.due and not self.is_solved

    @cached_property
    def step(self) -> Step:
        """What there is to find now."""
        assert self.is_open, "somebody has to be asked"
        return self.puzzle.step(self.number, self.position)

    def is_right(self, action: int) -> bool:
        """Whether a legal move wins for certain, as the line goes on."""
        return is_won(self.step.evaluation.of(action)) and not self._goes_back(action)

    def after(self, action: int) -> PuzzleLine:
        """The line after a right move."""
        return replace(
            self,
            positions=(*self.positions, self.position.play(action, self.true_board)),
            number=self.step.following.get(action, -1),
            due=self.step.answers[action],
            ruled_out=frozenset(),
        )

    def after_answer(self) -> PuzzleLine:
        """The line after the opponent's best defence."""
        after = self.position.play(self.due[0], self.true_board)
        return replace(self, positions=(*self.positions, after), due=self.due[1:])

    def after_answers(self) -> PuzzleLine:
        """The line when the opponent has nothing more to answer."""
        line = self
        while line.awaits_answer:
            line = line.after_answer()
        return line

    # Why a move is wrong, and what helps

    def why_not(self, action: int) -> tuple[PuzzleLine, str]:
        """The line after a move that is not right, and what is wrong with it."""
        if self._goes_back(action):
            move = self.position.name(action)
            return self, f"{move} still wins, but you have been there. Find a way forward."
        tried = replace(self, ruled_out=self.ruled_out | {action}, clean=False)
        return tried, self._refuted(self.step.evaluation.of(action))

    def refutation(self, action: int) -> tuple[Position, ...]:
        """The positions after a wrong move and after the best answer to it.

        None if the move would turn up cells: they are not to be seen for a move that is taken back.
        """
        if is_won(self.step.evaluation.of(action)) or self.position.reveals(action):
            return ()
        positions = [self.position.play(action)]
        for answer in self.step.answers[action]:
            if positions[-1].reveals(answer):
                break
            positions.append(positions[-1].play(answer))
        return tuple(positions)

    def hinted(self) -> tuple[PuzzleLine, str]:
        """A hint: one wrong move after the other, the most tempting first; then what is left."""
        moves, hinted = self.step.evaluation.moves, replace(self, clean=False)
        if all(map(is_won, moves)):
            return hinted, "Every move wins here."
        left = [each for each in moves if each.action not in self.ruled_out]
        wrong = [each for each in left if not is_won(each)]
        if len(wrong) < 2:
            return hinted, _what_is_left([each.move for each in left])
        tempting = max(wrong, key=self._temptation)
        named = replace(hinted, ruled_out=self.ruled_out | {tempting.action})
        return named, self._refuted(tempting)

    def _refuted(self, chosen: MoveValue) -> str:
        """Why a move does not win."""
        return f"{_begun(chosen.move)} {self._what_it_does(chosen)}."

    def _what_it_does(self, chosen: MoveValue) -> str:
        """What comes of a wrong move, as the end of a sentence."""
        if chosen.win == 0:
            return "loses if your opponent plays well"
        if chosen.win is not None:
            return f"wins only {chosen.win:.0%} of the time"
        what = {"loss": "loses", "draw": "only draws", "endless": "cannot force a win"}
        answers = self.step.answers[chosen.action]
        if not answers:
            return what[str(chosen.value)]
        answer = self.position.play(chosen.action).name(answers[0])
        return f"{what[str(chosen.value)]}: your opponent answers with {answer}"

    def _temptation(self, move: MoveValue) -> tuple[float, float]:
        """How good a move is, then how good it looks."""
        return move.rank[0], self.position.heuristic_score(move.action)

    def _goes_back(self, action: int) -> bool:
        if not self.position.game.cyclic:
            return False
        found = self.step.evaluation.of(action)
        if not is_won(found) or found in self.step.evaluation.best_moves:
            return False
        seen = {each.key for each in self.positions}
        return self.position.play(action, self.true_board).key in seen

    # The solution

    def explained(self) -> str:
        """The solution from here on, in a sentence or two."""
        solution, wins = self.step.solution, sum(map(is_won, self.step.evaluation.moves))
        length = f" (in {in_moves(solution.distance)})" if solution.distance else ""
        only = "Only " if wins == 1 else ""
        line = " ".join(each.before.name(each.after.history[-1]) for each in self.solution())
        return f"{only}{solution.move} wins{length}. Best play: {line}"

    def solution(self) -> list[ExplainedMove]:
        """The fastest win from here on, move by move, against the best defence."""
        line, found = self, []
        while not line.is_solved:
            why = line._why_this() if line.is_open else line._why_this_answer()
            then = line.after(line.step.solution.action) if line.is_open else line.after_answer()
            found.append(ExplainedMove(line.position, then.position, why))
            line = then
        return found

    def _why_this(self) -> str:
        """Why the solution's move is played, and the most tempting other one is not."""
        moves, best = self.step.evaluation.moves, self.step.solution
        wrong = [each for each in moves if not is_won(each)]
        if len(moves) == 1:
            return f"{_begun(best.move)} is the only move there is."
        how = f"wins in {in_moves(best.distance)}" if best.distance else "wins for certain"
        how = "wins at once" if best.distance == 1 else how
        if not wrong:
            return f"{_begun(best.move)} {how}. Every move wins here."
        wins = len(moves) - len(wrong)
        lead = f"Only {best.move}" if wins == 1 else _begun(best.move)
        others = f" {wins} of {len(moves)} moves win." if wins > 1 else ""
        tempting = max(wrong, key=self._temptation)
        return f"{lead} {how}.{others} {_begun(tempting.move)} {self._what_it_does(tempting)}."

    def _why_this_answer(self) -> str:
        position, move = self.position, _begun(self.position.name(self.due[0]))
        if len(position.legal) == 1:
            return f"{move} is forced."
        if position.game.has_hidden_cells:
            return f"{move} is the best try."
        return f"{move} holds out longest."


def _what_is_left(moves: list[str]) -> str:
    """The moves among which the right one is."""
    if len(moves) == 1:
        return f"Only {moves[0]} is left."
    return f"Only these are left: {', '.join(moves[:-1])} or {moves[-1]}."


def _begun(text: str) -> str:
    """A text at the beginning of a sentence."""
    return text[0].upper() + text[1:]


def start_line(puzzle: Puzzle) -> PuzzleLine:
    """A puzzle before its first move."""
    return PuzzleLine(puzzle, true_board(puzzle.position), (puzzle.position,))
