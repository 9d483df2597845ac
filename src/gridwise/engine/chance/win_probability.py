"""Winning probabilities where cells are face down: exact where possible, otherwise sampled.

    evaluation = win_probabilities(position, Limits(seconds=2.0))
    evaluation.win, evaluation.exact, evaluation.best

A probability is from the side of the player to move; a draw counts half. It is that of perfect play
by both sides, who see only what has been revealed. So does this module: a Position holds no more.

How: a relaxation of the race gives first estimates at once. Then claims are solved exactly, the
most promising first, until half the effort is spent; the rest goes into sampling the others.

Limited by `nodes`, the same position and seed give the same answer on every machine. Limited by
`seconds` it is as good as the machine is fast.
"""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.budget import Budget, SearchStopped, run_interruptibly
from gridwise.engine.chance.mcts import sampled_estimates, search_claims
from gridwise.engine.chance.race import Race, race_of
from gridwise.engine.chance.relaxation import first_estimates
from gridwise.engine.chance.search_stack import RaceState, SearchStack, make_stack
from gridwise.engine.chance.tree import VISITS, Tree, make_tree
from gridwise.engine.compiled.kernels import is_compiled, kernel
from gridwise.engine.evaluation import NO_LIMITS, Evaluation, Limits, MoveValue

SIMULATIONS = 100_000  # where no limit is given: half a second
EXACT_NODES = 10  # of the exact search, for each simulation that is allowed: as long again
NO_LIMIT = 1 << 60
MAX_SIMULATIONS = (1 << 31) - 1  # what the tree can count: half an hour at the least
FEW_ENTRIES = 1 << 16  # of the table for single positions: small, so that it stays in the cache
# Between checks of the clock: about 10 ms of each.
EXACT_SLICE = 10_000
SIMULATION_SLICE = 1_000

# The standard error of a first estimate, and in `mcts` the two constants of sampled ones, are
# fitted to 35 positions whose exact probabilities are known, 5,000 claims and samples of them: of
# the true values 96 in 100 are within two errors.
FIRST_ERROR = 0.06


def win_probabilities(position: Position, limits: Limits = NO_LIMITS) -> Evaluation:
    """The probability of winning with every legal move.

    The search ends when everything is exact or a limit is reached; `limits.nodes` counts
    simulations. Raises BadRequest if the game is of another kind.
    """
    if not position.legal_mask:
        return Evaluation(())
    unlimited = limits.seconds is None and limits.nodes is None
    simulations = SIMULATIONS if unlimited else limits.nodes
    budget = Budget(seconds=limits.seconds, stop=limits.stop)
    half_time = None if limits.seconds is None else time.monotonic() + limits.seconds / 2
    search = WinProbabilitySearch(position.game, race_of(position), limits.seed)
    with suppress(SearchStopped):
        search.compile_kernel(budget)
        exact_nodes = None if simulations is None else simulations * EXACT_NODES
        search.solve_exactly(exact_nodes, budget, half_time)
        search.sample(simulations, budget)
    return search.evaluation(position)


class WinProbabilitySearch:
    """The search of one position: one claim of each kind, and their values so far."""

    def __init__(self, game: Game, race: Race, seed: int) -> None:
        self.game, self.race, self.seed = game, race, seed
        first = first_estimates(race)
        self.kinds = {cell: claim_kind(race, cell) for cell in first}
        alike = {kind: cell for cell, kind in reversed(self.kinds.items())}
        self.cells = sorted(alike.values(), key=lambda cell: (-first[cell], cell))
        self.first = [first[cell] for cell in self.cells]
        self.claims = np.array(self.cells, dtype=np.int64)
        self.found = np.zeros(len(self.cells))
        self.known = np.zeros(len(self.cells), dtype=np.int64)
        self.stacks: tuple[SearchStack, SearchStack] | None = None
        self.tree: Tree | None = None

    def compile_kernel(self, budget: Budget) -> None:
        """Compile the search, or load it from the disk, by searching nothing with it."""
        if is_compiled(self.game, search_claims):
            self._set_up()
        else:
            run_interruptibly(self._set_up, budget)

    def _set_up(self) -> None:
        """Make the stacks and the kernel. Importing numba takes 0.4 s."""
        self.stacks = make_stack(self.race), make_stack(self.race, FEW_ENTRIES)
        self.tree = make_tree(self.race, 1, 0)
        self._run(0, 0)

    def solve_exactly(self, nodes: int | None, budget: Budget, until: float | None) -> None:
        """Solve claims exactly, until the nodes are used up or half of the time is over."""
        left = NO_LIMIT if nodes is None else nodes
        while left and not self.known.all() and (until is None or time.monotonic() < until):
            budget.check()
            self._run(min(left, EXACT_SLICE), 0)
            left -= min(left, EXACT_SLICE)

    def sample(self, simulations: int | None, budget: Budget) -> None:
        """Sample the claims that are not known exactly."""
        if self.known.all():
            return
        left = MAX_SIMULATIONS if simulations is None else min(simulations, MAX_SIMULATIONS)
        self.tree = make_tree(self.race, left, self.seed)
        while left:
            self._run(0, min(left, SIMULATION_SLICE))
            left -= min(left, SIMULATION_SLICE)
            budget.check()

    def _run(self, exact_nodes: int, simulations: int) -> None:
        assert self.stacks is not None, "compile_kernel comes first"
        kernel(self.game, search_claims)(
            *self.stacks, self.tree, RaceState(*self.race[:4]), self.claims, self.found, self.known,
            exact_nodes, simulations,
        )  # fmt: skip

    def evaluation(self, position: Position) -> Evaluation:
        """The values found so far, for all moves."""
        wins, errors = self._estimates()
        exact = bool(self.known.all())
        of_kind = {
            self.kinds[cell]: (win, None if exact else error)
            for cell, win, error in zip(self.cells, wins, errors, strict=True)
        }
        moves = []
        for action, move in zip(position.legal, position.legal_moves, strict=True):
            win, error = of_kind[self.kinds[action]]
            moves.append(MoveValue(action, move, win=win, error=error))
        return Evaluation(tuple(moves), win=max(wins), exact=exact, nodes=self._simulations())

    def _simulations(self) -> int:
        return int(self.tree.nodes[0, VISITS]) if self.tree else 0

    def _estimates(self) -> tuple[list[float], list[float]]:
        """The probability of each kind of claim, and its standard error."""
        means, errors = self.first, [FIRST_ERROR] * len(self.cells)
        if self.tree and self._simulations():
            means, errors = sampled_estimates(self.tree, len(self.cells))
        known, exact = self.known.tolist(), self.found.tolist()
        wins = [exact[k] if known[k] else mean for k, mean in enumerate(means)]
        # Sums of many small probabilities may be off in the last of sixteen digits.
        return (
            [min(1.0, max(0.0, win)) for win in wins],
            [0.0 if known[k] else error for k, error in enumerate(errors)],
        )


def claim_kind(race: Race, cell: int) -> tuple[int, int]:
    """What tells one claim from another: its number, and what it reveals."""
    revealed = race.reveals[cell] & race.hidden
    return (race.values[cell], revealed if race.values[cell] else revealed | 1 << cell)
