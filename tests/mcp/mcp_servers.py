"""MCP servers to test: one in this process, on a library of its own, and real processes.

A server takes half a second to load, so those that a test can start itself are children of one
process that has loaded it (`tests/loaded_program.py`).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from gridwise.play.library import Library
from tests.loaded_program import Child, Loaded

if TYPE_CHECKING:
    from mcp.client import Client

    from gridwise.engine_pool import EnginePool

PATIENCE = 60  # seconds
MAZE = "1324/2132/4213/3421"  # the board of the rules
HELLO = {  # how clients of older versions begin
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}


@asynccontextmanager
async def client_of(engine: EnginePool, folder: Path, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of a server in this process, whose games are in the folder."""
    from mcp.client import Client  # noqa: PLC0415 - 1 s

    from gridwise.mcp.games_store import GamesStore  # noqa: PLC0415 - it loads mcp
    from gridwise.mcp.server import make_server  # noqa: PLC0415

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


LOADED_MCP = Loaded("gridwise.cli.main", "gridwise.mcp.server")


@contextmanager
def http_process(home: Path, *options: str) -> Iterator[tuple[str, Child]]:
    """A process that serves HTTP, on loopback unless told: its address, and the process."""
    process = Child(LOADED_MCP, ["mcp", "--http", "0", *options], os.environ | environment(home))
    try:
        assert process.stdout
        line = process.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http://")), process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


class StdioProcess:
    """A server on stdio, spoken to line by line; it is killed in the end."""

    def __init__(self, home: Path) -> None:
        (its_in, into), (out, its_out), (err, its_err) = os.pipe(), os.pipe(), os.pipe()
        streams = its_in, its_out, its_err
        self.process = Child(LOADED_MCP, ["mcp"], os.environ | environment(home), streams)
        for each in streams:
            os.close(each)
        self.stdin = os.fdopen(into, "w", encoding="utf-8")
        self.stdout, self.stderr = (os.fdopen(each, encoding="utf-8") for each in (out, err))

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""
        self.process.kill()
        for each in (self.stdin, self.stdout, self.stderr):
            each.close()

    def hello(self) -> object:
        """Shake hands, as clients of all versions can: what is answered."""
        print(json.dumps(HELLO), file=self.stdin, flush=True)
        return json.loads(self.stdout.readline())


async def new_maze(client: Client, **options: Any) -> str:  # noqa: ANN401 - any arguments
    """The id of a game on the board of the rules."""
    given = {"game": "number-maze", "board": MAZE, "level": "none", **options}
    return str((await call(client, "new_game", **given))["id"])


def files_in(folder: Path) -> list[Path]:
    """Everything in a folder, hidden files too."""
    return list(folder.iterdir())


def only_file(folder: Path) -> Path:
    """The one file in a folder."""
    (file,) = files_in(folder)
    return file
