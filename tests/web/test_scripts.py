"""The scripts of the pages hold what `// @ts-check` at their top promises."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from .servers import ROOT

TYPESCRIPT = shutil.which("tsc")
SCRIPTS = sorted((ROOT / "src/gridwise/web/static").glob("*.js"))
OPTIONS = (
    "--noEmit --allowJs --checkJs --skipLibCheck --target esnext --module esnext --strict false "
    "--moduleResolution bundler --moduleDetection force --lib esnext,dom,dom.iterable"
)


def test_every_script_asks_to_be_checked() -> None:
    """An editor says at once what is wrong with one."""
    assert all(path.read_text(encoding="utf-8").startswith("// @ts-check\n") for path in SCRIPTS)


@pytest.mark.skipif(TYPESCRIPT is None, reason="TypeScript is not installed: npm i -g typescript")
def test_typescript_finds_nothing_wrong() -> None:
    """No misspelt name of a function, field or variable, and no call with too little."""
    files = [ROOT / "tests/web/scripts.d.ts", *SCRIPTS]
    command = [str(TYPESCRIPT), *OPTIONS.split(), *map(str, files)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")
