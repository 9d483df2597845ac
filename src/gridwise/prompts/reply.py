"""Reading a model's reply: its move is in the last line that has `MOVE:`, or there is none.

A reply is read forgivingly, as in play: case, brackets, quotation marks, Markdown and the digits of
other languages do not matter. A move is never guessed and never replaced by another one. What can
go wrong has a name of its own (Failure), because it says something else about a model.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.errors import IllegalMove, UnreadableMove, printable, quoted
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import skin_named


class Failure(StrEnum):
    """What can go wrong with a reply."""

    NO_MOVE = "no-move"  # no line has a move
    UNREADABLE = "unreadable"  # it has one, but that is no move of this game
    ILLEGAL = "illegal"  # a move, but not one that the rules allow now
    TRUNCATED = "truncated"  # the reply was cut off before its move
    REFUSED = "refused"  # the provider or the model's safeguards stopped it
    FAILED = "failed"  # there was no reply: the provider failed. Never a lost game


class Reply(NamedTuple):
    """What a reply comes to: a legal action, or a failure with its reason."""

    action: int | None
    move: str  # the move as the skin writes it, or as far as there was one what was written
    failure: Failure | None
    reason: str  # what was wrong, in a sentence for the model; empty if nothing was


# How providers say why a reply ended: OpenAI's words, Anthropic's, Inspect's.
CUT_OFF = frozenset({"length", "max_tokens", "model_length"})
REFUSALS = frozenset({"content_filter", "refusal", "refused"})

# Bounded repeats: a megabyte of it is read in linear time.
_MOVE_LABEL = re.compile(r"(?<![^\W_])MOVE[\s*_`\"'~]{0,8}:", re.IGNORECASE)
_LINE_END = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_AROUND = " \t\u200b\ufeff*_`\"'~“”«»„\u2018\u2019\\${}"
_COMMAS = str.maketrans("،、", ",,")
_MAX_MOVE_LENGTH = 80  # of a move in a reply. The longest of ours is "(63,1)!"; notation reads 200


def read_reply(
    text: str, position: Position, conditions: Conditions | None = None, *, stop: str = "stop"
) -> Reply:
    """The move in a reply to the prompt of a position, or what is wrong with it.

    `stop` is why the reply ended, as the provider says. A reply that was cut off has a move only if
    its line was complete and the last one: what would have come after it, nobody knows.
    """
    if stop in REFUSALS:
        return Reply(None, "", Failure.REFUSED, "The reply was stopped by a safeguard.")
    written, is_last = _last_move(text)
    shown = printable(written, _MAX_MOVE_LENGTH)
    if stop in CUT_OFF and not (written and is_last):
        return Reply(None, shown, Failure.TRUNCATED, "Your reply was cut off before its move.")
    if not written:
        return Reply(None, "", Failure.NO_MOVE, "Your reply has no line MOVE: with a move.")
    skin = skin_named(position.game, (conditions or Conditions()).skin)
    try:
        if len(written) > _MAX_MOVE_LENGTH:
            raise UnreadableMove(f"{quoted(written)} is too long for a move.")  # noqa: TRY301
        action = skin.read_move(position, written)
    except (UnreadableMove, IllegalMove) as error:
        illegal = isinstance(error, IllegalMove)
        failure = Failure.ILLEGAL if illegal else Failure.UNREADABLE
        return Reply(None, shown, failure, str(error))
    return Reply(action, skin.move_text(position, action), None, "")


def _last_move(text: str) -> tuple[str, bool]:
    """What stands after the last `MOVE:`, and whether that line is complete and nothing follows."""
    plain = unicodedata.normalize("NFKC", text)
    label = None
    for label in _MOVE_LABEL.finditer(plain):  # noqa: B007 - the last one counts
        pass
    if label is None:
        return "", False
    end = _LINE_END.search(plain, label.end())
    line = plain[label.end() : end.start() if end else len(plain)]
    rest = plain[end.end() :] if end else ""
    is_last = end is not None and not rest.strip(_AROUND + "\r\n")
    return _bare(line), is_last


def _bare(line: str) -> str:
    """A move without what is only around it: spaces, quotation marks, Markdown, a full stop."""
    if len(line) > 4 * _MAX_MOVE_LENGTH:
        # It will be refused; there is no need to look at all of it.
        return line[: 4 * _MAX_MOVE_LENGTH]
    digits = "".join(str(unicodedata.decimal(char, char)) for char in line.translate(_COMMAS))
    return digits.strip(_AROUND).rstrip(".,;").strip(_AROUND)
