"""A tournament as one HTML page that needs nothing else: tables, and pictures as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite

from gridwise import __version__
from gridwise.arena.tournament.elo import Bounded, signed
from gridwise.arena.tournament.run import Tournament
from gridwise.arena.tournament.standings import Tally
from gridwise.arena.tournament.table import fault_lines, information_lines, sprt_lines
from gridwise.core.registry import game as game_named

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; font-size: .9375rem; }
th, td { padding: .3rem .38rem; text-align: right; border-bottom: 1px solid #ddd;
  white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere;
  min-width: 9rem; }
small { opacity: .75; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
.scroll { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.note { border-left: 4px solid #b58900; padding-left: .7rem; }
@media (max-width: 45rem) {  /* a row becomes a card */
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, caption { display: block; }
  tr { margin-bottom: 1rem; }
  th:first-child, td, td:first-child { display: block; min-width: 0; padding: .2rem 0; }
  td:first-child { font-weight: 600; }
  td:not(:first-child) { display: flex; gap: 1rem; white-space: normal; }
  td:not(:first-child)::before { content: attr(data-label); margin-right: auto; opacity: .75; } }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #16181c; } th, td { border-color: #444; } }
"""
_WIDTH, _ROW, _LABEL, _AXIS = 720, 26, 220, 76


def page(tournament: Tournament) -> str:
    """The page."""
    standings, schedule = tournament.standings, tournament.schedule
    games = ", ".join(game_named(key).title for key in standings.games)
    heading = " against ".join(standings.names) if len(standings.names) == 2 else "Tournament"
    body = [
        f"<h1>{escape(heading)}</h1>",
        f"<p>{escape(games)}. {standings.pairs} pairs of games, each board played twice with "
        f"sides swapped; seed {schedule.seed}. Intervals are 95 %. Gridwise {__version__}.</p>",
        "<p>LL LD = WD WW: how many pairs the first player lost twice, lost and drew, shared, won "
        "and drew, and won twice. P1 : P2 is how often each side won.</p>",
        *_pool(tournament),
        *_matches("Matches", list(standings.matches()), standings.names),
    ]
    if len(standings.games) > 1:
        tallies = [each for _, each in sorted(standings.tallies.items())]
        body += _matches("By game", tallies, standings.names)
    body += [_paragraph(sprt_lines(tournament)), *_course(tournament)]
    for tally in standings.matches():
        lines = information_lines(tally)
        if lines:
            who = f"{standings.names[tally.one]} against {standings.names[tally.two]}: "
            body.append(f'<p class="note">{escape(who + " ".join(lines))}</p>')
    body.append(_paragraph(fault_lines(standings)))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading)}</title>\n<style>{_STYLE}</style>\n"
        + "\n".join(part for part in body if part)
        + "\n</html>\n"
    )


def _paragraph(lines: Sequence[str]) -> str:
    return f"<p>{'<br>'.join(escape(line.strip()) for line in lines)}</p>" if lines else ""


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    body = ""
    for row in rows:
        cells = (_cell(label, text) for label, text in zip(heads, row, strict=True))
        body += f'<tr role="row">{"".join(cells)}</tr>'
    return (
        f'<div class="scroll"><table role="table"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(label: str, text: str) -> str:
    """A cell; the second line of its text is smaller, and narrow screens show the label."""
    first, _, second = escape(text).partition("\n")
    shown = f"<span>{first}<br><small>{second}</small></span>" if second else first
    return f'<td role="cell" data-label="{escape(label)}">{shown}</td>'


def _bounded(figure: Bounded) -> str:
    return f"{signed(figure.value)}\n{signed(figure.low)} to {signed(figure.high)}"


def _pool(tournament: Tournament) -> Iterator[str]:
    standings = tournament.standings
    rated = tournament.ratings
    if len(standings.names) < 3:
        return
    rows = []
    for number, name in enumerate(standings.names):
        own = standings.of_player(number)
        rating = rated[number] if rated else None
        order = rating.value if rating else own.pairs.score
        faults = sum(own.faults.values())
        shown = _bounded(rating) if rating else "-"
        figures = [shown, f"{own.pairs.score:.1%}", str(own.games), str(faults)]
        rows.append((order, [name, *figures], rating))
    rows.sort(key=lambda row: -row[0])
    heads = ["player", "rating", "score", "games", "lost by fault"]
    yield _table("Ratings (Bradley-Terry, Elo scale)", heads, [row for _, row, _ in rows])
    if rated:
        yield _intervals([(row[0], rating) for _, row, rating in rows if rating])


def _matches(caption: str, tallies: Sequence[Tally], names: Sequence[str]) -> Iterator[str]:
    heads = ["match", "pairs", "score", "Elo", "nElo", "LOS", "LL LD = WD WW", "drawn", "P1 : P2"]
    rows = []
    for each in tallies:
        title = f"{names[each.one]} against {names[each.two]}"
        games = max(1, each.games)
        rows.append(
            [
                f"{title}\n{game_named(each.game).title}" if each.game else title,
                str(each.pairs.total),
                f"{each.score.value:.1%}\n{each.score.low:.1%} to {each.score.high:.1%}",
                _bounded(each.elo),
                _bounded(each.nelo),
                f"{each.los:.1%}",
                " ".join(map(str, each.pairs.pentanomial)),
                f"{each.draw_ratio:.1%}",
                " : ".join(f"{each.sides[side] / games:.1%}" for side in ("p1", "p2")),
            ]
        )
    yield _table(caption, heads, rows)


def _intervals(rows: Sequence[tuple[str, Bounded]]) -> str:
    """Ratings as dots with their intervals, a row a player."""
    ends = [end for _, each in rows for end in each if isfinite(end)]
    low, high = min([*ends, -50.0]), max([*ends, 50.0])
    scale = (_WIDTH - _LABEL - 40) / (high - low)
    height = _ROW * (len(rows) + 1)

    def at(elo: float) -> float:
        return _LABEL + 20 + (elo - low) * scale

    parts = [f'<line x1="{at(0):.1f}" x2="{at(0):.1f}" y1="4" y2="{height - 20}" stroke="#999"/>']
    for number, (name, each) in enumerate(rows):
        y = _ROW * (number + 0.6)
        shown = name if len(name) <= 30 else f"…{name[-29:]}"
        parts += [
            f'<text x="{_LABEL}" y="{y + 4:.0f}" text-anchor="end">{escape(shown)}</text>',
            f'<line x1="{at(each.low):.1f}" x2="{at(each.high):.1f}" y1="{y:.0f}" y2="{y:.0f}" '
            'stroke="#3b82c4" stroke-width="3"/>',
            f'<circle cx="{at(each.value):.1f}" cy="{y:.0f}" r="5" fill="#3b82c4"/>',
        ]
    for elo in (low, 0.0, high):
        label = signed(elo, 0)
        parts.append(f'<text x="{at(elo):.1f}" y="{height}" text-anchor="middle">{label}</text>')
    return _svg(height + 6, "Ratings with 95 % intervals", parts)


def _course(tournament: Tournament) -> Iterator[str]:
    """The LLR over the pairs, between its bounds."""
    test, course = tournament.sprt, tournament.course
    if not test or not course or len(course) < 2:
        return
    low, high = test.bounds
    least = min(low, *(llr for _, llr in course)) - 0.3
    most = max(high, *(llr for _, llr in course)) + 0.3
    height, last = 260, course[-1][0]

    def x(pairs: int) -> float:
        return _AXIS + (_WIDTH - _AXIS - 20) * pairs / last

    def y(llr: float) -> float:
        return 10 + (height - 40) * (most - llr) / (most - least)

    parts = []
    for bound, name in ((low, "H0"), (high, "H1"), (0.0, "")):
        dash = ' stroke-dasharray="6 4"' if name else ""
        parts.append(
            f'<line x1="{_AXIS}" x2="{_WIDTH - 20}" y1="{y(bound):.1f}" y2="{y(bound):.1f}" '
            f'stroke="#999"{dash}/><text x="{_AXIS - 6}" y="{y(bound) + 4:.1f}" text-anchor="end">'
            f"{name} {bound:.2f}</text>"
        )
    points = " ".join(f"{x(pairs):.1f},{y(llr):.1f}" for pairs, llr in [(0, 0.0), *course])
    parts.append(f'<polyline points="{points}" fill="none" stroke="#3b82c4" stroke-width="2"/>')
    parts.append(f'<text x="{_WIDTH - 20}" y="{height}" text-anchor="end">{last} pairs</text>')
    yield _svg(height + 6, "The log-likelihood ratio over the pairs, between its bounds", parts)


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" role="img" '
        f'aria-label="{escape(title)}" color="inherit"><title>{escape(title)}</title>'
        f"{''.join(parts)}</svg>"
    )
