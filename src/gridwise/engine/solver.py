"""What every move is worth, exactly, where nothing is hidden.

    found = solve(match.position)
    found.value, found.distance, found.best

*Value* is `win`, `loss`, `draw` or `endless` (neither side can force a win), for the player to
move. *Distance* counts plies to the end when the winner hurries and the loser delays; a move's own
distance counts the move as 1. A draw's distance is the length of one line in which both keep it (in
Number Connect all of them are equally long, for a draw fills the board); an endless position has
none.

Games that cannot cycle are searched forwards, those that can are solved backwards. What is too
large, or is told to stop, gets what was found so far: values that are known are exact, the others
are None.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, Position, State
from gridwise.engine.proving import DEEPEST, NEVER, YES, Prover
from gridwise.engine.retrograde import Backwards
from gridwise.engine.watch import TOO_LARGE, Halted, Watch
from gridwise.errors import BadRequest

# Enough for every standard board and most others; compiled, some 3 s. Counted in nodes, not in
# seconds, so that an answer is the same on every machine.
NODES = 20_000_000

# States that are listed interpreted (0.1 s; any game with two tokens has fewer), and compiled.
FEW_STATES = 10_000
MANY_STATES = 300_000

_RANK = {"loss": 0, None: 1, "draw": 2, "endless": 2, "win": 3}


class Option(NamedTuple):
    """One legal action. The value is None where it was not found in time."""

    action: int
    value: str | None
    distance: int | None


class Solution(NamedTuple):
    """What was found out about a position. A game that is over has no value and no options."""

    value: str | None
    distance: int | None
    options: tuple[Option, ...]  # by action, ascending
    exact: bool  # whether the value of every option was found
    why: str = ""  # if not: "stopped" or "too large"
    nodes: int = 0

    @property
    def best(self) -> tuple[int, ...]:
        """The actions with the best value and, among those, the best distance."""
        top = max((_worth(option) for option in self.options), default=None)
        return tuple(option.action for option in self.options if _worth(option) == top)

    @property
    def keeping(self) -> tuple[int, ...]:
        """All actions that keep the best result, however long they take."""
        top = max((_RANK[option.value] for option in self.options), default=None)
        return tuple(option.action for option in self.options if _RANK[option.value] == top)


def solve(
    position: Position,
    *,
    nodes: int | None = NODES,
    seconds: float | None = None,
    depth: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """The value and distance of a position and of every legal action.

    `nodes`, `seconds` and `depth`, in plies, limit the search, None means no limit; `stop` is asked
    every 10 ms or so whether to stop. With a limit of nodes alone the answer is the same on every
    machine, whatever was searched before. Raises BadRequest where cells are hidden.
    """
    game = position.game
    if game.hides:
        raise BadRequest(f"{game.title} has hidden cells; it cannot be solved like this.")
    watch = Watch(nodes, seconds, stop)
    actions = members(position.legal)
    found: dict[int, Option] = {}
    why = ""
    try:
        if game.cyclic:
            _solve_backwards(position, actions, watch, found)
        else:
            fresh = nodes is not None
            _solve_forwards(position, actions, watch, found, depth or DEEPEST, fresh=fresh)
    except Halted as halted:
        why = halted.why
    if depth is not None and any((option.distance or 0) > depth for option in found.values()):
        found = {a: option for a, option in found.items() if (option.distance or 0) <= depth}
        why = why or TOO_LARGE
    options = tuple(found.get(action, Option(action, None, None)) for action in actions)
    value, distance = _value(options)
    return Solution(value, distance, options, not why, why, watch.used)


def _worth(option: Option) -> tuple[int, int]:
    """The larger, the better for the player to move: quick wins, long losses."""
    distance = option.distance or 0
    return _RANK[option.value], -distance if option.value == "win" else distance


def _value(options: tuple[Option, ...]) -> tuple[str | None, int | None]:
    if not options:
        return None, None
    # "endless" and "draw" are worth the same; a position with both to choose from is a draw.
    best = max(
        options, key=lambda option: (_worth(option)[0], option.value == "draw", _worth(option))
    )
    if best.value in {"loss", "win"} or all(option.value for option in options):
        return best.value, best.distance
    return None, None


# Backwards, where games can cycle


def _solve_backwards(
    position: Position, actions: tuple[int, ...], watch: Watch, found: dict[int, Option]
) -> None:
    game, board, state = position[:3]
    if not actions:
        return
    try:
        solved = _backwards(game, board, state, watch)
    except Halted as halted:
        if halted.why != TOO_LARGE:
            raise
        # At least the wins that are near are found.
        _solve_forwards(position, actions, watch, found, DEEPEST, fresh=True)
        return
    for action in actions:
        result, distance = solved.look_up(game.rules.play(board, state, action))
        value = ("endless", "win", "loss", "draw")[_seen_by(state.turn, result)]
        found[action] = Option(action, value, distance + 1 if result else None)


def _seen_by(turn: int, result: int) -> int:
    """A result with 1 for a win of the player whose turn it is, 2 for a loss."""
    return result if turn == 1 or result in (0, 3) else 3 - result


def _backwards(game: Game, board: Board, state: State, watch: Watch) -> Backwards:
    kept = _solved.get((id(game), board))
    if kept is not None and kept.has(state):
        return kept
    try:
        solved = Backwards(game, board, state, watch, states=FEW_STATES, compiled=False)
    except Halted as halted:
        if halted.why != TOO_LARGE or not watch.nodes_left:
            raise
        solved = Backwards(game, board, state, watch, states=MANY_STATES, compiled=True)
    _keep(_solved, (id(game), board), solved)
    return solved


# Forwards, where they cannot


def _solve_forwards(
    position: Position,
    actions: tuple[int, ...],
    watch: Watch,
    found: dict[int, Option],
    deepest: int,
    *,
    fresh: bool,
) -> None:
    """Look for wins and losses one ply further away at a time: the first found is the nearest."""
    game, board, state = position[:3]
    after = {action: game.rules.play(board, state, action) for action in actions}
    with _borrowed_prover(game, board, fresh=fresh) as prover:
        for depth in range(min(deepest, DEEPEST)):
            for action in actions:
                if action not in found:
                    _try(position, prover, action, after[action], depth, watch, found)
            if len(found) == len(actions):
                return
    raise Halted(TOO_LARGE)


def _try(
    position: Position,
    prover: Prover,
    action: int,
    after: State,
    depth: int,
    watch: Watch,
    found: dict[int, Option],
) -> None:
    mover = position.state.turn
    won = prover.ask(after, mover, depth, watch)
    if won == YES:
        found[action] = Option(action, "win", depth + 1)
        return
    lost = prover.ask(after, 3 - mover, depth, watch)
    if lost == YES:
        found[action] = Option(action, "loss", depth + 1)
    elif won == lost == NEVER:
        found[action] = Option(action, "draw", _drawn_out(position, prover, after, watch))


def _drawn_out(position: Position, prover: Prover, state: State, watch: Watch) -> int:
    """The plies to the end, the one that led here included, when both keep the draw."""
    rules, board = position.game.rules, position.board
    plies = 1
    while legal := members(rules.moves(board, state)):
        turn = state.turn
        replies = (rules.play(board, state, action) for action in legal)
        state = next(s for s in replies if prover.ask(s, 3 - turn, DEEPEST, watch) != YES)
        plies += 1
    return plies


# What was solved last is kept: a game is a walk through positions of one board. A Backwards never
# changes and can be shared; a Prover is taken out while it is in use.

_KEPT = 4
_Kept = TypeVar("_Kept", Backwards, Prover)
_solved: dict[tuple[int, Board], Backwards] = {}
_provers: dict[tuple[int, Board], Prover] = {}
_keeping = threading.Lock()


@contextmanager
def _borrowed_prover(game: Game, board: Board, *, fresh: bool) -> Iterator[Prover]:
    """One that has been used on this board, unless the answer must not depend on that."""
    if fresh:
        yield Prover(game, board)
        return
    with _keeping:
        kept = _provers.pop((id(game), board), None)
    prover = kept or Prover(game, board)
    try:
        yield prover
    except Halted:
        _keep(_provers, (id(game), board), prover)  # whoever asks again goes on from here
        raise
    _keep(_provers, (id(game), board), prover)


def _keep(kept: dict[tuple[int, Board], _Kept], key: tuple[int, Board], what: _Kept) -> None:
    with _keeping:
        kept[key] = what
        while len(kept) > _KEPT:
            del kept[next(iter(kept))]
