"""A hint, in steps: where to look, the move and what it is worth, the reason."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from gridwise.core.narration import count_of_moves, names_from, percent
from gridwise.core.position import Position
from gridwise.engine.evaluation import (
    Evaluation,
    Limits,
    MoveValue,
    evaluate,
    with_answers,
)

# Counted in nodes, so that the same position gets the same hint; the clock is for large boards, and
# for the first time ever, when the search has to be compiled.
THOROUGH = Limits(nodes=5_000_000, seconds=1.4)
SAMPLED = Limits(nodes=10_000, seconds=1.4)


class Hint(NamedTuple):
    """A best move, and the sentence that says what it is worth."""

    move: str
    text: str
    where: str = ""  # what there is to find, without the move
    why: str = ""  # the reason, where there is one

    @property
    def steps(self) -> tuple[str, ...]:
        """What is said each time somebody asks for more, the last with all that there is."""
        return tuple(filter(None, (self.where, self.text, self.why and f"{self.text} {self.why}")))

    @property
    def data(self) -> dict[str, Any]:
        """It as JSON."""
        return {"move": self.move, "text": self.text, "steps": list(self.steps)}

    def names_move(self, step: int) -> bool:
        """Whether a step, numbered from 0, says which move it is."""
        return step > 0 or not self.where


def hint(position: Position, answers: Mapping[str, int] | None = None) -> Hint:
    """A best move and what it is worth; in a lost position it is the best try.

    With `answers`, each of which makes an action, it is one of those that is named.
    """
    evaluation = _evaluated(position)
    if answers:
        among = tuple(move for move in evaluation.moves if move.action in answers.values())
        best = evaluation._replace(moves=among).best
        name = next(answer for answer, action in answers.items() if action == best.action)
        return Hint(name, f"Consider {name}: {describe(best)}.")
    best = evaluation.best
    text = f"Consider {best.move}: {describe(best)}."
    return Hint(
        best.move, text, _where(position, evaluation, best), _why(position, evaluation, best)
    )


@lru_cache(maxsize=16)
def _evaluated(position: Position) -> Evaluation:
    # Kept, so that asking twice gets the same answer, though the clock may have cut the first
    # short.
    limits = SAMPLED if position.game.has_hidden_cells else THOROUGH
    return with_answers(position, evaluate(position, limits))


def _where(position: Position, evaluation: Evaluation, best: MoveValue) -> str:
    """What there is to find."""
    moves, good = len(evaluation.moves), len(evaluation.optimal)
    if moves == 1 or not evaluation.is_known:
        return ""
    if good == 1:
        count, s = f"Only 1 of {moves} moves", "s"
    elif good < moves:
        count, s = f"{good} of {moves} moves", ""
    else:
        count, s = ("Both moves", "") if moves == 2 else ("Every move", "s")
    if best.win is not None:
        return f"Look {_place(position, best.action)}."
    if best.value == "win":
        all_do = "Every move wins." if good == moves else f"{count} win{s}."
        return "You can win at once." if best.distance == 1 else all_do
    if best.value in ("draw", "endless"):
        return f"{count} keep{s} your opponent from winning."
    return "Lost with best play: look for the move that is hardest to answer."


def _place(position: Position, action: int) -> str:
    """Where on the board a move goes, roughly."""
    board = position.board
    row, col = divmod(position.target(action), board.cols)
    down = ("at the top", "in the middle", "at the bottom")[3 * row // board.rows]
    across = ("left", "", "right")[3 * col // board.cols]
    return f"{down} {across}".strip() if across else down


def _why(position: Position, evaluation: Evaluation, best: MoveValue) -> str:
    """The reason, beyond what the move is worth and what the steps before have said."""
    from gridwise.engine.explain import Reason, explain  # noqa: PLC0415 - it takes words from here

    said = (Reason.WINS_AT_ONCE, Reason.ONLY_GOOD, Reason.BEST_TRY)
    told = explain(position, best.action, evaluation)
    facts = tuple(fact for fact in told.facts if not fact.is_verdict and fact.kind not in said)
    return told._replace(facts=facts).text(names_from(position.turn))


def describe(best: MoveValue) -> str:
    """What a move is worth, as the end of a sentence."""
    if best.win is not None:
        error = f", give or take {percent(best.error)}" if best.error else ""
        if best.win == 0:
            return "your opponent wins if they play well, whatever you do"
        if best.win == 1 and not best.error:
            return "it wins for certain"
        chance = min(max(best.win, 0.01), 0.99) if error else best.win  # certain is what is proved
        return f"it wins {percent(chance)} of the time{error}"
    moves = in_moves(best)
    return {
        "win": "it wins at once" if best.distance == 1 else f"you can force a win in {moves}",
        "draw": "it holds the draw",
        "endless": "it keeps your opponent from winning",
        "loss": _try(best, moves),
        None: "the best move found in the time available",
    }[best.value]


def _try(best: MoveValue, moves: str) -> str:
    """What a move is worth where all is lost."""
    answers = best.answers
    if answers and answers.keeping < answers.legal:
        return f"lost with best play, but {answers_to_find(answers.keeping, answers.legal)}"
    return f"your opponent can force a win; this holds out for {moves}"


def answers_to_find(keeping: int, answers: int) -> str:
    """How many of the answers win: of most of them, all but how many."""
    if 2 * keeping > answers:
        return f"all but {answers - keeping} of {answers} answers win"
    return f"only {keeping} of {answers} answers win{'s' * (keeping == 1)}"


def in_moves(worth: MoveValue | Evaluation) -> str:
    """The distance as a person counts: in moves of the player who makes the first of them."""
    return plies_as_moves(worth.distance or 1, passes=worth.passes)


def plies_as_moves(plies: int, *, passes: bool) -> str:
    """Plies as moves of the player who makes the first of them.

    Where a player may be passed over, that many of the plies need not be theirs, and the moves of
    both are counted.
    """
    if passes and plies > 1:
        return f"{plies} moves of both players"
    return count_of_moves((plies + 1) // 2)


def difference_in_moves(plies: int, which: str, *, passes: bool) -> str:
    """How much sooner or longer: `2 moves sooner`; of both players, as in `plies_as_moves`."""
    both = ", counting both players" * passes
    return f"{count_of_moves(plies if passes else (plies + 1) // 2)} {which}{both}"
