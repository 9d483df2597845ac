"""The menu: a game in two answers, and a way out of every question."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwise.cli.console import Console
from gridwise.cli.menu import menu
from gridwise.play.setup import Setup
from tests.sizes import sample

from .program import AFTER_GAME, GAMES, PROMPTS, RUN_BOARD, Terminal, gridwise, moves_in

ASK = "Your choice"
PEOPLE = "5"  # two of them, at this terminal


def answer(terminal: Terminal, *answers: str) -> None:
    """Answer one question of the menu after the other."""
    for each in answers:
        terminal.expect(ASK)
        terminal.expect(": ")
        terminal.type(each)


@pytest.mark.parametrize("game", sample(GAMES[1:4], long=GAMES))
def test_two_answers_start_a_game(home: Path, game: str) -> None:
    """Which game, who plays: then the first move is asked for, and `menu` leads back."""
    with Terminal(home=home, columns=100) as terminal:
        answer(terminal, str(GAMES.index(game) + 1), PEOPLE)
        terminal.expect(PROMPTS[game])
        terminal.type("menu")
        answer(terminal, "q")
        assert terminal.finish() == 0


@pytest.mark.parametrize(("by", "status"), [("q", 0), ("Ctrl-C", 130)])
def test_leaving_a_game_leaves_the_menu_too(home: Path, by: str, status: int) -> None:
    """`q` and Ctrl-C are the way out everywhere; the game is saved."""
    with Terminal(home=home) as terminal:
        answer(terminal, "3", PEOPLE)
        terminal.expect(PROMPTS["grid-runner"])
        terminal.type("right")
        terminal.expect(PROMPTS["grid-runner"])
        if by == "q":
            terminal.type("q")
        assert (terminal.finish() if by == "q" else terminal.interrupt()) == status
        assert "Continue with: " in terminal.text
        assert terminal.text.count("Which game?") == 1
    (file,) = home.glob("games/*.gwr")
    assert moves_in(file) == ["right"]


def test_enter_takes_the_usual_choice(home: Path) -> None:
    """Twice Enter is the first game against the casual bot."""
    with Terminal(home=home) as terminal:
        answer(terminal, "", "")
        terminal.expect("Player 2 is the casual bot.")
        terminal.expect(PROMPTS["number-run"])


def test_sides_and_deals_can_be_changed(home: Path) -> None:
    """Each answer changes it, and the question stands."""
    with Terminal(home=home) as terminal:
        answer(terminal, "1", "s", "d", "1")
        terminal.expect("You are Player 2. Player 1 is the novice bot.")


class Typed(Console):
    """A console at which somebody answers one question after the other, and then leaves."""

    def __init__(self, *answers: str) -> None:
        super().__init__(simple=True)
        self.interactive = False
        self._answers = iter(answers)

    def ask(self, prompt: str) -> str:
        """The next answer."""
        for answer in self._answers:
            return answer
        raise EOFError(prompt)


def test_what_is_chosen_is_what_is_played(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot and the deal that the menu says.

    A board that was typed is for the next game, unless a deal is chosen after it.
    """
    played: list[Setup] = []
    puzzles: list[bool] = []
    monkeypatch.setenv("GRIDWISE_HOME", str(home))
    monkeypatch.setattr("gridwise.cli.menu.play_rounds", lambda setup, *_: played.append(setup))
    monkeypatch.setattr(
        "gridwise.cli.commands.puzzle.puzzle",
        lambda **options: puzzles.append(options["daily"]),
    )
    typed = ("1", "t", RUN_BOARD)
    assert menu(Typed("1", "d", PEOPLE, *typed, PEOPLE, *typed, "d", "d", PEOPLE, "p", "t")) == 0
    assert [(each.deal, each.board) for each in played] == [
        ("fair", None),
        ("", RUN_BOARD),
        ("uniform", None),
    ]
    assert puzzles == [False, True]  # one after the other, and today's
    played.clear()
    menu(Typed("3", "1", "3", "2", "3", "3", "3", "4"))
    assert [each.p2 for each in played] == ["bot:novice", "bot:casual", "bot:strong", "bot:perfect"]


@pytest.mark.parametrize("questions", [0, 1])
@pytest.mark.parametrize(("key", "status"), [("q\r", 0), ("\x03", 130), ("\x04", 0)])
def test_one_can_leave_from_everywhere(home: Path, key: str, status: int, questions: int) -> None:
    """By `q` and Ctrl-D with status 0, by Ctrl-C with 130, whatever is being asked."""
    with Terminal(home=home) as terminal:
        answer(terminal, *["1"] * questions)
        terminal.expect(ASK)
        terminal.expect(": ")
        assert terminal.leave(key) == status
        assert "Traceback" not in terminal.text
        assert terminal.text.endswith("\n")  # the shell's prompt stands on a line of its own


def test_an_answer_without_a_meaning_is_refused(home: Path) -> None:
    """With what can be typed, and the question stands; `b` goes back to the one before."""
    with Terminal(home=home) as terminal:
        for key in ("x", "9", "0", "b", "\u00e4"):
            answer(terminal, key)
            terminal.expect("There is no ")
            terminal.expect("You can type 1 2 3 4 5 ")
        answer(terminal, "2")
        terminal.expect("Number Maze. Who plays?")
        answer(terminal, "b")
        terminal.expect("Which game?")
        answer(terminal, "q")
        assert terminal.finish() == 0


def test_what_is_typed_ahead_of_the_menu_reaches_the_game(home: Path) -> None:
    """Answers that come before they are asked for are not lost."""
    with Terminal(home=home) as terminal:
        terminal.press("1\r5\r0,1\r")
        terminal.expect("Moved to (0,1).")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("menu")
        answer(terminal, "q")
        assert terminal.finish() == 0
        assert terminal.text.count("Which game?") == 2


def test_the_rules_can_be_read_first(home: Path) -> None:
    """In brief, and with Enter in full; reading them leads back to the same question.

    As plain as the menu was asked to be.
    """
    with Terminal("play", "--plain", home=home, env={"PAGER": "cat"}) as terminal:
        answer(terminal, "5", "r")
        terminal.expect("15")
        terminal.expect("q: done) ")
        terminal.type("q")
        terminal.expect("Number Connect. Who plays?")
        answer(terminal, "r")
        terminal.expect("q: done) ")
        terminal.type("")
        terminal.expect("Where the rules come from")
        terminal.expect("Number Connect. Who plays?")
        answer(terminal, "q")
        assert terminal.finish() == 0
        assert "\x1b" not in terminal.text


def test_a_board_can_be_typed(home: Path) -> None:
    """A bad board is refused and asked for again; an empty answer goes back."""
    with Terminal(home=home) as terminal:
        answer(terminal, "1", "t")
        terminal.expect("Rows joined by /")
        terminal.expect(": ")
        terminal.type("99/99")
        terminal.expect('"9"')
        terminal.expect("Rows joined by /")
        terminal.expect(": ")
        terminal.type(RUN_BOARD)
        answer(terminal, PEOPLE)
        terminal.expect("Available moves: (0,1), (1,0)")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("menu")
        answer(terminal, "1", "t")
        terminal.expect("Rows joined by /")
        terminal.expect(": ")
        terminal.type("")
        answer(terminal, "q")
        assert terminal.finish() == 0


def test_the_last_unfinished_game_is_offered(home: Path) -> None:
    """Enter continues it, the bot still in its seat."""
    run = gridwise(
        *("play", "number-run", "--board", RUN_BOARD, "--p1", "bot:random", "--seed", "2"),
        home=home,
        typed=["4,3"],
    )
    file = Path(run.resume_args[-1])
    assert len(moves_in(file)) == 3
    with Terminal(home=home) as terminal:
        terminal.expect("c  Continue Number Run against the random bot, move 4")
        answer(terminal, "")
        terminal.expect("Current position: (4,3)")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("4,2")
        terminal.expect("Player 1's turn.")
        terminal.expect("Player 2's turn.")
        terminal.expect(PROMPTS["number-run"])
        assert len(moves_in(file)) == 5


def test_a_game_can_be_watched(home: Path) -> None:
    """Two bots play to the end without asking anybody; then comes what is next."""
    with Terminal("play", "--plain", "--delay", "0.01", home=home) as terminal:
        answer(terminal, "5", "w")
        terminal.expect("Player 1 (strong bot):")
        terminal.expect(AFTER_GAME)
        terminal.type("m")
        terminal.expect("Which game?")
        answer(terminal, "q")
        assert terminal.finish() == 0
        assert "wins the game!" in terminal.text or "draw" in terminal.text


def test_ones_own_games_can_be_looked_at(home: Path) -> None:
    """A finished one is shown with its review, an unfinished one is continued."""
    maze = ("play", "number-maze", "--board", "1324/2132/4213/3421")
    gridwise(*maze, home=home, typed=["right", "left", "down", "up", "q"])
    gridwise(*maze, home=home, typed=["right", "q"])
    ids = [path.stem.rpartition("-")[2] for path in sorted(home.glob("games/*.gwr"))]
    with Terminal(home=home) as terminal:
        answer(terminal, "g")
        for name, said in zip(ids, ("accuracy", "Player 2's Turn:"), strict=True):
            terminal.expect("Which one?")
            terminal.expect(": ")
            terminal.type(name)
            terminal.expect(said)


def test_the_menu_can_be_had_through_a_pipe(home: Path) -> None:
    """After a game, `m` asks for lines where there are no keys."""
    maze = ("play", "number-maze", "--board", "4111/1111/1111/1111")
    run = gridwise(*maze, home=home, typed=["m", "x", "3", PEOPLE, "right", "q"])
    assert run.status == 0
    assert not run.err
    assert "Player 2 (P2) at E5, enter move" in run.out
