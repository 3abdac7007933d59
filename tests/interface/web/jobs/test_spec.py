"""Specifications of jobs: the command line that is shown, and jobs of version 0.1.0."""

from __future__ import annotations

import json
from typing import Any

import pytest

from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.tournament import Tournament
from flipdrop.interface.web.jobs.spec import JobSpec

MATCH = JobSpec(
    "match",
    Match(
        players=("level:2", "random"),
        game="othello6",
        games=40,
        sprt=Sprt(0, 50),
        time=TimeControl(move=1),
        openings="random:4",
        seed=7,
    ).to_json(),
    "games.db",
)
TOURNAMENT = JobSpec(
    "tournament",
    Tournament(
        players=("random", "greedy", "level:1"), game="connect4", games=4, gauntlet=1, openings="random:5", seed=7
    ).to_json(),
    "games.db",
)
LADDER = JobSpec(
    "ladder", LadderPlacement(player="random", game="connect4", games=4, opponents=3, seed=7).to_json(), "games.db"
)
EVOLVE = JobSpec(
    "evolve",
    {"game": "othello4", "method": "tournament-ga", "evaluation": "D", "depth": 1, "population": 8, "generations": 5}
    | {"seconds": 300.0, "seed": 7},
    "games.db",
    "/jobs/evolve-1/D.weights",
    "alphabeta:depth=1,evaluation=/jobs/evolve-1/D.weights",
)
LEARN = JobSpec(
    "learn",
    {"game": "othello4", "rule": "q", "with": "table", "lambda_": 0.5, "seconds": 60.0, "seed": 7},
    "games.db",
    "/jobs/learn-1/q.table",
    "table:model=/jobs/learn-1/q.table",
)
ALL: dict[str, JobSpec] = {spec.kind: spec for spec in (MATCH, TOURNAMENT, LADDER, EVOLVE, LEARN)}


@pytest.mark.parametrize("kind", ALL)
def test_round_trip(kind: str) -> None:
    spec = ALL[kind]
    assert JobSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        (
            "match",
            "flipdrop match level:2 random --game othello6 --games 40 --sprt 0,50 --openings random:4 --seed 7 "
            "--clock 1/move",
        ),
        (
            "tournament",
            "flipdrop tournament random greedy level:1 --game connect4 --games 4 --gauntlet 1 --openings random:5 "
            "--seed 7",
        ),
        ("ladder", "flipdrop ladder random --game connect4 --games 4 --opponents 3 --seed 7"),
        (
            "evolve",
            "flipdrop evolve othello4 --method tournament-ga --evaluation D --depth 1 --population 8 --generations 5 "
            "--seconds 300 --seed 7 --out D.weights",
        ),
        ("learn", "flipdrop learn q othello4 --with table --lambda 0.5 --seconds 60 --seed 7 --out q.table"),
    ],
)
def test_command(kind: str, command: str) -> None:
    assert ALL[kind].command == command


def old_job(kind: str, game: str, arguments: str, **facts: Any) -> dict[str, Any]:
    """A job as version 0.1.0 wrote it."""
    return {
        "kind": kind,
        "game": game,
        "arguments": arguments.split(),
        "facts": facts,
        "when_stopped": [],
        "begun": "2026-11-01T12:00:00+00:00",
    }


def test_match_of_version_0_1() -> None:
    data = old_job(
        "match",
        "othello6",
        "match --game othello6 --games 40 --sprt 0,50 --openings random:4 --seed 7 --clock 1/move --store games.db "
        "--json -- level:2 random",
        players=["level:2", "random"],
        games=40,
        seed=7,
        openings="random:4",
        clock="1/move",
        sprt="0,50",
    )
    spec = JobSpec.from_json(data)
    assert spec.competition() == MATCH.competition()
    assert spec.command == MATCH.command


def test_other_competitions_of_version_0_1() -> None:
    data = old_job(
        "tournament",
        "connect4",
        "tournament --game connect4 --games 4 --gauntlet 1 --openings random:5 --seed 7 --store games.db --json -- x",
        players=["random", "greedy", "level:1"],
        games=8,
        seed=7,
        openings="random:5",
        clock=None,
        gauntlet=1,
    )
    assert JobSpec.from_json(data).competition() == TOURNAMENT.competition()
    data = old_job(
        "ladder",
        "connect4",
        "ladder --game connect4 --games 4 --opponents 3 --seed 7 --store games.db --json -- random",
        players=["random"],
        games=28,
        against_each=4,
        opponents=3,
        seed=7,
        openings="random:5",
    )
    assert JobSpec.from_json(data).competition() == LADDER.competition()


def test_learners_of_version_0_1() -> None:
    data = old_job(
        "evolve",
        "othello4",
        "evolve --method R1 --evaluation D --depth 1 --population 8 --generations 5 --store games.db --json --",
        method="R1",
        evaluation="D",
        population=8,
        generations=5,
        seed=7,
        seconds=300.0,
        model=EVOLVE.model,
        plays_as=EVOLVE.plays_as,
    )
    spec = JobSpec.from_json(data)
    assert spec.settings == EVOLVE.settings
    assert spec.plays_as == EVOLVE.plays_as
    data = old_job(
        "learn",
        "othello4",
        "learn --with table --lambda 0.5 --store games.db --json -- q othello4",
        **{"rule": "q", "with": "table", "lambda": 0.5},
        seed=7,
        seconds=60.0,
        model=LEARN.model,
        plays_as=LEARN.plays_as,
    )
    assert JobSpec.from_json(data).settings == LEARN.settings
