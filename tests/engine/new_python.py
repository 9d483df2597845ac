"""A program in a Python of its own, which has loaded nothing yet."""

from __future__ import annotations

import os
import subprocess
import sys


def run_python(
    program: str, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, which must be a good one; what it says is text."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
