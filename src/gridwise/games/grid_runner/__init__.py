"""Grid Runner: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.grid_runner import handicap, planes, rules, sense, words

GAME = Game(
    key="grid-runner",
    title="Grid Runner",
    rules=rules,
    words=words,
    sense=sense,
    planes=planes,
    handicap=handicap,
    rows=5,
    cols=5,
    glyphs="?.X",
    fixed="..X../...../X.X.X/...../..X..",
    example_moves="right left down up",
    package=__name__,
    lesson=f"{__name__}.lesson",
    proof=f"{__name__}.proof",
)
