"""The plots of the page, as SVG: regret by difficulty, the ladder, failures by class, cost.

Plain SVG and no library: the page is one file that opens anywhere, in light and in dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from gridwise.arena.grades.difficulty import HARDEST
from gridwise.core.registry import game as game_named
from gridwise.evals.report.figures import CLASSES
from gridwise.evals.report.leaderboard import Leaderboard, Row
from gridwise.evals.report.rating import Rating, anchors
from gridwise.evals.report.tables import row_name

# Okabe and Ito's colours, which the colour-blind can tell apart, black left out: pages can be dark.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#a6761d")
REFERENCE = "#888888"
IN_GAMES = " (in games; the bots: on the suite)"
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 640, 60, 16, 24, 44
LINE = 22  # the height of a line of text with its mark
LABEL = 13  # the height of a label
NAMES = 64  # room for the names of bots beside a plot
LETTER = 6.6  # the width of a letter, on average


def colours(board: Leaderboard) -> dict[str, str]:
    """A colour for each row, by its name; reference rows are grey."""
    own = [row.name for row in board.rows if not row.reference]
    found = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(own)}
    return {row.name: found.get(row.name, REFERENCE) for row in board.rows}


def plots(board: Leaderboard) -> list[tuple[str, str]]:
    """The plots that there is something to show in, each with its heading."""
    found = [
        ("Regret by difficulty", _difficulty(board)),
        *_ladders(board),
        ("Turns without a legal move, by class", _failures(board)),
        ("Regret and output tokens a turn", _cost(board)),
    ]
    return [(title, svg) for title, svg in found if svg]


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "start", fill: str = "") -> str:
    colour = f' style="fill:{fill}"' if fill else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{colour}>{escape(words)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, kind: str = "rule") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _whisker(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        'stroke-width="1.5"/>'
    )


def _dot(x: float, y: float, colour: str, about: str, *, hollow: bool) -> str:
    fill = "none" if hollow else colour
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{colour}" '
        f'stroke-width="1.5"><title>{escape(about)}</title></circle>'
    )


def _legend(rows: Sequence[Row], board: Leaderboard, top: float, in_games: str = "") -> list[str]:
    """The names of rows with their marks, below a plot; `in_games` follows those of games."""
    colour, parts = colours(board), []
    for at, row in enumerate(rows):
        y = top + LINE * at + 12
        parts.append(_dot(LEFT + 6, y - 4, colour[row.name], row.name, hollow=row.reference))
        parts.append(
            _text(LEFT + 20, y, row_name(row) + (in_games if not row.overall.regret else ""))
        )
    return parts


def _axis(top: float, bottom: float, highest: float, right: float = WIDTH - RIGHT) -> list[str]:
    """Lines across, at 0 and up to the highest value."""
    step = _step(highest)
    parts = []
    for at in range(ceil(highest / step) + 1):
        y = bottom - (bottom - top) * at * step / (ceil(highest / step) * step)
        parts += [_rule(LEFT, y, right, y), _text(LEFT - 6, y + 4, f"{at * step:g}", "end")]
    return parts


def _step(highest: float) -> float:
    return next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if highest / step <= 6)


def _difficulty(board: Leaderboard) -> str:
    rows = [row for row in board.rows if row.overall.by_difficulty]
    if not rows:
        return ""
    top, bottom = TOP, 280.0
    highest = max(each.high for row in rows for each in row.overall.by_difficulty.values())
    full = ceil(max(highest, 0.02) / _step(max(highest, 0.02))) * _step(max(highest, 0.02))
    right = WIDTH - RIGHT - NAMES
    colour, parts = colours(board), _axis(top, bottom, max(highest, 0.02), right)
    room, ends = (right - LEFT) / HARDEST, []
    for at, row in enumerate(rows):
        spots = []
        for level, found in row.overall.by_difficulty.items():
            x = LEFT + room * (int(level) - 1 + (at + 1) / (len(rows) + 1))
            y, low, high = (bottom - (bottom - top) * each / full for each in found[:3])
            about = f"{row.name}, difficulty {level}: {found.value:.3f}"
            about += f" ({found.low:.3f} to {found.high:.3f})"
            parts.append(_whisker(x, low, x, high, colour[row.name]))
            parts.append(_dot(x, y, colour[row.name], about, hollow=row.reference))
            spots.append(f"{x:.1f},{y:.1f}")
        if row.reference:
            ends.append((y, row.model.removeprefix("bot:")))
        parts.append(
            f'<polyline points="{" ".join(spots)}" fill="none" stroke="{colour[row.name]}" '
            'stroke-opacity="0.35"/>'
        )
    for number in range(1, HARDEST + 1):
        parts.append(_text(LEFT + room * (number - 0.5), bottom + 18, str(number), "middle"))
    parts.append(_text(WIDTH / 2, bottom + 36, "difficulty, 5 is the hardest", "middle"))
    parts += [_text(right + 6, y + 4, name, fill=REFERENCE) for y, name in _apart(ends, LABEL)]
    named = [row for row in rows if not row.reference]
    return _svg(
        bottom + BOTTOM + LINE * len(named) + 8,
        "Points given away a move, by difficulty of the position",
        [*parts, *_legend(named, board, bottom + BOTTOM, IN_GAMES)],
    )


def _apart(labels: Iterable[tuple[float, str]], least: float) -> list[tuple[float, str]]:
    """Labels from the lowest on a page up, moved so far that none covers another."""
    found: list[tuple[float, str]] = []
    for wanted, name in sorted(labels, reverse=True):
        found.append((min(wanted, found[-1][0] - least) if found else wanted, name))
    return found


def _ladders(board: Leaderboard) -> list[tuple[str, str]]:
    found = []
    for key in board.games:
        known = anchors().get(key)
        rows = [
            (row, rating)
            for row in board.rows
            if not row.reference and key in row.games and (rating := row.games[key].rating)
        ]
        if known and rows:
            title = f"{game_named(key).title}: place on the ladder of bots"
            found.append((title, _ladder(title, known, rows, board)))
    return found


def _ladder(
    title: str,
    ladder: Mapping[str, float],
    rows: Sequence[tuple[Row, Rating]],
    board: Leaderboard,
) -> str:
    marks = [*ladder.values()]
    marks += [end for _, rating in rows for end in rating[:3] if end is not None]
    low, high = floor(min(marks) / 100) * 100 - 50, ceil(max(marks) / 100) * 100 + 50

    def place(rating: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (rating - low) / (high - low)

    labels = [(place(known), f"{level} {known:.0f}") for level, known in ladder.items()]
    steps = _label_lines(labels)
    top = TOP - 8 + LABEL * (1 + max(steps.values()))
    bottom = top + 14 + LINE * 2 * len(rows)
    parts = []
    for x, label in labels:
        parts.append(_rule(x, TOP - 4 + LABEL * steps[label], x, bottom, "anchor"))
        parts.append(_text(x, TOP - 8 + LABEL * steps[label], label, "middle"))
    colour = colours(board)
    for at, (row, rating) in enumerate(rows):
        y = top + 16 + LINE * 2 * at
        ends = (
            rating.low if rating.low is not None else low,
            rating.high if rating.high is not None else high,
        )
        parts.append(_whisker(place(ends[0]), y, place(ends[1]), y, colour[row.name]))
        if rating.value is not None:
            about = f"{row.name}: {rating.value:.0f} ({ends[0]:.0f} to {ends[1]:.0f})"
            parts.append(_dot(place(rating.value), y, colour[row.name], about, hollow=False))
        parts.append(_text(LEFT, y + 17, row_name(row), fill=colour[row.name]))
    return _svg(bottom + 12, title, parts)


def _label_lines(labels: Iterable[tuple[float, str]]) -> dict[str, int]:
    """The line that each label stands on, the first one in which it covers no other."""
    ends: list[float] = []  # of what stands on each line so far
    found = {}
    for x, label in sorted(labels):
        half = LETTER * len(label) / 2
        line = next((at for at, end in enumerate(ends) if end < x - half), len(ends))
        ends[line : line + 1] = [x + half + LETTER]
        found[label] = line
    return found


# Five classes, each a shade that can be told from its neighbours.
CLASS_COLOURS = dict(zip(CLASSES, COLOURS, strict=False))


def _failures(board: Leaderboard) -> str:
    rows = [row for row in board.rows if row.overall.turns and row.overall.failures]
    if not rows:
        return ""
    parts, wide = [], WIDTH - LEFT - RIGHT
    for at, row in enumerate(rows):
        y, x = TOP + LINE * 2 * at, float(LEFT)
        parts.append(_text(LEFT, y, row_name(row)))
        parts.append(
            f'<rect class="empty" x="{LEFT}" y="{y + 6}" width="{wide}" height="{LINE - 8}"/>'
        )
        for name in CLASSES:
            found = row.overall.failures.get(name)
            if found and found.value:
                about = f"{name}: {found.value:.1%} ({found.low:.1%} to {found.high:.1%})"
                parts.append(
                    f'<rect x="{x:.1f}" y="{y + 6}" width="{wide * found.value:.1f}" '
                    f'height="{LINE - 8}" fill="{CLASS_COLOURS[name]}">'
                    f"<title>{escape(about)}</title></rect>"
                )
                x += wide * found.value
    bottom = TOP + LINE * 2 * len(rows)
    for at, name in enumerate(CLASSES):
        x = LEFT + at * wide / len(CLASSES)
        parts.append(
            f'<rect x="{x:.1f}" y="{bottom}" width="12" height="12" fill="{CLASS_COLOURS[name]}"/>'
        )
        parts.append(_text(x + 18, bottom + 11, name))
    return _svg(bottom + 24, "The share of turns without a legal move, by class", parts)


def _cost(board: Leaderboard) -> str:
    rows = [
        (row, found, row.overall.output_tokens / row.overall.turns)
        for row in board.rows
        if not row.reference and row.overall.turns and row.overall.output_tokens
        if (found := row.overall.regret or row.overall.play_regret)
    ]
    if not rows:
        return ""
    bottom, highest = 260.0, max(0.02, *(found.high for _, found, _ in rows))
    full = ceil(highest / _step(highest)) * _step(highest)
    low = floor(log10(min(tokens for *_, tokens in rows)))
    high = max(low + 1, ceil(log10(max(tokens for *_, tokens in rows))))
    colour, parts = colours(board), _axis(TOP, bottom, highest)
    wide = WIDTH - LEFT - RIGHT
    for power in range(low, high + 1):
        x = LEFT + wide * (power - low) / (high - low)
        parts.append(_text(x, bottom + 18, f"{10.0**power:,g}", "middle"))
    for row, found, tokens in rows:
        x = LEFT + wide * (log10(tokens) - low) / (high - low)
        y, under, over = (bottom - (bottom - TOP) * each / full for each in found[:3])
        about = f"{row.name}: {tokens:,.0f} tokens a turn, regret {found.value:.3f}"
        parts.append(_whisker(x, under, x, over, colour[row.name]))
        parts.append(_dot(x, y, colour[row.name], about, hollow=False))
    parts.append(_text(WIDTH / 2, bottom + 36, "output tokens a turn", "middle"))
    shown = [row for row, *_ in rows]
    return _svg(
        bottom + BOTTOM + LINE * len(shown) + 8,
        "Points given away a move, by output tokens a turn",
        [*parts, *_legend(shown, board, bottom + BOTTOM)],
    )
