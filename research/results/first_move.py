"""Grid Conquest between perfect players: how often the one who moves first wins.

The method:

- The first claim is a corner, which a long search puts first. It shows four numbers. Each of their
  625 combinations is taken equally often, so their luck does not count (stratification).
- Both sides then play the best move that a search of `--nodes` simulations finds, until expectimax
  computes the winning probability exactly. That is the result of the game, in place of 0 or 1.
- What is left of luck is the numbers that later claims turn up. Their mean is known, so how far
  they were off is subtracted, as much as it mattered (control variates, least squares within the
  strata).

The error of sampling is in the interval. That a search is not perfect is not: `--regret` measures
what its moves give away, in the eyes of a search twenty times as long.

Blocks of games are tasks: with `--out` a run that was stopped goes on, and the same seed gives the
same figures on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gridwise import evaluate, game
from gridwise.core.board import Board
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.engine.evaluation import Evaluation, Limits
from gridwise.lab.run import Task, open_executor, results_in_order
from gridwise.lab.store import JSON, ResultStore
from gridwise.show.progress import Progress

FIRST_CLAIM = "A1"
SHOWN = (0, 1, 5, 6)  # A1, A2, B1 and B2: what the first claim turns up
VALUES = 5
STRATA = VALUES ** len(SHOWN)
BLOCKS = 5  # of each repeat of all strata: some five seconds
PLIES = 4  # after the first claim, of which the numbers turned up are controls
CONTROLS = 4  # for each ply
LONGER = 20  # how much longer the search is that judges the moves
NORMAL_QUANTILE = 1.959964  # for 95 %

Numbers = npt.NDArray[np.float64]


class PlayedGame(NamedTuple):
    """One game: the probability that the first player wins, and how lucky its numbers were."""

    share: float
    controls: list[float]


def deal(stratum: int, stream: Stream) -> Board:
    """A board whose first four numbers are those of a stratum."""
    played = game("grid-conquest")
    cells = [0] * (played.rows * played.cols)
    for cell in SHOWN:
        stratum, value = divmod(stratum, VALUES)
        cells[cell] = 1 + value
    blank = Board(played.rows, played.cols, tuple(cells), played.target)
    return played.deal_unknown(blank, stream)


def play(board: Board, nodes: int, seed: int) -> PlayedGame:
    """Play from the first claim until the rest is known exactly."""
    controls: list[float] = []
    for position, evaluation in positions(board, nodes, seed):
        if len(position.history) > 1:
            controls += luck(position, board)
        if position.outcome:
            winner = position.outcome.winner
            return PlayedGame(0.5 if winner == 3 else float(winner == 1), controls)
        if evaluation.exact:
            assert evaluation.win is not None
            return PlayedGame(
                evaluation.win if position.turn == 1 else 1 - evaluation.win, controls
            )
    raise AssertionError


def positions(board: Board, nodes: int, seed: int) -> Iterator[tuple[Position, Evaluation]]:
    """The positions after the first claim and what a search finds, its best moves being played."""
    position = start(game("grid-conquest"), board, 1).after(FIRST_CLAIM, board)
    while not position.outcome:
        evaluation = evaluate(position, Limits(nodes=nodes, seed=seed))
        yield position, evaluation
        assert evaluation.best
        position = position.play(evaluation.best.action, board)
    yield position, Evaluation(())


def luck(position: Position, board: Board) -> list[float]:
    """How far the numbers that the last claim turned up are from what was to be expected.

    The number claimed, and of those shown the sum, the fives and the fours; each has the mean 0.
    """
    before = position.game.rules.hidden(board, position.before)
    turned_up = before & ~position.hidden
    claimed = position.history[-1]
    shown = [
        value for cell, value in enumerate(board.cells) if turned_up >> cell & 1 and cell != claimed
    ]
    own = board.cells[claimed] - 3.0 if turned_up >> claimed & 1 else 0.0
    fives, fours = (shown.count(value) - len(shown) / VALUES for value in (5, 4))
    return [own, sum(shown) - 3.0 * len(shown), fives, fours]


def play_block(repeat: int, block: int, nodes: int, seed: int) -> list[list[float]]:
    """Some of the games of one repeat: stratum, share, controls. A worker does this."""
    rows = []
    for stratum in range(block, STRATA, BLOCKS):
        stream = Stream(f"{seed} first move {repeat} {stratum}")
        board = deal(stratum, stream)
        game = play(board, nodes, stream.bits())
        controls = (game.controls + [0.0] * PLIES * CONTROLS)[: PLIES * CONTROLS]
        rows.append([stratum, game.share, *controls])
    return rows


def estimate(rows: Numbers) -> tuple[float, float, float]:
    """The first player's share, its standard error, and that without controls."""
    strata = rows[:, 0].astype(int)
    repeats = len(rows) // STRATA

    def within(values: Numbers) -> Numbers:
        """What is left of values when the mean of their stratum is subtracted."""
        means = np.stack([np.bincount(strata, each) for each in values.T], 1) / repeats
        left: Numbers = values - means[strata]
        return left

    shares, controls = rows[:, 1:2], rows[:, 2:]
    weights, *_ = np.linalg.lstsq(within(controls), within(shares), rcond=None)
    adjusted = shares - controls @ weights
    freedom = len(rows) - STRATA
    error = float(np.sqrt((within(adjusted) ** 2).sum() / (freedom - len(weights)) / len(rows)))
    plain = float(np.sqrt((within(shares) ** 2).sum() / freedom / len(rows)))
    return float(adjusted.mean()), error, plain


def tasks(repeats: int, nodes: int, seed: int) -> list[Task]:
    """All blocks, repeat by repeat."""
    return [
        Task(
            f"repeat-{repeat}-{block}",
            play_block,
            {"repeat": repeat, "block": block, "nodes": nodes, "seed": seed},
        )
        for repeat in range(repeats)
        for block in range(BLOCKS)
    ]


def measure(repeats: int, nodes: int, seed: int, workers: int, out: Path | None) -> None:
    """Play and print the result."""
    about: dict[str, JSON] = {"run": "first-move", "nodes": nodes, "seed": seed}
    with (
        closing(ResultStore.in_folder(out, about)) as results,
        open_executor(workers) as executor,
        closing(Progress("Playing", STRATA * repeats, "games")) as progress,
    ):
        progress(0)

        def count(blocks: int) -> None:
            progress(blocks * STRATA // BLOCKS)

        blocks = results_in_order(tasks(repeats, nodes, seed), executor, results, count)
    rows = np.array([row for block in blocks for row in block])
    share, error, plain = estimate(rows)
    print(f"{len(rows):,} games, {nodes:,} simulations a move, seed {seed}")
    print(f"mean without controls {rows[:, 1].mean():.3%}, standard error {plain:.3%}")
    print(f"first player's share  {share:.3%}, standard error {error:.3%}")
    reach = NORMAL_QUANTILE * error
    print(f"95 % interval         {share - reach:.2%} to {share + reach:.2%}")


def measure_regret(games: int, nodes: int, seed: int) -> None:
    """Print what the moves of the search give away, ply by ply, judged by a longer one."""
    lost: dict[int, list[float]] = {}
    with closing(Progress("Judging", games, "games")) as progress:
        for number in range(games):
            stream = Stream(f"{seed} regret {number}")
            board = deal(stream.below(STRATA), stream)
            for position, evaluation in positions(board, nodes, stream.bits()):
                ply = len(position.history)
                if evaluation.exact or position.outcome or ply > PLIES:
                    break
                judged = evaluate(position, Limits(nodes=nodes * LONGER, seed=number))
                assert evaluation.best
                assert judged.win is not None
                (worth,) = (
                    each.win for each in judged.moves if each.action == evaluation.best.action
                )
                lost.setdefault(ply, []).append(judged.win - (worth or 0.0))
            progress(number + 1)
    for ply, each in lost.items():
        error = np.std(each, ddof=1) / np.sqrt(len(each))
        print(f"ply {ply}: {np.mean(each):.3%} given away, standard error {error:.3%}")
