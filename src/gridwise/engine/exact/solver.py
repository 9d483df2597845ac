"""What every move is worth, exactly, where nothing is hidden.

    evaluation = solve(match.position)
    evaluation.value, evaluation.distance, evaluation.best

*Value* is `win`, `loss`, `draw` or `endless` (neither side can force a win), for the player to
move. *Distance* counts plies to the end when the winner hurries and the loser delays; a move's own
distance counts the move as 1. A draw's distance is the length of one line in which both keep it (in
Number Connect all of them are equally long, for a draw fills the board); an endless position has
none.

Games that cannot cycle are solved by forward search, those that can by retrograde analysis. A
search that is too large, or is stopped, gives what it has found so far: values that are known are
exact, the others are None.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.budget import TOO_LARGE, Budget, SearchStopped
from gridwise.engine.evaluation import NO_LIMITS, Evaluation, Limits, MoveValue
from gridwise.engine.exact.forward_search import MAX_DEPTH, NEVER, YES, ForwardSearch
from gridwise.engine.exact.retrograde import RetrogradeSolver
from gridwise.errors import BadRequest

# Enough for every standard board and most others; compiled, some 3 s. Counted in nodes, not in
# seconds, so that an answer is the same on every machine.
NODES = 20_000_000

# States that are listed interpreted (0.1 s; any game with two tokens has fewer), and compiled.
FEW_STATES = 10_000
MANY_STATES = 300_000

_Values: TypeAlias = dict[int, tuple[str | None, int | None]]  # action -> value, distance


def solve(position: Position, limits: Limits = NO_LIMITS) -> Evaluation:
    """The value and distance of a position and of every legal action.

    With a limit of nodes alone, or none at all, the answer is the same on every machine, whatever
    was searched before. `depth` counts plies. `stop` is asked every 10 ms or so; where a game can
    cycle, before a board is solved as a whole, which takes 70 ms for one of 63 cells. A game that
    is over has no value and no moves. Raises BadRequest where cells are hidden.
    """
    game = position.game
    if game.has_hidden_cells:
        raise BadRequest(f"{game.title} has hidden cells; it cannot be solved like this.")
    nodes = NODES if limits.nodes is None and limits.seconds is None else limits.nodes
    depth = limits.depth
    budget = Budget(nodes, limits.seconds, limits.stop)
    values: _Values = {}
    why = ""
    try:
        if game.cyclic:
            _solve_retrograde(position, budget, values)
        else:
            fresh = nodes is not None
            _solve_forward(position, budget, values, depth or MAX_DEPTH, fresh=fresh)
    except SearchStopped as stopped:
        why = stopped.why
    if depth is not None and any((plies or 0) > depth for _, plies in values.values()):
        values = {action: pair for action, pair in values.items() if (pair[1] or 0) <= depth}
        why = why or TOO_LARGE
    moves = tuple(
        MoveValue(action, move, *values.get(action, (None, None)), passes=game.passes)
        for action, move in zip(position.legal, position.legal_moves, strict=True)
    )
    return Evaluation(moves, *_value(moves), exact=not why, incomplete=why, nodes=budget.used)


def prepare_search(position: Position) -> None:
    """Compile what long searches of such positions run on, or load it. Nothing is solved."""
    if position.game.cyclic:
        solve(position)  # interpreted, and done in no time
    else:
        ForwardSearch(position.game, position.board).compile()


def _value(moves: tuple[MoveValue, ...]) -> tuple[str | None, int | None]:
    best = max(moves, key=lambda move: move.rank, default=None)
    if best and (best.value in {"loss", "win"} or all(move.value for move in moves)):
        return best.value, best.distance
    return None, None


# Retrograde analysis, where games can cycle


def _solve_retrograde(position: Position, budget: Budget, values: _Values) -> None:
    game, board, state = position.game, position.board, position.state
    if not position.legal_mask:
        return
    try:
        solved = solved_board(game, board, state, budget)
    except SearchStopped as stopped:
        if stopped.why != TOO_LARGE:
            raise
        # At least the wins that are near are found.
        _solve_forward(position, budget, values, MAX_DEPTH, fresh=True)
        return
    names = {0: "endless", state.turn: "win", 3 - state.turn: "loss", 3: "draw"}
    for action in bit_indices(position.legal_mask):
        result, distance = solved.look_up(game.rules.play(board, state, action))
        values[action] = (names[result], distance + 1 if result else None)


def solved_board(game: Game, board: Board, state: State, budget: Budget) -> RetrogradeSolver:
    """Everything that can come up after a state of a game that can cycle. Raises SearchStopped."""
    cached = _retrograde_solvers.get((id(game), board))
    if cached is not None and cached.has(state):
        return cached
    try:
        solved = RetrogradeSolver(game, board, state, budget, most=FEW_STATES, compiled=False)
    except SearchStopped as stopped:
        if stopped.why != TOO_LARGE or not budget.nodes_left:
            raise
        solved = RetrogradeSolver(game, board, state, budget, most=MANY_STATES, compiled=True)
    _cache(_retrograde_solvers, (id(game), board), solved)
    return solved


# Forward search, where they cannot


def _solve_forward(
    position: Position, budget: Budget, values: _Values, deepest: int, *, fresh: bool
) -> None:
    """Look for wins and losses one ply further away at a time: the first found is the nearest."""
    game, board, state = position.game, position.board, position.state
    after = {
        action: game.rules.play(board, state, action) for action in bit_indices(position.legal_mask)
    }
    with _borrowed_search(game, board, fresh=fresh) as search:
        for depth in range(min(deepest, MAX_DEPTH)):
            for action in [action for action in after if action not in values]:
                won = search.forced_win(after[action], state.turn, depth, budget)
                if won == YES:
                    values[action] = ("win", depth + 1)
                    continue
                lost = search.forced_win(after[action], 3 - state.turn, depth, budget)
                if lost == YES:
                    values[action] = ("loss", depth + 1)
                elif won == lost == NEVER:
                    plies = _draw_distance(position, search, after[action], budget)
                    values[action] = ("draw", plies)
            if len(values) == len(after):
                return
    raise SearchStopped(TOO_LARGE)


def _draw_distance(position: Position, search: ForwardSearch, state: State, budget: Budget) -> int:
    """The plies to the end, the one that led here included, when both keep the draw."""
    rules, board = position.game.rules, position.board
    plies = 1
    while legal := bit_indices(rules.moves(board, state)):
        turn = state.turn
        replies = (rules.play(board, state, action) for action in legal)
        state = next(s for s in replies if search.forced_win(s, 3 - turn, MAX_DEPTH, budget) != YES)
        plies += 1
    return plies


# The solvers of the last few boards are cached: a game is a walk through positions of one board. A
# RetrogradeSolver never changes and can be shared; a ForwardSearch is taken out while it is in use.

_CACHED_BOARDS = 4
_Solver = TypeVar("_Solver", RetrogradeSolver, ForwardSearch)
_retrograde_solvers: dict[tuple[int, Board], RetrogradeSolver] = {}
_forward_searches: dict[tuple[int, Board], ForwardSearch] = {}
_caching = threading.Lock()


@contextmanager
def _borrowed_search(game: Game, board: Board, *, fresh: bool) -> Iterator[ForwardSearch]:
    """A search that has been used on this board, unless the answer must not depend on that."""
    if fresh:
        yield ForwardSearch(game, board)
        return
    key = (id(game), board)
    with _caching:
        search = _forward_searches.pop(key, None) or ForwardSearch(game, board)
    try:
        yield search
    except SearchStopped:
        _cache(_forward_searches, key, search)  # the next search goes on from here
        raise
    _cache(_forward_searches, key, search)


def _cache(
    solvers: dict[tuple[int, Board], _Solver], key: tuple[int, Board], solver: _Solver
) -> None:
    with _caching:
        solvers[key] = solver
        while len(solvers) > _CACHED_BOARDS:
            del solvers[next(iter(solvers))]
