"""Second questions: what a page has to ask about a move before it can be made.

Where a cell stands for two moves, such as a step and the same step with a challenge, the game's
words say what to ask. A page asks it in place.
"""

from __future__ import annotations

from typing import Any

from gridwise.core.game import Position


def questions(position: Position) -> list[dict[str, Any]]:
    """What is to be asked, by the cell that the move goes to; nothing once the game is over."""
    game, board, state = position[:3]
    words = game.words
    asked = {}
    for action in game.legal_actions(board, state):
        question = words.question(board, state, action)
        if question:
            cell = words.NOTATION.cell_name(board, words.target(board, state, action))
            asked[cell] = {
                "cell": cell,
                "lead": question.lead,
                "prompt": question.prompt.strip(),
                "answers": {
                    answer: words.action_name(board, state, meant)
                    for answer, meant in question.answers.items()
                },
            }
    return list(asked.values())
