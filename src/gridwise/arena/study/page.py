"""The report of a study: what its tables and sentences say.

Nothing in it depends on when, where and on how many machines it was made: the same command makes
the same page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil, log10
from statistics import fmean
from typing import TypeAlias

from gridwise.arena.statistics import Estimate
from gridwise.arena.study.document import Command, Heading, Paragraph, Part, Picture, Table
from gridwise.arena.study.figures import Figures
from gridwise.arena.study.plan import Plan
from gridwise.arena.study.plots import MATTERS, SHARES, SIDES, has_lengths, lengths_file

OUTCOMES = {
    "p1": "Player 1 wins",
    "p2": "Player 2 wins",
    "draw": "drawn",
    "endless": "endless: neither can force a win",
}
NONE = "-"

Cell: TypeAlias = Callable[[Figures], str]  # what a variant has in a row


def percent(estimate: Estimate | None) -> str:
    """A share with its interval, with as many digits as it is sure of."""
    if estimate is None:
        return NONE
    value, low, high, _ = estimate
    half = (high - low) / 2
    if not half:
        return f"{value:.1%}" if value % 1 else f"{value:.0%}"
    digits = max(1, ceil(-log10(half)) - 2)
    return f"{value:.{digits}%} ({low:.{digits}%} to {high:.{digits}%})"


def glance(studied: Sequence[Figures]) -> Table:
    """The table that compares variants side by side."""
    rows: list[list[str]] = []

    def add(name: str, cell: Cell) -> None:
        cells = [cell(each) for each in studied]
        if any(text != NONE for text in cells):
            rows.append([name, *cells])

    def share(name: str) -> Cell:
        return lambda each: percent(each.perfect.shares[name]) if each.perfect else NONE

    solved = [each.perfect for each in studied if each.perfect]
    add("boards solved", lambda each: f"{each.perfect.boards:,}" if each.perfect else NONE)
    for name, about in OUTCOMES.items():
        if any(perfect.shares[name].value for perfect in solved):
            add(f"perfect play: {about}", share(name))
    if any(perfect.at_once.value for perfect in solved):
        add(
            "over before the first move",
            lambda each: percent(each.perfect.at_once) if each.perfect else NONE,
        )
    add("mean length, perfect play (plies)", _mean_plies)
    for name, cell in _bot_rows(studied):
        add(name, cell)
    return Table(["", *(each.variant.name for each in studied)], rows)


def _bot_rows(studied: Sequence[Figures]) -> Iterator[tuple[str, Cell]]:
    """The rows about bots: what each is called, and what a variant has there."""
    for level in dict.fromkeys(level for each in studied for level in each.matters):
        yield f"a move matters, {level} games", partial(_matters, level)
    levels = dict.fromkeys(level for each in studied for level in each.first_mover)
    for level in levels:
        yield f"{level} against {level}: Player 1 scores", partial(_first_mover, level)
    for level in levels:
        yield f"mean length, {level} against {level} (plies)", partial(_mean_length, level)
    for pair in dict.fromkeys(pair for each in studied for pair in _steps(each)):
        yield f"{pair[0]} scores against {pair[1]}", partial(_skill, pair)


def _matters(level: str, figures: Figures) -> str:
    return percent(figures.matters.get(level))


def _first_mover(level: str, figures: Figures) -> str:
    return percent(figures.first_mover.get(level))


def _mean_length(level: str, figures: Figures) -> str:
    return f"{figures.mean_plies[level]:.2f}" if level in figures.mean_plies else NONE


def _skill(pair: tuple[str, str], figures: Figures) -> str:
    return percent(figures.skill.get(pair))


def _mean_plies(figures: Figures) -> str:
    mean = figures.perfect.mean_plies if figures.perfect else None
    return NONE if mean is None else f"{mean:.2f}"


def _steps(figures: Figures) -> list[tuple[str, str]]:
    """Each level and the one below it, then the strongest and the weakest."""
    levels = list(figures.first_mover)
    steps = list(zip(levels[1:], levels, strict=False))
    return [*steps, (levels[-1], levels[0])] if len(levels) > 2 else steps


def report(studied: Sequence[Figures], plan: Plan, command: str) -> list[Part]:
    """The whole report."""
    return list(_report(studied, plan, command))


def _report(studied: Sequence[Figures], plan: Plan, command: str) -> Iterator[Part]:
    game = studied[0].variant.played
    names = ", ".join(each.variant.name for each in studied)
    yield Heading(1, f"{game.title}: {names}")
    yield Paragraph("Made by this command. It makes the same page on every machine.")
    yield Command(command)
    yield Heading(2, "At a glance")
    yield Paragraph("Intervals hold the true value 95 times in 100.")
    yield glance(studied)
    yield from _perfect_play(studied)
    yield from _decisions(studied)
    yield from _bots(studied)
    yield from _method(studied, plan)


def _perfect_play(studied: Sequence[Figures]) -> Iterator[Part]:
    yield Heading(2, "Perfect play")
    for each in studied:
        if not each.perfect:
            yield Paragraph(f"{each.variant.name}: not solved, for {each.too_large}")
    solved = [each for each in studied if each.perfect]
    if not solved:
        return
    yield Picture(SHARES, "Who wins if both play perfectly, as a share of boards")
    for each in solved:
        assert each.perfect
        plies = {name: counts for name, counts in each.perfect.plies.items() if counts}
        lengths = sorted(set().union(*plies.values()))
        if not has_lengths(each):
            continue
        yield Heading(3, f"Length: {each.variant.name}")
        yield Picture(lengths_file(each), "How many plies a game takes if both play perfectly")
        rows = [
            [str(length), *(f"{counts.get(length, 0):,}" for counts in plies.values())]
            for length in lengths
        ]
        yield Table(["plies", *(OUTCOMES[name] for name in plies)], rows)


def _decisions(studied: Sequence[Figures]) -> Iterator[Part]:
    if not any(each.matters for each in studied):
        return
    yield Heading(2, "Where a move matters")
    yield Paragraph(
        "A move matters in a position if some legal move there is worth less than the best one. "
        "Positions are taken from games between two random bots, and between two casual ones."
    )
    yield Picture(MATTERS, "The share of positions in which a move matters, by ply")
    yield Table(
        ["", *(each.variant.name for each in studied)],
        [
            [f"{level} games", *(percent(each.matters.get(level)) for each in studied)]
            for level in dict.fromkeys(level for each in studied for level in each.matters)
        ],
    )


def _bots(studied: Sequence[Figures]) -> Iterator[Part]:
    yield Heading(2, "Bots, from each side")
    yield Paragraph(
        "Player 1's share of the points; a draw and a stopped game are half a point. The row is "
        "Player 1, the column Player 2. From left to right Player 2 becomes stronger."
    )
    yield Picture(SIDES, "Player 1's share of the points between equal bots, by level")
    for each in studied:
        levels = list(each.first_mover)
        if len(studied) > 1:
            yield Heading(3, each.variant.name)
        yield Table(
            ["Player 1", *levels],
            [
                [one, *(percent(each.share_as_player_1(one, two)) for two in levels)]
                for one in levels
            ],
        )
        stopped = [contest.stopped for contest in each.contests.values()]
        if any(stopped):
            yield Paragraph(
                f"Games that were stopped after 200 plies: {fmean(stopped):.1%} of all, at most "
                f"{max(stopped):.1%} between any two levels."
            )
    yield Heading(2, "What skill is worth")
    yield Paragraph(
        "The share of the points that the stronger bot takes. Each board is played twice, with "
        "sides swapped, so that moving first helps both alike: 50 % is no better."
    )
    for each in studied:
        if len(studied) > 1:
            yield Heading(3, each.variant.name)
        levels = list(each.first_mover)
        rows = [
            [one, *(percent(each.skill.get((one, two))) for two in levels[:-1])]
            for one in levels[1:]
        ]
        yield Table(["stronger", *(f"against {level}" for level in levels[:-1])], rows)


def _method(studied: Sequence[Figures], plan: Plan) -> Iterator[Part]:
    yield Heading(2, "How it was measured")
    if any(each.perfect for each in studied):
        yield Paragraph(
            "Boards are dealt uniformly and solved exactly; plies are counted to the end if the "
            "winner hurries and the loser delays. Shares have Wilson's interval."
        )
    yield Paragraph(
        f"Between two levels of bots, {plan.pairs:,} boards are played, on which somebody has a "
        "move. The same boards are used for all levels, and for all variants of one size and one "
        "range of numbers."
    )
    if any(each.matters for each in studied):
        yield Paragraph(
            f"Positions come from {plan.games:,} games for each of the two kinds of bots, at most "
            "16 from each, evenly spread. Positions of one game are not independent; the interval "
            "takes a game as the unit."
        )
    yield Paragraph(f"Seed {plan.seed}. rows.parquet has every board and every game.")
