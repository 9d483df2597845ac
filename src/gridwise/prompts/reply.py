r"""Reading a model's reply: its move is in its last `MOVE:` line, or there is none.

`MOVE` counts at the start of a line, whatever decoration is before it, and after the end of a
sentence; in the middle of one it is only spoken of. If no line has it in capitals, `Move:` at the
start of a line will do; if no line has that either, a move that is marked as the answer: in
`\boxed{}`, between `<answer>` and `</answer>`, or as `"move"` in JSON. The move may stand on the
next line. What a model says while it thinks does not count.

A reply is read forgivingly: `move_line` has how. A move is never guessed and never replaced by
another one. What can go wrong has a name of its own (Failure), because it says something else about
a model.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.errors import IllegalMove, UnreadableMove, printable
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.move_line import AROUND, MAX_LENGTH, plain_text, read_line
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

# Repeats are bounded, or begin a line: a megabyte of anything is read in linear time.
_LINE_END = re.compile(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_THINKING = re.compile(
    r"[<◁]/?(?:\w{1,16}:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|scratchpad)[>▷]|"
    r"\[/?(?-i:THINK)\]",
    re.IGNORECASE,
)
_INLINE_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|code|span|mark|kbd|tt|font|small|big|sub|sup)(?:\s[^<>\n]{0,100})?>",
    re.IGNORECASE,
)
# Elements that are lines of their own, and the tokens by which models end.
_BLOCK_TAG = re.compile(
    r"</?(?:(?:final_)?answer|final|move|response|output|result|p|div|br|hr|[uo]l|li|t[drh]|table|pre|"
    r"h[1-6]|blockquote|body|html|eos|bos|(?:end|start)_of_turn)(?:\s[^<>\n]{0,100})?/?>"
    r"|<\|[^<>|\s]{1,40}\|>|\[/?(?:INST|EOS)\]"
    r"|\A\s{0,8}<s>|</s>(?=[^\S\n]{0,8}(?:$|<[|/]))",  # elsewhere it is struck out
    re.IGNORECASE | re.MULTILINE,
)

_SIGN = r"(?:[^\w\n]|_|(?<=\\)(?:boxed|text\w{0,2}|math\w{0,2})(?=\s?\{))"
_DECORATION = rf"{_SIGN}{{0,40}}"
_LEAD = (  # `So my final move`, `Final answer: move`; not `Best move`, which may be the opponent's
    r"(?i:(?:so|thus|therefore|hence|finally|ok|okay)[,:]?\s)?"
    rf"(?i:(?:(?:my|the)\s)?(?:final\s)?(?:answer|output|response|decision)(?:\sis)?{_DECORATION})?"
    r"(?i:(?:my\s(?:next\s)?|the\s)?(?:final\s|chosen\s|selected\s)?)"
)
_SEPARATOR = r"[^\S\n]{0,8}(?:[*_`~)\]}]{1,8}[^\S\n]{0,8})?(?::=|[:=]{1,2})"
_START = rf"^{_SIGN}*+{_LEAD}"
_NUMBERED = rf"^{_SIGN}*+\d{{1,3}}[.)]{_DECORATION}"
_AFTER_SENTENCE = (
    r"[.!?。…][\"'”\u2019)\]*_`]{0,4}(?:[^\S\n]{1,4}|(?<=。))[*_`\"'(\[$]{0,6}"
    r"(?i:(?:my\s|the\s)?(?:final\s)?)"
)
_LABELS = (
    re.compile(rf"(?:{_START}|{_NUMBERED}|{_AFTER_SENTENCE})MOVE{_SEPARATOR}", re.MULTILINE),
    re.compile(rf"{_START}(?i:MOVE){_SEPARATOR}", re.MULTILINE),
)
_MARKED = re.compile(
    r"\\(?:boxed|fbox)\s?\{(?P<boxed>(?:[^{}\n]|\{[^{}\n]{0,80}\}){1,200})\}"
    r"|<(?:final_)?answer>(?P<answer>[^<>]{1,200})</(?:final_)?answer>"
    r"|<move>(?P<move>[^<>]{1,200})</move>"
    r"""|["']move["']\s{0,8}:\s{0,8}(?:"(?P<json>[^"\n]{1,200})"|'(?P<quoted>[^'\n]{1,200})'"""
    r"|\[(?P<list>[^\[\]]{1,200})\]|\{(?P<object>[^{}]{1,200})\}|(?P<bare>[^\s\[{\"'][^}\n]{0,200}))",
    re.IGNORECASE,
)
_KEY = re.compile(r"""["'](\w{1,40})["']\s{0,8}:""")
_OTHERS = re.compile("oppon|enem|their|other", re.IGNORECASE)  # then nobody knows whose move it is
_NOTHING = AROUND + "\r\n#-.,;()[]"  # what can stand in a line that says nothing
_SHOWN_LENGTH = 80  # of what was written, in results and messages


def read_reply(
    text: str, position: Position, conditions: Conditions | None = None, *, stop: str = "stop"
) -> Reply:
    """The move in a reply to the prompt of a position, or what is wrong with it.

    `stop` is why the reply ended, as the provider says. A reply that was cut off has a move only if
    its line was complete and the last one: what would have come after it, nobody knows.
    """
    if stop in REFUSALS:
        return Reply(None, "", Failure.REFUSED, "The reply was stopped by a safeguard.")
    written, is_last = _written(said(text))
    shown = printable(plain_text(written[: 2 * MAX_LENGTH]), _SHOWN_LENGTH)
    if stop in CUT_OFF and not (written and is_last):
        return Reply(None, shown, Failure.TRUNCATED, "Your reply was cut off before its move.")
    if not written:
        return Reply(None, "", Failure.NO_MOVE, "Your reply has no line MOVE: with a move.")
    skin = skin_named(position.game, (conditions or Conditions()).skin)
    try:
        action = read_line(skin, position, written)
    except (UnreadableMove, IllegalMove) as error:
        illegal = isinstance(error, IllegalMove)
        failure = Failure.ILLEGAL if illegal else Failure.UNREADABLE
        return Reply(None, shown, failure, str(error))
    return Reply(action, skin.move_text(position, action), None, "")


def said(text: str) -> str:
    """A reply without what the model only thinks.

    A thought that is never closed goes on to the end. One that is never opened, as where a prompt
    has opened it, has begun with the reply.
    """
    plain = unicodedata.normalize("NFKC", text)
    parts: list[str] = []
    at, thinking = 0, False
    for tag in _THINKING.finditer(plain):
        closed = "/" in tag[0]
        if not (thinking or closed):
            parts += [plain[at : tag.start()], "\n"]
        elif not thinking:
            parts.clear()
        at, thinking = tag.end(), not closed
    return "".join(parts) + ("" if thinking else plain[at:])


def _written(said: str) -> tuple[str, bool]:
    """What is written for a move, and whether it is complete and nothing follows."""
    plain = _LINE_END.sub("\n", said)
    lines = _BLOCK_TAG.sub("\n", _INLINE_TAG.sub("", plain))
    for label in _LABELS:
        start = _last_line(label, lines)
        if start is not None:
            return _first_line(lines, start)
    marked = [*_MARKED.finditer(plain)]
    if not marked:
        return "", False
    texts = {" ".join(plain_text(_marked_text(plain, found)).split()): None for found in marked}
    # Another key can say how the move is meant: `"challenge": true`.
    keys = " ".join(dict.fromkeys(_KEY.findall(_MARKED.sub("", plain))))
    if _OTHERS.search(keys):
        return "", False
    beside = f" (beside {keys})" if keys else ""
    rest = plain[marked[-1].end() :]
    is_last = marked[-1].lastgroup != "bare" and not rest.strip(_NOTHING)
    return " or ".join([*texts][:2]) + beside, is_last


def _marked_text(plain: str, found: re.Match[str]) -> str:
    """What is marked as the answer, and the mark of a move that may follow it."""
    after = plain[found.end() : found.end() + 6].lstrip(" $*_`\\)]")
    joined = found.lastgroup == "boxed" and after.startswith("!")
    return found[found.lastgroup or 0] + "!" * joined


def _last_line(label: re.Pattern[str], lines: str) -> int | None:
    """Where the text after the first label of the last line with one begins."""
    start = end = None
    for found in label.finditer(lines):
        if end is None or lines.find("\n", end, found.end()) >= 0:
            start = found.end()
        end = found.end()
    return start


def _first_line(lines: str, start: int) -> tuple[str, bool]:
    """The first line from there that says anything, and whether it is complete and the last."""
    while start < len(lines):
        end = lines.find("\n", start)
        line = lines[start : end if end >= 0 else len(lines)]
        if line.strip(_NOTHING) and not line.lstrip().startswith("```"):
            is_last = end >= 0 and not lines[end:].strip(_NOTHING)
            return line.strip(), is_last
        if end < 0:
            break
        start = end + 1
    return "", False
