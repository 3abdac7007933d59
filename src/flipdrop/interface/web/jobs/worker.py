"""The process of a job: ``python -m flipdrop.interface.web.jobs.worker FOLDER`` (see `manager` for the folder)."""

from __future__ import annotations

import json
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.files import atomic_write
from flipdrop.interface.web.agents.code import makers_of
from flipdrop.interface.web.jobs.manager import STOPPED
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.workers import core_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.learning import Learner

NICENESS = 5  # jobs leave the page and its searches their share of the cores
_NO_TIME = 1e-3  # s: a resumed run that does not learn, and writes its model


def run(folder: Path, execute: Callable[[JobSpec], int] | None = None) -> int:
    """Runs a job to its end, writes its exit status into the folder, and returns it.

    :param execute: does the work, and returns the exit status; `execute_job` by default
    """
    # A server that was started in the background of a script ignores SIGINT, and its children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the machine shuts down: the job can be resumed
    os.nice(NICENESS)
    code = 1
    try:
        spec = JobSpec.from_json(json.loads((folder / "job.json").read_text(encoding="utf-8")))
        # A stop that was requested before the handler above was installed has left this file only.
        code = STOPPED if (folder / "stop").exists() else (execute or execute_job)(spec)
        if code == STOPPED and spec.is_learner and spec.checkpoint.exists():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            train(spec, seconds=_NO_TIME)
    except FlipdropError as error:
        print(error, file=sys.stderr)
    finally:
        status = {"code": code, "at": datetime.now(UTC).isoformat()}
        atomic_write(folder / "ended.json", json.dumps(status).encode())
    return code


def execute_job(spec: JobSpec) -> int:
    """Runs the competition or the learner of a job, resuming earlier progress. Returns the exit status."""
    try:
        if spec.is_learner:
            train(spec, seconds=spec.settings["seconds"])
        else:
            from flipdrop.arena.running import runner_for
            from flipdrop.arena.store import Store

            competition, makers = spec.competition(), makers_of(spec.agents)
            with Store(spec.store) as store:
                competition.run(store, runner_for(competition.check(makers=makers), makers=makers))
    except KeyboardInterrupt:
        return STOPPED
    return 0


def train(spec: JobSpec, *, seconds: float | None) -> None:
    """Runs a learner, from its checkpoint if there is one, and writes its model."""
    from flipdrop.arena.store import Store
    from flipdrop.learning import Budget, TrainingRun

    learner, steps = make_learner(spec)
    training_run = TrainingRun(learner, spec.model)
    if training_run.checkpoint.exists():
        training_run.resume()
    with Store(spec.store) as store:
        training_run.record_in(store)
        training_run.rate_on_ladder()
        training_run.run(Budget(seconds=seconds, steps=steps))


def make_learner(spec: JobSpec) -> tuple[Learner, int | None]:
    """The learner, and how many steps it takes at most."""
    from flipdrop.games import game as game_of

    settings = {name: value for name, value in spec.settings.items() if name not in ("game", "seed", "seconds")}
    game, seed, threads = game_of(spec.game), spec.seed, core_count()
    if spec.kind == "evolve":
        from flipdrop.learning.genetic.methods import make_evolution, steps_of

        method = settings.pop("method")
        steps = steps_of(method, settings.get("generations"))
        return make_evolution(method, game, seed=seed, threads=threads, **settings), steps
    if spec.kind == "train":
        from flipdrop.learning.network import NetworkLearner, settings_for

        return NetworkLearner(game, settings_for(game, **settings), seed=seed, threads=threads), None
    if settings.pop("with") == "table":
        from flipdrop.learning.tables import TableLearner

        return TableLearner(game, seed=seed, **settings), None
    from flipdrop.learning.patterns import PatternLearner

    return PatternLearner(game, seed=seed, threads=threads, **settings), None


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])))
