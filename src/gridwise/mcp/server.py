"""The MCP server: tools, resources and a prompt, over stdio or streamable HTTP.

It serves from a thread, while the main thread waits for signals: standard input is read by a thread
that cannot be interrupted, and Ctrl-C must not wait for the next line. Whatever was answered is on
disk, so it can end at any moment.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gridwise import __version__
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine_pool import EnginePool
from gridwise.errors import BadRequest, GridwiseError, printable
from gridwise.listening import is_foreign, listen_on, shown_address
from gridwise.mcp.answers import game_text, refusal, rules_text
from gridwise.mcp.games_store import GamesStore
from gridwise.mcp.tools import GameTools

TOOLS = (
    *("list_games", "rules", "new_game", "look", "legal_moves"),
    *("play", "try_line", "resign", "review"),
)
PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
ENGINE_PROCESSES = 2
THINKING_SECONDS = 50.0  # about one thing; many clients give up on a call after 60
MAX_PROBLEM_LENGTH = 500  # about arguments
SHUTDOWN_SECONDS = 3  # that open requests get to finish

WAITING = """\
Waiting for an MCP client on standard input. Usually the client starts this command itself:
docs/mcp.md says how. Ctrl-C stops it."""

INSTRUCTIONS = """\
Five two-player board games against bots. Read the rules of a game with `rules`, start one with
`new_game`, and keep its id: every other call needs it. `play` makes your move and the bot's answer.
`legal_moves` lists what you can play, `look` shows the board, `try_line` shows where moves would
lead. When a game is over, `review` says what every move was worth."""


class OneLineTool(Tool):
    """A tool that says what is wrong in one line.

    The SDK shows wrong arguments as Pydantic prints them, over many lines, and hides what else was
    wrong.
    """

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:  # noqa: ANN401 - as the SDK's
        """What the tool answers, or why not."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            problem = error.__cause__
            if isinstance(problem, ValidationError) and not isinstance(error, UnexpectedToolError):
                wrong = [
                    f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}"
                    for detail in problem.errors(include_url=False, include_context=False)
                ]
                message = f"{self.name} cannot take these arguments. {'; '.join(wrong)}."
                problem = BadRequest(printable(message, MAX_PROBLEM_LENGTH))
            if isinstance(problem, GridwiseError):
                return refusal(problem)
            raise


def make_tool(function: Callable[..., Awaitable[CallToolResult]]) -> Tool:
    """The tool that a function is, by its name, its docstring and its annotations."""
    tool = OneLineTool.from_function(function)
    arguments = tool.fn_metadata.arg_model
    # Or a slip (`levl`) would be taken for nothing.
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema()
    return tool


def make_server(store: GamesStore, engine: EnginePool) -> MCPServer[object]:
    """The server on the games of a library; whoever made the engine closes it."""
    tools = GameTools(store, engine)
    server: MCPServer[object] = MCPServer(
        "gridwise",
        title="Gridwise",
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=[make_tool(getattr(tools, name)) for name in TOOLS],
        log_level="WARNING",
    )
    server.prompt(name="play", description="Play a whole game against a bot.")(_play_prompt)
    for game in games():
        server.add_resource(
            FunctionResource(
                uri=f"gridwise://rules/{game.key}",
                name=f"{game.key}-rules",
                title=f"{game.title}: the rules",
                description=game.text.SUMMARY,
                mime_type="text/markdown",
                fn=partial(rules_text, game),
            )
        )

    @server.resource("gridwise://rules/{game}", mime_type="text/markdown")
    def rules(game: str) -> str:
        """The rules of a game, by its key or its short name."""
        try:
            return rules_text(game_named(game))
        except GridwiseError as error:
            raise ResourceNotFoundError(str(error)) from None

    @server.resource("gridwise://games/{game_id}", mime_type="text/plain")
    def position(game_id: str) -> str:
        """Where a game stands, in words."""
        try:
            return game_text(store.load(game_id))
        except GridwiseError as error:
            raise ResourceNotFoundError(str(error)) from None

    return server


def _play_prompt(game: str = "number-maze", level: str = "casual") -> str:
    try:
        asked = game_named(game)
    except GridwiseError as error:
        raise MCPError(code=INVALID_PARAMS, message=str(error)) from None
    return (
        f"Play a game of {asked.title} against the {printable(level, 20)} bot, to its end. Read "
        f"the rules first (`rules`, game {asked.key}), then start it (`new_game`) and keep its id. "
        "Think before each move; `try_line` shows where moves would lead. When it is over, say who "
        "won, and why, with what `review` says."
    )


def serve(http: int | None = None, host: str = "127.0.0.1") -> None:
    """Serve until the client or somebody at the keyboard ends it; raises GridwiseError."""
    engine = EnginePool(ENGINE_PROCESSES, THINKING_SECONDS)
    server = make_server(GamesStore(), engine)
    try:
        if http is None:
            if sys.stdin.isatty():
                print(WAITING, file=sys.stderr)
            _wait_for(partial(anyio.run, server.run_stdio_async), stop=engine.close)
        else:
            _serve_http(server, engine, host, http)
    finally:
        engine.close()


def _serve_http(server: MCPServer[object], engine: EnginePool, host: str, port: int) -> None:
    # Without sessions: every call names its game, and a session that nobody ends would be kept.
    app = server.streamable_http_app(streamable_http_path=PATH, host=host, stateless_http=True)
    own = socket.gethostname()
    names = (host, own, f"{own}.local")
    config = uvicorn.Config(
        partial(_guarded, app, names),
        interface="asgi3",
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        log_config=None,
    )
    web = uvicorn.Server(config)
    with listen_on(host, port, "--http") as listening:
        address = shown_address(host, listening.getsockname()[1])
        print(f"Gridwise for MCP clients is at {address}{PATH} (Ctrl-C to stop)", flush=True)
        if host not in LOOPBACK:
            print("Everybody who can reach this machine can play, and see your games.", flush=True)

        def stop() -> None:
            engine.close()
            web.should_exit = True

        _wait_for(partial(web.run, sockets=[listening]), stop=stop)


async def _guarded(
    app: ASGIApp, names: Sequence[str], scope: Scope, receive: Receive, send: Send
) -> None:
    """The app, for everybody but pages of other sites."""
    if scope["type"] == "http":
        headers = Headers(scope=scope)
        if is_foreign(headers.get("host", ""), headers.get("origin"), *names):
            app = PlainTextResponse("Use the server's address, or start it with --host NAME.", 403)
    await app(scope, receive, send)


def _wait_for(work: Callable[[], object], stop: Callable[[], None]) -> None:
    """Run something in a thread until it ends; a signal that interrupts us stops it."""
    done: Future[None] = Future()

    def run() -> None:
        try:
            work()
            done.set_result(None)
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            done.set_exception(error)

    thread = threading.Thread(target=run, name="gridwise mcp", daemon=True)
    thread.start()
    try:
        done.result()
    except KeyboardInterrupt:
        stop()
        thread.join(SHUTDOWN_SECONDS)
        raise
