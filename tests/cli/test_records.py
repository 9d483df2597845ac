"""`play --record` and `--resume`: the file is whole at every moment, and the game continues."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sizes import sample

from .program import (
    EXAMPLES,
    GAMES,
    PLAY_RUN,
    PROMPTS,
    RUN_BOARD,
    Piped,
    gridwise,
    is_one_complaint,
    moves_in,
    recorded,
    tag_in,
)

PLAY = (*PLAY_RUN, "--plain")
PROMPT = PROMPTS["number-run"]

# Two walks that stay clear of each other: fifteen moves, each acknowledged by "Moved to".
WALK = (
    "0,1 4,3 0,2 4,2 0,3 4,1 0,4 4,0 1,4 3,0 2,4 2,0 2,3 1,0 1,3".split()  # noqa: SIM905
)


@pytest.mark.parametrize(("taken_back", "more"), [([], []), (["3,3", "undo"], ["Help"])])
def test_the_record_has_the_fixed_form(home: Path, taken_back: list[str], more: list[str]) -> None:
    """Tags, a blank line, numbered moves, the result; what is taken back is not among the moves.

    That a move was taken back is a tag of its own, which no other game has.
    """
    file = home / "game.gwr"
    typed = ["0,1", "3,4", "1,1", *taken_back, "quit"]
    gridwise(*PLAY, "--record", file, home=home, typed=typed)
    tags, moves = file.read_text(encoding="utf-8").split("\n\n")
    names = re.findall(r'^\[(\w+) "[^"]*"\]$', tags, re.MULTILINE)
    assert len(names) == len(tags.splitlines())
    expected = ["Game", "Board", "First", "Player1", "Player2", "Date", "Result", "Termination"]
    assert names == expected + more
    if more:
        assert tag_in(file, "Help") == "1 take-back"
    assert moves == "1. 0,1 3,4 2. 1,1 *\n"
    assert tag_in(file, "Game") == "number-run"
    assert tag_in(file, "Board") == RUN_BOARD
    assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", tag_in(file, "Date"))


def test_the_record_of_a_finished_game_says_who_won_and_why(home: Path) -> None:
    """The result stands in its tag and behind the last move."""
    file = home / "game.gwr"
    options, moves = EXAMPLES["number-maze"]
    gridwise("play", "number-maze", *options, "--record", file, home=home, typed=[*moves, "no"])
    assert tag_in(file, "Result") == "0-1"
    assert tag_in(file, "Ending") == "no-moves"
    assert tag_in(file, "Termination") == "the opponent has no valid moves"
    assert file.read_text().endswith("\n\n1. right left 2. down up 0-1\n")


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_game_continues_where_it_stopped(home: Path, game: str) -> None:
    """Stopped after any move and resumed, it ends as if it had never been stopped."""
    options, moves = EXAMPLES[game]
    file = home / "game.gwr"
    middle = len(moves) // 2
    gridwise("play", game, *options, "--record", file, home=home, typed=moves[:middle])
    assert moves_in(file) == list(moves[:middle])
    # The record knows which game it is; naming it as well does no harm.
    named = (game,) if game == "number-run" else ()
    run = gridwise("play", *named, "--resume", file, home=home, typed=[*moves[middle:], "quit"])
    assert run.status == 0
    assert not run.err
    assert moves_in(file) == list(moves)
    whole = gridwise("play", game, *options, home=home, typed=[*moves, "quit"])
    printed = [line for line in whole.lines if PROMPTS[game].strip() in line][middle:]
    assert [line for line in run.lines if PROMPTS[game].strip() in line] == printed


def test_another_file_can_take_over(home: Path) -> None:
    """--resume with --record leaves the old file as it was."""
    old, new = home / "old.gwr", home / "new.gwr"
    gridwise(*PLAY, "--record", old, home=home, typed=["0,1"])
    before = old.read_bytes()
    gridwise("play", "--resume", old, "--record", new, home=home, typed=["3,4"])
    assert old.read_bytes() == before
    assert moves_in(new) == ["0,1", "3,4"]


def test_no_older_record_is_ever_lost(home: Path) -> None:
    """--record onto an existing record sets it aside and says where it is; the third time too."""
    file = home / "game.gwr"
    written: list[bytes] = []
    for move in ("0,1", "1,0", "0,1"):
        others = set(home.glob("game*"))
        run = gridwise(*PLAY, "--record", file, home=home, typed=[move])
        assert moves_in(file) == [move]
        assert all(path.name in run.out for path in set(home.glob("game*")) - others)
        written.append(file.read_bytes())
    assert sorted(path.read_bytes() for path in home.glob("game*")) == sorted(written)


def test_playing_again_records_the_next_game_beside_the_first(home: Path) -> None:
    """Two rounds, two records; whoever was Player 1 is Player 2 in the next game."""
    file = home / "game.gwr"
    bot = ("--p2", "bot:random", "--seed", "1", "--record", file)
    run = gridwise(*PLAY, *bot, home=home, typed=["0,1", "resign", "yes", "quit"])
    assert "Sides are swapped" in run.out
    assert {path.name for path in home.glob("*.gwr")} == {"game.gwr", "game-2.gwr"}
    assert moves_in(file)[0] == "0,1"
    assert tag_in(file, "Player2") == tag_in(home / "game-2.gwr", "Player1") == "bot:random"
    assert len(moves_in(home / "game-2.gwr")) == 1


@pytest.mark.parametrize(
    ("typed", "extra", "word"),
    [
        (["0,1"], ("number-maze",), "Number Run"),
        (["0,1"], ("--board", RUN_BOARD), "board"),
        (["0,1"], ("--size", "4x4"), "size"),
        (["0,1", "resign"], (), "1-0"),
    ],
)
def test_a_resumed_game_cannot_become_another(
    home: Path, typed: list[str], extra: tuple[str, ...], word: str
) -> None:
    """Another game or board beside --resume is refused, and so is a game that is over."""
    file = home / "game.gwr"
    gridwise(*PLAY, "--record", file, home=home, typed=typed)
    before = file.read_bytes()
    run = gridwise("play", *extra, "--resume", file, home=home)
    assert is_one_complaint(run)
    assert word in run.err
    assert file.read_bytes() == before


@pytest.mark.parametrize("command", [("replay",), ("review",), ("analyze",), ("play", "--resume")])
@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lambda text: text[:-3], "its end is missing"),
        (lambda text: text.replace('[First "1"]', '[First "3"]'), "tag First"),
        (lambda text: text.replace("2. 1,1", "2. 4,4"), "Move 3"),
        (lambda _: "", "not a valid record"),
    ],
    ids=["cut", "tag", "move", "empty"],
)
def test_a_damaged_record_is_one_complaint(
    home: Path, command: tuple[str, ...], damage: Callable[[str], str], named: str
) -> None:
    """It names the file and the place, and the file stays as it is.

    All kinds of damage are tried where records are parsed (`tests/play/test_records.py`).
    """
    file = recorded(home)
    file.write_text(damage(file.read_text()))
    before = file.read_bytes()
    run = gridwise(*command, file.name, home=home)
    assert is_one_complaint(run), run
    assert file.name in run.err
    assert named in run.err
    assert file.read_bytes() == before


# Hidden cells


def test_an_unfinished_record_hides_what_nobody_has_seen(home: Path) -> None:
    """Unseen cells are `?` in the file, and neither file nor dialogue depends on them."""
    printed = []
    for number, board in enumerate(
        ("53152/24251/43453/11523/12214", "11111/24251/43453/51523/52214")
    ):
        file = home / f"{number}.gwr"
        run = gridwise(
            *("play", "grid-conquest", "--board", board, "--first", "1", "--record", file),
            home=home,
            typed=["C3", "D4", "read", "help", "board"],
        )
        assert tag_in(file, "Board") == "?????/?425?/?3453/?1523/??214"
        printed.append((run.out.replace(file.name, ""), file.read_text()))
    assert printed[0] == printed[1]


# Kill -9


def assert_continues(home: Path, file: Path, acknowledged: int, sent: int) -> None:
    """The record holds every acknowledged move, none that was not sent, and can be resumed."""
    moves = moves_in(file)
    assert acknowledged <= len(moves) <= sent
    assert moves == WALK[: len(moves)]
    run = gridwise("play", "--resume", file, home=home)
    assert run.status == 0, run.err
    assert run.out.count(f"Player {len(moves) % 2 + 1}'s turn.") == 1
    own = moves[len(moves) % 2 :: 2]
    corner = ("0,0", "4,4")[len(moves) % 2]
    assert f"Current position: ({own[-1] if own else corner})" in run.out


@pytest.mark.parametrize("seed", range(sample(4, long=12)))
def test_a_kill_while_moves_come_in_loses_nothing(home: Path, seed: int) -> None:
    """Killed at any moment of a stream of moves, the record is whole and the game continues."""
    file = home / "game.gwr"
    rng = random.Random(seed)
    with Piped(*PLAY, "--record", file, home=home) as game:
        game.expect(PROMPT)
        game.send("".join(f"{move}\n" for move in WALK))
        time.sleep(rng.random() * 0.04)
        acknowledged = game.kill().count("Moved to")
    assert_continues(home, file, acknowledged, len(WALK))


def test_a_kill_while_an_older_record_is_set_aside_loses_neither(home: Path) -> None:
    """The old record survives a kill at any moment of starting anew under its name."""
    rng = random.Random("aside")
    for _ in range(sample(3, long=6)):
        file = home / "game.gwr"
        for path in home.glob("game.gwr*"):
            path.unlink()
        gridwise(*PLAY, "--record", file, home=home, typed=["0,1", "3,4"])
        old = file.read_bytes()
        with Piped(*PLAY, "--record", file, home=home) as game:
            time.sleep(rng.random() * 0.1)
            game.kill()
        assert old in [path.read_bytes() for path in home.glob("game.gwr*")]
