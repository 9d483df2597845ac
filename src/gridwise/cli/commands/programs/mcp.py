"""`gridwise mcp`: the games as tools for a language model's client, if the extra is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from gridwise.cli.arguments import number_option
from gridwise.errors import BadRequest

PARTS = ("anyio", "mcp", "mcp_types", "pydantic", "starlette", "uvicorn")
HTTP = "Serve streamable HTTP on this port instead of standard input and output; 0 is any free one."
PORTS = number_option("--http", HTTP, "a port from 0 to 65535", int, -1, 65_536)
HOST = "The address to listen on with --http, 127.0.0.1 by default."


def mcp(
    http: Annotated[int | None, PORTS] = None,
    host: Annotated[str, typer.Option(metavar="HOST", help=HOST)] = "127.0.0.1",
) -> None:
    """Serve the games to an MCP client until it closes the connection, or somebody stops it."""
    try:
        # By name: the ways in do not know each other, and this one is an extra.
        server = import_module("gridwise.evals.mcp.server")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in PARTS:
            raise BadRequest(
                "`gridwise mcp` needs a few more packages: pip install 'gridwise[evals]'"
            ) from None
        raise
    server.serve(http, host)
