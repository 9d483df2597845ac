"""Probe: exact results of many states on one board, asked for one after the other.

`solve` judges one position and its moves. Whoever wants to know more, such as how many answers a
move leaves or how best play goes on, asks about states that lie close together: here they share one
memory, and what was found is remembered.

With a limit of nodes alone, answers do not depend on what was asked before: a search for a given
depth has one answer, and one that is too large raises SearchStopped.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridwise.core.bits import bit_indices
from gridwise.core.contracts import State
from gridwise.core.outcome import DRAW
from gridwise.core.position import Position
from gridwise.engine.budget import TOO_LARGE, Budget, SearchStopped
from gridwise.engine.exact.forward_search import MAX_DEPTH, NEVER, YES, ForwardSearch
from gridwise.engine.exact.solver import solved_board


class Probe:
    """What states that come after a position are worth, within one budget of nodes or time."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self.game, self.board = position.game, position.board
        self._rules = self.game.rules
        self._budget = budget
        self._known: dict[State, tuple[int, int]] = {}
        if self.game.cyclic:
            self._solved = solved_board(self.game, self.board, position.state, budget)
        else:
            self._search = ForwardSearch(self.game, self.board)

    def result(self, state: State) -> tuple[int, int]:
        """Who wins with best play, 0 if nobody can force it, 3 for a draw; and in how many plies.

        The plies of a draw are not looked for. Raises SearchStopped.
        """
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = self._find(state)
        return found

    def _find(self, state: State) -> tuple[int, int]:
        if self.game.cyclic:
            return self._solved.look_up(state)
        for depth in range(MAX_DEPTH):
            answers = []
            for player in (1, 2):
                answer = self._search.forced_win(state, player, depth, self._budget)
                if answer == YES:
                    return player, depth
                answers.append(answer)
            if answers == [NEVER, NEVER]:
                return DRAW, 0
        raise SearchStopped(TOO_LARGE)

    def wins(self, state: State, player: int) -> bool:
        """Whether a player can force a win from a state, however long it takes."""
        if self.game.cyclic or state in self._known:
            return self.result(state)[0] == player
        return self._search.forced_win(state, player, MAX_DEPTH, self._budget) == YES

    def points(self, state: State, player: int) -> float:
        """What a state is worth to a player: 1 for a win, 0 for a loss."""
        winner, _ = self.result(state)
        return 1.0 if winner == player else 0.0 if winner == 3 - player else 0.5

    def after(self, state: State, action: int) -> State:
        """The state after an action."""
        return self._rules.play(self.board, state, action)

    def actions(self, state: State) -> tuple[int, ...]:
        """The legal actions of a state; none once the game is over."""
        return bit_indices(self._rules.moves(self.board, state))

    def learn(self, state: State, winner: int, plies: int) -> None:
        """Remember a result that has been found elsewhere."""
        self._known[state] = winner, plies

    def best_action(self, state: State) -> int:
        """An action of best play: the fastest win, the slowest loss; the first of equals."""
        player = int(state.turn)
        winner, _ = self.result(state)
        if winner not in (1, 2):
            return max(self.actions(state), key=lambda action: self._rank(state, action, player))
        return next(self.best_actions(state))

    def best_actions(self, state: State, budget: Budget | None = None) -> Iterator[int]:
        """All actions of best play from a state that somebody wins; `budget` in place of its own.

        As they are asked for. Raises SearchStopped.
        """
        player = int(state.turn)
        winner, plies = self.result(state)
        for action in self.actions(state):
            after = self.after(state, action)
            if self.game.cyclic or after in self._known:
                if self.result(after) == (winner, plies - 1):
                    yield action
                continue
            # Nothing else has to be found out than whether it keeps the distance.
            enough = plies - 1 if player == winner else plies - 2
            limit = budget or self._budget
            found = enough >= 0 and self._search.forced_win(after, winner, enough, limit)
            if (found == YES) == (player == winner):
                self.learn(after, winner, plies - 1)
                yield action

    def _rank(self, state: State, action: int, player: int) -> tuple[float, int]:
        after = self.after(state, action)
        points, (_, plies) = self.points(after, player), self.result(after)
        return points, -plies if points == 1 else plies
