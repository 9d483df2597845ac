"""`gridwise ugi-check`: whether an engine speaks UGI as it should."""

from __future__ import annotations

import json as json_text
from contextlib import closing
from typing import Annotated

import typer

from gridwise.cli.arguments import GameArgument, JsonOption, number_option
from gridwise.core.registry import game as game_named
from gridwise.engine.ugi import reaper
from gridwise.engine.ugi.compliance import CHECKS, PATIENCE, Check, Report, Status, check_engine
from gridwise.errors import printable
from gridwise.show.progress import Progress

COMMAND = typer.Argument(metavar="COMMAND", help="How the engine is started, in quotes.")
PATIENCE_OPTION = number_option(
    "--patience", "Seconds to wait for an answer.", "a number of seconds", float, 0, 3600
)
MARKS = {Status.PASSED: "ok", Status.FAILED: "FAILED", Status.SKIPPED: "-"}


def ugi_check(
    command: Annotated[str, COMMAND],
    game: GameArgument,
    patience: Annotated[float, PATIENCE_OPTION] = PATIENCE,
    json: JsonOption = False,
) -> None:
    """Print what was checked, and for what failed what was sent, expected and heard."""
    played = game_named(game)
    reaper.start()
    try:
        with closing(Progress("Checks", len(CHECKS))) as line:
            report = check_engine(command, played, patience, line)
    finally:
        reaper.stop()
    print(json_text.dumps(report.to_json()) if json else "\n".join(_lines(report)))
    if not report.ok:
        raise typer.Exit(1)


def _lines(report: Report) -> list[str]:
    lines = []
    if report.name:
        lines.append(printable(f"{report.name}, by {report.author or 'unknown'}", 200))
    for check in report.checks:
        lines.append(f"{MARKS[check.status]:7} {check.name:13} {check.about}")
        if check.status is Status.FAILED:
            lines += _details(check)
    counts = ", ".join(f"{report.count(status)} {status}" for status in Status)
    return [*lines, counts]


def _details(check: Check) -> list[str]:
    said = [("sent", line) for line in check.sent]
    said.append(("expected", check.expected))
    said += [("got", line) for line in check.got or ["nothing"]]
    return [f"        {what:9} {printable(line, 200)}" for what, line in said]
