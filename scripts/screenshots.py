"""Take the pictures of the web pages that the documents show: `docs/web/*.png`, and a short film.

Also the icons and the preview picture of the site. Run by `make screenshots`. It starts
`gridwise serve` with an empty database, plays in it with Chromium as people do, and looks. The
boards and moves are fixed, so the pictures change only when the pages do. With names
(`python -m scripts.screenshots start`), only those that begin so.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.web_load.server import serving
from tests.browser.people import launched

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "web"
STATIC = ROOT / "src" / "gridwise" / "web" / "static"
COLOURS = 128  # of a picture; there are few, and each costs bytes
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1080, "height": 700}},
    "dark": {"viewport": {"width": 1080, "height": 700}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 375, "height": 740},
        "device_scale_factor": 1.5,
        "is_mobile": True,
        "has_touch": True,
    },
}


class Game(NamedTuple):
    """A game that is shown: its board, its moves, and after how many of them it is in play."""

    board: str
    moves: str
    shown: int


GAMES = {
    "number-run": Game(
        "31425/25134/42513/14252/53142",
        "0,1 3,4 1,1 3,3 1,2 2,3 2,2! 4,3 2,3 4,2 2,4 4,1 3,4 4,0 4,4",
        6,
    ),
    "number-maze": Game("1324/2132/4213/3421", "right left down up", 2),
    "grid-runner": Game(
        "", "right left down up right up right down down left down left right up down", 7
    ),
    "grid-conquest": Game("53152/24251/43453/31523/22214", "C3 D4 D3 A1 B2 B4 C5", 5),
    "number-connect": Game("4152/6371/2845/9162", "0,0 0,3 0,1 1,3 1,0 0,2 1,1 1,2", 5),
}
# Player 1 turns back, and the race is lost.
LOST = "0,1 3,4 1,1 3,3 1,2 2,3 0,2 2,2 0,3 2,1 1,3 1,1 2,3 0,1 3,3 0,0"

# Player 1 is to move, and only 2,2 wins.
MEETING = "0,1+3,4+1,1+3,3+1,2+2,3"


def main() -> None:
    """Take them all, or those that are named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = tuple(sys.argv[1:]) or ("",)
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home)) as server,
        sync_playwright() as playwright,
    ):
        studio = Studio(launched(playwright), server.address, wanted)
        for game in GAMES:
            studio.game(game)
        studio.looking_back()
        studio.pages()
        studio.signs()
        studio.film()
    total = sum(path.stat().st_size for path in PICTURES.iterdir())
    print(f"All of docs/web: {total / 1e6:.2f} MB")


class Studio:
    """Where pictures are taken."""

    def __init__(self, browser: Browser, address: str, wanted: tuple[str, ...]) -> None:
        self._browser, self._address, self._wanted = browser, address, wanted

    def game(self, key: str) -> None:
        """A game in play and at its end, by day, by night and on a phone, as Ada sees it."""
        if not self._wants(key):
            return
        game = GAMES[key]
        ada, bob = self._context(), self._context()
        made = self._made(ada, key, game.board, "Ada", listed=True)
        self._sits_down(bob, made)
        moves = game.moves.split()
        for number, move in enumerate(moves[: game.shown]):
            _move((ada, bob)[number % 2], made, number + 1, move)
        for look in LOOKS:
            self._take(ada, f"/g/{made}", f"{key}-{look}", look)
        for number, move in enumerate(moves[game.shown :], game.shown):
            _move((ada, bob)[number % 2], made, number + 1, move)
        for look in LOOKS:
            self._take(ada, f"/g/{made}", f"{key}-end-{look}", look)

    def looking_back(self) -> None:
        """A lost game at its turning point: the reason, and the line that shows it."""
        if not self._wants("look-back"):
            return
        ada, bob = self._context(), self._context()
        made = self._made(ada, "number-run", GAMES["number-run"].board, "Ada", listed=True)
        self._sits_down(bob, made)
        for number, move in enumerate(LOST.split()):
            _move((ada, bob)[number % 2], made, number + 1, move)
        for look in LOOKS:
            line = "#follows:visible", "#line-shown:not(:empty)"
            self._take(ada, f"/g/{made}/back#why", f"look-back-{look}", look, "#reviewed", line)

    def pages(self) -> None:
        """Pages without a game of one's own."""
        somebody = self._context()
        for name, path in (
            ("start", "/"),
            ("new", "/new/number-run"),
            ("puzzle", "/puzzles/number-run/4/1"),
            ("lesson", "/learn/number-run"),
        ):
            for look in ("light", "phone") if name == "new" else LOOKS:
                self._take(somebody, path, f"{name}-{look}", look)

        path = f"/analysis/number-run?board={GAMES['number-run'].board}&moves={MEETING}"
        for look in LOOKS:
            self._take(somebody, path, f"analysis-{look}", look, ".worth.top")

    def signs(self) -> None:
        """What others show of the site: icons on a home screen, a preview beside a link."""
        if not self._wants("signs"):
            return
        icon = (STATIC / "icon.svg").read_text(encoding="utf-8")
        for size in (192, 512):
            page = self._context(viewport={"width": size, "height": size}).new_page()
            page.set_content(f"<body style='margin: 8%; background: #f4f1e9'>{icon}</body>")
            _save(page.screenshot(), STATIC / f"icon-{size}.png")
        page = self._context(viewport={"width": 1200, "height": 630}).new_page()
        page.goto("/")
        page.wait_for_load_state("networkidle")
        _save(page.screenshot(), STATIC / "preview.png")

    def film(self) -> None:
        """A challenge, as Ada makes it; Bob loses it."""
        if not self._wants("challenge"):
            return
        look = {"viewport": {"width": 400, "height": 620}}
        ada, bob = self._context(**look), self._context()
        game = GAMES["number-run"]
        made = self._made(ada, "number-run", game.board, "Ada")
        self._sits_down(bob, made)
        ada.add_init_script(SLOWLY)
        moves = game.moves.split()
        for number, move in enumerate(moves[:5]):
            _move((ada, bob)[number % 2], made, number + 1, move)
        page = ada.new_page()
        page.goto("/settings")
        page.wait_for_load_state("networkidle")
        page.goto(f"/g/{made}")
        page.locator(".status").wait_for()
        page.wait_for_load_state("networkidle")
        Film(page).shoot(lambda: _move(bob, made, 6, moves[5]), PICTURES / "challenge.gif")

    def _wants(self, beginning: str) -> bool:
        return any(
            each.startswith(beginning) or beginning.startswith(each) for each in self._wanted
        )

    def _context(self, **look: Any) -> BrowserContext:  # noqa: ANN401 - Playwright's
        return self._browser.new_context(base_url=self._address, **look)

    def _made(
        self, somebody: BrowserContext, game: str, board: str, name: str, *, listed: bool = False
    ) -> str:
        wanted: dict[str, Any] = {"game": game, "name": name, "listed": listed}
        if board:
            wanted["board"] = board
        if game == "grid-conquest":
            wanted["first"] = 1
        return str(_send(somebody, "/api/games", **wanted)["id"])

    def _sits_down(self, somebody: BrowserContext, game_id: str) -> None:
        _send(somebody, f"/api/games/{game_id}/seats", name="Bob")
        somebody.new_page().goto(f"/g/{game_id}")  # and is there

    def _take(
        self,
        somebody: BrowserContext,
        path: str,
        name: str,
        look: str,
        ready: str = "main",
        press: tuple[str, str] | None = None,
    ) -> None:
        """Take a picture of a page, with the cookies of somebody.

        When it is `ready`, `press` is a button that is pressed, and what there is then.
        """
        if not name.startswith(self._wanted):
            return
        context = self._context(**LOOKS[look])
        context.add_cookies(somebody.cookies())  # type: ignore[arg-type] # what it has given
        page = context.new_page()
        page.goto("/settings")  # whoever comes for the first time reads the system's letters
        page.wait_for_load_state("networkidle")
        page.goto(path)
        page.locator(ready).first.wait_for()
        page.wait_for_load_state("networkidle")
        if press:
            page.locator(press[0]).click()
            page.locator(press[1]).wait_for()
            page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(700)  # until all that moves has settled
        _save(page.screenshot(), PICTURES / f"{name}.png")
        context.close()


def _send(somebody: BrowserContext, path: str, **body: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    answer = somebody.request.post(path, data=body)
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()
    return found


def _move(somebody: BrowserContext, game_id: str, version: int, move: str) -> None:
    _send(somebody, f"/api/games/{game_id}/moves", move=move, version=version)


def _save(picture: bytes, path: Path) -> None:
    """A picture with few colours, which is a third of the size."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


SLOWER = 6  # times: taking a frame takes longer than showing one
FRAME = 0.07  # seconds
SLOWLY = (
    f"const soon = setTimeout; setTimeout = (f, after, ...a) => soon(f, {SLOWER} * after, ...a);"
)
FILM_COLOURS = 64


class Film:
    """Frames of a page, and how long each is shown."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[Image.Image] = []
        self._lasts: list[int] = []  # milliseconds
        session = page.context.new_cdp_session(page)
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})

    def shoot(self, opponent_moves: Any, path: Path) -> None:  # noqa: ANN401 - a function
        """The opponent's step, the question, the challenge and what it leads to."""
        page = self._page
        self._still(0.9)
        opponent_moves()
        self._moving(0.9)
        page.locator('#board.yours [data-moves~="2,2!"]').wait_for()
        self._still(0.9)
        target = page.locator('#board [data-moves~="2,2!"]')
        target.hover()
        self._still(0.4)
        target.click()
        page.locator("#ask button").first.wait_for()
        self._still(1.8)
        page.locator("#ask button").first.hover()
        self._still(0.5)
        page.locator("#ask button").first.click()
        self._moving(3.2)
        self._still(2.4)
        first, *rest = (
            each.quantize(FILM_COLOURS, dither=Image.Dither.NONE) for each in self._frames
        )
        first.save(
            path, save_all=True, append_images=rest, duration=self._lasts, loop=0, optimize=True
        )
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")

    def _still(self, seconds: float) -> None:
        self._add(round(1_000 * seconds))

    def _moving(self, seconds: float) -> None:
        """Frames of so many seconds, in the time of the film."""
        began = time.monotonic()
        until = began + seconds * SLOWER
        while (at := time.monotonic()) < until:
            self._add(round(1_000 * FRAME))
            self._page.wait_for_timeout(max(0.0, 1_000 * (FRAME * SLOWER - time.monotonic() + at)))

    def _add(self, milliseconds: int) -> None:
        image = Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")
        if self._frames and image.tobytes() == self._frames[-1].tobytes():
            self._lasts[-1] += milliseconds
            return
        self._frames.append(image)
        self._lasts.append(milliseconds)


if __name__ == "__main__":
    main()
