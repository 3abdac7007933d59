"""Settings of a client become a job, or an error before any process starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.jobs.manager import Job, JobManager
from flipdrop.interface.web.jobs.service import JobService

if TYPE_CHECKING:
    from flipdrop.interface.web.jobs.spec import JobSpec


class RecordingManager(JobManager):
    """Records jobs instead of starting them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.specs: list[JobSpec] = []

    def start(self, spec: JobSpec, folder: Path | None = None) -> Job:
        from datetime import UTC, datetime

        self.specs.append(spec)
        where = folder or self.new_folder(spec.kind)
        return Job(where.name, spec, where, datetime.now(UTC), "running")


def service_in(folder: Path) -> tuple[JobService, RecordingManager]:
    service = JobService(ServerConfig(store=folder / "games.db"))
    service.manager = manager = RecordingManager(folder / "jobs")
    return service, manager


HOSTILE = [
    "",
    " ",
    "my_agent.py:MyAgent",
    "/etc/passwd",
    "gtp:rm -rf /",
    "nboard[name=x]:sh -c id",
    "--store=/tmp/x",
    "-h",
    "--json",
    "table:model=/etc/passwd",
    "network:model=x.onnx",
    "alphabeta:depth=2,evaluation=x.weights",
    "pattern:model=../x.pattern",
    "mcts:seconds=1e9",
    "iterative:table=999999",
    "random\0",
    "level:11",
    "learned:unknown",
    "learned:../../etc",
    "x" * 1000,
]


@pytest.mark.parametrize("spec", HOSTILE)
def test_forbidden_players(tmp_path: Path, spec: str) -> None:
    service, manager = service_in(tmp_path)
    with pytest.raises(FlipdropError):
        service.start_form("match", {"game": "othello", "first": spec, "second": "random"})
    with pytest.raises(FlipdropError):
        service.start_form("match", {"game": "othello", "first": "random", "second": spec})
    with pytest.raises(FlipdropError):
        service.start_form("tournament", {"game": "othello", "players": ["random", "greedy", spec]})
    with pytest.raises(FlipdropError):
        service.start_form("ladder", {"game": "othello", "player": spec})
    assert manager.specs == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 3},
        {"games": 0},
        {"games": -2},
        {"games": 10**9},
        {"games": "20"},
        {"games": True},
        {"openings": "/etc/passwd"},
        {"openings": "games.txt"},
        {"openings": "random:x"},
        {"openings": "random:99"},
        {"clock": "nan"},
        {"clock": "-1"},
        {"clock": "soon"},
        {"clock": "61/move"},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": 1.5},
        {"sprt": "5"},
        {"sprt": "50,0"},
        {"sprt": "nan,1"},
        {"game": "chess"},
        {"game": "connect4:99x99"},
    ],
)
def test_invalid_match_settings(tmp_path: Path, wrong: dict[str, Any]) -> None:
    service, manager = service_in(tmp_path)
    with pytest.raises(FlipdropError):
        service.start_form("match", {"game": "othello", "first": "random", "second": "greedy"} | wrong)
    assert manager.specs == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "R3"},
        {"evaluation": "A"},
        {"evaluation": "/etc/passwd"},
        {"evaluation": "lines"},
        {"population": 3},
        {"generations": 0},
        {"depth": 99},
        {"seconds": 0.0},
        {"seconds": float("nan")},
        {"seconds": 1e9},
    ],
)
def test_invalid_evolve_settings(tmp_path: Path, wrong: dict[str, Any]) -> None:
    service, manager = service_in(tmp_path)
    with pytest.raises(FlipdropError):
        service.start_form("evolve", {"game": "othello", "evaluation": "D"} | wrong)
    assert manager.specs == []


@pytest.mark.parametrize("game", ["othello4", "othello"])
@pytest.mark.parametrize(
    "wrong", [{"rule": "z"}, {"rate": -1.0}, {"epsilon": 2.0}, {"lambda_": float("nan")}, {"seconds": -5.0}]
)
def test_invalid_learn_settings(tmp_path: Path, game: str, wrong: dict[str, Any]) -> None:
    service, manager = service_in(tmp_path)
    with pytest.raises(FlipdropError):
        service.start_form("learn", {"game": game} | wrong)
    assert manager.specs == []


@pytest.mark.parametrize(
    "wrong", [{"body": "conv:99x9999"}, {"body": "rm"}, {"body": "dense:99999"}, {"simulations": 1}, {"seconds": 0.0}]
)
def test_invalid_train_settings(tmp_path: Path, wrong: dict[str, Any]) -> None:
    service, manager = service_in(tmp_path)
    with pytest.raises(FlipdropError):
        service.start_form("train", {"game": "connect4"} | wrong)
    assert manager.specs == []


anything = st.text(max_size=30) | st.sampled_from(
    [*HOSTILE, "random", "level:3", "start", "random:4", "1/move", "0,10"]
)


@given(first=anything, second=anything, openings=anything, clock=anything, sprt=anything, games=st.integers(-5, 500))
def test_any_input(
    tmp_path_factory: pytest.TempPathFactory,
    first: str,
    second: str,
    openings: str,
    clock: str,
    sprt: str,
    games: int,
) -> None:
    service, manager = service_in(tmp_path_factory.getbasetemp())
    try:
        settings = {"game": "connect4", "games": games, "openings": openings, "clock": clock, "sprt": sprt}
        service.start_form("match", settings | {"first": first, "second": second})
    except FlipdropError:
        assert manager.specs == []
        return
    (spec,) = manager.specs
    assert spec.competition().specs == (first.strip(), second.strip())
    assert spec.competition().to_json() == spec.settings


def test_random_seed(tmp_path: Path) -> None:
    service, manager = service_in(tmp_path)
    wanted = {"game": "othello4", "first": "random", "second": "greedy"}
    for _ in range(8):
        service.start_form("match", wanted)
    seeds = [spec.seed for spec in manager.specs]
    assert len(set(seeds)) > 1
    service.start_form("match", wanted | {"seed": 7})
    assert manager.specs[-1].seed == 7


def test_models(tmp_path: Path) -> None:
    service, _ = service_in(tmp_path)
    job = service.start_form("learn", {"game": "othello4", "rule": "q", "seconds": 5})
    assert job.plays_as is None
    model = Path(job.spec.model)
    assert model.parent == job.folder
    model.parent.mkdir(parents=True)
    model.touch()
    assert job.plays_as == f"table:model={model}"
    stopped = Job(job.id, job.spec, job.folder, job.started, "stopped")
    assert not stopped.can_resume
    job.spec.checkpoint.touch()
    assert stopped.can_resume
    assert not job.can_resume
