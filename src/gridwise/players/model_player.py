"""ModelPlayer: a language model as a player, named `model:NAME`.

It is asked with the prompts of `gridwise.prompts`, through any OpenAI-compatible endpoint, and may
try again as often as its conditions say. An answer that stays none is an IllegalAnswer, as from any
other program; a provider that fails is a ProviderFailed of one line, and never a lost game.

OpenAI's own client asks: it waits, tries again what may pass (HTTP 429, 5xx, a lost connection) and
knows `Retry-After`. A key is sent to the endpoint and nowhere else: redirects are not followed, and
it is taken out of every message.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import CancelledError
from typing import Any
from urllib.parse import urlsplit

from gridwise.core.position import Position
from gridwise.errors import BadRequest, IllegalAnswer, ProviderFailed, printable, quoted
from gridwise.extras import require
from gridwise.players.background_loop import BackgroundLoop
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.turn import Turn

OPENAI = "https://api.openai.com/v1"
ANSWER_SECONDS = 300.0  # for one answer, its retries included: models that reason take minutes
MAX_TRIES = 5
MIN_SECRET_LENGTH = 6  # characters; local servers are given keys such as "x"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MAX_NAME_LENGTH = 200
# What comes of an answer that has not the form: a page, an empty list, what is no JSON.
FORM_ERRORS = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


class ModelPlayer:
    """A player that asks the model of a name. It may be asked about several games at once.

    What is not given is what the environment names: `GRIDWISE_MODEL_URL` or `OPENAI_BASE_URL` is
    the base URL (OpenAI's own if there is none), `GRIDWISE_MODEL_KEY` or `OPENAI_API_KEY` the key;
    a server on one's own machine needs none.
    """

    is_async = True  # so that many questions wait at the same time

    def __init__(
        self,
        model: str,
        conditions: Conditions | None = None,
        *,
        url: str | None = None,
        key: str | None = None,
        seconds: float | None = None,
        tries: int = MAX_TRIES,
    ) -> None:
        require("evals", "openai")
        model = model.strip()
        if not model or not model.isprintable() or len(model) > MAX_NAME_LENGTH:
            raise BadRequest("model: needs the name of a model, like model:gpt-5.")
        self.name = f"model:{model}"
        self._model, self._conditions = model, conditions or Conditions()
        environment = os.environ.get
        url = url or environment("GRIDWISE_MODEL_URL") or environment("OPENAI_BASE_URL") or OPENAI
        if key is None:
            key = environment("GRIDWISE_MODEL_KEY") or environment("OPENAI_API_KEY") or ""
        self._url, self._key = url.strip().rstrip("/"), key.strip()
        self._seconds = _seconds() if seconds is None else seconds
        self._tries = tries
        self._host = _host(self._url)
        if not (self._key.isascii() and self._key.isprintable()):
            raise BadRequest("The key in OPENAI_API_KEY has characters that no key can have.")
        if not self._key and self._url == OPENAI:
            raise BadRequest(
                "To play against a model set OPENAI_API_KEY, or OPENAI_BASE_URL to the address of "
                "a server such as http://127.0.0.1:8000/v1."
            )
        self._loop = BackgroundLoop()

    def start(self) -> None:
        """Nothing has to be run: the model runs elsewhere."""

    def choose(self, position: Position) -> int:
        """The move that the model answers with, if it is legal."""
        try:
            return self._loop.run(self.choose_async(position))
        except CancelledError:
            raise ProviderFailed("The model's answer was not waited for.") from None

    async def choose_async(self, position: Position) -> int:
        """The move that the model answers with, if it is legal."""
        turn = Turn(position, self._conditions)
        while turn.reply is None:
            turn.add_reply(*await self._complete(turn.messages))
        if turn.reply.action is not None:
            return turn.reply.action
        tries, wrong = len(turn.failures), turn.failures[-1]
        after = "" if tries == 1 else f" after {tries} tries"
        raise IllegalAnswer(
            f"The model {quoted(self._model)} gave no legal move{after} ({wrong}): "
            f"{turn.reply.reason}"
        )

    def close(self) -> None:
        """Give up on every question that is waiting."""
        self._loop.close()

    async def _complete(self, messages: list[Any]) -> tuple[str, str]:
        """What the model says, and why it stopped; raises ProviderFailed if it does not answer."""
        import openai  # noqa: PLC0415 - 1.1 s, only for this

        try:
            client = openai.AsyncOpenAI(  # for one question: its connections are closed with it
                api_key=self._key or "none",  # the client wants one, and does not send it then
                base_url=self._url,
                max_retries=self._tries - 1,
                timeout=self._seconds,
                http_client=openai.DefaultAsyncHttpxClient(
                    follow_redirects=False,  # a redirect would take the key to another host
                    # no proxy knows this machine's servers
                    trust_env=urlsplit(self._url).hostname not in LOOPBACK,
                ),
            )
        except (ValueError, ImportError) as error:  # such as a proxy that makes no sense
            raise ProviderFailed(f"No client can be made for {self._host}: {error}.") from None
        try:
            async with asyncio.timeout(self._seconds), client:
                completion = await client.chat.completions.create(
                    model=self._model,
                    messages=messages,
                    extra_headers={} if self._key else {"Authorization": openai.Omit()},
                )
            return _said(completion)
        except (TimeoutError, openai.APITimeoutError):
            problem = f"did not answer within {self._seconds:g} seconds"
        except openai.APIStatusError as error:
            problem = f"answered with HTTP {error.status_code}{self._details(error.body)}"
        except openai.APIConnectionError as error:
            problem = f"cannot be reached: {printable(_cause(error), 100)}"
        except FORM_ERRORS:
            problem = "gave an answer that is not a chat completion"
        raise ProviderFailed(f"The model {quoted(self._model)} at {self._host} {problem}.")

    def _details(self, body: object) -> str:
        """What an error says, without the key, which some providers repeat."""
        text = str(body.get("message") or "") if isinstance(body, dict) else ""
        # The key is taken out before the text is shortened, or a part of it could be left.
        if len(self._key) >= MIN_SECRET_LENGTH:
            text = text.replace(self._key, "…")
        return f": {printable(text, 200)}".rstrip(".") if text else ""


def _said(completion: Any) -> tuple[str, str]:  # noqa: ANN401 - whatever a server sends
    """The text of a completion and why it ended; raises whatever comes of another form."""
    choice = completion.choices[0]
    content = choice.message.content
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part["text"] for part in parts if isinstance(part["text"], str)]
    stop = "refusal" if choice.message.refusal else choice.finish_reason or "stop"
    return "\n".join(texts), stop


def _cause(error: BaseException) -> str:
    """The innermost reason of an error, such as `Connection refused`."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else f"{type(error).__name__} {error}"


def _host(url: str) -> str:
    """The host of a URL, without any password in it; raises BadRequest for a bad one."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    plain = url.isascii() and url.isprintable() and " " not in url and "@" not in url
    if not host or parts.scheme not in ("http", "https") or not plain:
        # Not quoted: a URL may have a password in it.
        raise BadRequest(
            "The address of the model's server is not one: it looks like http://127.0.0.1:8000/v1."
        )
    return f"{host}:{port}" if port else host


def _seconds() -> float:
    """How long an answer may take, from the environment."""
    given = os.environ.get("GRIDWISE_MODEL_SECONDS", "")
    try:
        seconds = float(given or ANSWER_SECONDS)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise BadRequest(f"GRIDWISE_MODEL_SECONDS is a number of seconds, not {quoted(given)}.")
    return seconds
