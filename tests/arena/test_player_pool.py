"""Engines are kept between the games of an event, and end with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop.arena import player_pool
from flipdrop.arena.player_pool import PlayerPool
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.errors import PlayerError
from flipdrop.games import game
from tests.arena.events import event, games_of
from tests.players.external.engines import all_gone, engine, processes

if TYPE_CHECKING:
    from pathlib import Path


CONNECT_FOUR = game("connect4")
SOON = 15.0  # s for processes to end on a busy machine


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """An engine that plays Connect Four and notes each of its starts."""
    note = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    return f"gtp[name=Columns]:{engine(tmp_path, before=note, kind='connect4')}"


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text())


def test_take_and_give_back(spec: str) -> None:
    with PlayerPool() as pool:
        one = pool.take(spec, game=CONNECT_FOUR, seed=1)
        two = pool.take(spec, game=CONNECT_FOUR, seed=2)
        assert one is not two  # an engine plays one game at a time
        pool.give_back(spec, one)
        assert pool.take(spec, game=CONNECT_FOUR, seed=3) is one
        assert pool.take(spec.replace("Columns", "Other"), game=CONNECT_FOUR, seed=3) not in (one, two)
        random = pool.take("random", game=CONNECT_FOUR, seed=4)
        pool.give_back("random", random)
        assert pool.take("random", game=CONNECT_FOUR, seed=5) is not random  # a player of another game has its own seed


def test_wrong_players(tmp_path: Path) -> None:
    nboard = f"nboard:{engine(tmp_path, kind='nboard')}"
    with PlayerPool() as pool:
        with pytest.raises(PlayerError, match="unknown player"):
            pool.take("randm", game=CONNECT_FOUR, seed=1)
        pool.give_back(nboard, pool.take(nboard, game=game("othello"), seed=1))
        with pytest.raises(PlayerError, match="cannot play Connect Four"):
            pool.take(nboard, game=CONNECT_FOUR, seed=1)


def test_number_of_idle_engines(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_pool, "MAX_IDLE", 2)
    with PlayerPool() as pool:
        taken = [pool.take(spec, game=CONNECT_FOUR, seed=1) for _ in range(3)]
        for one in taken:
            one.choose(CONNECT_FOUR.start())
        assert len(processes(tmp_path)) == 2 * 3  # each with its supervisor
        for one in taken:
            pool.give_back(spec, one)
        assert len(processes(tmp_path)) == 2 * 2
        assert pool.take(spec, game=CONNECT_FOUR, seed=1) is taken[1]
        taken[1].close()
    assert processes(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_engine_plays_all_games_of_an_event(spec: str, tmp_path: Path, threads: int) -> None:
    of = event(spec, "random", game="connect4", pairs=5)
    games = games_of(ThreadRunner(threads), of)
    assert [game.termination for game in games] == [""] * of.games
    assert starts(tmp_path) <= threads
    assert processes(tmp_path) == []


@pytest.mark.slow
def test_engines_of_a_tournament(spec: str, tmp_path: Path) -> None:
    of = event(spec, spec.replace("Columns", "Second"), "greedy:evaluation=lines", game="connect4", pairs=2)
    games = games_of(ThreadRunner(1), of)
    assert [game.termination for game in games] == [""] * of.games
    assert starts(tmp_path) == 2
    assert processes(tmp_path) == []


@pytest.mark.slow
def test_engine_against_an_agent(spec: str, tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("def first(position):\n    return position.legal_moves[0]\n")
    of = event(spec, f"{agent}:first", game="connect4", pairs=3)
    games = games_of(ThreadRunner(1), of)
    assert [game.termination for game in games] == [""] * of.games
    assert starts(tmp_path) == 1
    assert all_gone(tmp_path, within=SOON)


@pytest.mark.slow
def test_closing_the_games_ends_the_engines(spec: str, tmp_path: Path) -> None:
    running = ThreadRunner(2).run(event(spec, "random", game="connect4", pairs=500).tasks())
    next(running)
    assert processes(tmp_path)
    running.close()
    assert all_gone(tmp_path, within=SOON)


@pytest.mark.slow
def test_only_the_game_of_a_failure_is_forfeited(tmp_path: Path) -> None:
    crash = "if games == 2: os._exit(3)\nanswer(str(1 + heights.index(min(heights))))"
    crash += "\nheights[heights.index(min(heights))] += 1"
    note = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    spec = f"gtp[name=Bad]:{engine(tmp_path, crash, before=note, kind='connect4')}"
    games = games_of(ThreadRunner(1), event(spec, "random", game="connect4", pairs=2))
    assert [game.termination[:28] for game in games] == ["", "Bad ended with exit status 3"] * 2
    assert starts(tmp_path) == 2
