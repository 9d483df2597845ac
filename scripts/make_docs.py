"""Write the documents that are made from the program itself.

The rules pages and their pictures, the proofs, the mistakes and their reasons, the tables of what
agents see, of the suites and of the leaderboard, the API of the web and its settings.

Run by `make docs`. A test compares what is committed with what this would write.
"""

from __future__ import annotations

import re
from inspect import getsource
from pathlib import Path
from random import Random

from gridwise import Game, Match, games
from gridwise.engine.observation import describe
from gridwise.evals.report.leaderboard import Leaderboard, Ranking, Setting, reference_rows
from gridwise.evals.report.page import as_markdown
from gridwise.lab.grading.judge import HARDEST, PHASES
from gridwise.lab.suites import PARTS, suite
from gridwise.show.svg import svg
from gridwise.show.text import rules_page
from gridwise.web.app import make_app
from gridwise.web.http.api_docs import markdown
from gridwise.web.settings import PREFIX, USUAL, Rate, ServerLimits, ServerSettings
from scripts import mistakes

DOCS = Path(__file__).parents[1] / "docs"


def documents() -> dict[Path, str]:
    """Every generated file and its content."""
    made: dict[Path, str] = {}
    for game in games():
        made[DOCS / "games" / f"{game.key}.md"] = _page(game)
        made[DOCS / "games" / f"{game.key}.svg"] = svg(example(game).view)
    made[DOCS / "proofs.md"] = _proofs()
    made[DOCS / "reasons.md"] = mistakes.page()
    made[DOCS / "web-api.md"] = _web_api()
    made[DOCS / "web.md"] = _web()
    made[DOCS / "environments.md"] = _environments()
    made[DOCS / "suites.md"] = _suites()
    made[DOCS / "evals.md"] = _evals()
    return made


def example(game: Game) -> Match:
    """The game as it is pictured."""
    return Match(
        game, game.example_deal or game.example_board, first=1, moves=game.example_moves.split()
    )


def _page(game: Game) -> str:
    note = f"<!-- Made by `make docs` from src/{game.package.replace('.', '/')}/rules.md. -->"
    picture = f"![{game.title} in progress]({game.key}.svg)"
    heading, _, rest = rules_page(game).partition("\n")
    return f"{note}\n{heading}\n\n{picture}\n{rest}"


def _proofs() -> str:
    """What `gridwise rules GAME --why` prints, of every game that has a proof."""
    parts = [
        "<!-- Made by `make docs`: what `gridwise rules GAME --why` prints. -->",
        "# The proofs",
        "",
        "Why Player 1 can always win Number Run and Grid Runner. `gridwise rules GAME --why`",
        "prints these texts. So does `python -m research.proofs GAME`, in the project's sources,",
        "which checks every statement with the rules of the program before it prints it.",
    ]
    for game in games():
        if proof := game.file("why.txt"):
            parts += ["", f"## {game.title}", "", "```text", *proof.splitlines(), "```"]
    return "\n".join([*parts, ""])


def _web_api() -> str:
    """The page that a server has at `/api/docs`."""
    heading, _, rest = markdown(make_app(ServerSettings(database="unused")).openapi()).partition(
        "\n"
    )
    note = "<!-- Made by `make docs` from the schema of the API. -->"
    about = "[Programs](web-programs.md) says what the messages mean, and has one that plays."
    return f"{note}\n{heading}\n\n{about}\n{rest}"


def _web() -> str:
    """The page about the server, with its tables of settings as they are now."""
    text = (DOCS / "web.md").read_text(encoding="utf-8")
    begin, end = "<!-- Tables made by `make docs`. -->\n", "<!-- The end of the tables. -->\n"
    before, rest = text.split(begin)
    tables = _settings()
    return f"{before}{begin}\n{tables}\n{end}{rest.split(end)[1]}"


def _settings() -> str:
    """A table of settings; what each is stands in a comment beside or above it."""
    comments, above = {}, ""
    for line in (getsource(ServerLimits) + getsource(ServerSettings)).splitlines():
        code, _, comment = line.strip().partition("# ")
        if name := re.match(r"(\w+): ", code):
            comments[name[1]] = comment or above
        above = comment if not code else ""
    rows = [
        f"| `{name}` | `{PREFIX}{name.upper()}` | {_setting(usual)} | {comments[name]} |"
        for name, usual in USUAL.items()
    ]
    return "\n".join(["| key | variable | default | what it is |", "|---|---|---|---|", *rows, ""])


def _setting(usual: object) -> str:
    """A default, as it is written in a variable."""
    if isinstance(usual, Rate):
        return f"{usual.burst:g} {usual.per_second:g}"
    if isinstance(usual, tuple):
        return ", ".join(usual) or "none"
    if isinstance(usual, int | float):
        return f"{usual:g}" if usual < 10_000 else f"{usual:_}"
    return str(usual) or "none"


def _environments() -> str:
    """The page about environments, with its tables of planes and actions as they are now."""
    text = (DOCS / "environments.md").read_text(encoding="utf-8")
    begin, end = "<!-- Tables made by `make docs`. -->\n", "<!-- The end of the tables. -->\n"
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    tables = "\n".join(_planes_and_actions(game) for game in games())
    return f"{before}{begin}\n{tables}\n{end}{after}"


def _planes_and_actions(game: Game) -> str:
    rows, cols = game.rows, game.cols
    board = game.deal(Random(1))
    name = game.text.NOTATION.cell_name
    first, last = name(board, 0), name(board, board.size - 1)
    lines = [f"### {game.title}", "", f"{rows} rows, {cols} columns unless `size` says otherwise."]
    lines += ["", "| plane | | values | meaning |", "|---|---|---|---|"]
    lines += [
        f"| {number} | {plane.name} | 0 to {plane.high} | {plane.meaning} |"
        for number, plane in enumerate(describe(game))
    ]
    lines += ["", "| action | meaning |", "|---|---|"]
    lines += [
        f"| {number} | {does} |" for number, does in enumerate(game.observation_planes.ACTIONS)
    ]
    if not game.rules.ACTIONS:
        lines.append(f"| 0 to {board.size - 1} | the cell, row by row from {first} to {last} |")
    return "\n".join([*lines, ""])


def _suites() -> str:
    """The datasheet of the suites, with its table of how many positions there are of each kind."""
    text = (DOCS / "suites.md").read_text(encoding="utf-8")
    begin, end = "<!-- Table made by `make docs`. -->\n", "<!-- The end of the table. -->\n"
    before, rest = text.split(begin)
    hardest = range(1, HARDEST + 1)
    levels = " | ".join(f"difficulty {k}" for k in hardest)
    lines = [
        f"| game | part | phase | {levels} | Player 1 to move |",
        f"|---|---|---|{'---|' * (HARDEST + 1)}",
    ]
    for game in games():
        for part in PARTS:
            for phase in PHASES:
                rows = suite(game).part(part).where(lambda row, phase=phase: row.phase == phase)  # type: ignore[misc]
                counts = [sum(row.difficulty == k for row in rows) for k in hardest]
                begins = sum(row.position.turn == 1 for row in rows)
                shown = " | ".join(str(count) for count in [*counts, begins])
                lines.append(f"| {game.key} | {part} | {phase} | {shown} |")
    table = "\n".join(lines)
    return f"{before}{begin}\n{table}\n\n{end}{rest.split(end)[1]}"


def _evals() -> str:
    """The page about evaluations, with the figures of the bots as they are now."""
    text = (DOCS / "evals.md").read_text(encoding="utf-8")
    asked: dict[str, str | int | None] = {"suite": "v1", "part": "test", "limit": 100, "seed": 0}
    for task in ("play", "positions"):
        setting = Setting(task, (), tuple(asked.items()))
        bots = Ranking(setting, list(reference_rows(task))[::-1])
        shown = as_markdown(Leaderboard([bots])).partition("\n\n### ")[0]
        rows = [line for line in shown.splitlines() if line.startswith("|")]
        before, rest = text.split(rows[0])
        after = re.sub(r"\A(?:\n\|.*)+", "", rest)
        text = before + "\n".join(rows) + after
    return text


def main() -> None:
    """Write them all."""
    for path, text in documents().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
