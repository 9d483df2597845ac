"""The server on loopback speaks as OpenAI's does, answers with a bot, and fails when told to."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest

from gridwise import Position
from gridwise.errors import BadRequest
from gridwise.evals.bots.server import FAULTS, MAX_BODY, BotServer, main
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt import prompt
from gridwise.prompts.reply import read_reply

MAZE = Position("number-maze", "1324/2132/4213/3421")


def client_of(url: str) -> openai.OpenAI:
    """OpenAI's own client, which does not try again."""
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0, timeout=20)


def asked(url: str, position: Position, conditions: Conditions | None = None) -> Any:  # noqa: ANN401
    """What OpenAI's own client gets for a prompt."""
    messages: Any = prompt(position, conditions or Conditions()).messages
    with client_of(url) as client:
        return client.chat.completions.create(model="bot", messages=messages)


def send(url: str, body: bytes, path: str = "/v1/chat/completions") -> tuple[int, Any]:
    """A bare request, and the status and JSON that come back."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
    try:
        connection.request("POST", path, body)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def test_openais_own_client_gets_a_bots_move() -> None:
    """In any skin, with tokens counted; the same question has the same answer."""
    with BotServer("novice", seed=5) as server:
        for skin in ("plain", "theme+mirrored"):
            answers = [asked(server.url, MAZE, Conditions(skin=skin)) for _ in range(2)]
            texts = [answer.choices[0].message.content for answer in answers]
            reply = read_reply(texts[0], MAZE, Conditions(skin=skin))
            assert reply.failure is None
            assert texts[0] == texts[1]
            assert answers[0].usage.total_tokens > 100
        with client_of(server.url) as client:
            assert [each.id for each in client.models.list()] == ["novice"]


def test_its_faults_are_what_openais_client_takes_them_for() -> None:
    """Each HTTP error is the error that the client has for it."""
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
            asked(server.url, MAZE)
    stops = {"truncate": "length", "refuse": "content_filter", "garbage": "stop"}
    for fault, stop in stops.items():
        with BotServer("random", fault=f"{fault}:1") as server:
            assert asked(server.url, MAZE).choices[0].finish_reason == stop
            assert "MOVE:" in asked(server.url, MAZE).choices[0].message.content


@pytest.mark.parametrize(
    "body",
    [
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
    ],
    ids=range(11),
)
def test_garbage_is_answered_with_an_error_and_the_server_goes_on(body: bytes) -> None:
    """HTTP 400 and one line; the next question is answered."""
    with BotServer("random") as server:
        status, answer = send(server.url, body)
        assert status == 400
        assert "\n" not in answer["error"]["message"]
        assert asked(server.url, MAZE).choices


def test_a_prompt_without_its_moves_cannot_be_answered() -> None:
    """The bot reads the position from the text, and this text does not have it."""
    with BotServer("random") as server, pytest.raises(openai.BadRequestError, match="moves so far"):
        asked(server.url, MAZE, Conditions(history="hidden"))


def test_other_addresses_and_endless_bodies_are_refused() -> None:
    """Nothing is read that nobody would send."""
    with BotServer("random") as server:
        assert send(server.url, b"{}", "/v1/embeddings")[0] == 404
        where = urlsplit(server.url)
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
        connection.putrequest("POST", "/v1/chat/completions")
        connection.putheader("Content-Length", str(MAX_BODY + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()
        assert asked(server.url, MAZE).choices


def test_it_listens_on_this_machine_only() -> None:
    """The bot is nobody else's business."""
    with BotServer("random") as server:
        port = urlsplit(server.url).port
        assert urlsplit(server.url).hostname == "127.0.0.1"
        with socket.socket() as other, pytest.raises(OSError, match="refused"):
            other.connect(("127.0.0.2", port))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_as_a_program_it_says_where_and_ends_when_told(number: signal.Signals) -> None:
    """The first line is the address; Ctrl-C ends it without a traceback."""
    command = [sys.executable, "-m", "gridwise.evals.bots.server", "--level", "random"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            assert running.stdout
            assert running.stderr
            url = running.stdout.readline().strip()
            with urllib.request.urlopen(f"{url}/models", timeout=20) as answer:  # noqa: S310 - ours
                assert json.load(answer)["data"][0]["id"] == "random"
            running.send_signal(number)
            assert running.wait(20) == 0
            assert running.stderr.read() == ""
        finally:
            running.kill()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--level", "genius"], "There is no level"),
        (["--fault", "flood"], "There is no fault"),
        (["--fault", "silent:x"], "There is no fault"),
        (["--port", "70000"], "A port is 0 to 65535"),
    ],
)
def test_a_bad_option_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the usual exit status."""
    assert main(arguments) == 2
    written = capsys.readouterr().err
    assert says in written
    assert written.count("\n") == 1


def test_a_port_that_is_taken_is_named() -> None:
    """Not with a traceback."""
    with BotServer("random") as server:
        port = urlsplit(server.url).port or 0
        with pytest.raises(BadRequest, match=f"Cannot listen on port {port}"):
            BotServer("random", port=port)


def test_every_fault_of_the_brief_is_there() -> None:
    """Garbage, delays, truncation, refusals, HTTP errors, silence."""
    needed = {"garbage", "illegal", "truncate", "refuse", "slow", "http-500", "http-429", "silent"}
    assert needed <= set(FAULTS)
