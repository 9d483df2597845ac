"""Finding puzzles: `python -m research.puzzles` fills the books with them.

Two middling bots play, and each position is tried. It becomes a puzzle if exactly one move wins,
there are enough cells to choose from, one can also go wrong later, and not too much can happen:
where all moves win there is nothing to find.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.engine.bots import bot
from gridwise.engine.deals import deal
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate
from gridwise.engine.puzzles import HARDEST, Puzzle, Step, is_won, step_text, true_board
from gridwise.errors import BadBoard

CHOICES = 3  # cells to choose from, at least: with two anybody is right half of the time
BOTS = ("novice", "casual")
MOST_PLIES = 30  # of the game in which a puzzle is found
MOST_STEPS = 40  # of one puzzle, whatever is played
LONGEST = 12  # moves to find
THOROUGH = Limits(nodes=2_000_000)
# Where there is chance: enough when the end is near, and how far to go to be exact.
NEAR, MOST_NODES = 2_000, 200_000


class _NotAPuzzle(Exception):
    """The position is no puzzle, or no good one."""


def puzzles_in_a_game(game: Game, rng: random.Random) -> Iterator[Puzzle]:
    """The puzzles along one game between two bots that make mistakes."""
    board = _shuffled_board(game, rng) if game.fixed else deal(game, rng, "fair")
    players = [bot(game, rng.choice(BOTS), rng.random().hex()) for _ in range(2)]
    position = start(game, board, 1 + int(rng.random() * 2) if game.coin_toss else 1)
    while not position.outcome and len(position.history) < MOST_PLIES:
        puzzle = puzzle_from(position)
        if puzzle:
            yield puzzle
        position = position.play(players[position.turn - 1].choose(position), board)


def _shuffled_board(game: Game, rng: random.Random) -> Board:
    """The cells of a game's one board in another order: the board itself has too few positions."""
    fixed = game.parse_board(game.fixed)
    while True:
        cells = list(fixed.cells)
        rng.shuffle(cells)
        with suppress(BadBoard):
            return game.check_board(fixed.with_cells(cells))


def puzzle_from(position: Position) -> Puzzle | None:
    """The position as a puzzle, if it is one."""
    if len({position.target(action) for action in position.legal}) < CHOICES:
        return None
    evaluation = _evaluated(position, most=NEAR)
    if not evaluation.exact or not is_won(evaluation.best) or len(evaluation.optimal) != 1:
        return None
    try:
        steps = _Exploration(position).steps()
        line = _fastest_line(steps)
    except _NotAPuzzle:
        return None
    return Puzzle(position, min(HARDEST, len(line)), tuple(map(step_text, steps)))


class _Exploration:
    """Everything that can happen in a puzzle while its solver makes no mistake."""

    def __init__(self, position: Position) -> None:
        self._solver = position.turn
        self._true_board = true_board(position)
        self._numbers = {position.key: 0}
        self._positions = [position]

    def steps(self) -> list[Step]:
        """All steps, in the order in which they are come upon."""
        found: list[Step] = []
        while len(found) < len(self._positions):
            if len(self._positions) > MOST_STEPS:
                raise _NotAPuzzle
            found.append(self._step(self._positions[len(found)]))
        return found

    def _step(self, position: Position) -> Step:
        evaluation = _evaluated(position)
        if not evaluation.exact or not is_won(evaluation.best):
            raise _NotAPuzzle
        answers: dict[int, tuple[int, ...]] = {}
        following: dict[int, int] = {}
        for move in evaluation.moves:
            if not is_won(move):
                answers[move.action] = self._refutation(position, move.action)
                continue
            after, played = position.play(move.action, self._true_board), []
            while not after.outcome and after.turn != self._solver:
                played.append(best_defence(after))
                after = after.play(played[-1], self._true_board)
            answers[move.action] = tuple(played)
            if not after.outcome:
                following[move.action] = self._number(after)
        return Step(evaluation, answers, following)

    def _number(self, position: Position) -> int:
        if position.key not in self._numbers:
            self._numbers[position.key] = len(self._positions)
            self._positions.append(position)
        return self._numbers[position.key]

    def _refutation(self, position: Position, action: int) -> tuple[int, ...]:
        """The best answer to a wrong move; none if it ends the game or turns up cells."""
        if position.reveals(action):
            return ()
        after = position.play(action)
        return () if after.outcome or after.turn == self._solver else (best_defence(after),)


def _fastest_line(steps: Sequence[Step]) -> list[Step]:
    """The steps of the fastest win, if they are worth solving; raises _NotAPuzzle.

    One must be able to go wrong in half of them, and not in the first alone.
    """
    line: list[Step] = []
    number = 0
    while len(line) < LONGEST:
        step = steps[number]
        line.append(step)
        if step.solution.action not in step.following:
            break
        number = step.following[step.solution.action]
    hard = sum(not all(map(is_won, step.evaluation.moves)) for step in line)
    if len(line) != _fewest_moves(steps) or hard < max(min(2, len(line)), (len(line) + 1) // 2):
        raise _NotAPuzzle
    return line


def _fewest_moves(steps: Sequence[Step]) -> int:
    """How many moves it takes at least, by trying all; where there is chance no search says."""
    lengths, reached = {0: 1}, [0]
    for number in reached:
        step = steps[number]
        for action in (move.action for move in step.evaluation.moves if is_won(move)):
            then = step.following.get(action)
            if then is None:
                return lengths[number]
            if then not in lengths:
                lengths[then] = lengths[number] + 1
                reached.append(then)
    raise _NotAPuzzle


def best_defence(position: Position) -> int:
    """The move that holds out longest; where no length is known, the one that looks best."""
    evaluation = _evaluated(position)
    if evaluation.distance is not None:
        return evaluation.best.action
    return max(evaluation.best_moves, key=temptation(position)).action


def temptation(position: Position) -> Callable[[MoveValue], tuple[float, float]]:
    """How good a move is, then how good it looks."""
    return lambda each: (each.rank[0], position.heuristic_score(each.action))


def _evaluated(position: Position, most: int = MOST_NODES) -> Evaluation:
    """What the moves are worth; where there is chance, exactly if that takes no more nodes."""
    if not position.game.has_hidden_cells:
        return evaluate(position, THOROUGH)
    nodes = NEAR
    evaluation = evaluate(position, Limits(nodes=nodes))
    while not evaluation.exact and nodes < most:
        nodes *= 10
        evaluation = evaluate(position, Limits(nodes=nodes))
    return evaluation
