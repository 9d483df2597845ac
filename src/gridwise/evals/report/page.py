"""The leaderboard as text for a terminal, as Markdown, and as one HTML page with charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from textwrap import fill
from typing import Any

from gridwise.core.registry import game as game_named
from gridwise.core.registry import short_names
from gridwise.errors import printable
from gridwise.evals.report.leaderboard import RANKED_BY, Leaderboard, Ranking, Row
from gridwise.evals.report.model_figures import ModelFigures
from gridwise.evals.report.rating import anchors
from gridwise.evals.trial import CLASSES
from gridwise.lab.grading.judge import HARDEST
from gridwise.lab.report import document
from gridwise.lab.report.charts import (
    COLOURS,
    Figure,
    Line,
    as_svg,
    draw_bars,
    draw_intervals,
    draw_landmarks,
    draw_lines,
    new_figure,
)
from gridwise.lab.report.document import Heading, Paragraph, Part, Picture, Table, stacked
from gridwise.lab.report.provenance import date_and_version
from gridwise.lab.statistics import Estimate
from gridwise.prompts.conditions import DEFAULT_TRACK, Conditions

TITLE = "Gridwise: language models"
REFERENCE = " *"  # after the name of a row that is shipped
ABOUT_REFERENCE = (
    "* Reference: our own bots as models, on {}, with the luck of these; they play the same under "
    "all conditions."
)
ABOUT_FIGURES = {
    "play": "Score: the share of points; it ranks. Rating: against anchors that are fixed; random "
    "is 0. Regret a game: points thrown away by moves and by wins that were not finished. Regret: "
    "points given away a move, where a mistake was possible, each position once a game. Progress: "
    "of the moves in won positions, those that lost no time.",
    "positions": "Regret: points given away, on average. Progress: of the won positions, those "
    "where the move lost no time.",
    "rules": "An answer is right if all of it is.",
}
ABOUT_ALL = (
    "Brackets are 95 % intervals. Over several games a figure is the mean of the games. "
    "docs/figures.md says what would fool each figure."
)
ABOUT_MISSING = "Models of which not everything is scored stand last."
# What the reference rows were measured on, which `research.reference` says too.
REFERENCE_SAMPLES = {
    "play": "10 pairs against each bot, boards of seed 20261117",
    "positions": "100 positions of each game, seed 0",
    "rules": "20 positions of each game, seed 0",
}
TASKS_ALONE = {"rules": ("legal_moves", "retries")}  # conditions that a task sets by itself
LONGEST_NAME = 60
ROW_HEIGHT = 0.3  # inches for a row of a chart
TITLE_HEIGHT = 1.2  # inches for axes, labels and legend
MARKERS = ("o", "s", "^", "D")  # where there are more rows than colours

Column = tuple[str, Callable[[Row], str]]


def as_text(board: Leaderboard, width: int | None = None) -> str:
    """The tables for a terminal; with a width, wide ones are broken into several."""
    parts = []
    for ranking in board.rankings:
        about = _about(ranking)
        parts += [title_of(ranking), fill(about, width) if width else about]
        for title, table in tables(ranking):
            parts += [f"{title}\n{block}" if title else block for block in table.blocks(width)]
    return "\n\n".join([*parts, f"Made {date_and_version()}."])


def as_markdown(board: Leaderboard) -> str:
    """The tables as Markdown."""
    parts: list[Part] = []
    for ranking in board.rankings:
        parts += [Heading(2, title_of(ranking)), *_parts(tables(ranking))]
        parts.append(Paragraph(_about(ranking)))
    return document.as_markdown([*parts, Paragraph(f"Made {date_and_version()}.")])


def as_html(board: Leaderboard) -> str:
    """The page; it loads nothing from elsewhere."""
    parts: list[Part] = [Heading(1, TITLE)]
    pictures: dict[str, bytes] = {}
    for ranking in board.rankings:
        first, *others = tables(ranking)
        parts += [Heading(2, title_of(ranking)), *_parts([first], narrow=True)]
        parts.append(Paragraph(_about(ranking)))
        for title, figure in charts(ranking):
            file = f"chart-{len(pictures)}.svg"
            parts += [Heading(3, title), Picture(file, title)]
            pictures[file] = as_svg(figure)
        parts += _parts(others, narrow=True)
    return document.as_html([*parts, Paragraph(f"Made {date_and_version()}.")], pictures)


def _parts(titled: Iterable[tuple[str, Table]], *, narrow: bool = False) -> list[Part]:
    """Tables with their titles; in narrow ones an interval stands below its figure."""
    parts: list[Part] = []
    for title, table in titled:
        rows = [[row[0], *map(stacked, row[1:])] if narrow else row for row in table.rows]
        parts += [Heading(3, title)] * bool(title) + [Table(table.head, rows)]
    return parts


def title_of(ranking: Ranking) -> str:
    """What was asked and how: `Whole games, seed 0, track open`."""
    asked, label = dict(ranking.setting.asked), _conditions(ranking).label
    if ranking.task == "play":
        pairs = asked.get("pairs")
        games = f"{pairs} pair{'s' * (pairs != 1)} against each opponent, " if pairs else ""
        return f"Whole games: {games}boards of seed {asked.get('seed', 0)}, track {label}"
    rows = f"suite {asked.get('suite')}, part {asked.get('part')}"
    if limit := asked.get("limit"):
        rows += f", {limit} of each game, seed {asked.get('seed', 0)}"
    if ranking.task == "positions":
        return f"Positions: {rows}, track {label}"
    # Questions have no tracks: the moves are what is asked.
    shown = label.removeprefix(DEFAULT_TRACK).replace(" ", ", ")
    return f"Questions about the rules: {rows}{shown}"


def _conditions(ranking: Ranking) -> Conditions:
    """The conditions; those that a task sets by itself are as usual."""
    given = dict(ranking.setting.conditions)
    for name in TASKS_ALONE.get(ranking.task, ()):
        given.pop(name, None)
    return Conditions.read(**given)


def _about(ranking: Ranking) -> str:
    """Who and what was met, and what the figures are."""
    sentences, short = [], short_names()
    if ranking.games != list(short):
        sentences.append(f"Games: {', '.join(short.get(key, key) for key in ranking.games)}.")
    if ranking.opponents:
        sentences.append(f"Opponents: {', '.join(ranking.opponents)}.")
    if ranking.task != "rules":
        own = _conditions(ranking)
        tries = "one retry" if own.retries == 1 else f"{own.retries or 'no'} retries"
        sentences.append(f"Legal moves {own.legal_moves}, history {own.history}, {tries}.")
    if any(row.reference for row in ranking.rows):
        sentences.append(ABOUT_REFERENCE.format(REFERENCE_SAMPLES[ranking.task]))
    if any(row.missing for row in ranking.rows):
        sentences.append(ABOUT_MISSING)
    if sums := [f"{short.get(key, key)} {own}" for key, own in ranking.checksums.items()]:
        sentences.append(f"Checksums: {', '.join(sums)}.")
    if version := dict(ranking.setting.asked).get("tasks"):
        sentences.append(f"Tasks of version {version}.")
    return printable(" ".join([*sentences, ABOUT_FIGURES[ranking.task], ABOUT_ALL]))


# Figures as text


def _row_name(row: Row) -> str:
    return printable(row.model, LONGEST_NAME) + (REFERENCE if row.reference else "")


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


def _by_game(ranking: Ranking, figure: str, show: Callable[[Any], str]) -> list[Column]:
    """A column for each game, where there are several."""
    if len(ranking.games) < 2:
        return []
    nothing, short = ModelFigures(), short_names()
    return [
        (
            short.get(key, key),
            lambda row, key=key: show(getattr(row.games.get(key, nothing), figure)),  # type: ignore[misc]
        )
        for key in ranking.games
    ]


def _per(what: str, figure: str, form: str = "{:,.0f}") -> Callable[[Row], str]:
    """How much of something was used for each turn, game or sample."""

    def text(row: Row) -> str:
        used, count = getattr(row.overall, figure), getattr(row.overall, what)
        return form.format(used / count) if count and used else ""

    return text


def _columns(ranking: Ranking) -> dict[str, list[Column]]:
    """All columns, by the titles of their tables; the first table has none."""
    unit = "games" if ranking.task == "play" else "samples"
    one = {"play": "game", "positions": "position", "rules": "question"}[ranking.task]
    kinds = dict.fromkeys(name for row in ranking.rows for name in row.overall.rules)
    return {
        "": [
            ("not scored", lambda row: _count(row.missing)),
            _overall("begun again", "again", _count),
            _overall("score, %", "score", _share),
            _overall("rating", "rating", _rating),
            _overall("regret a game", "game_regret", _regret),
            _overall("regret", "regret", _regret),
            _overall("best, %", "best", _share),
            _overall("progress, %", "progress", _share),
            *_by_name("rules", kinds, _share),
        ],
        "Score against each opponent, %": _by_name("scores", ranking.opponents, _share),
        "How the games ended": [
            _overall("games", "games", _count),
            _overall("a win stood still", "stalled", _count),
            _overall("unfinished", "unfinished", _count),
            _overall("stopped by a limit", "stopped", _count),
            _overall("without the other of the pair", "unpaired", _count),
            _overall("forfeited by the opponent", "forfeits", _count),
        ],
        "Turns that ended without a legal move, by class, %": [
            *_by_name("failures", CLASSES, _share),
            _overall("legal at once, %", "legal_at_once", _share),
            _overall("failed samples", "failed", _count),
        ],
        "Rating, by game": _by_game(ranking, "rating", _rating),
        "Regret a game, by game": _by_game(ranking, "game_regret", _regret),
        "Regret, by game": _by_game(ranking, "regret", _regret),
        "What it took": [
            _overall(unit, unit, _count),
            _overall("turns", "turns", _count),
            ("input a turn", _per("turns", "input_tokens")),
            ("output a turn", _per("turns", "output_tokens")),
            (f"input a {one}", _per(unit, "input_tokens")),
            (f"output a {one}", _per(unit, "output_tokens")),
            (f"$ a {one}", _per(unit, "cost", "{:.4f}")),
            _overall("cost, $", "cost", lambda cost: f"{cost:,.2f}" if cost else ""),
        ],
    }


def tables(ranking: Ranking) -> list[tuple[str, Table]]:
    """All tables that have anything in them, with their titles.

    Without rows that have nothing in a table, and columns that nobody has anything in.
    """
    titled = []
    for title, columns in _columns(ranking).items():
        cells = [(_row_name(row), [text(row) for _, text in columns]) for row in ranking.rows]
        used = [at for at, _ in enumerate(columns) if any(own[at] for _, own in cells)]
        head = ["model", *(columns[at][0] for at in used)]
        rows = [[name, *(own[at] for at in used)] for name, own in cells if any(own)]
        if rows or not title:
            rows = rows or [[name] for name, _ in cells]
            titled.append((title, Table(head, rows)))
    if ranking.differences:
        what = f"{RANKED_BY[ranking.task]}, difference"
        compared = [
            [
                f"{printable(each.one, LONGEST_NAME)} - {printable(each.two, LONGEST_NAME)}",
                each.estimate.text("{:+.3f}".format),
                f"{each.estimate.n:,}",
            ]
            for each in ranking.differences
        ]
        table = Table(["models", what, "boards" if ranking.task == "play" else "asked"], compared)
        titled.insert(1, ("The first beside the others, on the same boards", table))
    return titled


# Charts


def charts(ranking: Ranking) -> list[tuple[str, Figure]]:
    """The charts that there is something to show in, each with its title."""
    titled = [
        *_ladders(ranking),
        ("Regret by difficulty", _difficulty(ranking)),
        ("Turns without a legal move, by class", _failures(ranking)),
        ("Regret and output tokens", _tokens(ranking)),
    ]
    return [(title, figure) for title, figure in titled if figure]


def _difficulty(ranking: Ranking) -> Figure | None:
    """Beside each other a panel for each difficulty, with a row for each model."""
    rows = [row for row in ranking.rows if row.overall.by_difficulty]
    if not rows:
        return None
    names = list(map(_row_name, rows))
    figure, panels = new_figure(
        TITLE_HEIGHT + ROW_HEIGHT * len(rows), 11, ncols=HARDEST, sharex=True, sharey=True
    )
    for level, panel in enumerate(panels, 1):
        regrets = [row.overall.by_difficulty.get(str(level)) for row in rows]
        draw_intervals(panel, names, {"regret": regrets}, f"regret, difficulty {level}")
    panel.set_xlim(0, 1.02)  # of all of them: no regret is more than a point
    return figure


def _ladders(ranking: Ranking) -> list[tuple[str, Figure]]:
    titled = []
    for key in ranking.games:
        rated = [
            (_row_name(row), rating)
            for row in ranking.rows
            if not row.reference and (rating := row.games[key].rating)
        ]
        if rated and key in anchors():
            names, ratings = zip(*rated, strict=True)
            figure, (panel,) = new_figure(TITLE_HEIGHT + ROW_HEIGHT * len(rated))
            draw_intervals(panel, names, {"rating": ratings}, "rating")
            draw_landmarks(panel, {f"{name} {at:.0f}": at for name, at in anchors()[key].items()})
            titled.append((f"{game_named(key).title}: place on the ladder of bots", figure))
    return titled


def _failures(ranking: Ranking) -> Figure | None:
    rows = [row for row in ranking.rows if row.overall.turns and row.overall.failures]
    if not any(share.value for row in rows for share in row.overall.failures.values()):
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


def _tokens(ranking: Ranking) -> Figure | None:
    """What was thrown away, by how much was written; of those that write anything."""
    figures = {"play": ("game_regret", "games", "game"), "positions": ("regret", "samples", "move")}
    if ranking.task not in figures:
        return None
    figure_name, count, unit = figures[ranking.task]
    lines: list[Line] = []
    for row in ranking.rows:
        regret, tokens = getattr(row.overall, figure_name), row.overall.output_tokens
        if regret and tokens and not row.reference:
            marker = MARKERS[len(lines) // len(COLOURS) % len(MARKERS)]
            points = {tokens / getattr(row.overall, count): regret}
            lines.append(
                Line(_row_name(row), points, COLOURS[len(lines) % len(COLOURS)], style=marker)
            )
    if not lines:
        return None
    figure, (panel,) = new_figure(3.5 + ROW_HEIGHT * len(lines))
    draw_lines(panel, lines, f"output tokens a {unit}", f"regret a {unit}")
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter("{x:,.0f}")
    panel.xaxis.set_minor_formatter("{x:,.0f}")
    panel.set_ylim(bottom=0)
    return figure
