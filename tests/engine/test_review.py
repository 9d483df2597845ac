"""Reviews tell where a game was lost, hints what looks best; figures follow their definition."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gridwise import Match, Position, bot
from gridwise.core.narration import YOU, PlayerName
from gridwise.core.registry import game as game_named
from gridwise.engine import hints
from gridwise.engine.evaluation import Evaluation, Limits, MoveValue, evaluate, with_answers
from gridwise.engine.hints import hint
from gridwise.engine.lines import best_line, line_moves
from gridwise.engine.review import (
    Review,
    ReviewedMove,
    comment,
    limits_for,
    move_label,
    review,
    rows,
    summary,
    verdict,
    why_text,
)
from gridwise.play.look_back import Exploration, mistake_lines
from tests.engine.forcing import can_force, peer_of, winning_moves


def reviewed(key: str, board: str | None, moves: str) -> tuple[Match, Review]:
    """A game and its review."""
    match = Match(key, board, first=1, moves=moves.split())
    return match, review(match.positions)


def test_the_walkthrough_of_number_maze_was_lost_by_the_first_move() -> None:
    """By the second implementation, `down` wins and `right` does not; the review says so."""
    start = Match("number-maze", "1324/2132/4213/3421")
    peer = peer_of(start.position)
    assert winning_moves(peer, 9) == ["down"]
    peer.play("right")
    assert can_force(peer, 2, 9)
    _, found = reviewed("number-maze", "1324/2132/4213/3421", "right left down up")
    first = found.moves[0]
    assert (first.grade, first.best.move, first.regret) == ("blunder", "down", 1.0)
    assert 0 in found.turning_points
    assert comment(first).startswith("Only down wins, in 3 moves.")


def test_a_review_speaks_of_people_by_name_and_of_their_own_moves() -> None:
    """`You` for whoever reads it; a move has the number that its player would give it."""
    names = YOU, PlayerName("Ada", "Ada")
    _, found = reviewed("number-maze", "1324/2132/4213/3421", "right left down up")
    assert found.turning_point == 0
    assert move_label(found, 0, names) == "your move 1"
    assert move_label(found, 3, names) == "Ada's move 2"
    assert verdict(found, 0, names) == (
        "Blunder. Only down wins, in 3 moves. Right lets Ada win in 2 moves, beginning with up. "
        "You get stuck on 4,2 in 1 move: the 4 there leads off the board every way."
    )
    told = verdict(found, 0, (names[1], names[0]))
    assert "Right lets you win in 2 moves" in told
    assert "Ada gets stuck on 4,2" in told
    assert "Player" not in "".join(verdict(found, number, names) for number in range(4))


def test_the_turning_point_is_the_last_of_the_loser_s_blunders() -> None:
    """Each player gave a win away more than once; after Player 1's last time it stayed away."""
    _, found = reviewed("number-connect", "4152/6371/2845/9162", "3,2 3,1 3,3 3,0 2,2 2,0 2,3")
    assert found.winner == 2
    by_player = [
        [number for number in found.turning_points if found.moves[number].mover == player]
        for player in (1, 2)
    ]
    assert all(len(numbers) > 1 for numbers in by_player)
    assert found.turning_point == by_player[0][-1]
    assert all(points == 0.0 for points in found.curve[found.turning_point + 1 :])
    # Had Player 2 lost the same moves, on time, it would be the last of Player 2's.
    assert by_player[0][-1] > by_player[1][-1]
    assert found._replace(winner=1).turning_point == by_player[1][-1]


def test_giving_up_a_won_game_is_its_turning_point() -> None:
    """It is called a resignation, as it is not a move."""
    match = Match("number-run", RUN_BOARD, moves=WON.split())
    match.resign(1)
    found = review(match.positions)
    assert found.turning_point == len(found.moves)
    assert move_label(found, found.turning_point) == "Player 1's resignation"
    assert verdict(found, found.turning_point).startswith("Player 1 resigned in a won position")


def test_accuracy_counts_only_moves_that_could_go_wrong() -> None:
    """With one blunder among the moves that count, accuracy is the share of points kept."""
    _, found = reviewed("number-maze", "1324/2132/4213/3421", "right left down up")
    for player in (1, 2):
        mattered = [each for each in found.moves if each.mover == player and each.counts]
        kept = [1 - each.regret for each in mattered]
        expected = sum(kept) / len(kept) if kept else None
        assert found.accuracy(player) == (pytest.approx(expected) if kept else None)
        assert all(len(each.evaluation.moves) > 1 for each in mattered)


def test_the_curve_runs_from_the_start_to_the_result() -> None:
    """There is a point before every move and one after the last, which is the result."""
    match, found = reviewed(
        "number-connect", "4152/6371/2845/9162", "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2"
    )
    assert len(found.curve) == len(match.moves) + 1
    assert found.curve[-1] == 0.0
    assert all(0.0 <= points <= 1.0 for points in found.curve)


def test_an_unfinished_game_can_be_reviewed() -> None:
    """The curve then ends with what the last move was worth."""
    _, found = reviewed("grid-runner", None, "down")
    assert len(found.curve) == 2
    assert found.curve[-1] == 1.0
    _, found = reviewed("number-maze", "1324/2132/4213/3421", "right")  # only `down` wins
    assert found.curve == (1.0, 0.0)


def test_what_may_be_sampling_error_is_no_blunder() -> None:
    """A move that seems to give away 16 % is a slip where 10 % of that are within two errors."""

    def grade(error: float | None) -> str:
        best, chosen = MoveValue(0, "A1", win=0.6), MoveValue(1, "A2", win=0.44, error=error)
        return ReviewedMove(1, Evaluation((best, chosen), win=0.6, exact=False), chosen).grade

    assert [grade(error) for error in (None, 0.04, 0.05)] == ["blunder", "mistake", "slip"]


def test_who_goes_over_the_target_has_lost_already() -> None:
    """With 9 points a 6 wins and another 9 loses, at once: the opponent need not play on."""
    _, found = reviewed("number-connect", "9911/6111/1111/1111", "0,0 3,3 0,1")
    assert comment(found.moves[2]) == ("Only 1,0 wins at once. 18 is over 15, which loses at once.")


def test_a_perfect_game_has_no_turning_points() -> None:
    """When both always keep the best result, nobody makes a mistake."""
    match = Match("number-connect", seed=4)
    seats = [bot("number-connect", "perfect", side) for side in (1, 2)]
    while not match.outcome:
        match.move(seats[match.turn - 1].choose(match.position))
    found = review(match.positions)
    assert found.turning_points == []
    assert {each.grade for each in found.moves} <= {"best", "forced"}


RUN_BOARD = "31425/25134/42513/14252/53142"
# Player 1 wins in 5 plies with 2,2, by exhaustive search below.
WON = "0,1 3,4 1,1 3,3 1,2 2,3"


@pytest.mark.parametrize("player", [1, 2])
def test_resigning_is_a_mistake_where_the_game_was_not_lost(player: int) -> None:
    """Who gives up a won game is told so; who gives up a lost one made no mistake by it."""
    match = Match("number-run", RUN_BOARD, moves=WON.split())
    assert winning_moves(peer_of(match.position), 5) == ["2,2"]
    match.resign(player)
    found = review(match.positions)
    assert found.resignation
    assert (found.resignation.mover, found.resignation.regret) == (player, 2.0 - player)
    assert found.turning_points == []
    said = " ".join(summary(found))
    assert ("Player 1 resigned in a won position" in said) == (player == 1)
    assert "Player 2 was lost from the start" in said
    assert (found.accuracy(1) == 0.0) == (player == 1)
    assert found.curve[-1] == 1.0  # who was winning, not who gave up
    last = rows(found)[-1]
    assert (last.number, last.player) == (0, player)
    assert (last.move, last.better) == (("resigns??", "2,2") if player == 1 else ("resigns", ""))
    said = comment(found.resignation)
    assert ("2,2 wins in 3 moves" in said) == (player == 1)


def test_resigning_before_the_opponent_moves_is_judged_too() -> None:
    """Player 2 is to move and lost; Player 1, who gives up, had won."""
    match = Match("number-run", RUN_BOARD, moves=[*WON.split(), "2,2"])
    match.resign(1)
    found = review(match.positions)
    assert found.resignation
    assert found.resignation.grade == "blunder"
    assert "Player 2 loses in 2 moves" in comment(found.resignation)
    assert rows(found)[-1].better == "play on"


def test_giving_up_is_judged_by_what_could_be_seen() -> None:
    """The end shows the cells that were face down; the review does not look at them."""
    match = Match("grid-conquest", seed=5, first=1)
    match.move("C3")
    open_position = match.position
    match.resign(1)
    assert open_position.hidden
    assert 0 not in match.positions[-1].board.cells
    limits = limits_for(match.game)
    found = review(match.positions, limits)
    assert found.resignation
    judged = with_answers(open_position, evaluate(open_position, limits))
    assert found.resignation.evaluation == judged
    assert found.resignation.grade == "blunder"
    assert "chance to win" in comment(found.resignation)


def test_a_lost_position_is_called_lost_and_the_best_looking_cell_is_named() -> None:
    """Player 2 needs one point and is next: nothing is enough, and B3, a 5, looks best."""
    moves = ["C2", "A1", "C3", "A2", "B1", "A3"]
    found = hint(Position("grid-conquest", "554/135/512", first=1, moves=moves))
    assert found.move == "B3"
    assert "your opponent wins" in found.text


def test_moves_are_not_counted_where_some_are_not_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both moves win; a short search finds that of one, and then it is not called the only one."""
    position = Position("number-run", "22324/44334/33415/34334/43541")
    assert [move.value for move in evaluate(position).moves] == ["win", "win"]
    monkeypatch.setattr(hints, "THOROUGH", Limits(nodes=3_000))
    assert [move.value for move in evaluate(position, hints.THOROUGH).moves] == [None, "win"]
    found = hint(position)
    assert found.steps == (found.text,)
    assert found.text.startswith("Consider 1,0: you can force a win")


def test_where_only_some_answers_are_asked_for_one_of_them_is_named() -> None:
    """By the second implementation only `down` wins here; between other answers it is no help."""
    position = Position("number-maze", "1324/2132/4213/3421")
    found = hint(position, {"yes": position.read("right")})
    assert found.move == "yes"
    assert found.text.startswith("Consider yes: your opponent can force a win")


# A game that is lost whatever is played

GIFT_BOARD, GIFT = "362/279/373", "0,0 1,2 0,1 1,1"  # the last move goes over the target
LOST = "1,0 3,4 1,1 2,4 1,2 1,4"  # on the way 2,3 would have held out longer than 1,4


def test_a_lost_game_is_reviewed_by_how_long_it_took() -> None:
    """Player 2 loses anyway, but by the second implementation 1,4 loses sooner than 2,3."""
    before = Position("number-run", RUN_BOARD, moves=LOST.split()[:-1])
    soon, later = (peer_of(before.after(move)) for move in ("1,4", "2,3"))
    assert can_force(soon, 1, 3)
    assert not can_force(later, 1, 4)
    assert can_force(later, 1, 5)
    _, found = reviewed("number-run", RUN_BOARD, LOST)
    last = found.moves[-1]
    assert (last.regret, last.thrown_away, last.grade) == (0.0, 1, "good")
    assert "2,3 holds out 1 move longer" in verdict(found, 5)
    assert found.turning_point is None
    told = summary(found, (PlayerName("Ada", "Ada"), YOU))
    assert told[0].startswith(
        "You were lost from the start, and lost 1 move sooner than you had to"
    )
    assert "without a move at 0,4" in told[0]
    assert not any("No mistakes" in line for line in told)


def test_who_has_lost_such_a_game_reads_why_and_what_else_there_was() -> None:
    """Each thing once: that it was lost, what went faster than it had to and why, what was let go.

    Nobody is praised for a move that lost sooner, or told of decisions that were none.
    """
    match, found = reviewed("number-run", RUN_BOARD, LOST + " 2,2")
    names = (PlayerName("Ada", "Ada"), YOU)
    assert summary(found, names) == [
        "You were lost from the start, and lost 1 move sooner than you had to, with 1,4. "
        "With best play you end without a move at 0,4 after 1 more move: "
        "Ada stands in the only way on.",
        "Ada's move 4: It wins, but 1,3 wins 3 moves sooner. "
        "Ada can be in your corner in 4 moves; you need at least 5.",
        "Ada could not go wrong: every move won.",
    ]
    assert verdict(found, 5, names) == (
        "The game is lost, but 2,3 holds out 1 move longer. "
        "You end without a move at 0,4 after 1 more move: Ada stands in the only way on."
    )
    assert verdict(found, 0, names).startswith("Best move. Every move wins, this one in 6 moves.")
    lines = mistake_lines(Exploration(match.record()), found, names)
    assert [line.split(":")[0] for line in lines] == [
        f"{label}. {what}"
        for label, played in (("Your move 3", "1,4"), ("Ada's move 4", "2,2"))
        for what in ("Best play", f"After {played}")
    ]
    assert lines[1] == "Your move 3. After 1,4: 1,3 0,4 0,3"


def test_who_was_lost_and_won_all_the_same_is_not_told_to_have_lost() -> None:
    """The last move, or giving up, was the winner's gift; who gives up does not hold out."""
    game = game_named("number-connect")
    board = game.parse_board(GIFT_BOARD, target=12)
    match = Match(game, board, first=1, moves=GIFT.split())
    assert match.outcome
    assert match.outcome.winner == 1
    assert summary(review(match.positions))[:2] == [
        "Player 1 was lost from the start, but Player 2 let the win go.",
        "Player 2's move 2: Only 2,2 wins at once. 16 is over 12, which loses at once.",
    ]
    match = Match("number-run", RUN_BOARD, moves=WON.split())
    match.resign(1)
    assert "Player 2 was lost from the start, but Player 1 let the win go." in summary(
        review(match.positions)
    )
    opening = Position("number-run", RUN_BOARD)
    best = line_moves(opening, best_line(opening))
    match = Match("number-run", RUN_BOARD, moves=best[:3])
    assert summary(review(match.positions))[0].endswith(
        "lost from the start, and made the best of it."
    )
    match.resign(2)
    assert summary(review(match.positions))[0] == "Player 2 was lost from the start."


def test_only_a_move_that_is_marked_best_is_called_so() -> None:
    """Where all lose alike but another one is harder to answer, that is the best try."""
    others = []
    for seed in range(12):
        match = Match("number-maze", seed=seed)
        players = [bot(match.game, level, seed) for level in ("casual", "novice")]
        while not match.outcome and len(match.moves) < 20:
            match.move(players[match.position.turn - 1].choose(match.position))
        found = review(match.positions)
        for number, each in enumerate(found.moves):
            if each.chosen.rank != each.best.rank:
                assert not verdict(found, number).startswith("Best move")
                others.append((each.regret, each.thrown_away))
    assert (0.0, 0) in others


def test_a_slower_win_is_a_slip_and_never_worse() -> None:
    """Three own moves more than needed: told, marked, and no turning point."""
    _, found = reviewed("number-run", RUN_BOARD, LOST + " 1,3!")
    slow = found.moves[-1]
    assert (slow.chosen.value, slow.regret, slow.thrown_away) == ("win", 0.0, 3)
    assert slow.grade == "slip"
    assert rows(found)[-1].better == slow.best.move == "1,3"
    assert found.accuracy(1) is None
    assert found.turning_points == []


def test_the_graph_shows_how_far_away_the_end_is() -> None:
    """A loss comes nearer to the edge with each move; what is thrown away makes a step."""
    _, found = reviewed("number-run", RUN_BOARD, LOST + " 1,3!")
    assert set(found.curve) == {1.0}
    assert len(found.graph) == len(found.curve)
    assert all(0.5 < height < 1.0 for height in found.graph)
    steps = [after - before for before, after in pairwise(found.graph)]
    assert all(step > 0 for step in steps[:-1])  # Player 1 wins sooner and sooner,
    assert max(steps) == steps[5]  # much sooner after 1,4,
    assert steps[-1] < 0  # and later again after the slip


def test_luck_is_told_from_merit() -> None:
    """The best claim in sight turns up what the other needs: no mistake, but bad luck."""
    lucky = [
        move
        for seed in range(6)
        for move in conquest_review(seed).moves
        if move.luck is not None and move.chosen.win is not None
    ]
    assert lucky
    for move in lucky:
        assert move.luck
        before, after = move.luck.numbers["before"], move.luck.numbers["after"]
        assert before == move.chosen.points
        assert abs(after - before) >= 0.1
        assert ("Good luck" if after > before else "Bad luck") in why_text(move)


def conquest_review(seed: int) -> Review:
    """A game of Grid Conquest between quick bots."""
    match = Match("grid-conquest", seed=seed)
    seats = [bot("grid-conquest", "casual", side) for side in (1, 2)]
    while not match.outcome:
        match.move(seats[match.turn - 1].choose(match.position))
    return review(match.positions, Limits(nodes=1_000))
