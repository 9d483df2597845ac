"""Counting answers: which moves of a position that cannot be won are hardest to answer."""

from __future__ import annotations

from gridwise.core.position import Position
from gridwise.engine.budget import Budget, SearchStopped
from gridwise.engine.evaluation import Answers, Evaluation, MoveValue
from gridwise.engine.exact.probe import Probe

# Enough for nearly every position of a standard board. Counted in nodes, so that a perfect bot is
# the same on every machine.
NODES = 400_000


def count_answers(position: Position, evaluation: Evaluation) -> Evaluation:
    """The evaluation with the answers to each move; without, if they are too many to judge."""
    try:
        probe = Probe(position, Budget(NODES))
        moves = tuple(_with_answers(probe, position, move) for move in evaluation.moves)
    except SearchStopped:
        return evaluation
    return evaluation._replace(moves=moves)


def _with_answers(probe: Probe, position: Position, move: MoveValue) -> MoveValue:
    state = probe.after(position.state, move.action)
    opponent = 3 - position.turn
    replies = probe.actions(state)
    if not replies or state.turn != opponent:  # nobody else has a choice
        return move._replace(answers=Answers(1, 1))
    after = (probe.after(state, reply) for reply in replies)
    if move.value == "loss":
        keeping = sum(probe.wins(each, opponent) for each in after)
    else:  # the opponent keeps a half
        keeping = sum(not probe.wins(each, position.turn) for each in after)
    return move._replace(answers=Answers(keeping, len(replies)))
