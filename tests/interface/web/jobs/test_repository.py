"""What pages read from the store equals what the arena computes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.arena.ladder import LadderPlacement, published_ladder
from flipdrop.arena.match import Match, match
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.store import Point, RunWriter, Store
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import FlipdropError
from flipdrop.evaluation import Weights, write_weights
from flipdrop.games import game as game_of
from flipdrop.games.records import decode_games
from flipdrop.interface.web.jobs.manager import Job, JobManager, UnknownJob
from flipdrop.interface.web.jobs.repository import ResultsRepository, best_weights, repeated_openings
from flipdrop.interface.web.jobs.spec import JobSpec

if TYPE_CHECKING:
    from flipdrop.arena.competition import Competition
    from flipdrop.interface.web.schemas import JobKind


class FixedJobs(JobManager):
    """Jobs without processes."""

    def __init__(self, *jobs: Job) -> None:
        super().__init__("unused")
        self._jobs = jobs

    def all(self) -> list[Job]:
        return list(self._jobs)

    def find(self, id_: str) -> Job:
        for job in self._jobs:
            if job.id == id_:
                return job
        raise UnknownJob(id_)


def repository(path: Path, *jobs: Job) -> ResultsRepository:
    return ResultsRepository(path, FixedJobs(*jobs))


def job_of(competition: Competition[Any]) -> Job:
    settings = competition.to_json()
    spec = JobSpec(settings["kind"], settings, "games.db")
    return Job(f"{spec.kind}-1", spec, Path(), datetime.now(UTC), "ended")


def learner_job(kind: JobKind, model: Path, **settings: Any) -> Job:
    spec = JobSpec(kind, settings | {"seconds": 60.0}, "games.db", str(model), "")
    return Job(f"{kind}-1", spec, Path(), datetime.now(UTC), "ended")


def test_match(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        played = match("random", "greedy", game="connect4:5x4", games=60, seed=3, store=store, threads=1)
        match("random", "greedy", game="connect4:5x4", games=4, seed=4, store=store, threads=1)
    results = repository(tmp_path / "games.db")
    newest, first = results.events()
    assert (first.key, first.kind, first.players, first.seed) == ("1", "match", ("random", "greedy"), 3)
    assert (newest.games, first.games, first.planned) == (4, 60, 60)
    now = results.result(first)
    assert now is not None
    assert (now.tally, now.elo, now.by_side) == (played.tally, played.elo, played.by_side)
    last = results.history(first)[-1]
    assert (last.pairs, last.elo, last.low, last.high) == (30, played.elo.elo, *played.elo.elo_interval)
    assert [point.pairs for point in results.history(first)] == sorted({p.pairs for p in results.history(first)})


def test_match_with_sprt(tmp_path: Path) -> None:
    test = Sprt(0, 200)
    with Store(tmp_path / "games.db") as store:
        played = match("greedy", "random", game="othello6", games=400, seed=1, sprt=test, store=store, threads=1)
    job = job_of(Match(players=("greedy", "random"), game="othello6", games=400, seed=1, sprt=test))
    results = repository(tmp_path / "games.db", job)
    (found,) = results.events()
    assert found.job == job.view
    assert found == results.event(job.id)
    now = results.result(found)
    assert now is not None
    assert played.sprt is not None
    assert played.sprt.decision != "continue"
    assert (now.sprt, now.elo, now.tally) == (played.sprt, played.elo, played.tally)


def test_games(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        match("random", "greedy", game="othello4", games=20, seed=3, store=store, threads=1)
        games = {played.task.number: played for played in store.games(1)}
    results = repository(tmp_path / "games.db")
    (found,) = results.events()
    lines = results.games(found)
    assert [line.number for line in lines] == sorted(games, reverse=True)
    for line in lines:
        played = games[line.number]
        assert (line.first, line.second, line.result) == (played.task.first, played.task.second, played.result)
        record, same, goes_on = results.record(line.event, line.number)
        assert same == line
        assert goes_on == (line.number < 19)
        assert record.moves == played.moves
        assert line.opening_plies == len(played.task.opening.moves)
        assert (record.first, record.second, record.result) == (line.first, line.second, line.result)
    for event, number in ((1, 20), (2, 0), (-1, 0), (1, -1), (2**62, 2**62), (1, 10**30), (10**30, 0)):
        with pytest.raises(FlipdropError, match=r"is not in|has no event"):
            results.record(event, number)


def test_export(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        match("random", "greedy", game="othello4", games=20, seed=3, store=store, threads=1)
        moves = [played.moves for played in store.games(1)]
    results = repository(tmp_path / "games.db")
    (found,) = results.events()
    assert len(results.export(found, "csv").splitlines()) == 21
    assert [record.moves for record in decode_games(results.export(found, "ggf"), "ggf")] == moves


def test_tournament(tmp_path: Path) -> None:
    event = Tournament(
        players=("random", "greedy", "level:2"), game="connect4:5x4", games=10, openings="random:4", seed=5
    )
    with Store(tmp_path / "games.db") as store:
        played = event.run(store, runner_for(event.players, threads=1))
    results = repository(tmp_path / "games.db")
    (found,) = results.events()
    table = results.result(found)
    assert table is not None
    assert table.entries == played.entries
    assert np.array_equal(table.scores, played.scores, equal_nan=True)
    best = results.leader(found)
    assert best is not None
    leader, share = best
    assert share == max(entry.games.score for entry in played.entries)
    assert leader in event.players
    assert results.result(found) is table, "it is not computed again"


def test_ladder(tmp_path: Path) -> None:
    placement = LadderPlacement(player="random", ladder=published_ladder("connect4"), games=4, opponents=2, seed=6)
    with Store(tmp_path / "games.db") as store:
        placed = placement.run(store, runner_for(["random"], threads=1))
    results = repository(tmp_path / "games.db")
    (found,) = results.events()
    assert (found.kind, found.players, found.seed) == ("ladder", ("random",), 6)
    assert len(found.parts) == 4
    now = results.result(found)
    assert now is not None
    assert (now.rating, now.interval, now.met) == (placed.rating, placed.interval, placed.met)
    # A ladder that is under way has games whose partners have not ended; they wait for them.
    with Store(tmp_path / "games.db") as store, store.writing() as connection:
        connection.execute("DELETE FROM games WHERE event = ? AND number = 1", (found.parts[-1].id,))
    (less,) = repository(tmp_path / "games.db").events()
    part = repository(tmp_path / "games.db").result(less)
    assert part is not None
    assert part.games.total == placed.games.total - 2
    (of_job,) = repository(tmp_path / "games.db", job_of(placement)).events()
    assert of_job.parts == less.parts
    assert repository(tmp_path / "games.db").event(less.key).parts == less.parts


def test_events_without_finished_games(tmp_path: Path) -> None:
    job = job_of(Match(players=("random", "greedy"), seed=1, games=10, openings="start"))
    results = repository(tmp_path / "new" / "games.db", job)
    (found,) = results.events()
    assert (found.games, found.parts) == (0, ())
    assert results.result(found) is None
    assert results.result(found) is None
    assert results.result(found) is None
    assert results.history(found) == []
    assert results.games(found) == []
    for key in ("other", "1", "9" * 30):
        with pytest.raises(FlipdropError):
            results.event(key)


def test_repeated_openings() -> None:
    few = Tournament(players=("random", "greedy"), game="othello4", games=40, openings="start", seed=1).first_event
    assert repeated_openings(few, 40) == 1
    assert repeated_openings(few, 2) is None
    many = Tournament(players=("random", "greedy"), game="othello", games=40, openings="random:8", seed=1).first_event
    assert repeated_openings(many, 40) is None


def test_resumed_run(tmp_path: Path) -> None:
    file = tmp_path / "learn-1" / "td.pattern"  # in the folder of a job
    wanted: dict[str, Any] = {"learner": "td", "game": "othello6", "seed": 2, "settings": {"rate": 1.0}}
    points = [Point(step, 10 * step, step / 2, {"score against random": step / 10}) for step in range(1, 6)]
    with Store(tmp_path / "games.db") as store:
        before = RunWriter.begin(store, file=str(file), **wanted)
        for point in points[:4]:
            before.add(point)
        after = RunWriter.begin(store, file=str(file), **wanted)  # from the checkpoint after the third step
        for point in points[3:]:
            after.add(point)
        after.end()
        RunWriter.begin(store, file=str(tmp_path / "td.pattern"), **(wanted | {"seed": 3}))
    results = repository(tmp_path / "games.db")
    runs = {run.seed: run for run in results.runs()}
    assert results.curve(runs[2]) == points
    assert runs[2].ended is not None
    assert runs[3].ended is None
    assert results.curve(runs[3]) == []
    job = learner_job("learn", file, game="othello6", seed=2, rule="td")
    results = repository(tmp_path / "games.db", job)
    assert results.run(job.id).ids == runs[2].ids
    assert results.run(runs[3].key) == runs[3]


def test_best_weights(tmp_path: Path) -> None:
    job = learner_job("evolve", tmp_path / "d.weights", game="othello", seed=1, method="tournament-ga")
    (run,) = repository(tmp_path / "games.db", job).runs()
    assert run.learner == "tournament-ga"
    assert best_weights(run) is None
    weights = Weights("D", {"corners": 33})
    write_weights(tmp_path / "d.weights", weights)
    assert best_weights(run) == weights


def test_best_weights_of_checkpoint(tmp_path: Path) -> None:
    from flipdrop.learning import TrainingRun
    from flipdrop.learning.genetic import TournamentGA, genome

    game = game_of("othello4")
    learner = TournamentGA(game, genome("D", game), depth=1, population=4, seed=1, benchmark_every=0, threads=1)
    with Store(tmp_path / "games.db") as store:
        training_run = TrainingRun(learner, tmp_path / "d.weights")
        training_run.record_in(store)
        learner.step()
        training_run.save()
    (run,) = repository(tmp_path / "games.db").runs()
    assert best_weights(run) == learner.weights


def test_incomplete_match(tmp_path: Path) -> None:
    """Pairs after an unfinished one wait, since short games would count first otherwise."""
    with Store(tmp_path / "games.db") as store:
        match("random", "greedy", game="connect4:5x4", games=40, seed=3, store=store, threads=1)
        with store.writing() as connection:
            connection.execute("DELETE FROM games WHERE number IN (21, 30)")
    results = repository(tmp_path / "games.db")
    (found,) = results.events()
    assert results.history(found)[-1].pairs == 10
    now = results.result(found)
    assert now is not None
    assert now.tally.pairs.total == 18
