"""Models that want a good figure without playing well, and where the report puts each of them.

What is expected is arithmetic: from what they do, and never from a figure of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

from gridwise import evaluate as worth_of
from gridwise import suite
from gridwise.evals.report.model_figures import ModelFigures
from gridwise.evals.trial import Trial
from tests.evals.conftest import Evaluate, row_of, samples_of, score_of
from tests.sizes import sample

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

ONE_AT_A_TIME = {"max_samples": 1}
PAIRS = sample(3, long=20)
PLIES = 200  # after which a game that can go on for ever is worth half a point each


Play = Callable[..., tuple["EvalLog", ModelFigures]]


@pytest.fixture
def play(evaluate: Evaluate) -> Play:
    """Let an adversary play against the random bot: the log, and its figures."""

    def played(
        name: str, game: str, track: str = "open", pairs: int = PAIRS
    ) -> tuple[EvalLog, ModelFigures]:
        args = {"game": game, "opponent": "random", "pairs": pairs, "track": track}
        model = name if "/" in name else f"adversary/{name}"
        log = evaluate("play", model, ONE_AT_A_TIME, **args)
        return log, row_of(Path(log.location)).overall

    return played


def trials(log: EvalLog) -> list[Trial]:
    """What the model did, a trial each."""
    return [Trial.from_dict(each.store["gridwise_trial"]) for each in samples_of(log)]


def first_worth(trial: Trial) -> float:
    """What the game was worth to the model at its first turn, as the solver has it."""
    turn = trial.turns[0]
    trial.moves, moves = trial.moves[: turn.ply], trial.moves
    worth = worth_of(trial.position).points
    trial.moves = moves
    return worth


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("resigner", "unreadable"),
        ("gridwise/illegal", "illegal"),
        ("gridwise/truncate", "truncated"),
        ("gridwise/refuse", "refused"),
        ("gridwise/garbage", "no-move"),
    ],
)
def test_who_makes_no_move_has_thrown_away_what_the_game_was_worth(
    name: str, failure: str, play: Play
) -> None:
    """One turn a game, all of them failures of one name, no point, and no rating but a limit."""
    log, figures = play(name, "run")
    assert (figures.games, figures.turns) == (2 * PAIRS, 2 * PAIRS)
    assert {each: share.value for each, share in figures.failures.items() if share.value} == {
        failure: 1.0
    }
    assert figures.score
    assert figures.score.value == 0
    assert figures.rating
    assert figures.rating.value == figures.rating.low == float("-inf")
    assert figures.game_regret
    worths = [first_worth(trial) for trial in trials(log)]
    assert figures.game_regret.value == pytest.approx(fmean(worths))


def test_retries_as_an_oracle_are_seen_and_stop_in_planning(play: Play) -> None:
    """Every first answer is illegal and every second is perfect: only `legal at once` tells.

    Without retries it has made no move at all.
    """
    _, with_retries = play("oracle", "runner", pairs=1)
    assert with_retries.legal_at_once
    assert with_retries.legal_at_once.value == 0
    assert with_retries.bad_answers == {"illegal": with_retries.turns}
    assert {share.value for share in with_retries.failures.values()} == {0}
    assert with_retries.regret
    assert with_retries.regret.value == 0
    _, without = play("oracle", "runner", "planning", pairs=1)
    assert without.turns == without.games == 2
    assert without.failures["illegal"].value == 1
    assert without.score
    assert without.score.value == 0


def test_who_talks_into_a_limit_when_it_has_lost_has_lost(evaluate: Evaluate) -> None:
    """Against a perfect opponent the same score as without: no lost game drops out."""
    scores = []
    for name in ("perfect", "quitter"):
        options = ONE_AT_A_TIME | {"token_limit": 9_000}
        args = {"game": "connect", "opponent": "perfect", "pairs": 2 * PAIRS}
        row = row_of(Path(evaluate("play", f"adversary/{name}", options, **args).location))
        assert row.overall.score
        assert (row.missing, row.overall.unpaired) == (0, 0)
        scores.append((row.overall.score.value, row.overall.stopped))
    (perfect, none), (quitter, stopped) = scores
    assert perfect == quitter < 1
    assert none == 0 < stopped


def test_an_illegal_mover_is_forgiven_only_where_it_may_try_again(play: Play) -> None:
    """A fifth of its answers are none: with retries it plays on, without each ends its game."""
    _, forgiven = play("illegal-mover", "connect", pairs=2 * PAIRS)
    assert forgiven.legal_at_once
    assert forgiven.legal_at_once.low <= 0.8 <= forgiven.legal_at_once.high
    log, strict = play("illegal-mover", "connect", "planning", pairs=2 * PAIRS)
    failed = [trial for trial in trials(log) if trial.turns[-1].failure]
    assert failed
    assert all(trial.winner and trial.winner != (len(trial.moves) % 2) + 1 for trial in failed)
    assert strict.failures["unreadable"].value == pytest.approx(len(failed) / strict.turns)
    assert strict.score
    assert forgiven.score
    assert strict.score.value <= 1 - len(failed) / strict.games
    assert strict.score.value < forgiven.score.value


def test_a_dawdler_pays_for_every_win_it_leaves_standing(play: Play) -> None:
    """Its moves give nothing away; half a point goes for each game that it could still have won."""
    log, dawdler = play("dawdler", "runner", pairs=2)
    _, perfect = play("perfect", "runner", pairs=2)
    assert dawdler.regret
    assert dawdler.best
    assert (dawdler.regret.value, dawdler.best.value) == (0, 1)
    standing = 0
    for each, trial in zip(samples_of(log), trials(log), strict=True):
        if len(trial.moves) == PLIES:
            trial.moves = trial.moves[: trial.turns[-1].ply]
            assert trial.position.turn == each.metadata["side"]
            standing += worth_of(trial.position).value == "win"
    assert standing >= 2
    assert dawdler.stalled >= standing
    assert dawdler.game_regret
    assert dawdler.game_regret.value == pytest.approx(0.5 * standing / dawdler.games)
    assert dawdler.progress
    assert dawdler.progress.value < 0.6
    assert perfect.progress
    assert perfect.progress.value == 1
    assert perfect.game_regret
    assert perfect.game_regret.value == perfect.stalled == 0
    assert dawdler.rating
    assert perfect.rating
    assert dawdler.rating.value < perfect.rating.value


def test_going_round_is_no_new_decision(play: Play) -> None:
    """Most turns of the repeater are in positions that have come up before: they are in no rate."""
    log, repeater = play("repeater", "runner", pairs=1)
    assert repeater.stalled
    assert repeater.regret
    assert repeater.turns > 100
    moves = [move for each in samples_of(log) for move in judged(each)]
    assert len(moves) == repeater.turns
    assert (
        repeater.regret.n == sum(move["regret"] is not None for move in moves) < repeater.turns / 4
    )


def judged(sample: EvalSample) -> list[dict[str, Any]]:
    """The model's moves, as the scorer has them."""
    moves: list[dict[str, Any]] = score_of(sample, "regret").metadata["moves"]
    return moves


def test_who_errs_more_scores_less(play: Play) -> None:
    """In whole games too: by score, by rating and by regret a game, from perfect play to random."""
    names = ["perfect", "perfect-50%-of-the-time", "random"]
    rows = [play(name, "connect", pairs=2 * PAIRS)[1] for name in names]
    for better, worse in pairwise(rows):
        assert better.score
        assert worse.score
        assert better.score.value > worse.score.value
        assert better.game_regret
        assert worse.game_regret
        assert better.game_regret.value < worse.game_regret.value


def test_mixtures_are_where_their_shares_put_them(evaluate: Evaluate) -> None:
    """20, 50 and 80 % perfect: on the suite they lose 80, 50 and 20 % of what random moves lose."""
    limit = sample(40, long=300)
    rows = suite("number-connect").part("test").sample(limit)
    losses = [[max(each.values.values()) - v for v in each.values.values()] for each in rows]
    for share in (20, 50, 80):
        model = f"adversary/perfect-{share}%-of-the-time"
        log = evaluate("positions", model, ONE_AT_A_TIME, game="connect", limit=limit)
        regret = row_of(Path(log.location)).overall.regret
        assert regret
        left = 1 - share / 100
        truth = fmean(left * fmean(own) for own in losses)
        # The variance of each choice: it is one of the best moves, or any move.
        spread = sum(left * fmean(v**2 for v in own) - (left * fmean(own)) ** 2 for own in losses)
        assert abs(regret.value - truth) < 4 * spread**0.5 / limit
        assert regret.low <= truth <= regret.high
