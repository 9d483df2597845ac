"""The leaderboard as one HTML page: the tables, and four kinds of charts between them."""

from __future__ import annotations

from math import inf

from gridwise.core.registry import game as game_named
from gridwise.evals.report.figures import CLASSES
from gridwise.evals.report.leaderboard import Leaderboard, Row
from gridwise.evals.report.rating import Rating, anchors
from gridwise.evals.report.tables import footnote, row_name, table_parts, tables
from gridwise.lab.grading.judge import HARDEST
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
from gridwise.lab.report.document import Heading, Part, Picture
from gridwise.lab.report.document import as_html as document_html
from gridwise.lab.statistics import Estimate

TITLE = "Gridwise: language models"
IN_GAMES = " (in games; the bots: on the suite)"
ROW_HEIGHT = 0.3  # inches for a row of a chart
TITLE_HEIGHT = 1.2  # inches for axes, labels and legend


def as_html(board: Leaderboard) -> str:
    """The page; it loads nothing from elsewhere."""
    drawn = {f"chart-{number}.svg": chart for number, chart in enumerate(charts(board), 1)}
    pictures: list[Part] = []
    for file, (title, _) in drawn.items():
        pictures += [Heading(2, title), Picture(file, title)]
    first, *others = tables(board)
    parts = [
        Heading(1, TITLE),
        *table_parts([first]),
        footnote(board),
        *pictures,
        *table_parts(others),
    ]
    return document_html(parts, {file: as_svg(figure) for file, (_, figure) in drawn.items()})


def charts(board: Leaderboard) -> list[tuple[str, Figure]]:
    """The charts that there is something to show in, each with its title."""
    found = [
        ("Regret by difficulty", _difficulty(board)),
        *_ladders(board),
        ("Turns without a legal move, by class", _failures(board)),
        ("Regret and output tokens a turn", _tokens(board)),
    ]
    return [(title, figure) for title, figure in found if figure]


def _colours(board: Leaderboard) -> dict[str, str]:
    """A colour for each row, by its name; reference rows are grey."""
    own = [row.name for row in board.rows if not row.reference]
    found = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(own)}
    return {row.name: found.get(row.name, GREY) for row in board.rows}


def _difficulty(board: Leaderboard) -> Figure | None:
    rows = [row for row in board.rows if row.overall.by_difficulty]
    if not rows:
        return None
    colours = _colours(board)
    figure, (panel,) = new_figure(3.5 + ROW_HEIGHT * len(rows))
    lines = [
        Line(
            row_name(row) + ("" if row.overall.regret else IN_GAMES),
            {
                # Beside each other, so that no interval covers another.
                int(level) + 0.6 * (at + 1) / (len(rows) + 1) - 0.3: found
                for level, found in row.overall.by_difficulty.items()
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
    found = []
    for key in board.games:
        rated = [
            (row, rating)
            for row in board.rows
            if not row.reference and key in row.games and (rating := row.games[key].rating)
        ]
        if rated and key in anchors():
            figure, (panel,) = new_figure(TITLE_HEIGHT + ROW_HEIGHT * len(rated))
            names = [row_name(row) for row, _ in rated]
            ratings = [_as_estimate(rating) for _, rating in rated]
            draw_intervals(panel, names, {"rating": ratings}, "rating")
            draw_landmarks(panel, {f"{name} {at:.0f}": at for name, at in anchors()[key].items()})
            found.append((f"{game_named(key).title}: place on the ladder of bots", figure))
    return found


def _as_estimate(rating: Rating) -> Estimate:
    """A rating whose open ends are infinite."""
    low = -inf if rating.low is None else rating.low
    high = inf if rating.high is None else rating.high
    return Estimate(inf if rating.value is None else rating.value, low, high, rating.pairs)


def _failures(board: Leaderboard) -> Figure | None:
    rows = [row for row in board.rows if row.overall.turns and row.overall.failures]
    if not rows:
        return None
    figure, (panel,) = new_figure(TITLE_HEIGHT + ROW_HEIGHT * len(rows))
    parts = {
        name: [found.value if (found := row.overall.failures.get(name)) else 0.0 for row in rows]
        for name in CLASSES
    }
    draw_bars(panel, range(len(rows)), parts)
    panel.set_yticks(range(len(rows)), [row_name(row) for row in rows])
    panel.invert_yaxis()
    panel.set_xlim(0, 1)
    panel.set_xlabel("share of turns")
    return figure


def _tokens(board: Leaderboard) -> Figure | None:
    colours, lines = _colours(board), []
    for row in board.rows:
        found, turns = _regret(row), row.overall.turns
        if found and turns and row.overall.output_tokens and not row.reference:
            points = {row.overall.output_tokens / turns: found}
            lines.append(Line(row_name(row), points, colours[row.name]))
    if not lines:
        return None
    figure, (panel,) = new_figure(3.5 + ROW_HEIGHT * len(lines))
    draw_lines(panel, lines, "output tokens a turn", "regret")
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter("{x:,.0f}")
    panel.xaxis.set_minor_formatter("{x:,.0f}")
    panel.set_ylim(bottom=0)
    return figure


def _regret(row: Row) -> Estimate | None:
    return row.overall.regret or row.overall.play_regret
