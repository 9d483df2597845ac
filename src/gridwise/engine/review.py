"""Reviewing a game: what every move was worth, and where it was won and lost.

*Accuracy* is the average share of points a player kept, over the moves where one could go wrong.
A move keeps `1 - (best - chosen)`, where best and chosen are what the best move and the chosen one
are worth: 1 for a win, 0 for a loss, a half for a draw or an endless game, or the probability of
winning where there is chance. Moves that could not go wrong, because every choice was worth the
same, do not count. Resigning is a choice too: it keeps nothing of what the position was worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from gridwise.core.game import Game
from gridwise.core.narration import NEUTRAL, Names, PlayerName
from gridwise.core.outcome import DRAW, Termination
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate
from gridwise.engine.hints import count_of_moves, in_moves

# Points given away. With exact values a loss of points is at least a half.
BLUNDER, MISTAKE, SLIP = 0.15, 0.07, 0.03
MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # as chess players write them
SERIOUS = ("mistake", "blunder")
SECONDS = 2.0  # to think about a move, unless somebody says otherwise
SIMULATIONS = 20_000  # the same where there is chance, so that one game gets one review


def limits_for(game: Game, seconds: float = SECONDS) -> Limits:
    """How long a review thinks about each move."""
    return Limits(nodes=SIMULATIONS) if game.has_hidden_cells else Limits(seconds=seconds)


def what_if_limits(game: Game) -> Limits:
    """How long to think about a move that somebody tries out: short, since they wait for it."""
    return limits_for(game)._replace(nodes=SIMULATIONS if game.has_hidden_cells else 2_000_000)


class ReviewedMove(NamedTuple):
    """One move of a game, compared with the best one."""

    mover: int
    evaluation: Evaluation  # of the position before it, from the mover's side
    chosen: MoveValue

    @property
    def best(self) -> MoveValue:
        """The move that was best."""
        return self.evaluation.best

    @property
    def regret(self) -> float:
        """The points the move gave away."""
        return max(0.0, self.evaluation.points - self.chosen.points)

    @property
    def counts(self) -> bool:
        """Whether one could go wrong here, as far as it could be worked out."""
        if not self.judged:
            return False
        worst = min(each.points for each in self.evaluation.moves)
        return self.evaluation.points - worst > 1e-9

    @property
    def judged(self) -> bool:
        """Whether every choice could be evaluated."""
        return all(each.is_known for each in self.evaluation.moves)

    @property
    def noise(self) -> float:
        """How much of what was lost may be sampling error."""
        return 2 * (self.chosen.error or 0.0)

    @property
    def grade(self) -> str:
        """`forced`, `best`, `good`, `slip`, `mistake`, `blunder`; `unknown` if not judged."""
        if not self.judged:
            return "unknown"
        if not self.counts:
            return "forced"
        return _grade(self.regret, self.noise)


class Resignation(NamedTuple):
    """Giving a game up, compared with playing on."""

    mover: int  # who resigned
    turn: int  # who was to move
    evaluation: Evaluation  # of the position, from the side of the player to move

    @property
    def judged(self) -> bool:
        """Whether the position could be evaluated."""
        return self.evaluation.value is not None or self.evaluation.win is not None

    @property
    def regret(self) -> float:
        """The points that were given away: all that there were."""
        if not self.judged:
            return 0.0
        points = self.evaluation.points
        return points if self.mover == self.turn else 1.0 - points

    @property
    def counts(self) -> bool:
        """Whether there was anything to give away."""
        return self.regret > 1e-9

    @property
    def grade(self) -> str:
        """As of a move; `best` if the game was lost anyway."""
        return _grade(self.regret, 2 * (self.evaluation.best.error or 0.0))


def _grade(lost: float, noise: float) -> str:
    """By the points given away, less what may be sampling error."""
    for bound, name in ((BLUNDER, "blunder"), (MISTAKE, "mistake"), (SLIP, "slip")):
        if lost - noise >= bound:
            return name
    return "best" if lost < 1e-9 else "good"


class Review(NamedTuple):
    """A game with every move compared to the best one."""

    moves: tuple[ReviewedMove, ...]
    # Player 1's expected result at the start and after each move. The last is the result by the
    # rules; of a game that was given up it is what the position was worth.
    curve: tuple[float, ...]
    resignation: Resignation | None = None
    winner: int = 0  # 1 or 2 where somebody has won

    @property
    def decisions(self) -> tuple[ReviewedMove | Resignation, ...]:
        """The moves, and the resignation where there was one."""
        return (*self.moves, self.resignation) if self.resignation else self.moves

    def accuracy(self, player: int) -> float | None:
        """The share of points kept, from 0 to 1; None if nothing could go wrong."""
        kept = [
            1.0 - each.regret for each in self.decisions if each.mover == player and each.counts
        ]
        return sum(kept) / len(kept) if kept else None

    @property
    def turning_points(self) -> list[int]:
        """The moves that were mistakes or blunders, by number from 0."""
        return [number for number, each in enumerate(self.moves) if each.grade in SERIOUS]

    @property
    def turning_point(self) -> int | None:
        """The decision that cost most, by number from 0: of the loser's, if somebody has lost.

        Of equals it is the last: after that one the game was decided.
        """
        serious = [
            (each.regret, number)
            for number, each in enumerate(self.decisions)
            if each.grade in SERIOUS and each.mover != self.winner
        ]
        return max(serious)[1] if serious else None

    def own_number(self, number: int) -> int:
        """A decision, numbered from 0, as its player counts: `3` for the third of that player."""
        mover = self.decisions[number].mover
        return sum(each.mover == mover for each in self.decisions[: number + 1])


def review(
    positions: Sequence[Position],
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> Review:
    """Judge every move of a game, given as its positions, by what could be seen at the time."""
    limits = limits or Limits()
    evaluations = []
    for number, position in enumerate(decisions(positions), 1):
        evaluations.append(evaluate(position, limits))
        if progress:
            progress(min(number, len(positions) - 1))
    return review_of(positions, evaluations)


def decisions(positions: Sequence[Position]) -> list[Position]:
    """The positions of a game in which something was decided: a move, or to resign.

    The end of a game shows the whole board; who resigned is judged by what could be seen.
    """
    *before, last = positions
    if last.outcome and last.outcome.termination is Termination.RESIGNATION:
        going_on = (last.game, last.board, last.state, last.first, last.history, last.before)
        return [*before, Position.from_state(*going_on)]
    return before


def review_of(positions: Sequence[Position], evaluations: Sequence[Evaluation]) -> Review:
    """The review of a game whose `decisions` have been evaluated."""
    moves = tuple(
        ReviewedMove(position.turn, evaluation, evaluation.move_value(after.history[-1]))
        for (position, after), evaluation in zip(pairwise(positions), evaluations, strict=False)
    )
    curve = [_for_player_one(each.mover, each.evaluation.points) for each in moves]
    outcome, resignation = positions[-1].outcome, None
    if outcome and len(evaluations) > len(moves):
        turn = decisions(positions)[-1].turn
        resignation = Resignation(3 - outcome.winner, turn, evaluations[-1])
        curve.append(_for_player_one(turn, evaluations[-1].points))
    elif outcome and outcome.winner:
        curve.append({1: 1.0, 2: 0.0}.get(outcome.winner, 0.5))
    elif moves:
        curve.append(_for_player_one(moves[-1].mover, moves[-1].chosen.points))
    winner = outcome.winner if outcome and outcome.winner != DRAW else 0
    return Review(moves, tuple(curve), resignation, winner)


def _for_player_one(player: int, points: float) -> float:
    return points if player == 1 else 1.0 - points


def comment(decision: ReviewedMove | Resignation, names: Names = NEUTRAL) -> str:
    """What a slip, a mistake or a blunder did, in a sentence; empty for other moves."""
    if decision.grade not in MARKS:
        return ""
    if isinstance(decision, Resignation):
        return _on_resigning(decision, names)
    other, best, chosen = names[2 - decision.mover], decision.best, decision.chosen
    if chosen.win is not None:
        return (
            f"{best.move} would have won {best.points:.0%} of the time; "
            f"{chosen.move} wins {chosen.points:.0%}."
        )
    was = {
        "win": f"{best.move} wins in {in_moves(best)}",
        "draw": f"{best.move} holds the draw",
        "endless": f"{best.move} keeps {other.object} from winning",
    }[str(best.value)]
    now = {
        "draw": "only draws",
        "endless": "lets the win go: now neither side can force one",
        "loss": f"loses: {other.object} {_how_soon(other, chosen)}",
    }[str(chosen.value)]
    return f"{was}; {chosen.move} {now}."


def _on_resigning(given_up: Resignation, names: Names) -> str:
    """What was given up."""
    player, other, evaluation = given_up.mover, names[2 - given_up.mover], given_up.evaluation
    if evaluation.win is not None:
        return f"resigned with a {given_up.regret:.0%} chance to win."
    best, on_move = evaluation.best.move, given_up.turn == player
    if evaluation.value == "endless":
        return f"resigned although {other.object} could not force a win."
    if evaluation.value == "draw":
        return "resigned in a drawn position" + (f": {best} holds the draw." if on_move else ".")
    moves = in_moves(evaluation)
    loses = f"{other.object} {other.verb('lose')} in {moves}"
    how = f"{best} wins in {moves}" if on_move else loses
    return f"resigned in a won position: {how}."


def _how_soon(player: PlayerName, lost: MoveValue) -> str:
    """How soon the other player wins after a move."""
    if not lost.distance or lost.distance == 1:
        return f"{player.verb('have')} won"
    return f"can win in {in_moves(lost._replace(distance=lost.distance - 1))}"


# The same words on the command line and on a page


def in_words(worth: MoveValue | Evaluation) -> str:
    """What a move or a position is worth, in a few words: `win in 5 moves`, `63% to win`."""
    if worth.win is not None:
        return f"{worth.win:.0%} to win"
    if worth.value in ("win", "loss"):
        return f"{worth.value} in {in_moves(worth)}"
    return worth.value or "unknown"


def worth_text(player: int, evaluation: Evaluation, names: Names = NEUTRAL) -> str:
    """What a position is worth to the player to move, in a sentence."""
    name = names[player - 1]
    if evaluation.win is not None:
        return f"{name.does('have')} a {evaluation.win:.0%} chance to win."
    moves = in_moves(evaluation)
    return {
        "win": f"{name.subject} can force a win in {moves}.",
        "loss": f"{name.does('lose')} in {moves}.",
        "draw": "With best play this is a draw.",
        "endless": "Neither player can force a win.",
        None: "The engine could not work this out in time.",
    }[evaluation.value]


class ReviewRow(NamedTuple):
    """A line of the table of moves."""

    number: int  # from 1; 0 for a resignation
    player: int
    move: str  # with its mark: `0,2??`
    worth: str
    better: str  # the best move, where another was played


def rows(reviewed: Review) -> list[ReviewRow]:
    """What each move was worth, and what would have been better."""
    made = [
        ReviewRow(
            number,
            each.mover,
            each.chosen.move + MARKS.get(each.grade, ""),
            in_words(each.chosen),
            each.best.move if each.regret > 0 else "",
        )
        for number, each in enumerate(reviewed.moves, 1)
    ]
    if given_up := reviewed.resignation:
        mark, on_move = MARKS.get(given_up.grade, ""), given_up.turn == given_up.mover
        better = given_up.evaluation.best.move if on_move else "play on"
        made.append(ReviewRow(0, given_up.mover, f"resigns{mark}", "loss", better if mark else ""))
    return made


def summary(reviewed: Review) -> list[str]:
    """Where the game was won and lost, and how well each side played."""
    lines = [remark(reviewed, number) for number in reviewed.turning_points]
    given_up = reviewed.resignation
    if given_up and given_up.grade in SERIOUS:
        lines.append(remark(reviewed, len(reviewed.moves)))
    mistakes = bool(lines)
    unknown = sum(not each.judged for each in reviewed.decisions)
    if unknown:
        lines.append(f"The engine ran out of time on {count_of_moves(unknown)}.")
    elif not mistakes:
        lines.append("No mistakes by either player.")
    return [*lines, *(accuracy_text(reviewed, player) for player in (1, 2))]


def remark(reviewed: Review, number: int) -> str:
    """What is to be said about a decision, numbered from 0; empty if it was no mistake."""
    decision = reviewed.decisions[number]
    text = comment(decision)
    if not text or isinstance(decision, Resignation):
        return f"Player {decision.mover} {text}" if text else ""
    return f"Move {number + 1}, Player {decision.mover}: {text}"


def accuracy_text(reviewed: Review, player: int, names: Names = NEUTRAL) -> str:
    """How well a player played, in a sentence."""
    share, name = reviewed.accuracy(player), names[player - 1]
    if share is None and not all(each.judged for each in reviewed.decisions):
        return f"{name.subject}: no accuracy; the engine ran out of time."
    if share is None:
        return f"{name.subject} had no real choices: every move led to the same result."
    choices = count_of_moves(
        sum(each.mover == player and each.counts for each in reviewed.decisions)
    )
    return f"{name.subject}: accuracy {share:.0%} ({choices} where a mistake was possible)."


def review_data(reviewed: Review) -> dict[str, Any]:
    """A review for programs; moves are numbered from 1, points are from 0 to 1."""
    given_up = reviewed.resignation
    return {
        "moves": [
            {
                "number": number,
                "player": each.mover,
                "move": each.chosen.move,
                "grade": each.grade,
                "mark": MARKS.get(each.grade, ""),
                "worth": in_words(each.chosen),
                "value": each.chosen.value,
                "distance": each.chosen.distance,
                "win": each.chosen.win,
                "best": each.best.move,
                "lost": each.regret,
                "comment": comment(each),
            }
            for number, each in enumerate(reviewed.moves, 1)
        ],
        "resignation": given_up
        and {"player": given_up.mover, "grade": given_up.grade, "lost": given_up.regret},
        "curve": list(reviewed.curve),
        "accuracy": [reviewed.accuracy(player) for player in (1, 2)],
        "summary": summary(reviewed) if reviewed.moves else [],
    }


# On a page, where players have names and somebody looks at one move at a time

_VERDICTS = {
    "forced": "No real choice: every move led to the same result.",
    "best": "Best move",
    "good": "Good move",
    "slip": "Slip.",
    "mistake": "Mistake.",
    "blunder": "Blunder.",
    "unknown": "The engine ran out of time on this move.",
}


def move_label(reviewed: Review, number: int, names: Names = NEUTRAL) -> str:
    """A decision, numbered from 0, inside a sentence: `your move 6`, `Player 2's resignation`."""
    decision = reviewed.decisions[number]
    whose = names[decision.mover - 1].possessive
    if isinstance(decision, Resignation):
        return f"{whose} resignation"
    return f"{whose} move {reviewed.own_number(number)}"


def verdict(reviewed: Review, number: int, names: Names = NEUTRAL) -> str:
    """What is to be said about a decision, numbered from 0: the grade, and why."""
    decision = reviewed.decisions[number]
    why = comment(decision, names)
    if isinstance(decision, Resignation):
        return f"{names[decision.mover - 1].subject} {why}" if why else ""
    if decision.chosen.value == "win" and decision.chosen.distance == 1:
        return "The winning move."
    said = _VERDICTS[decision.grade]
    if decision.grade in ("best", "good"):
        return f"{said}: {in_words(decision.chosen)}."
    return f"{said} {why[:1].upper()}{why[1:]}".strip()
