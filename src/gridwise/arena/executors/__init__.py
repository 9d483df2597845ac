"""Executors: the same tasks on the processors of this machine, or on a Dask cluster.

A `Task` names a function and its arguments, all of it JSON. An `Executor` runs tasks and gives back
results as they come; `open_executor` picks one. `ResultFolder` keeps each result in a file of its
own, and `run_tasks` runs only those that are not there yet: a run that was killed goes on where it
stopped.

    with open_executor(workers, cluster) as executor:
        for task, result in run_tasks(tasks, executor, ResultFolder(folder, about)):
            ...

Results come in any order. Whoever adds them up in the order of the tasks gets the same figures, to
the digit, from any number of workers anywhere.
"""

from gridwise.arena.executors.executor import Executor, open_executor
from gridwise.arena.executors.local import LocalProcesses, processors
from gridwise.arena.executors.result_folder import ResultFolder, recorded_seed, run_tasks
from gridwise.arena.executors.tasks import JSON, Task, TaskFailed

__all__ = [
    "JSON",
    "Executor",
    "LocalProcesses",
    "ResultFolder",
    "Task",
    "TaskFailed",
    "open_executor",
    "processors",
    "recorded_seed",
    "run_tasks",
]
