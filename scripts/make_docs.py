"""Write the documents that are made from the program itself: rules pages, pictures, proofs, API.

Run by `make docs`. A test compares what is committed with what this would write.
"""

from __future__ import annotations

from pathlib import Path

from gridwise import Game, Match, games
from gridwise.show.pages import rules_page
from gridwise.show.svg import svg
from gridwise.web.api_docs import markdown
from gridwise.web.app import make_app
from gridwise.web.settings import Settings

DOCS = Path(__file__).parents[1] / "docs"


def documents() -> dict[Path, str]:
    """Every generated file and its content."""
    made: dict[Path, str] = {}
    for game in games():
        made[DOCS / "games" / f"{game.key}.md"] = _page(game)
        made[DOCS / "games" / f"{game.key}.svg"] = svg(example(game).view)
    made[DOCS / "proofs.md"] = _proofs()
    made[DOCS / "web-api.md"] = markdown(make_app(Settings(database="unused")).openapi())
    return made


def example(game: Game) -> Match:
    """The game as it is pictured."""
    match = Match(game, game.example_deal or game.example_board, first=1)
    for move in game.example_moves.split():
        match.move(move)
    return match


def _page(game: Game) -> str:
    note = f"<!-- Made by `make docs` from src/{game.package.replace('.', '/')}/rules.md. -->"
    picture = f"![{game.title} in progress]({game.key}.svg)"
    heading, _, rest = rules_page(game).partition("\n")
    return f"{note}\n{heading}\n\n{picture}\n{rest}"


def _proofs() -> str:
    """What `gridwise proof` prints, of every game that has a proof."""
    parts = [
        "<!-- Made by `make docs`: what `gridwise proof` prints. -->",
        "# The proofs",
        "",
        "Two of the games can be understood to the end. `gridwise proof GAME` prints these texts,",
        "and checks what they say with the rules of the program while it prints.",
    ]
    for game in games():
        if game.proof:
            parts += ["", f"## {game.title}", "", "```text", *game.prove(), "```"]
    return "\n".join([*parts, ""])


def main() -> None:
    """Write them all."""
    for path, text in documents().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
