"""PUCT: input of the network, use of its output, proofs, self-play."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from flipdrop.errors import FlipdropError, OptionError, SearchError
from flipdrop.games import ConnectFour, Othello
from flipdrop.kernel import (
    SelfPlaySettings,
    sample_cells,
    sample_planes,
    sample_policies,
    self_play,
)
from flipdrop.search import Puct, Solver
from tests.networks import indifferent
from tests.strategies import ALL_GAMES, AnyGame, all_games, random_line, randoms

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.search import SearchReport
    from tests.strategies import AnyPosition


def planes_of(position: AnyPosition, symmetry: int = 0) -> NDArray[np.float32]:
    kernel: Any = position
    planes: NDArray[np.float32] = sample_planes(kernel, sample_cells(kernel)[None], np.array([symmetry], np.uint8))[0]
    return planes


def gains(position: AnyPosition, discs: str) -> set[int]:
    """Cells where a side would gain something, by the rules alone: legal squares, or empty cells that make four."""
    cells = position.cells
    if isinstance(position, Othello):
        return set(Othello(f"{cells} {discs}").legal_moves) - {position.pass_move}
    columns = position.columns
    found = set()
    for cell, content in enumerate(cells):
        if content != "-":
            continue
        filled = cells[:cell] + discs + cells[cell + 1 :]
        for step, across in ((1, 1), (columns, 0), (columns + 1, 1), (columns - 1, -1)):
            for back in range(4):
                line = [cell + (n - back) * step for n in range(4)]
                straight = all(
                    0 <= c < len(cells) and c % columns == cell % columns + (n - back) * across
                    for n, c in enumerate(line)
                )
                if straight and all(filled[c] == discs for c in line):
                    found.add(cell)
    return found


@settings(max_examples=60, deadline=None)
@given(all_games(), randoms())
def test_planes(game: AnyGame, source: random.Random) -> None:
    position = source.choice(random_line(game, source))
    if position.is_over:
        return
    own, other = ("X", "O") if position.to_move == 0 else ("O", "X")
    planes = planes_of(position).reshape(4, -1)
    cells = position.cells
    assert [n for n, cell in enumerate(cells) if cell in (own, "#")] == list(np.flatnonzero(planes[0]))
    assert [n for n, cell in enumerate(cells) if cell in (other, "#")] == list(np.flatnonzero(planes[1]))
    for plane, discs in ((planes[2], own), (planes[3], other)):
        assert set(np.flatnonzero(plane).tolist()) == gains(position, discs)


@settings(max_examples=60, deadline=None)
@given(all_games(), randoms())
def test_symmetries_of_planes_and_policies(game: AnyGame, source: random.Random) -> None:
    position = source.choice(random_line(game, source))
    symmetry = source.randrange(position.symmetries)
    if isinstance(position, ConnectFour) and position.forbidden is not None:
        symmetry = 0  # the mirror image is a board of another game
    np.testing.assert_array_equal(planes_of(position, symmetry), planes_of(position.transformed(symmetry)))
    kernel: Any = position
    policy = np.random.default_rng(source.randrange(10**6)).random((1, position.move_space), np.float32)
    turned = sample_policies(kernel, policy, np.array([symmetry], np.uint8))
    for move in range(position.move_space):
        assert turned[0, position.transformed_move(move, symmetry)] == policy[0, move]


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_every_position_of_a_game(game: AnyGame) -> None:
    evaluator = indifferent(game.start().move_space)
    for position in random_line(game, random.Random(4))[:-1]:
        report = Puct(simulations=30).search(position, evaluator)
        assert {m.move for m in report.moves} == set(position.legal_moves)
        assert report.best == report.moves[0].move == report.line[0]
        assert all(-1 <= m.value <= 1 for m in report.moves)
        assert report.proven or report.nodes == 30 == 1 + sum(m.visits for m in report.moves)
        replayed = position
        for move in report.line:
            replayed = replayed.play(move)


def test_follows_the_network() -> None:
    """With a policy that knows the move, and values that say nothing, the move is found."""
    position = Othello()
    for wanted in position.legal_moves:

        def evaluate(planes: NDArray[np.float32], /, wanted: int = wanted) -> tuple[Any, Any]:
            policy = np.zeros((len(planes), 65), np.float32)
            policy[:, wanted] = 3
            return policy, np.zeros(len(planes), np.float32)

        report = Puct(simulations=50, symmetries=False).search(position, evaluate)
        assert report.best == wanted


@pytest.mark.parametrize("batch", [1, 4])
def test_value_of_a_move(batch: int) -> None:
    weights = np.random.default_rng(6).standard_normal(4 * 36).astype(np.float32)

    def value_of(planes: NDArray[np.float32]) -> NDArray[np.float32]:
        values: NDArray[np.float32] = np.tanh(planes.reshape(len(planes), -1) @ weights / 5)
        return values

    def evaluate(planes: NDArray[np.float32], /) -> tuple[Any, Any]:
        return np.zeros((len(planes), 37), np.float32), value_of(planes)

    position = Othello(size=6).play("c2").play("b2")
    moves = len(position.legal_moves)
    # With so much weight on the policy, every move is tried once.
    report = Puct(simulations=1 + moves, c=1000, batch=batch, symmetries=False).search(position, evaluate)
    assert [m.visits for m in report.moves] == [1] * moves
    for m in report.moves:
        assert m.value == pytest.approx(-value_of(planes_of(position.play(m.move))[None])[0], abs=1e-6)


@pytest.mark.parametrize("batch", [1, 8])
def test_proofs_are_true(batch: int) -> None:
    source, solver = random.Random(9), Solver()
    evaluator = indifferent(7)
    proven = 0
    for _ in range(40):
        position = random_line(ALL_GAMES[3], source, plies=26)[-1]
        if position.is_over:
            continue
        report = Puct(simulations=3000, batch=batch).search(position, evaluator)
        if report.proven:
            proven += 1
            assert report.value == np.sign(solver.solve(position).lower)
    assert proven > 5


def test_win_without_the_network() -> None:
    def never(planes: NDArray[np.float32], /) -> tuple[Any, Any]:
        raise AssertionError("it was asked")

    report = Puct().search(ConnectFour.from_transcript("112233"), never)
    assert (report.position.move_name(report.best), report.value, report.proven) == ("4", 1, True)


def test_the_same_seed_gives_the_same_report() -> None:
    position = ConnectFour.from_transcript("4453")
    weights = np.random.default_rng(1).standard_normal((168, 8)).astype(np.float32)

    def evaluate(planes: NDArray[np.float32], /) -> tuple[Any, Any]:
        out = planes.reshape(len(planes), -1) @ weights
        return np.ascontiguousarray(out[:, :7]), np.tanh(out[:, 7] / 5)

    def moves(seed: int) -> Any:
        return Puct(simulations=300, seed=seed).search(position, evaluate).moves

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_time_limit() -> None:
    report = Puct(seconds=0.05).search(Othello(), indifferent(65))
    assert report.nodes > 0
    assert report.seconds < 5


def test_progress_is_shown() -> None:
    seen: list[int] = []

    def stop_after_two(report: SearchReport) -> None:
        seen.append(report.nodes)
        if len(seen) == 2:
            raise StopIteration

    with pytest.raises(StopIteration):
        Puct(seconds=60).search(Othello(), indifferent(65), progress=stop_after_two)
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n: None, "tuple of two arrays"),
        (lambda n: (np.zeros((n, 7), np.float32),), "tuple of two arrays"),
        (lambda n: (np.zeros((n, 6), np.float32), np.zeros(n, np.float32)), "policies should be"),
        (lambda n: (np.zeros((n, 7), np.float32), np.zeros(n + 1, np.float32)), "values should be"),
        (lambda n: ("much", "little"), "policies should be"),
        (lambda n: (np.full((n, 7), np.nan, np.float32), np.zeros(n, np.float32)), "nan"),
        (lambda n: (np.zeros((n, 7), np.float32), np.full(n, np.inf, np.float32)), "infinity"),
    ],
)
def test_wrong_answers_of_an_evaluator(answer: Callable[[int], Any], says: str) -> None:
    with pytest.raises(FlipdropError, match=says):
        Puct().search(ConnectFour(), lambda planes: answer(len(planes)))
    with pytest.raises(FlipdropError, match=says):
        self_play(ConnectFour(), lambda planes: answer(len(planes)), SelfPlaySettings(), games=4, slots=2, threads=2)


def test_exception_of_an_evaluator() -> None:
    def tired(planes: NDArray[np.float32], /) -> tuple[Any, Any]:
        raise ZeroDivisionError("tired")

    with pytest.raises(ZeroDivisionError, match="tired"):
        Puct().search(ConnectFour(), tired)
    with pytest.raises(ZeroDivisionError, match="tired"):
        self_play(ConnectFour(), tired, SelfPlaySettings(), games=8, slots=2, threads=2)


@pytest.mark.parametrize("options", [{"simulations": 0}, {"seconds": 0}, {"batch": 0}, {"c": -1}, {"c": float("nan")}])
def test_settings_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        Puct(**options)


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(SearchError, match="over"):
        Puct().search(ConnectFour.from_transcript("1212121"), indifferent(7))


def test_self_play_does_not_depend_on_threads() -> None:
    plan = SelfPlaySettings()
    search = plan.search
    search.simulations, search.noise, search.seed = 20, 0.25, 5
    plan.search = search
    plan.cheap_simulations, plan.full_search_probability = 5, 0.5
    plan.random_plies, plan.temperature_plies = 4, 10

    def rows(threads: int, slots: int = 5) -> Any:
        return self_play(Othello(size=4), indifferent(17), plan, games=20, slots=slots, threads=threads)

    one, two = rows(1), rows(2)
    for a, b in zip(one[:5], two[:5], strict=True):
        np.testing.assert_array_equal(a, b)
    assert one[5:] == two[5:]
    cells, policies, outcomes, values, games = one[:5]
    assert cells.shape[1:] == (4, 4)
    assert len(cells) == len(policies) == len(outcomes) == len(values) == len(games)
    assert set(np.unique(games)) <= set(range(20))
    sums = policies.sum(1)
    assert ((np.abs(sums - 1) < 1e-5) | (sums == 0)).all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"games": -1, "slots": 1}, "games"),
        ({"games": 1, "slots": 0}, "slots"),
        ({"games": 1, "slots": 1, "threads": 0}, "threads"),
    ],
)
def test_self_play_errors(arguments: dict[str, int], says: str) -> None:
    with pytest.raises(FlipdropError, match=says):
        self_play(ConnectFour(), indifferent(7), SelfPlaySettings(), **arguments)


def test_samples_of_another_board_are_refused() -> None:
    cells, zero = sample_cells(ConnectFour())[None], np.zeros(1, np.uint8)
    with pytest.raises(FlipdropError, match="6 x 7; this board has 4 x 4"):
        sample_planes(Othello(size=4), cells, zero)
    with pytest.raises(FlipdropError, match="symmetry 2; they are 0 to 1"):
        sample_planes(ConnectFour(), cells, zero + 2)
    with pytest.raises(FlipdropError, match="1 samples and 2 symmetries"):
        sample_planes(ConnectFour(), cells, np.zeros(2, np.uint8))
    with pytest.raises(FlipdropError, match="policies of 8 moves; this board has 7"):
        sample_policies(ConnectFour(), np.zeros((1, 8), np.float32), zero)
    with pytest.raises(FlipdropError, match="cell 7"):
        sample_planes(ConnectFour(), cells + 7, zero)
