"""Settings come from the command line, the environment and a file, in this order."""

from __future__ import annotations

from dataclasses import fields as fields_of
from pathlib import Path

import httpx
import pytest

from gridwise.errors import BadRequest
from gridwise.web.configuration import INTERNAL, described, fields, read_settings
from gridwise.web.settings import Rate, ServerLimits, Settings

from .servers import ROOT, Program, get, gridwise, refused

FILE = """
database = "sqlite:///file.db"
port = 1
allowed_hosts = ["one.example", "two.example"]
idle = 7

[limits]
requests = [10, 0.5]
sockets = 5
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file with settings."""
    path = tmp_path / "gridwise.toml"
    path.write_text(FILE)
    return str(path)


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(file: str) -> None:
    """What nobody says is as usual."""
    environment = {
        "GRIDWISE_PORT": "2",
        "GRIDWISE_DATABASE": "sqlite:///environment.db",
        "GRIDWISE_LIMIT_SOCKETS": "6",
        "GRIDWISE_LIMIT_GAMES": "3 0.25",
        "GRIDWISE_TRUSTED_PROXIES": "10.0.0.1, 10.1.0.0/16",
        "GRIDWISE_HOME": "/somewhere",
        "OTHER": "x",
    }
    found = read_settings(file, environment, {"port": 3, "host": None, "workers": None})
    assert (found.port, found.database, found.idle) == (3, "sqlite:///environment.db", 7.0)
    assert found.allowed_hosts == ("one.example", "two.example")
    assert found.trusted_proxies == ("10.0.0.1/32", "10.1.0.0/16")
    assert found.limits.requests == Rate(10, 0.5)
    assert found.limits.games == Rate(3, 0.25)
    assert found.limits.sockets == 6
    assert found.limits.messages == ServerLimits().messages
    assert read_settings("", {}, {}) == Settings("")


@pytest.mark.parametrize("of", [Settings, ServerLimits])
def test_every_setting_can_be_set_as_the_table_says(of: type) -> None:
    """By its variable, to what its default is written as."""
    names = {each.name for each in fields_of(of)} - set(INTERNAL)
    assert names == set(fields(of))
    rows = described(of, dict.fromkeys(names, "x"))
    environment = {row.variable: row.default for row in rows if row.default != "none"}
    found = read_settings("", environment, {})
    usual = Settings("")
    if of is ServerLimits:
        assert found == usual
    assert found.limits == usual.limits
    assert found.port == usual.port


def test_the_document_explains_every_setting() -> None:
    """The tables are made from settings.py; `test_docs` checks that they are fresh."""
    text = (ROOT / "docs" / "web.md").read_text()
    for name in [*fields(Settings), *fields(ServerLimits)]:
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` | `GRID")]
        assert len(row.split("|")[4].strip()) > 5, f"{name} has no comment"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("GRIDWISE_PORT", "many", "GRIDWISE_PORT takes a whole number"),
        ("GRIDWISE_IDLE", "-1", "not negative"),
        ("GRIDWISE_IDLE", "nan", "not negative"),
        ("GRIDWISE_LIMIT_SOCKETS", "0", "at least 1"),
        ("GRIDWISE_LIMIT_SOCKETS", "1.5", "at least 1"),
        ("GRIDWISE_LIMIT_REQUESTS", "5", "a burst and a rate"),
        ("GRIDWISE_LIMIT_SOKETS", "5", "Did you mean sockets"),
        ("GRIDWISE_LOG_FORMAT", "xml", "text or json"),
        ("GRIDWISE_TRUSTED_PROXIES", "everybody", "addresses or networks"),
    ],
)
def test_wrong_values_are_refused_with_their_place(name: str, value: str, words: str) -> None:
    """Before anything is started."""
    with pytest.raises(BadRequest, match=words):
        read_settings("", {name: value}, {})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prot = 1", "Did you mean port"),
        ("port = true", "port in .* takes a whole number"),
        ("host = 1", "takes a text"),
        ("limits = 3", "is a table"),
        ("[limits]\nmessages = [1]", "messages in limits in .* takes a burst"),
        ("port = ", "is not TOML"),
        ("resume = false", "There is no setting resume in "),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    """With the name of the file."""
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(BadRequest, match=words) as error:
        read_settings(str(path), {}, {})
    assert "wrong.toml" in str(error.value)


def test_secrets_are_not_repeated(tmp_path: Path) -> None:
    """Neither in an error nor when settings are printed."""
    path = tmp_path / "wrong.toml"
    path.write_text('metrics_token = ["hush"]')
    with pytest.raises(BadRequest, match=r"metrics_token in .* takes a text") as error:
        read_settings(str(path), {}, {})
    assert "hush" not in str(error.value)
    assert "hush" not in repr(read_settings("", {"GRIDWISE_METRICS_TOKEN": "hush"}, {}))


def test_the_program_reads_them(tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--config`, and a wrong file in one line; hosts are allowed by name, or all below one."""
    monkeypatch.setenv("GRIDWISE_ALLOWED_HOSTS", "localhost")
    names = ("--allowed-host", "play.example.org", "--allowed-host", "*.school.example")
    place = ("--config", file, "--database", f"sqlite:///{tmp_path}/g.db")
    with Program(tmp_path, *place, *names) as server:

        def asked(host: str) -> httpx.Response:
            return get(f"{server.address}/api/games", headers={"Host": host})

        for host in ("play.example.org", "PLAY.example.org:443", "a.b.school.example"):
            assert asked(host).status_code == 200, host
        for host in ("127.0.0.1", "localhost", "one.example", "example.org", "school.example"):
            refused(asked(host), 421, "wrong-host")
    status, _, err = gridwise(tmp_path, "serve", "--config", str(tmp_path / "none.toml"))
    assert (status, err.count("\n")) == (2, 1)
    assert "none.toml" in err
