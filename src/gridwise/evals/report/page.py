"""The leaderboard as text for a terminal, as Markdown, and as one HTML page with charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from textwrap import fill
from typing import Any

from gridwise.core.registry import game as game_named
from gridwise.core.registry import short_names
from gridwise.errors import printable
from gridwise.evals.report.leaderboard import Leaderboard, Row
from gridwise.evals.report.model_figures import ModelFigures
from gridwise.evals.report.rating import anchors
from gridwise.evals.trial import CLASSES
from gridwise.lab.grading.judge import HARDEST
from gridwise.lab.report import document
from gridwise.lab.report.charts import (
    COLOURS,
    GREY,
    Figure,
    Line,
    as_svg,
    draw_bars,
    draw_intervals,
    draw_landmarks,
    draw_lines,
    new_figure,
)
from gridwise.lab.report.document import Heading, Paragraph, Part, Picture, Table
from gridwise.lab.statistics import Estimate

TITLE = "Gridwise: language models"
REFERENCE = " *"  # after the name of a row that is shipped
ABOUT_REFERENCE = "* Reference: our own bots, asked with the same prompts. "
ABOUT_FIGURES = (
    "Brackets are 95 % intervals. Regret: points given away a move, where a mistake was possible. "
    "Rating: against anchors that are fixed; random is 0. Over several games a figure is the mean "
    "of the games."
)
IN_GAMES = " (in games; the bots: on the suite)"
LONGEST_NAME = 100  # long enough for all conditions
ROW_HEIGHT = 0.3  # inches for a row of a chart
TITLE_HEIGHT = 1.2  # inches for axes, labels and legend

Column = tuple[str, Callable[[Row], str]]


def as_text(board: Leaderboard, width: int | None = None) -> str:
    """The tables for a terminal; with a width, wide ones are broken into several."""
    parts = [f"{title}\n{block}" for title, table in tables(board) for block in table.blocks(width)]
    below = _footnote(board).text
    return "\n\n".join([*parts, fill(below, width) if width else below])


def as_markdown(board: Leaderboard) -> str:
    """The tables as Markdown."""
    return document.as_markdown([*_parts(tables(board)), _footnote(board)])


def as_html(board: Leaderboard) -> str:
    """The page; it loads nothing from elsewhere."""
    first, *others = tables(board)
    parts = [Heading(1, TITLE), *_parts([first]), _footnote(board)]
    pictures = {}
    for number, (title, figure) in enumerate(charts(board), 1):
        file = f"chart-{number}.svg"
        parts += [Heading(2, title), Picture(file, title)]
        pictures[file] = as_svg(figure)
    return document.as_html(parts + _parts(others), pictures)


def _parts(titled: Iterable[tuple[str, Table]]) -> list[Part]:
    return [part for title, table in titled for part in (Heading(2, title), table)]


def _footnote(board: Leaderboard) -> Paragraph:
    reference = any(row.reference for row in board.rows)
    return Paragraph((ABOUT_REFERENCE if reference else "") + ABOUT_FIGURES)


# Figures as text


def _row_name(row: Row) -> str:
    return printable(row.name, LONGEST_NAME) + (REFERENCE if row.reference else "")


def _share(share: Estimate | None) -> str:
    """A share in per cent, with its interval."""
    return share.text(lambda each: f"{100 * each:.0f}", "{} ({}-{})") if share else ""


def _regret(regret: Estimate | None) -> str:
    return regret.text("{:.3f}".format, "{} ({}-{})") if regret else ""


def _rating(rating: Estimate | None) -> str:
    """A rating with its interval; one that games limit on one side only, by that side."""
    if rating is None:
        return ""
    value, low, high, _ = rating
    if not isfinite(value):
        if isfinite(high):
            return f"below {high:.0f}"
        return f"above {low:.0f}" if isfinite(low) else "unknown"
    if isfinite(low):
        ends = f"{low:.0f} to {high:.0f}" if isfinite(high) else f"from {low:.0f}"
    else:
        ends = f"to {high:.0f}" if isfinite(high) else "open"
    return f"{value:.0f} ({ends})"


def _count(number: int) -> str:
    return f"{number:,}" if number else ""


def _games(row: Row) -> str:
    short = short_names()
    if row.games.keys() == short.keys():
        return "all"
    return ", ".join(short.get(key, key) for key in row.games)


# Tables


def _overall(title: str, figure: str, show: Callable[[Any], str]) -> Column:
    """The column of a figure over all games."""
    return title, lambda row: show(getattr(row.overall, figure))


def _by_name(figure: str, names: Iterable[str], show: Callable[[Any], str]) -> list[Column]:
    """A column for each name under which a figure has a value."""
    return [
        (printable(name, 24), lambda row, name=name: show(getattr(row.overall, figure).get(name)))  # type: ignore[misc]
        for name in names
    ]


def _by_game(board: Leaderboard, figure: str, show: Callable[[Any], str]) -> list[Column]:
    """A column for each game, where there are several."""
    nothing, short = ModelFigures(), short_names()
    return [
        (
            short.get(key, key),
            lambda row, key=key: show(getattr(row.games.get(key, nothing), figure)),  # type: ignore[misc]
        )
        for key in board.games
        if len(board.games) > 1
    ]


def _per_turn(title: str, figure: str) -> Column:
    def text(row: Row) -> str:
        tokens, turns = getattr(row.overall, figure), row.overall.turns
        return f"{tokens / turns:,.0f}" if turns and tokens else ""

    return title, text


def _columns(board: Leaderboard) -> dict[str, list[Column]]:
    """All columns, by the titles of their tables."""
    # Means over different games cannot be compared.
    games: list[Column] = [("games", _games)] * (len({tuple(row.games) for row in board.rows}) > 1)
    kinds = dict.fromkeys(name for row in board.rows for name in row.overall.rules)
    return {
        "Leaderboard": [
            *games,
            _overall("regret, suite", "regret", _regret),
            _overall("best, suite, %", "best", _share),
            _overall("regret, games", "play_regret", _regret),
            _overall("best, games, %", "play_best", _share),
            _overall("rating", "rating", _rating),
        ],
        "Score against each opponent, %": _by_name("scores", board.levels, _share),
        "Turns that ended without a legal move, by class, %": [
            *_by_name("failures", CLASSES, _share),
            _overall("failed samples", "failed", _count),
        ],
        "Regret on the suite, by game": _by_game(board, "regret", _regret),
        "Regret in games, by game": _by_game(board, "play_regret", _regret),
        "Rating, by game": _by_game(board, "rating", _rating),
        "Questions about the rules, % exactly right": _by_name("rules", kinds, _share),
        "What it took": [
            _overall("samples", "samples", _count),
            _overall("games", "games", _count),
            _overall("turns", "turns", _count),
            _per_turn("input/turn", "input_tokens"),
            _per_turn("output/turn", "output_tokens"),
            _overall("cost, $", "cost", lambda cost: f"{cost:,.2f}" if cost else ""),
            _overall("stopped", "stopped", _count),
            _overall("unpaired", "unpaired", _count),
            _overall("forfeits", "forfeits", _count),
        ],
    }


def tables(board: Leaderboard) -> list[tuple[str, Table]]:
    """All tables that have anything in them, with their titles.

    Without rows that have nothing in a table, and columns that nobody has anything in.
    """
    titled = []
    for title, columns in _columns(board).items():
        cells = [(_row_name(row), [text(row) for _, text in columns]) for row in board.rows]
        used = [at for at, _ in enumerate(columns) if any(own[at] for _, own in cells)]
        head = ["model", *(columns[at][0] for at in used)]
        rows = [[name, *(own[at] for at in used)] for name, own in cells if any(own)]
        if rows:
            titled.append((title, Table(head, rows)))
    return titled


# Charts


def charts(board: Leaderboard) -> list[tuple[str, Figure]]:
    """The charts that there is something to show in, each with its title."""
    titled = [
        ("Regret by difficulty", _difficulty(board)),
        *_ladders(board),
        ("Turns without a legal move, by class", _failures(board)),
        ("Regret and output tokens a turn", _tokens(board)),
    ]
    return [(title, figure) for title, figure in titled if figure]


def _colours(board: Leaderboard) -> dict[str, str]:
    """A colour for each row, by its name; reference rows are grey."""
    own = [row.name for row in board.rows if not row.reference]
    colours = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(own)}
    return {row.name: colours.get(row.name, GREY) for row in board.rows}


def _difficulty(board: Leaderboard) -> Figure | None:
    rows = [row for row in board.rows if row.overall.by_difficulty]
    if not rows:
        return None
    colours = _colours(board)
    figure, (panel,) = new_figure(3.5 + ROW_HEIGHT * len(rows))
    lines = [
        Line(
            _row_name(row) + ("" if row.overall.regret else IN_GAMES),
            {
                # Beside each other, so that no interval covers another.
                int(level) + 0.6 * (at + 1) / (len(rows) + 1) - 0.3: regret
                for level, regret in row.overall.by_difficulty.items()
            },
            colours[row.name],
            hollow=row.reference,
        )
        for at, row in enumerate(rows)
    ]
    draw_lines(panel, lines, f"difficulty, {HARDEST} is the hardest", "regret")
    panel.set_xticks(range(1, HARDEST + 1))
    panel.set_ylim(bottom=0)
    return figure


def _ladders(board: Leaderboard) -> list[tuple[str, Figure]]:
    titled = []
    for key in board.games:
        rated = [
            (_row_name(row), rating)
            for row in board.rows
            if not row.reference and key in row.games and (rating := row.games[key].rating)
        ]
        if rated and key in anchors():
            names, ratings = zip(*rated, strict=True)
            figure, (panel,) = new_figure(TITLE_HEIGHT + ROW_HEIGHT * len(rated))
            draw_intervals(panel, names, {"rating": ratings}, "rating")
            draw_landmarks(panel, {f"{name} {at:.0f}": at for name, at in anchors()[key].items()})
            titled.append((f"{game_named(key).title}: place on the ladder of bots", figure))
    return titled


def _failures(board: Leaderboard) -> Figure | None:
    rows = [row for row in board.rows if row.overall.turns and row.overall.failures]
    if not rows:
        return None
    figure, (panel,) = new_figure(TITLE_HEIGHT + ROW_HEIGHT * len(rows))
    shares = {
        name: [share.value if (share := row.overall.failures.get(name)) else 0.0 for row in rows]
        for name in CLASSES
    }
    draw_bars(panel, range(len(rows)), shares)
    panel.set_yticks(range(len(rows)), map(_row_name, rows))
    panel.invert_yaxis()
    panel.set_xlim(0, 1)
    panel.set_xlabel("share of turns")
    return figure


def _tokens(board: Leaderboard) -> Figure | None:
    colours, lines = _colours(board), []
    for row in board.rows:
        overall = row.overall
        regret = overall.regret or overall.play_regret
        if regret and overall.turns and overall.output_tokens and not row.reference:
            points = {overall.output_tokens / overall.turns: regret}
            lines.append(Line(_row_name(row), points, colours[row.name]))
    if not lines:
        return None
    figure, (panel,) = new_figure(3.5 + ROW_HEIGHT * len(lines))
    draw_lines(panel, lines, "output tokens a turn", "regret")
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter("{x:,.0f}")
    panel.xaxis.set_minor_formatter("{x:,.0f}")
    panel.set_ylim(bottom=0)
    return figure
