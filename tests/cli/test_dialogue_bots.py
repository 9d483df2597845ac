"""Games against bots: everything that happens is told from the side of the person."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .program import AFTER_GAME, EXAMPLES, GAMES, RUN_BOARD, Run, assert_prints, gridwise

CHALLENGED = "You win the challenge!"


@pytest.fixture(scope="module")
def challenged_by_a_bot(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Number Run with the person as Player 2, who is challenged by the perfect bot and loses."""
    home = tmp_path_factory.mktemp("challenged")
    for seed in range(20):  # it has several best moves, and chooses by the seed
        run = gridwise(
            *("play", "number-run", "--p1", "bot:perfect", "--board", RUN_BOARD, "--plain"),
            *("--seed", str(seed)),
            home=home,
            typed=["3,4", "2,4", "2,3", "2,2"],
        )
        if CHALLENGED in run.out:
            return run
    raise AssertionError("the bot has never challenged")


def paragraphs(run: Run) -> list[list[str]]:
    """What was printed, split at blank lines."""
    return [part.splitlines() for part in re.split(r"\n\n+", run.out)]


def test_what_a_bot_wins_stands_under_its_name(challenged_by_a_bot: Run) -> None:
    """Nobody is told that they won what they lost: the paragraph is headed by the bot."""
    won = [part for part in paragraphs(challenged_by_a_bot) if CHALLENGED in part]
    assert won
    for part in won:
        assert part[:2] == ["Player 1 (perfect bot):", "Player 1's turn."]
        assert re.search(r"Challenge! \d+ beats \d+\. You are sent home with 0\.$", part[-1])


def test_only_the_bots_turns_have_the_line_that_names_it(challenged_by_a_bot: Run) -> None:
    """The person's own turns begin as the text has it."""
    run = challenged_by_a_bot
    own = [part for part in paragraphs(run) if "Player 2's turn." in part]
    assert own
    assert all(part[0] == "Player 2's turn." for part in own)
    assert run.out.count("Player 1 (perfect bot):") == run.out.count("Player 1's turn.")


@pytest.mark.parametrize("game", GAMES)
def test_between_people_no_line_names_an_actor(home: Path, game: str) -> None:
    """The fixed lines stay as they are, and the end is told as the text has it."""
    options, moves = EXAMPLES[game]
    run = gridwise("play", game, *options, home=home, typed=[*moves, "no"])
    assert not re.search(r"^Player \d \(.*\):$", run.out, re.MULTILINE)
    assert not re.search(r"^You (won|lost): ", run.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("game", "options", "moves", "closing"),
    [
        # Three fives for the bot, which begins; what it has claimed cannot be claimed again.
        (
            "grid-conquest",
            ("--p1", "bot:strong", "--board", "55/55/55", "--first", "1"),
            ["A1", "A2", "B1", "B2", "C1", "C2"],
            r"You lost: Player 1 reached 15 points\.",
        ),
        (
            "grid-runner",
            ("--p1", "bot:perfect", "--board", "...."),
            ["left", "left"],
            r"You won: Player 1 had no move left\.",
        ),
    ],
)
def test_a_game_against_a_bot_closes_from_the_persons_side(
    home: Path, game: str, options: tuple[str, ...], moves: list[str], closing: str
) -> None:
    """The last words before the offer of another game say who won: you or the bot.

    All that these words can be is tried where they are made (`tests/core/test_narration.py`).
    """
    run = gridwise("play", game, *options, home=home, typed=[*moves, "quit"])
    told = [line for line in run.lines if line.startswith(("You lost", "You won"))]
    assert len(told) == 1, run.out
    assert re.fullmatch(closing, told[0])
    rest = run.out.partition(told[0])[2]
    assert "+---" not in rest
    assert "[P1]" not in rest


@pytest.mark.parametrize("game", GAMES)
def test_a_round_against_a_bot_has_one_board(home: Path, game: str) -> None:
    """The board comes when the person is to move, not after both moves; scores with every move."""
    options, moves = EXAMPLES[game]
    run = gridwise(
        *("play", game, *options, "--p2", "bot:random", "--seed", "1", "--linear"),
        home=home,
        typed=[moves[0], "quit"],
    )
    boards = run.out.count("Row 1:") or run.out.count("Row A:")
    assert boards == 2, run.out
    if game not in ("grid-runner", "number-maze"):
        assert len(re.findall(r"^(?:Scores|Totals): ", run.out, re.MULTILINE)) == 3


def test_both_scores_follow_every_turn_against_a_bot(home: Path) -> None:
    """Also the person's own turn, after which no board is drawn."""
    run = gridwise(
        *("play", "grid-conquest", "--board", "1234/5123", "--first", "1", "--p2", "bot:random"),
        home=home,
        typed=["A1", "quit"],
    )
    assert_prints(
        run,
        """
You have claimed cell A1 with a value of 1.
Your new score is 1.
Scores: Player 1 has 1, Player 2 has 0.

Player 2 (random bot):
""",
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_watched_game_shows_every_position_once(home: Path, game: str) -> None:
    """Two bots: a board before each move and one at the end; nobody is asked anything."""
    options, _ = EXAMPLES[game]
    bots = ("--p1", "bot:random", "--p2", "bot:random", "--seed", "3")
    run = gridwise("play", game, *options, *bots, "--linear", home=home)
    assert run.status == 0
    assert re.search(r"wins|won the game|loses the game|draw|unfinished after 200 plies", run.out)
    assert AFTER_GAME not in run.out
    boards = run.out.count("Row 1:") or run.out.count("Row A:")
    turns = len(re.findall(r"^Player \d \(random bot\):$", run.out, re.MULTILINE))
    assert turns
    assert boards == turns + 1
