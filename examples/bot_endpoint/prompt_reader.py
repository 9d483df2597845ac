"""Reading a prompt back: what our bots do where they stand in for a model.

What a prompt says with labels (`Game:`, `Board:`, `First to move:`, …) is read here: the board as
far as it is known, who began and what was played; replaying that gives the position. So a prompt
must show the moves so far. The skin is known from the title. That this works for every game, form
and skin (`tests/prompts/test_prompt.py`) proves that a prompt says everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.position import Position, start
from gridwise.core.registry import games
from gridwise.core.rng import derive_seed
from gridwise.engine.bots import bot
from gridwise.errors import BadRequest, quoted
from gridwise.evals.rules_questions import MOVE as MOVE_MADE
from gridwise.evals.rules_questions import QUESTION, Kind, RulesQuestion, right_answer
from gridwise.prompts.board_forms import BAR, BLOCKED, HIDDEN, Content, content, holds
from gridwise.prompts.prompt_text import (
    BOARD,
    FIRST,
    GAME,
    HANDICAP,
    HISTORY,
    MOVE,
    POINTS,
    Prompt,
)
from gridwise.prompts.skins import PLAIN, Skin, every_skin, skin_named
from gridwise.prompts.vocabulary import NONE, Words

_SIZE = re.compile(r"(\d{1,2}) x (\d{1,2})", re.ASCII)
_MOVE = re.compile(r"(\d{1,5})\. (.+)", re.ASCII)


class ReadPrompt(NamedTuple):
    """What a prompt says."""

    position: Position
    skin: Skin


def read_prompt(text: Prompt | str) -> Position:
    """The position that a prompt shows; raises BadRequest if it does not show the moves so far.

    Of a longer text, such as a whole conversation, the last position counts.
    """
    return read_question(text).position


def read_question(text: Prompt | str) -> ReadPrompt:
    """The position of a prompt, and the skin in which an answer has to be written."""
    text = text.user if isinstance(text, Prompt) else text
    asked = text[max(text.rfind(f"\n{GAME}: ") + 1, 0) :].splitlines()
    title = _labelled(asked, GAME)
    skin = _skin_titled(title)
    board = _board(asked, skin)
    first = 1 + skin.words.players.index(_labelled(asked, FIRST, skin.words.players))
    position = start(skin.game, skin.game.check_board(board), first)
    for move in _moves(asked):
        who, _, played = move.partition(": ")
        if who not in skin.words.players:
            raise BadRequest(f"The prompt names a player {quoted(who)} whom nobody knows.")
        position = position.play(skin.read_move(position, played), board)
    return ReadPrompt(position, skin)


def _labelled(lines: list[str], label: str, choices: tuple[str, ...] = ()) -> str:
    """What comes after a label, which must be there."""
    found = next((line for line in lines if line.startswith(f"{label}: ")), "")
    value = found.removeprefix(f"{label}: ").strip()
    if not value or (choices and value not in choices):
        raise BadRequest(f"The prompt has no line {quoted(label + ': …')} that can be read.")
    return value


def _skin_titled(title: str) -> Skin:
    """The skin that shows a game under this title."""
    for game in games():
        if title == game.title:
            return skin_named(game, PLAIN)
    for game in games():
        for each in every_skin(game):
            if title == each.title:
                return each
    raise BadRequest(f"There is no game {quoted(title)}.")


def _board(lines: list[str], skin: Skin) -> Board:
    """The board as it was dealt, as far as it is known."""
    game = skin.game
    size = _SIZE.fullmatch(_labelled(lines, BOARD))
    if size is None:
        raise BadRequest("The prompt's board has no size that can be read.")
    rows, cols = skin.orientation.size(int(size[1]), int(size[2]))
    target = _number(lines, POINTS) if game.target else 0
    empty = Board(rows, cols, (0,) * (rows * cols), target, _number(lines, HANDICAP))
    held, known = _contents(lines, skin, empty), contents(game)
    if len(held) != empty.size or not all(each in known for each in held):
        raise BadRequest("The prompt's board cannot be read.")
    values = dict(zip(skin.cells(empty), (known[each] for each in held), strict=True))
    return empty.with_cells(values[cell] for cell in range(empty.size))


def _number(lines: list[str], label: str) -> int:
    """A number after a label; 0 if it is not there."""
    found = next((line for line in lines if line.startswith(f"{label}: ")), "")
    value = found.removeprefix(f"{label}: ").strip()
    return int(value) if re.fullmatch(r"\d{1,4}", value, re.ASCII) else 0


def _contents(lines: list[str], skin: Skin, empty: Board) -> list[Content]:
    """What the displayed cells hold, in whichever form the board has."""
    at = next(number for number, line in enumerate(lines) if line.startswith(f"{BOARD}: "))
    below = lines[at + 1 :]
    end = below.index("") if "" in below else len(below)
    form = below[:end]
    if form and form[0].startswith("{"):
        return read_json(form, skin.words)
    if any(line.startswith("|") for line in form):
        return read_grid(form)
    names = [skin.cell_name(empty, cell) for cell in skin.cells(empty)]
    return read_sentences(form, names, [*contents(skin.game)], skin.words)


def _moves(lines: list[str]) -> list[str]:
    """The moves so far, each as `Player 1: 0,1`."""
    if f"{HISTORY}: {NONE}" in lines:
        return []
    if f"{HISTORY}:" not in lines:
        raise BadRequest("The prompt does not show the moves so far, so it cannot be read back.")
    moves: list[str] = []
    for line in lines[lines.index(f"{HISTORY}:") + 1 :]:
        played = _MOVE.fullmatch(line)
        if played and int(played[1]) == len(moves) + 1:
            moves.append(played[2])
        elif not line.startswith("("):
            break
    return moves


# The board, in its three forms


@lru_cache(maxsize=64)
def contents(game: Game) -> dict[Content, int]:
    """What cells of a game can hold, each with the value that a board has for it."""
    low, high = game.rules.LOW, game.rules.HIGH
    board = Board(game.rows, game.cols, (low,) * (game.rows * game.cols), game.target)
    middle, found = board.size // 2, {}
    for value in (*([0] if game.has_hidden_cells else []), *range(low, high + 1)):
        cells = (*board.cells[:middle], value, *board.cells[middle + 1 :])
        changed = board.with_cells(cells)
        seen = game.text.cell_views(changed, game.rules.start(changed, 1))[middle]
        found[content(seen)] = value
    return found


def read_grid(lines: Sequence[str]) -> list[Content]:
    """The cells of a drawn board, row by row."""
    rows = [line.strip().strip(BAR).split(BAR) for line in lines if line.strip().startswith(BAR)]
    return [_read_grid_cell(text) for row in rows[1:] for text in row[1:]]


def _read_grid_cell(text: str) -> Content:
    shown = (text.split() or [""])[0]
    if shown.isdecimal():
        return Content(int(shown))
    return Content(0, blocked=shown == BLOCKED, hidden=shown == HIDDEN)


def read_sentences(
    lines: Sequence[str], names: Sequence[str], held: Sequence[Content], words: Words
) -> list[Content]:
    """The cells with these names, from lines that say what they hold."""
    could_say = {holds(name, each, words): (name, each) for name in names for each in held}
    found: dict[str, Content] = {}
    for line in lines:
        # What a cell holds is its line's first sentence; a theme's noun may have a full stop in it.
        for end in (at + 1 for at, char in enumerate(line) if char == "."):
            if line[:end] in could_say:
                name, each = could_say[line[:end]]
                found[name] = each
                break
    return [found[name] for name in names if name in found]


def read_json(lines: Sequence[str], words: Words) -> list[Content]:
    """The cells of a board in JSON, row by row."""
    nouns = words.nouns
    try:
        rows = json.loads("\n".join(lines))["rows"]
        return [
            Content(
                int(cell.get(nouns.number, 0)),
                blocked=bool(cell.get(nouns.blocked)),
                hidden=bool(cell.get(nouns.hidden)),
            )
            for row in rows
            for cell in row
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadRequest("The prompt's board is not the JSON that we write.") from None


# Answers


def read_rules_question(text: str) -> RulesQuestion | None:
    """The question that a conversation asks; None if it asks for something else."""
    asked = text[text.rfind(f"\n{QUESTION}: ") + 1 :].splitlines()
    kind = asked[0].removeprefix(f"{QUESTION}: ") if asked else ""
    if kind not in [*Kind] or not asked[0].startswith(f"{QUESTION}: "):
        return None
    position, skin = read_question(text)
    if Kind(kind) is Kind.LEGAL_MOVES:
        return RulesQuestion(Kind.LEGAL_MOVES, position, skin)
    move = next(line for line in asked if line.startswith(f"{MOVE_MADE}: "))
    action = skin.read_move(position, move.removeprefix(f"{MOVE_MADE}: "))
    return RulesQuestion(Kind.NEXT_POSITION, position, skin, action)


def bot_reply(asked: str, level: str, seed: int | str = 0) -> str:
    """A reply to what was asked; raises BadRequest for what asks for no move of ours.

    The same question and seed get the same reply, whatever was asked before.
    """
    question = read_rules_question(asked)
    if question:
        return right_answer(question)
    position, skin = read_question(asked)
    player = bot(position.game, level, derive_seed(f"{seed} {asked}", "speaker"))
    move = skin.move_text(position, player.choose(position))
    return f"This is what bot:{level} would play.\n{MOVE} {move}\n"
