"""Calls of the kernel's own classes, below the options that flipdrop checks: errors, never a crash or a hang."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop import ConnectFour, FlipdropError, Othello, evaluation
from flipdrop.kernel import (
    ConnectFourEngine,
    ConnectFourEngineSettings,
    ConnectFourSolver,
    EngineSettings,
    Evaluation,
    LearningSettings,
    MctsSettings,
    MctsTree,
    MinimaxSettings,
    NativePlayer,
    OthelloEngine,
    OthelloEvaluator,
    OthelloGames,
    OthelloSolver,
    PuctSettings,
    Sampling,
    SelfPlaySettings,
    SolveRequest,
    mcts_search,
    minimax_search,
    new_pattern_network,
    play_games,
    puct_search,
    sample_positions,
    self_play,
    tree_below,
    tree_children,
)
from flipdrop.search.solver import engine_evaluator

if TYPE_CHECKING:
    from collections.abc import Callable

D = Evaluation.from_function(lambda position: 0.0)
NAN, LARGE = float("nan"), 2**31 - 1


def settings(of: Callable[[], Any], **values: Any) -> Any:
    made = of()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def mcts(**values: Any) -> MctsSettings:
    made: MctsSettings = settings(MctsSettings, **{"iterations": 50} | values)
    return made


class FailingEvaluation:
    """An evaluation that raises at its n-th call, and works again after that."""

    def __init__(self) -> None:
        self.left = 10**9

    def __call__(self, position: Othello) -> float:
        self.left -= 1
        if self.left == 0:
            raise LookupError("enough")
        return float(position.ply)


@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "options", [{"bias": 1.0}, {"playout_depth": 2, "depth": True}], ids=["prior values", "playouts"]
)
def test_a_tree_is_whole_after_an_evaluation_has_raised(options: dict[str, Any], threads: int, batch: int) -> None:
    from flipdrop.kernel import Playout, Reward

    options = dict(options)
    if options.pop("depth", False):
        options |= {"playout": Playout.DEPTH, "reward": Reward.SQUASHED}
    evaluation = FailingEvaluation()
    kernel_evaluation = Evaluation.from_function(evaluation)
    position, tree = Othello(), MctsTree()
    search = mcts(iterations=200, threads=threads, batch=batch, **options)

    def visits() -> int:
        return sum(child.visits for child in tree_children(tree, position))

    for calls in (1, 2, 3, 4, 5, 30, 100, 150):
        before = visits()
        evaluation.left = calls
        with pytest.raises(LookupError):
            mcts_search(position, kernel_evaluation, search, tree)
        # Only whole simulations are counted, those that other threads ended before the search stopped included.
        whole = visits()
        assert before <= whole < before + 200
        evaluation.left = 10**9
        assert mcts_search(position, kernel_evaluation, search, tree).nodes == 200
        assert visits() == whole + 200
    for child in tree_children(tree, position):
        ended_here = child.visits - sum(each.visits for each in tree_children(tree, position, child.index))
        # A leaf is expanded at its second visit. While one thread expands it, others end their simulations there.
        assert ended_here in (0, 1) if threads == 1 else ended_here >= 0


def test_a_native_player_whose_evaluation_raises_ends_the_games() -> None:
    evaluation = FailingEvaluation()
    for player in (
        NativePlayer.mcts(mcts(bias=1.0), Evaluation.from_function(evaluation)),
        NativePlayer.minimax(settings(MinimaxSettings, limits=search_limits(2)), Evaluation.from_function(evaluation)),
    ):
        evaluation.left = 20
        with pytest.raises(LookupError, match="enough"):
            play_games([Othello()] * 4, player, player, seeds=[[1, 2]] * 4, threads=2)


def search_limits(depth: int, **values: Any) -> Any:
    from flipdrop.kernel import SearchLimits

    return settings(SearchLimits, depth=depth, **values)


def test_one_search_at_a_time_uses_a_tree() -> None:
    tree = MctsTree()
    errors: list[str] = []

    def progress(_: object) -> None:
        with pytest.raises(FlipdropError) as caught:
            mcts_search(Othello(), None, mcts(), tree)
        errors.append(str(caught.value))
        raise LookupError("enough")

    with pytest.raises(LookupError):
        mcts_search(Othello(), None, mcts(iterations=10**9), tree, progress)
    assert errors == ["another search uses the tree; one search at a time can grow it"]
    assert mcts_search(Othello(), None, mcts(), tree).nodes == 50


def test_a_tree_belongs_to_its_position() -> None:
    tree = MctsTree()
    position = ConnectFour()
    mcts_search(position, None, mcts(), tree)
    for other in (ConnectFour().play("4"), ConnectFour(columns=4, rows=4), Othello()):
        with pytest.raises(FlipdropError, match="from another position"):
            mcts_search(other, None, mcts(), tree)
    below = tree_below(tree, position, [3])
    with pytest.raises(FlipdropError, match="from another position"):
        mcts_search(position, None, mcts(), below)
    mcts_search(position.play(3), None, mcts(), below)
    mcts_search(position, None, mcts(), tree)


def test_every_node_that_a_tree_holds_can_be_shown() -> None:
    tree = MctsTree()
    mcts_search(Othello(), None, mcts(iterations=3000), tree)  # some siblings do not fit into the rest of a chunk
    for index in range(1024, 1024 + tree.size):
        tree_children(tree, Othello(), index)
    for index in (0, 1023, 1024 + tree.size, 2**32 - 1):
        with pytest.raises(FlipdropError, match="has no node"):
            tree_children(tree, Othello(), index)


SOLVERS: dict[str, Callable[[], tuple[Any, Callable[..., Any]]]] = {
    "Othello": lambda: (
        solver := OthelloSolver(1),
        lambda progress=None: solver.solve(Othello(), SolveRequest(), progress),
    ),
    "Connect Four": lambda: (
        solver := ConnectFourSolver(1),
        lambda progress=None: solver.solve(ConnectFour(columns=9, rows=8), SolveRequest(), progress),
    ),
    "engine": lambda: (
        engine := OthelloEngine(1, _evaluator()),
        lambda progress=None: engine.analyse(Othello(), EngineSettings(), progress),
    ),
    "engine of Connect Four": lambda: (
        engine := _connect_four_engine(),
        lambda progress=None: engine.analyse(ConnectFour(columns=9, rows=8), ConnectFourEngineSettings(), progress),
    ),
}


def _connect_four_engine() -> ConnectFourEngine:
    weights = evaluation("parity").weights
    assert weights is not None
    return ConnectFourEngine(1, list(weights.values()))


def _evaluator() -> OthelloEvaluator:
    evaluator = engine_evaluator(Othello().game)
    assert evaluator is not None
    return evaluator


@pytest.mark.parametrize("name", SOLVERS)
def test_a_callback_that_uses_its_own_solver_gets_an_error(name: str) -> None:
    solver, solve = SOLVERS[name]()
    errors: list[str] = []

    def progress(_: object) -> None:
        for use in (solve, solver.clear):
            with pytest.raises(FlipdropError) as caught:
                use()
            errors.append(str(caught.value))
        raise LookupError("enough")

    with pytest.raises(LookupError):
        solve(progress)
    assert len(errors) == 2
    assert all("callback cannot use the solver or engine whose call it belongs to" in error for error in errors)
    solver.clear()  # it is free again


def network(planes: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return np.zeros((len(planes), 7), np.float32), np.zeros(len(planes), np.float32)


def own_games(**values: Any) -> object:
    search = values.pop("search", {})
    made = settings(SelfPlaySettings, **values)
    made.search.simulations = 4
    for name, value in search.items():
        setattr(made.search, name, value)
    return self_play(ConnectFour(columns=4, rows=4), _small_network, made, games=2, slots=2)


def _small_network(planes: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return np.zeros((len(planes), 4), np.float32), np.zeros(len(planes), np.float32)


def samples(**values: Any) -> object:
    made = settings(Sampling, **values)
    return sample_positions(_evaluator(), made, count=1, seed=1)


def learned(**values: Any) -> object:
    made = new_pattern_network(ConnectFour(), patterns=[[0, 1, 2, 3]], stages=[0])
    made.learn(ConnectFour(), settings(LearningSettings, **values), games=1, seed=1)
    return made


def solved(**values: Any) -> object:
    return OthelloSolver(1).solve(Othello(), settings(SolveRequest, **values))


def analysed(**values: Any) -> object:
    return OthelloEngine(1, _evaluator()).analyse(Othello(), settings(EngineSettings, **values))


def analysed_connect_four(**values: Any) -> object:
    given = settings(ConnectFourEngineSettings, **{"limits": search_limits(2)} | values)
    return _connect_four_engine().analyse(ConnectFour(columns=9, rows=8), given)


def minimax(**values: Any) -> object:
    return minimax_search(Othello(), D, settings(MinimaxSettings, **{"limits": search_limits(2)} | values))


REFUSED: list[tuple[Callable[..., object], dict[str, Any]]] = [
    *(
        (call, {"threads": threads})
        for call in (
            minimax,
            solved,
            analysed,
            analysed_connect_four,
            lambda **v: mcts_search(Othello(), None, mcts(**v), MctsTree()),
        )
        for threads in (0, -1, LARGE)
    ),
    *(
        (lambda **v: mcts_search(Othello(), D, mcts(**v), MctsTree()), {name: value})
        for name, value in {
            "iterations": 0,
            "seconds": NAN,
            "c": NAN,
            "expand": 0.0,
            "bias": NAN,
            "rave": -1.0,
            "playouts": 0,
            "playout_depth": -1,
            "batch": 0,
            "scale": 0.0,
            "tie_width": 1.0,  # without a table
        }.items()
    ),
    (lambda **v: NativePlayer.mcts(mcts(**v)), {"threads": 0}),
    (lambda **v: NativePlayer.random().epsilon_greedy(v["epsilon"]), {"epsilon": NAN}),
    (minimax, {"limits": search_limits(LARGE)}),
    (minimax, {"limits": search_limits(2, seconds=NAN)}),
    (minimax, {"table_megabytes": 2**60}),
    (lambda **v: OthelloSolver(v["megabytes"]), {"megabytes": 2**60}),
    (lambda **v: ConnectFourSolver(v["megabytes"]), {"megabytes": 2**60}),
    *((analysed_connect_four, {name: value}) for name in ("proof_share", "solve_share") for value in (NAN, -1.0)),
    (analysed, {"selectivity": 6}),
    (analysed, {"selectivity": -1}),
    *(
        (lambda **v: puct_search(ConnectFour(), network, settings(PuctSettings, **v)), {name: value})
        for name, value in {"seconds": NAN, "c": NAN, "batch": 0, "noise": NAN, "alpha": NAN}.items()
    ),
    *((own_games, {"full_search_probability": value}) for value in (NAN, -0.5, 1.5)),
    (own_games, {"random_plies": -1}),
    (own_games, {"random_plies": LARGE}),
    (own_games, {"temperature": NAN}),
    (own_games, {"search": {"simulations": 0, "seconds": 1.0}}),
    (samples, {"min_empties": 0, "max_empties": 0}),
    (samples, {"min_empties": 20, "max_empties": 10}),
    (samples, {"max_empties": 61}),
    (samples, {"epsilon": NAN}),
    (samples, {"selectivity": 9}),
    *((learned, {name: NAN}) for name in ("rate", "trace", "epsilon", "margin", "opponent_epsilon")),
    (learned, {"opening": LARGE}),
    (lambda **v: Othello().perft(2, **v), {"threads": LARGE}),
    (
        lambda **v: OthelloGames(Othello(), 2, planes=2, auto_reset=True, seed=1, threads=1, **v),
        {"random_plies": LARGE},
    ),
]


@pytest.mark.parametrize(("call", "values"), REFUSED, ids=[f"{i}-{next(iter(v))}" for i, (_, v) in enumerate(REFUSED)])
def test_settings_out_of_range_are_refused(call: Callable[..., object], values: dict[str, Any]) -> None:
    with pytest.raises(FlipdropError):
        call(**values)


def test_games_of_a_network_begin_before_their_end() -> None:
    own_games(random_plies=200)  # a game on 4x4 has at most 16


def test_a_network_is_changed_by_one_call_at_a_time() -> None:
    trained = new_pattern_network(ConnectFour(), patterns=[[0, 1, 2, 3]], stages=[0])
    other = new_pattern_network(ConnectFour(), patterns=[[0, 1, 2, 3]], stages=[0])
    other.learn(ConnectFour(), LearningSettings(), games=1, seed=1)
    weights, coherence = trained.weights, other.coherence
    learning = LearningSettings()
    errors: list[str] = []

    def change(finished: int, jobs: int) -> None:
        for call in (
            lambda: setattr(trained, "coherence", coherence),
            lambda: setattr(trained, "weights", weights),
            lambda: trained.learn(ConnectFour(), learning, games=1, seed=1),
            lambda: trained.fit([ConnectFour()], np.zeros(1, np.float32), learning),
        ):
            with pytest.raises(FlipdropError) as caught:
                call()
            errors.append(str(caught.value))
        raise LookupError("enough")

    with pytest.raises(LookupError):
        trained.learn(ConnectFour(), learning, games=10**9, seed=1, threads=2, progress=change)
    assert errors == ["the network is being trained; one call at a time can change it"] * 4
    trained.coherence = coherence
    trained.weights = weights


@pytest.mark.slow
def test_where_the_system_refuses_threads_those_that_there_are_do_the_work() -> None:
    program = """
import resource
from flipdrop import ConnectFour, Othello
from flipdrop.kernel import *
from flipdrop.search import Mcts, Minimax, Solver
position = Othello()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))  # a thread takes 8 MB of addresses for its stack
print(position.perft(4, threads=1000))
print(Mcts(iterations=2000, threads=1000).search(position).nodes)
print(Minimax(depth=4, threads=1000, table=1).search(position).depth)
print(Solver(seconds=0.2, threads=1000, table=1).solve(ConnectFour(columns=9, rows=8)).proven)
print(len(OthelloGames(position, 300_000, planes=2, auto_reset=True, random_plies=0, seed=1, threads=1000)))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.stdout.split(), ended.stderr) == (["244", "2000", "4", "False", "300000"], "")


def test_positions_of_games_can_be_read_while_they_step() -> None:
    games = OthelloGames(Othello(), 512, planes=2, auto_reset=True, random_plies=0, seed=1, threads=1)
    stop = threading.Event()

    def step() -> None:
        while not stop.is_set():
            games.step(games.random_actions())

    thread = threading.Thread(target=step)
    thread.start()
    try:
        for _ in range(200):
            assert len(games.to_move) == 512
            position = games.position(Othello(), 7)
            assert isinstance(position, Othello)
            assert not position.is_over
    finally:
        stop.set()
        thread.join()
