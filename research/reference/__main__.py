"""Make the data in src/gridwise/evals/reference, from a seed.

    python -m research.reference anchors [GAME …]    the ratings of the five bots
    python -m research.reference rows [LEVEL …]      each bot as a model, for the report

The anchors play each other, every two of them, on the same uniform boards with sides swapped. The
rows are evaluations like any other: Inspect asks a bot that reads the prompt and answers in words
(`--model gridwise/LEVEL`), and the report is made from the logs.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from gridwise import Game, game, games
from gridwise.engine.bots import LEVELS
from gridwise.evals.report.model_figures import ModelFigures
from gridwise.evals.report.rating import ANCHORS
from gridwise.lab.paired_games import play_paired_games
from gridwise.lab.report.provenance import versions
from gridwise.play.boards import board_source
from gridwise.play.records import write_file
from gridwise.players.batch_player import batch_player
from research.reference.fit_anchors import fit_anchors

SEED = 20261117
PAIRS = 1_000  # of games, for every two anchors
HIDDEN_PAIRS = 200  # where cells are face down: the perfect bot takes a quarter of a second a game
FOLDER = Path(__file__).parents[2] / "src" / "gridwise" / "evals" / "reference"

ROW_POSITIONS = 100  # of each game's test suite
ROW_PAIRS = 10  # against each anchor
ROW_RULES = 20


def rated(played: Game) -> dict[str, Any]:
    """The ratings of the bots in one game, and the results they come from."""
    pairs = HIDDEN_PAIRS if played.has_hidden_cells else PAIRS
    boards, scores = board_source(played), {}
    for one, other in combinations(LEVELS, 2):
        contestants = batch_player(one, played), batch_player(other, played)
        each = play_paired_games(boards, contestants, 2 * pairs, SEED)
        scores[one, other] = (sum(game.points for game in each), 2 * pairs)
        print(played.key, one, other, *scores[one, other], file=sys.stderr, flush=True)
    ratings = fit_anchors(scores)
    return {
        "pairs": pairs,
        "ratings": {level: round(ratings[level], 1) for level in LEVELS},
        "points": {f"{one} {other}": found[0] for (one, other), found in scores.items()},
    }


def write_json(name: str, data: Any) -> None:  # noqa: ANN401 - anything that JSON can hold
    """Write a file of the package's data."""
    FOLDER.mkdir(exist_ok=True)
    write_file(FOLDER / name, (json.dumps(data, indent=1) + "\n").encode())


def make_anchors(names: list[str]) -> None:
    """Measure the anchors of the games that are named, or of all; the others stay as they are."""
    file = FOLDER / ANCHORS
    data = json.loads(file.read_text("utf-8")) if file.is_file() else {"games": {}}
    for played in [game(name) for name in names] or games():
        data["games"][played.key] = rated(played)
    write_json(ANCHORS, {"seed": SEED, "versions": versions(), "games": data["games"]})


def _without_tokens(figures: ModelFigures) -> ModelFigures:
    """A bot is charged by words, which are no tokens."""
    return replace(figures, input_tokens=0, output_tokens=0)


def made_rows(level: str, folder: Path) -> dict[str, Any]:
    """The rows of one bot, a task each, from evaluations in this folder."""
    from inspect_ai import eval as evaluate  # noqa: PLC0415 - 1 s, and not for anchors

    from gridwise.evals.report.leaderboard import read_leaderboard  # noqa: PLC0415 - as above

    tasks: dict[str, dict[str, Any]] = {
        "positions": {"limit": ROW_POSITIONS},
        "rules": {"limit": ROW_RULES},
        "play": {"pairs": ROW_PAIRS, "seed": SEED},
    }
    rows = {}
    for name, args in tasks.items():
        (log,) = evaluate(
            f"gridwise/{name}",
            model=f"gridwise/{level}",
            task_args=args,
            log_dir=str(folder / name),
            display="none",
            log_realtime=False,
            log_model_api=False,
        )
        if log.status != "success":
            sys.exit(f"{name} with {level}: {log.status}. The log is in {folder}.")
        (ranking,) = read_leaderboard([folder / name], reference=False).rankings
        (row,) = ranking.rows
        rows[name] = replace(
            row,
            model=f"bot:{level}",
            reference=True,
            overall=_without_tokens(row.overall),
            games={key: _without_tokens(own) for key, own in row.games.items()},
        ).to_dict()
    return {"seed": SEED, "tasks": tasks, "versions": versions(), "rows": rows}


def make_rows(levels: list[str]) -> None:
    """Make the rows of the bots that are named, or of all."""
    # Where Inspect keeps what it writes besides logs: not in the data of whoever runs this.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        for level in levels or LEVELS:
            began = time.monotonic()
            write_json(f"{level}.json", made_rows(level, Path(folder) / level))
            took = time.monotonic() - began
            print(f"{level}: {took:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    """Make what the first argument names."""
    what, *names = sys.argv[1:] or [""]
    makers = {"anchors": make_anchors, "rows": make_rows}
    if what not in makers:
        sys.exit(__doc__)
    makers[what](names)


if __name__ == "__main__":
    main()
