"""Words: what a game and the things in it are called when a model is asked, from `skins.toml`.

A game's `skins.toml` has the table `plain` (its own words), `neutral` (a rewording, for boards that
are mirrored, turned or have other coordinates) and any number of `themes`. In texts `{rows}`,
`{columns}`, `{cells}` (how many), `{target}`, `{start1}`, `{start2}`, `{blocked}` (the obstacles'
cells, or none) and `{example}` (a cell) stand for what the board has, and `{coordinates}` for how
cells are named. `prompt_text` adds when a game is stopped, and a head start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from gridwise.core.board import DIRECTIONS
from gridwise.core.game import Game

SEPARATOR = "; "  # between cells or moves: a comma can be within one
NONE = "none"
RULE_SECTIONS = ("Setting up", "Your turn", "How it ends")  # of a `rules.md`, that a model is shown
SHORT_SECTION = "In short"
_POSITION_COUNTS = (
    "\n\nWhere the position that you are shown says something else than these rules, it counts."
)


class Nouns(NamedTuple):
    """What the things of a game are called, for the lines that all games share."""

    board: str = "board"
    cell: str = "cell"
    number: str = "number"
    token: str = "token"  # noqa: S105 - of a game
    start: str = "start"
    goal: str = "goal"
    visited: str = "visited"
    claimed: str = "claimed"
    hidden: str = "face down"
    blocked: str = "obstacle"
    score: str = "score"


@dataclass(frozen=True, slots=True)
class Words:
    """One set of words for one game."""

    name: str  # "plain", "neutral", or a theme's own name
    title: str
    rules: str  # the whole rules; a template
    short: str  # the same in a few sentences
    answer: str  # how a move is written
    players: tuple[str, str] = ("Player 1", "Player 2")
    letters: tuple[str, str] = ("P1", "P2")  # for them in a drawn board: `@P1`
    directions: tuple[str, ...] = DIRECTIONS
    coordinates: str = ""  # how cells are named; empty for the game's own way
    renamed: str = "spreadsheet"  # how they are named in the skin `renamed`
    marks: dict[str, str] = field(default_factory=dict)  # what follows a cell in a move: "!"
    nouns: Nouns = field(default_factory=Nouns)


class Vocabulary(NamedTuple):
    """All the words for one game."""

    plain: Words
    neutral: Words | None
    themes: dict[str, Words]


@lru_cache(maxsize=64)
def vocabulary(game: Game) -> Vocabulary:
    """The words for a game; one without a `skins.toml` has those of its rules page."""
    import tomllib  # noqa: PLC0415 - only for this

    data = tomllib.loads(game.file("skins.toml"))
    rules, short = _own_rules(game)
    own: dict[str, Any] = {"title": game.title, "rules": rules, "short": short}
    own["answer"] = " ".join(game.text.HELP.split())
    plain = _words("plain", {**own, **data.get("plain", {})})
    neutral = _words("neutral", data["neutral"]) if "neutral" in data else None
    themes = {name: _words(name, table) for name, table in data.get("themes", {}).items()}
    return Vocabulary(plain, neutral, themes)


def _words(name: str, table: dict[str, Any]) -> Words:
    table = {
        key: value.strip() if isinstance(value, str) else value for key, value in table.items()
    }
    for pair in ("players", "letters", "directions"):
        if pair in table:
            table[pair] = tuple(table[pair])
    nouns = Nouns(**table.pop("nouns", {}))
    return Words(name=name, nouns=nouns, **table)


def _own_rules(game: Game) -> tuple[str, str]:
    """The rules of `rules.md`, whole and in short: no picture, tips, examples or history.

    They are written for people and speak of the standard board, whatever a position has.
    """
    text = game.rules_text().replace("{", "{{").replace("}", "}}")  # nothing in it is a template
    head, *parts = text.split("\n## ")
    head = head.partition("\n")[2].replace("{{board}}", "")
    sections = {part.partition("\n")[0].strip(): part.partition("\n")[2].strip() for part in parts}
    shown = [f"{name}\n{sections[name]}" for name in RULE_SECTIONS if name in sections]
    whole = "\n\n".join([*filter(None, (part.strip() for part in head.split("\n\n"))), *shown])
    brief = (game.text.SUMMARY, sections.get(SHORT_SECTION, ""), "{coordinates}")
    short = "\n\n".join(filter(None, brief))
    return whole + _POSITION_COUNTS, short + _POSITION_COUNTS
