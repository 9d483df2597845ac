"""Puzzles: positions with exactly one winning move, of rising difficulty, from a seed.

A puzzle is found by letting two middling bots play on a dealt board and looking for a position
whose only winning move takes as long as the difficulty asks for.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from gridwise.core.game import Game, Position
from gridwise.engine.bots import bot
from gridwise.engine.deals import deal
from gridwise.engine.worth import Limits, Option, Worth, weigh
from gridwise.errors import BadRequest

# Difficulty -> the plies a win may take, the winning move included. Longer wins are harder to see.
LENGTHS = {1: (1, 1), 2: (2, 3), 3: (4, 5), 4: (6, 8), 5: (9, 99)}
HARDEST = max(LENGTHS)
GAMES_TRIED = 40  # until one is found at all
GAMES_ENOUGH = 12  # until an easier one will do: some games have no long wins
THOROUGH = Limits(nodes=2_000_000)
EXACT_IF_NEAR = Limits(nodes=2_000)  # where there is chance: enough when the end is near


class Puzzle(NamedTuple):
    """A position, and the one move that wins."""

    position: Position
    solution: Option
    worth: Worth
    difficulty: int

    @property
    def answer(self) -> str:
        """The winning move, as text."""
        game, board, state = self.position.game, self.position.board, self.position.state
        return game.words.action_name(board, state, self.solution.action)


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
            if after and puzzle.position[:3] == after.position[:3]:
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


def _found_in_a_game(game: Game, rng: random.Random) -> list[Puzzle]:
    """The puzzles along one game between two bots that make mistakes."""
    board = deal(game, rng, "fair")
    seats = [bot(game, "casual", rng.random().hex()) for _ in range(2)]
    first = 1 + int(rng.random() * 2) if game.coin_toss else 1
    state = game.rules.start(board, first)
    actions: tuple[int, ...] = ()
    found: list[Puzzle] = []
    while game.rules.moves(board, state) and len(actions) < 40:
        seen = game.seen(board, state)
        position = Position(game, seen, state, first, actions)
        puzzle = _as_puzzle(position)
        if puzzle:
            found.append(puzzle)
        action = seats[state.turn - 1].choose(position)
        actions = (*actions, action)
        state = game.rules.play(board, state, action)
    return found


def _as_puzzle(position: Position) -> Puzzle | None:
    if position.legal.bit_count() < 2:
        return None
    worth = weigh(position, EXACT_IF_NEAR if position.game.hides else THOROUGH)
    winning = [option for option in worth.options if option.points > 1 - 1e-9]
    if not worth.exact or len(winning) != 1:
        return None
    length = _length(position, winning[0])
    for difficulty, (least, most) in LENGTHS.items():
        if least <= length <= most:
            return Puzzle(position, winning[0], worth, difficulty)
    return None


def _length(position: Position, option: Option) -> int:
    """Plies to the win. Where there is chance none is known, and a win that is not at once is 3."""
    if option.distance is not None:
        return option.distance
    game = position.game
    after = game.rules.play(position.board, position.state, option.action)
    return 1 if game.rules.winner(position.board, after) else 3


def main_line(position: Position, action: int, most: int = 30) -> list[str]:
    """The move and how the game goes on if both sides then play their best."""
    game, board, state = position.game, position.board, position.state
    written: list[str] = []
    while len(written) < most:
        written.append(game.words.action_name(board, state, action))
        state = game.rules.play(board, state, action)
        if not game.rules.moves(board, state) or game.rules.hidden(board, state):
            break
        best = weigh(Position(game, board, state)).best
        # The winner hurries and the loser delays.
        hurry = best[0].value == "win"
        order = sorted(best, key=lambda option: option.distance or 0, reverse=not hurry)
        action = order[0].action
    return written


# The same words on the command line and on a page


def explained(puzzle: Puzzle) -> str:
    """Why the answer is the answer."""
    others = len(puzzle.worth.options) - 1
    line = main_line(puzzle.position, puzzle.solution.action)
    how = f"{puzzle.answer} wins"
    if puzzle.solution.distance:
        how += f" in {puzzle.solution.distance}"
    rest = "the other move does not" if others == 1 else f"none of the {others} others does"
    return f"{how}; {rest}. Best play goes: {' '.join(line)}"


def refuted(puzzle: Puzzle, action: int) -> str:
    """Why another move does not win."""
    game, board, state = puzzle.position.game, puzzle.position.board, puzzle.position.state
    move = game.words.action_name(board, state, action)
    chosen = next(option for option in puzzle.worth.options if option.action == action)
    answer = _best_answer(game, puzzle.position, action)
    if chosen.win is not None:
        return f"Not {move}: it wins only {chosen.win:.0%} of the time."
    what = {
        "loss": "loses",
        "draw": "only draws",
        "endless": "wins nothing by force",
    }[str(chosen.value)]
    after = f" after {answer}" if answer else ""
    return f"Not {move}: it {what}{after}."


def _best_answer(game: Game, position: Position, action: int) -> str:
    board = position.board
    after = game.rules.play(board, position.state, action)
    if not game.rules.moves(board, after) or game.rules.hidden(board, after):
        return ""
    best = weigh(Position(game, board, after)).best[0]
    return game.words.action_name(board, after, best.action)
