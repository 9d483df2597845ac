"""A language model behind an OpenAI-compatible endpoint: one question, one answer.

Everything that a provider does wrong (no connection, HTTP errors, silence, nonsense) becomes an
ProviderFailed of one line. What may pass (HTTP 429, 5xx, a lost connection) is tried again, with
growing pauses. A key is sent to the endpoint and nowhere else: redirects are not followed, and it
is taken out of every message.
"""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gridwise.errors import BadRequest, ProviderFailed, printable, quoted

OPENAI = "https://api.openai.com/v1"
SECONDS = 300.0  # for one answer: models that reason take minutes
TRIES = 5
PAUSE = 1.0  # seconds before the second try; it doubles
MAX_PAUSE = 60.0  # also for a `Retry-After`
MAX_ANSWER = 32 << 20  # bytes
SHORTEST_SECRET = 6  # characters; local servers are given keys such as "x"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PASSING = frozenset({408, 409, 425, 429, *range(500, 600)})  # HTTP errors that may pass
HOPELESS = frozenset({"insufficient_quota", "billing_not_active"})  # 429s that do not


class Spoken(NamedTuple):
    """What a model said, and why it stopped."""

    text: str
    stop: str


class _Answer(NamedTuple):
    """What came back for one try: a status with a body, or what went wrong instead."""

    status: int = 0
    body: bytes = b""
    retry_after: str = ""
    problem: str = ""
    timed_out: bool = False


class ChatEndpoint:
    """Where models are asked; without arguments, what the environment names.

    `GRIDWISE_MODEL_URL` or `OPENAI_BASE_URL` is the base URL (OpenAI's own if there is none),
    `GRIDWISE_MODEL_KEY` or `OPENAI_API_KEY` the key; a server on one's own machine needs none.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        seconds: float | None = None,
        tries: int = TRIES,
        pause: float = PAUSE,
    ) -> None:
        named = os.environ.get("GRIDWISE_MODEL_URL") or os.environ.get("OPENAI_BASE_URL")
        self._url = (url or named or OPENAI).strip().rstrip("/")
        known = os.environ.get("GRIDWISE_MODEL_KEY") or os.environ.get("OPENAI_API_KEY") or ""
        self._key = (known if key is None else key).strip()
        self._seconds = _seconds() if seconds is None else seconds
        self._tries, self._pause = tries, pause
        self._given_up = threading.Event()  # of the questions that are waiting now
        self.host = _host(self._url)
        if not (self._key.isascii() and self._key.isprintable()):
            raise BadRequest("The key in OPENAI_API_KEY has characters that no key can have.")
        if not self._key and self._url == OPENAI:
            raise BadRequest(
                "To play against a model set OPENAI_API_KEY, or OPENAI_BASE_URL to the address of "
                "a server such as http://127.0.0.1:8000/v1."
            )

    def ask(self, model: str, messages: Sequence[Mapping[str, str]]) -> Spoken:
        """The model's answer; raises ProviderFailed if there is none."""
        body = json.dumps({"model": model, "messages": list(messages)}).encode()
        problem, given_up = "", self._given_up
        for number in range(self._tries):
            answer = self._send(body, given_up)
            problem, may_pass, spoken = self._understood(answer)
            if spoken:
                return spoken
            if not may_pass or number == self._tries - 1:
                break
            _wait(given_up, _pause(answer.retry_after, self._pause * 2**number))
        raise ProviderFailed(f"The model {quoted(model)} at {self.host} {self._scrubbed(problem)}.")

    def close(self) -> None:
        """Give up on every question that is waiting; others can be asked afterwards."""
        given_up, self._given_up = self._given_up, threading.Event()
        given_up.set()

    def _send(self, body: bytes, given_up: threading.Event) -> _Answer:
        """One try. It runs in a thread, so that a total time limit holds and Ctrl-C is heard."""
        done: queue.SimpleQueue[_Answer] = queue.SimpleQueue()

        def post() -> None:
            done.put(_post(f"{self._url}/chat/completions", body, self._key, self._seconds))

        threading.Thread(target=post, daemon=True).start()
        ends = time.monotonic() + self._seconds
        while time.monotonic() < ends:
            try:
                return done.get(timeout=min(0.2, self._seconds))
            except queue.Empty:
                _wait(given_up, 0)
        return _Answer(problem=f"did not answer within {self._seconds:g} seconds", timed_out=True)

    def _understood(self, answer: _Answer) -> tuple[str, bool, Spoken | None]:
        """What is wrong with an answer, whether that may pass, and what the model said."""
        if answer.problem:
            return answer.problem, not answer.timed_out, None
        data = _json(answer.body)
        if answer.status != 200:
            error = data.get("error") if isinstance(data, dict) else None
            about = error if isinstance(error, dict) else {"message": error}
            # The key is taken out before the text is shortened, or a part of it could be left.
            said = self._scrubbed(str(about.get("message") or ""))
            why = f": {printable(said, 200)}" if said else ""
            may_pass = answer.status in PASSING and str(about.get("code")) not in HOPELESS
            return f"answered with HTTP {answer.status}{why}".rstrip("."), may_pass, None
        spoken = _spoken(data)
        return "gave an answer that is not a chat completion", data is None, spoken

    def _scrubbed(self, text: str) -> str:
        """A text without the key: some providers repeat it in their errors."""
        return text.replace(self._key, "…") if len(self._key) >= SHORTEST_SECRET else text


def _wait(given_up: threading.Event, seconds: float) -> None:
    if given_up.wait(seconds):
        raise ProviderFailed("The model's answer was not waited for.")


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
        seconds = float(given or SECONDS)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise BadRequest(f"GRIDWISE_MODEL_SECONDS is a number of seconds, not {quoted(given)}.")
    return seconds


def _pause(retry_after: str, otherwise: float) -> float:
    """How long to wait: as long as the provider says, within reason."""
    asked = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else otherwise
    return min(asked, MAX_PAUSE)


def _post(url: str, body: bytes, key: str, seconds: float) -> _Answer:
    """Send one question and read what comes back; nothing is raised."""
    # 60 ms, only for this.
    import http.client  # noqa: PLC0415
    import urllib.error  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        """A redirect would take the key to another host."""

        def redirect_request(self, *_given: object) -> None:
            return None

    handlers: list[urllib.request.BaseHandler] = [NoRedirect()]
    if urlsplit(url).hostname in LOOPBACK:
        handlers.append(urllib.request.ProxyHandler({}))  # no proxy knows this machine's servers
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, body, headers, method="POST")  # noqa: S310 - checked
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=seconds) as response:
            return _Answer(response.status, response.read(MAX_ANSWER))
    except urllib.error.HTTPError as error:
        with error:
            return _Answer(error.code, _rest(error), error.headers.get("Retry-After", ""))
    except TimeoutError:
        return _Answer(problem=f"did not answer within {seconds:g} seconds", timed_out=True)
    except urllib.error.URLError as error:
        reason = getattr(error.reason, "strerror", None) or str(error.reason)
        return _Answer(
            problem=f"cannot be reached: {printable(str(reason), 100)}",
            timed_out=isinstance(error.reason, TimeoutError),
        )
    except (OSError, http.client.HTTPException, ValueError) as error:
        return _Answer(problem=f"broke off its answer: {printable(_what(error), 100)}")


def _rest(error: Any) -> bytes:  # noqa: ANN401 - an HTTPError, imported only where it is used
    """The body of an HTTP error, as far as it can be read."""
    try:
        body: bytes = error.read(1 << 16)
    except (OSError, ValueError):
        return b""
    return body


def _what(error: Exception) -> str:
    return " ".join(f"{type(error).__name__} {error}".split())


def _json(body: bytes) -> Any:  # noqa: ANN401 - whatever a server sends
    """The JSON in a body; None if it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _spoken(data: object) -> Spoken | None:
    """What the model said, in an answer of OpenAI's form; None if it has another."""
    try:
        choice = data["choices"][0]  # type: ignore[index] # that is the question
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
        stop = "refusal" if refusal else str(choice.get("finish_reason") or "stop")
    except (TypeError, KeyError, IndexError, AttributeError):
        return None
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return Spoken("\n".join(text for text in texts if isinstance(text, str)), stop)
