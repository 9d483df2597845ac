"""Grid Conquest: one folder, one game."""

from gridwise.core.game import Game
from gridwise.games.grid_conquest import planes, rules, sense, words

GAME = Game(
    key="grid-conquest",
    title="Grid Conquest",
    rules=rules,
    words=words,
    sense=sense,
    planes=planes,
    rows=5,
    cols=5,
    target=15,
    coin_toss=True,
    hides=True,
    smallest=1,
    example="?????/?????/?????/?????/?????",
    example_moves="C3 D4 D3 A1 B2",
    example_deal="53152/24251/43453/31523/22214",
    package=__name__,
    lesson=f"{__name__}.lesson",
)
