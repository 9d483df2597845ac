"""Nim, as somebody else might write it for Gridwise; tests put it into a folder of its own.

Three heaps in a row; a move takes some from one of them, and who takes the last wins. The heaps are
numbers in the state, and the default planes show three bits of each, as the board has three cells.
"""

FILES = {
    "__init__.py": """
from gridwise.core.defaults import complete_text
from gridwise.core.game import Game
from nim_heaps import rules, text

GAME = Game("nim", "Nim", rules, complete_text(text), rows=1, cols=3)
""",
    "rules.py": """
from typing import NamedTuple

ACTIONS = 27  # 9 * heap + how many to take - 1
LOW, HIGH = 1, 9
CYCLIC = False


class State(NamedTuple):
    turn: int
    one: int
    two: int
    three: int


def start(board, first):
    return State(first, board.cells[0], board.cells[1], board.cells[2])


def moves(board, state):
    legal = 0
    for heap in range(3):
        legal |= ((1 << state[heap + 1]) - 1) << 9 * heap
    return legal


def play(board, state, action):
    heap, taken = action // 9, action % 9 + 1
    turn, one, two, three = state
    if heap == 0:
        one -= taken
    elif heap == 1:
        two -= taken
    else:
        three -= taken
    return State(3 - turn, one, two, three)


def winner(board, state):
    return 0 if moves(board, state) else 3 - state.turn


def hidden(board, state):
    return 0
""",
    "text.py": """
from gridwise.core.contracts import Ending
from gridwise.core.notation import RowColumn, tidy
from gridwise.core.outcome import Termination
from gridwise.core.view import CellView, Drawing
from gridwise.errors import UnreadableMove

NOTATION = RowColumn(base=1)
DRAWING = Drawing("boxes", width=3)
SUMMARY = "Take the last."
HELP = "Type the heap, a letter, and how many to take: a3."


def board_problem(board):
    return "" if (board.rows, board.cols) == (1, 3) else "Nim has three heaps in one row."


def action_name(board, state, action):
    return f"{'abc'[action // 9]}{action % 9 + 1}"


def parse_action(board, state, text):
    typed = tidy(text)
    if len(typed) == 2 and typed[0] in "abc" and typed[1] in "123456789":
        return 9 * "abc".index(typed[0]) + int(typed[1]) - 1
    raise UnreadableMove("Type a heap and a number, like a3.")


def target(board, state, action):
    return action // 9


def why_not(board, state, action):
    return "The heap has fewer."


def prompt(board, state):
    return f"Player {state.turn}, take some: "


def ending(board, state):
    return Ending(Termination.NO_MOVES, "took the last", [f"Player {3 - state.turn} wins."])


def cell_views(board, state):
    return [CellView(heap, str(heap), "") for heap in state[1:]]
""",
}
