"""Lines of best play: how a game goes on from a position, or after one of its moves.

A line is a tuple of actions. In it the winner hurries and the loser holds out. Nobody knows what a
move turns up, so where cells are face down a line ends before such a move.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from gridwise.core.contracts import State
from gridwise.core.position import Position
from gridwise.engine.budget import TOO_LARGE, Budget, SearchStopped
from gridwise.engine.evaluation import Limits, evaluate

if TYPE_CHECKING:
    from gridwise.engine.exact.probe import Probe

LINE_NODES = 2_000_000
# Of all lines of best play, to see what they have in common: some 20 ms.
LINES = 500
STATES = 1_000
ALL_LINES_NODES = 3_000
CIRCLE_PLIES = 6  # of a line in which nobody can force a win: it would never end
CHANCE_LINE = Limits(nodes=2_000)  # for each move of one where there is chance
CHANCE_PLIES = 4


def best_line(position: Position, probe: Probe | None = None) -> tuple[int, ...]:
    """Best play from a position to the end of the game, as far as it can be known."""
    if position.outcome:
        return ()
    if position.game.has_hidden_cells:
        return _line_with_chance(position)
    probe = probe or probe_of(position)
    return _exact_line(position, probe) if probe else ()


def all_best_lines(
    probe: Probe, state: State
) -> Iterator[tuple[tuple[State, ...], tuple[int, ...]]]:
    """Every line of best play from a state that somebody wins: its states, and its actions.

    The winner hurries and the loser holds out, and of equals each is tried. Raises SearchStopped
    if there are too many.
    """
    budget, lines, best = Budget(ALL_LINES_NODES), 0, dict[State, tuple[int, ...]]()
    # The last states first, so that the end of the first lines differs.
    todo: list[tuple[tuple[State, ...], tuple[int, ...]]] = [((state,), ())]
    while todo:
        states, actions = todo.pop()
        last = states[-1]
        if not probe.actions(last):
            if lines == LINES:
                raise SearchStopped(TOO_LARGE)
            lines += 1
            yield states, actions
            continue
        if last not in best:
            if len(best) == STATES:
                raise SearchStopped(TOO_LARGE)
            best[last] = tuple(probe.best_actions(last, budget))
        todo += [
            ((*states, probe.after(last, action)), (*actions, action))
            for action in reversed(best[last])
        ]


def line_after(position: Position, action: int, probe: Probe | None = None) -> tuple[int, ...]:
    """A move and best play after it; nothing if the move would turn up cells."""
    if position.reveals(action):
        return ()
    return action, *best_line(position.play(action), probe)


def probe_of(position: Position) -> Probe | None:
    """What several lines from a position can be asked of; None if nobody knows, or it is large."""
    if position.game.has_hidden_cells:
        return None
    from gridwise.engine.exact.probe import Probe  # noqa: PLC0415 - searches, when asked for

    try:
        return Probe(position, Budget(LINE_NODES))
    except SearchStopped:
        return None


def line_positions(position: Position, line: tuple[int, ...]) -> list[Position]:
    """The positions that a line goes through, the one that it starts from first."""
    positions = [position]
    for action in line:
        positions.append(positions[-1].play(action))
    return positions


def line_moves(position: Position, line: tuple[int, ...]) -> tuple[str, ...]:
    """A line as text."""
    positions = line_positions(position, line)
    return tuple(before.name(action) for before, action in zip(positions, line, strict=False))


def _exact_line(position: Position, probe: Probe) -> tuple[int, ...]:
    line: list[int] = []
    state = position.state
    with suppress(SearchStopped):  # what has been found by then is right
        while probe.actions(state) and (probe.result(state)[0] or len(line) < CIRCLE_PLIES):
            line.append(probe.best_action(state))
            state = probe.after(state, line[-1])
    return tuple(line)


def _line_with_chance(position: Position) -> tuple[int, ...]:
    line: list[int] = []
    while not position.outcome and len(line) < CHANCE_PLIES:
        action = evaluate(position, CHANCE_LINE).best.action
        if position.reveals(action):
            break
        line.append(action)
        position = position.play(action)
    return tuple(line)
