"""Play a game of Number Maze to its end through `gridwise mcp`, with the MCP SDK's own client.

    python examples/mcp_client.py                                     # starts the server itself
    gridwise mcp --http 8765 &
    python examples/mcp_client.py --http http://127.0.0.1:8765/mcp    # uses one that runs

What chooses the moves here is a few lines that think with `try_line`: take a move that wins, leave
out moves after which the bot can win at once. Put a language model in their place.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from typing import Any

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


class ToolError(Exception):
    """A tool has answered that something cannot be done, and why."""


class Game:
    """One game on the server, named by its id in every call."""

    def __init__(self, client: Client, state: dict[str, Any]) -> None:
        self._client = client
        self.state = state

    async def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """What a tool answers about this game, as data."""
        return await call(self._client, tool, game_id=self.state["id"], **arguments)

    async def choose(self) -> str:
        """A move that wins, or one after which the bot does not win at once, or any."""
        moves: list[str] = (await self.call("legal_moves"))["legal_moves"]
        mine, theirs = f"p{self.state['you']}", f"p{3 - self.state['you']}"
        safe = []
        for move in moves:
            after = await self.call("try_line", moves=[move])
            if after["result"] == mine:
                return move
            replies = [
                await self.call("try_line", moves=[move, reply]) for reply in after["legal_moves"]
            ]
            if all(reply["result"] != theirs for reply in replies):
                safe.append(move)
        # The moves so far choose among equals, so that two players do not go round in circles.
        choice = safe or moves
        return choice[len(self.state["moves"]) // 2 % len(choice)]


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """What a tool answers, as data; raises ToolError."""
    answer = await client.call_tool(tool, arguments)
    if answer.is_error or answer.structured_content is None:
        raise ToolError(" ".join(getattr(part, "text", "") for part in answer.content))
    data: dict[str, Any] = answer.structured_content
    return data


async def play(client: Client, options: argparse.Namespace) -> None:
    """Play one game, and review it."""
    board = {"board": options.board} if options.board else {}
    state = await call(
        client, "new_game", game="number-maze", level=options.level, side=options.side, **board
    )
    game = Game(client, state)
    print(f"Game {state['id']}: you are Player {state['you']}, against {state['opponent']}.")
    while game.state["to_move"]:
        move = await game.choose()
        game.state = await game.call("play", move=move, version=game.state["version"])
        print(f"{game.state['move']:6} {' '.join(game.state['bot_moves'])}".rstrip())
    print(f"Result: {game.state['result'] or 'unfinished'} ({game.state['reason']}).")
    print("\n".join((await game.call("review"))["summary"]))


async def main() -> None:
    """Connect over stdio or HTTP, and play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--http", metavar="URL", help="a server that runs already")
    parser.add_argument("--level", default="casual", help="the bot to play against")
    parser.add_argument("--side", type=int, default=1, choices=(1, 2), help="the player to be")
    parser.add_argument("--board", help="a board, such as 1324/2132/4213/3421")
    options = parser.parse_args()
    if options.http:
        async with Client(options.http) as client:
            await play(client, options)
        return
    # The SDK hands on only a few variables of the environment; these say where games are kept.
    kept = {name: os.environ[name] for name in os.environ if name.startswith("GRIDWISE_")}
    server = StdioServerParameters(command=sys.executable, args=["-m", "gridwise", "mcp"], env=kept)
    async with Client(stdio_client(server)) as client:
        await play(client, options)


def run() -> None:
    """Play; what goes wrong is said in one line."""
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # noqa: BLE001 - of this program, the server or the way there
        cause = error
        while isinstance(cause, ExceptionGroup):  # the SDK's tasks wrap what they raise
            cause = cause.exceptions[0]
        sys.exit(str(cause) or type(cause).__name__)


if __name__ == "__main__":
    run()
