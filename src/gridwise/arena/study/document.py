"""A report as data: headings, paragraphs, tables and pictures; as Markdown, HTML or plain text."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple, TypeAlias

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #1d1d1f; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #d0d0d5; padding: 0.3rem 0.8rem; text-align: left; }
td { font-variant-numeric: tabular-nums; }
img { max-width: 100%; height: auto; background: #fff; }
code { background: #f2f2f4; padding: 0.1rem 0.3rem; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { color: #e8e8ea; background: #1c1c1e; } th, td { border-color: #48484c; }
  code { background: #2c2c2e; } }
"""


class Heading(NamedTuple):
    """A heading; level 1 is the title."""

    level: int
    text: str


class Paragraph(NamedTuple):
    """A paragraph of plain text."""

    text: str


class Command(NamedTuple):
    """A command line."""

    text: str


class Table(NamedTuple):
    """A table; the first column names the rows."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Picture(NamedTuple):
    """A picture in a file beside the report."""

    file: str
    about: str


Part: TypeAlias = Heading | Paragraph | Command | Table | Picture


def as_markdown(parts: Sequence[Part]) -> str:
    """The report as Markdown; pictures are linked."""
    return "\n\n".join(map(_markdown, parts)) + "\n"


def _markdown(part: Part) -> str:
    match part:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Command(text):
            return f"```sh\n{text}\n```"
        case Table(head, rows):
            lines = [head, ["---"] * len(head), *rows]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)
        case Picture(file, about):
            return f"![{about}]({file})"


def as_html(parts: Sequence[Part], pictures: Mapping[str, bytes]) -> str:
    """The report as one HTML file that needs no other: pictures are inside."""
    title = next((part.text for part in parts if isinstance(part, Heading)), "Report")
    body = "\n".join(_html(part, pictures) for part in parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _html(part: Part, pictures: Mapping[str, bytes]) -> str:
    match part:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Command(text):
            return f"<p><code>{escape(text)}</code></p>"
        case Table(head, rows):
            top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
            body = "\n".join(_html_row(row) for row in rows)
            return f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        case Picture(file, about):
            data = base64.b64encode(pictures[file]).decode()
            return f'<p><img src="data:image/svg+xml;base64,{data}" alt="{escape(about)}"></p>'


def _html_row(row: Sequence[str]) -> str:
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
    return f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>'


def as_text(table: Table) -> str:
    """A table for a terminal."""
    lines = [table.head, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
