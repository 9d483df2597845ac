"""Tables that a command makes, in pages that people write."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
END = "<!-- The end of the table. -->\n"


def begin_mark(command: str) -> str:
    """The line above a table, which names the command that makes it."""
    return f"<!-- Made by `python -m {command} --write`. -->\n"


def write_table(page: str, command: str, made: str) -> None:
    """Put what a command has made into a page of docs, in place of what it made before."""
    file = DOCS / page
    before, rest = file.read_text(encoding="utf-8").split(begin_mark(command))
    after = rest.split(END, 1)[1]
    file.write_text(f"{before}{begin_mark(command)}\n{made}\n{END}{after}", encoding="utf-8")
