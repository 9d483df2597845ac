"""`gridwise solve`: boards in bulk, from a file to a file, going on where it stopped.

What is solved is kept beside the new file, in a ResultStore, until all of it is done and written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import groupby, islice
from json import dumps
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from gridwise.cli import signals
from gridwise.cli.arguments import GameArgument, JsonOption, TargetOption, whole_option
from gridwise.cli.console import print_json
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.errors import BadBoard, BadRequest, quoted
from gridwise.lab.report.row_files import (
    Row,
    check_format,
    is_parquet,
    json_lines_to_parquet,
    read_rows,
)
from gridwise.lab.store import JSON, ResultStore
from gridwise.show.progress import Progress, notify_if_slow

CHUNK = 4_096  # boards that are solved before they are written: a fraction of a second
SOLVED = ("value", "endless", "distance", "action_value", "action_distance")  # of SolvedBoards
# What a row that is there already has in common with the board.
SAME = ("game", "board", "target", "handicap")
BOARDS = typer.Option(
    metavar="FILE",
    help='A board a line, like 4152/6371/2845/9162; JSON Lines, {"board": "…"}; .parquet; or -.',
)
TO = typer.Option(
    metavar="FILE", help="Write to .jsonl or .parquet; a run that was stopped goes on."
)
ACTIONS = "Whether to solve every move too."
THREADS = whole_option("How many at once; all processors unless given.", 1)


class _Given(NamedTuple):
    """A board of the file."""

    line: int
    row: Row  # what stays with it
    board: Board


def solve(
    game: GameArgument,
    boards: Annotated[Path, BOARDS],
    to: Annotated[Path | None, TO] = None,
    target: TargetOption = None,
    actions: Annotated[bool, typer.Option("--actions/--no-actions", help=ACTIONS)] = True,
    threads: Annotated[int | None, THREADS] = None,
    json: JsonOption = False,
) -> None:
    """Solve each board of a file, in order, and print or write what it is worth.

    What is printed is JSON, an object a board; with --to, --json prints how many there are.
    """
    played = game_named(game)
    if played.has_hidden_cells:
        raise BadRequest(
            f"{played.title} has hidden cells: a board has a chance of winning, not a value. "
            "gridwise analyze estimates it."
        )
    if to:
        check_format(to)  # before hours of work, not after
    # A pipe can be read only once.
    piped = None if boards.is_file() else list(read_rows(boards))

    def given() -> Iterator[_Given]:
        return _boards(played, read_rows(boards) if piped is None else piped, target)

    identity = sha256()
    total = 0
    with notify_if_slow("(Reading the boards.)"):
        for total, each in enumerate(given(), 1):  # noqa: B007 - what counts is the last
            identity.update(dumps([each.row.get(name) for name in SAME]).encode())
    solver = partial(_solved_lines, played, actions=actions, threads=threads)
    with closing(Progress(f"Solving {played.title}", total)) as progress:
        if to is None:
            for done, chunk in _chunks(given()):
                print(*solver(chunk), sep="\n", flush=True)
                progress(done)
            return
        if to.exists():
            _check_done(to, given(), total, actions=actions)
        else:
            about = {"boards": identity.hexdigest(), "target": target, "actions": actions}
            _write(to, {"run": "solve", "game": played.key, **about}, solver, given(), progress)
    if json:
        print_json({"game": played.key, "boards": total, "to": str(to)})
    else:
        print(f"Solved {total:,} boards: {to}")


# Reading


def _boards(
    game: Game, rows: Iterable[tuple[int, Row | str]], target: int | None
) -> Iterator[_Given]:
    """The boards of the file; raises BadBoard or BadRequest with the number of the line."""
    for number, row in rows:
        given = row if isinstance(row, dict) else {"board": row}
        text = given.get("board")
        if not isinstance(text, str):
            raise BadRequest(f"Line {number} has no board: {quoted(str(row))}.")
        if given.get("moves"):
            raise BadRequest(
                f"Line {number} has moves, and only boards are solved, from the first move on. "
                "gridwise analyze --batch takes positions."
            )
        if given.get("game", game.key) != game.key:
            raise BadRequest(
                f"Line {number} is of {quoted(str(given['game']))}, not of {game.key}."
            )
        points = _number(given, "target", number) if target is None else target
        handicap = _number(given, "handicap", number) or 0
        try:
            board = game.parse_board(text, points, handicap)
        except BadBoard as error:
            raise BadBoard(f"Line {number}: {error}") from None
        stays = {name: value for name, value in given.items() if name not in SOLVED}
        stays |= {"game": game.key, "board": game.board_text(board)}
        if target is not None:
            stays["target"] = target
        yield _Given(number, stays, board)


def _number(row: Row, name: str, line: int) -> int | None:
    """A field of a row that is a whole number, or not there."""
    value = row.get(name)
    if value is not None and type(value) is not int:
        raise BadRequest(f"Line {line}: the {name} is a whole number, not {quoted(str(value))}.")
    return value


# Solving


def _chunks(given: Iterator[_Given]) -> Iterator[tuple[int, list[_Given]]]:
    """The boards, many at once, after how many there are with these."""
    done = 0
    while chunk := list(islice(given, CHUNK)):
        done += len(chunk)
        yield done, chunk


def _solved_lines(
    game: Game, chunk: list[_Given], *, actions: bool, threads: int | None
) -> list[str]:
    import numpy as np  # noqa: PLC0415 - 0.1 s

    from gridwise.engine.exact.batch_solver import (  # noqa: PLC0415 - 0.5 s: numba
        BoardTooLarge,
        solve_boards,
    )

    def kind(given: _Given) -> tuple[int, int, int, int]:
        board = given.board
        return board.rows, board.cols, board.target, board.handicap

    lines: dict[int, str] = {}
    for (rows, cols, target, handicap), group in groupby(sorted(chunk, key=kind), kind):
        alike = list(group)
        cells = np.array([given.board.cells for given in alike])
        try:
            solved = solve_boards(
                *(game, cells.reshape(-1, rows, cols)),
                target=target,
                handicap=handicap,
                threads=threads,
                actions=actions,
            )
        except BoardTooLarge as error:
            raise BadRequest(f"Line {alike[error.number].line}: {error.reason}") from None
        names = SOLVED if actions else SOLVED[:3]
        columns = [getattr(solved, name).tolist() for name in names]
        for given, *values in zip(alike, *columns, strict=True):
            row = given.row | dict(zip(names, values, strict=True))
            lines[given.line] = dumps(row, default=str)
    return [line for _, line in sorted(lines.items())]


# Writing


def _write(
    to: Path,
    about: dict[str, JSON],
    solver: Callable[[list[_Given]], list[str]],
    given: Iterator[_Given],
    progress: Progress,
) -> None:
    """Solve what an earlier run has not, which is kept beside the file; then write it whole."""
    partial_file, lines_file = (to.with_name(f"{to.name}.{end}") for end in ("partial", "new"))
    sizes: dict[str, int] = {}  # boards by key

    with ResultStore(partial_file, about) as stored:

        def stopped() -> str:
            progress.close()
            kept = sum(size for key, size in sizes.items() if key in stored)
            return f"Stopped after {kept:,} boards."

        with signals.resume_hint(partial_file, stopped):
            for done, chunk in _chunks(given):
                key = f"from line {chunk[0].line}"
                sizes[key] = len(chunk)
                if key not in stored:
                    stored.put(key, solver(chunk))
                progress(done)
        try:
            with open(lines_file, "w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for key in sizes for line in stored.get(key))
            if is_parquet(to):
                json_lines_to_parquet(lines_file, to)
            else:
                lines_file.replace(to)
        except OSError as error:
            raise BadRequest(f"Cannot write {quoted(str(to), 200)}: {error.strerror}.") from None
        finally:
            lines_file.unlink(missing_ok=True)
    partial_file.unlink()


def _check_done(to: Path, given: Iterator[_Given], total: int, *, actions: bool) -> None:
    """Raise BadRequest unless a file that is there has just these boards, solved."""
    if to.is_dir():
        raise BadRequest(f"Cannot write {quoted(str(to), 200)}: it is a folder.")
    rows = [row for _, row in read_rows(to)] if to.is_file() else []
    same = len(rows) == total and all(
        isinstance(row, dict)
        and ("action_value" in row) == actions
        and all(row.get(name) == each.row.get(name) for name in SAME)
        for row, each in zip(rows, given, strict=False)
    )
    if not same:
        raise BadRequest(
            f"{quoted(str(to), 200)} is there already and is of other boards or options."
        )
