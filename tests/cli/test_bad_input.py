"""Bad answers at the prompts: never a traceback, never a lost game, always another try."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.sizes import sample

from .program import (
    AFTER_GAME,
    EXAMPLES,
    GAMES,
    MEETING,
    MEETING_BOARD,
    PLAY_RUN,
    PROMPTS,
    Terminal,
    gridwise,
    moves_in,
)

NONSENSE = [
    "",
    "   ",
    "\t",
    "xyzzy",
    "0,1,2",
    "99,99",
    "-1,0",
    "1e3,2",
    "999999999999999999999,1",
    "Z9",
    "A0",
    "upp",
    "(((((",
    "!!!!",
    "0,0!",
    "'; DROP TABLE games; --",
    "%s%n",
    "\N{SNOWMAN}\N{PILE OF POO}",
    "\x1b[2J\x1b[H",
    "\x07\x08\x7f",
]


@pytest.mark.parametrize("game", GAMES)
def test_nonsense_is_answered_and_asked_again(home: Path, game: str) -> None:
    """Each bad answer gets a message and the same prompt; nothing has been played.

    The message quotes the answer and lists moves that can be made.
    """
    options, moves = EXAMPLES[game]
    run = gridwise("play", game, *options, home=home, typed=[*NONSENSE, "quit"])
    assert run.status == 0
    assert not run.err
    assert run.out.count(PROMPTS[game]) == len(NONSENSE) + 1
    assert "\x1b" not in run.out
    assert not list(home.glob("games/*"))
    answer = run.out.partition("xyzzy\n")[2].partition(PROMPTS[game])[0]
    assert '"xyzzy"' in answer
    assert moves[0].casefold() in answer.casefold()


@settings(
    max_examples=sample(20, long=60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(game=st.sampled_from(GAMES), typed=st.binary(max_size=400))
@example("number-run", "0,1\n".encode("utf-16"))
@example("number-maze", "Right\nr\xfcckw\xe4rts\n".encode("latin-1"))
@example("grid-runner", b"\xef\xbb\xbfright\r\nleft\r\n")
@example("grid-conquest", b"C3\x00\nC3\x00\x00")
@example("number-connect", b"\xff\xfe\n\xc0\xaf\n\xed\xa0\x80\n")
def test_no_bytes_whatever_break_it(game: str, typed: bytes) -> None:
    """Any stream of bytes ends in status 0, with nothing on standard error."""
    with tempfile.TemporaryDirectory() as folder:
        run = gridwise("play", game, *EXAMPLES[game][0], home=Path(folder), typed=typed)
    assert run.status == 0
    assert not run.err
    assert "Traceback" not in run.out


def test_line_ends_of_other_systems_are_understood(home: Path) -> None:
    """A script written on Windows plays the same game."""
    options, moves = EXAMPLES["number-run"]
    typed = "".join(f"{move}\r\n" for move in moves)
    run = gridwise("play", "number-run", *options, home=home, typed=typed)
    assert run.out.count("Moved to") == 3


def test_a_line_of_a_megabyte_is_one_bad_answer(home: Path) -> None:
    """It is refused shortly, and what follows it is still understood."""
    typed = b"A" * 1_000_000 + b"\n0,1\n" + b"\xff" * 1_000_000
    run = gridwise(*PLAY_RUN, home=home, typed=typed)
    assert run.status == 0
    assert not run.err
    assert len(run.out) < 20_000
    assert run.out.count("Moved to (0,1).") == 1


def test_noise_at_a_terminal_is_a_bad_answer_too(home: Path) -> None:
    """Bytes that are not text, typed by hand, are refused and asked again."""
    with Terminal(*PLAY_RUN, home=home, term="dumb") as terminal:
        for noise in (b"\xff\xfe\x80", b"\xc3", b"\x00\x01\x02", b"x" * 3000):
            terminal.expect(PROMPTS["number-run"])
            terminal.type(noise)
            terminal.expect("Possible: ")
        terminal.expect(PROMPTS["number-run"])
        terminal.type("0,1")
        terminal.expect("Moved to (0,1).")
        terminal.type("quit")
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.text


# End of input at every prompt: a whole game of each kind, cut off after every line.

SCRIPTS = {
    **{game: (options, [*moves, "junk"]) for game, (options, moves) in EXAMPLES.items()},
    "number-run": (("--board", MEETING_BOARD), [*MEETING, "maybe", "help", "yes", "undo"]),
}


@pytest.mark.parametrize("game", GAMES)
def test_the_input_may_end_anywhere(home: Path, game: str) -> None:
    """Cut after any line, the program leaves with status 0 and has saved what was played."""
    options, script = SCRIPTS[game]
    every = 1 if game == "number-run" else sample(3, long=1)  # it has the challenge, too
    for cut in range(0, len(script) + 1, every):
        run = gridwise("play", game, *options, home=home, typed=script[:cut])
        assert run.status == 0, run
        assert not run.err
        over = AFTER_GAME in run.out
        if cut and not over:
            file = Path(run.resume_args[-1])
            assert moves_in(file)
            assert len(moves_in(file)) <= cut
        else:
            assert "--resume" not in run.out


def test_a_last_line_without_an_end_counts(home: Path) -> None:
    """The input may stop right behind a move."""
    run = gridwise(*PLAY_RUN, home=home, typed="0,1")
    assert run.status == 0
    assert moves_in(Path(run.resume_args[-1])) == ["0,1"]


@pytest.mark.parametrize("game", GAMES)
def test_reading_is_forgiving(home: Path, game: str) -> None:
    """Case, spaces and brackets do not matter."""
    options, moves = EXAMPLES[game]
    if game in ("number-run", "number-connect"):
        forms = [f"({moves[0]})", moves[0].replace(",", " "), f" [{moves[0]}] "]
    elif game == "grid-conquest":
        forms = ["c3", "(C, 3)", " C 3 "]
    else:
        forms = ["R", "RIGHT", " Right ", "(right)"]
    for form in forms:
        run = gridwise("play", game, *options, home=home, typed=[form, "quit"])
        assert "--resume" in run.out, f"{form} was not accepted: {run.out}"


@pytest.mark.parametrize("closed", [(0,), (1,), (0, 1), (2,)])
def test_a_closed_stream_is_no_crash(home: Path, closed: tuple[int, ...]) -> None:
    """A caller who closes standard input or output gets no traceback."""
    runs = [gridwise(*args, home=home, closed=closed) for args in (("--version",), PLAY_RUN, ())]
    shell = "".join(f" {number}>&-" for number in closed)
    runs += [gridwise(home=home, through=("sh", "-c", f'exec "$@" --version{shell}', "sh"))]
    for run in runs:
        assert "Traceback" not in run.err + run.out
        assert run.status in (0, 2, 141)
