"""Requirements that every experiment meets."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from flipdrop.arena.openings import Openings
from flipdrop.errors import ArenaError
from flipdrop.experiments import q_learners, q_threads, r1_1, r2_1, r5_1
from flipdrop.experiments.catalogue import experiment, experiments
from flipdrop.experiments.experiment import SIZES, Experiment
from flipdrop.experiments.tasks import MatchTask, MeasureTask
from flipdrop.games import game
from flipdrop.players import player

ALL = list(experiments().values())
_TABLES = {"R1": 6, "R2": 2, "R3": 4, "R4": 2, "R5": 2}
REPORTS = tuple(f"{report}.{number}" for report, tables in _TABLES.items() for number in range(1, tables + 1))
_QUICK, _FULL = 100.0, 110 * 60.0  # s for all of them together on two cores


def test_every_table_of_the_reports_is_there_and_in_order() -> None:
    names = [one.name for one in ALL]
    assert tuple(name for name in names if name.startswith("R")) == REPORTS
    questions = [name for name in names if name.startswith("Q")]
    assert names == [*REPORTS, *questions]
    assert questions == [f"Q{number}" for number in range(1, len(questions) + 1)]


def test_they_are_found_by_name() -> None:
    assert experiment("r1.1") is experiment("R1.1") is ALL[0]
    with pytest.raises(ArenaError, match=r"'R1\.9'.*did you mean R1\.\d.*R5\.1"):
        experiment("R1.9")


@pytest.mark.parametrize("of", ALL, ids=lambda of: of.name)
@pytest.mark.parametrize("size", SIZES)
def test_parts(of: Experiment, size: str) -> None:
    tasks = of.tasks(size)  # type: ignore[arg-type]
    keys = [task.key for task in tasks]
    assert len(set(keys)) == len(keys)
    for number, task in enumerate(tasks):
        assert task.estimate > 0
        assert json.loads(json.dumps(task.settings)) == task.settings
        for needed in task.depends_on.values():
            assert needed in tasks[:number], f"{task.key} needs {needed.key}, which comes later"
    assert [task.settings for task in of.tasks(size)] == [task.settings for task in tasks]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("module", "constant", "other"),
    [
        (r1_1, "DIGITS", 3),
        (r1_1, "OPERATORS", "others"),
        (r2_1, "ROUNDS", 9),
        (r5_1, "GENERATIONS", 7),
        (q_threads, "PLIES", (4, 6)),
    ],
)
def test_a_part_is_run_again_if_what_decides_it_changes(
    module: Any, constant: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parameters() -> list[object]:
        return [task.settings for task in module.EXPERIMENT.tasks("full") if isinstance(task, MeasureTask)]

    before = parameters()
    monkeypatch.setattr(module, constant, other)
    assert parameters() != before


def test_learners_are_asked_with_all_their_settings() -> None:
    tasks = {task.key: task.settings for task in experiment("Q6").tasks("full")}
    entries = q_learners.entries("full")
    for entry in entries:
        algorithm = tasks[f"learning: {entry.name}"]["algorithm"]
        assert algorithm == json.loads(json.dumps(entry.settings)) != {}
    assert any("population" in tasks[f"learning: {entry.name}"]["algorithm"] for entry in entries)


@pytest.mark.parametrize("of", ALL, ids=lambda of: of.name)
def test_players_and_openings_can_be_made(of: Experiment) -> None:
    for task in of.tasks("full"):
        if isinstance(task, MatchTask):
            assert task.games % 2 == 0
            kind = game(task.game)
            for spec in (task.first, task.second):
                if "{" not in spec:
                    player(spec, game=kind).close()
            Openings(kind, task.settings["openings"], 1).take(1)


@pytest.mark.parametrize("of", ALL, ids=lambda of: of.name)
def test_they_say_what_they_are_about(of: Experiment) -> None:
    assert of.title[0].isupper()
    assert not of.title.endswith(".")
    assert of.question.endswith("?")
    assert (of.claim.source in ("R1", "R2", "R3", "R4", "R5")) or of.name.startswith("Q")
    assert of.settings_from.endswith(".")
    assert re.fullmatch(r"[rq]\d+(-\d+)?", of.slug)


def test_they_keep_within_their_time() -> None:
    assert sum(of.estimate("quick") for of in ALL) <= _QUICK
    assert sum(of.estimate("full") for of in ALL) <= _FULL
