"""Running experiments: tasks without a stored result run one after the other, and each result is stored at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.arena.store import ExperimentResult, load_results, save_result
from flipdrop.experiments.experiment import Results
from flipdrop.experiments.tasks import TaskContext

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from flipdrop.arena.store import Store
    from flipdrop.cluster import RayCluster
    from flipdrop.experiments.experiment import Experiment, Size
    from flipdrop.experiments.tasks import Task


@dataclass
class Progress:
    """The progress of a run of experiments.

    :param experiment: the current one
    :param key: of the current task
    :param status: reported by the task
    :param total: estimated seconds of all tasks to run
    :param done: estimated seconds of the finished ones
    """

    total: float
    experiment: str = ""
    key: str = ""
    status: str = ""
    done: float = 0.0
    began: float = field(default_factory=perf_counter)

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 1.0

    @property
    def seconds_left(self) -> float | None:
        """Extrapolated from the time so far; None in the first second and percent."""
        spent = perf_counter() - self.began
        if self.share < 0.01 or spent < 1:
            return None
        return spent * (1 - self.share) / self.share


def missing(experiment: Experiment, store: Store, *, size: Size, seed: int) -> list[Task]:
    """The tasks without a stored result of the same settings."""
    kept = load_results(store, experiment=experiment.name, size=size, seed=seed)
    tasks = experiment.tasks(size)
    return [task for task in tasks if task.key not in kept or kept[task.key].settings != task.settings]


def stored_results(experiment: Experiment, store: Store, *, size: Size, seed: int) -> Results | None:
    """The results of an experiment; None if some are not in the store."""
    kept = load_results(store, experiment=experiment.name, size=size, seed=seed)
    keys = [task.key for task in experiment.tasks(size)]
    results = Results(size, seed, {key: kept[key] for key in keys if key in kept})
    return results if experiment.is_current(results) else None


def run_experiments(
    experiments: Sequence[Experiment],
    store: Store,
    *,
    size: Size,
    seed: int,
    threads: int,
    folder: Path,
    cluster: RayCluster | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> dict[str, Results]:
    """Runs the tasks without stored results, and returns the results of all experiments by name.

    After an interruption the same call continues: results of finished tasks and games of matches are in the store, and
    training runs have checkpoints.

    :param folder: for models and other files of the tasks
    :param cluster: plays the games of matches whose moves are not timed
    :param progress: called at the start and end of each task, and whenever a task reports
    """
    remaining = {one.name: missing(one, store, size=size, seed=seed) for one in experiments}
    state = Progress(sum(task.estimate for tasks in remaining.values() for task in tasks))
    for experiment in experiments:
        kept = load_results(store, experiment=experiment.name, size=size, seed=seed)
        values = {key: task.values for key, task in kept.items()}
        for task in remaining[experiment.name]:
            state.experiment, state.key, state.status = experiment.name, task.key, ""
            before = state.done

            def report(share: float, status: str, before: float = before, task: Task = task) -> None:
                state.done, state.status = before + share * task.estimate, status
                if progress:
                    progress(state)

            report(0.0, "")
            context = TaskContext(
                store=store,
                folder=folder,
                seed=seed,
                threads=threads,
                values=values,
                report_progress=report,
                cluster=cluster,
            )
            began = perf_counter()
            values[task.key] = task.run(context)
            save_result(
                store,
                ExperimentResult(
                    experiment=experiment.name,
                    size=size,
                    key=task.key,
                    seed=seed,
                    settings=task.settings,
                    values=values[task.key],
                    seconds=context.seconds_before + perf_counter() - began,
                    threads=threads,
                    event=context.event,
                    run=context.run,
                ),
            )
            report(1.0, "")
    found = {}
    for experiment in experiments:
        results = stored_results(experiment, store, size=size, seed=seed)
        assert results is not None, "every task has just been run"
        found[experiment.name] = results
    return found
