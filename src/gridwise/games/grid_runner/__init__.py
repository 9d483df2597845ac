"""Grid Runner: one folder, one game."""

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.games.grid_runner import handicap, heuristic, planes, reasons, rules, text
from gridwise.games.grid_runner.layout import layout

GAME = Game(
    key="grid-runner",
    title="Grid Runner",
    rules=rules,
    text=complete_text(text),
    heuristic=heuristic,
    planes=planes,
    reasons=reasons,
    handicap=handicap,
    rows=5,
    cols=5,
    glyphs="?.X",
    fixed="..X../...../X.X.X/...../..X..",
    layout=layout,
    example_moves="right left down up",
    package=__name__,
)
