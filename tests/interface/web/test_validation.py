"""Input of clients is parsed or refused with a reason; it never names a file or a program, or exceeds the limits."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.arena.model import TimeControl
from flipdrop.errors import FlipdropError
from flipdrop.evaluation import Weights, write_weights
from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame
from flipdrop.games import game as game_of
from flipdrop.games.records import GameRecord, encode_games
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.interface.web.validation import (
    make_limited_player,
    parse_clock,
    parse_evaluation,
    parse_game,
    parse_player,
    parse_position,
)
from flipdrop.players import Clock, SearchPlayer
from flipdrop.search import Mcts
from tests.strategies import any_text, surrogates

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.interface.web.schemas import JobKind

LIMITS = Limits(threads=2)
CONFIG = ServerConfig(limits=LIMITS)
OTHELLO, CONNECT4 = OthelloGame(), ConnectFourGame()

CODE = [
    "my_agent.py:MyAgent",
    "/etc/passwd",
    "../x.py:Y",
    "gtp:sh -c 'touch /tmp/x'",
    "GTP : sh",
    "nboard[name=a]:edax",
    " nboard:edax",
    "mcts:evaluation=evil.py:run",
    "mcts:evaluation=my.weights",
    "iterative:evaluation=a/b",
    "greedy:evaluation=C:\\x.weights",
    "pattern:model=my.pattern",
    "table:model=my.table",
    "network:model=my.onnx",
]


@pytest.mark.parametrize("spec", CODE)
def test_forbidden_players(spec: str) -> None:
    with pytest.raises(FlipdropError) as error:
        parse_player(spec, OTHELLO, CONFIG)
    assert "No such file" not in str(error.value)  # the file was not opened


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ("iterative:seconds=61", "60"),
        ("iterative:table=65", "64"),
        ("iterative:threads=3", "2"),
        ("mcts:threads=1024", "2"),
        ("mcts:playouts=10000", "100"),
        ("mcts:seconds=1e300", "60"),
        ("solver:table=1000000", "64"),
        ("perfect:threads=64", "2"),
        ("flat:threads=3", "2"),
        ("network:batch=4096", "256"),
        ("pattern:table=65", "64"),
    ],
)
def test_limits_of_options(spec: str, most: str) -> None:
    with pytest.raises(FlipdropError, match=f"limit is {most}"):
        parse_player(spec, OTHELLO, CONFIG)


def test_sixty_seconds_a_move() -> None:
    assert parse_player("mcts:seconds=60", OTHELLO, CONFIG).spec == "mcts:seconds=60"
    with pytest.raises(FlipdropError, match="limit is 20"):
        parse_player("mcts:seconds=60", OTHELLO, ServerConfig(limits=Limits(seconds=20)))
    assert parse_clock(" 60/move ", LIMITS) == TimeControl(move=60)
    assert parse_clock(" ", LIMITS) is parse_clock(None, LIMITS) is None
    with pytest.raises(FlipdropError, match="limit is 60 s a move"):
        parse_clock("61/move", LIMITS)


@settings(deadline=None)
@given(spec=any_text() | surrogates() | st.from_regex(r"(mcts|iterative|flat|level|solver):[a-z]+=-?[0-9e.]{0,30}"))
def test_any_player(spec: str) -> None:
    try:
        slot = parse_player(spec, CONNECT4, CONFIG)
    except FlipdropError:
        return
    assert slot.spec is None or slot.name


@settings(deadline=None)
@given(text=any_text() | surrogates())
def test_any_position(text: str) -> None:
    for game in (OTHELLO, CONNECT4):
        try:
            start, moves = parse_position(text, game, LIMITS)
        except FlipdropError:
            continue
        for move in moves:
            start = start.play(move)


@settings(deadline=None)
@given(name=any_text() | surrogates())
def test_any_game_or_evaluation(name: str) -> None:
    for read in (parse_game, lambda text: parse_evaluation(text, OTHELLO)):
        try:
            read(name)
        except FlipdropError:
            continue


def test_pasted_positions() -> None:
    record = GameRecord.from_transcript(Othello(), "f5d6c3", first="Ada")
    ggf = encode_games([record], "ggf").decode()
    for text in ("f5d6c3", " F5 d6\nC3 ", ggf, "\n" + ggf):
        start, moves = parse_position(text, OTHELLO, LIMITS)
        assert (start, tuple(moves)) == (Othello(), record.moves)
    board = Othello.from_transcript("f5d6").board
    assert parse_position(board, OTHELLO, LIMITS) == (Othello(board), [])
    assert parse_position(Othello(size=6).board, OTHELLO, LIMITS) == (
        Othello(size=6),
        [],
    )  # its own size
    assert parse_position("44 53", CONNECT4, LIMITS)[1] == [3, 3, 4, 2]
    other = ConnectFour(columns=9, rows=7).play("3")
    assert parse_position(other.board, CONNECT4, LIMITS) == (other, [])
    with pytest.raises(FlipdropError, match="limit is 8000"):
        parse_position("f5" * 5000, OTHELLO, LIMITS)


@pytest.mark.parametrize(
    "name", ["D", "Seven.averaged", "B@positive", "D(15,6,-8,-6,4,4)", "D(15/6/-8/-6/4/4)", "patterns"]
)
def test_evaluations(name: str) -> None:
    found = parse_evaluation(name, OTHELLO)
    assert found is not None
    assert found.supports(OTHELLO)


@pytest.mark.parametrize("name", ["my.weights", "a/b", "x.py:f", "lines", "D(" + "1," * 200 + ")", "nonsense"])
def test_forbidden_evaluations(name: str) -> None:
    with pytest.raises(FlipdropError):
        parse_evaluation(name, OTHELLO)


@pytest.mark.timing
@pytest.mark.parametrize(
    "spec",
    [
        "mcts:iterations=1000000000",
        "mcts:playouts=100,iterations=1000000",
        "minimax:depth=60",
        "alphabeta:depth=60",
        "iterative:depth=60",
        "flat:games=1000000000",
        "solver",
        "perfect",
        "iterative",
        "level:10",
    ],
)
def test_time_limit(spec: str) -> None:
    player, _ = make_limited_player(spec, OTHELLO, CONFIG, seed=0)
    began = time.perf_counter()
    player.choose(Othello.from_transcript("f5d6c3"), Clock(move_limit=0.2))
    assert time.perf_counter() - began < 5  # a busy machine is slow, but none of these would end within minutes


@pytest.mark.timing
def test_memory_limit() -> None:
    player, _ = make_limited_player(
        "mcts:seconds=30,reuse=yes", OTHELLO, ServerConfig(limits=Limits(megabytes=1)), seed=0
    )
    assert isinstance(player, SearchPlayer)
    assert isinstance(player.search, Mcts)
    assert not player.reuse
    began = time.perf_counter()
    report = player.search.search(Othello())
    assert time.perf_counter() - began < 15
    assert report.nodes <= 2**20


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
