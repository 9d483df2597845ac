"""A program that takes a seat in a game on a Gridwise server, and plays it to its end.

    python examples/web_bot.py http://127.0.0.1:8000/g/AbCdEfGhIjKl --level strong
    python examples/web_bot.py http://127.0.0.1:8000 --new number-run --level random

The first takes the free seat of a game, by its link. The second starts a game and prints the link
for an opponent. docs/web-programs.md describes the messages. A program needs a cookie jar, because
the cookie holds the seat; JSON over HTTP to take a seat; and a WebSocket to play.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

import gridwise
from gridwise.core.position import Player

State = dict[str, Any]
Choice = Callable[[State], str]  # the move to play on a state


class Seat:
    """A seat in a game, and the cookie that holds it."""

    def __init__(self, server: str) -> None:
        self.server = server
        self._jar = CookieJar()
        self._http = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def post(self, path: str, **body: str) -> dict[str, Any]:
        """Send JSON; the response of the server."""
        request = urllib.request.Request(  # noqa: S310 - the address was given by the user
            f"{self.server}/api{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with self._http.open(request, timeout=30) as response:
            answer: dict[str, Any] = json.load(response)
        return answer

    @property
    def cookie(self) -> str:
        """The cookie as a header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._jar)

    def play(self, game_id: str, choose: Choice) -> State:
        """Play until the game is over; its last state. Reconnects if the connection breaks."""
        address = f"{self.server.replace('http', 'ws', 1)}/api/games/{game_id}/socket"
        state: State = {"status": "waiting"}
        while state["status"] != "over":
            try:
                with connect(address, additional_headers={"Cookie": self.cookie}) as socket:
                    for text in socket:
                        message = json.loads(text)
                        if message["type"] == "refused" and message["kind"] != "stale":
                            raise SystemExit(message["message"])
                        if message["type"] in ("state", "change"):
                            state = updated(state, message)
                            if state["status"] == "over":
                                break
                            request = self._request(state, choose)
                            if request:
                                socket.send(json.dumps(request))
            except ConnectionClosed:
                print("The connection broke; reconnecting.", file=sys.stderr)
        return state

    def _request(self, state: State, choose: Choice) -> dict[str, Any] | None:
        """What to send for a state: a move, or agreement to what the other player asks for."""
        # The version says which state the request was made on; the same `ref` counts once.
        made_on = {"version": state["version"], "ref": f"bot-{state['version']}"}
        for what, asker in state["offers"].items():
            if asker and asker not in state["you"]:
                return {"type": what, **made_on}
        if state["turn"] in state["you"]:
            return {"type": "move", "move": choose(state), **made_on}
        return None


def updated(state: State, message: dict[str, Any]) -> State:
    """The state after a message: the first has all of it, the others the fields that are new."""
    if message["type"] == "state":
        return message
    new = {**state, **message}
    if "legal" in message:  # without targets, each move is written as its cell
        new["targets"] = message.get("targets", message["legal"])
    new["cells"] = [message["cells"].get(cell["name"], cell) for cell in state["cells"]]
    if "moves" in message:  # taking moves back keeps some; a move adds one
        new["moves"] = state["moves"][: message["moves"]["keep"]] + message["moves"]["add"]
    return new


def choose_with(level: str) -> Choice:
    """A function from a state to a move, which thinks as one of Gridwise's bots."""
    bots: dict[str, Player] = {}

    def choose(state: State) -> str:
        game = gridwise.game(state["game"])
        board = game.parse_board(
            state["board"], state["target"] if game.target else None, state["handicap"]
        )
        moves = [played["move"] for played in state["moves"]]
        position = gridwise.Position(game, board, first=state["first"], moves=moves)
        bot = bots.setdefault(game.key, gridwise.bot(game, level))
        return position.name(bot.choose(position))

    return choose


def choose_any(state: State) -> str:
    """Any legal move: for this the messages are enough."""
    return str(random.choice(state["legal"]))


def main() -> None:
    """Read the command line, take a seat, play."""
    parser = argparse.ArgumentParser(description="Take a seat on a Gridwise server, and play.")
    parser.add_argument("address", help="the link of a game, or with --new the server")
    parser.add_argument("--new", metavar="GAME", help="start a game, and print its link")
    parser.add_argument("--level", default="casual", help="random, novice, casual, strong, perfect")
    parser.add_argument("--name", default="web_bot.py")
    options = parser.parse_args()
    parts = urlsplit(options.address)
    seat = Seat(f"{parts.scheme}://{parts.netloc}")
    choose = choose_any if options.level == "random" else choose_with(options.level)
    try:
        if options.new:
            made = seat.post("/games", game=options.new, name=options.name)
            game_id = made["id"]
            print(f"Play against me at {seat.server}{made['url']}", flush=True)
        else:
            game_id = parts.path.rsplit("/", 1)[-1]
            seat.post(f"/games/{game_id}/seats", name=options.name)
        state = seat.play(game_id, choose)
    except urllib.error.HTTPError as error:
        with error:
            raise SystemExit(json.load(error)["error"]["message"]) from None
    except (OSError, InvalidHandshake) as error:
        raise SystemExit(f"No server at {seat.server}: {error}") from None
    print(state["status_text"])


if __name__ == "__main__":
    main()
