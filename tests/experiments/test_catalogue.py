"""What every experiment has to be: one test for all of them."""

from __future__ import annotations

import json
import re

import pytest

from flipdrop.arena.openings import Openings
from flipdrop.errors import ArenaError
from flipdrop.experiments.catalogue import experiment, experiments
from flipdrop.experiments.experiment import SIZES, Experiment
from flipdrop.experiments.parts import MatchPart
from flipdrop.games import game
from flipdrop.players import player

ALL = list(experiments().values())
REPORTS = ("R1.1", "R1.2", "R1.3", "R1.4", "R2.1", "R2.2", "R3.1", "R3.2", "R4.1", "R5.1")
_QUICK, _FULL = 100.0, 75 * 60.0  # s for all of them together on two cores


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
    parts = of.parts(size, 1)  # type: ignore[arg-type]
    keys = [part.key for part in parts]
    assert len(set(keys)) == len(keys)
    for number, part in enumerate(parts):
        assert part.estimate > 0
        assert part.seed == 1
        assert json.loads(json.dumps(part.settings)) == part.settings
        for needed in part.needs.values():
            assert needed in parts[:number], f"{part.key} needs {needed.key}, which comes later"
    assert [part.settings for part in of.parts(size, 1)] == [part.settings for part in parts]  # type: ignore[arg-type]


@pytest.mark.parametrize("of", ALL, ids=lambda of: of.name)
def test_players_and_openings_can_be_made(of: Experiment) -> None:
    for part in of.parts("full", 1):
        if isinstance(part, MatchPart):
            assert part.games % 2 == 0
            kind = game(part.game)
            for spec in (part.first, part.second):
                if "{" not in spec:
                    player(spec, game=kind).close()
            Openings(kind, part.settings["openings"], 1).take(1)


@pytest.mark.parametrize("of", ALL, ids=lambda of: of.name)
def test_they_say_what_they_are_about(of: Experiment) -> None:
    assert of.title[0].isupper()
    assert not of.title.endswith(".")
    assert of.question.endswith("?")
    assert (of.claim.source in ("R1", "R2", "R3", "R4", "R5")) or of.name.startswith("Q")
    assert re.fullmatch(r"[rq]\d+(-\d+)?", of.slug)


def test_they_keep_within_their_time() -> None:
    assert sum(of.estimate("quick") for of in ALL) <= _QUICK
    assert sum(of.estimate("full") for of in ALL) <= _FULL
