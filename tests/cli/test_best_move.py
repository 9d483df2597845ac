"""One best move: hint, review and analyze name the same one."""

from __future__ import annotations

import re
from pathlib import Path

from .program import RUN_BOARD, gridwise

# Player 1 can win in 5 plies with 2,2 and in 9 with 1,3 or a challenge; 0,2 loses.
MOVES = ("0,1", "3,4", "1,1", "3,3", "1,2", "2,3")
BEST, BLUNDER = "2,2", "0,2"


def test_hint_review_and_analyze_name_the_same_best_move(home: Path) -> None:
    """The fastest win, in one's own moves: three."""
    file = home / "game.gwr"
    played = gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--record", file),
        home=home,
        typed=[*MOVES, "hint", BLUNDER, "quit"],
    )
    assert re.findall(r"^Consider (\S+): (.+)", played.out, re.MULTILINE) == [
        (BEST, "you can force a win in 3 moves.")
    ]
    reviewed = gridwise("review", file, home=home)
    assert re.search(rf"^ +7 Player 1 +{BLUNDER}\?\? .* {BEST}$", reviewed.out, re.MULTILINE)
    assert f"Move 7, Player 1: {BEST} wins in 3 moves; {BLUNDER} loses" in reviewed.out
    analyzed = gridwise(
        *("analyze", "number-run", "--board", RUN_BOARD, "--moves", " ".join(MOVES)), home=home
    )
    assert "\nPlayer 1 wins in 3 moves.\n" in analyzed.out
    starred = re.findall(r"^\* (\S+) +(wins|loses) in (\d+)", analyzed.out, re.MULTILINE)
    assert starred == [(BEST, "wins", "3")]
