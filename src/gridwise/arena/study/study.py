"""A study from the beginning to the files of its report."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gridwise.arena.executors import Executor, ResultFolder, run_tasks
from gridwise.arena.grades.table_files import arrow
from gridwise.arena.study.document import Part, as_html, as_markdown
from gridwise.arena.study.even import Candidate, even_figures, even_picture, even_report
from gridwise.arena.study.figures import OUTCOMES, Figures, Results, figures_of
from gridwise.arena.study.opening_page import opening_picture, opening_report
from gridwise.arena.study.openings import OpeningBook, opening_rows
from gridwise.arena.study.page import report
from gridwise.arena.study.plan import Plan, all_tasks, board_tasks, contest_tasks
from gridwise.arena.study.plots import draw_all, figure_class
from gridwise.arena.study.variant import Variant
from gridwise.play.records import write_file

Progress = Callable[[int], None]


def check_extras() -> None:
    """Raise BadRequest if what writes the report is not installed, before hours of work."""
    arrow()
    figure_class()


def run_study(
    variants: Sequence[Variant],
    plan: Plan,
    executor: Executor,
    results: ResultFolder,
    progress: Progress | None = None,
) -> tuple[list[Figures], Results]:
    """The figures of each variant, and what they were made from."""
    tasks = [task for variant in variants for task in all_tasks(variant, plan)]
    found = {task.key: result for task, result in run_tasks(tasks, executor, results, progress)}
    return [figures_of(variant, plan, found) for variant in variants], found


def count_tasks(variants: Sequence[Variant], plan: Plan) -> int:
    """How many tasks that will be."""
    return sum(len(all_tasks(variant, plan)) for variant in variants)


def write_report(
    folder: Path, studied: Sequence[Figures], plan: Plan, command: str, found: Results
) -> None:
    """Write report.md, report.html, the pictures and rows.parquet; raises GridwiseError."""
    write_parts(folder, report(studied, plan, command), draw_all(studied))
    write_rows(folder, _parquet(studied, plan, found))


def write_parts(folder: Path, parts: Sequence[Part], pictures: dict[str, bytes]) -> None:
    """Write a report as Markdown and as HTML, and its pictures."""
    for name, content in pictures.items():
        write_file(folder / name, content)
    write_file(folder / "report.md", as_markdown(parts).encode())
    write_file(folder / "report.html", as_html(parts, pictures).encode())


def write_even(
    folder: Path,
    variant: Variant,
    found: Sequence[Candidate],
    plan: Plan,
    command: str,
    results: ResultFolder,
) -> None:
    """Write the report of a search for an even game, its picture and rows.parquet."""
    write_parts(folder, even_report(variant, found, command), even_picture(found))
    studied, kept = even_figures(found, plan, results)
    write_rows(folder, _parquet(studied, plan, kept))


def write_openings(
    folder: Path,
    variant: Variant,
    book: OpeningBook,
    plan: Plan,
    command: str,
    results: ResultFolder,
) -> None:
    """Write the report of an opening book, its picture and rows.parquet."""
    write_parts(folder, opening_report(variant, book, command), opening_picture(book))
    rows = arrow().table(opening_rows(variant, plan.seed, plan.boards, results))
    from pyarrow.parquet import write_table  # noqa: PLC0415 - as in `arrow`

    content = io.BytesIO()
    write_table(rows, content)
    write_rows(folder, content.getvalue())


def write_rows(folder: Path, content: bytes) -> None:
    """Write rows.parquet."""
    write_file(folder / "rows.parquet", content)


def _parquet(studied: Sequence[Figures], plan: Plan, found: Results) -> bytes:
    """A row for each board that was solved, and for each game between bots."""
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
            for columns in _columns(figures, plan, found):
                writer.write_table(pa.table(columns, schema=schema))
    return content.getvalue()


def _columns(figures: Figures, plan: Plan, found: Results) -> Iterator[dict[str, Any]]:
    """The columns of each block. Boards are dealt again: they follow from the seed."""
    from gridwise.arena.study.batch_games import playable_boards  # noqa: PLC0415 - imports numba
    from gridwise.arena.study.sampling import board_block, games_seed  # noqa: PLC0415 - the same

    variant = figures.variant
    for task in board_tasks(variant, plan) if figures.perfect else ():
        block, count = int(str(task.arguments["block"])), int(str(task.arguments["boards"]))
        result = found[task.key]
        boards = board_block(variant, plan.seed, block, count)
        names = [OUTCOMES[digit] for digit in result["winners"]]
        plies = [
            None if name == "endless" else length
            for name, length in zip(names, result["plies"], strict=True)
        ]
        yield _block_columns(variant, boards, ("perfect", "perfect"), names, plies)
    for one, two in figures.contests:
        for task in contest_tasks(variant, plan, (one, two)):
            block, count = int(str(task.arguments["block"])), int(str(task.arguments["pairs"]))
            boards = playable_boards(variant, count, games_seed(plan.seed, block))
            for seated, games in zip(
                ((one, two), (two, one)), found[task.key]["games"], strict=False
            ):
                names = [OUTCOMES[digit].replace("endless", "unfinished") for digit in games]
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
