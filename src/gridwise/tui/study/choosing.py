"""A move from a cell that was chosen on a board."""

from __future__ import annotations

from gridwise.core.position import Position
from gridwise.tui.widgets.board import BoardView
from gridwise.tui.widgets.dialogs import ESCAPED, AskScreen


async def chosen_move(board: BoardView, position: Position, cell: int) -> int | None:
    """The action that goes to a cell, with its second question asked; None if it was taken back.

    Raises MoveError, which says why, if none goes there. For a worker: the question takes time.
    """
    actions = position.view.cells[cell].actions
    action = actions[0] if actions else position.read(position.cell_name(cell))
    question = position.question(action)
    if question is None:
        return action
    dialog = AskScreen(question.text, question.labels, near=board.cell_region(cell))
    answer = await board.app.push_screen_wait(dialog)
    return None if answer == ESCAPED else list(question.answers.values())[answer]
