"""Grid Conquest: one folder, one game."""

from gridwise.core.defaults import complete_text, max_claims
from gridwise.core.game import Game
from gridwise.games.grid_conquest import heuristic, planes, reasons, rules, text

GAME = Game(
    key="grid-conquest",
    title="Grid Conquest",
    rules=rules,
    text=complete_text(text),
    heuristic=heuristic,
    planes=planes,
    reasons=reasons,
    max_plies=max_claims,
    rows=5,
    cols=5,
    target=15,
    coin_toss=True,
    has_hidden_cells=True,
    smallest=1,
    example="?????/?????/?????/?????/?????",
    example_moves="C3 D4 D3 A1 B2",
    example_deal="53152/24251/43453/31523/22214",
    package=__name__,
)
