"""The documents tell the truth about this commit."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import gridwise
from gridwise import games
from gridwise.cli.main import COMMANDS
from gridwise.show.text import rules_page
from scripts.make_docs import documents
from tests.cli.program import gridwise as gridwise_run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_generated_documents_are_fresh() -> None:
    """`make docs` would change nothing."""
    for path, text in documents().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"


def test_files_named_in_the_documents_exist() -> None:
    """Every `folder/file.py` that a page names is there, and so is every file that it links to."""
    folders = ("src", "examples", "tests", "scripts", "bench", "deploy", "research")
    files = [str(file) for folder in folders for file in (ROOT / folder).rglob("*.*")]
    for page in (ROOT / "docs").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"`([a-z_/]+\.(?:py|js|toml|html))`", text):
            assert any(file.endswith(f"/{name}") for file in files), f"{page.name}: {name}"
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_dask_is_started_for_this_machine_alone() -> None:
    """Whoever reaches a scheduler or a worker runs what they like; without a host all can."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    commands = [line for line in lines if re.match(r"dask (scheduler|worker)", line)]
    assert len(commands) == 4
    assert all(" --host 127.0.0.1 " in f"{command} " for command in commands), commands


def anchors(page: Path) -> set[str]:
    """What a link can name on a page: its headings, in small letters, joined by hyphens."""
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text(encoding="utf-8"))
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_places_named_in_links_exist() -> None:
    """Every `page.md#heading` is a heading of that page."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        links = re.findall(r"\]\(([^)#]*?)#([^)]+)\)", page.read_text(encoding="utf-8"))
        for target, anchor in links:
            if "://" not in target:
                there = page.parent / target if target else page
                assert anchor in anchors(there), f"{page.name}: {target}#{anchor}"


def test_rules_pages_are_whole() -> None:
    """Every page has its parts, a drawn board, and lines that fit a terminal."""
    for game in games():
        page = rules_page(game)
        for part in ("## Your turn", "## How it ends", "## Writing moves", "## Tips"):
            assert part in page
        assert "{board}" not in page
        assert max(len(line) for line in page.splitlines()) <= 80


@pytest.mark.parametrize(
    ("page", "examples"),
    [("README.md", 4), ("docs/environments.md", 9), ("docs/research.md", 4), ("docs/suites.md", 4)],
)
def test_python_on_a_page_runs(page: str, examples: int) -> None:
    """The examples give what they show."""
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried >= examples
    assert failed == 0


def named_commands() -> dict[str, set[str]]:
    """The options that the pages name with each command of the program."""
    named: dict[str, set[str]] = {}
    for page in [*ROOT.glob("docs/**/*.md"), *ROOT.glob("research/**/*.md"), ROOT / "README.md"]:
        lines = re.findall(
            r"(?:^|`|\$ )gridwise (\w[^`|\n]*)", page.read_text("utf-8"), re.MULTILINE
        )
        for line in lines:
            words = re.sub(r'"[^"]*"', "TEXT", line.partition(" -- ")[0]).split()
            options = {word.strip("[],.:;") for word in words if word.lstrip("[").startswith("--")}
            named.setdefault(words[0].strip("`.,;:"), set()).update(options)
    return named


@pytest.mark.parametrize(("name", "options"), named_commands().items(), ids=named_commands())
def test_commands_on_the_pages_are_there(name: str, options: set[str], tmp_path: Path) -> None:
    """Every `gridwise NAME --option` is a command, by its present name, with such an option."""
    assert name in COMMANDS
    if name not in ("evals", "games", "server"):  # which have commands of their own
        known = gridwise_run(name, "--help", home=tmp_path).out
        assert not [option for option in options if option.partition("=")[0] not in known]


def commands() -> list[str]:
    """Every `$ …` line of the README that runs the program without asking anything."""
    lines = re.findall(r"^\$ (.*gridwise .*)$", README, flags=re.MULTILINE)
    return [line for line in lines if "serve" not in line]


@pytest.mark.parametrize("line", commands())
def test_commands_in_the_readme_work(line: str, tmp_path: Path) -> None:
    """A stranger who types what the README says gets what it says."""
    program = f"{shlex.quote(sys.executable)} -m gridwise"
    source = str(Path(gridwise.__file__).parents[1])
    run = subprocess.run(
        ["bash", "-c", re.sub(r"\bgridwise (?=\w|-)", f"{program} ", line)],  # noqa: S607
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "GRIDWISE_HOME": str(tmp_path), "PYTHONPATH": source},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    after = README.split(f"$ {line}\n", 1)[1]
    expected = after.split("```", 1)[0].split("\n$ ", 1)[0]
    for shown in expected.splitlines():
        if shown.strip() and shown.strip() != "…":
            assert shown.rstrip() in run.stdout


def test_the_game_in_progress_on_the_first_screen_is_real() -> None:
    """The README's game, played, prints those very lines."""
    block = README.split("the same games are a dialogue:\n\n```text\n", 1)[1].split("```", 1)[0]
    moves = "0,1 3,4 1,1 3,3 1,2 2,3 2,2 yes quit".replace(" ", "\n")
    board = "31425/25134/42513/14252/53142"
    command = ["-m", "gridwise", "play", "number-run", "--plain", "--board", board]
    run = subprocess.run(
        [sys.executable, *command],
        input=moves,
        capture_output=True,
        text=True,
        check=True,
    )
    assert block in run.stdout


def test_pictures_of_the_pages_are_small() -> None:
    """Whoever reads the documents does not wait for megabytes, and every picture is shown."""
    pictures = sorted((ROOT / "docs" / "web").glob("*.png"))
    shown = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8")
    # Start, five games in play and at their end, look back, analysis, puzzle, lesson; a new game
    # in two.
    assert len(pictures) == 3 * (1 + 5 * 2 + 4) + 2
    assert sum(picture.stat().st_size for picture in pictures) < 2_000_000
    for picture in pictures:
        assert picture.stat().st_size < 150_000, picture.name
        assert f"web/{picture.name}" in shown
