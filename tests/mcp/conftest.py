"""MCP servers in folders of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gridwise.engine_pool import EnginePool
from tests.mcp.mcp_servers import client_of

if TYPE_CHECKING:
    from mcp.client import Client


@pytest.fixture(scope="session")
def engine() -> Iterator[EnginePool]:
    """Processes that think for all MCP servers of the tests."""
    pool = EnginePool(2, seconds=50)
    yield pool
    pool.close()


@pytest.fixture
def anyio_backend() -> str:
    """What asynchronous tests run on."""
    return "asyncio"


@pytest.fixture
async def client(tmp_path: Path, engine: EnginePool) -> AsyncIterator[Client]:
    """A client of an MCP server in this process, with games in `tmp_path`."""
    async with client_of(engine, tmp_path) as made:
        yield made
