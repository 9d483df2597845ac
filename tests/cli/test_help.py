"""What the program says about itself: the help of every command, and what a shell completes."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from subprocess import run as run_command

import pytest

from gridwise.cli.main import COMMANDS

from .program import GAMES, gridwise, settings

SHORT = ("run", "maze", "runner", "conquest", "connect")
LEVELS = ("random", "novice", "casual", "strong", "perfect")
TAKE_A_GAME = {"play", "rules", "proof", "analyze", "puzzle", "ladder", "ugi"}
TAKE_A_LEVEL = {"play", "ugi"}
BASH = shutil.which("bash") or ""


def help_of(home: Path, *command: str) -> str:
    """The help, with every run of blanks and line breaks as one blank."""
    run = gridwise(*command, "--help", home=home)
    assert run.status == 0
    return " ".join(run.out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example_of_its_command(home: Path, command: str) -> None:
    """A line that can be copied."""
    assert f"Example: gridwise {command}" in help_of(home, command)


@pytest.mark.parametrize("command", sorted(TAKE_A_GAME))
def test_the_help_lists_the_games(home: Path, command: str) -> None:
    """Each by its key and its short name."""
    text = help_of(home, command)
    for key, short in zip(GAMES, SHORT, strict=True):
        assert f"{key} ({short})" in text


@pytest.mark.parametrize("command", sorted(TAKE_A_LEVEL))
def test_the_help_lists_the_levels(home: Path, command: str) -> None:
    """Each with a few words about it."""
    text = help_of(home, command)
    assert all(re.search(rf"{level} \(\w", text) for level in LEVELS)


def test_the_help_of_the_program_lists_the_games(home: Path) -> None:
    """And how to start one."""
    text = help_of(home)
    assert all(f"{key} ({short})" in text for key, short in zip(GAMES, SHORT, strict=True))
    assert f"Example: {COMMANDS['play'].example}" in text


@pytest.mark.parametrize(
    "command",
    sorted(COMMANDS.keys() - {"serve", "server", "ladder", "prepare", "ugi-check", "evals"}),
)
def test_the_examples_work(home: Path, command: str) -> None:
    """Copied as they stand, in a folder that has the recorded game and the boards they name."""
    (home / "boards.txt").write_text("4152/6371/2845/9162\n")
    gridwise("play", "run", "--record", "game.gwr", home=home, typed=["0,1"])
    gridwise("play", "run", home=home, typed=["0,1"])
    program, *args = shlex.split(COMMANDS[command].example)
    assert program == "gridwise"
    run = gridwise(*args, home=home, typed=["quit"])
    assert (run.status, run.err) == (0, "")


@pytest.mark.parametrize("short", SHORT)
def test_a_short_name_will_do(home: Path, short: str) -> None:
    """Wherever a game is named."""
    title = dict(zip(SHORT, GAMES, strict=True))[short].replace("-", " ").title()
    assert title in gridwise("play", short, home=home, typed=["quit"]).out
    assert title in gridwise("rules", short, home=home).out


def test_an_ambiguous_name_is_refused_with_its_candidates(home: Path) -> None:
    """One line that names them."""
    run = gridwise("play", "grid", home=home)
    assert run.status == 2
    assert "grid-runner or grid-conquest" in run.err


def test_a_level_alone_is_a_bot_and_recorded_as_one(home: Path) -> None:
    """`--p2 perfect` is `bot:perfect` in the record."""
    file = home / "game.gwr"
    gridwise("play", "run", "--p2", "perfect", "--record", file, home=home, typed=["quit"])
    assert '[Player2 "bot:perfect"]' in file.read_text(encoding="utf-8")


# Completion


def asked_by_a_shell(home: Path, **question: str) -> list[str]:
    """What `gridwise` answers when a shell asks it, as shells do, by its environment."""
    command = "import sys; sys.argv[0] = 'gridwise'; from gridwise.__main__ import main; main()"
    done = run_command(
        [sys.executable, "-c", command],
        env=settings(home, question),
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.split()


def completed(home: Path, words: str) -> set[str]:
    """What bash is offered for the last of the words."""
    count = str(len(words.split(" ")) - 1)
    answer = asked_by_a_shell(
        home, _GRIDWISE_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=count
    )
    return set(answer)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("gridwise play ", set(GAMES)),
        ("gridwise analyze number-c", {"number-connect"}),
        ("gridwise rules grid", {"grid-runner", "grid-conquest"}),
        ("gridwise play ru", {"run", "runner"}),
        ("gridwise re", {"replay", "review"}),
        ("gridwise play run --p2 ", {*LEVELS, "human", "ugi:", "python:", "model:"}),
        ("gridwise play run --p1 p", {"perfect", "python:"}),
        ("gridwise play --deal u", {"uniform"}),
        ("gridwise ugi connect --level n", {"novice"}),
    ],
)
def test_a_shell_completes_values(home: Path, words: str, expected: set[str]) -> None:
    """Commands, games, players, kinds of deals and levels."""
    assert completed(home, words) == expected


@pytest.mark.parametrize(
    "words",
    [
        "gridwise show ga",
        "gridwise replay ",
        "gridwise review ga",
        "gridwise play --resume ga",
        "gridwise play --record ga",
    ],
)
def test_files_are_left_to_the_shell(home: Path, words: str) -> None:
    """An empty answer: the shell then completes file names, better than anybody else could."""
    (home / "game.gwr").touch()
    assert completed(home, words) == set()


@pytest.mark.skipif(not BASH, reason="there is no bash here")
def test_bash_completes_with_the_script_as_it_is_shown(home: Path) -> None:
    """The script defines a function that answers, and falls back to file names."""
    command = home / "gridwise"
    start = "import sys; sys.argv[0] = 'gridwise'; from gridwise.__main__ import main; main()"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{start}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    asks = (
        'eval "$(env _GRIDWISE_COMPLETE=source_bash gridwise)"; complete -p gridwise; '
        "COMP_WORDS=(gridwise play run --p2 per); COMP_CWORD=4; "
        '_gridwise_completion gridwise; echo "${COMPREPLY[*]}"'
    )
    env = settings(home)
    done = run_command(
        [BASH, "--norc", "-c", asks],
        env={**env, "PATH": f"{home}:{env['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    setting, answer = done.stdout.splitlines()
    assert "-o default" in setting
    assert answer == "perfect"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_can_be_shown(home: Path, shell: str) -> None:
    """Each shell gets a script of its own, which asks as above."""
    answer = asked_by_a_shell(home, _GRIDWISE_COMPLETE=f"source_{shell}")
    assert f"_GRIDWISE_COMPLETE=complete_{shell}" in answer
