"""The leaderboard as one HTML page: tables and plots, and nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gridwise.evals.report.leaderboard import Leaderboard
from gridwise.evals.report.plots import plots
from gridwise.evals.report.tables import Table, footnote, tables

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --faint: #d8d8dc; --soft: #6b6b70; --paper: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececee; --faint: #3a3a3e; --soft: #a0a0a6; --paper: #17171a }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--faint); text-align: right;
  white-space: nowrap }
th:first-child, td:first-child { text-align: left }
h1 { font-size: 1.7rem; line-height: 1.2 } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
svg { width: 100%; min-width: 34rem; max-width: 40rem; height: auto; display: block }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink) }
svg .rule { stroke: var(--faint) } svg .anchor { stroke: var(--soft); stroke-dasharray: 3 3 }
svg .empty { fill: none; stroke: var(--faint) }
p { color: var(--soft) }
"""


def as_html(board: Leaderboard) -> str:
    """The page."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<title>Gridwise: language models</title>",
        f"<style>{STYLE}</style></head><body>",
        "<h1>Gridwise: language models</h1>",
    ]
    first, *others = tables(board)
    parts += [_table(first), f"<p>{escape(footnote(board))}</p>"]
    for title, svg in plots(board):
        parts.append(f'<h2>{escape(title)}</h2>\n<div class="wide">{svg}</div>')
    parts += [_table(table) for table in others]
    return "\n".join([*parts, "</body></html>", ""])


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    body = "\n".join(f"<tr>{_cells(row)}</tr>" for row in table.rows)
    return (
        f"<h2>{escape(table.title)}</h2>\n"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(row: Sequence[str]) -> str:
    name, *rest = row
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
    return f'<th scope="row">{escape(name)}</th>{cells}'
