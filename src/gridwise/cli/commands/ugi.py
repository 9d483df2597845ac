"""`gridwise ugi`: an engine session on standard input and output, or a check of another engine.

Whatever comes in, odd bytes and endless lines included, is a line for the session or a complaint.
Each line that goes out is flushed. The end of the input is the same as `quit`.
"""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from gridwise import __version__
from gridwise.cli.arguments import GameArgument, JsonOption, complete_level, finite_option
from gridwise.cli.console import print_json, read_line
from gridwise.cli.signals import READER_GONE, forget_output
from gridwise.core.registry import game as game_named
from gridwise.engine.ugi.protocol import BEST, Session
from gridwise.errors import printable

if TYPE_CHECKING:
    from gridwise.engine.ugi.compliance import Check, ComplianceReport

CHECK = "Check the engine behind this command instead, in quotes."
PATIENCE = finite_option("With --check: seconds for an answer.", 0.01, 3600)
PARTS = {"Needed to play": True, "Good manners": False}
STATUS_MARKS = {"passed": "ok", "failed": "FAILED", "skipped": "-"}
LEVEL = "How strong it plays; perfect is the best."
MAX_LINE_BYTES = 1 << 16  # ten thousand moves


def ugi(
    game: GameArgument,
    level: Annotated[
        str, typer.Option(metavar="LEVEL", help=LEVEL, autocompletion=complete_level)
    ] = BEST,
    check: Annotated[str | None, typer.Option(metavar="COMMAND", help=CHECK)] = None,
    patience: Annotated[float, PATIENCE] = 4.0,
    json: JsonOption = False,
) -> None:
    """Answer until `quit` or the end of the input; or say how another engine does."""
    if check is not None:
        _print_check(check, game, patience, json=json)
        return
    failures: list[OSError] = []  # also of other threads

    def emit(line: str) -> None:
        if not failures:
            try:
                print(line, flush=True)
            except OSError as error:
                failures.append(error)

    session = Session(game_named(game), emit, level=level, name=f"Gridwise {__version__}")
    with closing(session):
        while not failures and (line := read_line(sys.stdin.buffer, MAX_LINE_BYTES + 1)):
            if len(line) > MAX_LINE_BYTES:
                session.complain(f"A line of more than {MAX_LINE_BYTES} bytes was ignored.")
            elif not session.receive(line.decode("utf-8", errors="replace")):
                break
    if not failures:
        return
    if not isinstance(failures[0], BrokenPipeError):
        raise failures[0]
    # Nobody listens any more. Typer would make a status of its own of it.
    forget_output()
    raise typer.Exit(READER_GONE)


def _print_check(command: str, game: str, patience: float, *, json: bool) -> None:
    """Print what was checked, and for what failed what was sent, expected and heard."""
    from gridwise.engine.ugi.compliance import CHECKS, check_engine  # noqa: PLC0415 - only for this
    from gridwise.show.progress import Progress  # noqa: PLC0415 - as above

    played = game_named(game)
    with closing(Progress("Checks", len(CHECKS))) as line:
        report = check_engine(command, played, patience, line)
    if json:
        print_json(report.to_json())
    else:
        print(*_lines(report), sep="\n")
    if not report.can_play:
        raise typer.Exit(1)


def _lines(report: ComplianceReport) -> list[str]:
    lines = []
    if report.name:
        lines.append(printable(f"{report.name}, by {report.author or 'unknown'}", 200))
    for title, needed in PARTS.items():
        checks = report.part(needed=needed)
        outcomes = [str(check.status) for check in checks]
        counts = ", ".join(f"{outcomes.count(status)} {status}" for status in STATUS_MARKS)
        lines.append(f"{title}: {STATUS_MARKS[report.verdict(needed=needed)]} ({counts})")
        for check in checks:
            lines.append(f"  {STATUS_MARKS[check.status]:7} {check.name:13} {check.about}")
            if check.status == "failed":
                lines += _details(check)
    return lines


def _details(check: Check) -> list[str]:
    said = [("sent", line) for line in check.sent]
    said.append(("expected", check.expected))
    said += [("got", line) for line in check.got or ["nothing"]]
    return [f"          {what:9} {printable(line, 200)}" for what, line in said]
