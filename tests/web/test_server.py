"""`gridwise serve` as people start and stop it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from gridwise.errors import GridwiseError
from gridwise.web.server import run

from .servers import ROOT, TIMEOUT, Browser, Program, ok


def serve(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A server that cannot start."""
    return subprocess.run(
        [sys.executable, "-m", "gridwise", "serve", *options],
        capture_output=True,
        text=True,
        timeout=TIMEOUT * 2,
        check=False,
        env={**os.environ, "GRIDWISE_HOME": str(home)},
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_cleanly_and_nothing_is_lost(tmp_path: Path, number: int) -> None:
    """While somebody plays; the next start finds the game in the user's own folder."""
    with Program(tmp_path) as server, Browser(server.address) as ann:
        assert "Ctrl-C" in server.greeting
        state = ann.state(ann.create("grid-runner", opponent="same-screen"))
        with ann.socket(state["id"]):
            ok(ann.move(state, "down"))
            assert server.end(number) == (130, "")
    assert (tmp_path / "games.db").exists()
    if number == signal.SIGINT:
        with Program(tmp_path) as server, Browser(server.address) as again:
            assert [each["move"] for each in again.state(state["id"])["moves"]] == ["down"]


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    """Status 2, no traceback, and what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = serve(tmp_path, "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gridwise: Cannot listen on 127.0.0.1, port ")
    assert done.stderr.endswith("Choose another with --port N (0: any).\n")


@pytest.mark.parametrize(
    ("host", "port", "database", "words"),
    [
        ("192.0.2.77", 0, "", "Cannot listen on 192.0.2.77"),
        ("127.0.0.1", 99999, "", "0 to 65535"),
        ("127.0.0.1", 0, "what", "not a database URL"),
        ("127.0.0.1", 0, "postgresql://nobody@127.0.0.1:1/none", "Cannot open the database"),
    ],
)
def test_what_else_can_be_wrong_is_said_too(
    tmp_path: Path, host: str, port: int, database: str, words: str
) -> None:
    """The command prints such an error as one line."""
    with pytest.raises(GridwiseError, match=words):
        run(host, port, database, tmp_path)


def test_without_its_packages_it_says_how_to_get_them(tmp_path: Path) -> None:
    """The web is an extra."""
    blocked = (
        "import sys; sys.modules['fastapi'] = None\n"
        "sys.argv = ['gridwise', 'serve']\n"
        "from gridwise.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "pip install 'gridwise[web]'" in done.stderr


def test_open_to_all_says_what_that_means(tmp_path: Path) -> None:
    """With the address that others can use."""
    with Program(tmp_path, "--host", "0.0.0.0") as server:  # noqa: S104 - that is the test
        assert server.process.stdout
        said = server.process.stdout.readline() + server.process.stdout.readline()
    assert "Everybody who can reach this machine" in said
    assert "https" in said


def test_the_migrations_are_in_the_wheel() -> None:
    """They are files beside the code, and the package takes all of those."""
    folder = ROOT / "src" / "gridwise" / "web" / "storage" / "migrations"
    assert (folder / "env.py").exists()
    assert list((folder / "versions").glob("first.py"))
    assert 'packages = ["src/gridwise"]' in (ROOT / "pyproject.toml").read_text()
