"""Where a learner is in a guided game: made from the number of the step alone."""

from __future__ import annotations

import pytest

from gridwise import Position, game, games
from gridwise.errors import BadRequest
from gridwise.play.lesson import lesson_answer, lesson_place, lesson_reason, trap_place
from tests.engine.forcing import can_force, peer_of, winning_moves


@pytest.mark.parametrize("key", [each.key for each in games()])
def test_the_right_moves_lead_from_step_to_step(key: str) -> None:
    """Each way begins where the step before was, and the last step ends the game."""
    learnt = game(key)
    lesson = learnt.lesson
    assert lesson
    place = lesson_place(learnt, 1)
    for number, step in enumerate(lesson.steps, 1):
        assert (place.number, place.task, place.over) == (number, step.say, False)
        assert lesson_answer(learnt, number, step.move).wrong == ""
        following = lesson_place(learnt, number + 1)
        assert following.way[0] == place.position
        assert following.way[1].moves[-1] == step.move
        place = following
    assert place.over
    assert place.position.outcome
    assert (place.task, place.look, place.trap) == ("", (), "")


def test_the_cells_that_a_step_speaks_of_are_named() -> None:
    """In Number Run the challenge is on 2,2, beside Red on 2,3."""
    assert lesson_place(game("number-run"), 3).look == (12, 13)


def test_another_move_is_answered_with_what_is_wrong() -> None:
    """What the lesson has for any legal move, why the others cannot be made, and the trap."""
    connect = game("number-connect")
    lesson = connect.lesson
    assert lesson
    assert lesson_answer(connect, 1, "0,0").wrong == lesson.steps[0].otherwise
    assert "is not a cell" in lesson_answer(connect, 1, "up").wrong
    assert lesson_answer(connect, 3, "1,2").is_trap
    assert not lesson_answer(connect, 3, "3,2").is_trap
    goes_wrong = trap_place(connect, 3)
    assert goes_wrong.position.outcome
    assert goes_wrong.position.outcome.winner == 2


def test_a_step_that_is_not_there_is_refused() -> None:
    """Before the first, behind the end, a trap where there is none, a move after the end."""
    connect = game("number-connect")
    for number in (-1, 0, 5):
        with pytest.raises(BadRequest, match=f"There is no step {number}"):
            lesson_place(connect, number)
    for number in (1, 4):
        with pytest.raises(BadRequest, match="nothing that goes wrong"):
            trap_place(connect, number)
    with pytest.raises(BadRequest, match="over"):
        lesson_answer(connect, 4, "0,0")


def test_a_move_that_loses_gets_the_reason_of_the_solver() -> None:
    """By the second implementation `right` loses at once there; what is no mistake gets none."""
    maze = game("number-maze")
    assert maze.lesson
    start = Position(maze, maze.lesson.board)
    assert "down" in winning_moves(peer_of(start), 9)
    assert not can_force(peer_of(start.after("right")), 1, 9)
    said = lesson_reason(maze, 1, "right")
    assert (
        said == "Right: You get stuck on 4,2 in 1 move: the 4 there leads off the board every way."
    )
    assert lesson_reason(maze, 1, "down") == ""
    assert lesson_reason(maze, 1, "sideways") == ""
