"""The menu: a game in three key presses, and a way out of every question."""

from __future__ import annotations

from pathlib import Path

import pytest

from .program import GAMES, PROMPTS, RUN_BOARD, Terminal, gridwise, moves_in

ASK = "Press a key"


def press(terminal: Terminal, *keys: str) -> None:
    """Answer one question of the menu after the other."""
    for key in keys:
        terminal.expect(ASK)
        terminal.key(key)


@pytest.mark.parametrize("game", GAMES)
def test_three_keys_start_a_game(home: Path, game: str) -> None:
    """Which game, who plays, which board: then the first move is asked for."""
    with Terminal(home=home, columns=100) as terminal:
        press(terminal, str(GAMES.index(game) + 1), "1", "1")
        terminal.expect(PROMPTS[game])
        terminal.type("quit")
        terminal.expect(ASK)  # leaving a game leads back
        terminal.key("q")
        assert terminal.finish() == 0


def test_enter_takes_the_first_of_everything(home: Path) -> None:
    """Three times Enter is a game too."""
    with Terminal(home=home) as terminal:
        press(terminal, "\r", "\r", "\r")
        terminal.expect(PROMPTS["number-run"])


@pytest.mark.parametrize("questions", [0, 1, 2])
def test_q_leaves_from_everywhere(home: Path, questions: int) -> None:
    """Status 0, whatever is being asked."""
    with Terminal(home=home) as terminal:
        press(terminal, *["1"] * questions, "q")
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.text


@pytest.mark.parametrize("questions", [0, 1, 2])
def test_control_c_leaves_from_everywhere(home: Path, questions: int) -> None:
    """Status 130, whatever is being asked."""
    with Terminal(home=home) as terminal:
        press(terminal, *["1"] * questions, "\x03")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.text


@pytest.mark.parametrize("questions", [0, 1, 2])
def test_control_d_leaves_from_everywhere(home: Path, questions: int) -> None:
    """The end-of-input key is a way out as well."""
    with Terminal(home=home) as terminal:
        press(terminal, *["1"] * questions, "\x04")
        assert terminal.finish() == 0


@pytest.mark.parametrize("back", ["\x1b", "b"])
def test_escape_goes_back(home: Path, back: str) -> None:
    """From the second and the third question it leads to an earlier one, and nobody is trapped."""
    with Terminal(home=home) as terminal:
        press(terminal, "3", back)
        terminal.expect("Which game?")
        press(terminal, "4", "1", back)
        terminal.expect("?")
        press(terminal, "q")
        assert terminal.finish() == 0


def test_escape_at_the_first_question_leaves(home: Path) -> None:
    """There is nothing to go back to but the shell."""
    with Terminal(home=home) as terminal:
        press(terminal, "\x1b")
        assert terminal.finish() == 0


@pytest.mark.parametrize("key", ["x", "9", "0", "\x1b[A", "\x7f", "\t", "\u00e4", "\x00"])
def test_a_key_without_a_meaning_is_answered(home: Path, key: str) -> None:
    """It is said that there is nothing on it, and the question stands."""
    with Terminal(home=home) as terminal:
        press(terminal, key)
        terminal.expect("nothing")
        press(terminal, "2")
        terminal.expect("Number Maze. Who plays?")
        press(terminal, "q")
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.text


def test_keys_may_be_pressed_in_a_hurry(home: Path) -> None:
    """Three keys at once, before they are asked for, are still three keys."""
    with Terminal(home=home) as terminal:
        terminal.press("111")
        terminal.expect(PROMPTS["number-run"], patience=6)


def test_what_is_typed_ahead_of_the_menu_reaches_the_game(home: Path) -> None:
    """The menu takes its three keys and leaves the rest to the first prompt of the game."""
    with Terminal(home=home) as terminal:
        terminal.press("1110,1\r")
        terminal.expect("Moved to (0,1).", patience=6)
        terminal.expect(PROMPTS["number-run"])
        terminal.type("quit")
        press(terminal, "q")
        assert terminal.finish() == 0
        assert terminal.text.count("Which game?") == 2


def test_the_rules_can_be_read_first(home: Path) -> None:
    """Reading them leads back to the same question."""
    with Terminal(home=home) as terminal:
        press(terminal, "5", "r")
        terminal.expect("15")
        terminal.expect("Number Connect. Who plays?")
        press(terminal, "q")
        assert terminal.finish() == 0


def test_a_board_can_be_typed(home: Path) -> None:
    """A bad board is refused and asked for again; an empty answer goes back."""
    with Terminal(home=home) as terminal:
        press(terminal, "1", "1", "t")
        terminal.expect("Rows joined by /")
        terminal.expect(": ")
        terminal.type("99/99")
        terminal.expect('"9"')
        terminal.expect("Rows joined by /")
        terminal.expect(": ")
        terminal.type(RUN_BOARD)
        terminal.expect("Available moves: (0,1), (1,0)")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("quit")
        press(terminal, "1", "1", "t")
        terminal.expect("Rows joined by /")
        terminal.expect(": ")
        terminal.type("")
        press(terminal, "q")
        assert terminal.finish() == 0


def test_the_last_unfinished_game_is_offered(home: Path) -> None:
    """One key continues it, the bot still in its seat."""
    run = gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--p2", "bot:random", "--seed", "2"),
        home=home,
        typed=["0,1"],
    )
    file = Path(run.resume_args[-1])
    assert len(moves_in(file)) == 2
    with Terminal(home=home) as terminal:
        press(terminal, "c")
        terminal.expect("Current position: (0,1)")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("0,2")
        terminal.expect("Player 2's turn.")
        terminal.expect("Player 1's turn.")
        terminal.expect(PROMPTS["number-run"])
        assert len(moves_in(file)) == 4


def test_a_watched_game_ends_in_the_menu(home: Path) -> None:
    """Two bots play to the end without asking anybody, and the menu comes back."""
    with Terminal(home=home) as terminal:
        press(terminal, "5", "w", "1")
        terminal.expect("Which game?")
        press(terminal, "q")
        assert terminal.finish() == 0
        assert "wins the game!" in terminal.text or "draw" in terminal.text


def test_control_c_in_a_game_leaves_the_menu_too(home: Path) -> None:
    """Status 130, and the game is saved."""
    with Terminal(home=home) as terminal:
        press(terminal, "3", "1", "1")
        terminal.expect(PROMPTS["grid-runner"])
        terminal.type("right")
        terminal.expect("Player 2 (P2) at E5")
        terminal.expect(": ")
        assert terminal.interrupt() == 130
    (file,) = home.glob("saved/*.gwr")
    assert moves_in(file) == ["right"]
