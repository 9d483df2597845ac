"""Symmetries of the boards, to make more of what an agent has seen.

    for symmetry in symmetries("number-connect"):
        planes = symmetry.planes(observation)    # (…, planes, rows, columns)
        policy = symmetry.actions(probabilities) # (…, actions); masks too

Turning or mirroring a board changes nothing about a game in which cells are claimed; in a race the
corners must stay where they are, so only mirroring along the diagonal is left, on square boards.
Which of them hold is found out, not written down: random games are played on a board and on its
image, and every observation and every mask must be the image of the other.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridwise.core.board import Board
from gridwise.core.board import symmetries as grid_symmetries
from gridwise.core.game import Game
from gridwise.core.position import start
from gridwise.core.registry import game as game_named
from gridwise.core.rng import Stream
from gridwise.engine.observation import observation
from gridwise.play.boards import Size, board_template

# In the order of `core.board.symmetries`; only squares have the last four.
NAMES = (
    "as it is", "mirrored", "upside down", "half a turn",
    "transposed", "a quarter turn left", "a quarter turn right", "transposed the other way",
)  # fmt: skip
GAMES, PLIES = 12, 40  # played to see whether a symmetry holds

Array = npt.NDArray[Any]


class Symmetry(NamedTuple):
    """A way to turn or mirror boards: cell k of the image is cell `cells[k]` of the original."""

    name: str
    cells: tuple[int, ...]
    sources: tuple[int, ...]  # the same for actions

    def planes(self, observed: Array) -> Array:
        """The image of observations: whatever comes before rows and columns stays as it is."""
        flat = observed.reshape(*observed.shape[:-2], -1)
        return flat[..., list(self.cells)].reshape(observed.shape)

    def actions(self, by_action: Array) -> Array:
        """The image of anything that has a number for each action: masks, values, policies."""
        return by_action[..., list(self.sources)]

    def board(self, board: Board) -> Board:
        """The image of a board."""
        return board.with_cells(board.cells[cell] for cell in self.cells)

    def action(self, action: int) -> int:
        """The image of an action."""
        return self.sources.index(action)


def symmetries(game: Game | str, size: Size = None) -> tuple[Symmetry, ...]:
    """All symmetries of a game on boards of a size; the first leaves everything where it is."""
    played = game_named(game) if isinstance(game, str) else game
    board = board_template(played, size)
    return _symmetries(played, board.rows, board.cols)


@cache
def _symmetries(game: Game, rows: int, cols: int) -> tuple[Symmetry, ...]:
    board = board_template(game, (rows, cols))
    images = (
        Symmetry(name, cells, _sources(game, board, cells))
        for name, cells in zip(NAMES, grid_symmetries(rows, cols), strict=False)
    )
    return tuple(image for image in images if _holds(game, board, image))


def _sources(game: Game, board: Board, cells: tuple[int, ...]) -> tuple[int, ...]:
    """For each action of the image, that of the original."""
    if not game.rules.ACTIONS:
        return cells  # action k is about cell k
    ways = [_original_way(board, cells, way) for way in range(4)]
    return tuple(action - action % 4 + ways[action % 4] for action in range(game.rules.ACTIONS))


def _original_way(board: Board, cells: tuple[int, ...], way: int) -> int:
    """The direction in the original that is `way` in the image; the same if no step goes there."""
    for cell, steps in enumerate(board.steps):
        if steps[way] >= 0:
            return board.steps[cells[cell]].index(cells[steps[way]])
    return way


def _holds(game: Game, template: Board, symmetry: Symmetry) -> bool:
    """Whether random games and their images agree, ply by ply."""
    stream = Stream(f"{game.key} {template.rows} {template.cols}")
    for _ in range(GAMES):
        board = game.deal_unknown(template, stream)
        image = symmetry.board(board)
        one, other = start(game, board), start(game, image)
        for _ply in range(PLIES):
            seen, image_seen = observation(one), observation(other)
            planes = symmetry.planes(seen["observation"])
            mask = symmetry.actions(seen["action_mask"])
            if not (
                np.array_equal(planes, image_seen["observation"])
                and np.array_equal(mask, image_seen["action_mask"])
            ):
                return False
            if one.outcome:
                break
            action = stream.draw(one.legal_mask)
            one, other = one.play(action, board), other.play(symmetry.action(action), image)
    return True
