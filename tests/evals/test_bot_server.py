"""The example's endpoint speaks as OpenAI's does, answers with a bot, and fails when told to."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from bot_endpoint.server import BotServer

from gridwise import Position
from gridwise.errors import BadRequest
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import prompt
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


def asked(
    client: openai.OpenAI, server: BotServer, conditions: Conditions | None = None
) -> ChatCompletion:
    """What OpenAI's own client gets for a prompt."""
    messages: Any = prompt(MAZE, conditions or Conditions()).messages
    there = client.with_options(base_url=server.url)
    return there.chat.completions.create(model="bot", messages=messages)


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


def test_what_cannot_be_read_is_an_error_and_the_server_goes_on(client: openai.OpenAI) -> None:
    """The bot reads the position from the text, and a prompt without its moves does not have it."""
    import openai  # noqa: PLC0415 - 1 s

    with BotServer("random") as server:
        with pytest.raises(openai.BadRequestError, match="moves so far"):
            asked(client, server, Conditions(history="hidden"))
        there = client.with_options(base_url=server.url)
        with pytest.raises(openai.BadRequestError, match="has no line"):
            there.chat.completions.create(model="bot", messages=[])
        assert asked(client, server).choices


def test_it_listens_on_this_machine_only() -> None:
    """The bot is nobody else's business; a port that is taken is named."""
    with BotServer("random") as server:
        port = urlsplit(server.url).port or 0
        assert urlsplit(server.url).hostname == "127.0.0.1"
        with socket.socket() as other, pytest.raises(OSError, match="refused"):
            other.connect(("127.0.0.2", port))
        with pytest.raises(BadRequest, match=f"Cannot listen on port {port}"):
            BotServer("random", port=port)


def test_as_a_program_it_says_where_and_ends_when_told() -> None:
    """The first line is the address; Ctrl-C and SIGTERM end it without a traceback."""
    command = [sys.executable, "-m", "bot_endpoint", "--level", "random"]
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
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
