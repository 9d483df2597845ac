"""Tic-tac-toe: a game that lives outside the package. docs/adding-a-game.md explains its files.

python -m gridwise.testing examples/tic_tac_toe                      # does it keep the contract?
gridwise --game-module examples/tic_tac_toe play tic-tac-toe         # any command, with this game
"""

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from tic_tac_toe import rules, text

GAME = Game(
    key="tic-tac-toe",
    title="Tic-tac-toe",
    rules=rules,
    text=complete_text(text),
    rows=3,
    cols=3,
)
