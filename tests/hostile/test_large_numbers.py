"""Whole numbers of more than 64 bits: the ordinary error, in Python, on the command line and in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.batch import Games
from flipdrop.errors import FlipdropError, OptionError
from flipdrop.options import options_of
from flipdrop.players import PLAYER_TYPES, player
from flipdrop.search import Engine, Mcts, Minimax, Solver
from flipdrop.search.mcts import parse_schedule
from tests.interface.cli.support import run_here
from tests.interface.web.api.conftest import service as service

if TYPE_CHECKING:
    import httpx

    from flipdrop.interface.web.services import Services
    from tests.interface.web.api.conftest import Service

NUMBERS = (2**64, 10**30, -(10**30), 10**400, 10**5000)


@pytest.mark.parametrize("settings", [Minimax, Mcts, Engine, Solver], ids=lambda settings: settings.__name__)
def test_constructors(settings: Any) -> None:
    for one in options_of(settings):
        if one.type in (int, float):
            for number in NUMBERS:
                with pytest.raises(OptionError, match=f"{one.name}=") as caught:
                    settings(**{one.name: number})
                assert len(str(caught.value)) < 500


@pytest.mark.parametrize("kind", PLAYER_TYPES)
def test_specs(kind: str) -> None:
    for one in PLAYER_TYPES[kind].options:
        if one.type is int:
            for number in ("9" * 25, "-" + "9" * 25, "9" * 5000):
                with pytest.raises(FlipdropError):
                    player(f"{kind}:{one.name}={number}", game="othello")


def test_schedules() -> None:
    for text in (f"0:{10**30}", f"0:10/{10**30}", "0:" + "9" * 5000):
        with pytest.raises(FlipdropError, match="write PLY:ITERATIONS"):
            parse_schedule(text)


def test_batches() -> None:
    for name in ("size", "planes", "random_plies", "seed", "threads"):
        with pytest.raises(OptionError, match=f"{name} is a number of 71 bits"):
            Games("othello", **{name: 2**70})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", "othello4", "", "--nodes"),
        ("analyse", "othello4", "", "--seed"),
        ("solve", "othello4", "", "--nodes"),
        ("tournament", "random", "greedy", "--game", "othello4", "--seed"),
        ("evolve", "othello4", "--openings-per-generation"),
        ("games",),
        ("nboard", "--seed"),
    ],
    ids=" ".join,
)
def test_commands(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for number in (2**64, 10**30, 10**400):
        status, out, error = run_here(capsys, *arguments, str(number))
        assert (status, out) == (2, "")
        assert "Invalid value for" in error


def test_api(service: Service) -> None:
    async def post(client: httpx.AsyncClient, _: Services) -> None:
        for spec in (f"iterative:nodes={10**30}", f"mcts:iterations={10**30}", f"mcts:schedule=0:{10**30}"):
            answer = await client.post("/api/sessions", json={"game": "othello4", "second": spec})
            assert answer.status_code == 400, answer.text
            assert answer.json()["error"]
        for field, value in {"seed": 10**30, "seconds": 10**400}.items():
            answer = await client.post("/api/sessions", json={"game": "othello4", field: value})
            assert answer.status_code == 422, answer.text

    service.run(post)
