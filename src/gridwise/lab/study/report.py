"""The report of a study: what its tables, sentences and pictures say, and its files.

Nothing in it depends on when, where and on how many machines it was made: the same command makes
the same page.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, log10
from pathlib import Path
from statistics import fmean
from typing import Any

from gridwise.engine.bots import LEVELS
from gridwise.lab.report.charts import (
    GREY,
    Line,
    as_svg,
    check_charts,
    draw_bars,
    draw_intervals,
    draw_lines,
    new_figure,
)
from gridwise.lab.report.document import (
    CommandLine,
    Heading,
    Paragraph,
    Part,
    Picture,
    Table,
    as_html,
    as_markdown,
    check_page,
)
from gridwise.lab.report.row_files import arrow
from gridwise.lab.statistics import Estimate
from gridwise.lab.study.blocks import (
    SAMPLED,
    Plan,
    board_block,
    board_tasks,
    contest_boards,
    contest_tasks,
)
from gridwise.lab.study.totals import OUTCOMES as WINNERS
from gridwise.lab.study.totals import Figures, Results
from gridwise.lab.study.variant import Variant
from gridwise.play.records import write_file

OUTCOMES = {
    "p1": "Player 1 wins",
    "p2": "Player 2 wins",
    "draw": "drawn",
    "endless": "endless: neither can force a win",
}
NONE = "-"
SHARES, MATTERS, SIDES = "shares.svg", "matters.svg", "first_mover.svg"
NAMES = {"p1": "Player 1", "p2": "Player 2", "draw": "draw", "endless": "endless"}
BAR_COLOURS = ("#0072b2", "#d55e00", GREY, "#c9c9ce")  # of NAMES
LEAST_POSITIONS = 30  # a share of fewer is not drawn


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
    """The table that compares variants side by side; rows that say nothing are left out."""
    solved = [each.perfect for each in studied if each.perfect]
    outcomes = [name for name in OUTCOMES if any(perfect.shares[name].value for perfect in solved)]
    at_once = any(perfect.at_once.value for perfect in solved)
    steps = dict.fromkeys(pair for each in studied for pair in _steps(each))
    columns = [dict(_glance_cells(each, outcomes, steps, at_once=at_once)) for each in studied]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    shown = [row for row in rows if any(text != NONE for text in row[1:])]
    return Table(["", *(each.variant.name for each in studied)], shown)


def _glance_cells(
    figures: Figures,
    outcomes: Iterable[str],
    steps: Iterable[tuple[str, str]],
    *,
    at_once: bool,
) -> Iterator[tuple[str, str]]:
    """What a variant has in each row."""
    perfect = figures.perfect
    yield "boards solved", f"{perfect.boards:,}" if perfect else NONE
    for name in outcomes:
        share = perfect.shares[name] if perfect else None
        yield f"perfect play: {OUTCOMES[name]}", percent(share)
    if at_once:
        yield "over before the first move", percent(perfect.at_once if perfect else None)
    yield "mean length, perfect play (plies)", _mean(perfect.mean_plies if perfect else None)
    for level in SAMPLED:
        yield f"a move matters, {level} games", percent(figures.matters.get(level))
    for level in LEVELS:
        score = percent(figures.first_mover.get(level))
        yield f"{level} against {level}: Player 1 scores", score
    for level in LEVELS:
        length = _mean(figures.mean_plies.get(level))
        yield f"mean length, {level} against {level} (plies)", length
    for pair in steps:
        yield f"{pair[0]} scores against {pair[1]}", percent(figures.skill.get(pair))


def _mean(plies: float | None) -> str:
    return NONE if plies is None else f"{plies:.2f}"


def _steps(figures: Figures) -> list[tuple[str, str]]:
    """Each level and the one below it, then the strongest and the weakest."""
    levels = list(figures.first_mover)
    steps = list(zip(levels[1:], levels, strict=False))
    return [*steps, (levels[-1], levels[0])] if len(levels) > 2 else steps


def report(studied: Sequence[Figures], plan: Plan, command: str) -> Iterator[Part]:
    """The whole report."""
    game = studied[0].variant.played
    names = ", ".join(each.variant.name for each in studied)
    yield Heading(1, f"{game.title}: {names}")
    yield Paragraph("Made by this command. It makes the same page on every machine.")
    yield CommandLine(command)
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


# Pictures


def lengths_file(figures: Figures) -> str:
    """The name of the picture of a variant's lengths."""
    return f"lengths-{figures.variant.key}.svg"


def has_lengths(figures: Figures) -> bool:
    """Whether games of a variant have different lengths."""
    perfect = figures.perfect
    return bool(perfect) and len(set().union(*perfect.plies.values())) > 1  # type: ignore[union-attr]


def draw_all(studied: Sequence[Figures]) -> dict[str, bytes]:
    """All pictures of a report, by the names of their files."""
    pictures = {SIDES: _draw_sides(studied)}
    if any(each.perfect for each in studied):
        pictures[SHARES] = _draw_shares([each for each in studied if each.perfect])
    if any(each.matters for each in studied):
        pictures[MATTERS] = _draw_matters(studied)
    for each in studied:
        if has_lengths(each):
            pictures[lengths_file(each)] = _draw_lengths(each)
    return pictures


def _draw_shares(studied: Sequence[Figures]) -> bytes:
    figure, (panel,) = new_figure(1.2 + 0.45 * len(studied))
    shares = {
        about: [each.perfect.shares[name].value if each.perfect else 0.0 for each in studied]
        for name, about in NAMES.items()
    }
    draw_bars(panel, range(len(studied)), shares, BAR_COLOURS)
    panel.set_yticks(range(len(studied)), [each.variant.name for each in studied])
    panel.invert_yaxis()
    panel.set_xlim(0, 1)
    panel.axvline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    panel.set_xlabel("share of boards")
    return as_svg(figure)


def _draw_lengths(figures: Figures) -> bytes:
    assert figures.perfect
    plies, boards = figures.perfect.plies, figures.perfect.boards
    lengths = sorted(set().union(*plies.values()))
    figure, (panel,) = new_figure(3)
    parts = {
        f"{NAMES[name]} wins": [counts.get(length, 0) / boards for length in lengths]
        for name, counts in plies.items()
    }
    draw_bars(panel, lengths, parts, BAR_COLOURS, upright=True)
    panel.set_xlabel("plies to the end")
    panel.set_ylabel("share of boards")
    panel.xaxis.get_major_locator().set_params(integer=True)
    return as_svg(figure)


def _draw_matters(studied: Sequence[Figures]) -> bytes:
    figure, (panel,) = new_figure(3 + 0.3 * len(studied))
    lines = []
    for number, each in enumerate(studied):
        for level, style in (("random", ":"), ("casual", "-")):
            counts = each.matters_by_ply.get(level, {})
            shown = {ply: k / n for ply, (n, k) in counts.items() if n >= LEAST_POSITIONS}
            label = f"{each.variant.name}, {level} games"
            lines.append(Line(label, shown, f"C{number}", style))
    draw_lines(panel, lines, "ply", "share of positions")
    panel.set_ylim(0, 1)
    return as_svg(figure)


def _draw_sides(studied: Sequence[Figures]) -> bytes:
    figure, (panel,) = new_figure(3 + 0.15 * len(studied))
    lines = [
        Line(each.variant.name if len(studied) > 1 else "", each.first_mover) for each in studied
    ]
    draw_lines(panel, lines, "two bots of the same level", "Player 1's share of points")
    panel.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    panel.set_ylim(0, 1)
    return as_svg(figure)


def intervals_picture(
    names: Sequence[str],
    measures: dict[str, list[Estimate | None]],
    label: str,
    middle: float | None = None,
) -> bytes:
    """Figures with their intervals, a row for each name."""
    figure, (panel,) = new_figure(1.2 + 0.35 * len(names))
    draw_intervals(panel, names, measures, label, middle)
    return as_svg(figure)


# Files


def check_extras() -> None:
    """Raise BadRequest if what writes the report is not installed, before hours of work."""
    arrow()
    check_charts()
    check_page()


def write_report(
    folder: Path, studied: Sequence[Figures], plan: Plan, command: str, results: Results
) -> None:
    """Write report.md, report.html, the pictures and rows.parquet; raises GridwiseError."""
    write_parts(folder, list(report(studied, plan, command)), draw_all(studied))
    write_rows(folder, studied, plan, results)


def write_parts(folder: Path, parts: Sequence[Part], pictures: dict[str, bytes]) -> None:
    """Write a report as Markdown and as HTML, and its pictures."""
    for name, content in pictures.items():
        write_file(folder / name, content)
    write_file(folder / "report.md", as_markdown(parts).encode())
    write_file(folder / "report.html", as_html(parts, pictures).encode())


def write_rows(folder: Path, studied: Sequence[Figures], plan: Plan, results: Results) -> None:
    """Write rows.parquet: a row for each board that was solved, and for each game between bots."""
    pa = arrow()
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415 - as in `arrow`

    text, small = pa.dictionary(pa.int32(), pa.string()), pa.int16()
    schema = pa.schema(
        [
            ("variant", text),
            ("board", pa.string()),
            ("p1", text),  # "perfect" where a board was solved
            ("p2", text),
            ("result", text),  # p1, p2, draw, endless; a game that was stopped is unfinished
            ("plies", small),  # of a solved board; null where it is endless, and for games
            ("solved", pa.bool_()),
        ]
    )
    content = io.BytesIO()
    with ParquetWriter(content, schema) as writer:
        for figures in studied:
            for columns in _columns(figures, plan, results):
                writer.write_table(pa.table(columns, schema=schema))
    write_file(folder / "rows.parquet", content.getvalue())


def _columns(figures: Figures, plan: Plan, results: Results) -> Iterator[dict[str, Any]]:
    """The columns of each block. Boards are dealt again: they follow from the seed."""
    variant = figures.variant
    for task in board_tasks(variant, plan) if figures.perfect else ():
        block, count = task.arguments["block"], task.arguments["count"]
        result: Any = results.get(task.key)
        boards = board_block(variant, plan.seed, block, count)
        names = [WINNERS[digit] for digit in result["winners"]]
        plies = [
            None if name == "endless" else length
            for name, length in zip(names, result["plies"], strict=True)
        ]
        yield _block_columns(variant, boards, ("perfect", "perfect"), names, plies)
    for one, two in figures.contests:
        for task in contest_tasks(variant, plan, (one, two)):
            block, count = task.arguments["block"], task.arguments["count"]
            boards = contest_boards(variant, plan.seed, block, count)
            result = results.get(task.key)
            for seated, games in zip(((one, two), (two, one)), result["games"], strict=False):
                names = [WINNERS[digit].replace("endless", "unfinished") for digit in games]
                yield _block_columns(variant, boards, seated, names, None)


def _block_columns(
    variant: Variant,
    boards: Any,  # noqa: ANN401 - an array, a row for each board
    levels: tuple[str, str],
    results: list[str],
    plies: list[int | None] | None,
) -> dict[str, Any]:
    count, cols, glyphs = len(results), variant.template.cols, variant.played.glyphs
    texts = ["".join(glyphs[value] for value in row) for row in boards.tolist()]
    size = variant.template.size
    starts = range(0, size, cols)
    return {
        "variant": [variant.name] * count,
        "board": ["/".join(text[at : at + cols] for at in starts) for text in texts],
        "p1": [levels[0]] * count,
        "p2": [levels[1]] * count,
        "result": results,
        "plies": plies or [None] * count,
        "solved": [plies is not None] * count,
    }
