"""One line of text as a person reads it: it names one move, or it is not read.

A line is read as in play, by the skin. If that fails it is taken apart. All that it names must be
one move: `right (to 1,2)` is read where right leads to 1,2, and nowhere else. The words that a move
may stand among (`claim C3`, `2,2 with a challenge`) are known; a line with any other is not read. A
remark (in brackets, after `because`, a sentence of its own) may say anything that neither names
another move nor takes this one back.

No game is named here: directions, marks and nouns are the skin's.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import NamedTuple

from gridwise.core.notation import COLUMN_THEN_ROW, ROW_THEN_COLUMN
from gridwise.core.position import Position
from gridwise.errors import IllegalMove, NoSuchCell, UnreadableMove, quoted
from gridwise.prompts.skins import Skin

MAX_LENGTH = 200  # of a line that is read, remarks and all; notation reads no more either

_NO_WIDTH = "\u200b\u200d\u2060\ufe0e\ufe0f\ufeff"
_DRESS = f"{_NO_WIDTH}*_`\"'“”«»„\u2018\u2019$"  # Markdown and quotation marks
_AROUND = f" \t|\\{{}}{_DRESS}"  # what can stand on either side of a move
ENDS = f"{_AROUND},.:;()[]"  # and of one in a list
NOTHING = f"{ENDS}\r\n#-"  # what can stand in a line that says nothing
# How a line of a list begins.
ITEM = re.compile(r"^[^\S\n]{0,8}(?:[-*+•|\u2013\u2014]|\d{1,3}[.)])\s{1,8}", re.MULTILINE)
_UNDRESSED = str.maketrans("،、؛\u2012\u2013\u2212", ",,;---", _DRESS) | {0x2014: " - "}

_ARROWS = "↑↓←→"  # up, down, left, right, as displayed
_ONE_ARROW = str.maketrans("⬆⇑⇧⬇⇓⇩⬅⇐⇦➡⇒⇨➔➜⟶", "↑↑↑↓↓↓←←←→→→→→→")
_TYPED = {"<": "←", "-": "→", "=": "→", "u": "↑", "d": "↓", "l": "←", "r": "→", "t": "→"}
_TYPED_ARROW = re.compile(r"<-{1,2}|-{1,2}>|=>|\\(?:(?:up|down|left|right)arrow|to)(?![A-Za-z])")
# Of LaTeX: how a text looks, but not that it is struck out. And what Markdown escapes.
_COMMAND = re.compile(
    r"\\(?:(?:boxed|fbox|text\w{0,5}|math\w{0,4}|emph|underline|bf|it|rm|tt|left|right"
    r"|(?:big|Big)g?[lr]?|large|Large|q?quad|displaystyle)(?![A-Za-z])|(?=\W))"
)
_LIST_MARK = re.compile(r"^\s{0,8}(?:[-+#>•]{1,6}\s+){1,3}")

_CELL = "|".join(
    [
        rf"(?<!\w)(?:{ROW_THEN_COLUMN.pattern}|{COLUMN_THEN_ROW.pattern})(?!\w)",
        r"(?<![\w.])-?\d{1,4}(?: ?[,;:] ?| )-?\d{1,4}(?!\w|\.\d)",
        r"(?<![\w.,])\d{1,2}\.\d{1,2}(?!\w|[.,]\d)",
        r"(?<!\w)[a-z] ?\d{1,4}(?!\w)",
    ]
)
_TOKEN = re.compile(rf"(?P<cell>{_CELL})|(?P<word>[^\W\d_]+)|(?P<sign>\S)")
_ARTICLE = re.compile(r"\ba (?=\d)")  # `take a 4`: no row A
_PAIR = re.compile(r"\d ?[,;:.] ?\d")
_INDEXED = re.compile(r"\[ ?(\d{1,4}) ?\] ?\[ ?(\d{1,4}) ?\]")  # `[2][0]`
_CELL_IN_BRACKETS = re.compile(rf"[(\[{{<] ?({_CELL}) ?[)\]}}>]")
_IN_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|\{([^{}]*)\}")
_AFTERWARDS = re.compile(
    r" (?:because|since) | for (?=an? |the )|\. (?=[a-z])| -{1,3} (?=[a-z]{2})|\|"
)

_CHALLENGE = {"challenge": "!"}  # the word and the mark of the games; a skin may have its own
_FILLER = re.compile(  # words that say nothing beside a move
    "an?|and|answer|at|best|by|choose|chosen|claim|coordinates?|correct|decision|direction|enter|"
    "final|finally|format|from|go|goes|going|hence|here|i|id|ill|in|is|it|json|jump|leap|lets|"
    "make|moves?|moving|my|next|of|okay|on|one|onto|optimal|output|pick|place|play|playing|"
    "position|response|say|select|selected|so|space|square|step|take|the|then|there|therefore|"
    "thus|to|token|towards|walk|will|wins?|with|yes"
)
_TAKEN_BACK = re.compile(
    r"\b(?:no|nope|not|never|or|but|wait|instead|rather|actually|maybe|perhaps|unless|if|else|"
    r"oops|sorry|wrong|mistake|bad|illegal|invalid|cannot|cant|dont|doesnt|isnt|wont|joke|joking|"
    r"avoid|blunder|discard(?:ed)?|reject(?:ed)?)\b"
)
_HARMLESS = ",;:.=()[]{}<>|"
_DOUBT = "❌❎🚫⛔✗✘👎❓❔⁉‼❗❕"  # no, or perhaps; the last could be meant as a mark


class _Step(NamedTuple):
    """A cell or a direction that a text names, and the cell it leads to."""

    text: str
    cell: int  # -1 where a direction leads off the board, -2 for a cell that is not on it


def read_line(skin: Skin, position: Position, line: str) -> int:
    """The legal action that a line names; raises a MoveError, which says what is wrong with it."""
    if len(line) > MAX_LENGTH:
        raise UnreadableMove(f"{quoted(line)} is too long for a move.")
    text = plain_text(line)
    try:
        return skin.read_move(position, text)
    except NoSuchCell:
        raise  # it was read
    except UnreadableMove:
        text = _ARTICLE.sub("one ", text).casefold()
        named = _Reader(skin, position).named(" ".join(text.split()))
        if not named:
            raise
    return skin.read_move(position, named)


def mark_words(skin: Skin) -> dict[str, str]:
    """The words for the marks of a skin, if it has any: one that is the game's own has one too."""
    marks = skin.words.marks
    renamed = {mark.strip().casefold(): mark for own, mark in marks.items() if mark != own}
    return renamed or (_CHALLENGE if marks else {})


def plain_text(line: str) -> str:
    """A line without what is only around its words: Markdown, LaTeX, quotation marks, a full stop.

    Digits of other languages are 0 to 9 in it, and arrows of all kinds are ↑, ↓, ← or →.
    """
    text = html.unescape(line).translate(_UNDRESSED).translate(_ONE_ARROW)
    text = _TYPED_ARROW.sub(lambda typed: _TYPED[typed[0].lstrip("\\")[0]], text)
    text = _LIST_MARK.sub("", _COMMAND.sub("", text))
    text = "".join(str(unicodedata.decimal(char, char)) for char in text)
    return text.strip(_AROUND).rstrip(".,;").strip(_AROUND)


class _Reader:
    """What texts name in one position, in the words of one skin."""

    def __init__(self, skin: Skin, position: Position) -> None:
        self.skin, self.position, words = skin, position, skin.words
        self.directions = [word.casefold() for word in words.directions]
        self.letters = [letter.casefold() for letter in words.letters]
        self.marks = mark_words(skin) or _CHALLENGE
        self.nouns = words.nouns
        tokens = [cell.token for cell in position.bare_cells]
        self.own = tokens.index(position.turn) if position.turn in tokens else None

    def named(self, text: str) -> str:
        """The one move that a text names, as the skin can read it; empty if that is not clear.

        Raises UnreadableMove if there are two.
        """
        line, declined = self._in_short(text)
        core, afterwards, remarks = _parts(line)
        tokens = [*_TOKEN.finditer(core)]
        found = [self._step(token) for token in tokens]
        for at, token in enumerate(tokens[1:-1], 1):
            if token[0] == "→" and found[at - 1] and found[at + 1]:
                found[at] = None  # from here to there: not a direction
        steps = [step for step in found if step]
        if len(steps) > 1 and steps[0].cell == self.own:
            del steps[0]  # `0,0 -> 0,1`: where the mover stands, who cannot stay there
        later = self._steps(afterwards)
        agreed = {step.cell for step in later + self._steps(" ; ".join(remarks))} - {self.own}
        if len(agreed | {step.cell for step in steps}) > 1:
            raise UnreadableMove(f"{quoted(text)} names more than one move.")
        marks = self._marks(tokens, found)
        if not steps or marks is None or any(map(self._is_doubtful, [afterwards, *remarks])):
            return ""
        again = [step.text for step in steps + later]  # `right right`; `2,2, then 2,2!`
        if len(set(again)) < len(again) and (marks or steps[0].text in self.directions):
            return ""
        return self._marked(steps[0].text, marks, declined=declined)

    def _marked(self, named: str, marks: list[str], *, declined: bool) -> str:
        """A step with the mark that follows it; empty if that is not clear."""
        if named.startswith("a "):  # `TAKE A 4`: row A?
            return ""
        shown = {self.marks[mark] for mark in marks if mark in self.marks}
        joy = [mark for mark in marks if mark not in self.marks]
        if joy and not self._is_unknown(f"{named}!"):  # elsewhere it only says: how nice
            if joy != ["!"]:
                return ""
            shown.add("!")
        if len(shown) > 1 or (shown and declined):
            return ""
        return named + "".join(shown)

    def _in_short(self, text: str) -> tuple[str, bool]:
        """The text with bare words for marks, and whether it says it has none.

        An arrow and its own word are one word.
        """
        declined = 0
        for mark in map(re.escape, self.marks):
            no = rf"(?:no|without|(?:do )?not|dont) (?:an? |any |to )?{mark}"
            text, times = re.subn(rf"\b(?:{no}|{mark} ?[:=?] ?(?:no|false))\b", "", text)
            declined += times
            yes = rf"\b{mark} ?[:=?] ?(?:yes|true)\b"
            bracketed = rf"[(\[](?:with |and |i )?(?:an? |the |to )?{mark}!?[)\]]"
            text = re.sub(f"{yes}|{bracketed}", f" {mark} ", text)
        for arrow, word in zip(_ARROWS, self.directions, strict=True):
            text = re.sub(rf"{arrow} ?{word}\b|\b{word} ?{arrow}", word, text)
        return text, declined > 0

    def _steps(self, text: str) -> list[_Step]:
        """All steps that a text names."""
        return [step for step in map(self._step, _TOKEN.finditer(text)) if step]

    def _step(self, token: re.Match[str]) -> _Step | None:
        """The step that a token names, if it does."""
        text = token[0]
        if text in _ARROWS:
            text = self.directions[_ARROWS.index(text)]
        if text not in self.directions and text.endswith(("ward", "wards")):
            text = text.removesuffix("s")  # `downwards`; `woodwards`, where woodward is a word
            text = text if text in self.directions else text.removesuffix("ward")
        try:
            if token.lastgroup == "cell":
                text = text.replace(".", ",")
                return _Step(text, self.skin.parse_cell(self.position.board, text))
            if text in self.directions:
                return _Step(text, self.skin.meant_cell(self.position, text))
        except NoSuchCell:  # P1 and P2 are players
            return None if text in self.letters else _Step(text, -2)
        except (UnreadableMove, IllegalMove):  # another notation; a direction where there is none
            pass
        return None

    def _marks(self, tokens: list[re.Match[str]], found: list[_Step | None]) -> list[str] | None:
        """The marks that follow the step; None if anything here does not belong to a move."""
        marks: list[str] = []
        for at, token in enumerate(tokens):
            text, after = token[0], any(found[:at])
            if after and text in self.marks:
                marks.append(text)
            elif after and text == "!":
                last = tokens[at - 1]
                talk = last.lastgroup == "word" and not found[at - 1] and last[0] not in self.marks
                marks.append("!?" if talk else "!")  # `2,2 wins!`
            elif not found[at] and not (
                self._is_filler(text)
                if token.lastgroup == "word"
                else _is_harmless(text) or (text in "→-" and after and any(found[at:]))
            ):
                return None
        return marks

    def _is_filler(self, word: str) -> bool:
        """Whether a word can stand beside a move and say nothing: `go to`, `wire` where that is."""
        verb = len(word) > 2 and self.nouns.claimed.startswith(word)
        noun = word in {self.nouns.cell, self.nouns.token}
        return verb or noun or bool(_FILLER.fullmatch(word))

    def _is_doubtful(self, remark: str) -> bool:
        """Whether a remark could take the move back, or name another, or give it another mark."""
        marked = any(mark[:-1] in remark for mark in self.marks)
        if "!" in remark:  # else it is joy
            marked = marked or bool(self._steps(remark)) or not re.search(r"[^\W\d_]", remark)
        rest = _TOKEN.sub(lambda token: token[0] if token.lastgroup != "cell" else " ", remark)
        return marked or bool(_TAKEN_BACK.search(remark) or _PAIR.search(rest))

    def _is_unknown(self, move: str) -> bool:
        """Whether this skin cannot read a move at all, legal or not."""
        try:
            self.skin.read_move(self.position, move)
        except IllegalMove:
            return False
        except UnreadableMove:
            return True
        return False


def _parts(text: str) -> tuple[str, str, list[str]]:
    """What stands for itself, what is said after it, and what is in brackets."""
    text = _CELL_IN_BRACKETS.sub(r" \1 ", _INDEXED.sub(r"\1,\2", text))
    remarks = ["".join(filter(None, found.groups())) for found in _IN_BRACKETS.finditer(text)]
    outside = [part for part in _AFTERWARDS.split(_IN_BRACKETS.sub(" ", text)) if part.strip()]
    return outside[0] if outside else "", " ; ".join(outside[1:]), remarks


def _is_harmless(sign: str) -> bool:
    """Whether a sign beside a move says nothing: a comma, an emoji that is no arrow."""
    if sign in _HARMLESS:
        return True
    if len(sign) > 1:  # a cell of another notation
        return False
    picture = unicodedata.category(sign) == "So" and sign not in _DOUBT
    return picture and "ARROW" not in unicodedata.name(sign, "")
