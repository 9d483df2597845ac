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
from tests.sizes import sample

from .program import GAMES, RUN_BOARD, gridwise, settings

SHORT = ("run", "maze", "runner", "conquest", "connect")
LEVELS = ("random", "novice", "casual", "strong", "perfect")
TAKE_A_GAME = {"play", "rules", "analyze", "puzzle", "ugi"}
TAKE_A_LEVEL = {"play", "ugi"}
FEWER = {  # of options that are given twice the second counts
    "arena": ["--pairs", "2", "--workers", "1"],
    "grade": ["--games", "2"],
    "study": shlex.split("--boards 100 --pairs 2 --games 4 --levels random,casual --workers 1"),
}
BASH = shutil.which("bash") or ""


def help_of(home: Path, command: str) -> str:
    """The help, with every run of blanks and line breaks as one blank."""
    run = gridwise(command, "--help", home=home)
    assert run.status == 0
    return " ".join(run.out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_can_be_acted_on(home: Path, command: str) -> None:
    """It has a line to copy; it lists the games by key and short name, and tells of the levels."""
    text = help_of(home, command)
    assert f"Example: gridwise {command}" in text
    if command in TAKE_A_GAME:
        assert all(f"{key} ({short})" in text for key, short in zip(GAMES, SHORT, strict=True))
    if command in TAKE_A_LEVEL:
        assert all(re.search(rf"{level} \(\w", text) for level in LEVELS)
    if command == "play":
        options = "p1 p2 board deal seed first record resume plain"
        assert all(f"--{option}" in text for option in options.split())


@pytest.mark.parametrize("args", [(), ("--help",), ("-h",)])
def test_the_help_of_the_program_lists_commands_and_games(
    home: Path, args: tuple[str, ...]
) -> None:
    """And how to start a game; without a terminal, plain `gridwise` prints it too."""
    run = gridwise(*args, home=home)
    assert (run.status, run.err) == (0, "")
    assert "\x1b" not in run.out
    text = " ".join(run.out.split())
    assert all(re.search(rf"\b{command}\b", text) for command in COMMANDS)
    assert all(f"{key} ({short})" in text for key, short in zip(GAMES, SHORT, strict=True))
    assert f"Example: {COMMANDS['play'].example}" in text


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the recorded game and the boards that examples name."""
    home = tmp_path_factory.mktemp("furnished")
    (home / "boards.txt").write_text("4152/6371/2845/9162\n")
    play = ("play", "run", "--board", RUN_BOARD)
    gridwise(*play, "--record", "game.gwr", home=home, typed=["0,1"])
    gridwise(*play, home=home, typed=["0,1"])
    return home


@pytest.mark.parametrize(
    "command",
    sorted(COMMANDS.keys() - {"serve", "server", "evals"}),
)
def test_the_examples_work(furnished: Path, command: str) -> None:
    """Copied as they stand; in `make test` with fewer games and boards."""
    program, *args = shlex.split(COMMANDS[command].example)
    assert program == "gridwise"
    args += sample(FEWER.get(command, []), long=[])
    run = gridwise(*args, home=furnished, typed=["quit"])
    assert (run.status, run.err) == (0, "")


def test_a_level_alone_is_a_bot_and_recorded_as_one(home: Path) -> None:
    """`--p2 perfect` is `bot:perfect` in the record."""
    file = home / "game.gwr"
    play = ("play", "run", "--board", RUN_BOARD, "--p2", "perfect")
    gridwise(*play, "--record", file, home=home, typed=["quit"])
    assert '[Player2 "bot:perfect"]' in file.read_text(encoding="utf-8")


# Completion


def asked_by_a_shell(home: Path, **question: str) -> list[str]:
    """What `gridwise` answers when a shell asks it, as shells do, by its environment."""
    run = gridwise(home=home, env=question)
    assert (run.status, run.err) == (0, "")
    return run.out.split()


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


def test_files_are_left_to_the_shell(home: Path) -> None:
    """An empty answer: the shell then completes file names, better than anybody else could."""
    (home / "game.gwr").touch()
    for words in ("replay ", "review ga", "play --resume ga", "play --record ga"):
        assert completed(home, f"gridwise {words}") == set()


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


def test_the_completion_script_can_be_shown(home: Path) -> None:
    """Each shell gets a script of its own, which asks as above."""
    for shell in ("bash", "zsh", "fish"):
        answer = asked_by_a_shell(home, _GRIDWISE_COMPLETE=f"source_{shell}")
        assert f"_GRIDWISE_COMPLETE=complete_{shell}" in answer
