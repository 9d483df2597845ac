"""`gridwise mcp` as real processes: over stdio and HTTP, shared, killed, interrupted."""

from __future__ import annotations

import runpy
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
import httpx
import pytest

from gridwise.cli.commands.mcp import mcp
from gridwise.errors import BadRequest
from gridwise.extras import MissingExtra
from gridwise.listening import listen_on
from gridwise.play.library import Library
from gridwise.play.records import read_record
from tests.cli.program import gridwise, is_one_complaint
from tests.mcp.mcp_servers import (
    HELLO,
    MAZE,
    PATIENCE,
    StdioProcess,
    call,
    http_process,
    new_maze,
)
from tests.sizes import sample

if TYPE_CHECKING:
    from mcp.client import Client

MOVES = sample(4, long=12)  # that each client makes in a game of three
EXAMPLE = Path(__file__).parents[2] / "examples" / "mcp_client.py"


@pytest.fixture(scope="module", autouse=True)
def stdio_client_is_loaded() -> None:
    """Here, as it keeps the standard error of that moment: one that a test captures is no file."""
    import mcp.client.stdio  # noqa: F401, PLC0415 - 1 s


class Example:
    """`examples/mcp_client.py`, run as a program is, with games in a folder."""

    def __init__(
        self,
        home: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self._home, self._monkeypatch, self._capsys = home, monkeypatch, capsys
        monkeypatch.setenv("GRIDWISE_HOME", str(home))

    def _run(self, *options: str) -> str:
        self._monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *options])
        runpy.run_path(str(EXAMPLE), run_name="__main__")
        return self._capsys.readouterr().out

    def plays(self, *options: str) -> None:
        """It plays Number Maze to its end, and the game is in the folder."""
        said = self._run("--board", MAZE, "--level", "random", *options)
        assert "Result: " in said
        kept = next(iter(Library(self._home / "games").games()))
        assert kept.id in said
        assert not kept.problem
        assert kept.ending is not None

    def fails(self, says: str, *options: str) -> None:
        """It ends with one line, which Python prints on standard error, and status 1."""
        with pytest.raises(SystemExit) as left:
            self._run(*options)
        assert says in str(left.value.code)
        assert "\n" not in str(left.value.code)


@pytest.fixture
def example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Example:
    """The example, with games in `tmp_path`."""
    return Example(tmp_path, monkeypatch, capsys)


def test_the_example_plays_a_game_to_its_end_over_stdio(example: Example) -> None:
    """It starts the server itself."""
    example.plays()


@pytest.mark.parametrize("number", sample([signal.SIGTERM], long=[signal.SIGTERM, signal.SIGINT]))
def test_the_example_plays_over_http_until_a_signal_ends_the_server(
    tmp_path: Path, example: Example, number: signal.Signals
) -> None:
    """A game to its end; a bot that there is not is one line, and so is a server that has ended."""
    with http_process(tmp_path) as (url, process):
        example.plays("--http", url)
        example.fails('There is no bot "godlike"', "--level", "godlike", "--http", url)
        process.send_signal(number)
        assert process.wait(PATIENCE) == 130
        assert process.stderr
        assert process.stderr.read() == ""
        example.fails("failed", "--http", url)


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


def test_two_servers_and_three_clients_share_one_game_and_one_is_killed(tmp_path: Path) -> None:
    """No move is lost and none is made twice, whichever process makes it, and whichever ends."""
    from mcp.client import Client  # noqa: PLC0415 - 1 s

    async def test() -> None:
        with http_process(tmp_path) as (there, _), http_process(tmp_path) as (url, process):
            async with Client(there) as one, Client(url) as two, Client(url) as three:
                game = (await call(one, "new_game", game="runner", level="none"))["id"]
                async with anyio.create_task_group() as tasks:
                    for client in (one, two, three):
                        tasks.start_soon(play_some, client, game, MOVES)
                answers = [await call(each, "look", game_id=game) for each in (one, two, three)]
                assert [each["version"] for each in answers] == [3 * MOVES] * 3
                (kept,) = Library(tmp_path / "games").games()
                assert list(read_record(kept.path).moves) == answers[0]["moves"]
                maze = await new_maze(two)
                for move in ("right", "left"):
                    await call(two, "play", game_id=maze, move=move)
                process.kill()
                process.wait(PATIENCE)
                assert (await call(one, "look", game_id=maze))["moves"] == ["right", "left"]
                for move in ("down", "up"):
                    answer = await call(one, "play", game_id=maze, move=move)
                assert answer["result"] == "p2"

    anyio.run(test)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # noqa: S104 - what is tested
def test_a_page_of_another_site_gets_no_answer_and_nobody_gets_a_session(
    tmp_path: Path, host: str
) -> None:
    """Not even one that has made its own name point here; every call names its game instead."""
    with http_process(tmp_path, "--host", host) as (url, _):
        port = urlsplit(url).port
        ours = f"127.0.0.1:{port}"

        def asked(host: str, **headers: str) -> httpx.Response:
            accept = {"Accept": "application/json, text/event-stream"}
            return httpx.post(
                f"http://{ours}/mcp", json=HELLO, headers={"Host": host, **accept, **headers}
            )

        for foreign in (f"evil.example:{port}", "evil.example", "["):
            assert asked(foreign).status_code in (403, 421), foreign
        for origin in ("http://evil.example", f"http://evil.example:{port}", "null"):
            assert asked(ours, Origin=origin).status_code == 403, origin
        for own in (ours, f"localhost:{port}", f"[::1]:{port}"):
            answer = asked(own, Origin=f"http://{own}")
            assert answer.status_code == 200, own
            assert '"serverInfo"' in answer.text
            assert "mcp-session-id" not in answer.headers


@pytest.mark.parametrize("number", sample([signal.SIGINT], long=[signal.SIGINT, signal.SIGTERM]))
def test_a_signal_ends_it_cleanly(tmp_path: Path, number: int) -> None:
    """Ctrl-C ends a server that waits for its client, at once, with 130 and without a traceback."""
    with StdioProcess(tmp_path) as server:
        server.hello()
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE) == 130
        assert "Traceback" not in server.stderr.read()


def test_garbage_on_standard_input_is_survived(tmp_path: Path) -> None:
    """Lines that are no messages are passed over; a closed input ends it with 0."""
    with StdioProcess(tmp_path) as server:
        server.stdin.write("hello\n{}\n[1, 2\n\n" + "x" * 100_000 + "\n")
        assert server.hello()
        server.stdin.close()
        assert server.process.wait(PATIENCE) == 0


def test_wrong_options_are_one_line(tmp_path: Path) -> None:
    """A port that is none, or an address that is not ours, ends with 2 and one line."""
    for port in ("x", "99999"):
        run = gridwise("mcp", "--http", port, home=tmp_path)
        assert is_one_complaint(run)
        assert "--http" in run.err
        assert port in run.err
    why = r"^Cannot listen on 192\.0\.2\.1, port 0: .+ Choose another with --http N \(0: any\)\.$"
    with pytest.raises(BadRequest, match=why):
        listen_on("192.0.2.1", 0, "--http")


def test_what_is_sent_does_not_wait_for_more() -> None:
    """Otherwise the system holds an answer back for 40 ms when the one before is on its way."""
    with (
        listen_on("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as taken,
    ):
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the MCP SDK, one line says what to install."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=r"^This needs mcp, which is .+'gridwise\[mcp\]'$"):
        mcp()
