"""`scripts/system_packages.sh` installs what is missing where it may, and otherwise says so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "system_packages.sh"
BASH = shutil.which("bash")

pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash here")


def run(folder: Path, **programs: str) -> tuple[int, str]:
    """Run it on a system that has these programs only; its status and what it says."""
    for name, body in {"id": "echo 1000", "ls": "exit 1", **programs}.items():
        path = folder / name
        path.write_text(f"#!{BASH}\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
    done = subprocess.run(
        [str(BASH), str(SCRIPT)],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_nothing_is_done_where_nothing_is_missing(tmp_path: Path) -> None:
    """Both are there: not a word."""
    done = run(tmp_path, chromium="exit 0", initdb="exit 0", **{"apt-get": "echo called"})
    assert done == (0, "")


def test_what_cannot_be_installed_is_named_with_the_way_to_do_it(tmp_path: Path) -> None:
    """No apt-get, or no right to use it: the tests still run, and skip what they must."""
    status, said = run(tmp_path, initdb="exit 0")
    assert status == 0
    assert "chromium is not installed, and there is no apt-get here" in said
    assert "sudo apt-get install chromium" in said
    status, said = run(tmp_path, **{"apt-get": "exit 0", "sudo": "exit 1"})
    assert status == 0
    assert "that takes root, or sudo without a password" in said


def test_what_is_missing_is_installed_with_root_or_sudo(tmp_path: Path) -> None:
    """Exactly what is missing, and the lists of packages are fetched if they are not there."""
    log = tmp_path / "log"
    lists = f"{log}.updated"
    apt = f'echo "apt-get $*" >> {log}; [ "$1" = update ] && : > {lists}; [ -e {lists} ]'
    status, said = run(tmp_path, initdb="exit 0", id="echo 0", **{"apt-get": apt})
    assert (status, said) == (0, "Installing chromium for the tests.\n")
    calls = log.read_text(encoding="utf-8").splitlines()
    assert [call.split()[1] for call in calls] == ["install", "install", "update", "install"]
    assert calls[1].endswith(" chromium"), "the headless shell is not to be had"
    assert calls[-1].endswith(" chromium-headless-shell")
    sudo = f'echo "sudo $*" >> {log}'
    run(tmp_path, id="echo 1000", sudo=sudo, **{"apt-get": apt})
    assert "sudo -n apt-get install" in log.read_text(encoding="utf-8")
