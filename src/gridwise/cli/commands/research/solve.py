"""`gridwise solve`: boards in bulk, from a file to a file, going on where it stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from json import dumps, loads
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from gridwise.arena.grades.line_log import LineLog
from gridwise.arena.grades.table_files import (
    Row,
    check_format,
    is_parquet,
    json_lines_to_parquet,
    read_rows,
)
from gridwise.cli import signals
from gridwise.cli.arguments import GameArgument, JsonOption, TargetOption, number_option
from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.registry import game as game_named
from gridwise.errors import BadBoard, BadRequest, quoted
from gridwise.show.progress import Progress, notify_if_slow

CHUNK = 4_096  # boards that are solved before they are written: a fraction of a second
SOLVED = ("value", "endless", "distance", "action_value", "action_distance")  # of SolvedBoards
SAME = (
    "game",
    "board",
    "target",
    "handicap",
)  # what a row that is there already has in common with the board
BOARDS = typer.Option(
    metavar="FILE",
    help='A board a line, like 4152/6371/2845/9162; JSON Lines, {"board": "…"}; .parquet; or -.',
)
TO = typer.Option(
    metavar="FILE", help="Write to .jsonl or .parquet; what is there already is not solved again."
)
ACTIONS = "Whether to solve every move too."
THREADS = number_option(
    "--threads",
    "How many at once; all processors unless given.",
    "a whole number from 1 up",
    above=0,
)


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
    if to and any(_is_same(boards, file) for file in (to, _partial(to))):
        raise BadRequest(f"--boards and --to are the same file: {quoted(str(boards), 200)}.")
    # A pipe can be read only once.
    kept = None if boards.is_file() else list(read_rows(boards))

    def given() -> Iterator[_Given]:
        return _boards(played, read_rows(boards) if kept is None else kept, target)

    with notify_if_slow("(Reading the boards.)"):
        total = sum(1 for _ in given())
    solver = partial(_solved, played, actions=actions, threads=threads)
    with closing(Progress(f"Solving {played.title}", total)) as progress:
        if to is None:
            for done, lines in solver(given()):
                print(*lines, sep="\n", flush=True)
                progress(done)
            return
        if is_parquet(to):
            _write_parquet(to, solver, given(), progress, total, actions=actions)
        else:
            _write(to, solver, given(), progress, total, actions=actions)
    summary = {"game": played.key, "boards": total, "to": str(to)}
    print(dumps(summary) if json else f"Solved {total:,} boards: {to}")


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


def _solved(
    game: Game, given: Iterator[_Given], *, actions: bool, threads: int | None
) -> Iterator[tuple[int, list[str]]]:
    """The boards as lines of JSON with what they are worth, many at once, after how many."""
    done = 0
    while chunk := list(islice(given, CHUNK)):
        done += len(chunk)
        yield done, list(_solved_lines(game, chunk, actions=actions, threads=threads))


def _solved_lines(
    game: Game, chunk: list[_Given], *, actions: bool, threads: int | None
) -> Iterator[str]:
    import numpy as np  # noqa: PLC0415 - 0.1 s

    from gridwise.engine.exact.batch_solver import (  # noqa: PLC0415 - 0.5 s: numba
        BoardTooLarge,
        solve_boards,
    )

    found: list[Row] = [{} for _ in chunk]
    alike: dict[tuple[int, int, int, int], list[int]] = {}
    for number, (_, _, board) in enumerate(chunk):
        options = board.rows, board.cols, board.target, board.handicap
        alike.setdefault(options, []).append(number)
    for (rows, cols, target, handicap), numbers in alike.items():
        cells = np.array([chunk[number].board.cells for number in numbers])
        try:
            solved = solve_boards(
                *(game, cells.reshape(-1, rows, cols)),
                target=target,
                handicap=handicap,
                threads=threads,
                actions=actions,
            )
        except BoardTooLarge as error:
            line = chunk[numbers[error.number]].line
            raise BadRequest(f"Line {line}: {error.reason}") from None
        columns = {name: getattr(solved, name).tolist() for name in SOLVED}
        for place, number in enumerate(numbers):
            row = {name: column[place] for name, column in columns.items()}
            if not actions:
                del row["action_value"], row["action_distance"]
            found[number] = chunk[number].row | row
    yield from (dumps(row, default=str) for row in found)


# Writing


def _write(
    to: Path,
    solver: Callable[[Iterator[_Given]], Iterator[tuple[int, list[str]]]],
    given: Iterator[_Given],
    progress: Progress,
    total: int,
    *,
    actions: bool,
) -> None:
    """Append the boards that are not in the file yet."""
    with closing(LineLog(to)) as log:
        before = done = _skip_done(to, map(_row_of, log.lines()), given, actions=actions)
        if torn := log.torn_line():
            unsolved = next(given, None)
            if unsolved is None or not _begins_like(torn, unsolved.row):
                raise _of_others(to, done + 1, torn.decode(errors="replace"))
            given = chain([unsolved], given)
            log.drop_torn_line()
        try:
            for solved, lines in solver(given):
                log.add(*lines)
                done = before + solved
                progress(done)
        except BaseException:
            if signals.was_interrupted():
                progress.close()
                where = f"Stopped after {done:,} of {total:,} boards."
                print(f"{where} The same command goes on from there.", file=sys.stderr)
            raise


def _write_parquet(
    to: Path,
    solver: Callable[[Iterator[_Given]], Iterator[tuple[int, list[str]]]],
    given: Iterator[_Given],
    progress: Progress,
    total: int,
    *,
    actions: bool,
) -> None:
    """Write a file whole, by way of another that can be continued."""
    if to.exists():
        done = _skip_done(to, (row for _, row in read_rows(to)), given, actions=actions)
        if done < total:
            raise BadRequest(
                f"{quoted(str(to), 200)} is there already, with only {done:,} of {total:,} boards."
            )
        return
    lines = _partial(to)
    _write(lines, solver, given, progress, total, actions=actions)
    json_lines_to_parquet(lines, to)
    lines.unlink()


def _skip_done(
    path: Path, rows: Iterable[Row | str], given: Iterator[_Given], *, actions: bool
) -> int:
    """Pass over the boards that a file has already; how many. Raises BadRequest for others."""
    done = 0
    for done, row in enumerate(rows, 1):
        expected, found = next(given, None), row if isinstance(row, dict) else {}
        same = expected and all(found.get(name) == expected.row.get(name) for name in SAME)
        if not same or ("action_value" in found) != actions:
            shown = " ".join(str(found[name]) for name in SAME if name in found) or str(row)
            raise _of_others(path, done, shown)
    return done


def _of_others(path: Path, line: int, shown: str) -> BadRequest:
    return BadRequest(
        f"{quoted(str(path), 200)} is there already and is of other boards or options: "
        f"line {line} is {quoted(shown)}."
    )


def _begins_like(torn: bytes, row: Row) -> bool:
    """Whether a line that was cut short is that of a board; another's text is not to be cut off."""
    begin = dumps(row, default=str).encode().removesuffix(b"}")
    return torn.startswith(begin) or begin.startswith(torn)


def _partial(to: Path) -> Path:
    """The lines of a Parquet file that is not whole yet."""
    return to.with_name(f"{to.name}.partial.jsonl")


def _is_same(one: Path, two: Path) -> bool:
    return one.is_file() and two.is_file() and one.samefile(two)


def _row_of(line: bytes) -> Row | str:
    try:
        row = loads(line)
    except (ValueError, RecursionError):
        row = None
    return row if isinstance(row, dict) else line.decode(errors="replace")
