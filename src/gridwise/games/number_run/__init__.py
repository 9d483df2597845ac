"""Number Run: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.number_run import rules, words

GAME = Game(
    key="number-run",
    title="Number Run",
    rules=rules,
    words=words,
    rows=5,
    cols=5,
    example="31425/25134/42513/14252/53142",
    package=__name__,
    proof=f"{__name__}.proof",
)
