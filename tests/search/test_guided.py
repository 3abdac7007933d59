"""PUCT with an evaluation: the same visits and values as a slow search in Python, proofs, limits."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from flipdrop.errors import FlipdropError, OptionError, PlayerError, SearchError
from flipdrop.games import ConnectFour, Othello, game
from flipdrop.players import player
from flipdrop.players.analysing import analyse
from flipdrop.search import GuidedSearch, Solver
from flipdrop.search.guided import guiding_evaluation
from flipdrop.search.win_probability import scale_of
from tests.reference.puct import VALUES, ReferencePuct
from tests.strategies import AnyGame, all_games, random_line, randoms

if TYPE_CHECKING:
    from flipdrop.search import SearchReport
    from tests.strategies import AnyPosition


def assert_equals_the_reference(search: GuidedSearch, position: AnyPosition) -> None:
    report = search.search(position)
    used = search.evaluation_for(position.game)
    reference = ReferencePuct(used.score, scale_of(used).half_point, search.c, search.fpu_reduction, search.temperature)
    root = reference.run(position, search.simulations or 0)
    assert report.nodes == root.visits
    assert report.proven == bool(root.proof)
    assert {m.move: m.visits for m in report.moves} == {child.move: child.visits for child in root.children}
    for m in report.moves:
        (child,) = (child for child in root.children if child.move == m.move)
        wanted = VALUES[child.proof] if child.proof else child.mean
        assert m.value == pytest.approx(wanted, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(all_games(), randoms())
def test_equals_the_reference(game: AnyGame, source: random.Random) -> None:
    position = source.choice(random_line(game, source))
    if not position.is_over:
        c, fpu_reduction = source.choice((0.3, 0.7, 2.0)), source.choice((0.0, 0.25))
        assert_equals_the_reference(GuidedSearch(simulations=60, c=c, fpu_reduction=fpu_reduction), position)


@pytest.mark.parametrize("evaluation", ["D", "patterns"])
@pytest.mark.parametrize("temperature", [0.1, 1.0])
def test_equals_the_reference_with_other_evaluations(evaluation: Any, temperature: float) -> None:
    for seed in range(3):
        position = random_line(game("othello"), random.Random(seed), plies=20 + seed)[-1]  # type: ignore[arg-type]
        assert_equals_the_reference(
            GuidedSearch(simulations=50, evaluation=evaluation, temperature=temperature), position
        )


def test_function_as_the_evaluation() -> None:
    def corners(position: Othello) -> float:
        own = "X" if position.to_move == 0 else "O"
        return sum(100.0 if position.cells[corner] == own else 0.0 for corner in (0, 7, 56, 63))

    report = GuidedSearch(simulations=40, evaluation=corners).search(Othello())  # type: ignore[arg-type]
    assert report.nodes == 40


def test_best_evaluation_of_each_board() -> None:
    names = {name: guiding_evaluation(game(name)).name for name in ("othello", "othello6", "connect4", "connect4:9x9")}
    assert names["othello"] == "othello.pattern"
    assert names["othello6"] == "othello6.pattern"
    assert names["connect4"] == names["connect4:9x9"] == "parity"
    assert scale_of(guiding_evaluation(game("othello"))).discs


@pytest.mark.parametrize(("simulations", "threads"), [(5000, 1), (20_000, 3)])
def test_proofs_are_true(simulations: int, threads: int) -> None:
    source, solver = random.Random(9), Solver()
    proven = 0
    for _ in range(30):
        position = random_line(game("connect4"), source, plies=28)[-1]  # type: ignore[arg-type]
        if position.is_over:
            continue
        report = GuidedSearch(simulations=simulations, threads=threads).search(position)
        if report.proven:
            proven += 1
            assert report.value == np.sign(solver.solve(position).lower)
    assert proven > 5


def test_limits() -> None:
    assert GuidedSearch(nodes=500).search(Othello()).nodes < 500
    assert GuidedSearch(seconds=0.01).search(ConnectFour()).nodes > 0
    assert GuidedSearch().search(ConnectFour()).nodes == 10_000


@pytest.mark.parametrize("name", ["othello", "connect4", "connect4:9x9"])
def test_threads_share_one_tree(name: str) -> None:
    report = GuidedSearch(simulations=20_000, threads=4).search(game(name).start())
    assert report.nodes == 20_000
    assert sum(move.visits or 0 for move in report.moves) == 20_000 - 1
    assert all(abs(move.value) <= 1 for move in report.moves)
    assert report.best == report.moves[0].move == report.line[0]


def test_limits_of_threads() -> None:
    assert GuidedSearch(nodes=500, threads=2).search(Othello()).nodes < 500
    assert GuidedSearch(seconds=0.01, threads=2).search(ConnectFour()).nodes > 0
    assert GuidedSearch(simulations=1, threads=2).search(ConnectFour()).nodes == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_an_evaluation_that_fails_ends_all_threads(threads: int) -> None:
    def broken(position: Othello) -> float:
        if position.empties < 57:
            raise ZeroDivisionError
        return 0.0

    with pytest.raises(ZeroDivisionError):
        GuidedSearch(evaluation=broken, threads=threads).search(Othello())  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_is_shown(threads: int) -> None:
    seen: list[int] = []

    def stop_after_two(report: SearchReport) -> None:
        seen.append(report.nodes)
        if len(seen) == 2:
            raise StopIteration

    with pytest.raises(StopIteration):
        GuidedSearch(seconds=60, threads=threads).search(Othello(), progress=stop_after_two)
    assert seen == sorted(seen)


def test_player() -> None:
    made = player("puct:evaluation=patterns,simulations=100,temperature=0.3", game="connect4")
    assert made.spec == "puct:evaluation=patterns,simulations=100,temperature=0.3"
    assert made.choose(ConnectFour.from_transcript("112233")) == 3
    with pytest.raises(PlayerError, match="depth"):
        analyse(player="puct", depth=4)
    assert analyse(player="puct", nodes=1000).nodes < 1000
    with pytest.raises(FlipdropError, match="Othello"):
        player("puct:evaluation=D", game="connect4")


@pytest.mark.parametrize("options", [{"simulations": 0}, {"seconds": 0}, {"temperature": 0}, {"c": -1}])
def test_settings_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        GuidedSearch(**options)


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(SearchError, match="over"):
        GuidedSearch().search(ConnectFour.from_transcript("1212121"))
