"""Many random games stepped together, against pgx and PettingZoo, and values of many positions.

A step is one action in one game, with the observation, the mask of legal actions and the random choice of the next one.
"pgx step" is called from Python once for each step of all games, as flipdrop is; "pgx scan" compiles the loop too. pgx
runs in an environment of its own (``make bench`` makes it), in a process beside this one.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.measure import Contenders, best_rates
from flipdrop import Game, Position, game
from flipdrop.batch import Games, evaluate, solve
from flipdrop.evaluation import default_evaluation

BATCH = 1024
SCAN = 128  # steps of a loop that pgx compiles
PGX = Path("build/pgx/bin/python")
PGX_GAMES = {"connect4": "connect_four", "othello": "othello"}


def run(effort: float) -> None:
    """Prints steps a second and the ratio to each peer."""
    print(f"\nrandom games from Python, {BATCH:,} at a time, steps/s")
    for name in ("connect4", "othello"):
        with ExitStack() as closing:
            contenders: Contenders = {"flipdrop": _flipdrop(name), "flipdrop, 1 thread": _flipdrop(name, threads=1)}
            if PGX.exists():
                for mode in ("step", "scan"):
                    contenders[f"pgx {mode}"] = _pgx(name, mode, closing)
            else:
                print(f"  pgx is not installed in {PGX.parents[1]}: left out")
            if name == "connect4":
                contenders["PettingZoo"] = _petting_zoo()
            rates = {one: rate * _steps(one) for one, rate in best_rates(contenders, turn_seconds=effort).items()}
        for contender, rate in rates.items():
            ratio = "" if contender == "flipdrop" else f"   flipdrop is {rates['flipdrop'] / rate:.2f}x as fast"
            print(f"  {name:9} {contender:18} {rate:14,.0f}{ratio}")
    print("\nvalues of many positions, positions/s")
    for name in ("connect4", "othello"):
        positions = _middle_games(game(name), 20_000)
        late = _middle_games(game(name), 2_000, empties=12)
        works: Contenders = {
            "evaluate": partial(_repeat, evaluate, positions),
            "one by one": partial(_repeat, _one_by_one, positions),
            "solve, 12 empty": partial(_repeat, solve, late),
        }
        for work, rate in best_rates(works, turn_seconds=effort).items():
            print(f"  {name:9} {work:18} {rate * len(late if 'solve' in work else positions):14,.0f}")


def _repeat(work: Callable[[list[Position]], object], positions: list[Position], times: int) -> None:
    for _ in range(times):
        work(positions)


def _steps(contender: str) -> int:
    """Steps in a contender's unit of work: a call of all games, a compiled loop of such calls, or one step."""
    return {"PettingZoo": 1, "pgx scan": SCAN * BATCH}.get(contender, BATCH)


def _flipdrop(name: str, threads: int | None = None) -> Callable[[int], object]:
    games = Games(name, BATCH, threads=threads)

    def play(calls: int) -> None:
        for _ in range(calls):
            games.step(games.random_actions())

    return play


def _pgx(name: str, mode: str, closing: ExitStack) -> Callable[[int], object]:
    command = [str(PGX), str(Path(__file__).parent / "pgx_steps.py"), PGX_GAMES[name], str(BATCH)]
    command.append(str(SCAN if mode == "scan" else 1))
    process = closing.enter_context(
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    )
    assert process.stdin is not None
    assert process.stdout is not None
    to_process, from_process = process.stdin, process.stdout
    closing.callback(process.stdin.close)

    def play(calls: int) -> None:
        print(calls, file=to_process, flush=True)
        from_process.readline()

    return play


def _petting_zoo() -> Callable[[int], object]:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()

    def play(steps: int) -> None:
        random = Random(1).random
        env.reset(seed=1)
        for _ in range(steps):
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(random() * len(legal))]))

    return play


def _one_by_one(positions: list[Position]) -> list[float]:
    score = default_evaluation(positions[0].game).score
    return [score(position) for position in positions]


def _middle_games(chosen: Game, count: int, *, empties: int | None = None) -> list[Position]:
    """Positions of random games, all of them or those with a number of empty cells."""
    games = Games(chosen, 1000, seed=7)
    found: list[Position] = []
    while len(found) < count:
        games.step(games.random_actions())
        found += [one for one in games.positions if empties is None or one.empties == empties]
    return found[:count]
