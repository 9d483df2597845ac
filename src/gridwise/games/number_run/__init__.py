"""Number Run: one folder, one game."""

from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from gridwise.games.number_run import handicap, heuristic, planes, reasons, rules, text

GAME = Game(
    key="number-run",
    title="Number Run",
    rules=rules,
    text=complete_text(text),
    heuristic=heuristic,
    planes=planes,
    reasons=reasons,
    # Both use up all cells but the two starts, one of them in advance with a handicap; then one
    # makes a last move.
    max_plies=lambda board: 2 * (board.size - 2) + (not board.handicap),
    handicap=handicap,
    rows=5,
    cols=5,
    example="31425/25134/42513/14252/53142",
    example_moves="0,1 3,4 1,1 3,3 1,2 2,3",
    package=__name__,
)
