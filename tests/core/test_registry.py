"""A game is named by its key, or by a part of it; games of other packages are found and added."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tic_tac_toe import GAME as TOY

from gridwise import game
from gridwise.core import registry
from gridwise.core.registry import add_module, follow, games, short_names, sources, unregister
from gridwise.errors import BadRequest, UnknownGame
from gridwise.testing.new_game import next_steps, write_game
from gridwise.testing.samples import registered

SHORT = {
    "number-run": "run",
    "number-maze": "maze",
    "grid-runner": "runner",
    "grid-conquest": "conquest",
    "number-connect": "connect",
}


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for games of other packages; whatever is added from it is forgotten afterwards."""
    monkeypatch.setenv(registry.VARIABLE, "")
    monkeypatch.setattr(sys, "path", [*sys.path])
    modules, known = set(sys.modules), set(sources())
    yield tmp_path
    for key in set(sources()) - known:
        unregister(key)
    for name in set(sys.modules) - modules:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


# Names


@pytest.mark.parametrize(("key", "short"), SHORT.items())
def test_a_short_name_is_read_as_its_game(key: str, short: str) -> None:
    """In capitals too; and the key itself, with spaces or underscores."""
    assert short_names()[key] == short
    for name in (short, short.upper(), key, key.replace("-", " "), key.replace("-", "_").title()):
        assert game(name).key == key


@pytest.mark.parametrize(
    ("part", "key"),
    [
        ("maz", "number-maze"),
        ("conq", "grid-conquest"),
        ("grid run", "grid-runner"),
        ("run", "number-run"),  # a whole word counts more than the beginning of Grid Runner's
        ("runn", "grid-runner"),
    ],
)
def test_the_beginning_of_a_word_is_enough_where_it_is_clear(part: str, key: str) -> None:
    """No other game has a word that begins like this."""
    assert game(part).key == key


@pytest.mark.parametrize(
    ("part", "candidates"),
    [
        ("number", {"number-run", "number-maze", "number-connect"}),
        ("grid", {"grid-runner", "grid-conquest"}),
        ("con", {"grid-conquest", "number-connect"}),
    ],
)
def test_an_ambiguous_part_is_refused_with_its_candidates(part: str, candidates: set[str]) -> None:
    """All of them are named, and no other game."""
    with pytest.raises(UnknownGame) as refused:
        game(part)
    assert {key for key in SHORT if key in str(refused.value)} == candidates


@pytest.mark.parametrize("name", ["", " ", "-", "ess", "chess", "umber", "run maze", "--run--x"])
def test_anything_else_is_no_game(name: str) -> None:
    """The middle of a word does not count, and nothing is not a part of everything."""
    with pytest.raises(UnknownGame, match="There is no game"):
        game(name)
    with pytest.raises(UnknownGame, match="Did you mean grid-runner"):
        game("grid-runer")


def test_a_game_that_is_added_gets_a_short_name_for_nothing() -> None:
    """Its last word, unless another game has it too: that word is refused with both."""
    with registered(TOY):
        assert game("toe") is TOY
        assert short_names() == {**SHORT, "tic-tac-toe": "toe"}
    with registered(replace(TOY, key="dry-run")):
        assert short_names() == {**SHORT, "number-run": "number-run", "dry-run": "dry-run"}
        with pytest.raises(UnknownGame, match="number-run or dry-run"):
            game("run")


# Games of other packages


@pytest.mark.parametrize("part", ["", "star_claim", "star_claim/__init__.py"])
def test_a_game_is_added_from_its_project_its_folder_or_its_file(outside: Path, part: str) -> None:
    """It is a game like any other, and programs that are started from here have it."""
    write_game("star claim", outside / "new")
    (added,) = add_module(str(outside / "new" / part))
    assert (game("claim"), games()[-1]) == (added, added)
    found = subprocess.run(
        [sys.executable, "-c", "import gridwise; print(gridwise.game('star claim').title)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "Star Claim\n"


def test_a_single_file_is_a_game_too(outside: Path) -> None:
    """Whatever it is called; here the sample game under another key."""
    text = (
        "from dataclasses import replace\n"
        "from gridwise.testing.sample_game import GAME as SAMPLE\n"
        "GAME = replace(SAMPLE, key='one-file')\n"
    )
    (outside / "one_file_game.py").write_text(text)
    assert add_module(str(outside / "one_file_game.py")) == [game("one-file")]


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("no_game.py", "x = 1", "it has no GAME"),
        (
            "broken_game.py",
            "1 / 0",
            r"ZeroDivisionError: division by zero \(broken_game.py, line 1",
        ),
        ("bad_syntax.py", "def", "SyntaxError"),
        (
            "half_a_game.py",
            "from dataclasses import replace\n"
            "from gridwise.testing.sample_game import GAME as SAMPLE, text\n"
            "GAME = replace(SAMPLE, rules=text)",
            "Its rules.py has no ACTIONS, LOW, HIGH, CYCLIC, start, moves, play, winner, hidden",
        ),
        (
            "half_a_text.py",
            "from gridwise.core.defaults import complete_text\n"
            "from gridwise.testing.sample_game import rules\n"
            "complete_text(rules)",
            "Its text.py has no SUMMARY, HELP, NOTATION, DRAWING, why_not, prompt, ending, cell",
        ),
        (
            "plain_text.py",
            "from dataclasses import replace\n"
            "from gridwise.testing.sample_game import GAME as SAMPLE, text\n"
            "GAME = replace(SAMPLE, text=text)",
            r"Its text must be complete_text\(text\)",
        ),
        ("json.py", "GAME = 1", "Python has a module json already"),
        (
            "taken_key.py",
            "from gridwise.games.number_run import GAME",
            "calls its game number-run, as one of ours",
        ),
    ],
)
def test_what_cannot_be_added_is_refused_with_the_reason(
    outside: Path, file: str, text: str, says: str
) -> None:
    """And the games are those that they were."""
    (outside / file).write_text(text)
    before = games()
    with pytest.raises(BadRequest, match=says):
        add_module(str(outside / file))
    assert games() == before
    assert not os.environ[registry.VARIABLE]


@pytest.mark.parametrize("source", ["", "no/such/folder", "no_such_module", "."])
def test_what_is_not_there_is_no_game(
    outside: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is an empty folder."""
    monkeypatch.chdir(outside)
    with pytest.raises(BadRequest, match=r"no game|There is no|cannot be imported"):
        add_module(source)


INSTALLED = """\
import sys; sys.path.append({folder!r})
import gridwise
print([each.key for each in gridwise.games()][5:])
for name in ("star", "broken", "nothing"):
    try:
        print(gridwise.game(name).title)
    except gridwise.GridwiseError as error:
        print(error)
print(gridwise.game("number-run").title)
"""


def test_installed_packages_have_games_and_a_broken_one_breaks_nothing(outside: Path) -> None:
    """Entry points of `gridwise.games`: what cannot be loaded is said where it is asked for."""
    write_game("star claim", outside / "new")
    (outside / "new" / "star_claim").rename(outside / "star_claim")
    (outside / "broken_one.py").write_text("import nothing_of_this_name")
    about = outside / "outside-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: outside\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[gridwise.games]\n"
        "star-claim = star_claim\nbroken-one = broken_one\nnumber-run = star_claim\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", INSTALLED.format(folder=str(outside))],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, registry.VARIABLE: str(outside / "gone")},
    )
    listed, star, broken, nothing, ours = found.stdout.splitlines()
    assert (listed, star, ours) == ("['star-claim']", "Star Claim", "Number Run")
    assert broken.startswith("The game broken-one cannot be used. ")
    assert "No module named 'nothing_of_this_name'" in broken
    assert "There is no game" in nothing
    assert "star_claim has a game number-run too" in nothing
    assert f"{registry.VARIABLE}: There is no folder" in nothing


def test_whoever_follows_the_games_hears_of_later_ones(outside: Path) -> None:
    """Environments are registered in this way."""
    heard: list[str] = []
    follow(lambda each: heard.append(each.key))
    assert heard == list(SHORT)
    with registered(TOY):
        assert heard[5:] == ["tic-tac-toe"]
    registry._followers.pop()


# New games


def test_a_new_game_says_what_to_type_next(outside: Path) -> None:
    """A folder of its own, named by the words of its name."""
    files = write_game("Star_claim 2", outside / "a folder")
    assert {str(each.relative_to(outside / "a folder")) for each in files} == {
        *(f"star_claim_2/{name}.py" for name in ("__init__", "rules", "text", "heuristic")),
        *("pyproject.toml", "README.md", "test_star_claim_2.py"),
    }
    assert not [each for each in files if "sample" in each.read_text("utf-8").casefold()]
    play, test = next_steps("Star_claim 2", outside / "a folder")
    assert play == f'gridwise --game-module "{outside / "a folder"}" play star-claim-2'
    assert test == f'python -m gridwise.testing "{outside / "a folder"}"'


@pytest.mark.parametrize(
    "name", ["", "2 fast", "hé", "a!b", "../up", "class", "json", "numpy", "Number Run", "x" * 41]
)
def test_a_name_that_cannot_be_used_is_refused(outside: Path, name: str) -> None:
    """Nothing is written."""
    with pytest.raises(BadRequest, match=r"name|already"):
        write_game(name, outside / "new")
    assert list(outside.iterdir()) == []


def test_nothing_is_written_over(outside: Path) -> None:
    """A folder with anything in it is refused, and so is a file."""
    (outside / "notes.txt").write_text("mine")
    for folder in (outside, outside / "notes.txt", outside / "notes.txt" / "below"):
        with pytest.raises(BadRequest, match=r"not an empty folder|Cannot write"):
            write_game("star-claim", folder)
    assert [each.name for each in outside.iterdir()] == ["notes.txt"]
