"""The boards that programs play on: always the same ones, or deals of one size.

Environments, gradings, arenas and evaluations take the same options:

| option | values |
|---|---|
| `board` | always this board: its text, or a Board |
| `boards` | a list of boards of one size; one is drawn for each game |
| `size` | rows by columns of the boards that are dealt, like `"4x6"` |
| `target` | points to reach, where the game has a target |
| `handicap` | True to even out a game that favours Player 1, as `gridwise play --handicap` does |
| `deal` | `"uniform"`, as the rules say, or `"fair"`, as `gridwise play --deal fair` does |

`play_on` is how a game goes on from there where only programs play.

One seed, one deal: `Stream(seed)` deals the cells in order and then tosses the coin, just as
`Match(game, seed=seed)` does, so the first deal of a seed is the board of that Match. Where that
game is over before the first move, the next deal of the same stream is taken: one board in four of
Number Maze has nothing to decide, and no framework has a place for a game without a move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple, Self, TypeAlias, TypedDict

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_DEALS, MAX_PLIES, illegal_move, unfinished
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal, with_handicap
from gridwise.errors import BadBoard, BadRequest, quoted
from gridwise.play.match import first_player

Size: TypeAlias = "int | str | tuple[int, int] | None"
AnyBoard: TypeAlias = "Board | str"
DEALS = ("uniform", "fair")  # not `even`: dealing such a board takes seconds
STANDARD = "standard"  # what a game is called that is played as its rules have it


class BoardOptions(TypedDict, total=False):
    """Which boards a program plays on; the table above says what each option is."""

    board: AnyBoard | None
    boards: Iterable[AnyBoard] | None
    size: Size
    target: int | None
    handicap: bool
    deal: str


class DealtGame(NamedTuple):
    """A game about to begin."""

    true_board: Board  # face-down cells included: never for a player
    position: Position


class BoardSource(NamedTuple):
    """Boards of one size, target and handicap; their cells that are 0 are dealt for each game."""

    game: Game
    templates: tuple[Board, ...]
    fair: bool = False  # whether deals are left out that are no fun
    evened: bool = False  # whether a handicap was asked for

    @property
    def board(self) -> Board:
        """One of them: what is the same for all can be read from it."""
        return self.templates[0]

    @property
    def is_dealt(self) -> bool:
        """Whether one game's board may differ from the next one's."""
        return self.fair or len(self.templates) > 1 or bool(self.board.unknown)

    @property
    def variant(self) -> str:
        """What is not as the rules have it, in a few words: `6x6, target 20`; or `standard`."""
        game, board, usual = self.game, self.board, board_template(self.game)
        if self.evened and game.handicap:
            usual = game.handicap.even(usual)
        size = f"{board.rows}x{board.cols}"
        parts = []
        if len(self.templates) > 1:
            parts.append(f"{len(self.templates)} boards of {size}")
        elif board.unknown != board.full and board.cells != usual.cells:
            parts.append(f"board {game.board_text(board)}")
        elif (board.rows, board.cols) != (usual.rows, usual.cols):
            parts.append(size)
        if board.target != game.target:
            parts.append(f"target {board.target}")
        if self.evened or board.handicap:
            parts.append(f"handicap {board.handicap}" if board.handicap else "handicap")
        if self.fair:
            parts.append("fair deals")
        return ", ".join(parts) or STANDARD

    @property
    def title(self) -> str:
        """What the game is called, with what is not as the rules have it."""
        return with_variant(self.game.title, self.variant)

    def about(self) -> dict[str, Any]:
        """Everything that makes it other boards, as JSON; cells that are dealt are `?`."""
        board = self.board
        return {
            "boards": [self.game.board_text(each) for each in self.templates],
            "target": board.target,
            "handicap": board.handicap or int(self.evened),
            "deal": DEALS[self.fair],
        }

    def only(self, boards: Sequence[AnyBoard]) -> Self:
        """A source of these boards instead, which must be like the ones it has."""
        return self._replace(templates=tuple(map(self._alike, boards)), fair=False)

    def _alike(self, given: AnyBoard) -> Board:
        here = self.board
        board = read_board(self.game, given, here.target if isinstance(given, str) else None)
        if isinstance(given, str):
            board = replace(board, handicap=here.handicap)
        if (board.rows, board.cols) != (here.rows, here.cols):
            raise BadRequest(
                f"The boards here have {here.rows} rows and {here.cols} columns, not "
                f"{board.rows} and {board.cols}: all have one size."
            )
        if (board.target, board.handicap) != (here.target, here.handicap):
            raise BadRequest(
                f"The boards here have the target {here.target} and the handicap {here.handicap}, "
                f"and this one {board.target} and {board.handicap}."
            )
        return board

    def deal(self, stream: Stream, first: int | None = None) -> DealtGame:
        """The next game of a stream: the board, the cells in order, then the toss."""
        template = self.board
        if len(self.templates) > 1:
            template = self.templates[stream.below(len(self.templates))]
        if self.fair:
            rows, cols, target = template.rows, template.cols, template.target
            dealt = deal(self.game, stream, "fair", rows=rows, cols=cols, target=target)
            board = replace(dealt, handicap=template.handicap)
        else:
            board = self.game.deal_unknown(template, stream)
        return DealtGame(board, start(self.game, board, first_player(self.game, first, stream)))

    def deal_playable(self, stream: Stream, first: int | None = None) -> DealtGame:
        """The next game in which somebody has a move; raises BadBoard if there is none."""
        for _ in range(MAX_DEALS if self.is_dealt else 1):
            dealt = self.deal(stream, first)
            if not dealt.position.outcome:
                return dealt
        where = (
            f", {MAX_DEALS} deals in a row. Try another board or size"
            if self.is_dealt
            else f" on the board {self.game.board_text(self.board)}"
        )
        raise BadBoard(f"{self.game.title} is over before the first move{where}.")


def with_variant(name: str, variant: str) -> str:
    """The name of a game, with what is not as the rules have it: `Number Run (6x6)`."""
    return name if variant == STANDARD else f"{name} ({variant})"


def board_source(
    game: Game,
    *,
    board: AnyBoard | None = None,
    boards: Iterable[AnyBoard] | None = None,
    size: Size = None,
    target: int | None = None,
    handicap: bool = False,
    deal: str = DEALS[0],
) -> BoardSource:
    """The boards that the options ask for; raises GridwiseError if there are none."""
    _check_options(game, board, boards, target, deal)
    target = None if target is None else int(target)  # whole numbers of NumPy are no JSON
    if board is None and boards is None:
        template = board_template(game, size)
        template = template if target is None else replace(template, target=target)
        return BoardSource(game, (_evened(game, template, handicap),), deal == "fair", handicap)
    if size is not None:
        raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
    if deal == "fair":
        raise BadRequest("Give a board or have fair ones dealt, not both.")
    given = [board] if board is not None else list(boards or ())
    if not given:
        raise BadRequest("`boards` is empty: there must be at least one board.")
    read = [_evened(game, read_board(game, each, target), handicap) for each in given]
    return BoardSource(game, (read[0],), evened=handicap).only(read)


def _check_options(game: Game, board: object, boards: object, target: object, deal: object) -> None:
    """Raise BadRequest if one of them is none, or not for this game, or two do not agree."""
    if deal not in DEALS:
        raise BadRequest(f"Boards are dealt {' or '.join(DEALS)}, not {quoted(str(deal))}.")
    only_one = game.fixed or game.rules.LOW == game.rules.HIGH
    if deal == "fair" and (only_one or game.has_hidden_cells):
        why = "its board is always the same" if only_one else "its cells are face down"
        raise BadRequest(f"{game.title} has no fair deals, only uniform ones: {why}.")
    if target is not None and (isinstance(target, bool) or not isinstance(target, Integral)):
        raise BadRequest(f"`target` is a whole number of points, not {quoted(str(target))}.")
    if board is not None and boards is not None:
        raise BadRequest("Give `board`, one board, or `boards`, a list of them, not both.")
    if isinstance(board, list | tuple):
        raise BadRequest("`board` is one board. For a list of them use `boards`.")
    if boards is not None and (isinstance(boards, Board | str) or not isinstance(boards, Iterable)):
        raise BadRequest("`boards` is a list of boards. For one board use `board`.")


def read_board(game: Game, given: AnyBoard, target: int | None) -> Board:
    """A board that was given as text or as a Board, checked; with the target, if there is one."""
    if isinstance(given, str):
        return game.parse_board(given, target)
    if not isinstance(given, Board):
        raise BadRequest(
            f"A board is its text, like {game.example_board}, or a Board, not {quoted(str(given))}."
        )
    return game.check_board(given if target is None else replace(given, target=target))


def _evened(game: Game, template: Board, handicap: bool) -> Board:
    """The template with the handicap, if asked for; checked with its unknown cells filled in."""
    if template.size < 2:
        raise BadBoard(f"One cell is no game for two: a board of {game.title} has two or more.")
    filled = template.with_cells(value or game.rules.LOW for value in template.cells)
    game.check_board(filled)
    if not handicap:
        return template
    with_handicap(game, filled)
    assert game.handicap is not None  # checked by `with_handicap`
    return game.handicap.even(template)


def board_template(game: Game, size: Size = None) -> Board:
    """The board that every deal of a size starts from; its cells that are 0 are dealt."""
    rows, cols = (game.rows, game.cols) if size is None else read_size(size)
    dealt = game.check_board(game.deal(Stream(0), rows, cols))
    return dealt if game.fixed else dealt.without(dealt.full)


def read_size(size: Size) -> tuple[int, int]:
    """Rows and columns of a size such as 5, "5x5" or (5, 5); raises BadRequest."""
    text = f"{size}x{size}" if isinstance(size, int) else str(size).strip("()[]")
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX*,]\s*(\d{1,3})\s*", text)
    if not match or not int(match[1]) * int(match[2]):
        raise BadRequest(f"A size is rows by columns, like 5x5, not {quoted(str(size))}.")
    return int(match[1]), int(match[2])


def play_on(
    position: Position, action: int, true_board: Board, max_plies: int | None = None
) -> Position:
    """The position after an action; an illegal one loses.

    A game is stopped after `max_plies`; unless that is given, only games that can go on for ever.
    """
    if not position.is_legal(action):
        return position.ended(illegal_move(position.turn), true_board)
    after = position.play(action, true_board)
    if max_plies is None:
        max_plies = MAX_PLIES if position.game.cyclic else 0
    if max_plies and not after.outcome and len(after.history) >= max_plies:
        return after.ended(unfinished(max_plies))
    return after
