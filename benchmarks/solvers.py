"""The exact solvers: Connect Four compared with bitbully without its book, Othello endgames on one and two threads.

Positions are made here from a seed and sorted as the public test sets are: by discs on the board, and by the plies to
go when both sides play their best. Every score must be the same from everyone who finds it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from random import Random
from time import process_time
from typing import Any, NamedTuple

from flipdrop import ConnectFour, Othello
from flipdrop.search import Minimax, Solver

TABLE = 64  # MB; the first touch of a much larger table costs more than it saves here
CLEARED_TABLE = 16  # MB, enough for one position; a cleared table is touched anew for each, which is timed
CELLS = 42
OTHELLO_EMPTIES = 20


def run(effort: float) -> None:
    """Prints mean times, nodes and ratios."""
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    print(f"\nexact solvers; load of this machine's {os.cpu_count()} cores in the last 1, 5, 15 minutes: {load}")
    _connect_four(MIDDLE, count=max(100, round(1000 * effort)))
    _connect_four(BEGIN, count=max(20, round(100 * effort)))
    if effort >= 1:
        _empty_board()
    _othello(count=max(5, round(20 * effort)))


@dataclass(frozen=True)
class Kind:
    """A set of positions."""

    name: str
    discs: tuple[int, int]
    plies_to_go: tuple[int, int]
    cleared: bool
    """Whether all tables are cleared before each position."""
    seed: int


MIDDLE = Kind("middle-medium", discs=(15, 27), plies_to_go=(14, 28), cleared=False, seed=1)
BEGIN = Kind("begin-medium", discs=(10, 14), plies_to_go=(14, 28), cleared=True, seed=2)


def generated(kind: Kind, count: int) -> dict[str, int]:
    """Transcripts of unfinished random games, with their scores."""
    random = Random(kind.seed)
    solver = Solver(table=TABLE, book=False, line=False)
    found: dict[str, int] = {}
    while len(found) < count:
        discs = random.randint(*kind.discs)
        position, transcript = ConnectFour(), ""
        while position.ply < discs and not position.is_over:
            move = random.choice(position.legal_moves)
            transcript += position.move_name(move)
            position = position.play(move)
        if position.is_over:
            continue
        score = solver.solve(position).score
        assert score is not None
        if kind.plies_to_go[0] <= plies_to_go(discs, score) <= kind.plies_to_go[1]:
            found[transcript] = score
    return found


def plies_to_go(discs: int, score: int) -> int:
    """Plies to the end of the game with best play by both sides."""
    if score == 0:
        return CELLS - discs
    first_wins = (score > 0) == (discs % 2 == 0)
    last_disc_of_winner = CELLS // 2 + 1 - abs(score)
    return 2 * last_disc_of_winner - first_wins - discs


class Answer(NamedTuple):
    """The answer of a contender."""

    score: int
    nodes: int


@dataclass(frozen=True)
class Contender:
    """A contender: only `solve` is timed, not `read` and `clear`."""

    read: Callable[[str], Any]
    clear: Callable[[], object]
    solve: Callable[[Any], Answer]


def _flipdrop(table: int) -> Contender:
    solver = Solver(table=table, book=False, line=False)

    def solve(position: ConnectFour) -> Answer:
        solution = solver.solve(position)
        return Answer(solution.guess, solution.nodes)

    return Contender(ConnectFour.from_transcript, solver.clear, solve)


def _bitbully(search: str) -> Contender:
    bitbully: Any = import_module("bitbully")  # untyped
    agent = bitbully.BitBully(opening_book=None)
    score_of = getattr(agent, search)

    def read(transcript: str) -> Any:
        return bitbully.Board([int(column) - 1 for column in transcript])

    def solve(board: Any) -> Answer:
        before = agent.get_node_counter()
        return Answer(score_of(board), agent.get_node_counter() - before)

    return Contender(read, agent.reset_transposition_table, solve)


def _connect_four(kind: Kind, count: int, turns: int = 2) -> None:
    table = CLEARED_TABLE if kind.cleared else TABLE
    low, high = kind.plies_to_go
    print(f"\nConnect Four, {kind.name}: {count:,} random positions, {kind.discs[0]} to {kind.discs[1]} discs")
    print(f"and {low} to {high} plies to go; CPU time of one thread, no book, each one's best of {turns} turns,")
    print(f"tables {'cleared for each position (not timed)' if kind.cleared else 'kept'}, {table} MB here")
    scores = generated(kind, count)
    contenders = {
        "flipdrop": _flipdrop(table),
        "bitbully mtdf": _bitbully("mtdf"),
        "bitbully null_window": _bitbully("null_window"),
    }
    best = {name: [math.inf] * count for name in contenders}
    nodes = dict.fromkeys(contenders, 0)
    for _ in range(turns):
        for name, contender in contenders.items():
            seconds, nodes[name] = _turn(name, contender, scores, cleared=kind.cleared)
            best[name] = [min(pair) for pair in zip(best[name], seconds, strict=True)]
    means = {name: sum(seconds) / count for name, seconds in best.items()}
    for name, mean in means.items():
        ratio = "" if name == "flipdrop" else f"   flipdrop is {mean / means['flipdrop']:.2f}x as fast"
        print(f"  {name:20} {1000 * mean:8.2f} ms {nodes[name] / count:10,.0f} nodes{ratio}")


def _turn(name: str, contender: Contender, scores: dict[str, int], *, cleared: bool) -> tuple[list[float], int]:
    """CPU seconds for each position, and all nodes, of one pass through a set that starts with an empty table.

    One thread's CPU time is what it would take if the machine had nothing else to do, nearly.
    """
    contender.clear()
    times, nodes = [], 0
    for transcript, score in scores.items():
        position = contender.read(transcript)
        if cleared:
            contender.clear()
        began = process_time()
        answer = contender.solve(position)
        times.append(process_time() - began)
        nodes += answer.nodes
        if answer.score != score:
            raise SystemExit(f"WRONG: {transcript} is {answer.score} to {name}, {score} to flipdrop before")
    return times, nodes


def _empty_board() -> None:
    print(f"\nConnect Four, the empty 7x6 board: exact score, no book, {TABLE} MB")
    for threads in (1, 2):
        solution = Solver(table=TABLE, book=False, threads=threads).solve(ConnectFour())
        if solution.score != 1:
            raise SystemExit(f"WRONG: the empty board is 1, but flipdrop says {solution.score}")
        print(f"  {threads} thread(s) {solution.seconds:8.1f} s {solution.nodes / 1e6:8.1f} million nodes")


def _othello(count: int, turns: int = 2) -> None:
    print(f"\nOthello: {count} endgames, {OTHELLO_EMPTIES} empty squares, {TABLE} MB, each one's best of {turns} turns")
    positions = endgames(count)
    best = {threads: [math.inf] * count for threads in (1, 2)}
    nodes = dict.fromkeys(best, 0)
    scores: list[int | None] = []
    for _ in range(turns):
        for threads in best:
            solver = Solver(table=TABLE, threads=threads, line=False)
            solutions = [solver.solve(position) for position in positions]
            best[threads] = [min(b, s.seconds) for b, s in zip(best[threads], solutions, strict=True)]
            nodes[threads] = sum(solution.nodes for solution in solutions)
            scores = scores or [solution.score for solution in solutions]
            if scores != [solution.score for solution in solutions] or None in scores:
                raise SystemExit(f"WRONG: {threads} thread(s) do not find the scores that one did")
    total = {threads: sum(seconds) for threads, seconds in best.items()}
    for threads, seconds in total.items():
        speedup = "" if threads == 1 else f"   {total[1] / seconds:.2f}x as fast as one"
        rate = f"{nodes[threads] / seconds / 1e6:6.1f} million nodes/s"
        mean = f"{1000 * seconds / count:8.1f} ms {nodes[threads] / count / 1e6:8.2f} million nodes"
        print(f"  {threads} thread(s) {mean} {rate}{speedup}")


def endgames(count: int) -> list[Othello]:
    """Endgames of a shallow search against itself after ten random plies."""
    random = Random(4)
    player = Minimax(depth=2, table=1)
    found: list[Othello] = []
    while len(found) < count:
        position = Othello()
        while not position.is_over and position.cells.count("-") > OTHELLO_EMPTIES:
            opening = position.ply < 10
            best = random.choice(position.legal_moves) if opening else player.search(position).best
            position = position.play(best)
        if not position.is_over:
            found.append(position)
    return found
