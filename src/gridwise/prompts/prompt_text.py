"""The prompt: a position in words, for a language model that is to move.

    prompt(position, Conditions(board="json", skin="theme+turned"))

The system part has the rules and says how to answer; the user part has the position, from the side
of the player to move. It is made from what can be seen, so nothing that is face down is in it.

A prompt that shows the moves so far says everything: `examples/bot_endpoint/prompt_reader.py` reads
the position back from what is said with labels (`Game:`, `Board:`, `First to move:`, …).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position, replay, start
from gridwise.core.view import View
from gridwise.errors import BadRequest
from gridwise.prompts.board_forms import FORMS
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import Skin, skin_named
from gridwise.prompts.vocabulary import NONE, SEPARATOR

GAME = "Game"
FIRST = "First to move"
POINTS = "Points to reach"
HANDICAP = "Handicap"
BOARD = "Board"
HISTORY = "Moves so far"
LEGAL = "Legal moves"
UNKNOWN = "not known"
MOVE = "MOVE:"  # what the last line of a reply begins with


class Prompt(NamedTuple):
    """What a model is asked with."""

    system: str  # the rules, and how to answer
    user: str  # the position

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as a list of chat messages."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    def __str__(self) -> str:
        return f"{self.system}\n\n{self.user}"


DEFAULT = Conditions()


def prompt(position: Position, conditions: Conditions = DEFAULT, **given: object) -> Prompt:
    """The question for a move in this position, as an evaluation asks it; `str` of it is the text.

    Single conditions can be given by their names: `prompt(position, board="json")`. Raises
    BadRequest if the game is over; `position_text` describes it then.
    """
    if given:
        conditions = Conditions.read(**{**conditions.to_dict(), **given})
    if position.outcome:
        raise BadRequest("The game is over: there is no move to ask for.")
    skin = skin_named(position.game, conditions.skin)
    asked = [*_position_lines(position, conditions, skin, position.turn)]
    if conditions.legal_moves == "shown":
        asked.append(legal_line(position, skin))
    asked += ["", f"It is your turn. End your reply with one line: {MOVE} and your move."]
    return Prompt(system_text(position, conditions), "\n".join(asked))


def system_text(position: Position, conditions: Conditions = DEFAULT) -> str:
    """The rules, and how to answer."""
    skin, board = skin_named(position.game, conditions.skin), position.board
    return "\n".join(
        [
            f"You are playing {skin.words.title}, a game for two players.",
            "",
            rules_text(position, conditions),
            "",
            "How to answer",
            skin.answer(board),
            "Think as long as you like. The last line of your reply must be your move, like this:",
            f"{MOVE} your move",
            "Only that line counts. A move that is not legal is not played.",
        ]
    )


def rules_text(position: Position, conditions: Conditions = DEFAULT) -> str:
    """The rules for the board of a position, with when a game is stopped and any head start."""
    skin = skin_named(position.game, conditions.skin)
    parts = [skin.rules(position.board, short=conditions.rules == "short")]
    if position.game.cyclic:
        parts.append(
            f"A game that is still going on after {MAX_PLIES} moves, those of both sides counted, "
            "is stopped: nobody has won, and each side gets half a point."
        )
    if position.board.handicap:
        parts.append(f"One thing is different in this game: {_head_start(position, skin)}")
    return "\n\n".join(parts)


def position_text(
    position: Position, conditions: Conditions = DEFAULT, player: int | None = None
) -> str:
    """The position from the side of a player (the one to move, or 1), without a question.

    A game that is over can be described as well.
    """
    skin = skin_named(position.game, conditions.skin)
    return "\n".join(_position_lines(position, conditions, skin, player or position.turn or 1))


def legal_line(position: Position, skin: Skin) -> str:
    """The legal moves in one line."""
    return f"{LEGAL}: {SEPARATOR.join(skin.legal_moves(position).values())}"


def _position_lines(
    position: Position, conditions: Conditions, skin: Skin, player: int
) -> Iterator[str]:
    view, words = skin.show(position), skin.words
    mine, theirs = words.players[player - 1], words.players[2 - player]
    yield f"{GAME}: {skin.title}"
    yield f"You are {mine}. Your opponent is {theirs}."
    yield f"{FIRST}: {words.players[position.first - 1]}"
    yield from _settings(position, skin)
    yield ""
    yield f"{BOARD}: {view.rows} x {view.cols}"
    yield from FORMS[conditions.board](view, words)
    yield ""
    yield from _facts(position, view, skin, player)
    if conditions.history == "shown":
        yield ""
        yield from _history(position, skin)
    if position.outcome:
        winner = position.outcome.winner
        won = f"{words.players[winner - 1]} has won" if winner in (1, 2) else "Nobody has won"
        yield f"The game is over. {won}."


def _settings(position: Position, skin: Skin) -> Iterator[str]:
    """What was agreed before the first move: the points to reach, a head start."""
    board = position.board
    if board.target:
        yield f"{POINTS}: {board.target}"
    if board.handicap:
        yield f"{HANDICAP}: {board.handicap}"
        yield f"({_head_start(position, skin)})"


def _head_start(position: Position, skin: Skin) -> str:
    """Where Player 2 began, and with how many points, in a game with a handicap."""
    board = position.board
    begun = start(position.game, board, position.first).bare_cells
    where = next(cell for cell, seen in enumerate(begun) if seen.token == 2)
    name, who = skin.cell_name(board, where), skin.words.players[1]
    return f"{who} began on {name}, with the {skin.words.nouns.score} {board.handicap}."


def _facts(position: Position, view: View, skin: Skin, player: int) -> Iterator[str]:
    """Where everything is and how it stands, from the side of a player."""
    nouns = skin.words.nouns
    for side, whose, by in (
        (player, "Your", "you"),
        (3 - player, "Your opponent's", "your opponent"),
    ):
        for cell in view.cells:
            if cell.token == side:
                number = f" ({nouns.number} {cell.value})" if cell.value else ""
                yield f"{whose} {nouns.token}: {cell.name}{number}"
        goal = position.objective(side).goal
        if goal >= 0:
            start = position.board.starts[side]
            yield f"{whose} {nouns.start}: {skin.cell_name(position.board, start)}"
            yield f"{whose} {nouns.goal}: {skin.cell_name(position.board, goal)}"
        for label, cells in (
            (nouns.visited, [cell.name for cell in view.cells if side in cell.visited]),
            (nouns.claimed, [cell.name for cell in view.cells if cell.owner == side]),
        ):
            if cells:
                yield f"{label[:1].upper()}{label[1:]} by {by}: {SEPARATOR.join(cells)}"
        if view.scores:
            have = position.objective(side)
            need = f" of {have.need}" if have.need else ""
            yield f"{whose} {nouns.score}: {view.scores[side - 1]}{need}"


def _history(position: Position, skin: Skin) -> Iterator[str]:
    """The moves of both players, and who had to pass."""
    players = skin.words.players
    turns = [*replay(position.game, position.board, position.first, position.history)]
    if turns[-1].state != position.state:  # made from a state of the rules, not by playing
        yield f"{HISTORY}: {UNKNOWN}"
        return
    if not position.history:
        yield f"{HISTORY}: {NONE}"
        return
    yield f"{HISTORY}:"
    for number, action in enumerate(position.history, 1):
        before, after = turns[number - 1], turns[number]
        yield f"{number}. {players[before.turn - 1]}: {skin.move_text(before, action)}"
        if after.turn == before.turn:
            yield f"({players[2 - before.turn]} could not move and passed.)"
