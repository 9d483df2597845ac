"""The server on loopback speaks as OpenAI's does, answers with a bot, and fails when told to."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from gridwise import Position
from gridwise.errors import BadRequest
from gridwise.evals.bots.server import MAX_BODY, BotServer, main
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt import prompt
from gridwise.prompts.reply import read_reply

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletion

MAZE = Position("number-maze", "1324/2132/4213/3421")


@pytest.fixture(scope="module")
def client() -> Iterator[openai.OpenAI]:
    """OpenAI's own client, which does not try again."""
    import openai  # noqa: PLC0415 - 1 s

    with openai.OpenAI(base_url="http://none", api_key="none", max_retries=0, timeout=60) as made:
        yield made


@pytest.fixture(scope="module")
def server() -> Iterator[BotServer]:
    """A server that answers with moves at random."""
    with BotServer("random") as running:
        yield running


def asked(
    client: openai.OpenAI, server: BotServer, conditions: Conditions | None = None
) -> ChatCompletion:
    """What OpenAI's own client gets for a prompt."""
    messages: Any = prompt(MAZE, conditions or Conditions()).messages
    there = client.with_options(base_url=server.url)
    return there.chat.completions.create(model="bot", messages=messages)


def send(
    server: BotServer,
    body: bytes,
    path: str = "/v1/chat/completions",
    method: str = "POST",
    **headers: str,
) -> tuple[int, Any]:
    """A bare request, and the status and JSON that come back."""
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def test_openais_own_client_gets_a_bots_move(client: openai.OpenAI) -> None:
    """In any skin, with tokens counted; the same question has the same answer."""
    with BotServer("novice", seed=5) as server:
        for skin in ("plain", "theme+mirrored"):
            answers = [asked(client, server, Conditions(skin=skin)) for _ in range(2)]
            texts = [answer.choices[0].message.content for answer in answers]
            assert texts[0]
            assert read_reply(texts[0], MAZE, Conditions(skin=skin)).failure is None
            assert texts[0] == texts[1]
            assert answers[0].usage
            assert answers[0].usage.total_tokens > 100
        models = client.with_options(base_url=server.url).models.list()
        assert [each.id for each in models] == ["novice"]


def test_its_faults_are_what_openais_client_takes_them_for(client: openai.OpenAI) -> None:
    """Each HTTP error is the error that the client has for it."""
    import openai  # noqa: PLC0415 - 1 s

    kinds: dict[str, type[openai.APIError]] = {
        "http-400": openai.BadRequestError,
        "http-401": openai.AuthenticationError,
        "http-404": openai.NotFoundError,
        "http-429": openai.RateLimitError,
        "http-500": openai.InternalServerError,
        "http-503": openai.InternalServerError,
        "hang-up": openai.APIConnectionError,
    }
    for fault, kind in kinds.items():
        with BotServer("random", fault=fault) as server, pytest.raises(kind):
            asked(client, server)
    stops = {"truncate": "length", "refuse": "content_filter", "garbage": "stop"}
    for fault, stop in stops.items():
        with BotServer("random", fault=f"{fault}:1") as server:
            assert asked(client, server).choices[0].finish_reason == stop
            assert "MOVE:" in (asked(client, server).choices[0].message.content or "")


GARBAGE = [
    b"",
    b"{",
    b"[]",
    b"[" * 100_000,
    b"{}",
    b'{"messages": 7}',
    b'{"messages": [7]}',
    b'{"messages": [{"role": "user", "content": "Hello"}]}',
    b'{"messages": [{"role": "user", "content": {"text": 7}}]}',
    b'{"messages": [], "stream": true}',
    b"\xff\xfe",
]


def test_garbage_is_answered_with_an_error_and_the_server_goes_on(
    client: openai.OpenAI, server: BotServer
) -> None:
    """HTTP 400 and one line; the next question is answered."""
    for body in GARBAGE:
        status, answer = send(server, body)
        assert status == 400, body[:100]
        assert "\n" not in answer["error"]["message"]
        assert asked(client, server).choices


def test_a_prompt_without_its_moves_cannot_be_answered(
    client: openai.OpenAI, server: BotServer
) -> None:
    """The bot reads the position from the text, and this text does not have it."""
    import openai  # noqa: PLC0415 - 1 s

    with pytest.raises(openai.BadRequestError, match="moves so far"):
        asked(client, server, Conditions(history="hidden"))


def test_other_addresses_and_endless_bodies_are_refused(
    client: openai.OpenAI, server: BotServer
) -> None:
    """Nothing is read that nobody would send."""
    assert send(server, b"{}", "/v1/embeddings")[0] == 404
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    connection.putrequest("POST", "/v1/chat/completions")
    connection.putheader("Content-Length", str(MAX_BODY + 1))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()
    assert asked(client, server).choices


def test_a_page_of_another_site_is_not_answered(server: BotServer) -> None:
    """Neither one that has made its own name point here (DNS rebinding), nor one that says so."""
    host = urlsplit(server.url).netloc
    foreign = [
        {"Host": host.replace("127.0.0.1", "evil.example")},
        {"Host": "evil.example"},
        {"Host": "[", "Origin": "http://["},
        {"Host": host, "Origin": "http://evil.example"},
        {"Host": host, "Origin": "null"},
    ]
    for headers in foreign:
        assert send(server, b"{}", **headers)[0] == 403, headers
        assert send(server, b"", "/v1/models", "GET", **headers)[0] == 403, headers
    local = host.replace("127.0.0.1", "LocalHost")
    for headers in ({"Host": local}, {"Host": host, "Origin": f"http://{host}"}):
        assert send(server, b"", "/v1/models", "GET", **headers)[0] == 200, headers


def test_it_keeps_no_question_and_no_key(client: openai.OpenAI, server: BotServer) -> None:
    """However long it runs; it only counts what it was asked."""
    before = server.asked
    assert asked(client.with_options(api_key="hush-hush"), server).choices
    assert server.asked == before + 1
    assert "Number Maze" not in repr(vars(server))
    assert "hush-hush" not in repr(vars(server))


def test_it_listens_on_this_machine_only(server: BotServer) -> None:
    """The bot is nobody else's business; a port that is taken is named."""
    port = urlsplit(server.url).port or 0
    assert urlsplit(server.url).hostname == "127.0.0.1"
    with socket.socket() as other, pytest.raises(OSError, match="refused"):
        other.connect(("127.0.0.2", port))
    with pytest.raises(BadRequest, match=f"Cannot listen on port {port}"):
        BotServer("random", port=port)


def test_as_a_program_it_says_where_and_ends_when_told() -> None:
    """The first line is the address; Ctrl-C and SIGTERM end it without a traceback."""
    command = [sys.executable, "-m", "gridwise.evals.bots.server", "--level", "random"]
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            try:
                assert running.stdout
                assert running.stderr
                url = running.stdout.readline().strip()
                with urllib.request.urlopen(f"{url}/models", timeout=60) as answer:  # noqa: S310
                    assert json.load(answer)["data"][0]["id"] == "random"
                running.send_signal(number)
                assert running.wait(60) == 0
                assert running.stderr.read() == ""
            finally:
                running.kill()


def test_a_bad_option_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With the usual exit status."""
    for arguments, says in (
        (["--level", "genius"], "There is no level"),
        (["--fault", "flood"], "There is no fault"),
        (["--fault", "silent:x"], "There is no fault"),
        (["--port", "70000"], "A port is 0 to 65535"),
    ):
        assert main(arguments) == 2
        written = capsys.readouterr().err
        assert says in written
        assert written.count("\n") == 1
