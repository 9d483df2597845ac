"""`gridwise grade`: how good a player, or a file of answers, is, measured against exact play."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.cli import signals
from gridwise.cli.arguments import (
    CLUSTER,
    PLOT,
    PROGRAMS,
    SEED,
    WORKERS,
    BoardOption,
    BoardsFromOption,
    HandicapOption,
    JsonOption,
    OptionalGameArgument,
    ProgramDealOption,
    SizeOption,
    TargetOption,
    board_options,
    check_outputs,
    complete_player,
    whole_option,
)
from gridwise.cli.console import wrapped
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, MoveError, quoted
from gridwise.lab.grading.exploitability import exploitability
from gridwise.lab.grading.grade import OPPONENT
from gridwise.lab.grading.grade import compare as compare_players
from gridwise.lab.grading.grade import grade as graded
from gridwise.lab.grading.report import suite_report
from gridwise.lab.report.row_files import check_format, read_rows
from gridwise.lab.run import open_executor
from gridwise.lab.suites import PARTS, SuiteRow
from gridwise.lab.suites import suite as suite_of
from gridwise.play.boards import DEALS
from gridwise.players.batch_player import NO_ACTION
from gridwise.show.progress import notify_if_slow

PLAYER = typer.Argument(
    metavar="PLAYER", help=f"Who is graded: {PROGRAMS}.", autocompletion=complete_player
)
GAMES = whole_option("How many games; each board is played twice.")
SUITE = typer.Option(metavar="PART", help="Answer a suite instead: train or test.")
ANSWERS = typer.Option(
    metavar="FILE",
    help='Instead of a player, answers to the suite: JSON Lines like {"id": "…", "move": "…"}.',
)
AGAINST = typer.Option(
    metavar="WHO", help=f"The opponent: {PROGRAMS}.", autocompletion=complete_player
)
COMPARE = typer.Option(metavar="WHO", help="Grade this player too, on the same boards.")
ROWS = typer.Option(metavar="FILE", help="Write a row a move, to .jsonl or .parquet.")
HANGING = " " * 11
CHECKPOINT = "Keep every move in this file, and continue from it."
EXPLOIT = "Compute what the best opponent can gain from it, on the board of the seed."


def grade(
    player: Annotated[str, PLAYER],
    game: OptionalGameArgument = "",
    games: Annotated[int, GAMES] = 200,
    suite: Annotated[str, SUITE] = "",
    answers: Annotated[Path | None, ANSWERS] = None,
    against: Annotated[str, AGAINST] = OPPONENT,
    seed: Annotated[int, SEED] = 0,
    json: JsonOption = False,
    rows: Annotated[Path | None, ROWS] = None,
    plot: Annotated[Path | None, PLOT] = None,
    checkpoint: Annotated[Path | None, typer.Option(metavar="FILE", help=CHECKPOINT)] = None,
    compare: Annotated[str, COMPARE] = "",
    exploit: Annotated[bool, typer.Option("--exploitability", help=EXPLOIT)] = False,
    board: BoardOption = None,
    boards_from: BoardsFromOption = None,
    size: SizeOption = None,
    target: TargetOption = None,
    handicap: HandicapOption = False,
    deal: ProgramDealOption = DEALS[0],
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
) -> None:
    """Print how a player did, or how much better than another; or how good answers are."""
    if suite and suite not in PARTS:
        raise BadRequest(f"--suite takes {' or '.join(PARTS)}, not {quoted(suite)}.")
    if answers:
        if game:
            raise BadRequest("With --answers nobody plays: name the game alone.")
        _print_score(game_named(player), suite, answers, json=json)
        return
    if not game:
        raise BadRequest("Name a player and a game, like: gridwise grade casual connect")
    played = game_named(game)
    boards = board_options(board, boards_from, size, target, deal, handicap=handicap)
    if exploit:
        if boards_from or deal != DEALS[0]:
            raise BadRequest("--exploitability is of one board: give --board, or --size.")
        with notify_if_slow():
            exploited = exploitability(
                *(player, played, board), size=size, target=target, handicap=handicap, seed=seed
            )
        print(exploited.to_json() if json else exploited)
        return
    check_outputs(rows, plot=plot)
    if rows:
        check_format(rows)
    options: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "opponent": against,
        "suite": suite or None,
        "checkpoint": checkpoint,
        **boards,
    }
    with (
        signals.resume_hint(checkpoint, option="--checkpoint FILE"),
        open_executor(workers or 1, cluster) if workers or cluster else nullcontext() as executor,
    ):
        options["executor"] = executor  # None: this process alone
        compared = compare_players(player, compare, played, **options) if compare else None
        report = compared.one if compared else graded(player, played, **options)
    table = str(compared) if compared else report.table()
    result = compared or report
    # Before the files: if one cannot be written after all, the figures are not lost.
    print(result.to_json() if json else wrapped(table, HANGING), flush=True)
    if rows:
        report.write_rows(rows)
    if plot:
        report.plot(plot)


def _print_score(game: Game, part: str, answers: Path, *, json: bool) -> None:
    """Score a file of answers, all of them to rows of the suite; the rest is left out."""
    rows = suite_of(game)
    rows = rows.part(part) if part else rows
    by_id = {row.id: row for row in rows}
    actions: dict[str, int] = {}
    for number, answer in read_rows(answers):
        given = answer if isinstance(answer, dict) else {}
        row = by_id.get(str(given.get("id")))
        if row is None or "move" not in given:
            raise BadRequest(
                f'Line {number} of the answers is not {{"id": …, "move": …}} with the id of one of '
                f"these {len(rows):,} positions: {quoted(str(answer))}."
            )
        if row.id in actions:
            raise BadRequest(f"Line {number} answers {row.id} a second time.")
        actions[row.id] = _action(row, given["move"])
    if not actions:
        raise BadRequest(f"There is no answer in {quoted(str(answers), 200)}.")
    answered = rows.where(lambda row: row.id in actions)
    report = suite_report(answered, [actions[row.id] for row in answered], answers.name)
    if json:
        print(report.to_json())
        return
    print(wrapped(report.table(), HANGING))
    if len(answered) < len(rows):
        print(f"\nAnswered: {len(answered):,} of {len(rows):,} positions.")


def _action(row: SuiteRow, move: object) -> int:
    """The action that an answer means; NO_ACTION if it is no legal move."""
    try:
        if not isinstance(move, int | str) or isinstance(move, bool):
            return NO_ACTION
        return row.position.read(move)
    except MoveError:
        return NO_ACTION
