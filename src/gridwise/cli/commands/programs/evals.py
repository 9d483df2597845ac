"""`gridwise evals report`: a leaderboard from the logs of evaluations."""

from __future__ import annotations

import json as json_text
import sys
from importlib import import_module
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import typer

from gridwise.arena.grades.table_files import check_writable
from gridwise.cli.arguments import JsonOption
from gridwise.cli.main import COMMANDS
from gridwise.errors import BadRequest, printable
from gridwise.play.records import write_file
from gridwise.show.progress import notify_if_slow

evals = typer.Typer(
    name="evals",
    help=COMMANDS["evals"].help,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=f"Example: {COMMANDS['evals'].example}",
)

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
    with notify_if_slow(READING):
        parts = _loaded()
        board = parts["leaderboard"].read_leaderboard(logs, reference=reference)
    for remark in board.remarks:
        print(f"gridwise: {printable(remark, 300)}", file=sys.stderr)
    if json:
        print(json_text.dumps(board.to_dict()))
    else:
        tables = parts["tables"]
        # A terminal has an edge; a file or a pipe has none.
        width = get_terminal_size().columns if sys.stdout.isatty() else None
        print(tables.as_markdown(board) if markdown else tables.as_text(board, width))
    if html:
        # After the figures: if the file cannot be written after all, they are not lost.
        sys.stdout.flush()
        write_file(html, parts["page"].as_html(board).encode())


def _loaded() -> dict[str, Any]:
    """The report's modules, by name: the ways in do not know each other, and this is an extra."""
    names = ("leaderboard", "tables", "page")
    try:
        import_module("inspect_ai.log")  # 1 s
        return {name: import_module(f"gridwise.evals.report.{name}") for name in names}
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "inspect_ai":
            raise BadRequest(
                "`gridwise evals` needs a few more packages: pip install 'gridwise[evals]'"
            ) from None
        raise
