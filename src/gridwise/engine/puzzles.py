"""Puzzles: positions with exactly one winning move, of rising difficulty, from a seed.

A puzzle is found by letting two middling bots play on a dealt board and looking for a position
whose only winning move takes as long as the difficulty asks for. `engine/puzzle_line.py` plays it
to its end.
"""

from __future__ import annotations

import datetime as dt
import random
from typing import NamedTuple

from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.bots import bot
from gridwise.engine.deals import deal
from gridwise.engine.evaluate import evaluate
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue
from gridwise.engine.hints import in_moves
from gridwise.engine.lookahead import WON, look_ahead
from gridwise.errors import BadBoard, BadRequest

# Difficulty -> the plies a win may take, the winning move included. Longer wins are harder to see.
LENGTHS = {1: (1, 1), 2: (2, 3), 3: (4, 5), 4: (6, 8), 5: (9, 99)}
HARDEST = max(LENGTHS)
GAMES_TRIED = 40  # until one is found at all
GAMES_ENOUGH = 12  # until an easier one will do: some games have no long wins
BY_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)  # how hard the puzzle of the day is, from Monday on
THOROUGH = Limits(nodes=2_000_000)
EXACT_IF_NEAR = Limits(nodes=2_000)  # where there is chance: enough when the end is near


class Puzzle(NamedTuple):
    """A position, and the one move that wins."""

    position: Position
    evaluation: Evaluation
    difficulty: int

    @property
    def solution(self) -> MoveValue:
        """The winning move."""
        return self.evaluation.best


def make_puzzle(
    game: Game, difficulty: int, seed: int | str, after: Puzzle | None = None
) -> Puzzle:
    """A puzzle of that difficulty, or the hardest easier one; never the one it comes after."""
    if difficulty not in LENGTHS:
        raise BadRequest(f"Puzzles have difficulty 1 to {HARDEST}, not {difficulty}.")
    rng = random.Random(f"gridwise puzzle {game.key} {difficulty} {seed}")
    easier: Puzzle | None = None
    for tried in range(GAMES_TRIED):
        if easier and tried >= GAMES_ENOUGH:
            break
        for puzzle in _found_in_a_game(game, rng):
            if after and puzzle.position.key == after.position.key:
                continue
            if puzzle.difficulty == difficulty:
                return puzzle
            if puzzle.difficulty < difficulty and (
                easier is None or puzzle.difficulty > easier.difficulty
            ):
                easier = puzzle
    if easier is None:
        raise BadRequest(f"No puzzle of difficulty {difficulty} was found for {game.title}.")
    return easier


class PuzzleAddress(NamedTuple):
    """Which puzzle it is."""

    game: str
    difficulty: int
    seed: str


def puzzle_of_the_day(day: dt.date) -> PuzzleAddress:
    """The games in turn, harder towards the end of the week; the same for everybody."""
    known = games()
    game = known[day.toordinal() % len(known)]
    return PuzzleAddress(game.key, BY_WEEKDAY[day.weekday()], day.isoformat())


def puzzle_at(address: PuzzleAddress) -> Puzzle:
    """The puzzle with that address."""
    return make_puzzle(game_named(address.game), address.difficulty, address.seed)


def _found_in_a_game(game: Game, rng: random.Random) -> list[Puzzle]:
    """The puzzles along one game between two bots that make mistakes."""
    board = deal(game, rng, "fair")
    players = [bot(game, "casual", rng.random().hex()) for _ in range(2)]
    position = start(game, board, 1 + int(rng.random() * 2) if game.coin_toss else 1)
    found: list[Puzzle] = []
    while not position.outcome and len(position.history) < 40:
        puzzle = _as_puzzle(position)
        if puzzle:
            found.append(puzzle)
        position = position.play(players[position.turn - 1].choose(position), board)
    return found


def _as_puzzle(position: Position) -> Puzzle | None:
    if len(position.legal) < 2:
        return None
    evaluation = evaluate(position, EXACT_IF_NEAR if position.game.has_hidden_cells else THOROUGH)
    if not evaluation.exact or not is_won(evaluation.best) or len(evaluation.keeping) != 1:
        return None
    length = _length(position, evaluation.best)
    for difficulty, (least, most) in LENGTHS.items():
        if least <= length <= most:
            return Puzzle(position, evaluation, difficulty)
    return None


def is_won(found: MoveValue) -> bool:
    """Whether a move wins for certain."""
    return found.rank[0] == 1 and not found.error


def _length(position: Position, best: MoveValue) -> int:
    """Plies to the win. Where there is chance none is known, and a win that is not at once is 3."""
    if best.distance is not None:
        return best.distance
    return 1 if look_ahead(position, best.action, 1) == WON else 3


def main_line(position: Position, action: int, most: int = 30) -> list[str]:
    """The move and how the game goes on if both sides then play their best.

    It ends where cells would be revealed that nobody has seen.
    """
    line: list[str] = []
    while len(line) < most:
        line.append(position.name(action))
        try:
            position = position.play(action)
        except BadBoard:
            break
        if position.outcome or position.hidden:
            break
        action = evaluate(position).best.action
    return line


# The same words on the command line and on a page


def explained(puzzle: Puzzle) -> str:
    """Why the answer is the answer."""
    solution, wins = puzzle.solution, sum(map(is_won, puzzle.evaluation.moves))
    line = main_line(puzzle.position, solution.action)
    length = f" (in {in_moves(solution.distance)})" if solution.distance else ""
    only = "Only " if wins == 1 else ""
    return f"{only}{solution.move} wins{length}. Best play: {' '.join(line)}"


def refuted(puzzle: Puzzle, action: int) -> str:
    """Why another move does not win."""
    chosen = puzzle.evaluation.of(action)
    if chosen.win is not None:
        return f"Not {chosen.move}: it wins only {chosen.win:.0%} of the time."
    what = {
        "loss": "loses",
        "draw": "only draws",
        "endless": "cannot force a win",
    }[str(chosen.value)]
    after = puzzle.position.play(action)
    answer = "" if after.outcome else f" after {evaluate(after).best.move}"
    return f"Not {chosen.move}: it {what}{answer}."
