"""Looking back: a place in a game, and lines off it that can be gone through."""

from __future__ import annotations

import pytest

from gridwise import Match
from gridwise.errors import BadRequest
from gridwise.play.look_back import Exploration, line_words

RUN = "31425/25134/42513/14252/53142"
MOVES = ("0,1", "3,4", "1,1", "3,3")


def explored(at: int) -> Exploration:
    """A game of Number Run, after some of its moves."""
    made = Exploration(Match("number-run", RUN, moves=MOVES).record())
    made.go_to(at)
    return made


def try_moves(made: Exploration, *moves: str) -> list[int]:
    """Try moves from where one is; as actions."""
    actions = []
    for move in moves:
        actions.append(made.playable.read(move))
        made.try_move(actions[-1])
    return actions


def test_a_line_lies_ahead_and_is_gone_through_both_ways() -> None:
    """Nothing changes until one steps; back at its start it still lies ahead."""
    made = explored(2)
    actions = try_moves(made, "0,2", "2,4", "0,3")
    made.go_to(2)
    made.follow("Best play", actions)
    assert (made.position.moves, made.tried) == (["0,1", "3,4"], [])
    assert line_words(made) == "Best play: ▸ 0,2 2,4 0,3"
    made.step(1)
    made.step(1)
    assert made.position.moves == ["0,1", "3,4", "0,2", "2,4"]
    assert line_words(made) == "Best play: 0,2 2,4 ▸ 0,3"
    for _ in range(5):  # its end is its end
        made.step(1)
    assert line_words(made) == "Best play: 0,2 2,4 0,3 ▸"
    for _ in range(3):
        made.step(-1)
    assert line_words(made) == "Best play: ▸ 0,2 2,4 0,3"
    made.step(-1)
    assert (made.at, made.line) == (1, [])
    made.step(1)
    assert (made.at, made.line) == (2, [])


def test_the_next_move_of_a_line_leads_on_in_it_and_another_one_leaves_it() -> None:
    """So a line can be walked on the board, too."""
    made = explored(2)
    actions = try_moves(made, "0,2", "2,4", "0,3")
    made.go_to(2)
    made.follow("Best play", actions)
    made.try_move(actions[0])
    assert line_words(made) == "Best play: 0,2 ▸ 2,4 0,3"
    try_moves(made, "3,3")
    assert (made.tried_moves, made.moves_ahead, line_words(made)) == (["0,2", "3,3"], [], "")


def test_stepping_back_from_what_was_tried_leads_to_the_game() -> None:
    """A move of one's own is not kept ahead: the next step is the one of the game."""
    made = explored(2)
    try_moves(made, "0,2")
    made.step(-1)
    assert (made.at, made.line) == (2, [])
    made.step(1)
    assert made.position.moves == list(MOVES[:3])


def test_a_line_can_begin_after_what_is_tried() -> None:
    """What had been tried stays."""
    made = explored(2)
    actions = try_moves(made, "0,2", "2,4", "0,3")
    made.step(-1)
    made.step(-1)
    made.follow("Best play", actions[1:])
    assert line_words(made) == "Best play: 0,2 ▸ 2,4 0,3"
    made.take_back()
    assert (made.at, made.line) == (2, [])


def test_a_move_that_turns_up_what_nobody_has_seen_is_not_tried() -> None:
    """The place stays where it was."""
    match = Match("grid-conquest", "53152/24251/43453/11523/12214", first=1, seed=1, moves=("C3",))
    made = Exploration(match.record())
    with pytest.raises(BadRequest, match="Nobody has seen"):
        try_moves(made, "A1")
    assert (made.place, made.line) == (0, [])
