"""The examples in deploy/ work, with the real nginx and systemd where they are installed."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from gridwise.web.settings import Rate, read_settings

from .servers import ROOT, TIMEOUT, Browse, eventually, get, receive, running, send

DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl") or ""
SYSTEMD = shutil.which("systemd-analyze")


def test_the_settings_are_right(tmp_path: Path) -> None:
    """Each is known and can be read, those in comments too."""
    settings = read_settings(str(DEPLOY / "gridwise.toml"), {})
    assert (settings.host, settings.log_format) == ("127.0.0.1", "json")
    everything = re.sub(r"(?m)^# (?=\w+ = )", "", (DEPLOY / "gridwise.toml").read_text())
    path = tmp_path / "all.toml"
    path.write_text(everything)
    assert read_settings(str(path), {}).database.startswith("postgresql")


def test_a_server_is_installed_with_the_versions_that_were_checked() -> None:
    """Wherever an operator reads how; else pip takes the newest of everything."""
    pages = [*DEPLOY.iterdir(), ROOT / "docs" / "web.md"]
    told = re.findall(r"pip install [^`\n]*", "\n".join(page.read_text() for page in pages))
    assert told
    assert all(each.startswith("pip install -c constraints.txt ") for each in told), told


@pytest.mark.skipif(SYSTEMD is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """But for the program's place, which is another one here."""
    unit = (DEPLOY / "gridwise@.service").read_text()
    here = tmp_path / "gridwise@8000.service"
    here.write_text(unit.replace("/opt/gridwise/bin/gridwise serve", f"{sys.executable} serve"))
    assert SYSTEMD
    done = subprocess.run(
        [SYSTEMD, "verify", "--recursive-errors=no", str(here)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def proxied(folder: Path, *servers: str) -> Iterator[int]:
    """Our example of nginx in front of one server or two; its port."""
    secure, plain = free_port(), free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=play.example.org", "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )  # fmt: skip
    example = (DEPLOY / "nginx.conf").read_text()
    for there, here in {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen [::]:80;": f"listen [::1]:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl;",
        "listen [::]:443 ssl;": f"listen [::1]:{secure} ssl;",
        "server 127.0.0.1:8000 ": f"server {servers[0].removeprefix('http://')} ",
        "server 127.0.0.1:8001 ": f"server {servers[-1].removeprefix('http://')} ",
        "/etc/ssl/certs/play.example.org.pem": str(certificate),
        "/etc/ssl/private/play.example.org.key": str(key),
    }.items():
        assert there in example
        example = example.replace(there, here)
    places = "".join(
        f"{kind}_temp_path {folder / kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{ {places}\n{example}\n}}\n"
    )
    assert NGINX
    nginx = subprocess.Popen(
        [NGINX, "-p", str(folder), "-e", str(folder / "errors"), "-c", str(folder / "nginx.conf")]
    )
    try:
        for _ in range(int(TIMEOUT * 50)):
            assert nginx.poll() is None, (folder / "errors").read_text()
            try:
                socket.create_connection(("127.0.0.1", secure)).close()
                break
            except OSError:
                time.sleep(0.02)
        yield secure
    finally:
        nginx.terminate()
        nginx.wait(TIMEOUT)


NEEDS_NGINX = pytest.mark.skipif(
    not (NGINX and OPENSSL), reason="nginx or openssl is not installed"
)
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname = False
TRUSTING.verify_mode = ssl.CERT_NONE


def visitor(port: int, source: str) -> httpx.Client:
    """Somebody at an address of this machine who comes through nginx."""
    origin = f"https://play.example.org:{port}"
    return httpx.Client(
        base_url=f"https://127.0.0.1:{port}",
        headers={"Host": f"play.example.org:{port}", "Origin": origin},
        transport=httpx.HTTPTransport(verify=TRUSTING, local_address=source),
        timeout=TIMEOUT,
    )


def watch(port: int, game_id: str, cookie: str = "", source: str = "127.0.0.1") -> ClientConnection:
    """The socket of a game, through nginx."""
    raw = socket.create_connection(("127.0.0.1", port), TIMEOUT, (source, 0))
    return connect(
        f"wss://play.example.org:{port}/api/games/{game_id}/socket",
        sock=raw,
        ssl=TRUSTING,
        origin=Origin(f"https://play.example.org:{port}"),
        additional_headers={"Cookie": cookie} if cookie else {},
        open_timeout=TIMEOUT,
    )


@NEEDS_NGINX
def test_nginx_passes_on_what_the_server_needs(tmp_path: Path, database: str) -> None:
    """Https, sockets, the host, and each visitor's own address."""
    with (
        running(database, games=Rate(2, 0.001), allowed_hosts=("play.example.org",)) as server,
        proxied(tmp_path, server) as port,
    ):
        with visitor(port, "127.0.0.2") as ann, visitor(port, "127.0.0.3") as bob:
            made = [ann.post("/api/games", json={"game": "grid-runner"}) for _ in range(3)]
            assert [each.status_code for each in made] == [201, 201, 429]
            assert "Secure" in made[0].headers["set-cookie"]
            other = bob.post(
                "/api/games", json={"game": "grid-runner"}, headers={"X-Forwarded-For": "1.2.3.4"}
            )
            assert other.status_code == 201, "another visitor has limits of his own"
            assert bob.get("/metrics").status_code == 403
            cookie = made[0].headers["set-cookie"].partition(";")[0]
            game_id = made[0].json()["id"]
        with watch(port, game_id, cookie) as watching:
            assert receive(watching, "state")["you"] == [1]
            send(watching, "ping")
            receive(watching, "pong")


@NEEDS_NGINX
def test_nginx_lets_a_class_through_and_stops_a_flood(tmp_path: Path, database: str) -> None:
    """Thirty behind one address open a game at once; by IPv6 too, and by https from then on.

    The server behind it has no limits here: whatever is refused, nginx refuses.
    """
    files = [f"/static/x/{each.name}" for each in (ROOT / "src/gridwise/web/static").iterdir()]
    opened = ["/", "/learn/number-maze", "/api/lobby", "/health", *files]
    with running(database) as server, proxied(tmp_path, server) as port:
        by_ipv6 = httpx.get(f"https://[::1]:{port}/health", verify=TRUSTING, timeout=TIMEOUT)
        assert "max-age=" in by_ipv6.headers["strict-transport-security"]
        there = f"https://127.0.0.1:{port}"
        with httpx.Client(base_url=there, verify=TRUSTING, timeout=TIMEOUT) as visitors:
            assert {visitors.get(path).status_code for path in opened * 30} == {200}
            flood = {visitors.get("/metrics").status_code for _ in range(1_200)}
            assert flood == {403, 429}  # nginx itself answers, faster than it lets pass


def sockets_at(server: str) -> int:
    """How many sockets a process has open, by its metrics."""
    match = re.search(r"^gridwise_sockets (\d+)", get(f"{server}/metrics").text, re.MULTILINE)
    assert match
    return int(float(match[1]))


@NEEDS_NGINX
def test_nginx_brings_all_of_a_game_to_one_process(
    tmp_path: Path, postgres: str, browse: Browse
) -> None:
    """Wherever they are; and different games to different processes."""
    busy = set[int]()
    with (
        running(postgres) as one,
        running(postgres) as other,
        proxied(tmp_path, one, other) as port,
    ):
        two = one, other
        for _ in range(20):
            game_id = browse(one).create("grid-runner")
            before = [sockets_at(each) for each in two]
            with ExitStack() as stack:
                for number in range(2, 6):
                    come = stack.enter_context(watch(port, game_id, source=f"127.0.0.{number}"))
                    receive(come, "state")
                more = [sockets_at(each) - had for each, had in zip(two, before, strict=True)]
            assert sorted(more) == [0, 4]
            busy.add(more.index(4))
            eventually(lambda: [sockets_at(each) for each in two] == before)  # noqa: B023 - now
            if len(busy) == 2:
                return
    raise AssertionError("all games are at one process")
