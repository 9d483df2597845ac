"""Reviewing a game: what every move was worth and why, and where it was won and lost.

A move is graded by the points that it gave away. Where none are at stake, in a game that is lost or
won whatever is played, it is graded by the moves that it threw away: losing sooner than need be, or
winning later, is a slip at worst.

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
from gridwise.core.narration import NEUTRAL, Names, capitalized, count_of_moves, percent
from gridwise.core.outcome import DRAW, Termination
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate, with_answers
from gridwise.engine.explain import Explanation, Fact, explain, luck
from gridwise.engine.hints import in_moves

# Points given away. With exact values a loss of points is at least a half.
BLUNDER, MISTAKE, SLIP = 0.15, 0.07, 0.03
SLOW = 2  # own moves thrown away, where no points are: from here on it is a slip
MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # as chess players write them
SERIOUS = ("mistake", "blunder")
FAR_SHARE, FAR_PLIES = 0.3, 10  # how far from the edge a result is drawn: half of that in 10 plies
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
    why: Explanation | None = None
    luck: Fact | None = None  # what it turned up, where that made a difference

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
        return self.evaluation.is_decision

    @property
    def judged(self) -> bool:
        """Whether every choice could be evaluated."""
        return self.evaluation.is_known

    @property
    def noise(self) -> float:
        """How much of what was lost may be sampling error."""
        return 2 * (self.chosen.error or 0.0)

    @property
    def thrown_away(self) -> int:
        """By how many moves a game that is lost anyway ended sooner, or a win came later.

        Own moves, or where a player may be passed over those of both.
        """
        return self._plies_thrown_away if self.chosen.passes else self._own_moves_thrown_away

    @property
    def _own_moves_thrown_away(self) -> int:
        return (self._plies_thrown_away + 1) // 2  # about so many where one may be passed over

    @property
    def _plies_thrown_away(self) -> int:
        chosen, best = self.chosen, self.best
        if not self.judged or chosen.points < best.points or chosen.distance is None:
            return 0
        if chosen.value == "win":
            return chosen.distance - (best.distance or 0)
        if chosen.value == "loss" and chosen.rank < best.rank:  # a best try throws nothing away
            return max(each.distance or 0 for each in self.evaluation.moves) - chosen.distance
        return 0

    @property
    def grade(self) -> str:
        """`forced`, `best`, `good`, `slip`, `mistake`, `blunder`; `unknown` if not judged."""
        if not self.judged:
            return "unknown"
        if self.counts and self.regret > 1e-9:
            return _grade(self.regret, self.noise)
        if self.thrown_away:
            return "slip" if self._own_moves_thrown_away >= SLOW else "good"
        if len({each.rank for each in self.evaluation.moves}) == 1:
            return "forced"
        return "best" if self.chosen.rank == self.best.rank else "good"  # another is the best try

    @property
    def is_remarkable(self) -> bool:
        """Whether there is something to be said against it."""
        return self.grade in MARKS or self.thrown_away > 0


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

    @property
    def is_remarkable(self) -> bool:
        """Whether there is something to be said against it."""
        return self.grade in MARKS


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
    # The curve as it is drawn: a win or a loss that is far away is not at the very edge.
    graph: tuple[float, ...] = ()

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
    def worth_a_look(self) -> list[int]:
        """The mistakes and blunders; where there are none, slips and what was thrown away."""
        graded = list(enumerate(self.decisions))
        serious = [number for number, each in graded if each.grade in SERIOUS]
        return serious or [number for number, each in graded if each.is_remarkable]

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

    def lost_from_the_start(self, player: int) -> bool:
        """Whether a player never had a chance against best play, whatever the other did."""
        own = [each for each in self.moves if each.mover == player]
        values = [each.evaluation.value for each in own]
        return bool(own) and all(value == "loss" for value in values)

    def lost_from_start_to_end(self, player: int) -> bool:
        """Whether the other one did not let the win go either, not even with the last move."""
        others = (each for each in self.decisions if each.mover != player and each.counts)
        return self.lost_from_the_start(player) and not any(each.regret for each in others)

    def thrown_away(self, player: int) -> int:
        """How many moves a player threw away where nothing else was at stake."""
        return sum(each.thrown_away for each in self.moves if each.mover == player)

    def most_thrown_away(self, player: int) -> int:
        """The move with which a player threw the most away, by number from 0."""
        own = [number for number, each in enumerate(self.moves) if each.mover == player]
        return max(own, key=lambda number: self.moves[number].thrown_away)

    def own_number(self, number: int) -> int:
        """A decision, numbered from 0, as its player counts: `3` for the third of that player."""
        mover = self.decisions[number].mover
        return sum(each.mover == mover for each in self.decisions[: number + 1])


class Decision(NamedTuple):
    """What a player decided: a move, or to resign."""

    position: Position
    action: int | None  # None for giving up


class Judgement(NamedTuple):
    """What is found out about a decision."""

    evaluation: Evaluation  # with the answers counted, so that the best try is the best move
    why: Explanation | None


def judge(decision: Decision, limits: Limits) -> Judgement:
    """Judge a decision by what could be seen at the time."""
    position, action = decision
    evaluation = with_answers(position, evaluate(position, limits))
    return Judgement(evaluation, None if action is None else explain(position, action, evaluation))


class Trial(NamedTuple):
    """What is found out about a move that somebody tries."""

    evaluation: Evaluation | None  # of the position after it; None if the game is over there
    why: Explanation


def try_out(before: Position, after: Position, limits: Limits) -> Trial:
    """Judge the move between two positions, and what comes after it."""
    why = explain(before, after.history[-1], evaluate(before, limits))
    if after.outcome:
        return Trial(None, why)
    return Trial(with_answers(after, evaluate(after, limits)), why)


def review(
    positions: Sequence[Position],
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
) -> Review:
    """Judge every move of a game, given as its positions, by what could be seen at the time."""
    limits = limits or Limits()
    judged = []
    for number, decision in enumerate(decisions(positions), 1):
        judged.append(judge(decision, limits))
        if progress:
            progress(min(number, len(positions) - 1))
    return review_of(positions, judged)


def decisions(positions: Sequence[Position]) -> list[Decision]:
    """What was decided in a game, given as its positions.

    The end of a game shows the whole board; who resigned is judged by what could be seen.
    """
    last = positions[-1]
    decided = [Decision(at, after.history[-1]) for at, after in pairwise(positions)]
    if last.outcome and last.outcome.termination is Termination.RESIGNATION:
        going_on = (last.game, last.board, last.state, last.first, last.history, last.before)
        decided.append(Decision(Position.from_state(*going_on), None))
    return decided


def review_of(positions: Sequence[Position], judged: Sequence[Judgement]) -> Review:
    """The review of a game whose `decisions` have been judged."""
    evaluations = [each.evaluation for each in judged]
    moves = tuple(
        ReviewedMove(position.turn, evaluation, evaluation.move_value(after.history[-1]), why)
        for (position, after), (evaluation, why) in zip(pairwise(positions), judged, strict=False)
    )
    curve = [_for_player_one(each.mover, each.evaluation.points) for each in moves]
    graph = [_for_player_one(each.mover, _height(each.evaluation)) for each in moves]
    outcome, resignation = positions[-1].outcome, None
    if outcome and len(evaluations) > len(moves):
        turn = decisions(positions)[-1].position.turn
        resignation = Resignation(3 - outcome.winner, turn, evaluations[-1])
        curve.append(_for_player_one(turn, evaluations[-1].points))
        graph.append(_for_player_one(turn, _height(evaluations[-1])))
    elif outcome and outcome.winner:
        curve.append({1: 1.0, 2: 0.0}.get(outcome.winner, 0.5))
        graph.append(curve[-1])
    elif moves:
        curve.append(_for_player_one(moves[-1].mover, moves[-1].chosen.points))
        graph.append(_for_player_one(moves[-1].mover, _height(moves[-1].chosen)))
    winner = outcome.winner if outcome and outcome.winner != DRAW else 0
    return Review(_with_luck(moves, curve), tuple(curve), resignation, winner, tuple(graph))


def _with_luck(moves: tuple[ReviewedMove, ...], curve: Sequence[float]) -> tuple[ReviewedMove, ...]:
    """The moves, with what was luck: the chances after a move that merit does not account for."""
    return tuple(
        each._replace(luck=luck(each.chosen.win, _for_player_one(each.mover, curve[number])))
        if each.chosen.win is not None and number < len(curve)
        else each
        for number, each in enumerate(moves, 1)
    )


def _height(worth: Evaluation | MoveValue) -> float:
    """What a position is worth, where it is drawn: a result that is far away is less than all."""
    if worth.value not in ("win", "loss"):
        return worth.points
    plies = worth.distance or 0
    short = FAR_SHARE * plies / (plies + FAR_PLIES)
    return 1.0 - short if worth.value == "win" else short


def _for_player_one(player: int, points: float) -> float:
    return points if player == 1 else 1.0 - points


def comment(decision: ReviewedMove | Resignation, names: Names = NEUTRAL) -> str:
    """What there is to be said against a decision, in sentences; empty if there is nothing."""
    if not decision.is_remarkable:
        return ""
    if isinstance(decision, Resignation):
        return _on_resigning(decision, names)
    return why_text(decision, names)


def why_text(decision: ReviewedMove, names: Names = NEUTRAL) -> str:
    """Why a move was good or bad, and what was luck."""
    told = decision.why
    if told is None:
        return ""
    if decision.luck:
        told = told._replace(facts=(*told.facts, decision.luck))
    return told.text(names)


def _on_resigning(given_up: Resignation, names: Names) -> str:
    """What was given up."""
    player, other, evaluation = given_up.mover, names[2 - given_up.mover], given_up.evaluation
    if evaluation.win is not None:
        return f"resigned with a {percent(given_up.regret)} chance to win."
    best, on_move = evaluation.best.move, given_up.turn == player
    if evaluation.value == "endless":
        return f"resigned although {other.object} could not force a win."
    if evaluation.value == "draw":
        return "resigned in a drawn position" + (f": {best} holds the draw." if on_move else ".")
    moves = in_moves(evaluation)
    loses = f"{other.object} {other.verb('lose')} in {moves}"
    how = f"{best} wins in {moves}" if on_move else loses
    return f"resigned in a won position: {how}."


# The same words on the command line and on a page


def in_words(worth: MoveValue | Evaluation) -> str:
    """What a move or a position is worth, in a few words: `win in 5 moves`, `63 % to win`."""
    if worth.win is not None:
        return f"{percent(worth.win)} to win"
    if worth.value in ("win", "loss"):
        return f"{worth.value} in {in_moves(worth)}"
    return worth.value or "unknown"


def worth_text(player: int, evaluation: Evaluation, names: Names = NEUTRAL) -> str:
    """What a position is worth to the player to move, in a sentence."""
    name = names[player - 1]
    if evaluation.win is not None:
        return f"{name.does('have')} a {percent(evaluation.win)} chance to win."
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

    number: int  # as its player counts, from 1; 0 for a resignation
    player: int
    move: str  # with its mark: `0,2??`
    worth: str
    better: str  # the best move, where another was played


def rows(reviewed: Review) -> list[ReviewRow]:
    """What each move was worth, and what would have been better."""
    made = [
        ReviewRow(
            reviewed.own_number(number),
            each.mover,
            each.chosen.move + MARKS.get(each.grade, ""),
            in_words(each.chosen),
            each.best.move if each.regret > 0 or each.thrown_away else "",
        )
        for number, each in enumerate(reviewed.moves)
    ]
    if given_up := reviewed.resignation:
        mark, on_move = MARKS.get(given_up.grade, ""), given_up.turn == given_up.mover
        better = given_up.evaluation.best.move if on_move else "play on"
        made.append(ReviewRow(0, given_up.mover, f"resigns{mark}", "loss", better if mark else ""))
    return made


def summary(reviewed: Review, names: Names = NEUTRAL) -> list[str]:
    """Where the game was won and lost, and how well each side played."""
    lost = [player for player in (1, 2) if reviewed.lost_from_start_to_end(player)]
    told = [reviewed.most_thrown_away(player) for player in lost]
    numbers = [number for number in reviewed.worth_a_look if number not in told]
    remarks = [remark(reviewed, number, names) for number in numbers]
    return [*_course(reviewed, names), *remarks, *_accuracies(reviewed, names)]


def outline(reviewed: Review, names: Names = NEUTRAL) -> list[str]:
    """A game in a few sentences, without its mistakes one by one."""
    return [*_course(reviewed, names), *_accuracies(reviewed, names)]


def _course(reviewed: Review, names: Names) -> list[str]:
    """Who never had a chance, and whether all went well."""
    lost = [line for player in (1, 2) if (line := _lost_from_the_start(reviewed, player, names))]
    if unknown := sum(not each.judged for each in reviewed.decisions):
        return [*lost, f"The engine ran out of time on {count_of_moves(unknown)}."]
    if not lost and not any(each.grade in SERIOUS for each in reviewed.decisions):
        slips = any(each.grade in MARKS for each in reviewed.decisions)
        return [f"No mistakes by either player{', only slips' * slips}."]
    return lost


def _accuracies(reviewed: Review, names: Names) -> list[str]:
    return list(filter(None, (accuracy_text(reviewed, player, names) for player in (1, 2))))


def _lost_from_the_start(reviewed: Review, player: int, names: Names) -> str:
    """That a player could not do anything about it, and how long it took all the same."""
    if not reviewed.lost_from_the_start(player):
        return ""
    name, moves = names[player - 1], reviewed.thrown_away(player)
    lost = f"{name.subject} {name.verb('were')} lost from the start"
    if not reviewed.lost_from_start_to_end(player):
        return f"{lost}, but {names[2 - player].object} let the win go."
    if not moves:
        gave_up = reviewed.resignation and reviewed.resignation.mover == player
        return f"{lost}{'' if gave_up else ', and made the best of it'}."
    worst = reviewed.moves[reviewed.most_thrown_away(player)]
    most = f", most of them with {worst.chosen.move}" if worst.thrown_away < moves else ""
    most = most or f", with {worst.chosen.move}"
    needed = "you had to" if name.is_you else "need be"
    counting = ", counting both players" * worst.chosen.passes
    sooner = f"{count_of_moves(moves)} sooner than {needed}{counting}{most}"
    reason = worst.why.of_the_game(names) if worst.why else ""
    return f"{lost}, and lost {sooner}. {reason}".strip()


def remark(reviewed: Review, number: int, names: Names = NEUTRAL) -> str:
    """What is to be said about a decision, numbered from 0; empty if it was no mistake."""
    decision = reviewed.decisions[number]
    text, name = comment(decision, names), names[decision.mover - 1]
    if not text or isinstance(decision, Resignation):
        return f"{name.subject} {text}" if text else ""
    return f"{capitalized(move_label(reviewed, number, names))}: {text}"


def accuracy_text(reviewed: Review, player: int, names: Names = NEUTRAL) -> str:
    """How well a player played, in a sentence that says what was counted.

    Empty for who was lost from the start: there was nothing to count, and that has been said.
    """
    share, name = reviewed.accuracy(player), names[player - 1]
    if share is None and not all(each.judged for each in reviewed.decisions):
        return f"{name.subject}: no accuracy; the engine ran out of time."
    own = [each.evaluation.value for each in reviewed.moves if each.mover == player]
    if share is None and own and set(own) == {"win"}:
        return f"{name.subject} could not go wrong: every move won."
    if share is None and reviewed.lost_from_the_start(player):
        return ""
    if share is None:
        return f"{name.subject} had no real decision: the result was the same whatever was played."
    count = sum(each.mover == player and each.counts for each in reviewed.decisions)
    decided = "1 real decision" if count == 1 else f"{count} real decisions"
    return f"{name.subject}: accuracy {percent(share)} ({decided})."


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
                "why": each.why.data()["facts"] if each.why else [],
                "luck": each.luck.numbers if each.luck else None,
            }
            for number, each in enumerate(reviewed.moves, 1)
        ],
        "resignation": given_up
        and {"player": given_up.mover, "grade": given_up.grade, "lost": given_up.regret},
        "curve": list(reviewed.curve),
        "graph": list(reviewed.graph),
        "accuracy": [reviewed.accuracy(player) for player in (1, 2)],
        "summary": summary(reviewed) if reviewed.moves else [],
    }


# On a page, where players have names and somebody looks at one move at a time

_VERDICTS = {
    "forced": "No real choice: every move led to the same result.",
    "best": "Best move.",
    "good": "Good move.",
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
    if isinstance(decision, Resignation):
        why = comment(decision, names)
        return f"{names[decision.mover - 1].subject} {why}" if why else ""
    if decision.chosen.value == "win" and decision.chosen.distance == 1:
        return "The winning move."
    said, why = _VERDICTS[decision.grade], why_text(decision, names)
    decided = decision.chosen.value in ("win", "loss")
    if decision.grade == "forced" and why and (decided or len(decision.evaluation.moves) == 1):
        said = ""  # the reason says so
    if decision.grade == "good" and decision.chosen.value == "loss":
        said = ""  # the game is lost, and another move was the best try or took longer
    return f"{said} {why}".strip()
