"""A model's endpoint on this machine, with one of our bots behind it: OpenAI's chat completions.

    cd examples
    python -m bot_endpoint --level perfect --port 8123
    OPENAI_BASE_URL=http://127.0.0.1:8123/v1 gridwise play number-maze --p2 model:perfect

It speaks to whatever can speak to OpenAI, without a network, and can fail in every way a provider
does (`--fault http-429:2` fails twice, then answers), which is how our tests use it. It listens on
the loopback interface only, asks for no key and keeps nothing.

The bot reads the position from the prompt, as a model has to; a prompt that hides the moves so far
cannot be read back, and is answered with HTTP 400.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import FrameType
from typing import Any, NamedTuple, Self

from bot_endpoint.prompt_reader import bot_reply, read_question
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.evals.faulty_replies import FAULTY_REPLIES

HOST = "127.0.0.1"
SLOW_SECONDS = 5.0
SOCKET_SECONDS = 60.0  # that a client may take to send its question
HTTP_FAULTS = {f"http-{status}": status for status in (400, 401, 404, 429, 500, 503)}
# Answers that are none: a connection that stays silent, one that is closed, a page, an empty list.
BROKEN = ("silent", "hang-up", "html", "no-choices")
DECLINE = "decline"  # a refusal in the field that OpenAI has for it, not in why the reply ended
FAULTS = (*FAULTY_REPLIES, DECLINE, *HTTP_FAULTS, *BROKEN, "slow")


class Fault(NamedTuple):
    """What goes wrong, and how often."""

    name: str = ""
    times: int = -1  # how many requests it happens to; -1 for all of them

    @classmethod
    def read(cls, text: str) -> Fault:
        """`http-429` or `http-429:2`; raises BadRequest."""
        name, colon, times = text.partition(":")
        if name not in FAULTS or (colon and not (times.isascii() and times.isdigit())):
            raise BadRequest(
                f"There is no fault {quoted(text)}. There are {', '.join(FAULTS)}; "
                "http-429:2 happens to the first two requests."
            )
        return cls(name, int(times) if colon else -1)


class BotServer:
    """The server, to be used in a `with` block; `url` is what goes into OPENAI_BASE_URL."""

    def __init__(
        self,
        level: str = "perfect",
        *,
        port: int = 0,
        fault: str = "",
        seed: int | str = 0,
        delay: float = SLOW_SECONDS,
    ) -> None:
        if level not in LEVELS:
            raise BadRequest(f"There is no level {quoted(level)}. There are {', '.join(LEVELS)}.")
        self.level, self.seed, self.delay = level, seed, delay
        self.fault = Fault.read(fault) if fault else Fault()
        self.asked = 0  # how many questions
        self._lock = threading.Lock()
        self._closing = threading.Event()
        try:
            self._http = _HttpServer((HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            raise BadRequest(f"Cannot listen on port {port}: {error}.") from None
        self._http.bots = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL of the API."""
        return f"http://{HOST}:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop; whoever still waits for an answer gets none."""
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def wait(self, seconds: float) -> bool:
        """Wait, but not longer than the server runs; whether it runs on."""
        return not self._closing.wait(seconds)

    def next_fault(self) -> str:
        """Count a question, and say what goes wrong with its answer; empty for nothing."""
        with self._lock:
            self.asked += 1
            times = self.fault.times
            return self.fault.name if times < 0 or self.asked <= times else ""

    def reply(self, asked: str, fault: str) -> tuple[str, str]:
        """A reply and why it ended; raises GridwiseError for what asks for no move."""
        if fault in FAULTY_REPLIES:
            return FAULTY_REPLIES[fault](*read_question(asked))
        if fault == DECLINE:
            return "I cannot help with that.", "refusal"
        with self._lock:  # one search at a time: they would only slow each other down
            return bot_reply(asked, self.level, self.seed), "stop"


class _HttpServer(ThreadingHTTPServer):
    """Threads that do not keep the program from ending."""

    daemon_threads = True
    block_on_close = False
    bots: BotServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has gone is no news."""


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = SOCKET_SECONDS
    server: _HttpServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base has it
        """Nothing: standard error belongs to whoever uses the server."""

    def do_GET(self) -> None:
        """The list of models: the bot, whatever was asked for."""
        model = {"id": self.server.bots.level, "object": "model", "owned_by": "gridwise"}
        self._send(200, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        """A question."""
        content = self._body()
        bots = self.server.bots
        fault = bots.next_fault()
        if self._broken(fault):
            return
        try:
            body = json.loads(content)
            asked = "\n".join(each["content"] for each in body["messages"] if _is_user(each))
            text, stop = bots.reply(asked, fault)
        except GridwiseError as error:
            self._error(400, str(error))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            self._error(400, "The question is not a JSON object with messages.")
        else:
            self._send(200, _completion(str(body.get("model")), asked, text, stop))

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _broken(self, fault: str) -> bool:
        """Do what a fault does before there is a reply; whether that was all."""
        bots = self.server.bots
        if fault == "slow":
            return not bots.wait(bots.delay)
        if fault in HTTP_FAULTS:
            self._error(HTTP_FAULTS[fault], "This server has been told to fail.")
        elif fault == "silent":
            bots.wait(SOCKET_SECONDS)
            self.close_connection = True
        elif fault == "hang-up":
            self.close_connection = True
        elif fault == "html":
            self._send_bytes(200, b"<html><body>Bad gateway</body></html>", "text/html")
        elif fault == "no-choices":
            self._send(200, {"object": "chat.completion", "choices": []})
        return fault in HTTP_FAULTS or fault in BROKEN

    def _error(self, status: int, message: str) -> None:
        self._send(status, {"error": {"message": message, "type": "gridwise", "code": status}})

    def _send(self, status: int, data: dict[str, Any]) -> None:
        self._send_bytes(status, json.dumps(data).encode(), "application/json")

    def _send_bytes(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After-Ms", "1")  # this one has recovered when it says so
        self.end_headers()
        self.wfile.write(body)


def _is_user(message: dict[str, Any]) -> bool:
    return bool(message["role"] == "user")


def _completion(model: str, asked: str, text: str, stop: str) -> dict[str, Any]:
    """An answer in OpenAI's form. A token is counted as four characters."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if stop == "refusal":
        message, stop = {"role": "assistant", "content": None, "refusal": text}, "stop"
    tokens = {"prompt_tokens": len(asked) // 4, "completion_tokens": len(text) // 4}
    return {
        "id": "chatcmpl-gridwise",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": stop, "logprobs": None}],
        "usage": {**tokens, "total_tokens": sum(tokens.values())},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM; the first line printed is the base URL."""
    parser = argparse.ArgumentParser(prog="python -m bot_endpoint")
    parser.add_argument("--level", default="perfect", help=f"one of {', '.join(LEVELS)}")
    parser.add_argument("--port", type=int, default=0, help="0, the default, finds a free one")
    parser.add_argument("--seed", default="0", help="what the bot's choices are drawn from")
    parser.add_argument("--fault", default="", help=f"NAME or NAME:TIMES: {', '.join(FAULTS)}")
    parser.add_argument("--delay", type=float, default=SLOW_SECONDS, help="seconds, for slow")
    given = vars(parser.parse_args(arguments))
    try:
        server = BotServer(given.pop("level"), **given)
    except GridwiseError as error:
        print(error, file=sys.stderr)
        return 2
    stop = threading.Event()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    with server:
        print(server.url, flush=True)
        stop.wait()
    return 0
