"""A report as data: headings, text, tables and pictures; as Markdown, as HTML, or for a terminal.

Whatever stands in a part is text: nothing in it is taken for markup. The page is one file that
loads nothing from elsewhere. It needs jinja2, an extra (`gridwise[plot]`), which is imported only
when a page is made.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gridwise.extras import require

MARKUP = "\\`*_[]<>|"  # what Markdown would not show as it is


class Heading(NamedTuple):
    """A heading; level 1 is the title."""

    level: int
    text: str


class Paragraph(NamedTuple):
    """A paragraph of plain text; a warning stands out."""

    text: str
    warns: bool = False


class CommandLine(NamedTuple):
    """A command line."""

    text: str


class Picture(NamedTuple):
    """A picture in a file beside the report."""

    file: str
    about: str


class Table(NamedTuple):
    """A table: the first column names the rows, the others have figures, at the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self) -> str:
        """The table for a terminal that is wide enough."""
        return next(self.blocks())

    def blocks(self, width: int | None = None) -> Iterator[str]:
        """The table in pieces that fit a width, each with the names of its rows."""
        lines = [self.head, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.head))]
        columns: list[int] = []
        for at in range(1, len(widths) + 1):
            taken = widths[0] + sum(2 + widths[each] for each in columns)
            full = at == len(widths) or (width and columns and taken + 2 + widths[at] > width)
            if full:
                yield "\n".join(
                    "  ".join(
                        [
                            line[0].ljust(widths[0]),
                            *(line[each].rjust(widths[each]) for each in columns),
                        ]
                    ).rstrip()
                    for line in lines
                )
                columns = []
            columns.append(at)

    def markdown(self) -> str:
        """The table as Markdown."""
        head, *rows = ([escape_markdown(cell) for cell in line] for line in (self.head, *self.rows))
        lines = [f"| {' | '.join(line)} |" for line in (head, *rows)]
        return "\n".join([lines[0], "|---|" + "---:|" * (len(head) - 1), *lines[1:]])


Part: TypeAlias = Heading | Paragraph | CommandLine | Table | Picture


def escape_markdown(text: str) -> str:
    """Text in which Markdown finds no markup."""
    return "".join(f"\\{char}" if char in MARKUP else char for char in text)


def stacked(figure: str) -> str:
    """A figure with its interval below it, if it has one: of `0.5 (0.4 to 0.6)` two lines."""
    value, bracket, interval = figure.partition(" (")
    return f"{value}\n{interval.removesuffix(')')}" if bracket else figure


def as_markdown(parts: Sequence[Part]) -> str:
    """The report as Markdown; pictures are linked."""
    return "\n\n".join(map(_markdown, parts)) + "\n"


def _markdown(part: Part) -> str:
    match part:
        case Heading(level, text):
            return f"{'#' * level} {escape_markdown(text)}"
        case Paragraph(text):
            return escape_markdown(text)
        case CommandLine(text):
            return f"```sh\n{text}\n```"
        case Table():
            return part.markdown()
        case Picture(file, about):
            return f"![{escape_markdown(about)}]({file})"


def check_page() -> None:
    """Raise BadRequest if a page cannot be made, before hours of work and not after."""
    require("plot", "jinja2")


def as_html(parts: Sequence[Part], pictures: Mapping[str, bytes]) -> str:
    """The report as one HTML file that needs no other: pictures, as SVG, are inside."""
    check_page()
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - 50 ms

    loader = PackageLoader("gridwise.lab", "report")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        title=next((part.text for part in parts if isinstance(part, Heading)), "Report"),
        parts=[(type(part).__name__, part) for part in parts],
        pictures={name: base64.b64encode(svg).decode() for name, svg in pictures.items()},
    )
