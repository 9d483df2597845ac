"""`gridwise serve`: the web app, if it is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from gridwise.cli.arguments import number_option
from gridwise.errors import BadRequest
from gridwise.folders import data_folder

PARTS = ("alembic", "fastapi", "jinja2", "sqlalchemy", "starlette", "uvicorn", "websockets")
HOST = "The address to listen on; 0.0.0.0 listens on every network interface."
DATABASE = "The database, as an SQLAlchemy URL. Without it: a file in your data folder."


def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help=HOST)] = "127.0.0.1",
    port: Annotated[int, number_option("--port", "The port; 0 picks a free one.")] = 8000,
    database: Annotated[str, typer.Option(metavar="URL", help=DATABASE)] = "",
) -> None:
    """Serve the games until somebody stops it."""
    try:
        # By name: the ways in do not know each other, and this one is an extra.
        web = import_module("gridwise.web.server")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in PARTS:
            raise BadRequest(
                "`gridwise serve` needs a few more packages: pip install 'gridwise[web]'"
            ) from None
        raise
    web.run(host, port, database, data_folder())
