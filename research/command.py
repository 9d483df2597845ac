"""Functions as commands that keep what every `gridwise` command promises.

Wrong usage is one line on standard error and exit status 2, Ctrl-C is 130, and never a traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import typer

from gridwise.cli.main import run


def run_command(*functions: Callable[..., None]) -> NoReturn:
    """Run a function with the words of the command line, and leave with the right status.

    Of several functions the first word names the one.
    """
    command = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for function in functions:
        command.command()(function)
    run(command)
