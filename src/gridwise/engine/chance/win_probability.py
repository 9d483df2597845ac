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

from contextlib import suppress

import numpy as np

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.budget import FIRST_SLICE_DIVISOR, Budget, SearchStopped, run_interruptibly
from gridwise.engine.chance.expectimax import ENTRIES, RaceState, SearchStack, make_stack
from gridwise.engine.chance.mcts import VISITS, Tree, make_tree, sampled_estimates, search_claims
from gridwise.engine.chance.race import Race, first_estimates, race_of
from gridwise.engine.compiled.kernels import is_compiled, kernel
from gridwise.engine.evaluation import NO_LIMITS, Evaluation, Limits, MoveValue

SIMULATIONS = 100_000  # where no limit is given: half a second
EXACT_NODES = 10  # of the exact search, for each simulation that is allowed: as long again
NO_LIMIT = 1 << 60
MAX_SIMULATIONS = (1 << 31) - 1  # what the tree can count: half an hour at the least
FEW_ENTRIES = 1 << 16  # of the table for single positions: small, so that it stays in the cache
SLICE = 5_000  # nodes between two looks at the clock: 5 to 10 ms

# Where time is limited: what a second has room for at the most, by which tables are made. One that
# is too large costs: each page of it that is touched has to be cleared, ten times a node's time.
NODES_PER_SECOND = 2_000_000
# And what is kept back for reading the result from the tree: a share, but not more seconds than.
FOR_THE_RESULT, LONGEST_RESULT = 0.05, 0.02

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
    exact_nodes = None if simulations is None else simulations * EXACT_NODES
    seconds = limits.seconds
    if seconds is not None:
        seconds -= min(FOR_THE_RESULT * seconds, LONGEST_RESULT)
    budget = Budget(seconds=seconds, stop=limits.stop)
    half_time = Budget(seconds=None if seconds is None else seconds / 2, stop=limits.stop)
    search = WinProbabilitySearch(position.game, race_of(position), limits.seed, seconds)
    with suppress(SearchStopped):
        search.compile_kernel(budget)
        with suppress(SearchStopped):
            search.solve_exactly(exact_nodes, half_time)
        search.sample(simulations, budget)
    return search.evaluation(position)


class WinProbabilitySearch:
    """The search of one position: one claim of each kind, and their values so far.

    `seconds` is how long it will be searched, where that is known.
    """

    def __init__(self, game: Game, race: Race, seed: int, seconds: float | None = None) -> None:
        self.game, self.race, self.seed = game, race, seed
        self.most_nodes = NO_LIMIT if seconds is None else int(seconds * NODES_PER_SECOND)
        first = first_estimates(race)
        self.kinds = {cell: claim_kind(race, cell) for cell in first}
        alike = {kind: cell for cell, kind in reversed(self.kinds.items())}
        self.cells = sorted(alike.values(), key=lambda cell: (-first[cell], cell))
        self.first = [first[cell] for cell in self.cells]
        self.claims = np.array(self.cells, dtype=np.int64)
        self.exact = np.zeros(len(self.cells))
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
        entries = min(ENTRIES, max(FEW_ENTRIES, 1 << self.most_nodes.bit_length()))
        self.stacks = make_stack(self.race, entries), make_stack(self.race, FEW_ENTRIES)
        self.tree = make_tree(self.race, 1, 0)
        self._run(0, 0)

    def solve_exactly(self, nodes: int | None, budget: Budget) -> None:
        """Solve claims exactly, until the nodes are used up."""
        left = NO_LIMIT if nodes is None else nodes
        while left and not self.known.all():
            size = min(left, budget.slice(SLICE))
            budget.used += self._run(0, size)
            left -= size

    def sample(self, simulations: int | None, budget: Budget) -> None:
        """Sample the claims that are not known exactly. A few are sampled even if time is up."""
        if self.known.all():
            return
        most = MAX_SIMULATIONS if simulations is None else min(simulations, MAX_SIMULATIONS)
        self.tree = make_tree(self.race, min(most, self.most_nodes), self.seed)
        size = SLICE // FIRST_SLICE_DIVISOR
        while (left := most - self._simulations()) > 0:
            budget.used += self._run(left, size)
            size = budget.slice(SLICE)

    def _run(self, simulations: int, nodes: int) -> int:
        assert self.stacks is not None, "compile_kernel comes first"
        used: int = kernel(self.game, search_claims)(
            *self.stacks, self.tree, RaceState(*self.race[:4]), self.claims, self.exact, self.known,
            simulations, nodes,
        )  # fmt: skip
        return used

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
        known, exact = self.known.tolist(), self.exact.tolist()
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
