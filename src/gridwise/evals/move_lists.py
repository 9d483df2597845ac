"""Reading a list of moves, in every form that is clear to a person, and in no other.

    0,1; 1,0      0,1, 1,0      (0,1), (1,0)      0,1 and 1,0      ["0,1", "1,0"]

or one a line, with or without bullets, each move as in a `MOVE:` line. Commas separate moves, and
belong to moves where cells have two coordinates: whatever can be read in two ways is not read at
all. The list ends where a line has something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice, product
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.errors import IllegalMove, NoSuchCell, UnreadableMove, quoted
from gridwise.prompts.move_line import ENDS, ITEM, MAX_LENGTH, plain_text, read_line
from gridwise.prompts.reply import says
from gridwise.prompts.skins import Skin
from gridwise.prompts.vocabulary import NONE

MAX_ITEMS = 200  # moves in a list that are looked at; no position of ours has as many
_BRACKETED = re.compile(r"\[[^\[\]]{0,200}\]")  # perhaps over several lines, as JSON can have it
# Spaces are single by then. Between brackets there need not be anything.
_BETWEEN = re.compile(r"[;|/&]|,? (?:and|or) |(?<=[)\]]) ?,? ?(?=[(\[])")
_Read = Callable[[str], int | None]


class MoveList(NamedTuple):
    """What a text lists: legal actions, and moves that can be read but are not legal now."""

    legal: frozenset[int] = frozenset()
    wrong: tuple[str, ...] = ()
    problem: str = ""  # why it cannot be read as a list of moves: of its form, not of what is right


def read_move_list(text: str, position: Position, skin: Skin) -> MoveList:
    """The moves at the beginning of a text."""
    flat = _BRACKETED.sub(lambda group: " ".join(group[0].split()), text)
    moves: dict[str, int | None] = {}
    as_in_play = partial(_action, partial(skin.read_move, position))
    as_replied = partial(_action, partial(read_line, skin, position))
    begun = bulleted = gap = ended = False
    for line in islice(flat.splitlines(), 2 * MAX_ITEMS):
        if not says(line):
            gap = begun
            continue
        bullet = bool(ITEM.match(line))
        bare = " ".join(plain_text(ITEM.sub("", line, 1)).split())
        bulleted = bulleted or (bullet and not begun)
        # Any line after the list may speak of a move.
        reads = [as_in_play, as_replied] if not begun or (bullet and bulleted) else [as_in_play]
        try:
            found = _line_moves(bare, reads)
        except UnreadableMove as error:
            meant = bullet or _begins_with_move(bare, as_in_play)
            if not begun or (meant and not (gap or ended)):
                return MoveList(problem=str(error))
            ended = True
            continue
        if ended:
            return MoveList(problem="The list of moves goes on after something else.")
        moves |= found
        begun = True
    if not begun:
        return MoveList(problem="There is no list of moves.")
    legal = frozenset(action for action in moves.values() if action is not None)
    return MoveList(legal, tuple(name for name, action in moves.items() if action is None))


def _line_moves(line: str, reads: Sequence[_Read]) -> dict[str, int | None]:
    """The moves of a line that has nothing else; raises UnreadableMove."""
    if line.strip(ENDS).casefold() == NONE:
        return {}
    parts = [part for part in _BETWEEN.split(line) if part.strip(ENDS)]
    found: dict[str, int | None] = {"…": None} if len(parts) > MAX_ITEMS else {}
    for part in dict.fromkeys(parts[:MAX_ITEMS]):
        found |= _part_moves(part, reads)
    return found


def _part_moves(part: str, reads: Sequence[_Read]) -> dict[str, int | None]:
    """The moves of a part without semicolons and the like, if it can be read in one way."""
    problems: list[UnreadableMove] = []
    for read, ways in product(reads, (_with_commas(part), _with_spaces(part))):
        readings: list[dict[str, int | None]] = []
        for pieces in ways:
            several = dict.fromkeys(pieces[:MAX_ITEMS])
            try:
                found = {"".join(each.split()): read(each) for each in several}
            except UnreadableMove as error:
                problems.append(error)
                continue
            if found not in readings:
                readings.append(found | ({"…": None} if pieces[MAX_ITEMS:] else {}))
        if len(readings) > 1:
            raise UnreadableMove(f"{quoted(part)} can be read in more than one way.")
        if readings:
            return readings[0]
    raise problems[0]


def _with_commas(part: str) -> list[list[str]]:
    """How a part may be meant: one move, or moves between commas, or every other comma."""
    commas = [piece.strip(ENDS) for piece in part.strip(ENDS).split(",")]
    pairs = [f"{one},{two}" for one, two in zip(commas[::2], commas[1::2], strict=False)]
    return [[part.strip(ENDS)], commas, *([pairs] if len(commas) % 2 == 0 else [])]


def _with_spaces(part: str) -> list[list[str]]:
    """The same between spaces; what is in brackets is a remark."""
    return [] if "(" in part.strip(ENDS) else [[piece.strip(ENDS) for piece in part.split()]]


def _action(read: _Read, text: str) -> int | None:
    """The action that a text means; None for a move that is not legal, or off the board."""
    if len(text) > MAX_LENGTH:
        raise UnreadableMove(f"{quoted(text)} is too long for a move.")
    try:
        return read(text)
    except (IllegalMove, NoSuchCell):
        return None


def _begins_with_move(line: str, read: _Read) -> bool:
    words = line.split()[:3]
    for count in range(1, len(words) + 1):
        try:
            read(" ".join(words[:count]).strip(ENDS))
        except UnreadableMove:
            continue
        return True
    return False
