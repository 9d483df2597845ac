"""help, hint, undo, save, board, read, resign and quit: at the move, the challenge, and the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from .program import (
    AFTER_GAME,
    CHALLENGE,
    EXAMPLES,
    GAMES,
    MEETING,
    MEETING_BOARD,
    PLAY_RUN,
    PROMPTS,
    Run,
    gridwise,
    moves_in,
    tag_in,
)

COMMANDS = ("help", "hint", "undo", "save", "board", "read", "resign", "quit")
AT_CHALLENGE = ("play", "number-run", "--board", MEETING_BOARD)
CONNECT, CLAIMS = EXAMPLES["number-connect"]
AT_END = ("play", "number-connect", *CONNECT)


def at_move(home: Path, game: str, *typed: str) -> Run:
    """The worked example, one move in."""
    options, moves = EXAMPLES[game]
    return gridwise("play", game, *options, home=home, typed=[moves[0], *typed])


def at_challenge(home: Path, *typed: str) -> Run:
    """Number Run, with Player 1's challenge being asked for."""
    return gridwise(*AT_CHALLENGE, home=home, typed=[*MEETING, *typed])


def at_end(home: Path, *typed: str) -> Run:
    """Number Connect, won by Player 2."""
    return gridwise(*AT_END, home=home, typed=[*CLAIMS, *typed])


@pytest.mark.parametrize(
    ("play", "moves", "prompt", "last"),
    [
        (PLAY_RUN, ["0,1"], PROMPTS["number-run"], []),
        (AT_CHALLENGE, MEETING, CHALLENGE, ["yes"]),
        (AT_END, CLAIMS, AFTER_GAME, ["resign", "maybe", ""]),
    ],
    ids=["move", "challenge", "end"],
)
def test_the_question_stands_after_every_command(
    home: Path, play: tuple[str, ...], moves: Sequence[str], prompt: str, last: list[str]
) -> None:
    """Each command is carried out, and the question is asked again; what is saved is the game.

    A step whose challenge is open is not in it. Where the game is over, other words are answered.
    """
    words = ["help", "hint", "board", "read", "score", "log", "review", "rules", "save a.gwr"]
    words += ["save", *last]
    run = gridwise(*play, home=home, typed=[*moves, *words, "q"])
    assert (run.status, run.err) == (0, "")
    for word in words:
        answer = run.out.partition(f"{prompt}{word}\n")[2].partition(prompt)[0]
        assert answer.strip(), word
    rules = run.out.partition(f"{prompt}rules\n")[2]
    assert rules.startswith(gridwise("rules", play[1], home=home).out[:200])
    before = moves[:-1] if prompt == CHALLENGE else moves
    assert moves_in(home / "a.gwr") == list(before)
    assert ("You win the challenge!" in run.out) == ("yes" in last)


# At the prompt for a move


def test_help_lists_the_commands(home: Path) -> None:
    """Every command is named, and the prompt comes again."""
    words = ("help", "HELP", "?")
    run = at_move(home, "number-run", *words)
    for word in words:
        printed = run.out.partition(f"{PROMPTS['number-run']}{word}\n")[2]
        printed = printed.partition(PROMPTS["number-run"])[0]
        assert all(re.search(rf"^ *{command}\b", printed, re.MULTILINE) for command in COMMANDS)
    assert run.out.count(PROMPTS["number-run"]) == 2 + len(words)


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_a_move_that_can_be_made(home: Path, game: str) -> None:
    """Where to look, then a legal move, then the reason; asking again names the same move."""
    run = at_move(home, game, "hint", "hint", "hint")
    assert run.status == 0
    hints = re.findall(r"^Consider (\S+?)[:.,]? ", run.out, re.MULTILINE)
    assert len(hints) >= 2
    assert len(set(hints)) == 1
    first = run.out.partition("hint\n")[2].partition("hint\n")[0]
    assert "Type hint again to hear more." in first
    assert hints[0] not in first.partition(".")[0].split()
    again = at_move(home, game, hints[0], "quit")
    assert len(moves_in(Path(again.resume_args[-1]))) == 2


@pytest.mark.parametrize(
    ("play", "typed", "moves"),
    [
        (PLAY_RUN, ["0,1", "3,4", "1,1", *["undo"] * 4, "1,0", "quit"], ["1,0"]),
        (PLAY_RUN, ["0,1", "resign", "undo", "3,4", "quit"], ["0,1", "3,4"]),
        (AT_CHALLENGE, [*MEETING, "undo", "1,1", "quit"], [*MEETING[:-1], "1,1"]),
        (AT_CHALLENGE, [*MEETING, "quit", "yes"], MEETING[:-1]),
        (AT_CHALLENGE, [*MEETING, "q", "yes"], MEETING[:-1]),
        (AT_END, [*CLAIMS, "undo", "2,3", "quit"], [*CLAIMS[:-1], "2,3"]),
        *((PLAY_RUN, ["0,1", word, "3,4"], ["0,1"]) for word in ("quit", "QUIT", "exit", "q")),
    ],
)
def test_what_is_saved_on_leaving(
    home: Path, play: tuple[str, ...], typed: list[str], moves: Sequence[str]
) -> None:
    """What was not taken back: one can go back to the beginning, and behind the end of a game.

    A step whose challenge is open has not been made yet.
    """
    run = gridwise(*play, home=home, typed=typed)
    assert run.status == 0
    assert moves_in(Path(run.resume_args[-1])) == list(moves)


@pytest.mark.parametrize("game", GAMES)
def test_undo_takes_the_last_move_back(home: Path, game: str) -> None:
    """The same player is asked the same question again."""
    _, moves = EXAMPLES[game]
    run = at_move(home, game, "undo", moves[0], "quit")
    assert moves_in(Path(run.resume_args[-1])) == [moves[0]]
    prompts = [line for line in run.lines if PROMPTS[game] in f"{line} "]
    first = prompts[0].removesuffix(moves[0])
    assert prompts[2] == f"{first}{moves[0]}"


def test_undo_against_a_bot_takes_its_answer_back_too(home: Path) -> None:
    """It is the person's turn again, where the person last was."""
    run = gridwise(
        *(*PLAY_RUN, "--p2", "bot:random", "--seed", "5"),
        home=home,
        typed=["0,1", "undo", "1,0", "quit"],
    )
    moves = moves_in(Path(run.resume_args[-1]))
    assert moves[0] == "1,0"
    assert len(moves) == 2


def test_save_writes_a_record_that_can_be_continued(home: Path) -> None:
    """The file holds the game so far, and the command to continue is named."""
    run = at_move(home, "number-run", "save my game.gwr", "3,4", "quit")
    assert moves_in(home / "my game.gwr") == ["0,1"]
    assert run.resume_args == ["play", "--resume", "my game.gwr"]
    again = gridwise(*run.resume_args, home=home, typed=["3,4", "quit"])
    assert again.status == 0
    assert moves_in(home / "my game.gwr") == ["0,1", "3,4"]


def test_a_second_copy_writes_over_no_other_game_either(home: Path) -> None:
    """A file that is there is kept and named, also after the game was saved somewhere else."""
    gridwise(*PLAY_RUN, home=home, typed=["0,1", "save b.gwr"])
    before = (home / "b.gwr").read_bytes()
    run = gridwise(*PLAY_RUN, home=home, typed=["1,0", "save a.gwr", "save b.gwr"])
    assert moves_in(home / "b.gwr") == ["1,0"]
    (kept,) = home.glob("b.gwr?*")
    assert kept.read_bytes() == before
    assert kept.name in run.out


@pytest.mark.parametrize("game", GAMES)
def test_board_draws_and_read_describes(home: Path, game: str) -> None:
    """The grid comes again with the one, the sentences with the other."""
    run = at_move(home, game, "board", "read")
    _, _, after = run.out.partition(f"{PROMPTS[game]}board\n")
    drawn, _, printed = after.partition(f"{PROMPTS[game]}read\n")
    assert re.search(r"\+---|\]\[", drawn)
    assert not re.search(r"\+---|\]\[", printed)
    assert printed.count("Row ") in (4, 5)


@pytest.mark.parametrize("game", GAMES)
def test_resigning_gives_the_game_to_the_other_player(home: Path, game: str) -> None:
    """Player 2, whose turn it is, gives up: Player 1 has won, and another game is offered.

    The game is finished, so that its board is open.
    """
    run = at_move(home, game, "resign", "save a.gwr", "no")
    assert run.status == 0
    assert re.search(r"Player 2 resigned\..*Player 1 wins", run.out)
    assert AFTER_GAME in run.out
    assert tag_in(home / "a.gwr", "Result") == "1-0"
    assert "2 resigned" in tag_in(home / "a.gwr", "Termination")
    assert "?" not in tag_in(home / "a.gwr", "Board")


# At the question whether to challenge


def test_resigning_at_the_challenge_ends_the_game(home: Path) -> None:
    """The player who was asked has given up."""
    run = at_challenge(home, "resign", "no")
    assert run.status == 0
    assert re.search(r"Player 1 resigned\..*Player 2 wins", run.out)


# At the offer of another game


def test_saving_at_the_end_writes_the_finished_game(home: Path) -> None:
    """The record has the result; what has been won stays won, whoever resigns afterwards."""
    at_end(home, "resign", "save a.gwr", "no")
    assert tag_in(home / "a.gwr", "Result") == "0-1"
    assert "resigned" not in tag_in(home / "a.gwr", "Termination")
    assert moves_in(home / "a.gwr") == list(CLAIMS)


def test_a_review_before_the_end_is_help_and_after_it_is_none(home: Path) -> None:
    """It says how to answer the bot's last move; between two people it is nobody's help."""
    board, file = "1324/2132/4213/3421", home / "a.gwr"
    play = ("play", "number-maze", "--plain", "--board", board, "--seed", "1", "--record", file)
    for bot, typed, noted in (
        (("--p2", "bot:novice"), ["right", "review", "q"], True),
        (("--p2", "bot:novice"), ["right", "resign", "yes", "review", "q"], False),
        ((), ["right", "review", "q"], False),
    ):
        gridwise(*play, *bot, home=home, typed=typed)
        assert ('[Help "values"]' in file.read_text(encoding="utf-8")) == noted, typed
        file.unlink()
