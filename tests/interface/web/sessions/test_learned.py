"""Models that the server has learned, as players that clients may name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import FlipdropError
from flipdrop.evaluation import Weights, write_weights
from flipdrop.games import game as game_of
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.interface.web.validation import make_limited_player, parse_player

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.interface.web.schemas import JobKind


def learned(folder: Path, kind: JobKind = "evolve") -> str:
    """The spec of the model of a job that has learned weights for Othello 6x6."""
    job = folder / "jobs" / f"{kind}-12345678"
    job.mkdir(parents=True)
    model = job / "D-tournament-ga-othello6.weights"
    write_weights(model, Weights("D", {"corners": 33}))
    plays_as = f"alphabeta:depth=2,evaluation={model}"
    data = JobSpec(kind, {"game": "othello6", "seed": 1}, "games.db", str(model), plays_as).to_json()
    data["started"] = "2026-01-01T00:00:00+00:00"
    (job / "job.json").write_text(json.dumps(data))
    return f"learned:{job.name}"


def test_learned_player(tmp_path: Path) -> None:
    spec, config, game = learned(tmp_path), ServerConfig(store=tmp_path / "games.db"), game_of("othello6")
    slot = parse_player(spec, game, config)
    assert (slot.spec, slot.name) == (spec, "D-tournament-ga-othello6")
    player, _ = make_limited_player(spec, game, config, seed=1)
    assert "33" in player.spec or "D-tournament-ga-othello6.weights" in player.spec
    assert player.choose(game.start()) in game.start().legal_moves


@pytest.mark.parametrize("spec", ["learned:", "learned:unknown", "learned:../x", "learned", "learned:a/b"])
def test_unknown_models(tmp_path: Path, spec: str) -> None:
    with pytest.raises(FlipdropError):
        parse_player(spec, game_of("othello6"), ServerConfig(store=tmp_path / "games.db"))


def test_game_of_model(tmp_path: Path) -> None:
    spec = learned(tmp_path)
    with pytest.raises(FlipdropError, match="has learned othello6, and this is othello"):
        parse_player(spec, game_of("othello"), ServerConfig(store=tmp_path / "games.db"))
    with pytest.raises(FlipdropError):
        parse_player(spec, game_of("othello6"), ServerConfig(store=tmp_path / "other" / "games.db"))
