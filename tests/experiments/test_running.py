"""Running experiments: stored tasks are not run again, and an interrupted run resumes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.match import match
from flipdrop.arena.store import Store, load_results
from flipdrop.experiments.running import Progress, missing, run_experiments, stored_results
from flipdrop.experiments.tasks import MatchTask
from tests.experiments.examples import COUNTED, SMALL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.experiments.experiment import Experiment, Results


def run(
    store: Store,
    folder: Path,
    *,
    experiment: Experiment = SMALL,
    progress: Callable[[Progress], object] | None = None,
    **options: Any,
) -> Results:
    settings: dict[str, Any] = {"size": "quick", "seed": 1, "threads": 2} | options
    return run_experiments([experiment], store, folder=folder, progress=progress, **settings)[experiment.name]


def values_of(results: Results) -> dict[str, dict[str, Any]]:
    """The values without those that depend on the clock."""
    return {key: {name: value for name, value in results[key].items() if name != "games_a_second"} for key in results}


def test_a_match_says_what_the_arena_says(tmp_path: Path) -> None:
    with Store(None) as store:
        values = run(store, tmp_path)["first"]
    expected = match("greedy", "random", game="othello4", games=6, seed=1)
    games = expected.tally.games
    assert (values["wins"], values["draws"], values["losses"]) == (games.wins, games.draws, games.losses)
    assert tuple(values["score_interval"]) == expected.elo.score_interval
    assert values["margin"] == pytest.approx(expected.margin)
    assert values["players"] == ["greedy", "random"]
    sides = values["as_first"], values["as_second"]
    assert [side["wins"] for side in sides] == [by.wins for by in expected.by_side]
    assert sum(side["margin"] for side in sides) / 2 == pytest.approx(expected.margin)


def test_matches_with_openings_of_their_own(tmp_path: Path) -> None:
    """With `own_openings` games are independent and can be pooled; without it all matches share their openings."""

    def tasks(size: Any) -> Any:
        one = MatchTask(key="a", first="greedy", second="random", game="othello4", openings="random:3", games=20)
        shared = [one, dataclasses.replace(one, key="b")]
        return shared + [dataclasses.replace(task, key=f"own {task.key}", own_openings=True) for task in shared]

    with Store(None) as store:
        run(store, tmp_path, experiment=dataclasses.replace(SMALL, tasks=tasks))
        kept = load_results(store, experiment=SMALL.name, size="quick", seed=1)
        began = {
            key: tuple(tuple(played.task.opening.moves) for played in store.games(task.event or 0))
            for key, task in kept.items()
        }
    assert began["a"] == began["b"]
    assert len(set(began.values())) == 3


def test_a_part_uses_what_another_has_found(tmp_path: Path) -> None:
    with Store(None) as store:
        results = run(store, tmp_path)
    assert results["second"]["players"] == ["mcts:iterations=3", "random"]
    assert results.done["second"].settings["needs"]["it"]["iterations"] == 3


def test_what_is_kept_is_not_run_again(tmp_path: Path) -> None:
    COUNTED.clear()
    with Store(tmp_path / "games.db") as store:
        first = run(store, tmp_path)
    with Store(tmp_path / "games.db") as store:
        assert missing(SMALL, store, size="quick", seed=1) == []
        assert run(store, tmp_path) == first
        assert stored_results(SMALL, store, size="quick", seed=1) == first
        assert stored_results(SMALL, store, size="full", seed=1) is None
        assert len(missing(SMALL, store, size="quick", seed=2)) == 3
    assert COUNTED == ["found"]


def test_a_changed_setting_runs_the_part_and_those_that_need_it(tmp_path: Path) -> None:
    def changed(size: Any) -> Any:
        found, first, second = SMALL.tasks(size)
        assert isinstance(found.settings, dict)
        found = dataclasses.replace(found, parameters={"iterations": 4})  # type: ignore[call-arg]
        return [found, first, dataclasses.replace(second, depends_on={"it": found})]

    other = dataclasses.replace(SMALL, tasks=changed)
    with Store(None) as store:
        before = run(store, tmp_path)
        assert [task.key for task in missing(other, store, size="quick", seed=1)] == ["found", "second"]
        after = run(store, tmp_path, experiment=other)
        assert after.done["first"] == before.done["first"]
        assert after["second"]["players"] == ["mcts:iterations=4", "random"]
        assert stored_results(SMALL, store, size="quick", seed=1) is None


@pytest.mark.parametrize("moment", range(1, 8))
def test_stopped_at_any_instant_it_goes_on_to_the_same_result(moment: int, tmp_path: Path) -> None:
    reports = 0

    def stop(_: Progress) -> None:
        nonlocal reports
        reports += 1
        if reports == moment:
            raise KeyboardInterrupt

    with Store(None) as store:
        whole = run(store, tmp_path)
    with Store(tmp_path / "games.db") as store, pytest.raises(KeyboardInterrupt):
        run(store, tmp_path, progress=stop)
    with Store(tmp_path / "games.db") as store:
        kept = load_results(store, experiment=SMALL.name, size="quick", seed=1)
        left = missing(SMALL, store, size="quick", seed=1)
        assert len(kept) + len(left) == 3
        assert left, "it was stopped before its end"
        assert values_of(run(store, tmp_path)) == values_of(whole)


def test_games_of_a_quick_run_are_the_first_of_the_full_one(tmp_path: Path) -> None:
    with Store(None) as store:
        run(store, tmp_path)
        full = run(store, tmp_path, size="full")
    with Store(None) as store:
        assert values_of(run(store, tmp_path, size="full")) == values_of(full)
    with Store(None) as store:  # nor does a quick run count the games of a full one that the store has
        run(store, tmp_path, size="full")
        after = values_of(run(store, tmp_path))
    with Store(None) as store:
        assert values_of(run(store, tmp_path)) == after


def test_threads_change_nothing(tmp_path: Path) -> None:
    with Store(None) as store:
        one = run(store, tmp_path, threads=1)
    with Store(None) as store:
        assert values_of(run(store, tmp_path, threads=3)) == values_of(one)
    assert {done.threads for done in one.done.values()} == {1}


def test_progress_rises_to_the_end(tmp_path: Path) -> None:
    shares: list[float] = []
    with Store(None) as store:
        run(store, tmp_path, progress=lambda progress: shares.append(progress.share))
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)
