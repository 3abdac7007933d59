"""The minimax family against plain minimax in Python, and its limits."""

import json
import math
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello, Position, game
from flipdrop.errors import FlipdropError, OptionError, SearchError
from flipdrop.evaluation import evaluation
from flipdrop.search import Minimax, Solver
from tests.reference.minimax import WIN, for_searcher, minimax

GAMES = ("othello", "othello6", "othello4", "connect4", "connect4:5x4", "connect4:9x9", "connect4:12x12,forbid=f2")
ALGORITHMS = ("minimax", "alphabeta", "iterative")


@st.composite
def midgames(draw: st.DrawFn, names: tuple[str, ...] = GAMES, *, plies: int = 60) -> Position:
    """A position after some random moves, not over."""
    position = game(draw(st.sampled_from(names))).start()
    for _ in range(draw(st.integers(0, plies))):
        after = position.play(draw(st.sampled_from(position.legal_moves)))
        if after.is_over:
            break
        position = after
    return position


def evaluations_for(position: Position) -> tuple[str, ...]:
    return ("A", "B", "C", "D", "Seven", "mobility") if isinstance(position, Othello) else ("lines",)


def nearly_full(name: str, empty: int, random: Random) -> Position:
    """A position of a random game, not over, with at most this number of empty squares."""
    while True:
        position = game(name).start()
        while not position.is_over:
            if position.game.columns * position.game.rows - sum(position.discs) <= empty:
                return position
            position = position.play(random.choice(position.legal_moves))


@settings(max_examples=60)
@given(
    name=st.sampled_from(("othello4", "othello6", "othello")),
    empty=st.integers(1, 7),
    random=st.randoms(use_true_random=False),
    algorithm=st.sampled_from(ALGORITHMS),
)
def test_a_proven_margin_is_the_solvers(name: str, empty: int, random: Random, algorithm: str) -> None:
    assert_margins_are_the_solvers(nearly_full(name, empty, random), algorithm)


def test_margin_with_empty_squares() -> None:
    """At depth 8 the winner sees 32 discs; another line has a pass, ends a ply later and brings 40."""
    late = "-OOO-XOO-OOOXOOOOOOXOXOOOOXOOXOOOXOOOXOOOOXOXOOOO-XXXXOO--XO-O-O X"
    assert_margins_are_the_solvers(Othello(late), "iterative")


def assert_margins_are_the_solvers(position: Position, algorithm: str) -> None:
    report = Minimax(algorithm=algorithm, evaluation=evaluation("A"), all_moves=True, seconds=20, threads=1).search(
        position
    )
    assert report.proven
    solved = Solver(moves=True, line=False).solve(position)
    margins = {move.move: move.value - math.copysign(WIN, move.value) * (move.value != 0) for move in report.moves}
    assert margins == {move.move: move.lower for move in solved.moves}


@pytest.mark.slow
@settings(max_examples=120)
@given(position=midgames(), depth=st.integers(1, 3), data=st.data())
def test_all_agree_with_plain_minimax(position: Position, depth: int, data: st.DataObject) -> None:
    scorer = evaluation(data.draw(st.sampled_from(evaluations_for(position))))
    expected = minimax(position, depth, scorer.score)
    for algorithm in ALGORITHMS:
        for threads in (1, 2):
            search = Minimax(algorithm=algorithm, depth=depth, evaluation=scorer, threads=threads)
            report = search.search(position)
            assert report.value == pytest.approx(expected, rel=1e-6), (algorithm, threads)
            after = position.play(report.best)
            assert -minimax(after, depth - 1, scorer.score) == pytest.approx(expected, rel=1e-6)


@settings(max_examples=60)
@given(
    position=midgames(("othello", "othello6", "othello4")),
    depth=st.integers(1, 3),
    name=st.sampled_from(("C", "D", "Seven")),
)
def test_the_searchers_perspective(position: Position, depth: int, name: str) -> None:
    scorer = evaluation(name)
    score = for_searcher(scorer.score, position.to_move)
    expected = minimax(position, depth, score)
    for algorithm in ALGORITHMS:
        for threads in (1, 2):
            search = Minimax(
                algorithm=algorithm, depth=depth, evaluation=scorer, threads=threads, perspective="searcher"
            )
            report = search.search(position)
            assert report.value == pytest.approx(expected, rel=1e-6), (algorithm, threads)
            assert -minimax(position.play(report.best), depth - 1, score) == pytest.approx(expected, rel=1e-6)


def test_searcher_perspective_of_mobility() -> None:
    position = Othello.from_transcript("f5d6c3d3c4f4f6f3")
    mobility = evaluation("D", weights=(0, 0, 0, 0, 0, 1))
    searchers = [len(Othello(f"{after.cells} X").legal_moves) for after in map(position.play, position.legal_moves)]
    replies = [len(after.legal_moves) for after in map(position.play, position.legal_moves)]
    assert Minimax(depth=1, evaluation=mobility, perspective="searcher").search(position).value == max(searchers)
    assert Minimax(depth=1, evaluation=mobility).search(position).value == -min(replies)


def test_searcher_perspective_of_functions() -> None:
    def moves(position: Position) -> float:
        assert position.to_move == searcher
        return len(position.legal_moves)

    position = Othello.from_transcript("f5d6c3d3c4")
    searcher = position.to_move
    Minimax(depth=3, evaluation=evaluation(moves), perspective="searcher").search(position)


def test_searcher_perspective_is_for_othello() -> None:
    for search in (Minimax(depth=2, perspective="searcher"), Minimax(depth=1, perspective="searcher", threads=2)):
        with pytest.raises(SearchError, match="belongs to Othello"):
            search.search(ConnectFour())
        with pytest.raises(SearchError, match="belongs to Othello"):
            search.check_supported(ConnectFour().game)


@settings(max_examples=40)
@given(position=midgames(), depth=st.integers(4, 6))
def test_deeper_searches_agree_with_alpha_beta(position: Position, depth: int) -> None:
    values = {
        (algorithm, threads): Minimax(algorithm=algorithm, depth=depth, threads=threads).search(position).value
        for algorithm in ("alphabeta", "iterative")
        for threads in (1, 2)
    }
    assert len(set(values.values())) == 1, values


@settings(max_examples=60)
@given(position=midgames(), depth=st.integers(1, 3))
def test_every_root_move_has_its_exact_value(position: Position, depth: int) -> None:
    scorer = evaluation(evaluations_for(position)[-1])
    for algorithm in ALGORITHMS:
        report = Minimax(algorithm=algorithm, depth=depth, evaluation=scorer, all_moves=True, threads=2).search(
            position
        )
        assert sorted(m.move for m in report.moves) == list(position.legal_moves)
        for found in report.moves:
            assert found.exact
            expected = -minimax(position.play(found.move), depth - 1, scorer.score)
            assert found.value == pytest.approx(expected, rel=1e-6)
        values = [found.value for found in report.moves]
        assert values == sorted(values, reverse=True)


@settings(max_examples=60)
@given(position=midgames(), depth=st.integers(2, 5))
def test_line_leads_to_the_value(position: Position, depth: int) -> None:
    scorer = evaluation(evaluations_for(position)[-1])
    report = Minimax(algorithm="alphabeta", depth=depth, evaluation=scorer).search(position)
    assert report.line[0] == report.best
    sign, at = 1, position
    for move in report.line:
        at, sign = at.play(move), -sign
    assert len(report.line) == depth or at.is_over
    assert sign * minimax(at, 0, scorer.score) == pytest.approx(report.value, rel=1e-6)


def test_finished_games_outweigh_evaluations() -> None:
    winning = ConnectFour.from_transcript("112233")
    report = Minimax(depth=1, evaluation=evaluation("lines", weights=(1e9, 1e9, 1e9, 1e9))).search(winning)
    assert winning.move_name(report.best) == "4"
    assert report.proven
    assert report.value == WIN + 1 + 42 - 7


def test_quick_wins_and_late_losses() -> None:
    values = [
        Minimax(depth=depth, all_moves=True).search(ConnectFour.from_transcript("4433")).value for depth in (3, 5)
    ]
    assert values[0] == values[1] == WIN + 1 + 42 - 7


@pytest.mark.timing
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_limits_of_nodes_and_time_are_kept(algorithm: str) -> None:
    position = Othello.from_transcript("f5d6c3d3c4f4")
    few = Minimax(algorithm=algorithm, nodes=500).search(position)
    assert few.nodes <= 500
    assert few.depth >= 1
    began = time.process_time()
    timed = Minimax(algorithm=algorithm, seconds=0.15).search(position)
    assert time.process_time() - began < 2
    assert timed.depth >= few.depth
    assert 0.1 < timed.seconds < 1


def test_budget_below_one_ply() -> None:
    report = Minimax(nodes=1).search(Othello())
    assert report.best in Othello().legal_moves
    assert report.depth == 0
    assert not report.proven


def test_one_thread_is_deterministic() -> None:
    search = Minimax(depth=7)
    first, second = (search.search(Othello.from_transcript("f5d6c3")) for _ in range(2))
    assert (first.nodes, first.line, first.moves) == (second.nodes, second.line, second.moves)


def test_pruning_and_ordering_save_work() -> None:
    position = Othello.from_transcript("f5d6c3d3c4f4f6f3")
    nodes = [Minimax(algorithm=algorithm, depth=6).search(position).nodes for algorithm in ALGORITHMS]
    assert nodes[0] > 10 * nodes[1]
    assert nodes[1] > 1.5 * nodes[2]


def test_python_function_as_evaluation() -> None:
    calls: list[Position] = []

    def discs(position: Position) -> float:
        calls.append(position)
        return position.discs[position.to_move] - position.discs[1 - position.to_move]

    position = Othello.from_transcript("f5d6c3d3")
    for threads in (1, 2):
        ours = Minimax(depth=4, evaluation=evaluation(discs), threads=threads).search(position)
        assert ours.value == Minimax(depth=4, evaluation=evaluation("A")).search(position).value
    assert all(type(called) is Othello for called in calls)


@pytest.mark.parametrize("answer", [None, "much", float("nan"), float("inf"), 1j])
def test_function_that_returns_no_number(answer: object) -> None:
    def confused(position: Position) -> object:
        return answer

    with pytest.raises(FlipdropError, match="confused"):
        Minimax(depth=2, evaluation=evaluation(confused), threads=2).search(Othello())  # type: ignore[arg-type]


def test_function_that_raises_in_a_thread() -> None:
    def broken(position: Position) -> float:
        raise ZeroDivisionError("by hand")

    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError, match="by hand"):
            Minimax(depth=3, evaluation=evaluation(broken), threads=threads).search(Othello())


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"depth": 0}, "depth=0"),
        ({"nodes": 0}, "nodes=0"),
        ({"seconds": 0.0}, "seconds=0:"),
        ({"seconds": float("nan")}, "finite"),
        ({"threads": 0}, "threads=0"),
        ({"algorithm": "magic"}, "minimax, alphabeta, iterative"),
    ],
)
def test_bad_settings(options: dict[str, object], expected_error: str) -> None:
    with pytest.raises(OptionError, match=expected_error):
        Minimax(**options)  # type: ignore[arg-type]


def test_a_finished_game_cannot_be_searched() -> None:
    over = ConnectFour.from_transcript("1212121")
    with pytest.raises(SearchError, match="the game is over"):
        Minimax(depth=2).search(over)


def test_evaluation_of_the_other_game() -> None:
    with pytest.raises(FlipdropError, match="D"):
        Minimax(depth=2, evaluation=evaluation("D")).search(ConnectFour())


def test_a_side_that_must_pass_passes() -> None:
    """A side that has to pass has one legal move."""
    passing = Othello("-XXXXXXO" + "XXXXXXXX" * 7 + " X")
    assert passing.legal_moves == (passing.pass_move,)
    for algorithm in ALGORITHMS:
        assert Minimax(algorithm=algorithm, depth=3).search(passing).best == passing.pass_move


def test_reports_are_json() -> None:
    report = Minimax(depth=3).search(Othello())
    read = json.loads(json.dumps(report.to_json()))
    assert read["best"] in ("d3", "c4", "f5", "e6")
    assert read["line"][0] == read["best"]
    assert {"value", "moves", "nodes", "depth", "seconds", "seed", "proven"} <= set(read)
    assert str(report).count("\n") >= 5
