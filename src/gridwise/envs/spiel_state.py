"""Where an OpenSpiel game stands: a position, or a point where chance is about to decide something.

Where cells are face down nobody has dealt them yet: a claim waits until chance has dealt the cells
that it turns up, one chance node a cell, and only then becomes part of the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pyspiel

from gridwise.arena.boards import board_template, deal_playable, play_on
from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.errors import BadBoard
from gridwise.show.text import draw, plain


class SpielSetup(NamedTuple):
    """What all states of one game share: which game it is, on which board."""

    game: Game
    board: Board  # as dealt; where cells are face down, none of them is known
    first: int  # who moves first; 0 where a coin decides

    @property
    def max_plies(self) -> int:
        """The most plies of a game: each uses up a cell for one player, or they are limited."""
        return MAX_PLIES if self.game.cyclic else 2 * self.board.size

    @property
    def max_chance_outcomes(self) -> int:
        """The most outcomes of one chance node."""
        if not self.game.has_hidden_cells:
            return 0 if self.first else 2
        return max(self.game.rules.HIGH - self.game.rules.LOW + 1, 2)

    @property
    def max_chance_nodes(self) -> int:
        """The most chance nodes in one game: the toss, and each cell once."""
        return (0 if self.first else 1) + (self.board.size if self.game.has_hidden_cells else 0)

    def __deepcopy__(self, memo: object) -> SpielSetup:
        return self


class Node(NamedTuple):
    """All that changes, in one immutable piece that need not be copied with its state."""

    position: Position | None  # None until the coin has been tossed
    board: Board  # what chance has dealt, the cells for the pending action included
    pending: int = -1  # the action that is waiting for chance to turn up cells
    face_down: int = 0  # the cells it is waiting for

    @property
    def is_chance(self) -> bool:
        """Whether chance is to decide something."""
        return self.position is None or self.pending >= 0

    def __deepcopy__(self, memo: object) -> Node:
        return self


class SpielState(pyspiel.State):
    """A state as OpenSpiel asks for it."""

    def __init__(self, game: pyspiel.Game, setup: SpielSetup) -> None:
        super().__init__(game)
        self.setup = setup
        first = start(setup.game, setup.board, setup.first) if setup.first else None
        self.node = Node(first, setup.board)

    # Whose turn it is, and what can be done

    def current_player(self) -> int:
        """0 or 1; chance; or nobody, once it is over."""
        if self.node.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self._position.turn - 1

    @property
    def _position(self) -> Position:
        assert self.node.position is not None  # the coin has been tossed
        return self.node.position

    def is_terminal(self) -> bool:
        """Whether it is over, by the rules or by the limit of plies."""
        return not self.node.is_chance and self._position.outcome is not None

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for everything else."""
        outcome = self._position.outcome if self.is_terminal() else None
        points = {1: 1.0, 2: -1.0}.get(outcome.winner if outcome else 0, 0.0)
        return [points, 0.0 - points]  # never -0.0

    def _legal_actions(self, _player: int) -> list[int]:
        return list(bit_indices(self._position.legal_mask))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Heads or tails, or the numbers a cell can have, all equally likely."""
        rules = self.setup.game.rules
        count = 2 if self.node.position is None else rules.HIGH - rules.LOW + 1
        return [(outcome, 1.0 / count) for outcome in range(count)]

    # What happens

    def _apply_action(self, action: int) -> None:
        node, game = self.node, self.setup.game
        if node.position is None:
            self.node = Node(start(game, node.board, action + 1), node.board)
        elif node.pending < 0:
            self._play_or_wait(action, node.board)
        else:
            cells = list(node.board.cells)
            cells[bit_indices(node.face_down)[0]] = game.rules.LOW + action
            self._play_or_wait(node.pending, node.board.with_cells(cells))

    def _play_or_wait(self, action: int, board: Board) -> None:
        """Play an action, or wait for the first cell that chance has to turn up for it."""
        position = self._position
        hidden = board.unknown & position.reveals(action) if position.game.has_hidden_cells else 0
        if hidden:
            self.node = Node(position, board, action, hidden)
        else:
            self.node = Node(play_on(position, action, board), board)

    # How it is written

    def _action_to_string(self, player: int, action: int) -> str:
        node, setup = self.node, self.setup
        if player != pyspiel.PlayerId.CHANCE:
            return (node.position or start(setup.game, setup.board)).name(action)
        if node.position is None:
            return f"Player {action + 1} is first"
        cell = node.position.cell_name(bit_indices(node.face_down)[0])
        return f"{cell} is {setup.game.rules.LOW + action}"

    def __str__(self) -> str:
        """The position for people and then its numbers: no two states are written alike."""
        position, board, pending, face_down = self.node
        game = self.setup.game
        if position is None:
            return f"{game.title}: a coin decides who is first."
        view = position.view
        numbers = " ".join(str(number) for number in position.state)
        lines = [plain(draw(view)), view.caption, f"State: {numbers}"]
        if game.cyclic:
            lines.append(f"Plies: {len(position.history)} of {self.setup.max_plies}")
        if pending >= 0:
            name = position.cell_name
            revealed = " ".join(
                f"{name(cell)}={game.glyphs[board.cells[cell]]}"
                for cell in bit_indices(position.reveals(pending))
            )
            waiting = name(bit_indices(face_down)[0])
            lines.append(f"Claiming {position.name(pending)} turns up {revealed}, next {waiting}")
        return "\n".join(line for line in lines if line)


def parameters(game: Game) -> dict[str, str | int]:
    """The parameters that make sense for a game, and their defaults."""
    sensible = {
        "board": not game.has_hidden_cells,
        "seed": not game.has_hidden_cells and not game.fixed,
        "target": game.target,
        "first": game.coin_toss,
    }
    wanted = ["rows", "cols", *(name for name, makes_sense in sensible.items() if makes_sense)]
    return {name: "" if name == "board" else 0 for name in wanted}


def setup_from(game: Game, given: Mapping[str, Any]) -> SpielSetup:
    """The game and the board that the parameters name; raises GridwiseError if there is none."""
    rows, cols, target = given.get("rows", 0), given.get("cols", 0), given.get("target")
    first = given.get("first", 0) if game.coin_toss else 1
    if first:
        game.check_first(first)
    if "board" in given:
        board = game.parse_board(given["board"], target)
        if (rows or board.rows, cols or board.cols) != (board.rows, board.cols):
            raise BadBoard(
                f"The board has {board.rows} rows and {board.cols} columns, but `rows` and `cols` "
                "say otherwise. Leave them out."
            )
        return SpielSetup(game, board, first)
    board = board_template(game, None, (rows or game.rows, cols or game.cols))
    if target is not None:
        board = replace(board, target=target)
    if not game.has_hidden_cells:
        board = deal_playable(game, board, Stream(given.get("seed", 0)), first=1).true_board
    return SpielSetup(game, game.check_board(board), first)
