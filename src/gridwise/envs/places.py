"""A game as a tree with chance in it: what OpenSpiel wants, without OpenSpiel.

A Table is what stays the same, a Place where the game is. Where cells are face down a Place does
not know them: a claim waits until chance has dealt the cells that it turns up.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, State
from gridwise.core.playout import CAP
from gridwise.core.registry import game as game_of
from gridwise.envs import deals
from gridwise.envs.boards import blank
from gridwise.errors import BadBoard
from gridwise.play.match import who_is_first
from gridwise.show.text import draw, plain


class Table(NamedTuple):
    """What stays the same in all states of one game: which one it is, on which board."""

    game: Game
    board: Board  # as dealt; where cells are face down, none of them is known
    first: int  # who moves first; 0 where a coin decides

    @property
    def longest(self) -> int:
        """The most plies of a game: each uses up a cell for one of the players, or it is capped."""
        return CAP if self.game.cyclic else 2 * self.board.size

    @property
    def outcomes(self) -> int:
        """The most outcomes of one chance node."""
        if not self.game.hides:
            return 0 if self.first else 2
        return max(self.game.rules.HIGH - self.game.rules.LOW + 1, 2)

    @property
    def chance_nodes(self) -> int:
        """The most chance nodes on the way to the end: the toss, and each cell once."""
        return (0 if self.first else 1) + (self.board.size if self.game.hides else 0)

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_table, (self.game.key, self.board, self.first)


def _same_table(key: str, board: Board, first: int) -> Table:
    return Table(game_of(key), board, first)


class Place(NamedTuple):
    """Where a game is: all that changes, in one piece that need not be copied with its state."""

    board: Board  # as far as it has been turned up
    state: State | None  # None until the coin has been tossed
    plies: int = 0
    claim: int = -1  # the action that is waiting for chance to turn up cells
    face_down: int = 0  # the cells it is waiting for

    def __deepcopy__(self, memo: object) -> Place:
        return self


def played(game: Game, place: Place) -> Place:
    """The place after the claim, or before the first cell that chance has to turn up for it."""
    board, rules = place.board, game.rules
    after = rules.play(board, place.state, place.claim)
    missing = board.unknown & ~rules.hidden(board, after) if game.hides else 0
    if missing:
        return place._replace(face_down=missing)
    return Place(board, after, place.plies + 1)


def described(table: Table, place: Place) -> str:
    """The place for people, and at the end its numbers: no two places are written alike."""
    game, (board, state, plies, claim, missing) = table.game, place
    if state is None:
        return f"{game.title}: a coin decides who is first."
    view = game.view(board, state)
    lines = [plain(draw(view)), view.caption, f"State: {' '.join(str(number) for number in state)}"]
    if game.cyclic:
        lines.append(f"Plies: {plies} of {table.longest}")
    if claim >= 0:
        name = game.words.NOTATION.cell_name
        cells = _turned_up(game, board, state, claim)
        shown = " ".join(f"{name(board, cell)}={game.glyphs[board.cells[cell]]}" for cell in cells)
        move = game.words.action_name(board, state, claim)
        lines.append(f"Claiming {move} turns up {shown}, next {name(board, members(missing)[0])}")
    return "\n".join(line for line in lines if line)


def _turned_up(game: Game, board: Board, state: State, claim: int) -> tuple[int, ...]:
    """The cells that a claim turns up."""
    rules = game.rules
    after = rules.play(board, state, claim)
    return members(rules.hidden(board, state) & ~rules.hidden(board, after))


# Making games from their parameters


def parameters(game: Game) -> dict[str, str | int]:
    """The parameters that make sense, and what they are unless given."""
    found: dict[str, str | int] = {"rows": 0, "cols": 0}
    if not game.hides:
        found["board"] = ""
        if not game.fixed:
            found["seed"] = 0
    if game.target:
        found["target"] = 0
    if game.coin_toss:
        found["first"] = 0
    return found


def table_of(game: Game, given: Mapping[str, Any]) -> Table:
    """The game and the board that the parameters name; raises GridwiseError if there is none."""
    rows, cols, target = given.get("rows", 0), given.get("cols", 0), given.get("target")
    first = 1
    if game.coin_toss:
        first = given.get("first", 0)
        if first:
            first = who_is_first(game, first, random.Random())
    if "board" in given:
        board = game.parse_board(given["board"], target)
        if (rows or board.rows, cols or board.cols) != (board.rows, board.cols):
            raise BadBoard(
                f"The board has {board.rows} rows and {board.cols} columns; `rows` and `cols` say "
                "otherwise. Leave them out."
            )
        return Table(game, board, first)
    board = blank(game, None, (rows or game.rows, cols or game.cols))
    if target is not None:
        board = replace(board, target=target)
    if not game.hides:
        board = deals.fill(game, board, random.Random(f"gridwise deal {given.get('seed', 0)}"))
    return Table(game, game.check_board(board), first)
