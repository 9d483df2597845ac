"""Tables in files: JSON Lines, or Parquet where the name ends in `.parquet`.

A file that is written is there whole or not at all. Parquet needs pyarrow: `gridwise[data]`.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from gridwise.errors import BadRequest, quoted
from gridwise.extras import require
from gridwise.play.records import write_file

FilePath: TypeAlias = str | os.PathLike[str]
Row: TypeAlias = dict[str, Any]

PARQUET = ".parquet"
OTHER_FORMATS = (".csv", ".tsv", ".xls", ".xlsx", ".arrow", ".feather")  # a name would mislead
STANDARD_INPUT = "-"


def is_parquet(path: FilePath) -> bool:
    """Whether a file's name says Parquet."""
    return Path(path).suffix.casefold() == PARQUET


def arrow() -> Any:  # noqa: ANN401 - the module pyarrow, which need not be there
    """The package pyarrow; raises BadRequest where it is not installed."""
    require("data")
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s, and an extra

    return pa


def check_format(path: FilePath) -> None:
    """Raise BadRequest if rows cannot be written in the format that the file's name says."""
    if is_parquet(path):
        arrow()
    elif (suffix := Path(path).suffix).casefold() in OTHER_FORMATS:
        raise BadRequest(
            f"Rows are written to .jsonl or .parquet, not to {suffix}: {quoted(str(path), 200)}."
        )


def check_writable(path: FilePath) -> None:
    """Raise BadRequest if a file could not be written, before hours of work and not after."""
    if is_parquet(path):
        arrow()
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        why = "it is a folder" if target.is_dir() else f"there is no folder {target.parent}"
        raise BadRequest(f"Cannot write {quoted(str(path), 200)}: {why}.")


def write_rows(path: FilePath, rows: Sequence[Row]) -> None:
    """Write a table, in the format that the file's name says."""
    check_format(path)
    if not is_parquet(path):
        write_file(path, json_lines(rows).encode())
        return
    _write_parquet(path, arrow().Table.from_pylist(list(rows)))


def json_lines_to_parquet(source: FilePath, path: FilePath) -> None:
    """Write the rows of a file of JSON Lines to a Parquet file."""
    pa = arrow()
    from pyarrow.json import read_json  # noqa: PLC0415 - as above

    try:
        table = read_json(source) if Path(source).stat().st_size else pa.table({})
    except pa.ArrowInvalid as error:
        why = f"the rows of {quoted(str(source), 200)} are not alike: {error}"
        raise BadRequest(f"Cannot write {quoted(str(path), 200)}, {why}") from None
    _write_parquet(path, table)


def _write_parquet(path: FilePath, table: Any) -> None:  # noqa: ANN401 - a Table of pyarrow
    from pyarrow.parquet import write_table  # noqa: PLC0415 - as above

    content = io.BytesIO()
    write_table(table, content)
    write_file(path, content.getvalue())


def json_lines(rows: Iterable[Row]) -> str:
    """Rows as JSON Lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def read_rows(path: FilePath) -> Iterator[tuple[int, Row | str]]:
    """The rows of a file, each with its number from 1; a line that is no JSON object as text.

    Empty lines are left out; `-` is standard input. Raises BadRequest if it cannot be read.
    """
    try:
        if is_parquet(path):
            yield from _read_parquet(path)
            return
        source, ours = (0, False) if str(path) == STANDARD_INPUT else (path, True)
        with open(source, encoding="utf-8-sig", errors="replace", closefd=ours) as file:
            for number, line in enumerate(file, 1):
                if text := line.strip():
                    yield number, _read_line(text)
    except OSError as error:
        why = error.strerror or error
        raise BadRequest(f"Cannot read {quoted(str(path), 200)}: {why}.") from None


def _read_parquet(path: FilePath) -> Iterator[tuple[int, Row | str]]:
    pa = arrow()
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - as above

    number = 0
    try:
        for batch in ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except pa.ArrowInvalid as error:
        raise BadRequest(f"{quoted(str(path), 200)} is no Parquet file: {error}") from None


def _read_line(text: str) -> Row | str:
    if text.startswith("{"):
        try:
            row: Row = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return row
    return text
