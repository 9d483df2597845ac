"""Number Connect: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.number_connect import rules, sense, words

GAME = Game(
    key="number-connect",
    title="Number Connect",
    rules=rules,
    words=words,
    sense=sense,
    rows=4,
    cols=4,
    target=15,
    smallest=1,
    example="4152/6371/2845/9162",
    package=__name__,
)
