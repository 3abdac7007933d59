"""Random games move by move from Python: the cost of the rules for an agent in Python.

Every contender runs the same loop: ask for the legal moves, pick one with the same random numbers, play it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from benchmarks.measure import Contenders, best_rates
from flipdrop import ConnectFour, Othello, Position


def run(effort: float) -> None:
    """Prints games a second and the ratio to each peer."""
    print("\nrandom games in a Python loop, games/s")
    contenders: dict[str, Contenders] = {
        "othello": {
            "flipdrop": _flipdrop(Othello()),
            "rust-reversi": _rust_reversi(),
            "open_spiel": _open_spiel("othello"),
        },
        "connect4": {"flipdrop": _flipdrop(ConnectFour()), "open_spiel": _open_spiel("connect_four")},
    }
    for game, players in contenders.items():
        rates = best_rates(players, turn_seconds=effort)
        for name, rate in rates.items():
            ratio = "" if name == "flipdrop" else f"   flipdrop is {rates['flipdrop'] / rate:.2f}x as fast"
            print(f"  {game:9} {name:13} {rate:10,.0f}{ratio}")


def _flipdrop(start: Position) -> Callable[[int], object]:
    def play(games: int) -> None:
        random = Random(1).random
        for _ in range(games):
            position = start
            while not position.is_over:
                moves = position.legal_moves
                position = position.play(moves[int(random() * len(moves))])

    return play


def _rust_reversi() -> Callable[[int], object]:
    from rust_reversi import Board

    def play(games: int) -> None:
        random = Random(1).random
        for _ in range(games):
            board = Board()
            while not board.is_game_over():
                if board.is_pass():
                    board.do_pass()
                    continue
                moves = board.get_legal_moves_vec()
                board.do_move(moves[int(random() * len(moves))])

    return play


def _open_spiel(name: str) -> Callable[[int], object]:
    import pyspiel

    game = pyspiel.load_game(name)

    def play(games: int) -> None:
        random = Random(1).random
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                moves = state.legal_actions()
                state.apply_action(moves[int(random() * len(moves))])

    return play
