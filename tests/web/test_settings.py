"""Settings come from the command line, the environment and a file, in this order."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from gridwise.errors import BadRequest
from gridwise.web.settings import PREFIX, USUAL, Rate, ServerLimits, ServerSettings, read_settings

from .servers import ROOT, Program, get, gridwise, refused

FILE = """
database = "sqlite:///file.db"
port = 1
allowed_hosts = ["one.example", "two.example"]
retention = 7
requests = [10, 0.5]
sockets = 5
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file with settings."""
    path = tmp_path / "gridwise.toml"
    path.write_text(FILE)
    return str(path)


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody says is as usual."""
    assert read_settings("", {}) == ServerSettings("")
    environment = {
        "GRIDWISE_PORT": "2",
        "GRIDWISE_DATABASE": "sqlite:///environment.db",
        "GRIDWISE_SOCKETS": "6",
        "GRIDWISE_GAMES": "3 0.25",
        "GRIDWISE_TRUSTED_PROXIES": "10.0.0.1, 10.1.0.0/16",
        "GRIDWISE_HOME": "/somewhere",
        "OTHER": "x",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings = read_settings(file, {"port": 3, "host": None})
    assert (settings.port, settings.database, settings.retention) == (
        3,
        "sqlite:///environment.db",
        7.0,
    )
    assert settings.allowed_hosts == ("one.example", "two.example")
    assert settings.trusted_proxies == ("10.0.0.1", "10.1.0.0/16")
    assert settings.limits.requests == Rate(10, 0.5)
    assert settings.limits.games == Rate(3, 0.25)
    assert settings.limits.sockets == 6
    assert settings.limits.messages == ServerLimits().messages


def test_every_setting_can_be_set_as_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its variable, to what its default is written as; the table explains each."""
    usual = read_settings("", {})
    text = (ROOT / "docs" / "web.md").read_text()
    for name in USUAL:
        variable = f"{PREFIX}{name.upper()}"
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` | `GRID")]
        _, _, shown, default, about, _ = (part.strip() for part in row.split("|"))
        assert shown == f"`{variable}`"
        assert len(about) > 5, f"{name} has no comment"
        if default != "none":
            monkeypatch.setenv(variable, default)
    assert read_settings("", {}) == usual


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("GRIDWISE_PORT", "many", "cannot be used: .*valid integer"),
        ("GRIDWISE_PORT", "65536", "less than or equal to 65535"),
        ("GRIDWISE_RETENTION", "-1", "greater than or equal to 0"),
        ("GRIDWISE_RETENTION", "nan", "finite"),
        ("GRIDWISE_SOCKETS", "0", "greater than or equal to 1"),
        ("GRIDWISE_SOCKETS", "1.5", "valid integer"),
        ("GRIDWISE_REQUESTS", "5", "a burst and a rate"),
        ("GRIDWISE_REQUESTS", "0.5 1", "a burst is at least 1"),
        ("GRIDWISE_REQUESTS", "nan 1", "a burst is at least 1"),
        ("GRIDWISE_LOG_FORMAT", "xml", "'text' or 'json'"),
        ("GRIDWISE_TRUSTED_PROXIES", "everybody", "addresses or networks"),
    ],
)
def test_wrong_values_are_refused_with_their_place(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    """Before anything is started; of an option, with its name."""
    monkeypatch.setenv(name, value)
    with pytest.raises(BadRequest, match=f"^{name} .*{words}"):
        read_settings("", {})
    option = name.removeprefix(PREFIX).lower()
    with pytest.raises(BadRequest, match=f"^--{option.replace('_', '-')} .*{words}"):
        read_settings("", {option: value})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prot = 1", "Did you mean port"),
        ('port = "many"', "port in .* cannot be used"),
        ("host = 1", "valid string"),
        ("messages = [1]", "messages in .* a burst"),
        ("port = ", "is not TOML"),
        ("resume = false", "There is no setting resume in "),
        ("limits = {}", "There is no setting limits in "),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    """With the name of the file."""
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(BadRequest, match=words) as error:
        read_settings(str(path), {})
    assert "wrong.toml" in str(error.value)


def test_secrets_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in an error nor when settings are printed."""
    path = tmp_path / "wrong.toml"
    path.write_text('metrics_token = ["hush"]')
    with pytest.raises(BadRequest, match=r"metrics_token in .* valid string") as error:
        read_settings(str(path), {})
    assert "hush" not in str(error.value)
    monkeypatch.setenv("GRIDWISE_METRICS_TOKEN", "hush")
    assert "hush" not in repr(read_settings("", {}))


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
