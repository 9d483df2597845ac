"""Where the token on a cell can go, for each number the cell can hold: read off a game's rules.

A census can count the boards of a game in which two tokens are all there is, and in which a move
depends on the number under the mover's token and on no other. Whether a game is like that is found
out by running its rules in every position, on boards that tell which cells are looked at. Nothing
is known here about any one game, and the rules are not written a second time.

Numbers that lead to the same cells are one *choice*: in the middle of a 4x4 grid a 3 goes nowhere,
and neither does a 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self

from gridwise.core.board import Board, symmetries
from gridwise.core.game import Game
from gridwise.errors import BadRequest

NEEDED = (
    "A census needs a game of two tokens in which a move depends on the number under the token "
    "and on nothing else on the board."
)


class Choice(NamedTuple):
    """Numbers of a cell that come to the same."""

    targets: int  # the set of cells that a token can go to, where the opponent is not on them
    values: tuple[int, ...]


class MoveTable(NamedTuple):
    """All that the moves on boards of one size depend on."""

    rows: int
    cols: int
    numbers: int  # how many a cell can hold
    choices: tuple[tuple[Choice, ...], ...]  # of each cell
    starts: tuple[int, int]  # of Player 1 and Player 2
    goals: tuple[int, int]  # sets of cells: a token that gets there has won
    mirror: tuple[int, ...]  # a symmetry that leaves the starts where they are; else the identity

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    @property
    def boards(self) -> int:
        """The number of boards."""
        boards: int = self.numbers**self.size
        return boards

    def choice_of(self, cell: int, value: int) -> int:
        """The number of the choice that a value of a cell belongs to."""
        return next(k for k, each in enumerate(self.choices[cell]) if value in each.values)

    def mirrored(self, cell: int, choice: int) -> int:
        """The choice of the mirrored cell that does the same, mirrored."""
        targets = _image(self.choices[cell][choice].targets, self.mirror)
        found = [each.targets for each in self.choices[self.mirror[cell]]]
        return found.index(targets)


def move_table(game: Game, rows: int, cols: int) -> MoveTable:
    """The table for boards of a size; raises BadRequest if the game is not of that kind."""
    targets, goals = _read_rules(game, rows, cols)
    low, high = game.rules.LOW, game.rules.HIGH
    choices = []
    for by_value in targets:
        alike: dict[int, list[int]] = {}
        for value in range(low, high + 1):
            alike.setdefault(by_value[value - low], []).append(value)
        choices.append(tuple(Choice(key, tuple(values)) for key, values in alike.items()))
    starts = Board(rows, cols, (low,) * (rows * cols)).starts[1:]
    made = MoveTable(
        rows, cols, high - low + 1, tuple(choices), starts, goals, tuple(range(rows * cols))
    )
    return made._replace(mirror=_mirror(made, targets))


# Reading the rules


def _read_rules(game: Game, rows: int, cols: int) -> tuple[list[list[int]], tuple[int, int]]:
    """The targets of each cell and value, and the goals of both players.

    What was read is then compared with the rules in every position, so it is right for all.
    """
    if game.has_hidden_cells:
        raise _not_countable(game, "it has hidden cells")
    opening = game.rules.start(Board(rows, cols, (game.rules.LOW,) * (rows * cols)), 1)
    if opening._fields != ("turn", "my_cell", "your_cell"):
        raise _not_countable(game, "its positions are more than two tokens")
    found = dict(_positions(game, rows, cols, type(opening)))
    size, values = rows * cols, game.rules.HIGH - game.rules.LOW + 1
    targets = [[0] * values for _ in range(size)]
    for (_, mine, _, value), reached in found.items():
        targets[mine][value] |= reached
    goals = [0, 0]
    for turn in (1, 2):
        for yours in range(size):
            others = [cell for cell in range(size) if cell != yours]
            if not any(found[turn, mine, yours, v] for mine in others for v in range(values)):
                goals[2 - turn] |= 1 << yours  # the goal of the player who is not to move
    for (turn, mine, yours, value), reached in found.items():
        is_over = goals[2 - turn] >> yours & 1
        if reached != (0 if is_over else targets[mine][value] & ~(1 << yours)):
            raise _not_countable(game, "its moves depend on more than the number under the token")
    return targets, (goals[0], goals[1])


def _positions(
    game: Game, rows: int, cols: int, state: type
) -> Iterator[tuple[tuple[int, int, int, int], int]]:
    """Each turn, two cells and a value, counted from 0, with the set of cells one can go to."""
    rules, size = game.rules, rows * cols
    for value in range(rules.LOW, rules.HIGH + 1):
        for mine in range(size):
            board = Board(rows, cols, _OneCell(size, mine, value))
            for turn in (1, 2):
                for yours in range(size):
                    if yours == mine:
                        continue
                    here = state(turn, mine, yours)
                    try:
                        reached = _targets(game, board, here)
                    except _LooksElsewhere:
                        raise _not_countable(
                            game, "a move depends on more cells than the one under the token"
                        ) from None
                    yield (turn, mine, yours, value - rules.LOW), reached


def _targets(game: Game, board: Board, state: tuple[int, int, int]) -> int:
    turn, _, yours = state
    legal, reached = game.rules.moves(board, state), 0
    for action in range(game.actions(board)):
        if legal >> action & 1:
            after = game.rules.play(board, state, action)
            if (after.turn, after.my_cell) != (3 - turn, yours):
                raise _not_countable(game, "a move changes more than where the token stands")
            reached |= 1 << after.your_cell
    if game.rules.winner(board, state) != (0 if legal else 3 - turn):
        raise _not_countable(game, "a player without a move does not always lose")
    return reached


class _LooksElsewhere(Exception):
    """A cell was looked at that is not the one under the mover's token."""


class _OneCell(tuple[int, ...]):
    """The cells of a board of which one may be looked at."""

    __slots__ = ()

    def __new__(cls, size: int, cell: int, value: int) -> Self:
        return super().__new__(cls, (value if each == cell else 0 for each in range(size)))

    def __getitem__(self, place: object) -> int:  # type: ignore[override] # not for slices
        value = super().__getitem__(place) if isinstance(place, int) else 0
        if not value:
            raise _LooksElsewhere
        return value

    def __iter__(self) -> Iterator[int]:
        raise _LooksElsewhere


def _not_countable(game: Game, why: str) -> BadRequest:
    return BadRequest(f"{game.title} cannot be counted: {why}. {NEEDED}")


# Symmetry


def _mirror(table: MoveTable, targets: list[list[int]]) -> tuple[int, ...]:
    """A symmetry of the grid that changes neither starts, goals nor moves."""
    identity = table.mirror
    for image in symmetries(table.rows, table.cols):
        if image == identity or any(image[image[cell]] != cell for cell in identity):
            continue
        fixed = all(image[cell] == cell for cell in table.starts)
        fixed = fixed and all(_image(goal, image) == goal for goal in table.goals)
        if fixed and all(
            [_image(each, image) for each in targets[cell]] == targets[image[cell]]
            for cell in identity
        ):
            return image
    return identity


def _image(cells: int, image: tuple[int, ...]) -> int:
    return sum(1 << place for cell, place in enumerate(image) if cells >> cell & 1)
