"""Number Maze: one folder, one game."""

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.games.number_maze import heuristic, planes, reasons, rules, text

GAME = Game(
    key="number-maze",
    title="Number Maze",
    rules=rules,
    text=complete_text(text),
    heuristic=heuristic,
    planes=planes,
    reasons=reasons,
    rows=4,
    cols=4,
    example="1324/2132/4213/3421",
    example_moves="right left",
    package=__name__,
)
