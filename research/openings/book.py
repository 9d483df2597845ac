"""The opening book of a game with face-down cells: what each kind of first claim is worth.

A kind is a cell up to symmetry. Its value is the mean, over what the claim turns up, of the winning
probability of perfect play from there on. Four things make the error small:

- *The same luck for all kinds*: of each deal, the first number lies on the claimed cell, the next
  ones on the cells that are turned up beside it. So kinds are compared like with like.
- *The claimed number takes each value equally often* (strata).
- *Control variates*: the claimed number and the numbers turned up explain most of the result, and
  their means are known exactly. What they explain is taken out by regression.
- *Two levels of search*: many deals are searched briefly, and a part of them thoroughly too; the
  mean difference corrects the brief searches (multilevel Monte Carlo).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridwise.core.bits import bit_indices
from gridwise.core.board import symmetries
from gridwise.core.position import Position, start
from gridwise.core.rng import Stream
from gridwise.engine.evaluation import Evaluation, Limits, evaluate
from gridwise.errors import BadRequest
from gridwise.lab.run import Executor, Task, results_in_order
from gridwise.lab.store import ResultStore
from gridwise.lab.study.blocks import blocks
from gridwise.lab.study.variant import Variant

DEALS = 1_000
# What a longer search may change in the difference of two kinds. On 30 deals of Grid Conquest,
# 160,000 simulations instead of 40,000 changed the six kinds by 0.2 % to 0.6 %, each ± 0.1 %, and
# their differences by 0.4 % at the most.
SEARCH_ERROR = 0.005
FEWEST = 100  # deals: less than the regression needs
THOROUGH = 10  # one deal in so many is searched thoroughly as well
BRIEF_NODES, THOROUGH_NODES = 2_000, 40_000  # simulations
BRIEF_BLOCK, THOROUGH_BLOCK = 50, 2  # deals of a task: some seconds

Floats: TypeAlias = npt.NDArray[np.float64]
Json: TypeAlias = dict[str, Any]


@dataclass
class Opening:
    """A kind of first claim."""

    cell: int
    name: str
    cells: int  # how many there are of the kind
    win: float  # the probability of winning with it, a draw counting half
    error: float  # its standard error
    bias: float  # by which the thorough searches have corrected the brief ones
    replies: dict[str, tuple[float, float, int]]  # kind of reply -> share best, cost, deals


@dataclass
class OpeningBook:
    """All kinds, the best first, and which of them can be told apart."""

    openings: list[Opening]
    differences: dict[tuple[str, str], tuple[float, float]]  # names -> difference and its error
    deals: int

    def apart(self, one: str, two: str) -> bool:
        """Whether two kinds differ by more than chance and a longer search can explain."""
        difference, error = self.differences[one, two]
        return abs(difference) > 2 * error + SEARCH_ERROR

    def to_json(self) -> Json:
        """The book as JSON."""
        return {
            "deals": self.deals,
            "openings": [
                {
                    "cell": each.name,
                    "cells": each.cells,
                    "win": each.win,
                    "error": each.error,
                    "search_correction": each.bias,
                    "replies": [
                        {"reply": name, "best": share, "cost": cost, "deals": deals}
                        for name, (share, cost, deals) in each.replies.items()
                    ],
                }
                for each in self.openings
            ],
            "differences": [
                {
                    "cells": list(names),
                    "difference": difference,
                    "error": error,
                    "apart": self.apart(*names),
                }
                for names, (difference, error) in self.differences.items()
            ],
        }


def opening_kinds(variant: Variant) -> dict[int, int]:
    """One cell of each kind, and how many cells are of that kind; raises BadRequest."""
    game, board = variant.played, variant.template
    if not game.has_hidden_cells:
        raise BadRequest(
            f"{game.title} has no face-down cells: what each first move on a board is worth is "
            "known exactly. Try: gridwise analyze"
        )
    if game.actions(board) != board.size or variant.board:
        raise BadRequest("An opening book needs a game of claims on boards that are dealt.")
    if (variant.low, variant.high) != (game.rules.LOW, game.rules.HIGH):
        raise BadRequest("An opening book is for all numbers of the game: leave --values out.")
    if board.size < 2:
        raise BadRequest("An opening book needs a board of at least two cells.")
    images = symmetries(board.rows, board.cols)
    orbits = [min(image[cell] for image in images) for cell in range(board.size)]
    return {cell: orbits.count(cell) for cell in sorted(set(orbits))}


def opening_tasks(variant: Variant, seed: int, deals: int) -> list[Task]:
    """The tasks of a book."""
    opening_kinds(variant)
    if deals < FEWEST:
        raise BadRequest(f"An opening book needs at least {FEWEST} boards, not {deals}.")
    tasks = []
    for nodes, total, size in (
        (BRIEF_NODES, deals, BRIEF_BLOCK),
        (THOROUGH_NODES, max(10, deals // THOROUGH), THOROUGH_BLOCK),
    ):
        for number, count in blocks(total, size):
            first = number * size
            key = f"{variant.key}-openings-{nodes}-{first}-{count}"
            arguments = {"variant": variant, "seed": seed, "nodes": nodes}
            arguments |= {"first": first, "deals": count}
            tasks.append(Task(key, search_openings, arguments))
    return tasks


def search_openings(variant: Variant, seed: int, first: int, deals: int, nodes: int) -> Json:
    """The value of each kind of claim, and of the replies to it, on some deals."""
    kinds = list(opening_kinds(variant))
    searched = []
    for number in range(first, first + deals):
        numbers = _numbers(variant, seed, number)
        limits = Limits(nodes=nodes, seed=number)
        positions = [_after_claim(variant, cell, numbers) for cell in kinds]
        evaluated = [(position, evaluate(position, limits)) for position in positions]
        searched.append(
            {
                "wins": [_first_player_wins(*each) for each in evaluated],
                "replies": [_replies(*each) for each in evaluated],
            }
        )
    return {"first": first, "deals": searched}


def _numbers(variant: Variant, seed: int, deal: int) -> list[int]:
    """The numbers of a deal; the first takes each value in turn."""
    low, choices = variant.low, variant.high - variant.low + 1
    stream = Stream(f"{seed} study openings {deal}")
    numbers = [low + stream.below(choices) for _ in range(variant.template.size)]
    return [low + deal % choices, *numbers[1:]]


def _turned_up(variant: Variant, cell: int) -> tuple[int, ...]:
    """The other cells that a first claim turns up."""
    rules, board = variant.played.rules, variant.template
    before = rules.start(board, 1)
    seen = rules.hidden(board, before) & ~rules.hidden(board, rules.play(board, before, cell))
    return bit_indices(seen & ~(1 << cell))


def _after_claim(variant: Variant, cell: int, numbers: Sequence[int]) -> Position:
    near = _turned_up(variant, cell)
    others = [each for each in range(variant.template.size) if each != cell and each not in near]
    cells = [0] * len(numbers)
    for place, number in zip((cell, *near, *others), numbers, strict=True):
        cells[place] = number
    board = variant.template.with_cells(cells)
    return start(variant.played, board, 1).play(cell, board)


def _first_player_wins(position: Position, evaluation: Evaluation) -> float:
    """The probability after the claim, which may have ended the game."""
    if position.outcome:
        return {1: 1.0, 2: 0.0}.get(position.outcome.winner or 0, 0.5)
    return 1.0 - evaluation.points


def _replies(position: Position, evaluation: Evaluation) -> dict[str, float]:
    """The best reply of each kind: a number that lies open, or a face-down cell."""
    best: dict[str, float] = {}
    for move in evaluation.moves:
        shown = position.board.cells[move.action]
        kind = str(shown) if shown else "face down"
        best[kind] = max(move.points, best.get(kind, 0.0))
    return best


# Adding up


def opening_book(
    variant: Variant,
    seed: int,
    deals: int,
    executor: Executor,
    results: ResultStore,
    progress: Any = None,  # noqa: ANN401 - a function of a number
) -> OpeningBook:
    """Search the openings, and estimate what each is worth."""
    tasks = opening_tasks(variant, seed, deals)
    searched = results_in_order(tasks, executor, results, progress)
    by_nodes: dict[int, list[Json]] = {BRIEF_NODES: [], THOROUGH_NODES: []}
    for task, result in zip(tasks, searched, strict=True):
        by_nodes[task.arguments["nodes"]] += result["deals"]
    brief = np.array([each["wins"] for each in by_nodes[BRIEF_NODES]])
    thorough = np.array([each["wins"] for each in by_nodes[THOROUGH_NODES]])
    kinds = opening_kinds(variant)
    numbers = [_numbers(variant, seed, deal) for deal in range(len(brief))]
    adjusted = np.empty_like(brief)
    for column, cell in enumerate(kinds):
        controls = _controls(variant, numbers, len(_turned_up(variant, cell)))
        adjusted[:, column] = _regressed(brief[:, column], controls)
        fitted = controls.shape[1]
    corrections = thorough - brief[: len(thorough)]
    wins = adjusted.mean(axis=0) + corrections.mean(axis=0)
    name = variant.played.text.NOTATION.cell_name
    openings = [
        Opening(
            cell,
            name(variant.template, cell),
            count,
            float(wins[column]),
            _error(adjusted[:, column], corrections[:, column], fitted),
            float(corrections[:, column].mean()),
            _reply_table([each["replies"][column] for each in by_nodes[BRIEF_NODES]]),
        )
        for column, (cell, count) in enumerate(kinds.items())
    ]
    columns = {each.name: column for column, each in enumerate(openings)}
    openings.sort(key=lambda each: -each.win)
    differences = {
        (one.name, two.name): (
            one.win - two.win,
            _error(
                adjusted[:, columns[one.name]] - adjusted[:, columns[two.name]],
                corrections[:, columns[one.name]] - corrections[:, columns[two.name]],
                2 * fitted,  # in each of the two
            ),
        )
        for one, two in combinations(openings, 2)
    }
    return OpeningBook(openings, differences, len(brief))


def opening_rows(variant: Variant, seed: int, deals: int, results: ResultStore) -> list[Json]:
    """The searches that a book was made from: one row for each claim in each deal."""
    name = variant.played.text.NOTATION.cell_name
    kinds = [name(variant.template, cell) for cell in opening_kinds(variant)]
    rows = []
    for task in opening_tasks(variant, seed, deals):
        result = results.get(task.key)
        for deal, searched in enumerate(result["deals"], result["first"]):
            claimed = _numbers(variant, seed, deal)[0]
            for kind, win, replies in zip(
                kinds, searched["wins"], searched["replies"], strict=True
            ):
                reply = max(replies, key=lambda each: replies[each], default=None)
                rows.append(
                    {
                        "deal": deal,
                        "simulations": task.arguments["nodes"],
                        "claim": kind,
                        "number": claimed,
                        "win": win,
                        "best_reply": reply,
                        "reply_wins": replies[reply] if reply else None,
                    }
                )
    return rows


def _controls(variant: Variant, numbers: Sequence[Sequence[int]], near: int) -> Floats:
    """What explains a result, minus its known mean: a row for each deal.

    The claimed number, how often each number was turned up, the largest of them, and the claimed
    number together with the largest.
    """
    values = range(variant.low, variant.high + 1)
    choices = len(values)
    largest = {
        value: ((rank + 1) / choices) ** near - (rank / choices) ** near
        for rank, value in enumerate(values)
    }
    rows = []
    for deal in numbers:
        claimed, shown = deal[0], deal[1 : near + 1]
        own = [(claimed == value) - 1 / choices for value in values[1:]]
        counts = [shown.count(value) - near / choices for value in values[1:]]
        top = [(max(shown) == value) - largest[value] for value in values[1:]]
        both = [
            (claimed == one) * (max(shown) == two) - largest[two] / choices
            for one in values[1:]
            for two in values[1:]
        ]
        rows.append([*own, *counts, *top, *both])
    return np.array(rows, np.float64)


def _regressed(results: Floats, controls: Floats) -> Floats:
    """The results without what the controls explain; the mean stays unbiased up to order 1/n."""
    with_constant = np.column_stack([np.ones(len(results)), controls])
    slopes = np.linalg.lstsq(with_constant, results, rcond=None)[0][1:]
    adjusted: Floats = results - controls @ slopes
    return adjusted


def _error(adjusted: Floats, corrections: Floats, fitted: int) -> float:
    """The standard error of the mean of the one, from which so much was fitted, plus the other."""
    brief = adjusted.var(ddof=1 + fitted) / len(adjusted)
    return sqrt(float(brief + corrections.var(ddof=1) / len(corrections)))


def _reply_table(replies: Sequence[dict[str, float]]) -> dict[str, tuple[float, float, int]]:
    """Kind of reply -> how often it is the best where there is one, what it costs on average."""
    table = {}
    for kind in sorted({kind for each in replies for kind in each}, reverse=True):
        there = [each for each in replies if kind in each]
        costs = [max(each.values()) - each[kind] for each in there]
        best = sum(cost < 1e-9 for cost in costs) / len(there)
        table[kind] = (best, sum(costs) / len(there), len(there))
    return table
