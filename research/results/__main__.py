"""`python -m research.results NAME`: the figures of docs/results.md and of other pages, again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gridwise import game as game_named
from gridwise import games as all_games
from gridwise.cli.arguments import GameArgument
from research.command import run_command
from research.pages import write_table
from research.results import adversaries as clever_players
from research.results import balance as start_balance
from research.results import boards as many_boards
from research.results import bots as bot_table
from research.results import exactness as exact_positions
from research.results import first_move as first_moves
from research.results import growth as growth_by_size
from research.results import lattice_attack as attacks

SeedOption = Annotated[int, typer.Option(help="The same seed gives the same figures.")]


def boards(
    game: GameArgument,
    boards: Annotated[int, typer.Option(min=1)] = 1_000_000,
    seed: SeedOption = 1,
    threads: Annotated[int | None, typer.Option(min=1, help="All there are if left out.")] = None,
) -> None:
    """Perfect play on many uniform boards: who wins, how often, and how soon."""
    print(many_boards.tables(game_named(game), boards, seed, threads))


def balance(
    game: GameArgument,
    deal: Annotated[str, typer.Option(help="even, fair or uniform.")] = "even",
    handicap: Annotated[bool, typer.Option("--handicap", help="From the even start.")] = False,
    boards: Annotated[int, typer.Option(min=1)] = 200,
    seed: SeedOption = 1,
) -> None:
    """Who wins from the start: the figures of `balance.toml` in a game's folder."""
    played = game_named(game)
    casual, perfect = start_balance.measure(played, deal, boards, seed, handicap=handicap)
    if perfect:
        print(start_balance.line("perfect", perfect))
    print(start_balance.line("casual", casual))


def first_move(
    repeats: Annotated[int, typer.Option(min=2, help="Of all 625 strata.")] = 16,
    nodes: Annotated[int, typer.Option(min=1, help="Simulations a move.")] = 1_000,
    seed: SeedOption = 1,
    workers: Annotated[int, typer.Option(min=1)] = 1,
    out: Annotated[
        Path | None, typer.Option(help="Keep the results here; go on from them.")
    ] = None,
    regret: Annotated[int, typer.Option(min=0, help="Judge so many games instead.")] = 0,
) -> None:
    """How often the one who moves first wins Grid Conquest, between perfect players."""
    if regret:
        first_moves.measure_regret(regret, nodes, seed)
    else:
        first_moves.measure(repeats, nodes, seed, workers, out)


def bots(
    games: Annotated[list[str] | None, typer.Argument(help="All if left out.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put the table into docs/research.md.")
    ] = False,
) -> None:
    """Every bot on every test suite: a minute."""
    made = bot_table.table([game_named(name) for name in games or []] or all_games())
    if write:
        write_table("research.md", "research.results bots", made)
    else:
        print(made)


def adversaries(
    write: Annotated[
        bool, typer.Option("--write", help="Put the tables into docs/figures.md.")
    ] = False,
) -> None:
    """Players who want a good figure without playing well, and where each lands: a minute."""
    made = clever_players.tables()
    if write:
        write_table("figures.md", "research.results adversaries", made)
    else:
        print(made)


def growth(
    write: Annotated[bool, typer.Option("--write", help="Draw docs/growth.svg.")] = False,
) -> None:
    """How the cost of solving a start grows with the board: a minute."""
    curves = growth_by_size.measure()
    if write:
        growth_by_size.draw(curves)


def exactness() -> None:
    """How near the end of Grid Conquest chances are computed, not sampled: some minutes."""
    exact_positions.measure()


def lattice_attack(
    games: Annotated[int, typer.Option(min=1)] = 20,
) -> None:
    """Compute face-down cells of games that were dealt from a linear stream."""
    attacks.attack(games)


def main() -> NoReturn:
    """Run the command."""
    run_command(boards, balance, first_move, bots, adversaries, growth, exactness, lattice_attack)


if __name__ == "__main__":
    main()
