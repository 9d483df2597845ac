"""What is optional says how to install it, in one sentence, and is asked for in one way."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gridwise.extras import EXTRAS, MissingExtra, missing, require

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_extra_is_one_of_the_project_file() -> None:
    """What is said can be typed; `dev` and `bench` are no part of the program."""
    declared = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    assert set(declared) - set(EXTRAS) == {"dev", "bench"}
    assert set(EXTRAS) <= set(declared)


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_missing_is_named_with_how_to_install_it(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all is there, nothing happens; an ordinary `except ImportError` catches it too."""
    require(extra)
    module = EXTRAS[extra][-1]
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as refused:
        require(extra)
    assert isinstance(refused.value, ImportError)
    assert str(refused.value) == missing(extra, module)
    assert f"needs {module}, " in str(refused.value)
    assert f"pip install 'gridwise[{extra}]'" in str(refused.value)


def brought_by(extra: str) -> set[str]:
    """The packages that an extra of the project file brings, and all that they need in turn."""
    wanted = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    found: set[str] = set()
    coming = [Requirement(line) for line in wanted[extra]]
    while coming:
        package = coming.pop()
        name = canonicalize_name(package.name)
        if name == "gridwise":  # one extra that brings another
            coming += [Requirement(line) for other in package.extras for line in wanted[other]]
        elif name not in found:
            found.add(name)
            needs = map(Requirement, requires(name) or ())
            coming += [
                each
                for each in needs
                if not each.marker
                or any(each.marker.evaluate({"extra": part}) for part in {"", *package.extras})
            ]
    return found


def test_evaluations_and_the_mcp_server_can_be_installed_apart() -> None:
    """Trainers of models, which want `evals`, have other versions of the MCP SDK."""
    assert {"inspect-ai", "textarena", "openai", "matplotlib"} <= brought_by("evals")
    assert {"mcp", "anyio", "pydantic", "starlette", "uvicorn"} <= brought_by("mcp")
    assert not brought_by("evals") & {"mcp", "mcp-types", "sse-starlette"}
    assert not brought_by("mcp") & {"inspect-ai", "textarena", "openai"}


def test_only_what_is_used_has_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has Gymnasium alone can use Gymnasium."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    require("rl", "gymnasium")
    with pytest.raises(MissingExtra, match="pyspiel"):
        require("rl", "gymnasium", "pyspiel")
