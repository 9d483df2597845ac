"""`gridwise serve`: hand over to the web app, if it is installed."""

from __future__ import annotations

from importlib import import_module

from gridwise.cli.saving import data_folder
from gridwise.errors import BadRequest

PARTS = ("alembic", "fastapi", "jinja2", "sqlalchemy", "starlette", "uvicorn", "websockets")


def run_serve(host: str, port: int, database: str) -> None:
    """Serve the games until somebody stops it."""
    try:
        # By name: the ways in do not know each other, and this one is an extra.
        serve = import_module("gridwise.web.serve")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in PARTS:
            raise BadRequest(
                "`gridwise serve` needs a few more packages: pip install 'gridwise[web]'"
            ) from None
        raise
    serve.run(host, port, database, data_folder())
