"""The command `gridwise`: its commands, their options, and what every one of them promises.

Exit status: 0 after a game that ended or was left on purpose, 2 for wrong usage, with one line on
standard error, 130 after Ctrl-C, 141 when the reader of our output has gone. Never a traceback.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gridwise.cli.leaving import (
    INTERRUPTED,
    READER_GONE,
    forget_output,
    interrupt_on_signals,
    leave,
)
from gridwise.errors import GridwiseError

LONGEST_COMPLAINT = 500

app = typer.Typer(
    name="gridwise",
    help="Five two-player grid games. Without a command: a menu.",
    invoke_without_command=True,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _complete_game(incomplete: str) -> list[str]:
    from gridwise import games  # noqa: PLC0415 - only when a shell asks

    return [game.key for game in games() if game.key.startswith(incomplete.casefold())]


GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="Which game.", autocompletion=_complete_game)
]
OptionalGameArgument = Annotated[
    str, typer.Argument(metavar="[GAME]", help="Which game.", autocompletion=_complete_game)
]
SeedOption = Annotated[
    int | None, typer.Option(help="The same number, the same game.", show_default=False)
]
TargetOption = Annotated[
    int | None, typer.Option(help="Another number of points to reach.", show_default=False)
]
HandicapOption = Annotated[
    bool, typer.Option("--handicap", help="Make a one-sided game even, where there is a way.")
]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A game record (.gwr).")]
PlainOption = Annotated[bool, typer.Option("--plain", help="No colour, no drawing tricks.")]
LinearOption = Annotated[
    bool, typer.Option("--linear", help="Boards in sentences, for screen readers.")
]


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Five two-player grid games. Without a command: a menu."""
    if version:
        from gridwise import __version__  # noqa: PLC0415 - what is asked for, and no more

        print(f"gridwise {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from gridwise.cli.menu import run_menu  # noqa: PLC0415 - loaded for its command alone

            run_menu()
        else:
            print(context.get_help())


@app.command()
def play(
    game: OptionalGameArgument = "",
    p1: Annotated[str, typer.Option(help="Player 1: human, bot:LEVEL or ugi:COMMAND.")] = "",
    p2: Annotated[str, typer.Option(help="Player 2: human, bot:LEVEL or ugi:COMMAND.")] = "",
    board: Annotated[str, typer.Option(help="The board, rows joined by /.")] = "",
    deal: Annotated[
        str,
        typer.Option(
            help="How a board is dealt: fair (for people, the default) or uniform.",
            show_default=False,
        ),
    ] = "",
    size: Annotated[str, typer.Option(help="Another size, rows x columns, like 6x6.")] = "",
    target: TargetOption = None,
    handicap: HandicapOption = False,
    seed: SeedOption = None,
    first: Annotated[
        int | None, typer.Option(help="Who begins, 1 or 2 (Grid Conquest).", show_default=False)
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write the game to this file, move by move.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the game in this file.")] = None,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Play a game at this terminal."""
    from gridwise.cli.options import Setup  # noqa: PLC0415 - loaded for its command alone
    from gridwise.cli.playing import run_play  # noqa: PLC0415

    setup = Setup(
        game=game,
        p1=p1,
        p2=p2,
        board=board,
        deal=deal,
        size=size,
        target=target,
        handicap=handicap,
        seed=seed,
        first=first,
        record=record,
        resume=resume,
    )
    raise typer.Exit(run_play(setup, plain=plain, linear=linear))


@app.command()
def rules(game: GameArgument, plain: PlainOption = False) -> None:
    """The rules of a game, with a picture of the board."""
    from gridwise.cli.reading import print_rules  # noqa: PLC0415 - loaded for its command alone

    print_rules(game, simple=plain)


@app.command()
def proof(game: GameArgument) -> None:
    """Why a game goes as it goes: a proof, checked while it is printed."""
    from gridwise.cli.proving import print_proof  # noqa: PLC0415 - loaded for its command alone

    print_proof(game)


@app.command()
def show(
    file: FileArgument,
    svg: Annotated[bool, typer.Option("--svg", help="The picture as SVG.")] = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """The last position of a record."""
    from gridwise.cli.reading import show_record  # noqa: PLC0415 - loaded for its command alone

    show_record(file, svg=svg, simple=plain, linear=linear)


@app.command()
def replay(file: FileArgument, plain: PlainOption = False, linear: LinearOption = False) -> None:
    """Step through a record."""
    from gridwise.cli.reading import replay_record  # noqa: PLC0415 - loaded for its command alone

    replay_record(file, simple=plain, linear=linear)


@app.command()
def analyze(
    game: OptionalGameArgument = "",
    board: Annotated[str, typer.Option(help="The board, rows joined by /.")] = "",
    target: TargetOption = None,
    handicap: HandicapOption = False,
    first: Annotated[int, typer.Option(help="Who began, 1 or 2 (Grid Conquest).")] = 1,
    moves: Annotated[str, typer.Option(help="The moves so far, with spaces between.")] = "",
    search: Annotated[
        bool, typer.Option("--search/--no-search", help="Whether to work out what moves are worth.")
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    batch: Annotated[
        str, typer.Option(metavar="FILE", help="Answer JSON Lines from a file, or from - .")
    ] = "",
    plain: PlainOption = False,
) -> None:
    """A position, and what every move is worth."""
    from gridwise.cli.reading import (  # noqa: PLC0415 - loaded for its command alone
        analyze_batch,
        analyze_one,
        board_request,
    )

    if batch:
        analyze_batch(batch)
        return
    request = board_request(game, board, target, handicap=handicap)
    request |= {"first": first, "moves": moves.split(), "search": search}
    analyze_one(request, as_json=json, simple=plain)


@app.command()
def review(
    file: FileArgument,
    seconds: Annotated[float, typer.Option(help="How long to think about a move.")] = 2.0,
    plain: PlainOption = False,
) -> None:
    """A game, move by move: what each was worth, and where it was lost."""
    from gridwise.cli.reviewing import review_record  # noqa: PLC0415 - loaded for its command alone

    review_record(file, seconds=seconds, simple=plain)


@app.command()
def puzzle(
    game: OptionalGameArgument = "",
    seed: SeedOption = None,
    difficulty: Annotated[
        int | None, typer.Option(min=1, max=5, help="1 to 5; without it they get harder.")
    ] = None,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Find the winning move."""
    from gridwise.cli.puzzling import run_puzzles  # noqa: PLC0415 - loaded for its command alone

    run_puzzles(game, seed, difficulty, simple=plain, linear=linear)


@app.command("ladder")
def ladder_command(
    game: OptionalGameArgument = "",
    pairs: Annotated[int, typer.Option(min=2, help="Boards a contest, each played twice.")] = 400,
    seed: Annotated[int, typer.Option(help="The same number, the same games.")] = 0,
) -> None:
    """How strong the bots are: each level against the one below."""
    from gridwise.cli.ranking import print_ladder  # noqa: PLC0415 - loaded for its command alone

    print_ladder(game, pairs, seed)


@app.command()
def ugi(
    game: GameArgument,
    level: Annotated[
        str, typer.Option(help="How strong it plays; perfect is the best.")
    ] = "perfect",
) -> None:
    """An engine for other programs, on standard input and output."""
    from gridwise.cli.ugi import run_ugi  # noqa: PLC0415 - loaded for its command alone

    raise typer.Exit(run_ugi(game, level))


@app.command("serve")
def serve_command(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 is everywhere, for all who can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 is any that is free.")] = 8000,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where games are kept, as an SQLAlchemy URL; a file of your own without it.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Play in the browser."""
    from gridwise.cli.serving import run_serve  # noqa: PLC0415 - loaded for its command alone

    run_serve(host, port, database)


@app.command()
def prepare() -> None:
    """Compile what the engine needs, once, so that nobody has to wait for it later."""
    from gridwise.cli.preparing import prepare_engine  # noqa: PLC0415 - loaded for its command alone

    prepare_engine()


def run() -> NoReturn:
    """Run the command and leave with the right status, whatever happens."""
    _open_closed_streams()
    interrupt_on_signals()
    try:
        status = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        forget_output()
        status = READER_GONE
    except OSError as error:
        forget_output()
        status = _complain(f"Cannot write the output: {error.strerror or error}.")
    except KeyboardInterrupt:
        status = INTERRUPTED
    leave(status)


def _run() -> int:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a stand-in, not a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        result = app(standalone_mode=False)
    except typer.TyperException as error:
        return _complain(error.format_message())
    except typer.Abort:
        return INTERRUPTED
    except GridwiseError as error:
        return _complain(str(error))
    except SystemExit as leaving:
        # Typer leaves by itself, with 1, when the reader of the output has gone.
        forget_output()
        return READER_GONE if leaving.code == 1 else int(leaving.code or 0)
    return result if isinstance(result, int) else 0


def _open_closed_streams() -> None:
    """A caller may have closed our streams; then there is nothing to read, and nobody to tell."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as we run
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _complain(message: str) -> int:
    line = " ".join(message.split())
    line = line if len(line) <= LONGEST_COMPLAINT else line[:LONGEST_COMPLAINT] + "…"
    print(f"gridwise: {line}", file=sys.stderr)
    return 2
