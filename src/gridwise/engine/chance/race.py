"""Race: a position with face-down cells as the race for points that it is.

The chance search knows one shape of game: players take turns claiming cells, a claim scores the
cell's number and reveals the cells around it, the target wins at once, and on a full board the
higher score does. Everything there is to know is then a few ints, a Race.

Which game has that shape is not decided by its name. `race_of` plays a claim of each kind by the
game's own rules and compares; a game that does otherwise is refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.errors import BadRequest


class Race(NamedTuple):
    """What the winning probabilities depend on, from the side of the player to move."""

    mine: int  # the points I still need
    yours: int  # the points my opponent still needs
    hidden: int  # the cells that are face down
    shown: int  # the cells that are face up and free to claim
    values: tuple[int, ...]  # cell -> its number where it is shown, else 0
    reveals: tuple[int, ...]  # cell -> the cells that a claim of it reveals
    target: int  # the points that both needed at the start
    least: int  # a face-down cell is uniform from least to most
    most: int


def race_of(position: Position) -> Race:
    """The race that a position is; it knows no more than the position.

    Raises BadRequest where the game is not such a race.
    """
    game, board, hidden = position.game, position.board, position.hidden
    shown = position.legal_mask & ~hidden
    mine, yours = _points_needed(game, board, position.state)
    race = Race(
        mine=mine,
        yours=yours,
        hidden=hidden,
        shown=shown,
        values=tuple(v if shown >> cell & 1 else 0 for cell, v in enumerate(board.cells)),
        reveals=board.neighbours8,
        target=board.target,
        least=game.rules.LOW,
        most=game.rules.HIGH,
    )
    _check(position, race)
    return race


def _points_needed(game: Game, board: Board, state: State) -> tuple[int, int]:
    """The points that the player to move and the other one still need."""
    scores = game.text.scores(state)
    if scores is None:
        raise BadRequest(f"{game.title} has no points, so it cannot be searched as a race.")
    mine, yours = scores if state.turn == 1 else scores[::-1]
    return board.target - mine, board.target - yours


def _check(position: Position, race: Race) -> None:
    """Raise BadRequest unless one claim of each kind does what a claim does.

    Kinds: face down or not, winning or not, with something to reveal or not.
    """
    game, board, state = position.game, position.board, position.state
    rules, legal = game.rules, position.legal_mask
    # Any numbers will do to see what a claim does; the rules cannot play an unknown one.
    filled = replace(board, cells=tuple(value or rules.LOW for value in board.cells))
    kinds = {
        (
            race.hidden >> cell & 1,
            filled.cells[cell] >= race.mine,
            bool(reveals & race.hidden),
        ): cell
        for cell, reveals in enumerate(race.reveals)
        if legal >> cell & 1
    }
    for (_, won, _), cell in kinds.items():
        number, after = filled.cells[cell], rules.play(filled, state, cell)
        hidden = race.hidden & ~(race.reveals[cell] | 1 << cell)
        free = 0 if won else legal & ~(1 << cell)
        as_expected = (
            after.turn == 3 - state.turn
            and _points_needed(game, filled, after) == (race.yours, race.mine - number)
            and rules.hidden(filled, after) == hidden
            and rules.moves(filled, after) == free
            and (not won or rules.winner(filled, after) == state.turn)
        )
        if not as_expected:
            name = position.name(cell)
            raise BadRequest(f"{game.title} is not a race for cells: {name} is not a plain claim.")
