"""The optional parts of Gridwise, and what to say where one is not installed.

A front door that needs an extra asks for it first and then imports as usual:

    require("web")
    from gridwise.web.server import serve
"""

from __future__ import annotations

from importlib.util import find_spec

from gridwise.errors import BadRequest

# The modules that tell whether an extra of the project file is there.
EXTRAS = {
    "rl": ("gymnasium", "pettingzoo", "pyspiel"),
    "web": (
        "fastapi",
        "jinja2",
        "prometheus_client",
        "pydantic_settings",
        "segno",
        "sqlalchemy",
        "uvicorn",
        "websockets",
    ),
    "postgres": ("psycopg",),
    "data": ("pyarrow",),
    "plot": ("jinja2", "matplotlib"),
    "evals": ("inspect_ai", "openai", "textarena"),
    "mcp": ("mcp",),
    "lab": ("distributed", "evalica", "matplotlib", "pyarrow"),
}


class MissingExtra(BadRequest, ImportError):
    """An optional part that is not installed; the message says how to install it."""


def require(extra: str, *modules: str) -> None:
    """Raise MissingExtra if an extra is not installed: all of it, or the `modules` that are used.

    Nothing is imported: looking for a module takes some 0.1 ms.
    """
    if sentence := missing(extra, *modules):
        raise MissingExtra(sentence)


def missing(extra: str, *modules: str) -> str:
    """What `require` would say; empty if all is there."""
    for module in modules or EXTRAS[extra]:
        if find_spec(module) is None:
            return f"This needs {module}, which is not installed: pip install 'gridwise[{extra}]'"
    return ""
