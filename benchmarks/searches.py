"""Searches compared with peers: simulations per second, time to a depth, gain of a second thread, whole games."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from random import Random

from benchmarks.measure import Contenders, best_rates, seconds_of
from flipdrop import ConnectFour, Othello, Position
from flipdrop.arena.match import match
from flipdrop.evaluation import evaluation
from flipdrop.kernel import MctsTree, NativePlayer, OthelloPosition, play_games
from flipdrop.search import Mcts, Minimax

ITERATIONS = 10_000
DEPTH = 10


def run(effort: float) -> None:
    """Prints every figure with its ratio."""
    _simulations(effort)
    _alpha_beta(effort)
    _threads(effort)
    _whole_games(effort)
    print(f"\nmemory of a tree's node: {MctsTree.node_bytes} bytes")


def _print_rates(title: str, rates: dict[str, float], unit: str) -> None:
    for name, rate in rates.items():
        ratio = "" if name == "flipdrop" else f"   flipdrop is {rates['flipdrop'] / rate:.1f}x as fast"
        print(f"  {title:10} {name:13} {rate:12,.0f} {unit}{ratio}")


def _simulations(effort: float) -> None:
    print(f"\nMCTS from the start, random playouts to the end, one thread, {ITERATIONS:,} iterations a search")
    othello: Contenders = {
        "flipdrop": _our_mcts(Othello()),
        "rust-reversi": _rust_mcts(),
        "open_spiel": _open_spiel_mcts("othello", 500),
    }
    connect_four: Contenders = {
        "flipdrop": _our_mcts(ConnectFour()),
        "open_spiel": _open_spiel_mcts("connect_four", ITERATIONS),
    }
    for name, contenders in (("othello", othello), ("connect4", connect_four)):
        # One unit of work is one search of ITERATIONS simulations, fewer for a peer that would take too long.
        rates = best_rates(contenders, turn_seconds=effort)
        sims = {
            who: rate * (500 if (who, name) == ("open_spiel", "othello") else ITERATIONS) for who, rate in rates.items()
        }
        _print_rates(name, sims, "simulations/s")


def _our_mcts(start: Position) -> Callable[[int], object]:
    search = Mcts(iterations=ITERATIONS, seed=1)

    def work(searches: int) -> None:
        for _ in range(searches):
            search.search(start)

    return work


def _rust_mcts() -> Callable[[int], object]:
    from rust_reversi import Board, MctsSearch

    search, board = MctsSearch(ITERATIONS, 1.0, 1), Board()

    def work(searches: int) -> None:
        for _ in range(searches):
            search.get_move(board)

    return work


def _open_spiel_mcts(name: str, simulations: int) -> Callable[[int], object]:
    import pyspiel

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, simulations, 1000, False, 1, False)
    state = game.new_initial_state()

    def work(searches: int) -> None:
        for _ in range(searches):
            bot.step(state)

    return work


def _alpha_beta(effort: float) -> None:
    from rust_reversi import AlphaBetaSearch, Board, LegalNumEvaluator

    print(f"\nalpha-beta with mobility to depth {DEPTH} from the start, one thread, seconds (best of a few)")
    search = Minimax(depth=DEPTH, evaluation=evaluation("mobility"))
    peer, board = AlphaBetaSearch(LegalNumEvaluator(), DEPTH, 10**6), Board()
    turns = max(2, round(5 * effort))
    ours = min(seconds_of(lambda: search.search(Othello())) for _ in range(turns))
    theirs = min(seconds_of(lambda: peer.get_move(board)) for _ in range(turns))
    print(f"  flipdrop {ours:.4f}   rust-reversi {theirs:.4f}   flipdrop is {theirs / ours:.1f}x as fast")


def _midgames(count: int) -> list[Othello]:
    """Positions after 16 to 24 random moves."""
    random = Random(7)
    positions = []
    for i in range(count):
        position = Othello()
        for _ in range(16 + i % 9):
            position = position.play(random.choice(position.legal_moves))
        positions.append(position)
    return positions


def _search_all(search: Minimax, positions: list[Othello]) -> None:
    for position in positions:
        search.search(position)


def _threads(effort: float) -> None:
    print("\ntwo threads beside one")
    positions = _midgames(20)
    times = {1: math.inf, 2: math.inf}
    for _ in range(max(2, round(3 * effort))):
        for threads in times:
            search = Minimax(depth=DEPTH + 1, threads=threads)
            times[threads] = min(times[threads], seconds_of(partial(_search_all, search, positions)))
    speedup = times[1] / times[2]
    print(f"  iterative to {DEPTH + 1} on 20 mid-game positions: {times[1]:.2f} s, {times[2]:.2f} s: {speedup:.2f}x")
    for name, start in (("othello", Othello()), ("connect4", ConnectFour())):
        rates: dict[int, float] = {1: 0.0, 2: 0.0}
        for seed in range(max(2, round(5 * effort))):
            for threads in rates:
                report = Mcts(iterations=200_000, seed=seed, threads=threads).search(start)
                rates[threads] = max(rates[threads], report.nodes / report.seconds)
        ratio = rates[2] / rates[1]
        print(f"  MCTS on one tree, {name}: {rates[1]:,.0f} and {rates[2]:,.0f} simulations/s: {ratio:.2f}x")
    _equal_simulations(max(40, round(400 * effort)))


def _equal_simulations(games: int) -> None:
    """Two threads against one with the same number of simulations: pairs of games from the same opening."""
    for game, simulations in (("othello", 2000), ("connect4", 5000)):
        two, one = (f"mcts:iterations={simulations},threads={threads}" for threads in (2, 1))
        result = match(two, one, game=game, games=games // 2 * 2, seed=3, threads=1)
        low, high = result.elo.score_interval
        print(
            f"  two threads against one, {game}, {simulations:,} simulations each: {result.elo.score:.3f} of {games} "
            f"games, 95% {low:.3f} to {high:.3f}"
        )


def _whole_games(effort: float) -> None:
    settings = Minimax(algorithm="alphabeta", depth=2).kernel_settings()
    player = NativePlayer.minimax(settings, evaluation("D").kernel)
    random = Random(5)
    starts: list[OthelloPosition] = []
    for _ in range(round(10_000 * effort)):
        position = Othello()
        for _ in range(6):
            position = position.play(random.choice(position.legal_moves))
        starts.append(position)
    print("\nwhole games inside the kernel: alpha-beta of depth 2 with D on both sides")
    for threads in (1, 2):
        games = partial(play_games, starts, player, player, seeds=[(1, 1)] * len(starts), threads=threads)
        seconds = min(seconds_of(games) for _ in range(2))
        print(f"  {threads} thread(s): {len(starts) / seconds:,.0f} games/s")
