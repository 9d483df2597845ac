"""BoardSource: the boards an environment plays on, from its options, the same everywhere.

| option | values |
|---|---|
| `board` | always this board: its text, or a Board |
| `boards` | a list of boards of one size; one is drawn for each game |
| `size` | rows by columns of the boards that are dealt, like `"4x6"` |
| `target` | points to reach, where the game has a target |
| `handicap` | True to even out a game that favours Player 1, as `gridwise play --handicap` does |
| `deal` | `"uniform"`, as the rules say, or `"fair"`, as `gridwise play --deal fair` does |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from gridwise.arena.boards import MAX_DEALS, DealtGame, Size, board_template
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import start
from gridwise.core.rng import Stream
from gridwise.engine.deals import deal, with_handicap
from gridwise.errors import BadBoard, BadRequest, quoted
from gridwise.play.match import first_player

AnyBoard: TypeAlias = "Board | str"
RESET_OPTIONS = ("board", "first")
DEALS = ("uniform", "fair")  # not `even`: dealing such a board takes seconds


class BoardSource(NamedTuple):
    """Boards of one size, target and handicap; their cells that are 0 are dealt for each game."""

    game: Game
    templates: tuple[Board, ...]
    fair: bool = False  # whether deals are left out that are no fun

    @property
    def board(self) -> Board:
        """One of them: what is the same for all can be read from it."""
        return self.templates[0]

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
        for _ in range(MAX_DEALS):
            dealt = self.deal(stream, first)
            if not dealt.position.outcome:
                return dealt
        raise BadBoard(
            f"{self.game.title} is over before the first move, {MAX_DEALS} deals in a row. "
            "Try another board or size."
        )

    def only(self, boards: Sequence[AnyBoard]) -> BoardSource:
        """The same with these boards instead, which must be like the ones it has."""
        templates = tuple(self._alike(board) for board in boards)
        return BoardSource(self.game, templates)

    def _alike(self, given: AnyBoard) -> Board:
        here = self.board
        board = _read_board(self.game, given, here.target if isinstance(given, str) else None)
        if isinstance(given, str):
            board = replace(board, handicap=here.handicap)
        if (board.rows, board.cols) != (here.rows, here.cols):
            raise BadRequest(
                f"The environment has boards of {here.rows} rows and {here.cols} columns, not of "
                f"{board.rows} and {board.cols}. Make one with `size`."
            )
        if (board.target, board.handicap) != (here.target, here.handicap):
            raise BadRequest(
                f"The environment has the target {here.target} and the handicap {here.handicap}, "
                f"and this board {board.target} and {board.handicap}."
            )
        return board


def board_source(
    game: Game,
    *,
    board: AnyBoard | None = None,
    boards: Iterable[AnyBoard] | None = None,
    size: Size = None,
    target: int | None = None,
    handicap: bool = False,
    deal: str = "uniform",
) -> BoardSource:
    """The boards that the options ask for; raises GridwiseError if there are none."""
    if not isinstance(game, Game):
        raise BadRequest(f"A game is its key, like number-run, or a Game, not {quoted(str(game))}.")
    if deal not in DEALS:
        raise BadRequest(f"Boards are dealt {' or '.join(DEALS)}, not {quoted(str(deal))}.")
    given = _given_boards(board, boards)
    if not given:
        template = board_template(game, None, size)
        template = template if target is None else replace(template, target=target)
        fair = deal == "fair" and not (game.has_hidden_cells or game.fixed)
        return BoardSource(game, (_evened(game, template, handicap),), fair)
    if size is not None:
        raise BadRequest("Give a board or a size, not both: a board has a size of its own.")
    if deal == "fair":
        raise BadRequest("Give a board or have fair ones dealt, not both.")
    read = [_evened(game, _read_board(game, each, target), handicap) for each in given]
    source = BoardSource(game, (read[0],))
    return source.only(read)


def _given_boards(board: object, boards: Any) -> list[AnyBoard]:  # noqa: ANN401 - to be checked
    if board is not None and boards is not None:
        raise BadRequest("Give `board`, one board, or `boards`, a list of them, not both.")
    if board is not None:
        if not isinstance(board, Board | str):
            raise BadRequest(
                f"`board` is one board, its text or a Board, not a {type(board).__name__}. For a "
                "list of them use `boards`."
            )
        return [board]
    if boards is None:
        return []
    if isinstance(boards, Board | str) or not isinstance(boards, Iterable):
        raise BadRequest("`boards` is a list of boards. For one board use `board`.")
    found = list(boards)
    if not found:
        raise BadRequest("`boards` is empty: there must be at least one board.")
    return found


def _read_board(game: Game, given: object, target: int | None) -> Board:
    if isinstance(given, str):
        return game.parse_board(given, target)
    if not isinstance(given, Board):
        raise BadRequest(f"A board is its text or a Board, not a {type(given).__name__}.")
    return game.check_board(given if target is None else replace(given, target=target))


def _evened(game: Game, template: Board, handicap: object) -> Board:
    """The template with the handicap, if asked for; checked with its unknown cells filled in."""
    if not isinstance(handicap, bool):
        raise BadRequest(f"`handicap` is True or False, not {quoted(repr(handicap))}.")
    filled = template.with_cells(value or game.rules.LOW for value in template.cells)
    game.check_board(filled)
    if not handicap:
        return template
    with_handicap(game, filled)
    assert game.handicap is not None  # checked by `with_handicap`
    return game.handicap.even(template)


def ply_limit(game: Game, max_plies: int | None) -> int:
    """After how many plies a game is stopped; 0 for never. Games without end always are."""
    if max_plies is None:
        return MAX_PLIES if game.cyclic else 0
    if not isinstance(max_plies, int) or isinstance(max_plies, bool) or max_plies < 1:
        raise BadRequest(f"`max_plies` is a whole number from 1 on, not {quoted(repr(max_plies))}.")
    return max_plies


def check_reset_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> dict[str, Any]:
    """The options of a reset, if all of them are known."""
    if options is not None and not isinstance(options, Mapping):
        raise BadRequest(f"The options of reset() are a dict, not a {type(options).__name__}.")
    given = dict(options or {})
    for name in given:
        if name not in known:
            raise BadRequest(
                f"reset() has no option {quoted(str(name))}. There are {', '.join(known)}."
            )
    return given
