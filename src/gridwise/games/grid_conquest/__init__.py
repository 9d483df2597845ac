"""Grid Conquest: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.grid_conquest import rules, sense, words

GAME = Game(
    key="grid-conquest",
    title="Grid Conquest",
    rules=rules,
    words=words,
    sense=sense,
    rows=5,
    cols=5,
    target=15,
    coin_toss=True,
    hides=True,
    smallest=1,
    example="?????/?????/?????/?????/?????",
    package=__name__,
)
