"""The command `gridwise`: its commands, and what every one of them promises.

Exit status: 0 after a game that ended or was left on purpose, 2 for wrong usage, with one line on
standard error, 130 after Ctrl-C, 141 when the reader of our output has gone. Never a traceback.

A command's module is loaded when the command is run; help and completion need none of them.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated, Any, ClassVar, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from gridwise.cli import signals
from gridwise.cli.arguments import LinearOption, PlainOption
from gridwise.core.registry import short_names
from gridwise.errors import GridwiseError, printable

LONGEST_COMPLAINT = 500
SUMMARY = "Five two-player grid games. Without a command: a menu."


class Command(NamedTuple):
    """What is known of a command before its module is loaded."""

    room: str  # the folder in `gridwise.cli.commands`
    help: str
    example: str  # a command line to try

    @property
    def panel(self) -> str:
        """The heading under which the help lists it."""
        return PANELS[self.room]


PANELS = {"playing": "Play", "research": "Study", "programs": "Programs and servers"}
# `play` is the function `play` in `gridwise.cli.commands.playing.play`, `games` a Typer;
# a name of two words, `ugi-check`, has a module and a function `ugi_check`.
COMMANDS = {
    "play": Command(
        "playing",
        "Play a game in this terminal.",
        "gridwise play run --p2 casual",
    ),
    "games": Command(
        "playing",
        "Your own games: list, continue, replay, review, export, delete.",
        "gridwise games --game run --result lost",
    ),
    "rules": Command(
        "playing",
        "Read the rules of a game, with a picture of the board.",
        "gridwise rules maze",
    ),
    "show": Command(
        "playing",
        "Show a position of a recorded game: the last, or the one after any move.",
        "gridwise show game.gwr --at 1",
    ),
    "replay": Command(
        "playing",
        "Step through a recorded game.",
        "gridwise replay game.gwr --delay 0.5",
    ),
    "review": Command(
        "playing",
        "Find the mistakes in a recorded game.",
        "gridwise review game.gwr",
    ),
    "puzzle": Command(
        "playing",
        "Find the winning move.",
        "gridwise puzzle connect --difficulty 2",
    ),
    "proof": Command(
        "research",
        "Why Player 1 can always win (Number Run, Grid Runner).",
        "gridwise proof runner",
    ),
    "analyze": Command(
        "research",
        "Show what every move in a position is worth.",
        "gridwise analyze game.gwr --at 1",
    ),
    "ladder": Command(
        "research",
        "Measure how strong the bots are: each level plays the one below.",
        "gridwise ladder maze --pairs 100",
    ),
    "grade": Command(
        "research",
        "Measure how good a player is, against exact play.",
        "gridwise grade casual connect --games 200",
    ),
    "arena": Command(
        "research",
        "Play matches and tournaments: Elo, SPRT, ratings.",
        "gridwise arena strong casual --game connect --pairs 100",
    ),
    "suite": Command(
        "research",
        "A fixed suite of positions with exact values: print, export, score answers.",
        "gridwise suite maze --head 5",
    ),
    "solve": Command(
        "research",
        "Solve many boards: what every move on each is worth.",
        "gridwise solve connect --boards boards.txt --to solved.jsonl",
    ),
    "census": Command(
        "research",
        "Count every board of a size: who wins, and in how many plies.",
        "gridwise census maze --size 3x3",
    ),
    "study": Command(
        "research",
        "Report on a game or a variant: who wins, how long, how hard.",
        "gridwise study connect --boards 5000 --compare target=13",
    ),
    "ugi": Command(
        "programs",
        "Run the engine for another program, on standard input and output.",
        "gridwise ugi connect --level strong",
    ),
    "ugi-check": Command(
        "programs",
        "Check whether an engine speaks UGI as it should.",
        'gridwise ugi-check "gridwise ugi connect" connect',
    ),
    "serve": Command(
        "programs",
        "Play in the browser.",
        "gridwise serve --port 8080",
    ),
    "server": Command(
        "programs",
        "Look after a server's games: back up, copy, check, list, remove, drain.",
        "gridwise server backup games-copy.db",
    ),
    "mcp": Command(
        "programs",
        "The games as tools for a language model's client.",
        "gridwise mcp",
    ),
    "evals": Command(
        "programs",
        "A leaderboard of language models, from evaluation logs.",
        "gridwise evals report logs",
    ),
    "prepare": Command(
        "programs",
        "Compile the engine now, so that nobody has to wait for it later.",
        "gridwise prepare",
    ),
}


class LazyCommands(TyperGroup):
    """The commands by name and summary, each loaded when it is run."""

    lazy: ClassVar = tuple(COMMANDS)

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - whatever Typer hands over
        super().__init__(**settings)
        for name in self.lazy:
            self.commands[name] = TyperCommand(
                name, help=COMMANDS[name].help, rich_help_panel=COMMANDS[name].panel
            )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - Typer's types are private
        """The command that the first word names."""
        if args[0] in self.lazy:
            self.commands[args[0]] = _load(args[0])
        return super().resolve_command(ctx, args)


def module_name(name: str) -> str:
    """The module of a command."""
    return f"gridwise.cli.commands.{COMMANDS[name].room}.{name.replace('-', '_')}"


def _load(name: str) -> Any:  # noqa: ANN401 - as above
    command_module = import_module(module_name(name))
    function = getattr(command_module, name.replace("-", "_"))
    if isinstance(function, typer.Typer):  # it has commands of its own
        return typer.main.get_command(function)
    command = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command.command(name, help=COMMANDS[name].help, epilog=_notes(name, function))(function)
    return typer.main.get_command(command)


def _notes(name: str, function: Any) -> str:  # noqa: ANN401 - a function of any parameters
    """What stands under the help of a command: the games and levels it takes, and an example."""
    takes = function.__annotations__.keys()
    notes = []
    if "game" in takes:
        notes.append(GAMES)
    if takes & {"p1", "level"}:
        from gridwise.engine.bots import ABOUT  # noqa: PLC0415 - loaded by these commands anyway

        notes.append("Levels: " + ", ".join(f"{each} ({what})" for each, what in ABOUT.items()))
    return "\n\n".join([*notes, f"Example: {COMMANDS[name].example}"])


GAMES = "Games: " + ", ".join(f"{key} ({short})" for key, short in short_names().items())

app = typer.Typer(
    cls=LazyCommands,
    name="gridwise",
    help=SUMMARY,
    epilog=f"{GAMES}\n\nExample: {COMMANDS['play'].example}",
    invoke_without_command=True,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
) -> None:
    """Print the version, open the app or the menu, or leave it to the command."""
    if version:
        from gridwise import __version__  # noqa: PLC0415 - what is asked for, and no more

        print(f"gridwise {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            print(context.get_help())
            return
        from gridwise.cli.commands.playing.play import play  # noqa: PLC0415 - as every command

        play(plain=plain, linear=linear)


def run() -> NoReturn:
    """Run the command and leave with the right status, whatever happens."""
    _open_closed_streams()
    signals.interrupt_on_signals()
    try:
        status = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        signals.forget_output()
        status = signals.READER_GONE
    except OSError as error:
        signals.forget_output()
        status = _complain(f"Cannot write the output: {error.strerror or error}.")
    except KeyboardInterrupt:
        status = signals.INTERRUPTED
    except Exception:
        if not signals.was_interrupted():
            raise
        status = signals.INTERRUPTED
    signals.leave(status)


def _run() -> int:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a stand-in, not a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        result = app(standalone_mode=False)
    except typer.TyperException as error:
        return _complain(_usage(error))
    except typer.Abort:
        return signals.INTERRUPTED
    except GridwiseError as error:
        return _complain(str(error))
    except SystemExit as leaving:
        # Typer leaves by itself, with 1, when the reader of the output has gone.
        signals.forget_output()
        return signals.READER_GONE if leaving.code == 1 else int(leaving.code or 0)
    return result if isinstance(result, int) else 0


def _usage(error: typer.TyperException) -> str:
    """What is wrong with a command line, and where to read more."""
    option, parameter = getattr(error, "option_name", ""), getattr(error, "param", None)
    if option and hasattr(error, "possibilities"):
        message = f"There is no option {option}."
    elif parameter and hasattr(error, "param_type"):
        message = f"{parameter.human_readable_name} is missing."
    else:
        message = error.format_message()
    context = getattr(error, "ctx", None)
    return f"{message} Try: {context.command_path if context else 'gridwise'} --help"


def _open_closed_streams() -> None:
    """Replace streams that the caller has closed: nothing to read, and nowhere to write."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for good


def _complain(message: str) -> int:
    line = printable(" ".join(message.split()), LONGEST_COMPLAINT)
    print(f"gridwise: {line}", file=sys.stderr)
    return 2
