"""`gridwise arena`: matches and tournaments between players of every kind, SPRT and ratings."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from gridwise.cli import signals
from gridwise.cli.arguments import (
    CLUSTER,
    OUT,
    PLOT,
    PROGRAMS,
    WORKERS,
    BoardOption,
    BoardsFromOption,
    HandicapOption,
    JsonOption,
    ProgramDealOption,
    SeedOption,
    SizeOption,
    TargetOption,
    board_options,
    check_outputs,
    complete_game,
    complete_player,
    finite_option,
    whole_option,
)
from gridwise.cli.console import print_json
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import draw_seed
from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, printable, quoted
from gridwise.lab.paired_games import score_against
from gridwise.lab.run import open_executor
from gridwise.lab.store import ResultStore, recorded_seed
from gridwise.lab.tournament.report import (
    as_text,
    live_text,
    page,
    plot_tournament,
    tournament_json,
)
from gridwise.lab.tournament.run import Tournament, check_players, new_tournament, run
from gridwise.lab.tournament.schedule import (
    Schedule,
    time_limits,
)
from gridwise.lab.tournament.sprt import MODELS, Sprt
from gridwise.play.boards import DEALS, board_source
from gridwise.play.records import write_file
from gridwise.players.seats import player_name
from gridwise.show.progress import Progress, notify_if_slow

PLAYERS = typer.Argument(
    metavar="PLAYER...", help=f"Two or more players: {PROGRAMS}.", autocompletion=complete_player
)
LADDER = "Measure the bots: each level against the one below; name games instead of players."
GAMES = typer.Option(
    "--game", metavar="GAME", help="The game; several with --game more than once.",
    autocompletion=complete_game,
)  # fmt: skip
PAIRS = whole_option(
    "Boards for each pairing and game, each played twice: 100, with --ladder 400, "
    "or 20,000 at most with --sprt.",
    1,
)
NAMES = typer.Option(metavar="A,B,...", help="What to call the players in the tables.")
SPRT = typer.Option(
    metavar="ELO0 ELO1", help="Stop when the pairs decide between these two differences."
)
MODEL = typer.Option(metavar="MODEL", help=f"What Elo --sprt means: {' or '.join(MODELS)}.")
ALPHA = finite_option("How often --sprt may accept ELO1 wrongly.", 0, 1)
BETA = finite_option("How often --sprt may accept ELO0 wrongly.", 0, 1)
GAUNTLET = typer.Option(
    help="The first player against all others, not everybody against everybody."
)
MOVETIME = whole_option("Milliseconds a move for programs.", 1)
TIME = typer.Option(
    "--time", metavar="S+S", help="Seconds a game and a move for programs, like 10+0.1."
)
MARGIN = whole_option("Milliseconds that a program's move may be late.", 0)
ADJUDICATE = whole_option("Stop games whose exact result is at most this many plies away.", 0)
HTML = typer.Option(metavar="FILE", help="Write the result as a page.")

USUAL_PAIRS, SPRT_PAIRS, LADDER_PAIRS = 100, 20_000, 400
LADDER_HEAD = """Each pair plays {} boards, each board twice with sides swapped. 95 % intervals.

game             level    against    score  interval"""


def arena(
    players: Annotated[list[str] | None, PLAYERS] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help=LADDER)] = False,
    game: Annotated[list[str] | None, GAMES] = None,
    pairs: Annotated[int | None, PAIRS] = None,
    seed: SeedOption = None,
    gauntlet: Annotated[bool, GAUNTLET] = False,
    sprt: Annotated[tuple[str, str] | None, SPRT] = None,
    sprt_model: Annotated[str, MODEL] = MODELS[0],
    alpha: Annotated[float, ALPHA] = 0.05,
    beta: Annotated[float, BETA] = 0.05,
    movetime: Annotated[int | None, MOVETIME] = None,
    time_control: Annotated[str, TIME] = "",
    margin: Annotated[int | None, MARGIN] = None,
    adjudicate: Annotated[int, ADJUDICATE] = 0,
    board: BoardOption = None,
    boards_from: BoardsFromOption = None,
    size: SizeOption = None,
    target: TargetOption = None,
    handicap: HandicapOption = False,
    deal: ProgramDealOption = DEALS[0],
    names: Annotated[str, NAMES] = "",
    workers: Annotated[int, WORKERS] = 1,
    cluster: Annotated[str, CLUSTER] = "",
    out: Annotated[Path | None, OUT] = None,
    json: JsonOption = False,
    html: Annotated[Path | None, HTML] = None,
    plot: Annotated[Path | None, PLOT] = None,
) -> None:
    """Play the matches and print what they show."""
    if ladder:
        boards_asked = (board, boards_from, size, target, handicap, deal != DEALS[0])
        others = (sprt, gauntlet, movetime, time_control, cluster, names, out, html, plot)
        if any((*boards_asked, *others)):
            raise BadRequest("--ladder takes games, --pairs, --seed and --json, and nothing else.")
        keys = [*(players or ()), *(game or ())]
        _print_ladder(keys, LADDER_PAIRS if pairs is None else pairs, seed or 0, json=json)
        return
    if not (players and game):
        example = "gridwise arena strong casual --game connect"
        raise BadRequest(f"Who plays, and which game? For example: {example}")
    who = [player_name(each) for each in players]
    options = board_options(board, boards_from, size, target, deal, handicap=handicap)
    played = dict.fromkeys(game_named(each) for each in game)
    boards = [board_source(each, **options) for each in played]
    test = None
    if sprt:
        try:
            elo0, elo1 = map(float, sprt)
        except ValueError:
            said = quoted(" ".join(sprt))
            raise BadRequest(f"--sprt takes two numbers, like 0 5, not {said}.") from None
        test = Sprt(elo0, elo1, sprt_model, alpha, beta)
    if pairs is None:
        pairs = SPRT_PAIRS if test else USUAL_PAIRS
    limits = time_limits(movetime, time_control, margin)
    if seed is None:
        seed = recorded_seed(out)
    if seed is None:
        seed = draw_seed()
    schedule = Schedule(who, boards, pairs, seed, gauntlet, limits, adjudicate)
    tournament = new_tournament(schedule, labels(who, names), test)
    check_outputs(html, plot=plot)

    def stopped() -> str:
        return f"Stopped after {tournament.standings.pairs} of {tournament.total} pairs."

    with signals.resume_hint(out, stopped), ExitStack() as stack:
        with notify_if_slow():
            check_players(schedule)
        results = stack.enter_context(ResultStore.in_folder(out, schedule.about()))
        executor = stack.enter_context(open_executor(workers, cluster))
        watch = stack.enter_context(_watched(tournament, live=not json))
        run(tournament, executor, results, watch)
    _report(tournament, json=json, html=html, plot=plot)


def labels(players: list[str], names: str) -> list[str]:
    """What the players are called: each by another name, fit for a terminal."""
    given = [each.strip() for each in names.split(",")] if names else players
    if len(given) != len(players) or not all(given):
        raise BadRequest(
            f"--names takes {len(players)} names with commas between, not {quoted(names)}."
        )
    shown: list[str] = []
    for player, each in zip(players, given, strict=True):
        name = printable(" ".join(each.split()), 100)
        if name != player and name.removeprefix("bot:") in LEVELS:
            raise BadRequest(
                f"--names: {quoted(name)} is the name of a bot, and {player} is not it."
            )
        again = sum(other.partition(" #")[0] == name for other in shown)
        shown.append(f"{name} #{again + 1}" if again else name)
    return shown


def _report(tournament: Tournament, *, json: bool, html: Path | None, plot: Path | None) -> None:
    # Before the files: if one cannot be written after all, the figures are not lost.
    if json:
        print_json(tournament_json(tournament))
    else:
        print(as_text(tournament), flush=True)
    if html:
        write_file(html, page(tournament).encode())
    if plot:
        plot_tournament(tournament, plot)


@contextmanager
def _watched(tournament: Tournament, *, live: bool) -> Iterator[Any]:
    """What to call when there are new figures: a live table in a terminal, or a line."""
    if live and sys.stdout.isatty():
        from rich.console import Console  # noqa: PLC0415 - only for a terminal
        from rich.live import Live  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        shown = -1.0

        def show(now: Tournament) -> None:
            nonlocal shown
            if time.monotonic() - shown > 0.2:
                shown = time.monotonic()
                view.update(Text(live_text(now), no_wrap=True, overflow="ellipsis"), refresh=True)

        with Live(console=Console(), auto_refresh=False, transient=True) as view:
            show(tournament)  # the first figures may take a while
            yield show
        return
    line = Progress("Pairs", tournament.total)
    try:
        yield lambda now: line(now.standings.pairs)
    finally:
        line.close()


def _print_ladder(keys: list[str], pairs: int, seed: int, *, json: bool) -> None:
    """Each level's score against the one below, each board played twice, game by game."""
    if pairs < 2:
        raise BadRequest(f"A ladder takes 2 or more --pairs, not {pairs}.")
    chosen = [game_named(key) for key in keys] or games()
    if not json:
        print(LADDER_HEAD.format(pairs))
    rows = []
    for game in chosen:
        progress = Progress(f"Playing {game.title}", pairs)
        for below, level in pairwise(LEVELS):
            score = score_against(game, level, below, pairs, seed, progress)
            progress.close()
            row = {"game": game.key, "level": level, "against": below, "pairs": pairs}
            row |= {"score": score.value, "low": score.low, "high": score.high}
            clear = score.low > 0.5
            rows.append(row | {"clear": clear})
            if not json:
                verdict = "" if clear else "  not clear: too few games"
                interval = f"{score.low:.1%} to {score.high:.1%}"
                who = f"{game.key:16} {level:8} {below:8}"
                print(f"{who} {score.value:7.1%}  {interval}{verdict}", flush=True)
    if json:
        print_json({"seed": seed, "rows": rows})
