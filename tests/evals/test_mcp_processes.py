"""`gridwise mcp` as real processes: over stdio and HTTP, shared, killed, interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp.client import Client

from gridwise.play.library import Library
from gridwise.play.records import read_record
from tests.evals.mcp_servers import (
    MAZE,
    PATIENCE,
    PROGRAM,
    call,
    environment,
    http_process,
    stdio_process,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "mcp_client.py"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_example_plays_a_game_to_its_end(tmp_path: Path, transport: str) -> None:
    """`examples/mcp_client.py` plays Number Maze to its end, over both transports."""

    def play(*options: str) -> str:
        command = [sys.executable, str(EXAMPLE), "--board", MAZE, "--level", "random", *options]
        run = subprocess.run(
            command,
            env=os.environ | environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return run.stdout

    if transport == "stdio":
        said = play()
    else:
        with http_process(tmp_path) as (url, _):
            said = play("--http", url)
    assert "Result: " in said
    (kept,) = Library(tmp_path / "games").games()
    assert kept.id in said
    assert not kept.problem
    assert kept.ending is not None


def test_the_example_says_in_one_line_what_went_wrong(tmp_path: Path) -> None:
    """A bot that there is not, a server that does not run: no traceback."""
    for options, says in (
        (("--level", "godlike"), 'There is no bot "godlike"'),
        (("--http", "http://127.0.0.1:1/mcp"), "failed"),
    ):
        run = subprocess.run(
            [sys.executable, str(EXAMPLE), *options],
            env=os.environ | environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert run.returncode == 1
        assert says in run.stderr
        assert len(run.stderr.splitlines()) == 1


async def play_some(client: Client, game: str, wanted: int) -> int:
    """Make moves in a game that somebody else plays in too; how many were played."""
    played = 0
    while played < wanted:
        now = await call(client, "legal_moves", game_id=game)
        answer = await call(
            client, "play", game_id=game, move=now["legal_moves"][0], version=now["version"]
        )
        played += answer["played"]
        assert answer["played"] or answer["problem"]["kind"] == "stale-version"
    return played


def test_two_servers_and_three_clients_share_one_game(tmp_path: Path) -> None:
    """No move is lost and none is made twice, whichever process makes it."""

    async def test() -> None:
        with http_process(tmp_path) as (url, _):
            async with Client(url) as one, Client(url) as two, stdio_process(tmp_path) as three:
                game = (await call(one, "new_game", game="runner", level="none"))["id"]
                async with anyio.create_task_group() as tasks:
                    for client in (one, two, three):
                        tasks.start_soon(play_some, client, game, 12)
                answers = [await call(each, "look", game_id=game) for each in (one, two, three)]
        assert [each["version"] for each in answers] == [36, 36, 36]
        (kept,) = Library(tmp_path / "games").games()
        assert list(read_record(kept.path).moves) == answers[0]["moves"]

    anyio.run(test)


def test_a_game_goes_on_after_a_kill(tmp_path: Path) -> None:
    """A server that is killed in the middle has lost nothing that it had answered."""

    async def begin() -> str:
        with http_process(tmp_path) as (url, process):
            async with Client(url) as client:
                game = (await call(client, "new_game", game="maze", board=MAZE, level="none"))["id"]
                for move in ("right", "left"):
                    await call(client, "play", game_id=game, move=move)
                process.kill()
                process.wait(PATIENCE)
        return str(game)

    async def go_on(game: str) -> None:
        async with stdio_process(tmp_path) as client:
            assert (await call(client, "look", game_id=game))["moves"] == ["right", "left"]
            for move in ("down", "up"):
                answer = await call(client, "play", game_id=game, move=move)
            assert answer["result"] == "p2"

    anyio.run(go_on, anyio.run(begin))


def test_a_bot_that_was_interrupted_moves_later(tmp_path: Path) -> None:
    """If a server ended after a move and before its bot had answered, the next call asks it."""

    async def test() -> None:
        async with stdio_process(tmp_path) as client:
            started = await call(client, "new_game", game="maze", board=MAZE, level="casual")
            (kept,) = Library(tmp_path / "games").games()
            kept.path.write_text(kept.path.read_text().replace("\n*", "\n1. right *"))
            answer = await call(client, "look", game_id=started["id"])
            assert answer["moves"][0] == "right"
            assert answer["version"] == 2
            assert answer["your_turn"]

    anyio.run(test)


def started_on_pipes(home: Path) -> subprocess.Popen[str]:
    """A server on stdio, spoken to line by line."""
    return subprocess.Popen(
        PROGRAM,
        env=os.environ | environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def hello(process: subprocess.Popen[str]) -> dict[str, object]:
    """Shake hands, as clients of all versions can."""
    parameters = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{json.dumps(request)}\n")
    process.stdin.flush()
    answer: dict[str, object] = json.loads(process.stdout.readline())
    return answer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(tmp_path: Path, number: int) -> None:
    """Ctrl-C ends a server that waits for its client, at once, with 130 and without a traceback."""
    process = started_on_pipes(tmp_path)
    hello(process)
    process.send_signal(number)
    said = process.stderr.read() if process.stderr else ""
    assert process.wait(PATIENCE) == 130
    assert "Traceback" not in said
    process.communicate()


def test_ctrl_c_ends_the_http_server(tmp_path: Path) -> None:
    """The same over HTTP."""
    with http_process(tmp_path) as (_, process):
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr
        assert process.stderr.read() == ""


def test_garbage_on_standard_input_is_survived(tmp_path: Path) -> None:
    """Lines that are no messages are passed over; a closed input ends it with 0."""
    process = started_on_pipes(tmp_path)
    assert process.stdin
    process.stdin.write("hello\n{}\n[1, 2\n\n" + "x" * 100_000 + "\n")
    assert hello(process)
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    process.stdin = None
    process.communicate()


def test_wrong_options_are_one_line(tmp_path: Path) -> None:
    """A port that is none, or an address that is not ours, ends with 2 and one line."""
    for options in (["--http", "99999"], ["--http", "x"], ["--http", "0", "--host", "192.0.2.1"]):
        run = subprocess.run(
            [*PROGRAM, *options],
            env=os.environ | environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert run.returncode == 2
        assert len(run.stderr.splitlines()) == 1


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    """Without the MCP SDK, one line says what to install."""
    program = (
        "import sys; sys.modules['mcp'] = None; sys.argv = ['gridwise', 'mcp']; "
        "from gridwise.__main__ import main; main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.splitlines() == [
        "gridwise: `gridwise mcp` needs a few more packages: pip install 'gridwise[evals]'"
    ]
