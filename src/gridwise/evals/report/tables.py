"""The leaderboard as tables, for a terminal and as Markdown; `page.py` puts them on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import Any

from gridwise.core.registry import short_names
from gridwise.errors import printable
from gridwise.evals.report.figures import CLASSES, ModelFigures
from gridwise.evals.report.leaderboard import Leaderboard, Row
from gridwise.evals.report.rating import Rating
from gridwise.lab.report import document
from gridwise.lab.report.document import Heading, Paragraph, Part, Table
from gridwise.lab.statistics import Estimate

REFERENCE = " *"  # after the name of a row that is shipped
ABOUT_REFERENCE = "* Reference: our own bots, asked with the same prompts. "
ABOUT_FIGURES = (
    "Brackets are 95 % intervals. Regret: points given away a move, where a mistake was possible. "
    "Rating: against anchors that are fixed; random is 0. Over several games a figure is the mean "
    "of the games."
)
LONGEST_NAME = 100  # long enough for all conditions

Column = tuple[str, Callable[[Row], str]]
TitledTable = tuple[str, Table]


# ModelFigures as text


def share(found: Estimate | None) -> str:
    """A share in per cent, with its interval."""
    if found is None:
        return ""
    return found.text(lambda each: f"{100 * each:.0f}", "{} ({}-{})")


def loss(found: Estimate | None) -> str:
    """Points a move, with their interval."""
    return found.text("{:.3f}".format, "{} ({}-{})") if found else ""


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


def count(number: int) -> str:
    """A number, or nothing for none."""
    return f"{number:,}" if number else ""


def row_name(row: Row) -> str:
    """How a row is called in a table."""
    return printable(row.name, LONGEST_NAME) + (REFERENCE if row.reference else "")


# Columns


def _figure(title: str, name: str, show: Callable[[Any], str]) -> Column:
    """The column of a figure over all games."""
    return title, lambda row: show(getattr(row.overall, name))


def _entries(name: str, keys: Iterable[str], show: Callable[[Any], str]) -> list[Column]:
    """A column for each key of a figure that has several values."""

    def column(key: str) -> Column:
        return printable(key, 24), lambda row: show(getattr(row.overall, name).get(key))

    return [column(key) for key in keys]


def _by_game(board: Leaderboard, name: str, show: Callable[[Any], str]) -> list[Column]:
    """A column for each game, where there are several."""
    if len(board.games) < 2:
        return []

    def column(key: str) -> Column:
        return short_names().get(key, key), lambda row: show(
            getattr(row.games.get(key, ModelFigures()), name)
        )

    return [column(key) for key in board.games]


def _played(row: Row) -> str:
    short = short_names()
    if row.games.keys() == short.keys():
        return "all"
    return ", ".join(short.get(key, key) for key in row.games)


def _tokens(row: Row, name: str) -> str:
    """Tokens a turn."""
    tokens, turns = getattr(row.overall, name), row.overall.turns
    return f"{tokens / turns:,.0f}" if turns and tokens else ""


def _columns(board: Leaderboard) -> dict[str, list[Column]]:
    """All columns, by the titles of their tables."""
    sets = {tuple(row.games) for row in board.rows}
    # Means over different games cannot be compared.
    games: list[Column] = [("games", _played)] if len(sets) > 1 else []
    kinds = dict.fromkeys(name for row in board.rows for name in row.overall.rules)
    return {
        "Leaderboard": [
            *games,
            _figure("regret, suite", "regret", loss),
            _figure("best, suite, %", "best", share),
            _figure("regret, games", "play_regret", loss),
            _figure("best, games, %", "play_best", share),
            _figure("rating", "rating", rated),
        ],
        "Score against each opponent, %": _entries("scores", board.levels, share),
        "Turns that ended without a legal move, by class, %": [
            *_entries("failures", CLASSES, share),
            _figure("failed samples", "failed", count),
        ],
        "Regret on the suite, by game": _by_game(board, "regret", loss),
        "Regret in games, by game": _by_game(board, "play_regret", loss),
        "Rating, by game": _by_game(board, "rating", rated),
        "Questions about the rules, % exactly right": _entries("rules", kinds, share),
        "What it took": [
            _figure("samples", "samples", count),
            _figure("games", "games", count),
            _figure("turns", "turns", count),
            ("input/turn", lambda row: _tokens(row, "input_tokens")),
            ("output/turn", lambda row: _tokens(row, "output_tokens")),
            _figure("cost, $", "cost", lambda cost: f"{cost:,.2f}" if cost else ""),
            _figure("stopped", "stopped", count),
            _figure("unpaired", "unpaired", count),
            _figure("forfeits", "forfeits", count),
        ],
    }


# Tables


def tables(board: Leaderboard) -> list[TitledTable]:
    """All tables that have anything in them, with their titles."""
    found = [(title, _table(board, columns)) for title, columns in _columns(board).items()]
    return [(title, table) for title, table in found if table.rows]


def _table(board: Leaderboard, columns: Sequence[Column]) -> Table:
    """A table of rows that have something in it, without columns that nobody has anything in."""
    cells = [[text(row) for _, text in columns] for row in board.rows]
    used = [at for at, _ in enumerate(columns) if any(own[at] for own in cells)]
    rows = [
        [row_name(row), *(own[at] for at in used)]
        for row, own in zip(board.rows, cells, strict=True)
        if any(own)
    ]
    return Table(["model", *(columns[at][0] for at in used)], rows)


def table_parts(found: Iterable[TitledTable]) -> list[Part]:
    """Tables as parts of a report."""
    return [part for title, table in found for part in (Heading(2, title), table)]


def footnote(board: Leaderboard) -> Paragraph:
    """What stands below the tables."""
    reference = any(row.reference for row in board.rows)
    return Paragraph((ABOUT_REFERENCE if reference else "") + ABOUT_FIGURES)


def as_text(board: Leaderboard, width: int | None = None) -> str:
    """The tables for a terminal; with a width, wide ones are broken into several."""
    parts = [f"{title}\n{block}" for title, table in tables(board) for block in table.blocks(width)]
    below = footnote(board).text
    return "\n\n".join([*parts, fill(below, width) if width else below])


def as_markdown(board: Leaderboard) -> str:
    """The tables as Markdown."""
    return document.as_markdown([*table_parts(tables(board)), footnote(board)])
