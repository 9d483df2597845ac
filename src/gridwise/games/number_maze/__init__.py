"""Number Maze: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.number_maze import planes, rules, sense, words

GAME = Game(
    key="number-maze",
    title="Number Maze",
    rules=rules,
    words=words,
    sense=sense,
    planes=planes,
    rows=4,
    cols=4,
    example="1324/2132/4213/3421",
    example_moves="right left",
    package=__name__,
    lesson=f"{__name__}.lesson",
)
