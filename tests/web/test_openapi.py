"""Whatever is sent, the server answers it in good order: no 5xx, and what the schema promises."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.asyncio.client import connect

from gridwise.web.app import make_app
from gridwise.web.http.messages import GameState
from gridwise.web.http.sockets import KINDS
from gridwise.web.settings import ServerSettings
from tests.sizes import sample

from .servers import NO_CERTIFICATES, ROOT, TIMEOUT, Browser, Json, ok

QUIET = settings(
    max_examples=sample(3, long=15),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

schema = schemathesis.openapi.from_dict(make_app(ServerSettings(database="unused")).openapi())


PROMISES = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@schema.include(path_regex="^/(api|health)").parametrize()
@QUIET
def test_the_api_keeps_its_word(case: Json, address: str) -> None:
    """Schemathesis makes requests of all kinds; answers are as documented, and never a 5xx."""
    case.call_and_validate(base_url=address, checks=PROMISES, timeout=TIMEOUT)


@schema.include(path_regex="{game_id}").parametrize()
@QUIET
def test_the_api_keeps_its_word_to_a_player(
    case: Json, address: str, a_game: tuple[str, dict[str, str]]
) -> None:
    """Answers hold in a game that is there, too, with a seat, on versions that may be right."""
    game_id, cookies = a_game
    case.path_parameters["game_id"] = game_id
    if isinstance(case.body, dict) and isinstance(case.body.get("version"), int):
        case.body["version"] %= 8
    case.call_and_validate(base_url=address, checks=PROMISES, cookies=cookies, timeout=TIMEOUT)


@pytest.fixture(scope="module")
def a_game(address: str) -> tuple[str, dict[str, str]]:
    """A game with two moves made, and the cookie of its player."""
    with Browser(address) as ann:
        state = ann.state(ann.create("number-connect", opponent="same-screen", seed=1))
        for _ in range(2):
            state = ok(ann.move(state, state["legal"][0]))
        return state["id"], dict(ann.http.cookies)


# Messages that are nearly right find more than noise does.
_words = st.sampled_from(["0,1", "1,0", "0,1!", "", "C3", "up", "\x00", "\ud800", "9" * 41])
_scalars: SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 10**30), st.floats(), st.text(max_size=8), _words
)
_messages: SearchStrategy[Any] = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from([*KINDS, "state", "", None, 1])},
        optional={
            "move": st.one_of(_words, _scalars),
            "version": st.one_of(st.integers(0, 9), _scalars),
            "ref": st.one_of(st.sampled_from("ab"), _scalars),
            "more": _scalars,
        },
    ),
    st.recursive(_scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=5),
)
_sent: SearchStrategy[str | bytes] = st.one_of(
    _messages.map(json.dumps),
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.binary(max_size=40),
)


@given(st.lists(_sent, min_size=20, max_size=40))
@settings(
    max_examples=sample(6, long=12),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_a_socket_answers_whatever_it_is_sent(address: str, messages: list[str | bytes]) -> None:
    """With an answer, a refusal or a state; it stays open, and so does the server."""
    asyncio.run(_talk(address, messages))


async def _talk(address: str, messages: list[str | bytes]) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=TIMEOUT, verify=NO_CERTIFICATES) as http:
        request = {"game": "number-maze", "opponent": "same-screen", "seed": 1}
        made = await http.post("/api/games", json=request)
    ws = f"{address.replace('http', 'ws', 1)}/api/games/{made.json()['id']}/socket"
    headers = {"Cookie": f"gridwise={made.cookies['gridwise']}"}
    async with connect(ws, additional_headers=headers, open_timeout=TIMEOUT) as socket:
        for message in messages:
            await socket.send(message)
        answers = 0
        while answers < len(messages):
            async with asyncio.timeout(TIMEOUT):
                message = json.loads(await socket.recv())
            answers += message["type"] in ("done", "refused", "hint", "rematch", "pong")


# What docs/web-programs.md shows is what happens


TEXT = (ROOT / "docs" / "web-programs.md").read_text(encoding="utf-8")


def test_the_shortest_program_plays_a_game(address: str) -> None:
    """As it stands in the document, but for the address."""
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program.replace("http://127.0.0.1:8000", address)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"Player [12] won: .+\.\n", done.stdout)


def test_every_message_is_described() -> None:
    """All that a socket takes is in the tables, and nothing else."""
    text = (ROOT / "docs" / "web-api.md").read_text(encoding="utf-8")
    _, sent, received = text.partition("## Limits")[0].split("\n## Socket")
    row = re.compile(r"\n\| `(\w+)` \|")
    assert set(row.findall(sent)) == set(KINDS)
    assert set(row.findall(received)) == {
        "state", "change", "done", "refused", "hint", "rematch", "presence", "emote", "pong",
    }  # fmt: skip


def test_the_page_for_programs_describes_every_field(ann: Browser) -> None:
    """It is made from the server's own schema, is text without markup, and loads nothing else."""
    page = ann.page("/api/docs")
    for field in GameState.model_fields:
        assert f"<code>{field}</code>" in page
    for markup in ("`", "**"):
        assert markup not in re.sub(r"<[^>]*>", "", page)
    described = ok(ann.http.get("/api/openapi.json"))["paths"]
    assert described == make_app(ServerSettings("unused")).openapi()["paths"]
    for path in ("/api/games/{game_id}/moves", "/api/positions"):
        assert path in page
        assert path in described
    assert not re.search(r'(src|href)="https?://', page)
