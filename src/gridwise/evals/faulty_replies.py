"""Replies that are wrong in one way each, for a bot in a model's place.

They show that what goes wrong is called by its name: a model that is always cut off has 100 %
`truncated` and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from gridwise.core.position import Position
from gridwise.errors import IllegalMove, UnreadableMove
from gridwise.prompts.prompt_text import MOVE
from gridwise.prompts.skins import Skin


def illegal_reply(position: Position, skin: Skin) -> str:
    """A reply with a move that can be read but is not legal now, in the words of the skin.

    Where there is none, as on an empty board on which any cell can be taken, with a legal one.
    """
    cells = [skin.cell_name(position.board, cell) for cell in skin.cells(position.board)]
    for text in (*skin.words.directions, *cells, *(f"{cell}!" for cell in cells)):
        try:
            skin.read_move(position, text)
        except IllegalMove:
            return f"I see a way.\n{MOVE} {text}\n"
        except UnreadableMove:
            continue
    return f"I see nothing but ways.\n{MOVE} {skin.move_text(position, position.legal[0])}\n"


# By name: what makes a reply, which is a text and why it ended.
FAULTY_REPLIES: dict[str, Callable[[Position, Skin], tuple[str, str]]] = {
    "garbage": lambda *_: ("A fine position! Much can be said for either side.", "stop"),
    "unreadable": lambda *_: (f"I castle.\n{MOVE} O-O-O", "stop"),
    "illegal": lambda position, skin: (illegal_reply(position, skin), "stop"),
    "truncate": lambda *_: ("Let me think about this. First of all, the", "length"),
    "refuse": lambda *_: ("", "content_filter"),
}
