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
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from gridwise.web.configuration import read_settings
from gridwise.web.settings import Rate

from .servers import ROOT, TIMEOUT, receive, running, send

DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl") or ""
SYSTEMD = shutil.which("systemd-analyze")


def test_the_settings_are_right(tmp_path: Path) -> None:
    """Each is known and can be read, those in comments too."""
    found = read_settings(str(DEPLOY / "gridwise.toml"), {})
    assert (found.host, found.log_format) == ("127.0.0.1", "json")
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
    unit = (DEPLOY / "gridwise.service").read_text()
    here = tmp_path / "gridwise.service"
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


with_nginx = pytest.mark.skipif(not (NGINX and OPENSSL), reason="nginx or openssl is not installed")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def proxied(folder: Path, server: str) -> Iterator[int]:
    """Our example of nginx in front of a server; its port."""
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
        "server 127.0.0.1:8000;": f"server {server.removeprefix('http://')};",
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


def trusting() -> ssl.SSLContext:
    """What takes any certificate."""
    made = ssl.create_default_context()
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    return made


@with_nginx
def test_nginx_passes_on_what_the_server_needs(tmp_path: Path, database: str) -> None:
    """Https, sockets, the host, and each visitor's own address."""
    with (
        running(database, games=Rate(2, 0.001), allowed_hosts=("play.example.org",)) as server,
        proxied(tmp_path, server) as port,
    ):
        origin = f"https://play.example.org:{port}"

        def visitor(source: str) -> httpx.Client:
            return httpx.Client(
                base_url=f"https://127.0.0.1:{port}",
                headers={"Host": f"play.example.org:{port}", "Origin": origin},
                transport=httpx.HTTPTransport(verify=trusting(), local_address=source),
                timeout=TIMEOUT,
            )

        with visitor("127.0.0.2") as ann, visitor("127.0.0.3") as bob:
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
        raw = socket.create_connection(("127.0.0.1", port))
        with connect(
            f"wss://play.example.org:{port}/api/games/{game_id}/socket",
            sock=raw,
            ssl=trusting(),
            origin=Origin(origin),
            additional_headers={"Cookie": cookie},
        ) as watching:
            assert receive(watching, "state")["you"] == [1]
            send(watching, "ping")
            receive(watching, "pong")


@with_nginx
def test_nginx_lets_a_class_through_and_stops_a_flood(tmp_path: Path, database: str) -> None:
    """Thirty behind one address open a game at once; by IPv6 too, and by https from then on.

    The server behind it has no limits here: whatever is refused, nginx refuses.
    """
    files = [f"/static/x/{each.name}" for each in (ROOT / "src/gridwise/web/static").iterdir()]
    opened = ["/", "/learn/number-maze", "/api/lobby", "/health", *files]
    with running(database) as server, proxied(tmp_path, server) as port:
        by_ipv6 = httpx.get(f"https://[::1]:{port}/health", verify=trusting(), timeout=TIMEOUT)
        assert "max-age=" in by_ipv6.headers["strict-transport-security"]
        there = f"https://127.0.0.1:{port}"
        with httpx.Client(base_url=there, verify=trusting(), timeout=TIMEOUT) as visitors:
            assert {visitors.get(path).status_code for path in opened * 30} == {200}
            flood = {visitors.get("/metrics").status_code for _ in range(1_200)}
            assert flood == {403, 429}  # nginx itself answers, faster than it lets pass
