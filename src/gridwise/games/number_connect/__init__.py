"""Number Connect: one folder, one game."""

from gridwise.core.defaults import complete_text, max_claims
from gridwise.core.game import Game
from gridwise.games.number_connect import heuristic, planes, reasons, rules, text

GAME = Game(
    key="number-connect",
    title="Number Connect",
    rules=rules,
    text=complete_text(text),
    heuristic=heuristic,
    planes=planes,
    reasons=reasons,
    max_plies=max_claims,
    passes=True,
    rows=4,
    cols=4,
    target=15,
    smallest=1,
    example="4152/6371/2845/9162",
    example_moves="0,0 0,3 0,1 1,3 1,0 0,2",
    package=__name__,
)
