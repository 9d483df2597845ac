"""Winning chances where cells are face down: exact where that can be had, else sampled.

    solution = evaluate(position, seconds=2.0)
    solution.win, solution.exact, solution.best
    for option in solution.options: option.action, option.win, option.error

A chance is between 0 and 1 from the side of the player to move; a draw counts half. It is that of
perfect play by both sides, who see only what has been turned up; so does this module (`race_of`
blanks what is face down before anything else looks).

How: the shadow of the race gives a first answer at once. Then claims are worked out exactly, the
most promising first, until half the effort is spent; the rest goes into sampling the others.

Limited by `simulations`, the same position and seed give the same answer on every machine.
Limited by `seconds` it is as good as the machine is fast.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from gridwise.core.bits import members
from gridwise.core.board import Board
from gridwise.core.game import Game, Position, State
from gridwise.engine import tree as trees
from gridwise.engine.binding import Ints
from gridwise.engine.expectimax import STOP, desk_of
from gridwise.engine.race import Race, race_of
from gridwise.engine.running import PAUSE, run
from gridwise.engine.shadow import glance
from gridwise.engine.twin import kernel

SIMULATIONS = 100_000  # where no limit is given: half a second
VISITS = 10  # of the exact search, for each simulation that is allowed: as long again
ENDLESS = 1 << 60

# How far off, in chances: a first look at a claim; the average over branches that were only judged,
# not settled. And the sum of squares that a claim starts with: a few draws that happen to agree
# prove little. Fitted to 35 positions whose exact chances are known, 5,000 claims and samples of
# them: of the true values 96 in 100 are within two errors.
FIRST_ERROR = 0.06
BIAS = 0.03
DOUBT = 0.03


class Option(NamedTuple):
    """A move, its winning chance, and the standard error of that; 0 if it is exact."""

    action: int
    win: float
    error: float


class ChanceSolution(NamedTuple):
    """What a position is worth to the player to move, and each of its moves."""

    win: float
    exact: bool  # whether all of it was computed, nothing sampled
    options: tuple[Option, ...]  # in the order in which the game lists its moves
    simulations: int = 0

    @property
    def best(self) -> int:
        """The move with the highest chance; the first one listed of equals."""
        return max(self.options, key=lambda option: option.win).action

    @property
    def error(self) -> float:
        """The standard error of `win`."""
        return max(self.options, key=lambda option: option.win).error if self.options else 0.0


def evaluate(
    position: Position,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 0,
    stop: Callable[[], bool] | None = None,
) -> ChanceSolution:
    """The winning chance of every legal move.

    It ends after so many `seconds`, so many `simulations`, or when `stop()` says so, whichever is
    first; or when everything is exact. Raises BadRequest if the game is of another kind.
    """
    start = time.monotonic()
    game, board, state = position
    winner = game.rules.winner(board, state)
    if winner:
        return ChanceSolution({3: 0.5, state.turn: 1.0}.get(winner, 0.0), exact=True, options=())
    race = race_of(position)
    search = _Search(game, race, seed)
    if seconds is None and simulations is None:
        simulations = SIMULATIONS
    if simulations is not None:
        limits = (simulations * VISITS, simulations)
    else:
        limits = (ENDLESS, ENDLESS)
    until = None if seconds is None else start + seconds
    search.go(limits, start, until, stop)
    actions = game.legal_actions(board.without(race.hidden), state)
    return search.solution(actions)


def chance_answer(
    game: Game, board: Board, state: State, **limits: Any  # noqa: ANN401 - as `evaluate` takes them
) -> dict[str, Any]:
    """What `analyze` answers about chances: `win`, `exact` and `options`; see INTERFACES."""
    solution = evaluate(Position(game, board, state), **limits)
    if not solution.options:
        return {"win": None, "exact": True, "options": []}
    seen = game.seen(board, state)
    options = []
    for action, win, error in solution.options:
        option = {"move": game.words.action_name(seen, state, action)}
        option |= {"value": None, "distance": None, "win": round(win, 6)}
        options.append(option if solution.exact else option | {"error": round(error, 6)})
    return {"win": round(solution.win, 6), "exact": solution.exact, "options": options}


class _Search:
    """One question: the claims of a race, one of each kind, and what is known of them."""

    def __init__(self, game: Game, race: Race, seed: int) -> None:
        import numpy as np  # noqa: PLC0415 - 0.1 s

        self.game, self.race, self.seed = game, race, seed
        first = glance(race)
        self.kinds = {cell: _kind(race, cell) for cell in first}
        alike = {kind: cell for cell, kind in reversed(self.kinds.items())}
        self.cells = sorted(alike.values(), key=lambda cell: (-first[cell], cell))
        self.first = [first[cell] for cell in self.cells]
        self.found = np.zeros(len(self.cells))
        self.known = np.zeros(len(self.cells), dtype=np.int64)
        self.tree: trees.Tree | None = None

    def go(
        self,
        limits: tuple[int, int],
        start: float,
        until: float | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        """Search within limits: visits and simulations, the clock, and whoever says stop."""
        import numpy as np  # noqa: PLC0415 - 0.1 s

        work = _compiled(self.game, until, stop)
        if work is None:
            return
        race = np.array(self.race[:4], dtype=np.int64)
        desk = desk_of(self.race)
        spare = desk_of(self.race, shared=desk)
        cells = np.array(self.cells, dtype=np.int64)
        visits, simulations = limits
        tree = trees.tree_of(self.race, simulations, self.seed)

        def do(visits: int, simulations: int) -> None:
            work(desk, spare, tree, race, cells, self.found, self.known, visits, simulations)

        half = None if until is None else (time.monotonic() + until) / 2
        run(lambda: do(visits, 0), lambda: _raise(desk.tally), until=half, stop=stop)
        if not self.known.all():
            self.tree = tree
            run(lambda: do(0, simulations), lambda: _raise(spare.tally), until=until, stop=stop)

    def solution(self, actions: list[int]) -> ChanceSolution:
        """All that has been found out, for all moves."""
        wins, errors = self._judged()
        of_kind = {
            self.kinds[cell]: (win, error)
            for cell, win, error in zip(self.cells, wins, errors, strict=True)
        }
        options = tuple(Option(action, *of_kind[self.kinds[action]]) for action in actions)
        simulations = int(self.tree.nodes[0, trees.DRAWS]) if self.tree else 0
        exact = bool(self.known.all())
        return ChanceSolution(max(option.win for option in options), exact, options, simulations)

    def _judged(self) -> tuple[list[float], list[float]]:
        """The chance of each kind of claim, and its standard error."""
        if self.tree is None:
            wins = [
                float(found) if known else first
                for found, known, first in zip(self.found, self.known, self.first, strict=True)
            ]
            errors = [0.0 if known else FIRST_ERROR for known in self.known]
        else:
            means, errors = sampled(self.tree, len(self.cells))
            wins = [
                float(found) if known else mean
                for found, known, mean in zip(self.found, self.known, means, strict=True)
            ]
            errors = [
                0.0 if known else error for known, error in zip(self.known, errors, strict=True)
            ]
        # Sums of many small chances may be off in the last of sixteen digits.
        return [min(1.0, max(0.0, win)) for win in wins], errors


def sampled(tree: trees.Tree, claims: int) -> tuple[list[float], list[float]]:
    """The chances of the first node's claims as far as sampled, and their standard errors.

    What was drawn for a claim varies by so much about its average: that gives the error of the
    average, as for any sample. To it comes what judging may be off, for the share of draws that
    ended in a position that has not been settled; less where that was looked into often.
    """
    import numpy as np  # noqa: PLC0415 - 0.1 s

    used = int(tree.used[0])
    nodes, worths = tree.nodes[1:used], tree.worths[1:used]
    below = nodes[:, trees.PARENT] < claims
    parent, draws = nodes[below, trees.PARENT], nodes[below, trees.DRAWS]
    gains = worths[below, trees.JUDGED] - worths[below, trees.WORTH]
    tries = tree.edges[:claims, trees.TRIES]

    def summed(amounts: Ints) -> Ints:
        return np.bincount(parent, weights=amounts, minlength=claims)

    weight = tries + trees.CAUTION
    mean = tree.hopes[:claims, trees.GAIN] / weight
    spread = (summed(draws * gains**2) - tries * mean**2 + DOUBT) / weight
    unsettled = draws * (1 - nodes[below, trees.SETTLED]) / (1 + np.log2(draws))
    off = BIAS**2 * summed(unsettled) / np.maximum(tries, 1)
    errors = np.sqrt(np.maximum(spread, 0.0) / weight + off)
    return (tree.hopes[:claims, trees.PRIOR] + mean).tolist(), errors.tolist()


def _kind(race: Race, cell: int) -> tuple[int, int]:
    """What tells one claim from another: its number, and what it turns up."""
    turned_up = race.around[cell] & race.hidden
    return (race.values[cell], turned_up if race.values[cell] else turned_up | 1 << cell)


def _raise(tally: Ints) -> None:
    tally[STOP] = 1


# Compiling takes seconds, so a thread does it, once for each game. It is not a daemon: a process
# that ends meanwhile waits for it, and the next one finds the result on the disk.
_ready: dict[int, Callable[..., None]] = {}
_getting_ready: dict[int, threading.Thread] = {}
_lock = threading.Lock()


def _compiled(
    game: Game, until: float | None, stop: Callable[[], bool] | None
) -> Callable[..., None] | None:
    """The compiled search; None if the time runs out before it is there."""
    with _lock:
        if id(game) not in _ready and id(game) not in _getting_ready:
            thread = threading.Thread(target=_get_ready, args=(game,), name="gridwise-compile")
            _getting_ready[id(game)] = thread
            thread.start()
    if id(game) not in _ready:
        thread = _getting_ready[id(game)]
        while thread.is_alive():
            if (until is not None and time.monotonic() >= until) or (stop is not None and stop()):
                return None
            thread.join(PAUSE)
    return _ready[id(game)]


def _get_ready(game: Game) -> None:
    """Compile the search for a game, or read it from the disk, by searching nothing with it."""
    import numpy as np  # noqa: PLC0415 - 0.1 s

    board = game.deal(Random(1))
    race = race_of(Position(game, board, game.rules.start(board, 1)))
    desk, nothing = desk_of(race), np.zeros(0, dtype=np.int64)
    work = kernel(game, trees.search)
    work(desk, desk, trees.tree_of(race, 1, 0), nothing, nothing, np.zeros(0), nothing, 0, 0)
    _ready[id(game)] = work
