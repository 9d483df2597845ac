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

import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from gridwise.core.game import Game, Position
from gridwise.engine import tree as trees
from gridwise.engine.binding import Ints
from gridwise.engine.desk import Desk, desk_of
from gridwise.engine.race import Race, race_of
from gridwise.engine.shadow import glance
from gridwise.engine.twin import is_compiled, kernel
from gridwise.engine.watch import Halted, Watch, wait_for

SIMULATIONS = 100_000  # where no limit is given: half a second
VISITS = 10  # of the exact search, for each simulation that is allowed: as long again
ENDLESS = 1 << 60
MOST_SIMULATIONS = (1 << 31) - 1  # what the tree can count: half an hour at the least
FEW_ENTRIES = 1 << 16  # of the table for single positions: small, so that it stays at hand
# Between looks at the clock: about 10 ms of each.
SLICE_OF_VISITS = 10_000
SLICE_OF_SIMULATIONS = 1_000

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
    game, board, state = position[:3]
    winner = game.rules.winner(board, state)
    if winner:
        return ChanceSolution({3: 0.5, state.turn: 1.0}.get(winner, 0.0), exact=True, options=())
    if seconds is None and simulations is None:
        simulations = SIMULATIONS
    watch = Watch(seconds=seconds, stop=stop)
    half_time = None if seconds is None else time.monotonic() + seconds / 2
    race = race_of(position)
    search = _Search(game, race, seed)
    with suppress(Halted):
        search.make_ready(watch)
        search.work_out(None if simulations is None else simulations * VISITS, watch, half_time)
        search.sample(simulations, watch)
    return search.solution(game.legal_actions(board.without(race.hidden), state))


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
        self.place = np.array(race[:4], dtype=np.int64)
        self.claims = np.array(self.cells, dtype=np.int64)
        self.found = np.zeros(len(self.cells))
        self.known = np.zeros(len(self.cells), dtype=np.int64)
        self.desks: tuple[Desk, Desk] | None = None
        self.tree: trees.Tree | None = None

    def make_ready(self, watch: Watch) -> None:
        """Compile the search, or read it from the disk, by searching nothing with it."""
        if is_compiled(self.game, trees.search):
            self._furnish()
        else:
            wait_for(self._furnish, watch)

    def _furnish(self) -> None:
        """Set up what the search works on, and the search. Importing numba takes 0.4 s."""
        self.desks = desk_of(self.race), desk_of(self.race, FEW_ENTRIES)
        self._go(trees.tree_of(self.race, 1, 0), 0, 0)

    def work_out(self, visits: int | None, watch: Watch, until: float | None) -> None:
        """Work out exactly what can be with so many visits, or in half of the time."""
        tree = trees.tree_of(self.race, 1, 0)
        left = ENDLESS if visits is None else visits
        while left and not self.known.all() and (until is None or time.monotonic() < until):
            watch.check()
            self._go(tree, min(left, SLICE_OF_VISITS), 0)
            left -= min(left, SLICE_OF_VISITS)

    def sample(self, simulations: int | None, watch: Watch) -> None:
        """Sample what is not known exactly, with so many simulations."""
        if self.known.all():
            return
        left = MOST_SIMULATIONS if simulations is None else min(simulations, MOST_SIMULATIONS)
        self.tree = trees.tree_of(self.race, left, self.seed)
        while left:
            self._go(self.tree, 0, min(left, SLICE_OF_SIMULATIONS))
            left -= min(left, SLICE_OF_SIMULATIONS)
            watch.check()

    def _go(self, tree: trees.Tree, visits: int, simulations: int) -> None:
        assert self.desks is not None, "make_ready comes first"
        kernel(self.game, trees.search)(
            *self.desks, tree, self.place, self.claims, self.found, self.known,
            visits, simulations,
        )  # fmt: skip

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
    mean = tree.sums[:claims, trees.GAIN] / weight
    spread = (summed(draws * gains**2) - tries * mean**2 + DOUBT) / weight
    unsettled = draws * (nodes[below, trees.EDGES] != trees.SETTLED) / (1 + np.log2(draws))
    off = BIAS**2 * summed(unsettled) / np.maximum(tries, 1)
    errors = np.sqrt(np.maximum(spread, 0.0) / weight + off)
    return (tree.sums[:claims, trees.PRIOR] + mean).tolist(), errors.tolist()


def _kind(race: Race, cell: int) -> tuple[int, int]:
    """What tells one claim from another: its number, and what it turns up."""
    turned_up = race.around[cell] & race.hidden
    return (race.values[cell], turned_up if race.values[cell] else turned_up | 1 << cell)
