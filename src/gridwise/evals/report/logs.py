"""Evaluation logs as plain records: one a sample, merged over the logs of the same run.

A run that was stopped and continued leaves several logs (`inspect eval-retry` writes another one):
they have the same task id, and a sample of each is counted once, the latest that has no error.
Of samples that were finished when a run was killed, Inspect saves the scores alone: what the model
did is read from them. A sample that has it nowhere is left out, and a remark says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf, isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridwise.errors import BadRequest, quoted
from gridwise.evals.trial import (
    MOVE_FIGURES,
    OPPONENT_ROLE,
    PREFIX,
    STOPPED,
    STORE_KEY,
    Trial,
    TurnRecord,
    scored_trial,
)
from gridwise.show.progress import Progress

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ModelUsage
    from inspect_ai.scorer import Score

TASKS = ("positions", "play", "rules")
SUFFIXES = (".eval", ".json")
# Settings of a model that make it another contestant.
SETTINGS = ("temperature", "top_p", "max_tokens", "reasoning_effort", "reasoning_tokens", "effort")
UNREAD = {"events", "messages", "output", "attachments"}  # of each sample: the bulk of it
FINISHED = ("success", "error")  # the status of a log; the others are "started" and "cancelled"


@dataclass(frozen=True)
class SampleRecord:
    """What one sample contributes to a report."""

    model: str
    conditions: tuple[tuple[str, str | int], ...]
    task: str
    asked: tuple[tuple[str, str | int | None], ...]  # which of all questions: part, limit, seed
    run: str  # logs of one run have the same
    expected: int  # the samples that this run was to have
    id: str
    epoch: int
    game: str
    cluster: str  # samples with the same one are not independent
    failed: bool  # the provider's failure, or any other error: nothing is scored
    again: int = 0  # how often it was begun again, after an error
    lost: bool = False  # nothing of what the model did is left
    stopped: bool = False  # by a limit
    opponent: str = ""
    pair: str = ""  # two games with the same one are a pair
    side: int = 0
    points: float | None = None
    game_regret: float | None = None
    stalled: bool = False
    forfeit: str = ""  # the opponent's, if it is a model
    trial: Trial | None = None
    moves: tuple[dict[str, Any], ...] = ()  # judged
    answers: tuple[tuple[str, int], ...] = ()  # bad answers by class
    right: tuple[tuple[str, float], ...] = ()  # of a question about the rules
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    order: str = field(default="", compare=False)  # when it was made
    file: str = field(default="", compare=False)

    @property
    def turns(self) -> list[TurnRecord]:
        """The turns of the model, where it has moved."""
        return self.trial.turns if self.trial else []

    @property
    def unfinished(self) -> bool:
        """Whether a game was stopped that could have gone on for ever."""
        return bool(self.trial and self.trial.winner == 0)

    def figures(self, name: str, difficulty: str = "") -> list[float]:
        """Regret, best moves or progress, of each move on which it is measured.

        Of any difficulty, or of one.
        """
        own = (move for move in self.moves if difficulty in ("", str(move["difficulty"])))
        return [float(move[name]) for move in own if move[name] is not None]

    def legal_at_once(self) -> list[float]:
        """For each turn, 1 if the first answer was a legal move."""
        return [float(not turn.failures) for turn in self.turns]

    def ended_by(self, failure: str) -> list[float]:
        """For each turn, 1 if it ended with this failure."""
        return [float(turn.failure == failure) for turn in self.turns]

    def right_answers(self, kind: str) -> list[float]:
        """How right the answer to a question of this kind was, if it was one."""
        return [value for name, value in self.right if name == kind and not isnan(value)]


def log_files(paths: Iterable[Path]) -> Iterator[tuple[Path, bool]]:
    """The logs that paths name, each with whether it was named itself; raises BadRequest."""
    for path in paths:
        if path.is_dir():
            logs = sorted(each for each in path.rglob("*") if each.suffix in SUFFIXES)
            yield from ((each, False) for each in logs if each.is_file())
        elif path.exists():
            yield path, True
        else:
            raise BadRequest(f"There is no file {quoted(str(path), 200)}.")


def read_records(paths: Iterable[Path]) -> tuple[list[SampleRecord], list[str]]:
    """The samples of all logs, each counted once, and remarks about files that were left out."""
    files = list(dict.fromkeys(log_files(paths)))
    merged: dict[tuple[str, str, str, int], SampleRecord] = {}
    errors: dict[tuple[str, str, str, int], set[str]] = defaultdict(set)  # by when each was made
    remarks: list[str] = []
    finished: set[str] = set()
    stopped: dict[str, Path] = {}  # by the run's id, one of its logs
    with closing(Progress("Reading logs", len(files))) as progress:
        for number, (file, named) in enumerate(files, 1):
            log = _read_log(file, named=named)
            if log is None:
                remarks.append(f"{file} is not a log of Gridwise and was left out.")
            else:
                for record in _records(log, file):
                    key = record.run, record.model, record.id, record.epoch
                    if record.failed:
                        errors[key].add(record.order)
                    other = merged.setdefault(key, record)
                    if _rank(record) >= _rank(other):
                        merged[key] = record
                if log.status in FINISHED:
                    finished.add(log.eval.task_id)
                else:
                    stopped[log.eval.task_id] = file
            progress(number)
    remarks += [
        f"{file}: the run was stopped before its end. `inspect eval-retry` continues it."
        for run, file in stopped.items()
        if run not in finished
    ]
    lost = Counter(record.file for record in merged.values() if record.lost)
    remarks += [
        f"{file}: of {count} finished samples the run was killed before they were written, and "
        "what the model did is lost. They are left out."
        for file, count in lost.items()
    ]
    records = (
        replace(record, again=record.again + len(errors[key]) - record.failed)
        for key, record in merged.items()
    )
    return [record for record in records if not record.lost], remarks


def _rank(record: SampleRecord) -> tuple[bool, bool, str]:
    """Of several records of a sample the highest counts: complete, without an error, the latest."""
    return not record.lost, not record.failed, record.order


def _read_log(file: Path, *, named: bool) -> EvalLog | None:
    """A log; None for one of another evaluation in a folder. Raises BadRequest, naming the file."""
    # 1 s of processor time, and an extra
    from inspect_ai.log import read_eval_log  # noqa: PLC0415

    if file.suffix not in SUFFIXES:
        raise BadRequest(f"{quoted(str(file), 200)} is not a log: logs end in .eval or .json.")
    try:
        log = read_eval_log(file, exclude_fields=UNREAD)
    except Exception as error:  # noqa: BLE001 - whatever a damaged file makes of a reader
        if file.suffix == ".json" and not named:  # there are many kinds of JSON files
            return None
        why = str(error).partition("\n")[0] or type(error).__name__
        raise BadRequest(
            f"Cannot read {quoted(str(file), 200)}: it is damaged, or not a log of Inspect ({why})."
        ) from None
    if _task_name(log) in TASKS:
        return log
    if named:
        raise BadRequest(
            f"{quoted(str(file), 200)} is a log of {quoted(log.eval.task)}, not of gridwise."
        )
    return None


def _task_name(log: EvalLog) -> str:
    package, _, name = (log.eval.task_registry_name or log.eval.task).rpartition("/")
    return name if package == "gridwise" else ""


def model_label(log: EvalLog) -> str:
    """The model and those of its settings that were given."""
    config = log.eval.model_generate_config
    given = {name: getattr(config, name, None) for name in SETTINGS}
    settings = [f"{name}={value}" for name, value in given.items() if value is not None]
    return " ".join([log.eval.model, *settings])


def _records(log: EvalLog, file: Path) -> Iterator[SampleRecord]:
    about = (log.eval.metadata or {}).get("gridwise")
    if not isinstance(about, dict) or not isinstance(about.get("conditions"), dict):
        raise BadRequest(f"The log {quoted(str(file), 200)} does not say its conditions.")
    for sample in log.samples or []:
        if not sample.scores:
            if log.status not in FINISHED:
                continue  # whoever stopped the run stopped this sample: nobody has failed
            if sample.error is None:
                raise BadRequest(
                    f"The log {quoted(str(file), 200)} has no scores. Try: inspect score "
                    f"--model none {file}"
                )
        try:
            yield _record(log, about, sample, file)
        except (BadRequest, KeyError, TypeError, ValueError) as error:
            why = error if isinstance(error, BadRequest) else repr(error)
            raise BadRequest(
                f"The log {quoted(str(file), 200)} is damaged at the sample "
                f"{quoted(str(sample.id))}: {why}"
            ) from None


def _record(log: EvalLog, task: dict[str, Any], sample: EvalSample, file: Path) -> SampleRecord:
    about, run = sample.metadata, log.eval
    scores = {name.removeprefix(PREFIX): each for name, each in (sample.scores or {}).items()}
    details = {name: each.metadata or {} for name, each in scores.items()}
    rules = scores.get("answers")
    failed, kept = sample.error is not None, sample.store.get(STORE_KEY)
    trial = None
    if not failed:
        trial = Trial.from_dict(kept) if kept else scored_trial(scores.values())
    if trial:
        trial = trial.counted(int(about["side"]), whole_game="pair" in about)
    opponent = _opponent(log, about.get("opponent", ""))
    usage, others = sample.model_usage.get(run.model), None
    if opponent == f"model:{run.model}":  # it is counted with the model's own
        others = sample.role_usage.get(OPPONENT_ROLE)
    bad = details.get("answers") or details.get("failures", {})
    return SampleRecord(
        model=model_label(log),
        conditions=tuple(sorted(task["conditions"].items())),
        task=_task_name(log),
        asked=tuple(sorted(task.get("asked", {}).items())),
        run=run.task_id,
        expected=int(task.get("samples", 0)) * (run.config.epochs or 1),
        id=str(sample.id),
        epoch=sample.epoch,
        game=about["game"],
        cluster=f"{run.task_args.get('seed', '')} {about['cluster']}",
        failed=failed,
        again=len(sample.error_retries or ()),
        lost=not failed and trial is None and rules is None,
        stopped=STOPPED in bad.get("answers", {})
        or bool("pair" in about and trial and trial.winner is None),
        opponent=opponent,
        pair=f"{run.task_id} {sample.epoch} {about['cluster']}" if "pair" in about else "",
        side=int(about.get("side", 0)),
        # From what was played: nobody needs to believe what a score says.
        points=trial.points(int(about["side"])) if trial and "pair" in about else None,
        game_regret=_figure("game_regret", _number(scores.get("game_regret")), inf),
        stalled=bool(details.get("game_regret", {}).get("stalled")),
        forfeit=str(details.get("points", {}).get("forfeit", "")),
        trial=trial,
        moves=tuple(map(_measured, details.get("regret", {}).get("moves", ()))),
        answers=tuple(sorted(bad.get("answers", {}).items())),
        # A score that was not given has no parts.
        right=tuple(sorted(rules.value.items()))
        if rules and not failed and isinstance(rules.value, dict)
        else (),
        input_tokens=_input_tokens(usage) - _input_tokens(others),
        output_tokens=(usage.output_tokens if usage else 0)
        - (others.output_tokens if others else 0),
        cost=usage.total_cost if usage else None,
        order=str(sample.completed_at or run.created),
        file=str(file),
    )


def _measured(move: dict[str, Any]) -> dict[str, Any]:
    """A move of the model, as a scorer has it; raises ValueError for figures that are none."""
    for name in MOVE_FIGURES:
        _figure(name, move[name], 1.0)
    return move


def _figure(name: str, value: float | None, most: float) -> float | None:
    if value is not None and not 0 <= value <= most:
        raise ValueError(f"{name} is {value}.")
    return value


def _number(score: Score | None) -> float | None:
    """A score's value; None for one that was not given."""
    value = score.as_float() if score else nan
    return None if isnan(value) else value


def _opponent(log: EvalLog, opponent: str) -> str:
    """The opponent's name; of a model, which one."""
    if opponent != "model":
        return opponent
    role = (log.eval.model_roles or {}).get(OPPONENT_ROLE)
    named = role[0] if isinstance(role, list) and role else role
    return f"model:{getattr(named, 'model', '')}"


def _input_tokens(usage: ModelUsage | None) -> int:
    """All tokens of the prompts, those from a cache too."""
    if usage is None:
        return 0
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached
