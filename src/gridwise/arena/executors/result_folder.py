"""ResultFolder: one file per finished task, so that a run goes on where it was killed.

`run.json` says what the run is, and a folder of another run is refused. A file is written under
another name, synced and renamed: a kill, or a full disk, leaves all of it or nothing. It has a
checksum, and what does not agree with it is computed again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import gridwise
from gridwise.arena.executors.executor import Executor
from gridwise.arena.executors.tasks import JSON, Task
from gridwise.errors import BadRequest, quoted
from gridwise.play.records import write_file

try:
    import fcntl
except ModuleNotFoundError:  # only there where files can be locked this way
    LOCKS = False
else:
    LOCKS = True

ABOUT = "run.json"
RESULTS = "results"  # the folder of the results, so that a caller can put files beside it


def recorded_seed(folder: Path | None) -> int | None:
    """The seed of the run whose results a folder has; None if it has none, or cannot be read."""
    try:
        seed = json.loads((folder / ABOUT).read_bytes())["seed"] if folder else None
    except (OSError, ValueError, RecursionError, TypeError, KeyError):
        return None  # whoever opens it as a ResultFolder says why
    return seed if isinstance(seed, int) else None


class ResultFolder:
    """Results of tasks by key: in a folder, or with None in memory.

    `about` says what the run is: whatever changes a result has to be in it. Raises BadRequest for
    the folder of another run, one that another process is writing to, or one that cannot be used.
    """

    def __init__(self, folder: Path | None, about: Mapping[str, JSON]) -> None:
        self.folder = folder
        self._kept: dict[str, Any] = {}
        self._lock: IO[bytes] | None = None
        if folder is None:
            return
        about = json.loads(json.dumps({"gridwise": gridwise.__version__, **about}))
        try:
            (folder / RESULTS).mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder)
        except (OSError, ValueError) as error:
            raise _unusable(folder, error) from None
        try:
            self._claim(folder, about)
        except BaseException:
            self.close()
            raise

    def _claim(self, folder: Path, about: Mapping[str, JSON]) -> None:
        """Write what the run is, or compare it with what is written there."""
        file = folder / ABOUT
        try:
            before = json.loads(file.read_bytes()) if file.exists() else None
        except OSError as error:
            raise _unusable(folder, error) from None
        except (ValueError, RecursionError):
            before = "unreadable"
        if before is None:
            write_file(file, json.dumps(about, indent=1).encode() + b"\n")
        elif not isinstance(before, dict):
            raise BadRequest(f"{quoted(str(file), 200)} does not describe a run.")
        elif before != about:
            raise BadRequest(
                f"{quoted(str(folder), 200)} has the results of another run: "
                f"{_difference(before, about)}. Name another folder."
            )

    def __contains__(self, key: str) -> bool:
        return self._read(key) is not None

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401 - JSON
        """The result of a task; `default` if there is none yet."""
        found = self._read(key)
        return default if found is None else found[0]

    def put(self, key: str, result: JSON) -> None:
        """Keep a result; once this returns, a kill does not lose it."""
        if self.folder is None:
            self._kept[key] = result
            return
        text = json.dumps({"key": key, "check": _checksum(key, result), "result": result})
        write_file(self._file(self.folder, key), text.encode() + b"\n")

    def _read(self, key: str) -> tuple[Any] | None:
        """The result in a tuple, as it may be null; None if there is none, or a damaged one."""
        if self.folder is None:
            return (self._kept[key],) if key in self._kept else None
        try:
            kept = json.loads(self._file(self.folder, key).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(kept, dict) or "result" not in kept:
            return None
        return (kept["result"],) if kept.get("check") == _checksum(key, kept["result"]) else None

    @staticmethod
    def _file(folder: Path, key: str) -> Path:
        return folder / RESULTS / f"{key}.json"

    def close(self) -> None:
        """Let another process use the folder."""
        if self._lock:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _checksum(key: str, result: JSON) -> str:
    """What a file must say about its result: one that was damaged or changed is not taken."""
    return hashlib.sha256(json.dumps([key, result]).encode()).hexdigest()[:16]


def _locked(folder: Path) -> IO[bytes]:
    file = open(folder / ".lock", "wb")  # noqa: SIM115 - closed by `close`
    if LOCKS:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise BadRequest(f"Another process is writing to {quoted(str(folder), 200)}.") from None
        except OSError:  # some file systems have no locks
            pass
    return file


def _unusable(folder: Path, error: OSError | ValueError) -> BadRequest:
    why = getattr(error, "strerror", None) or error
    return BadRequest(f"Cannot use the folder {quoted(str(folder), 200)}: {why}.")


def _difference(before: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    # Of another command everything is different.
    same = before.get("run") == about.get("run")
    keys = sorted(before.keys() | about.keys()) if same else ["run"]
    named = (_differences(key, before.get(key), about.get(key)) for key in keys)
    return "; ".join(islice(chain.from_iterable(named), 3))


def _differences(name: str, before: Any, about: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """What differs, down to a single entry where both have the same ones."""
    inside = [_entries(before), _entries(about)]
    if before != about and inside[0] and inside[0].keys() == inside[1].keys():
        for key, value in inside[0].items():
            yield from _differences(f"{name} {key}", value, inside[1][key])
    elif before != about:
        yield f"{name} {_short(before)} there, {_short(about)} here"


def _entries(value: Any) -> dict[Any, Any]:  # noqa: ANN401 - JSON
    """The entries of an object or of a list, which are counted from 1."""
    if isinstance(value, list):
        return dict(enumerate(value, 1))
    return value if isinstance(value, dict) else {}


def _short(value: Any) -> str:  # noqa: ANN401 - JSON
    text = ", ".join(map(str, value)) if isinstance(value, list | dict) else str(value)
    return "none" if value is None else quoted(text, 60).strip('"')


def run_tasks(
    tasks: Iterable[Task],
    executor: Executor,
    results: ResultFolder,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[Task, Any]]:
    """Each task with its result: those that are there already first, the others as they finish.

    All tasks are looked at before the first is run, so there must be an end to them. Each result is
    kept before it is given out. `progress` is called with how many there are.
    """
    done = 0
    missing = []
    for task in tasks:
        found = results._read(task.key)  # noqa: SLF001 - the two belong together
        if found is None:
            missing.append(task)
            continue
        done += 1
        if progress:
            progress(done)
        yield task, found[0]
    for task, result in executor.run(missing):
        results.put(task.key, result)
        done += 1
        if progress:
            progress(done)
        yield task, result
