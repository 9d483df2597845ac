"""Sample Game: one folder, one game. `GAME` puts its parts together."""

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.testing.sample_game import heuristic, rules, text

GAME = Game(
    key="sample-game",
    title="Sample Game",
    rules=rules,
    text=complete_text(text),
    heuristic=heuristic,
    rows=4,
    cols=4,
    target=12,
)
