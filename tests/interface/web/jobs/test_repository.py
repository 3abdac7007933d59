"""ResultsRepository: what pages read from the store is what the arena itself says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.ladder import ladder as ladder_of
from flipdrop.arena.match import match
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.store import Point, RunWriter, Store
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import ArenaError
from flipdrop.evaluation import Weights, write_weights
from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.manager import Job, JobSpec
from flipdrop.interface.web.jobs.repository import ResultsRepository, best_weights, repeated_openings


def job_of(kind: str, game: str, **metadata: Any) -> Job:
    order = JobSpec(kind, game, (), metadata)  # type: ignore[arg-type]
    return Job(f"{kind}-1", order, Path(), datetime.now(UTC), "ended")


def test_a_match(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        played = match("random", "greedy", game="connect4:5x4", games=60, seed=3, store=store, threads=1)
        match("random", "greedy", game="connect4:5x4", games=4, seed=4, store=store, threads=1)
    results = ResultsRepository(tmp_path / "games.db")
    newest, first = results.events([])
    assert (first.key, first.kind, first.players, first.seed) == ("1", "match", ("random", "greedy"), 3)
    assert (newest.games, first.games, first.planned) == (4, 60, 60)
    now = results.match_result(first)
    assert now is not None
    assert (now.tally, now.elo, now.by_side) == (played.tally, played.elo, played.by_side)
    assert results.score(first) == played.tally.games
    last = results.history(first)[-1]
    assert (last.pairs, last.elo, last.low, last.high) == (30, played.elo.elo, *played.elo.elo_interval)
    assert [point.pairs for point in results.history(first)] == sorted({p.pairs for p in results.history(first)})


def test_a_match_that_a_test_has_ended(tmp_path: Path) -> None:
    test = Sprt(0, 200)
    with Store(tmp_path / "games.db") as store:
        played = match("greedy", "random", game="othello6", games=400, seed=1, sprt=test, store=store, threads=1)
    players = ["greedy", "random"]
    job = job_of("match", "othello6", players=players, seed=1, games=400, openings="random:4", sprt="0,200")
    (found,) = ResultsRepository(tmp_path / "games.db").events([job])
    assert found.job == job
    assert found.key == job.id
    now = ResultsRepository(tmp_path / "games.db").match_result(found)
    assert now is not None
    assert played.sprt is not None
    assert played.sprt.stopped
    assert (now.sprt, now.elo, now.tally) == (played.sprt, played.elo, played.tally)


def test_games_are_those_that_were_played(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        match("random", "greedy", game="othello4", games=20, seed=3, store=store, threads=1)
        games = {played.task.number: played for played in store.games(1)}
    results = ResultsRepository(tmp_path / "games.db")
    (found,) = results.events([])
    lines = results.games(found)
    assert [line.number for line in lines] == sorted(games, reverse=True)
    for line in lines:
        played = games[line.number]
        assert (line.first, line.second, line.result) == (played.task.first, played.task.second, played.result)
        record, same, goes_on = results.record(line.event, line.number)
        assert same == line
        assert goes_on == (line.number < 19)
        assert record.moves == played.moves
        assert (record.first, record.second, record.result) == (line.first, line.second, line.result)
    for event, number in ((1, 20), (2, 0), (-1, 0), (1, -1), (2**62, 2**62), (1, 10**30), (10**30, 0)):
        with pytest.raises(ArenaError, match="is not in"):
            results.record(event, number)


def test_a_tournament(tmp_path: Path) -> None:
    event = Tournament(
        entrants=("random", "greedy", "level:2"), game="connect4:5x4", games=10, openings="random:4", seed=5
    )
    with Store(tmp_path / "games.db") as store:
        played = event.run(store, runner_for(event.players, threads=1))
    results = ResultsRepository(tmp_path / "games.db")
    (found,) = results.events([])
    table = results.table(found)
    assert table is not None
    assert table.entries == played.entries
    assert (table.points == played.points).all()
    leader, share = results.leader(found)
    assert share == max(entry.games.score for entry in played.entries)
    assert leader in event.players
    assert results.table(found) is table, "it is not computed again"


def test_a_ladder_and_a_part_of_it(tmp_path: Path) -> None:
    placement = LadderPlacement(player="random", ladder=ladder_of("connect4"), games=4, opponents=2, seed=6)
    with Store(tmp_path / "games.db") as store:
        climbed = placement.run(store, runner_for(["random"], threads=1))
    results = ResultsRepository(tmp_path / "games.db")
    (found,) = results.events([])
    assert (found.kind, found.players, found.seed) == ("ladder", ("random",), 6)
    assert len(found.events) == 4
    now = results.climb(found)
    assert now is not None
    assert (now.rating, now.interval, now.met) == (climbed.rating, climbed.interval, climbed.met)
    # A ladder that is under way has games whose partners have not ended; they wait for them.
    with Store(tmp_path / "games.db") as store, store.writing() as connection:
        connection.execute("DELETE FROM games WHERE event = ? AND number = 1", (found.events[-1].id,))
    (less,) = ResultsRepository(tmp_path / "games.db").events([])
    part = ResultsRepository(tmp_path / "games.db").climb(less)
    assert part is not None
    assert part.games.total == climbed.games.total - 2
    job = job_of("ladder", "connect4", players=["random"], seed=6, games=24, openings="random:5")
    (of_job,) = results.events([job])
    assert of_job.events == less.events


def test_nothing_has_ended_yet(tmp_path: Path) -> None:
    job = job_of("match", "othello", players=["random", "greedy"], seed=1, games=10, openings="start")
    results = ResultsRepository(tmp_path / "new" / "games.db")
    (found,) = results.events([job])
    assert (found.games, found.events) == (0, ())
    assert results.match_result(found) is None
    assert results.table(found) is None
    assert results.climb(found) is None
    assert results.history(found) == []
    assert results.games(found) == []
    with pytest.raises(ArenaError, match="nothing is known"):
        results.event("other", [job])


def test_openings_that_came_again_are_told() -> None:
    few = Tournament(entrants=("random", "greedy"), game="othello4", games=40, openings="start", seed=1).first_event
    assert repeated_openings(few, 40) == 1
    assert repeated_openings(few, 2) is None
    many = Tournament(entrants=("random", "greedy"), game="othello", games=40, openings="random:8", seed=1).first_event
    assert repeated_openings(many, 40) is None


def test_a_run_that_was_resumed_has_one_curve(tmp_path: Path) -> None:
    file = tmp_path / "td.pattern"
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
        RunWriter.begin(store, file=str(file), **(wanted | {"seed": 3}))
    results = ResultsRepository(tmp_path / "games.db")
    runs = {run.seed: run for run in results.runs([])}
    assert results.curve(runs[2]) == points
    assert results.latest(runs[2]) == points[-1]
    assert runs[2].ended is not None
    assert runs[3].ended is None
    assert results.latest(runs[3]) is None
    job = job_of("learn", "othello6", model=str(file), seed=2, rule="td")
    assert results.run(job.id, [job]).ids == runs[2].ids
    assert results.run(runs[3].key, [job]) == runs[3]


def test_the_best_weights_of_a_run(tmp_path: Path) -> None:
    job = job_of("evolve", "othello", model=str(tmp_path / "d.weights"), seed=1, method="tournament-ga")
    results = ResultsRepository(tmp_path / "games.db")
    (run,) = results.runs([job])
    assert run.learner == "tournament-ga"
    assert best_weights(run) is None
    weights = Weights("D", {"corners": 33})
    write_weights(tmp_path / "d.weights", weights)
    assert best_weights(run) == weights


def test_the_best_weights_come_from_the_checkpoint_before_there_is_a_model(tmp_path: Path) -> None:
    from flipdrop.learning import TrainingRun
    from flipdrop.learning.genetic import RoundRobin, TournamentGA, genome

    game = game_of("othello4")
    learner = TournamentGA(game, genome("D", game), RoundRobin(depth=1, population=4), seed=1, every=0, threads=1)
    with Store(tmp_path / "games.db") as store:
        training_run = TrainingRun(learner, tmp_path / "d.weights")
        training_run.record = RunWriter.begin(
            store,
            learner=learner.name,
            game=game.name,
            seed=1,
            settings=learner.settings,
            file=str(tmp_path / "d.weights"),
        )
        learner.step()
        training_run.save()
    (run,) = ResultsRepository(tmp_path / "games.db").runs([])
    assert best_weights(run) == learner.weights


def test_a_match_under_way_is_counted_in_the_order_of_its_openings(tmp_path: Path) -> None:
    """A game of an early pair that still goes on holds the curve up, or quick games would count first."""
    with Store(tmp_path / "games.db") as store:
        match("random", "greedy", game="connect4:5x4", games=40, seed=3, store=store, threads=1)
        with store.writing() as connection:
            connection.execute("DELETE FROM games WHERE number IN (21, 30)")
    results = ResultsRepository(tmp_path / "games.db")
    (found,) = results.events([])
    assert results.history(found)[-1].pairs == 10
    now = results.match_result(found)
    assert now is not None
    assert now.tally.pairs.total == 18
