"""Work on a Ray cluster: the results of every command are those of one machine; what goes wrong with clusters."""

from __future__ import annotations

import importlib
import socket
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop import Solver
from flipdrop.cluster import RayCluster, run_task
from flipdrop.errors import ArenaError, LearningError
from flipdrop.games import game
from flipdrop.learning.dataset import make_dataset, self_play_records
from flipdrop.learning.genetic.methods import make_evolution
from flipdrop.learning.network.learner import NetworkLearner
from flipdrop.learning.network.settings import TrainingSettings
from flipdrop.learning.patterns.evaluation import EvaluationLearner
from flipdrop.learning.tables.learner import TableLearner
from flipdrop.search.book_builder import OthelloBookSettings, build_othello_book
from flipdrop.workers import ThreadWorkers, results_in_order

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.learning import Learner
    from flipdrop.workers import Workers

pytestmark = pytest.mark.cluster


def double(factor: int, task: int) -> int:
    return factor * task


def fail(_: None, task: int) -> int:
    raise LearningError(f"task {task} is wrong")


def solved(workers: Workers, folder: Path) -> object:
    positions = [game("connect4").position(text) for text in ("444441343", "4444413432", "44444134322")]
    return [found.score for found in results_in_order(workers, _solve, Solver(book=False), positions)]


def _solve(solver: Solver, position: Any) -> Any:
    return solver.solve(position)


def dataset(workers: Workers, folder: Path) -> object:
    records = list(self_play_records("greedy:epsilon=0.5", game("othello6"), 12, seed=1))
    exact = make_dataset(records, label="exact", empties=(1, 8), workers=workers)
    searched = make_dataset(records, label="mcts:iterations=50", empties=(9, 9), workers=workers)
    return [*exact.value, *exact.best], [*searched.value, *searched.best]


def othello_book(workers: Workers, folder: Path) -> object:
    settings = OthelloBookSettings(positions=12, depth=2)
    made = build_othello_book(settings, folder / "notes", workers=workers, command="")
    lines = (folder / "notes").read_text().splitlines()[1:]
    return len(made), sorted(line.rpartition(" ")[0] for line in lines)  # without the CPU time


def steps(learner: Learner, workers: Workers, count: int) -> dict[str, Any]:
    learner.work_on(workers)
    for _ in range(count):
        learner.step()
    return {name: np.asarray(array).tolist() for name, array in learner.state().arrays.items()}


def evolved(workers: Workers, folder: Path) -> object:
    made = make_evolution("tournament-ga", game("othello6"), seed=1, threads=1, evaluation="D", population=8, depth=1)
    return steps(made, workers, 2)


def trained(workers: Workers, folder: Path) -> object:
    settings = TrainingSettings(
        body="dense:8",
        games=6,
        actors=3,
        slots=2,
        simulations=8,
        cheap_simulations=4,
        batch=16,
        window=500,
        opponent="",
    )
    return steps(NetworkLearner(game("connect4:5x4"), settings, seed=1), workers, 2)


def evaluated(workers: Workers, folder: Path) -> object:
    learner = EvaluationLearner(game("othello6"), seed=1, positions=1500, rounds=1, depth=1)
    learner.open_files(folder / "model.pattern")
    return steps(learner, workers, 1)


@pytest.mark.slow
def test_same_results_on_a_cluster(tmp_path: Path) -> None:
    work = (solved, dataset, othello_book, evolved, trained, evaluated)
    folders = {name: tmp_path / name for name in ("here", "there")}
    for name in folders.values():
        name.mkdir()
    with RayCluster("local", threads=2) as cluster:
        assert sorted(cluster.map(double, 2, range(20))) == [(n, 2 * n) for n in range(20)]
        for function in work:
            assert function(cluster, folders["there"]) == function(ThreadWorkers(2), folders["here"]), function.__name__
        with pytest.raises(ArenaError, match="cluster local: task 3 is wrong"):
            list(cluster.map(fail, None, [3]))
        ray: Any = importlib.import_module("ray")
        assert ray.is_initialized()
    assert not ray.is_initialized()


def test_table_cannot_be_shared() -> None:
    with pytest.raises(LearningError, match="one game after the other"):
        TableLearner(game("othello4"), "q", seed=1).work_on(ThreadWorkers(1))


@pytest.mark.parametrize("address", ["", "nonsense", "http://host:1", "host", "ray://", "host:port", "host:99999"])
def test_invalid_addresses(address: str) -> None:
    with pytest.raises(ArenaError, match=r"write ray://HOST:10001, HOST:PORT or local") as raised:
        RayCluster(address)
    assert repr(address) in str(raised.value)


@pytest.mark.timing
def test_unreachable_cluster() -> None:
    began = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        with pytest.raises(ArenaError, match=r"cannot be reached: Connection refused; is Ray running there\?"):
            list(RayCluster(address).map(double, 1, []))
    assert time.monotonic() - began < 10


def test_other_server_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdrop.cluster.CONNECT_TIMEOUT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(ArenaError, match="cannot be reached: timed out"):
            list(RayCluster(f"127.0.0.1:{port}").map(double, 1, []))


def test_missing_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ArenaError, match=r"pip install '\.\[cluster\]'"):
        list(RayCluster("local").map(double, 1, []))


def test_other_version() -> None:
    with pytest.raises(ArenaError, match=r"has flipdrop .* and this one has 0\.0\.0"):
        run_task(double, 1, 2, "0.0.0")
