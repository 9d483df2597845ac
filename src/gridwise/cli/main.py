"""The command `gridwise`: its commands, and what every one of them promises.

Exit status: 0 after a game that ended or was left on purpose, 2 for wrong usage, with one line on
standard error, 130 after Ctrl-C, 141 when the reader of our output has gone. Never a traceback.

A command's module is loaded when the command is run; help and completion need none of them.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from gridwise.cli import signals
from gridwise.cli.arguments import LinearOption, PlainOption
from gridwise.core.registry import add_module, short_names
from gridwise.errors import BadRequest, GridwiseError, UnknownGame, printable, quoted

LONGEST_COMPLAINT = 500
ELSEWHERE = " One that is not installed is added by: gridwise --game-module PATH COMMAND …"
HELP_COLUMNS = 80


class Command(NamedTuple):
    """What is known of a command before its module is loaded."""

    help: str
    example: str  # a command line to try


# `play` is the function `play` in `gridwise.cli.commands.play`, `games` a Typer; a name of two
# words, `new-game`, has a module and a function `new_game`.
COMMANDS = {
    "play": Command("Play a game in this terminal.", "gridwise play run --p2 casual"),
    "puzzle": Command("Find the winning line.", "gridwise puzzle connect --difficulty 2"),
    "games": Command(
        "Your own games: list, continue, replay, review, export, delete.",
        "gridwise games --game run --result lost",
    ),
    "rules": Command(
        "Read the rules of a game, and with --why what is proved about it.",
        "gridwise rules maze",
    ),
    "serve": Command("Play in the browser.", "gridwise serve --port 8080"),
    "analyze": Command(
        "Show what every move in a position is worth.", "gridwise analyze game.gwr --at 1"
    ),
    "review": Command("Find the mistakes in a recorded game.", "gridwise review game.gwr"),
    "replay": Command(
        "Step through a recorded game, or show one position.", "gridwise replay game.gwr --at 1"
    ),
    "arena": Command(
        "Matches: Elo, SPRT, ratings.", "gridwise arena strong casual --game connect --pairs 100"
    ),
    "grade": Command("A player against exact play.", "gridwise grade casual connect --games 200"),
    "suite": Command("Fixed positions, solved.", "gridwise suite maze --head 5"),
    "solve": Command(
        "Boards in bulk.", "gridwise solve connect --boards boards.txt --to solved.jsonl"
    ),
    "study": Command(
        "A game or a variant of it.", "gridwise study connect --boards 5000 --compare target=13"
    ),
    "ugi": Command("The engine protocol.", "gridwise ugi connect --level strong"),
    "mcp": Command("Tools for a model's client.", "gridwise mcp"),
    "evals": Command("A leaderboard of models.", "gridwise evals report logs"),
    "new-game": Command("A folder for your own game.", "gridwise new-game star-claim"),
    "server": Command("Look after a server's games.", "gridwise server backup games-copy.db"),
}
# The groups of the help; those without a heading have a line for each command.
GROUPS = {
    "": ("play", "puzzle", "games", "rules", "serve", "analyze", "review", "replay"),
    "Lab": ("arena", "grade", "suite", "solve", "study", "ugi", "mcp", "evals"),
    "For those who build or run": ("new-game", "server"),
}


def _with_first_word(option: str, words: list[str]) -> list[str]:
    """The words, with an option in front of the first that is not one itself."""
    place = next((place for place, word in enumerate(words) if word[:1] != "-"), 0)
    return [*words[:place], option, *words[place:]]


def _is_given(option: str, words: list[str]) -> bool:
    return any(word.partition("=")[0] == option for word in words)


def _show(words: list[str]) -> list[str]:
    return ["replay", *words, *([] if _is_given("--at", words) else ["--at", "-1"])]


def _suite(words: list[str]) -> list[str]:
    if not _is_given("--answers", words):
        return ["suite", *words]
    return ["grade", *("--suite" if word == "--part" else word for word in words)]


# Earlier names, which go on working for one version: what to type instead.
OLD_NAMES: Mapping[str, Callable[[list[str]], list[str]]] = {
    "show": _show,
    "ladder": lambda words: ["arena", "--ladder", *words],
    "suite": _suite,
    "ugi-check": lambda words: ["ugi", *_with_first_word("--check", words)],
    "proof": lambda words: ["rules", *words, "--why"],
}


def _renamed(path: str, words: list[str]) -> list[str]:
    """The words of a command line that has an earlier name, with a note about the new one."""
    new = OLD_NAMES[words[0]](words[1:])
    if new[0] != words[0]:
        print(f"`{path} {words[0]}` is now: {path} {shlex.join(new)}", file=sys.stderr, flush=True)
    return new


def _run_census(words: list[str]) -> NoReturn:
    """Say what to type instead, and become that program; raises BadRequest without the sources."""
    module = "research.census"
    note = f"`gridwise census` is now `python -m {module}`, in the project's sources."
    sources = Path(__file__).parents[3]
    if not (sources / "research").is_dir():
        raise BadRequest(note)
    print(note, file=sys.stderr, flush=True)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(sources), os.environ.get("PYTHONPATH")))
    )
    os.execv(sys.executable, (sys.executable, "-m", module, *words))  # noqa: S606 - no shell


class LazyCommands(TyperGroup):
    """Commands by name and summary, each loaded when it is run."""

    lazy: ClassVar = tuple(COMMANDS)
    old: ClassVar = tuple(OLD_NAMES)

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - whatever Typer hands over
        super().__init__(**settings)
        for name in self.lazy:
            self.commands[name] = TyperCommand(name, help=COMMANDS[name].help)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - Typer's types are private
        """The command that the first word names, by its present or an earlier name."""
        if args[0] in self.old:
            args = _renamed(ctx.command_path, args)
        if args[0] in self.lazy:
            self.commands[args[0]] = _load(args[0])
        return super().resolve_command(ctx, args)


class MainCommands(LazyCommands):
    """The commands of the program, whose help fits a screen of 24 lines."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - as above
        """The command, or one that has gone."""
        if args[0] == "census":
            _run_census(args[1:])
        if args[0] == "prepare":
            print("`gridwise prepare` is not needed any more.", file=sys.stderr)
            raise typer.Exit
        return super().resolve_command(ctx, args)

    def format_help(self, _ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """The commands in their groups, two beside each other where the lines are short."""
        formatter.write("\n".join([*_help_lines(), ""]))


def _help_lines() -> list[str]:
    lines = ["Usage: gridwise [OPTIONS] COMMAND [...]; for more: gridwise COMMAND --help"]
    lines += ["Five two-player grid games. Without a command: the full-screen app.", ""]
    for group, names in GROUPS.items():
        entries = [f"  {name:9} {COMMANDS[name].help}" for name in names]
        if group:
            half = (len(names) + 1) // 2
            pairs = zip(entries[:half], entries[half:], strict=True)
            entries = [f"{group}:", *(f"{left:41}{right}" for left, right in pairs)]
        lines += entries
    options = (
        "Options: --plain, --linear (for screen readers), --game-module PATH (a game that is not "
        "installed), --version, --help, --install-completion."
    )
    for text in (options, f"{games_line()}.", f"Example: {COMMANDS['play'].example}"):
        lines += textwrap.wrap(text, HELP_COLUMNS, subsequent_indent="  ", break_on_hyphens=False)
    return lines


def games_line() -> str:
    """The games by key and short name."""
    return "Games: " + ", ".join(f"{key} ({short})" for key, short in short_names().items())


def module_name(name: str) -> str:
    """The module of a command."""
    return f"gridwise.cli.commands.{name.replace('-', '_')}"


def _load(name: str) -> Any:  # noqa: ANN401 - as above
    function = getattr(import_module(module_name(name)), name.replace("-", "_"))
    about = COMMANDS[name]
    if isinstance(function, typer.Typer):  # it has commands of its own
        function.info.help, function.info.epilog = about.help, f"Example: {about.example}"
        return typer.main.get_command(function)
    command = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command.command(name, help=about.help, epilog=_notes(name, function))(function)
    return typer.main.get_command(command)


def _notes(name: str, function: Any) -> str:  # noqa: ANN401 - a function of any parameters
    """What stands under the help of a command: the games and levels it takes, and an example."""
    takes = function.__annotations__.keys()
    notes = []
    if "game" in takes:
        notes.append(games_line())
    if takes & {"p1", "level"}:
        from gridwise.engine.bots import ABOUT  # noqa: PLC0415 - loaded by these commands anyway

        notes.append("Levels: " + ", ".join(f"{level} ({what})" for level, what in ABOUT.items()))
    return "\n\n".join([*notes, f"Example: {COMMANDS[name].example}"])


def _add_modules(paths: list[str] | None) -> list[str] | None:
    """Add games that are not installed, before any command is looked for."""
    for path in paths or ():
        add_module(path)
    return paths


app = typer.Typer(
    cls=MainCommands,
    name="gridwise",
    invoke_without_command=True,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
MODULE = "A game that is not installed: its folder, file or module; repeatable."


@app.callback()
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    plain: PlainOption = False,
    linear: LinearOption = False,
    _game_module: Annotated[
        list[str] | None,
        typer.Option(
            "--game-module", metavar="PATH", help=MODULE, callback=_add_modules, is_eager=True
        ),
    ] = None,
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
        from gridwise.cli.commands.play import play  # noqa: PLC0415 - as every command

        play(plain=plain, linear=linear)


def run(command: typer.Typer = app) -> NoReturn:
    """Run a command and leave with the right status, whatever happens."""
    _open_closed_streams()
    signals.interrupt_on_signals()
    try:
        status = _run(command)
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


def _run(command: typer.Typer) -> int:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a stand-in, not a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        result = command(standalone_mode=False)
    except typer.TyperException as error:
        return _complain(_usage(error))
    except typer.Abort:
        return signals.INTERRUPTED
    except GridwiseError as error:
        return _complain(f"{error}{ELSEWHERE * isinstance(error.__cause__, UnknownGame)}")
    except SystemExit as leaving:
        # Typer leaves by itself, with 1, when the reader of the output has gone.
        signals.forget_output()
        return signals.READER_GONE if leaving.code == 1 else int(leaving.code or 0)
    return result if isinstance(result, int) else 0


# What Typer says to what is no number; a range is of numbers that have a least or a most.
_NO_NUMBER = re.compile(
    r"Invalid value for '([^']*)': (['\"])(.*)\2 is not a valid (int|float)(?: range)?\.",
    re.DOTALL,
)


def _usage(error: typer.TyperException) -> str:
    """What is wrong with a command line, and where to read more."""
    option, parameter = getattr(error, "option_name", ""), getattr(error, "param", None)
    if option and hasattr(error, "possibilities"):
        message = f"There is no option {option}."
    elif parameter and hasattr(error, "param_type"):
        options = [name for name in parameter.opts if name.startswith("-")]
        message = f"{options[0] if options else parameter.human_readable_name} is missing."
    else:
        message = error.format_message()
        if option and message.endswith("requires an argument."):
            message = f"{option} needs a value."
        if no_number := _NO_NUMBER.fullmatch(message):
            name, _, given, kind = no_number.groups()
            wanted = "a whole number" if kind == "int" else "a number"
            message = f"{name} takes {wanted}, not {quoted(given)}."
    context = getattr(error, "ctx", None)
    return f"{message} Try: {context.command_path if context else _command_named()} --help"


def _command_named() -> str:
    """The command of this command line, as far as one of its words names it."""
    return " ".join(["gridwise", *[word for word in sys.argv[1:] if word in COMMANDS][:1]])


def _open_closed_streams() -> None:
    """Replace streams that the caller has closed: nothing to read, and nowhere to write."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for good


def _complain(message: str) -> int:
    line = printable(" ".join(message.split()), LONGEST_COMPLAINT)
    print(f"gridwise: {line}", file=sys.stderr)
    return 2
