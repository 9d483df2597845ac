"""Number Run: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.number_run import handicap, planes, rules, sense, words

GAME = Game(
    key="number-run",
    title="Number Run",
    rules=rules,
    words=words,
    sense=sense,
    planes=planes,
    handicap=handicap,
    rows=5,
    cols=5,
    example="31425/25134/42513/14252/53142",
    example_moves="0,1 3,4 1,1 3,3 1,2 2,3",
    package=__name__,
    lesson=f"{__name__}.lesson",
    proof=f"{__name__}.proof",
)
