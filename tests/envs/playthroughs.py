"""Games as OpenSpiel writes them down, move by move, with all that it can ask about each state.

`python -m tests.envs.playthroughs` writes them anew; look at what has changed before you commit it.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "playthroughs"

# Small boards, to keep the files readable; with the seeds of OpenSpiel's random moves.
GAMES = {
    "gridwise_number_run(rows=3,cols=3,seed=2)": 1,
    "gridwise_number_maze(rows=3,cols=4,seed=1,max_plies=5)": 2,
    "gridwise_grid_runner(rows=3,cols=3)": 3,
    "gridwise_grid_conquest(rows=3,cols=3,target=8)": 4,
    "gridwise_number_connect(board=4152/6371/2845,target=15)": 5,
}


def path_of(game: str) -> Path:
    """Where the playthrough of a game is kept."""
    return FOLDER / f"{game.partition('(')[0]}.txt"


def main() -> None:
    """Write them all."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough  # noqa: PLC0415

    import gridwise.envs.openspiel  # noqa: F401, PLC0415 - registers the games

    FOLDER.mkdir(exist_ok=True)
    for game, seed in GAMES.items():
        path_of(game).write_text(playthrough(game, None, seed=seed), encoding="utf-8")
        print(path_of(game).name)


if __name__ == "__main__":
    main()
