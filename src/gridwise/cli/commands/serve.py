"""`gridwise serve`: the web app, if it is installed."""

from __future__ import annotations

from typing import Annotated

import typer

from gridwise.cli.arguments import whole_option
from gridwise.extras import require
from gridwise.folders import data_folder

HOST = "The address to listen on, 127.0.0.1 by default; 0.0.0.0 is every network interface."
PORT = "The port, 8000 by default; 0 picks a free one."
ALLOWED = (
    "A name that requests may be sent to, such as play.example.org or *.example.org; repeatable. "
    "Without it: localhost on this machine's own addresses, any name on others."
)
DATABASE = "The database, as an SQLAlchemy URL. Without it: a file in your data folder."


CONFIG = "Settings in a TOML file; docs/web.md has them all. Options win over it."
LOGS = "How to write the log: text, or json, an object a line."


def serve(
    host: Annotated[str | None, typer.Option(metavar="HOST", help=HOST)] = None,
    port: Annotated[int | None, whole_option(PORT, 0, 65_535)] = None,
    database: Annotated[str | None, typer.Option(metavar="URL", help=DATABASE)] = None,
    allowed_host: Annotated[list[str] | None, typer.Option(metavar="NAME", help=ALLOWED)] = None,
    config: Annotated[str, typer.Option(metavar="FILE", help=CONFIG)] = "",
    log_format: Annotated[str | None, typer.Option(metavar="FORMAT", help=LOGS)] = None,
) -> None:
    """Serve the games until somebody stops it."""
    require("web")
    from gridwise.web import server  # noqa: PLC0415 - 0.5 s, and an extra
    from gridwise.web.settings import read_settings  # noqa: PLC0415 - as above

    given = {
        "host": host,
        "port": port,
        "database": database,
        "allowed_hosts": tuple(allowed_host) if allowed_host else None,
        "log_format": log_format,
    }
    server.serve(read_settings(config, given), data_folder())
