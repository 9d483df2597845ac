"""The leaderboard as tables of text: what is in them, once, for terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill
from typing import NamedTuple

from gridwise.arena.statistics import Estimate
from gridwise.core.registry import short_names
from gridwise.errors import printable
from gridwise.evals.report.figures import CLASSES, Figures
from gridwise.evals.report.leaderboard import Leaderboard, Row
from gridwise.evals.report.rating import Rating

REFERENCE = " *"  # after the name of a row that is shipped
ABOUT_REFERENCE = "* Reference: our own bots, asked with the same prompts. "
ABOUT_FIGURES = (
    "Brackets are 95 % intervals. Regret: points given away a move, where a mistake was possible. "
    "Rating: against anchors that are fixed; random is 0. Over several games a figure is the mean "
    "of the games."
)
LONGEST_NAME = 100  # long enough for all conditions


class Table(NamedTuple):
    """A table with a heading; the first column has the names of rows."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Column = tuple[str, Callable[[Row], str]]


def share(found: Estimate | None) -> str:
    """A share in per cent, with its interval."""
    if found is None:
        return ""
    value, low, high = (100 * each for each in found[:3])
    return f"{value:.0f} ({low:.0f}-{high:.0f})"


def loss(found: Estimate | None) -> str:
    """Points a move, with their interval."""
    return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})" if found else ""


def rated(found: Rating | None) -> str:
    """A rating with its interval; one that games limit on one side only, by that side."""
    if found is None:
        return ""
    if found.value is None:
        if found.high is None:
            return f"above {found.low:.0f}" if found.low is not None else "unknown"
        return f"below {found.high:.0f}"
    ends = {
        (True, True): "{0:.0f} to {1:.0f}",
        (True, False): "from {0:.0f}",
        (False, True): "to {1:.0f}",
        (False, False): "open",
    }[found.low is not None, found.high is not None]
    return f"{found.value:.0f} ({ends.format(found.low, found.high)})"


def per_turn(tokens: int, turns: int) -> str:
    """Tokens a turn."""
    return f"{tokens / turns:,.0f}" if turns and tokens else ""


def row_name(row: Row) -> str:
    """How a row is called in a table."""
    return printable(row.name, LONGEST_NAME) + (REFERENCE if row.reference else "")


def tables(board: Leaderboard) -> list[Table]:
    """All tables that have anything in them."""
    found = [
        _table("Leaderboard", board, _main_columns(board)),
        _table("Score against each opponent, %", board, _score_columns(board.levels)),
        _table("Turns that ended without a legal move, by class, %", board, _failure_columns()),
        *_by_game(board),
        _table("Questions about the rules, % exactly right", board, _rules_columns(board)),
        _table("What it took", board, _cost_columns()),
    ]
    return [each for each in found if each.rows]


def _table(title: str, board: Leaderboard, columns: Sequence[Column]) -> Table:
    """A table of rows that have something in it, without columns that nobody has anything in."""
    cells = [[text(row) for _, text in columns] for row in board.rows]
    used = [at for at, _ in enumerate(columns) if any(own[at] for own in cells)]
    return Table(
        title,
        ("model", *(columns[at][0] for at in used)),
        tuple(
            (row_name(row), *(own[at] for at in used))
            for row, own in zip(board.rows, cells, strict=True)
            if any(own)
        ),
    )


def _main_columns(board: Leaderboard) -> list[Column]:
    sets = {tuple(row.games) for row in board.rows}
    short = short_names()

    def played(row: Row) -> str:
        found = ", ".join(short.get(key, key) for key in row.games)
        return "all" if row.games.keys() == short.keys() else found

    names: Column = ("games", played)
    return [
        *([names] if len(sets) > 1 else []),  # means over different games cannot be compared
        ("regret, suite", lambda row: loss(row.overall.regret)),
        ("best, suite, %", lambda row: share(row.overall.best)),
        ("regret, games", lambda row: loss(row.overall.play_regret)),
        ("best, games, %", lambda row: share(row.overall.play_best)),
        ("rating", lambda row: rated(row.overall.rating)),
    ]


def _score_columns(names: Sequence[str]) -> list[Column]:
    return [
        (printable(name, 24), lambda row, name=name: share(row.overall.scores.get(name)))  # type: ignore[misc]
        for name in names
    ]


def _failure_columns() -> list[Column]:
    columns: list[Column] = [
        (name, lambda row, name=name: share(row.overall.failures.get(name)))  # type: ignore[misc]
        for name in CLASSES
    ]
    return [*columns, ("failed samples", lambda row: _count(row.overall.failed))]


def _count(number: int) -> str:
    return f"{number:,}" if number else ""


def _by_game(board: Leaderboard) -> list[Table]:
    """Regret and rating in each game, where there are several."""
    if len(board.games) < 2:
        return []
    kinds: dict[str, Callable[[Figures], str]] = {
        "Regret on the suite, by game": lambda found: loss(found.regret),
        "Regret in games, by game": lambda found: loss(found.play_regret),
        "Rating, by game": lambda found: rated(found.rating),
    }
    short = short_names()
    return [
        _table(
            title,
            board,
            [
                (
                    short.get(key, key),
                    lambda row, key=key, text=text: (
                        text(row.games[key])  # type: ignore[misc]
                        if key in row.games
                        else ""
                    ),
                )
                for key in board.games
            ],
        )
        for title, text in kinds.items()
    ]


def _rules_columns(board: Leaderboard) -> list[Column]:
    kinds = dict.fromkeys(name for row in board.rows for name in row.overall.rules)
    return [
        (name, lambda row, name=name: share(row.overall.rules.get(name)))  # type: ignore[misc]
        for name in kinds
    ]


def _cost_columns() -> list[Column]:
    return [
        ("samples", lambda row: _count(row.overall.samples)),
        ("games", lambda row: _count(row.overall.games)),
        ("turns", lambda row: _count(row.overall.turns)),
        ("input/turn", lambda row: per_turn(row.overall.input_tokens, row.overall.turns)),
        ("output/turn", lambda row: per_turn(row.overall.output_tokens, row.overall.turns)),
        ("cost, $", lambda row: f"{row.overall.cost:,.2f}" if row.overall.cost else ""),
        ("stopped", lambda row: _count(row.overall.stopped)),
        ("unpaired", lambda row: _count(row.overall.unpaired)),
        ("forfeits", lambda row: _count(row.overall.forfeits)),
    ]


# Renderings


def footnote(board: Leaderboard) -> str:
    """What stands below the tables."""
    reference = any(row.reference for row in board.rows)
    return (ABOUT_REFERENCE if reference else "") + ABOUT_FIGURES


def as_text(board: Leaderboard, width: int | None = None) -> str:
    """The tables for a terminal; with a width, wide ones are broken into several."""
    parts = [
        "\n".join([table.title, *("  ".join(line).rstrip() for line in lines)])
        for table in tables(board)
        for lines in _blocks(table, width)
    ]
    return "\n\n".join([*parts, fill(footnote(board), width) if width else footnote(board)])


def _blocks(table: Table, width: int | None) -> Iterator[list[list[str]]]:
    """The lines of a table, padded; as many columns at a time as fit, after the names of rows."""
    lines = [table.header, *table.rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.header))]
    columns: list[int] = []
    for at in range(1, len(widths) + 1):
        taken = widths[0] + sum(2 + widths[each] for each in columns)
        full = at == len(widths) or (width and columns and taken + 2 + widths[at] > width)
        if full:
            kept = [0, *columns]
            padding = [widths[each] for each in kept]
            yield [_padded([line[each] for each in kept], padding) for line in lines]
            columns = []
        columns.append(at)


def _padded(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    first, *rest = line
    return [first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(rest, widths[1:], strict=True))]


def as_markdown(board: Leaderboard) -> str:
    """The tables as Markdown."""
    parts = []
    for table in tables(board):
        lines = [f"## {table.title}", "", _markdown_line(table.header)]
        lines.append("|---|" + "---:|" * (len(table.header) - 1))
        lines += [_markdown_line(row) for row in table.rows]
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, footnote(board).replace("*", "\\*")]) + "\n"


def _markdown_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_markdown(cell) for cell in cells)} |"


def _markdown(text: str) -> str:
    """A cell in which nothing is taken for markup."""
    for char in "\\`*_[]<>|":
        text = text.replace(char, f"\\{char}")
    return text
