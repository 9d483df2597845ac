"""What docs/web-programs.md shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys

from gridwise.web.app import make_app
from gridwise.web.http.messages import GameState
from gridwise.web.http.sockets import KINDS
from gridwise.web.settings import Settings

from .servers import ROOT, TIMEOUT, Browser, ok

TEXT = (ROOT / "docs" / "web-programs.md").read_text(encoding="utf-8")


def test_the_shortest_program_plays_a_game(address: str) -> None:
    """As it stands in the document, but for the address."""
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program.replace("http://127.0.0.1:8000", address)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"Player [12] won: .+\.\n", done.stdout)


def test_every_message_is_described() -> None:
    """All that a socket takes is in the tables, and nothing else."""
    text = (ROOT / "docs" / "web-api.md").read_text(encoding="utf-8")
    _, sent, received = text.partition("## Limits")[0].split("\n## Socket")
    row = re.compile(r"\n\| `(\w+)` \|")
    assert set(row.findall(sent)) == set(KINDS)
    assert set(row.findall(received)) == {
        "state", "change", "done", "refused", "hint", "rematch", "presence", "emote", "pong",
    }  # fmt: skip


def test_the_page_for_programs_describes_every_field(ann: Browser) -> None:
    """It is made from the server's own schema, is text without markup, and loads nothing else."""
    page = ann.page("/api/docs")
    for field in GameState.model_fields:
        assert f"<code>{field}</code>" in page
    for markup in ("`", "**"):
        assert markup not in re.sub(r"<[^>]*>", "", page)
    described = ok(ann.http.get("/api/openapi.json"))["paths"]
    assert described == make_app(Settings("unused")).openapi()["paths"]
    for path in ("/api/games/{game_id}/moves", "/api/positions"):
        assert path in page
        assert path in described
    assert not re.search(r'(src|href)="https?://', page)
