r"""Reading a model's reply: its move is in its last `MOVE:` line, or there is none.

`MOVE` counts at the start of a line, whatever decoration is before it, and after the end of a
sentence; in the middle of one it is only spoken of. If no line has it in capitals, `Move:` at the
start of a line will do; if no line has that either, a move that is marked as the answer: in
`\boxed{}`, between `<answer>` and `</answer>`, or as `"move"` in JSON, with the sentence that it is
in. The move may stand on the next line, and so may its mark. Of several moves in a list none is
meant. What a model says while it thinks does not count.

A reply is read forgivingly: `move_line` has how. A move is never guessed and never replaced by
another one. What can go wrong has a name of its own (Failure), because it says something else about
a model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from gridwise.core.position import Position
from gridwise.errors import IllegalMove, UnreadableMove, printable
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.move_line import ITEM, MAX_LENGTH, NOTHING, mark_words, plain_text, read_line
from gridwise.prompts.skins import Skin, skin_named


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
    r"</?(?:(?:final_)?answer|final|move|response|output|result|\w{1,9}_call|p|div|br|hr|[uo]l|li|"
    r"t[drh]|table|pre|h[1-6]|blockquote|body|html|eos|bos|(?:end|start)_of_turn)"
    r"(?:\s[^<>\n]{0,100})?/?>"
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
    r"""|<(?:final_)?answer>(?!\s{0,8}\{\s{0,8}["'])(?P<answer>[^<>]{1,200})</(?:final_)?answer>"""
    r"|<move>(?P<move>[^<>]{1,200})</move>"
    r"""|["']move["']\s{0,8}:\s{0,8}(?:"(?P<json>[^"\n]{1,200})"|'(?P<quoted>[^'\n]{1,200})'"""
    r"|\[(?P<list>[^\[\]]{1,200})\]|\{(?P<object>[^{}]{1,200})\}|(?P<bare>[^\s\[{\"'][^}\n]{0,200}))",
    re.IGNORECASE,
)
_FIELD = re.compile(  # of JSON
    r"""["'](\w{1,40})["']\s{0,8}:\s{0,8}("(?:[^"\\]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'"""
    r"""|\[[^\[\]]{0,400}\]|[^\s,{}\[\]"']{1,40}|)"""
)
# Words of JSON that leave open whose move it is, or whether it is one.
_OTHERS = re.compile("(?i)oppon|enem|rival|their|other|predict|expect|repl(?:y|ies)|reject")
_INTRO = re.compile(r"(?::|\b(?:is|be))[\s*_`$]{0,8}$")
_THUS = re.compile(  # before a move; `Based on this analysis,`
    r"(?:[=-]>|[→⇒➡👉]|\\(?:therefore|implies|[Rr]ightarrow))[\s$\ufe0f]{0,8}$"
    r"|^\W{0,8}(?i:based on|after|given|considering) (?:[a-z]{1,12} ){0,4}?"
    r"(?:above|analy|board|calculat|consider|evaluat|option)[a-z]{0,8}(?: [a-z]{1,12}){0,2}, "
)
_SENTENCE_END = re.compile(r"[.!?。…][\"'”\u2019)*_`]{0,4}\s")
_NO_BRACES = str.maketrans("", "", "{}[]")
_BEFORE_MARK = (  # in a line that is about a mark
    r"(?:i|ill|will|would|want|wish|like|to|also|and|with|without|declare|call|make|an?|the|this|is|"
    r"yes|no|do|not|dont) "
)
# How a line begins that is one of several to choose from.
_OPTION = re.compile(
    rf"{ITEM.pattern}|^\W{{0,8}}(?:[A-Za-z]{{1,12}} )?(?:\d{{1,3}}|[A-Za-z])[.)]", re.MULTILINE
)
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
    skin = skin_named(position.game, (conditions or Conditions()).skin)
    written, is_last = _written(_aloud(text), skin, position.turn)
    shown = printable(plain_text(written[: 2 * MAX_LENGTH]), _SHOWN_LENGTH)
    if stop in CUT_OFF and not (written and is_last):
        return Reply(None, shown, Failure.TRUNCATED, "Your reply was cut off before its move.")
    if not written:
        return Reply(None, "", Failure.NO_MOVE, "Your reply has no line MOVE: with a move.")
    try:
        action = read_line(skin, position, written)
    except (UnreadableMove, IllegalMove) as error:
        illegal = isinstance(error, IllegalMove)
        failure = Failure.ILLEGAL if illegal else Failure.UNREADABLE
        return Reply(None, shown, failure, str(error))
    return Reply(action, skin.move_text(position, action), None, "")


def said(text: str) -> str:
    """The lines of a reply, without HTML, tokens and what the model only thinks."""
    return _untagged(_aloud(text))


def _aloud(text: str) -> str:
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
    return _LINE_END.sub("\n", "".join(parts) + ("" if thinking else plain[at:]))


def _written(plain: str, skin: Skin, turn: int) -> tuple[str, bool]:
    """What is written for a move, and whether it is complete and nothing follows."""
    lines = _untagged(plain)
    for label in _LABELS:
        starts = _label_lines(label, lines)
        if starts:
            return _labelled(lines, starts, skin)
    marked = [*_MARKED.finditer(plain)]
    return _marked(plain, marked, skin, turn) if marked else ("", False)


def _untagged(plain: str) -> str:
    """Lines without HTML and tokens."""
    return _BLOCK_TAG.sub("\n", _INLINE_TAG.sub("", plain))


def _label_lines(label: re.Pattern[str], lines: str) -> list[tuple[int, int]]:
    """Where each line with a label begins, and the text after the first label in it."""
    found: list[tuple[int, int]] = []
    end = None
    for each in label.finditer(lines):
        if end is None or lines.find("\n", end, each.end()) >= 0:
            found.append((lines.rfind("\n", 0, each.end()) + 1, each.end()))
        end = each.end()
    return found


def _labelled(lines: str, starts: list[tuple[int, int]], skin: Skin) -> tuple[str, bool]:
    """What stands after the last label, with the mark that may have the next line for itself.

    If it is one of a list, all that are in it: only one of them can be meant.
    """
    begin, start = starts[-1]
    saying = _saying_lines(lines, start)
    written, end = next(saying, ("", -1))
    after, its_end = next(saying, ("", -1))
    options = [after] if ITEM.match(written) and ITEM.match(after) else []
    if _OPTION.match(lines, begin):
        earlier = [at for line, at in starts[-20:-1] if _OPTION.match(lines, line)]
        options += [lines[at : lines.find("\n", at)] for at in earlier]
    mark = plain_text(ITEM.sub("", after[:MAX_LENGTH], 1)).rstrip("!")
    if _is_mark(mark.casefold(), written, tuple(mark_words(skin))):
        written, end = f"{plain_text(written[: 2 * MAX_LENGTH])} {mark}", its_end
    if written and options:
        every = (plain_text(each[: 2 * MAX_LENGTH]).casefold() for each in (written, *options))
        written = " | ".join(dict.fromkeys(every))
    return written, end >= 0 and not lines[end:].strip(NOTHING)


def _is_mark(line: str, move: str, words: tuple[str, ...]) -> bool:
    """Whether the line after a move is about its mark: of one that has a mark, if it says no."""
    spoken = rf"(?:{_BEFORE_MARK}){{0,6}}(?:{'|'.join(map(re.escape, words))})\b"
    if not words or not re.match(spoken, line):
        return False
    marked = plain_text(move[: 2 * MAX_LENGTH]).casefold().endswith(("!", *words))
    return not marked or bool(re.search(r"\b(?:no|not|dont|without)\b", line))


def _saying_lines(lines: str, start: int) -> Iterator[tuple[str, int]]:
    """The lines from there that say anything, and where they end; -1 for one that nothing ends."""
    while start < len(lines):
        end = lines.find("\n", start)
        line = lines[start : end if end >= 0 else len(lines)]
        if says(line):
            yield line.strip(), end
        start = end + 1 if end >= 0 else len(lines)


def says(line: str) -> bool:
    """Whether a line has more than decoration."""
    return bool(line.strip(NOTHING)) and not line.lstrip().startswith("```")


def _marked(plain: str, marked: list[re.Match[str]], skin: Skin, turn: int) -> tuple[str, bool]:
    """What is marked as the answer, in its sentence, and whether nothing follows.

    It can be marked several times. It is no answer if JSON says that it is the other player's.
    """
    other = turn % 2
    others = {skin.words.players[other].casefold(), skin.words.letters[other].casefold()}
    words: dict[str, None] = {}  # of JSON, that can say how a move is meant: `"challenge": true`
    for key, value in _FIELD.findall(_MARKED.sub("", plain)):
        short = value.strip("\"' ").casefold()
        if short in others or (key.casefold() == "player" and short == str(other + 1)):
            return "", False
        words |= dict.fromkeys([key, short] if short.isalpha() else [key])
    if _OTHERS.search(" ".join(words)):
        return "", False
    last = marked[-1]
    is_last = last.lastgroup != "bare" and not plain[last.end() :].strip(NOTHING)
    texts = {" ".join(plain_text(each[each.lastgroup or 0]).split()): None for each in marked}
    if len(texts) > 1:
        return " or ".join([*texts][:2]), is_last
    before, after = _around(plain, last)
    beside = f" (beside {' '.join(words)})" if words else ""
    return f"{before} {next(iter(texts))} {after}{beside}".strip(), is_last


def _around(plain: str, mark: re.Match[str]) -> tuple[str, str]:
    """What is said before a mark in its sentence, and after it in its line; JSON says nothing.

    The sentence may begin on a line before: `My move is:`.
    """
    head = _untagged(_FIELD.sub("", plain[: mark.start()])).split("\n")
    tail = _untagged(_FIELD.sub("", plain[mark.end() :])).partition("\n")[0]
    before = head.pop()
    if not says(before):
        intro = next(filter(says, reversed(head)), "")
        before = f"{intro} {before}" if _INTRO.search(intro) else before
    before = _THUS.sub("", _SENTENCE_END.split(before)[-1])
    return before.translate(_NO_BRACES).rstrip("\\($ "), tail.translate(_NO_BRACES).lstrip("\\)$ ")
