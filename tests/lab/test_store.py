"""The file of a run: another run's, another process's, damaged ones, a full disk."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gridwise.errors import BadRequest, GridwiseError
from gridwise.lab.store import FILE_NAME, ResultStore, recorded_seed
from tests.lab.executor_tasks import ABOUT, ROOT, kept_keys


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the results of a test are kept."""
    return tmp_path / "kept.sqlite"


def test_what_was_put_is_there_the_next_time(file: Path) -> None:
    """To the last digit; null is a result, and a key that nobody has put is none."""
    with ResultStore(file, ABOUT) as store:
        store.put("third", 1 / 3)
        store.put("null", None)
        store.put("again", 1)
        store.put("again", {"a": [2]})
    with ResultStore(file, ABOUT) as store:
        assert (store.get("third"), store.get("again")) == (1 / 3, {"a": [2]})
        assert "null" in store
        assert store.get("null", 7) is None
        assert "other" not in store
        assert store.get("other", 7) == 7
    assert [each.name for each in file.parent.iterdir()] == [file.name]  # and nothing beside it


def test_a_kill_loses_nothing(file: Path) -> None:
    """What was put before `kill -9` is there, and the file can be written to at once."""
    program = (
        "import os, signal, sys\n"
        "from gridwise.lab.store import ResultStore\n"
        "from tests.lab.executor_tasks import ABOUT\n"
        "store = ResultStore(sys.argv[1], ABOUT)\n"
        "for number in range(500):\n"
        "    store.put(str(number), number)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    killed = subprocess.run([sys.executable, "-c", program, str(file)], env=env, check=False)
    assert killed.returncode == -signal.SIGKILL
    with ResultStore(file, ABOUT) as store:
        assert [store.get(str(number)) for number in range(500)] == list(range(500))
        store.put("500", 500)


def test_the_results_of_another_run_are_refused(file: Path) -> None:
    """The message says what is different, and nothing there is touched."""
    ResultStore(file, ABOUT).close()
    before = file.read_bytes()
    with pytest.raises(BadRequest, match="another run: seed 1 there, 2 here"):
        ResultStore(file, {**ABOUT, "seed": 2})
    assert file.read_bytes() == before
    ResultStore(file, ABOUT).close()


def test_a_file_of_somebody_else_is_refused(file: Path) -> None:
    """A text, a database of another program, a damaged one: one line, and it stays as it is."""
    ResultStore(file, ABOUT).close()
    ours = file.read_bytes()
    with closing(sqlite3.connect(file.parent / "theirs")) as theirs:
        theirs.execute("CREATE TABLE notes (text)")
    for content in (
        b"not a file of results\n",
        b"\xff\xfe" * 5000,
        (file.parent / "theirs").read_bytes(),
        ours[:4096] + b"\xff" * (len(ours) - 4096),
        ours[:100] + b"\x00" * 5000,
    ):
        file.write_bytes(content)
        with pytest.raises(BadRequest, match=r"is not a file of results|Cannot use"):
            ResultStore(file, ABOUT)
        assert file.read_bytes() == content


def test_one_process_at_a_time_has_a_file(file: Path) -> None:
    """The second is told so; after the first has let go it may."""
    for _ in range(2):  # when it is new, and when it is not
        with (
            ResultStore(file, ABOUT),
            pytest.raises(BadRequest, match="Another process is writing"),
        ):
            ResultStore(file, ABOUT)


def test_where_there_can_be_no_file_is_one_line(tmp_path: Path) -> None:
    """A folder, a device, a file where the folder should be."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "none" / "kept", Path("/dev/full"), Path("a\0b")):
        with pytest.raises(BadRequest, match="Cannot use"):
            ResultStore(path, ABOUT)
    for folder in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(BadRequest, match="Cannot use the folder"):
            ResultStore.in_folder(folder, ABOUT)


def test_a_full_disk_is_one_line_and_loses_nothing(file: Path) -> None:
    """Where files may not grow any more, the large result is refused, the small ones stay."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ResultStore(file, ABOUT) as store:
        store.put("small", 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 4096, before[1]))
        try:
            for key in ("large", "small"):
                with pytest.raises(GridwiseError, match="Cannot write"):
                    store.put(key, "x" * 100_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)
        assert store.get("small") == 1
        assert "large" not in store
        store.put("next", 2)
    assert kept_keys(file) == {"small", "next"}


def test_without_a_file_results_are_kept_in_memory() -> None:
    """None is a file that nobody sees."""
    store = ResultStore(None, ABOUT)
    store.put("one", (1, 2))
    assert store.get("one") == [1, 2]  # as it would come back from a file
    assert store.get("two", "none") == "none"


def test_a_folder_says_which_seed_it_has(tmp_path: Path) -> None:
    """So that a run whose seed was drawn can go on; where there is none, nothing is written."""
    assert recorded_seed(None) is None
    assert recorded_seed(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    ResultStore.in_folder(tmp_path, ABOUT).close()
    assert recorded_seed(tmp_path) == 1
    (tmp_path / FILE_NAME).write_text("something else")
    assert recorded_seed(tmp_path) is None
