"""A language model is a player like any other; its provider's failures are never lost games."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from bot_endpoint import server as bot_server
from bot_endpoint.server import BotServer

from gridwise import Match, Position, game, grade, read_record
from gridwise.errors import BadRequest, EngineFailed, IllegalAnswer, ProviderFailed
from gridwise.play.setup import Setup
from gridwise.players.batch_player import NO_ACTION, PositionGames, batch_player
from gridwise.players.model_player import ModelPlayer
from gridwise.players.new_match import ply_limit, set_up
from gridwise.players.seats import open_seat, player_name
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import prompt
from tests.cli.program import Run, gridwise

MAZE = Position("number-maze", "1324/2132/4213/3421")
KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine has set, a test asks its own server only."""
    for name in ("GRIDWISE_MODEL_URL", "OPENAI_BASE_URL", "GRIDWISE_MODEL_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def model_at(server: BotServer, conditions: Conditions | None = None) -> ModelPlayer:
    """A model behind a server on loopback."""
    return ModelPlayer("test", conditions, url=server.url, key=KEY, seconds=20, tries=2)


class Heard(NamedTuple):
    """A question as a server was asked it."""

    key: str
    body: dict[str, Any]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Heard]:
    """All questions that servers are asked; they keep none themselves."""
    found: list[Heard] = []
    read = bot_server._Handler._body

    def hear(handler: bot_server._Handler) -> bytes:
        body = read(handler)
        found.append(Heard(handler.headers.get("Authorization", ""), json.loads(body)))
        return body

    monkeypatch.setattr(bot_server._Handler, "_body", hear)
    return found


# Playing


def test_a_model_answers_with_a_legal_move_in_any_conditions(heard: list[Heard]) -> None:
    """It is asked with a prompt and nothing else, and is sent its key and the model's name."""
    with BotServer("random") as server:
        for skin in ("plain", "theme+turned", "renamed"):
            for board in ("grid", "sentences", "json"):
                player = model_at(server, Conditions(skin=skin, board=board))
                assert MAZE.is_legal(player.choose(MAZE))
                asked = heard[-1].body
                assert asked["messages"] == prompt(MAZE, skin=skin, board=board).messages
    assert {each.body["model"] for each in heard} == {"test"}
    assert {tuple(each.body) for each in heard} == {("model", "messages")}
    assert {each.key for each in heard} == {f"Bearer {KEY}"}


@pytest.mark.parametrize("key", ["number-run", "grid-conquest", "number-connect"])
def test_a_whole_game_is_played_by_two_models(key: str) -> None:
    """To its end by the rules, with no move refused."""
    with BotServer("novice") as server:
        player, match = model_at(server), Match(key, seed=3)
        while not match.outcome:
            match.move(player.choose(match.position))
    assert server.asked == len(match.moves)


# What goes wrong


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("garbage", "no-move"),
        ("unreadable", "unreadable"),
        ("illegal", "illegal"),
        ("truncate", "truncated"),
        ("refuse", "refused"),
        ("decline", "refused"),
    ],
)
def test_an_answer_that_stays_none_is_an_illegal_answer(fault: str, named: str) -> None:
    """After as many tries as the conditions allow; the message is one line and names the class."""
    illegal = pytest.raises(IllegalAnswer, match=rf"\({named}\)")
    with BotServer("random", fault=fault) as server, illegal as failed:
        model_at(server, Conditions(retries=1)).choose(MAZE)
    assert server.asked == 2
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize("fault", ["garbage", "illegal"])
def test_a_model_that_comes_to_its_senses_plays(fault: str, heard: list[Heard]) -> None:
    """The second try counts, and has been told what was wrong with the first."""
    with BotServer("random", fault=f"{fault}:1") as server:
        assert MAZE.is_legal(model_at(server).choose(MAZE))
    assert [len(each.body["messages"]) for each in heard] == [2, 4]


@pytest.mark.parametrize(
    ("fault", "says", "tries"),
    [
        ("http-400", "HTTP 400", 1),
        ("http-401", "HTTP 401", 1),
        ("http-429", "HTTP 429", 2),
        ("http-503", "HTTP 503", 2),
        ("html", "not a chat completion", 1),
        ("no-choices", "not a chat completion", 1),
        ("hang-up", "cannot be reached: .*disconnected", 2),
    ],
)
def test_a_provider_that_fails_is_no_illegal_answer(fault: str, says: str, tries: int) -> None:
    """What may pass is tried again; then one line says which model, where, and what happened."""
    with (
        BotServer("random", fault=fault) as server,
        pytest.raises(EngineFailed, match=says) as failed,
    ):
        model_at(server).choose(MAZE)
    assert not isinstance(failed.value, IllegalAnswer)
    assert server.asked == tries
    assert str(failed.value).startswith('The model "test" at 127.0.0.1:')
    assert "\n" not in str(failed.value)
    assert KEY not in str(failed.value)


@pytest.mark.parametrize("fault", ["http-429:1", "http-500:1", "hang-up:1", "slow:1"])
def test_a_provider_that_recovers_is_forgiven(fault: str) -> None:
    """Nobody notices but the clock."""
    with BotServer("random", fault=fault, delay=0.05) as server:
        assert MAZE.is_legal(model_at(server).choose(MAZE))


def test_a_silent_provider_is_given_up_on() -> None:
    """After the time limit, once: a second wait would hardly help."""
    with BotServer("random", fault="silent") as server:
        player = ModelPlayer("test", url=server.url, key=KEY, seconds=0.3)
        with pytest.raises(EngineFailed, match=r"did not answer within 0\.3 seconds"):
            player.choose(MAZE)
    assert server.asked <= 1  # none if this machine took longer to send it


def test_a_server_that_is_not_there_is_named() -> None:
    """Connection refused, in one line."""
    with BotServer("random") as server:
        url = server.url
    with pytest.raises(EngineFailed, match="cannot be reached: Connection refused"):
        ModelPlayer("test", url=url, key=KEY, tries=2).choose(MAZE)


def test_a_question_that_waits_can_be_given_up() -> None:
    """`close` ends it; the next question is asked as usual."""
    with BotServer("random", fault="silent:1") as server:
        player, raised = model_at(server), []

        def ask() -> None:
            try:
                player.choose(MAZE)
            except EngineFailed as error:
                raised.append(str(error))

        asking = threading.Thread(target=ask)
        asking.start()
        for _ in range(1_000):
            if server.asked:
                break
            time.sleep(0.01)
        player.close()
        asking.join(60)
        assert raised == ["The model's answer was not waited for."]
        assert MAZE.is_legal(player.choose(MAZE))


class Odd(http.server.BaseHTTPRequestHandler):
    """A server that answers as `answer` says: a status, headers, a body."""

    answer: ClassVar[tuple[int, dict[str, str], bytes]]
    asked: ClassVar[list[str]]

    def do_POST(self) -> None:
        """Answer."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append(self.path)
        status, headers, body = self.answer
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base has it
        """Nothing."""


@pytest.fixture
def odd() -> Iterator[str]:
    """The address of an odd server."""
    Odd.asked = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Odd) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


def asked(odd: str) -> int:
    """What a model there plays."""
    return ModelPlayer("test", url=odd, key=KEY).choose(MAZE)


def test_a_proxy_that_makes_no_sense_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked, and nobody has lost the game by it."""
    monkeypatch.setenv("HTTP_PROXY", "foo://bar")
    player = ModelPlayer("test", url="http://models.invalid/v1", key=KEY)
    with pytest.raises(ProviderFailed, match=r"No client .* models\.invalid: .*proxy"):
        player.choose(MAZE)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b'{"choices": {}}',
        b'{"choices": [{"message": "MOVE: right"}]}',
        b"[" * 200_000,
        b"\xff\xfe\x00",
    ],
    ids=range(6),
)
def test_nonsense_from_a_provider_is_its_failure(odd: str, body: bytes) -> None:
    """Nothing that is no chat completion is taken for one."""
    Odd.answer = (200, {}, body)
    player = ModelPlayer("test", url=odd, tries=2)
    with pytest.raises(EngineFailed, match="not a chat completion") as failed:
        player.choose(MAZE)
    assert not isinstance(failed.value, IllegalAnswer)


@pytest.mark.parametrize(
    ("message", "finish", "plays"),
    [
        ({"content": "MOVE: right"}, "stop", True),
        ({"content": [{"type": "text", "text": "MOVE: right"}]}, None, True),
        ({"content": None}, "stop", False),
        ({"content": None, "refusal": "I would rather not."}, "stop", False),
        ({"content": "MOVE: right", "tool_calls": []}, "tool_calls", True),
    ],
)
def test_answers_come_in_the_forms_that_servers_use(
    odd: str, message: dict[str, object], finish: str | None, plays: bool
) -> None:
    """Text or parts, with or without a reason for the end."""
    answer = {"choices": [{"message": message, "finish_reason": finish}]}
    Odd.answer = (200, {}, json.dumps(answer).encode())
    player = ModelPlayer("test", Conditions(retries=0), url=odd)
    if plays:
        assert player.choose(MAZE) == MAZE.read("right")
    else:
        with pytest.raises(IllegalAnswer):
            player.choose(MAZE)


def test_a_redirect_is_not_followed(odd: str) -> None:
    """It would carry the key to whoever the server names."""
    Odd.answer = (307, {"Location": f"{odd}/elsewhere"}, b"")
    with pytest.raises(EngineFailed, match="HTTP 307"):
        asked(odd)
    assert Odd.asked == ["/v1/chat/completions"]


@pytest.mark.parametrize("before", [0, *range(170, 200, 5)])
def test_a_key_that_a_provider_repeats_is_taken_out(odd: str, before: int) -> None:
    """Ours is one printable line; long errors are cut, and the key is out of them by then."""
    error = {"message": f"{'x' * before}Wrong key: {KEY}.\n\x1b[31mTry again", "code": ["odd"]}
    Odd.answer = (401, {}, json.dumps({"error": error}).encode())
    with pytest.raises(EngineFailed, match="HTTP 401: ") as failed:
        asked(odd)
    assert "sk-" not in str(failed.value)
    assert before or "Wrong key" in str(failed.value)
    assert str(failed.value).isprintable()


# Naming one


def test_a_model_is_named_and_found_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, heard: list[Heard]
) -> None:
    """The case of a model's name is kept, and colons in it too."""
    assert player_name(" Model:Qwen/Qwen3:8B ") == "model:Qwen/Qwen3:8B"
    with BotServer("random") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
        monkeypatch.setenv("GRIDWISE_MODEL_URL", f"{server.url}/")  # ours comes first
        player = open_seat(MAZE.game, "Model:Qwen/Qwen3:8B")
        assert player
        assert player.name == "model:Qwen/Qwen3:8B"
        assert MAZE.is_legal(player.choose(MAZE))
    (question,) = heard
    assert (question.body["model"], question.key) == ("Qwen/Qwen3:8B", "")


@pytest.mark.parametrize(
    ("settings", "name", "says"),
    [
        ({}, "model:gpt-5", "set OPENAI_API_KEY, or OPENAI_BASE_URL"),
        ({"OPENAI_API_KEY": "k"}, "model:", "needs the name of a model"),
        ({"OPENAI_API_KEY": "k"}, "model: \x1b[31m", "needs the name of a model"),
        ({"OPENAI_API_KEY": f"{KEY}\nX: y"}, "model:gpt-5", "characters that no key can have"),
        ({"OPENAI_BASE_URL": "file:///etc/passwd"}, "model:gpt-5", "looks like http"),
        ({"OPENAI_BASE_URL": "127.0.0.1:8000"}, "model:gpt-5", "looks like http"),
        ({"OPENAI_BASE_URL": f"http://u:{KEY}@[::"}, "model:gpt-5", "looks like http"),
        ({"OPENAI_BASE_URL": f"http://u:{KEY}@127.0.0.1/v1"}, "model:gpt-5", "looks like http"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1/v1\x1b[31m"}, "model:gpt-5", "looks like http"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:99999/v1"}, "model:gpt-5", "looks like http"),
        (
            {"OPENAI_BASE_URL": "http://127.0.0.1/v1", "GRIDWISE_MODEL_SECONDS": "soon"},
            "model:gpt-5",
            "is a number of seconds",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_said_before_the_game(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], name: str, says: str
) -> None:
    """In one line, and a key or a password is not in it."""
    for each, value in settings.items():
        monkeypatch.setenv(each, value)
    with pytest.raises(BadRequest, match=says) as refused:
        open_seat(MAZE.game, name)
    assert KEY not in str(refused.value)
    assert "\n" not in str(refused.value)


# Everywhere players play


def test_a_model_is_graded_with_many_questions_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that speaks as a model gets its grade; illegal answers count, failures are raised."""
    with BotServer("perfect") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        graded = grade("model:perfect", "grid-runner", games=2, seed=1)
    assert graded.regret == 0
    assert graded.agent == "model:perfect"
    with BotServer("random", fault="illegal") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        player = batch_player("model:x", MAZE.game)
        assert player.choose(PositionGames({1: MAZE, 2: MAZE}), [1, 2]) == [NO_ACTION, NO_ACTION]
    with BotServer("random", fault="http-401") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        player = batch_player("model:x", MAZE.game)
        with pytest.raises(EngineFailed):
            player.choose(PositionGames(dict.fromkeys(range(40), MAZE)), range(40))


def played_against(server: BotServer, home: Path, record: Path, typed: list[str]) -> Run:
    """Number Run against the model Owl, in a process of its own."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_BASE_URL", server.url)
        environment.setenv("OPENAI_API_KEY", KEY)
        return gridwise(
            *("play", "number-run", "--p2", "model:Owl", "--seed", "4", "--record", record),
            home=home,
            typed=typed,
        )


def test_a_person_plays_a_model_at_the_command_line(tmp_path: Path) -> None:
    """The model moves, its name is in the record, and resuming the file asks it no more."""
    record = tmp_path / "game.gwr"
    with BotServer("novice") as server:
        run = played_against(server, tmp_path, record, ["0,1", "quit"])
        assert run.status == 0
        assert "Player 2 (Owl)" in run.out
        asked = server.asked
        assert asked == 1
        session = set_up(Setup(resume=record))
        assert session.seats == (None, None)
        assert "A file starts no programs" in session.notice
        assert server.asked == asked
    assert read_record(record).players == ("human", "model:Owl")


def test_a_provider_that_fails_leaves_the_game_where_it_was(tmp_path: Path) -> None:
    """One line, no traceback, no lost game: the record is unfinished."""
    record = tmp_path / "game.gwr"
    with BotServer("novice", fault="http-401") as server:
        run = played_against(server, tmp_path, record, ["0,1"])
    assert "answered with HTTP 401" in run.err
    assert "Traceback" not in run.err + run.out
    assert KEY not in run.err + run.out + record.read_text(encoding="utf-8")
    assert read_record(record).result == "*"


def test_the_game_of_a_model_ends_after_as_many_plies_as_it_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a game that can go on for ever the prompt speaks of 200 moves, and that holds."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")  # it is not asked here
    maze = game("number-maze")
    assert "after 200 moves, those of both sides counted" in " ".join(prompt(MAZE).system.split())
    assert ply_limit(maze, (None, open_seat(maze, "model:x"))) == 200
    assert ply_limit(maze, (None, open_seat(maze, "casual"))) is None
