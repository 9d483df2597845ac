"""Tic-tac-toe: a game that lives outside the package. docs/adding-a-game.md explains its files.

cd examples
python -m gridwise.testing tic_tac_toe      # does it keep the contract?
python -m tic_tac_toe play tic-tac-toe      # every command of gridwise, with this game in it
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
