"""`gridwise mcp`: the games as tools for a language model's client, if the extra is installed."""

from __future__ import annotations

from typing import Annotated

import typer

from gridwise.cli.arguments import whole_option
from gridwise.extras import require

HTTP = "Serve streamable HTTP on this port instead of standard input and output; 0 is any free one."
PORT = whole_option(HTTP, 0, 65_535)
HOST = "The address to listen on with --http, 127.0.0.1 by default."


def mcp(
    http: Annotated[int | None, PORT] = None,
    host: Annotated[str, typer.Option(metavar="HOST", help=HOST)] = "127.0.0.1",
) -> None:
    """Serve the games to an MCP client until it closes the connection, or somebody stops it."""
    require("mcp")
    from gridwise.mcp.server import serve  # noqa: PLC0415 - 1 s, and an extra

    serve(http, host)
