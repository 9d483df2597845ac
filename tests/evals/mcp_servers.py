"""MCP servers to test: one in this process, on a library of its own, and real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridwise.play.library import Library

if TYPE_CHECKING:
    from mcp.client import Client

    from gridwise.evals.mcp.engine_pool import EnginePool

PATIENCE = 60  # seconds
MAZE = "1324/2132/4213/3421"  # the board of the rules
PROGRAM = [sys.executable, "-m", "gridwise", "mcp"]


@asynccontextmanager
async def client_of(engine: EnginePool, folder: Path, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of a server in this process, whose games are in the folder."""
    from mcp.client import Client  # noqa: PLC0415 - 1 s

    from gridwise.evals.mcp.games_store import GamesStore  # noqa: PLC0415 - it loads mcp
    from gridwise.evals.mcp.server import make_server  # noqa: PLC0415

    async with Client(make_server(GamesStore(Library(folder)), engine), mode=mode) as client:
        yield client


async def call(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    """What a tool answers, as data."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer
    assert answer.structured_content is not None
    return dict(answer.structured_content)


async def refused(client: Client, tool: str, /, **arguments: Any) -> str:  # noqa: ANN401
    """The one line with which a tool refuses a call."""
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    (content,) = answer.content
    assert content.type == "text"
    assert "\n" not in content.text
    assert "Traceback" not in content.text
    return content.text


def environment(home: Path) -> dict[str, str]:
    """The environment of a server whose games are in a folder."""
    return {"GRIDWISE_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}


@asynccontextmanager
async def stdio_process(home: Path) -> AsyncIterator[Client]:
    """A client of a process of its own, over stdio."""
    from mcp.client import Client  # noqa: PLC0415 - 1 s
    from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415

    parameters = StdioServerParameters(command=PROGRAM[0], args=PROGRAM[1:], env=environment(home))
    async with Client(stdio_client(parameters)) as client:
        yield client


@contextmanager
def http_process(home: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A process that serves HTTP on loopback: its address, and the process."""
    process = subprocess.Popen(
        [*PROGRAM, "--http", "0"],
        env=os.environ | environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http://")), process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


async def new_maze(client: Client, **options: Any) -> str:  # noqa: ANN401 - any arguments
    """The id of a game on the board of the rules."""
    given = {"game": "number-maze", "board": MAZE, "level": "none", **options}
    return str((await call(client, "new_game", **given))["id"])


def files_in(folder: Path) -> list[Path]:
    """Everything in a folder, hidden files too."""
    return list(folder.iterdir())


def long_ago(folder: Path, game: str) -> None:
    """Let two days pass since the last move in a game."""
    (file,) = folder.glob(f"*-{game}.gwr")
    then = file.stat().st_mtime - 2 * 24 * 60 * 60
    os.utime(file, (then, then))


def only_file(folder: Path) -> Path:
    """The one file in a folder."""
    (file,) = files_in(folder)
    return file
