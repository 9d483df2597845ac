"""`gridwise evals report`: a leaderboard from the logs of evaluations."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from gridwise.cli.arguments import JsonOption
from gridwise.cli.console import print_json
from gridwise.errors import BadRequest, printable
from gridwise.extras import require
from gridwise.lab.report.row_files import check_writable
from gridwise.play.records import write_file
from gridwise.show.progress import notify_if_slow

evals = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

LOGS = typer.Argument(metavar="LOGS…", help="Logs (.eval or .json), and folders of logs.")
READING = "(Reading logs.)"


@evals.callback()
def about() -> None:
    """Keep `report` a command of its own, though it is the only one."""


@evals.command("report", epilog="Example: gridwise evals report logs --html leaderboard.html")
def report(
    logs: Annotated[list[Path], LOGS],
    json: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one page with plots.")
    ] = None,
    reference: Annotated[
        bool, typer.Option("--reference/--no-reference", help="With the rows of our own bots.")
    ] = True,
) -> None:
    """A leaderboard: regret, best moves, scores, ratings, failures, each with its interval."""
    if json and markdown:
        raise BadRequest("Give --json or --markdown, not both.")
    if html:
        check_writable(html)
    require("evals", "inspect_ai")
    with notify_if_slow(READING):
        from gridwise.evals.report import page  # noqa: PLC0415 - 1 s, and an extra
        from gridwise.evals.report.leaderboard import read_leaderboard  # noqa: PLC0415

        board = read_leaderboard(logs, reference=reference)
    for remark in board.remarks:
        print(f"gridwise: {printable(remark, 300)}", file=sys.stderr)
    if json:
        print_json(board.to_dict())
    else:
        # A terminal has an edge; a file or a pipe has none.
        width = get_terminal_size().columns if sys.stdout.isatty() else None
        print(page.as_markdown(board) if markdown else page.as_text(board, width))
    if html:
        # After the figures: if the file cannot be written after all, they are not lost.
        sys.stdout.flush()
        write_file(html, page.as_html(board).encode())
