"""Builds opening books. Every result is saved at once in a file of notes, from which an interrupted build resumes.

Connect Four's book needs the exact score of every position of its last ply. Othello's book grows by drop-out expansion
(Lincke 2000): of all moves that leave the book it follows those first that both sides reach with the least loss.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import closing, suppress
from dataclasses import dataclass, field
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

from flipdrop.errors import BookError
from flipdrop.games import Othello, OthelloGame
from flipdrop.options import check_options, option
from flipdrop.search.connect_four_book import ConnectFourBook, positions_of
from flipdrop.search.engine import Engine
from flipdrop.search.othello_book import Key, OthelloBook, key_of
from flipdrop.search.solver import Solver, engine_network_file
from flipdrop.search.values import in_discs
from flipdrop.workers import ThreadWorkers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from pathlib import Path

    from flipdrop.games import ConnectFour
    from flipdrop.search.report import SearchReport
    from flipdrop.workers import Workers

    Progress = Callable[[int, int], object]

PLIES_PER_DISC = 4
"""A line that loses a disc is expanded as late as one without a loss that is this many plies longer."""
_FIRST_DEPTH = 8  # plies of a first search of all moves of Othello; only good ones are searched deeper
_CLEARLY_WORSE = 6  # discs below the best move of the first search: more is not searched deeper
_SMALLEST_BLOCK, _BLOCK_SHARE = 16, 16  # Othello's leaves are expanded in blocks of a sixteenth of the book


@dataclass(frozen=True, kw_only=True)
class OthelloBookSettings:
    """What a book of Othello holds."""

    positions: int = option(20_000, "positions of the book", minimum=1, maximum=1_000_000)
    depth: int = option(16, "plies of the search that values a position's moves", minimum=1, maximum=60)
    selectivity: int = option(73, "certainty of ProbCut in percent; 100 for none", minimum=73, maximum=100)
    error: int = option(8, "most discs that both sides together lose on the way to a position", minimum=0, maximum=64)
    plies: int = option(36, "longest line in plies", minimum=0, maximum=59)
    table: int = option(8, "megabytes for the table of each search", minimum=1, maximum=1024)

    def __post_init__(self) -> None:
        check_options(self)


def build_connect_four_book(
    plies: int,
    notes: Path,
    *,
    threads: int,
    table: int,
    command: str,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> ConnectFourBook:
    """A book of `plies` plies.

    :param workers: each solves a position of its own; by default `threads` threads solve one after the other together
    :param notes: a file of solved positions; each line holds a key, a score and the seconds of the proof
    :param command: the command that builds the book, for its header
    """
    positions = positions_of(plies)
    solved = read_notes(notes)
    if unknown := [number for number in solved if number not in positions]:
        raise BookError(f"{notes}: position {unknown[0]} has not {plies} plies; these are notes of another book")
    solver = Solver(threads=threads if workers is None else 1, table=table, line=False, book=False)
    missing = [(number, position) for number, position in positions.items() if number not in solved]
    if progress is not None:
        progress(len(solved), len(positions))
    with notes.open("a") as file, closing((workers or ThreadWorkers(1)).map(_solve, solver, missing)) as results:
        for (number, _), (score, seconds) in results:
            solved[number] = score, seconds
            file.write(f"{number} {score} {seconds:.3f}\n")
            file.flush()
            if progress is not None:
                progress(len(solved), len(positions))
    made = {
        "command": command,
        "threads": threads,
        "table_megabytes": table,
        "seconds": round(sum(seconds for _, seconds in solved.values())),
    }
    return ConnectFourBook.from_last_ply(plies, {number: score for number, (score, _) in solved.items()}, made)


def _solve(solver: Solver, task: tuple[int, ConnectFour]) -> tuple[int, float]:
    """The score of a position, and the seconds of its proof."""
    began = perf_counter()
    return solver.solve(task[1]).lower, perf_counter() - began


def read_notes(notes: Path) -> dict[int, tuple[int, float]]:
    """The positions of Connect Four solved so far: scores and seconds by key."""
    solved = {}
    for number, line in enumerate(_whole_lines(notes), 1):
        with suppress(ValueError):
            key, score, seconds = line.split()
            solved[int(key)] = (int(score), float(seconds))
            continue
        raise BookError(f"{notes}, line {number}: {line[:60]!r}; write KEY SCORE SECONDS")
    return solved


def _whole_lines(notes: Path) -> list[str]:
    """The lines of a file of notes; removes an incomplete last one."""
    if not notes.exists():
        return []
    text = notes.read_text(encoding="utf-8", errors="replace")  # what is no text is no line of notes
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        notes.write_text(whole)
    return whole.splitlines()


def build_othello_book(
    settings: OthelloBookSettings, notes: Path, *, workers: Workers, command: str, progress: Progress | None = None
) -> OthelloBook:
    """A book. It depends on its settings and the engine's network alone, not on the workers.

    :param notes: a file of searched positions: a line with the settings of the searches, then for each position the
        hexadecimal bitboards of its key, the values of its moves and the CPU time of the search in seconds
    :param command: the command that builds the book, for its header
    """
    searches = _Searches(settings, notes, workers)
    graph = _Graph()
    found = [key_of(Othello())[0]]
    while found and len(graph.searched) < settings.positions:
        block = max(_SMALLEST_BLOCK, len(graph.searched) // _BLOCK_SHARE)
        chosen = found[: min(block, settings.positions - len(graph.searched))]
        with closing(searches.run(chosen)) as results:  # stops the threads if there is an exception
            for key, values in results:
                graph.add(key, values)
                if progress is not None:
                    progress(len(graph.searched), settings.positions)
        graph.back_up()
        found = graph.leaves(error=settings.error, plies=settings.plies)
    made = {
        "command": command,
        **searches.settings,
        "error": settings.error,
        "plies": settings.plies,
        "cpu_seconds": round(searches.cpu_seconds(graph.searched)),
    }
    return OthelloBook.from_values(graph.values, depth=settings.depth, selectivity=settings.selectivity, made=made)


@dataclass
class _Graph:
    """The positions of a book, the values of their moves by search and backed up, and the positions after their moves.

    A position in which the opponent has to pass, or the game is over, has no key: a move to it keeps the value of the
    search.
    """

    searched: dict[Key, list[int]] = field(default_factory=dict)
    children: dict[Key, list[Key | None]] = field(default_factory=dict)
    values: dict[Key, list[int]] = field(default_factory=dict)
    by_discs: dict[int, list[Key]] = field(default_factory=dict)

    def add(self, key: Key, values: list[int]) -> None:
        position = key.position()
        self.searched[key] = values
        self.children[key] = [_key_after(position, move) for move in position.legal_moves]
        self.by_discs.setdefault(key.discs, []).append(key)

    def back_up(self) -> None:
        """Negamax, from the positions with most discs to the start."""
        self.values = {}
        for discs in sorted(self.by_discs, reverse=True):
            for key in self.by_discs[discs]:
                self.values[key] = [
                    value if child not in self.values else -max(self.values[child])
                    for child, value in zip(self.children[key], self.searched[key], strict=True)
                ]

    def leaves(self, *, error: int, plies: int) -> list[Key]:
        """The positions one move outside the book, the next to be expanded first.

        The loss of a position is the least sum of what the moves to it lose against the best ones.
        """
        losses = {key_of(Othello())[0]: 0}
        outside: dict[Key, int] = {}
        for discs in sorted(self.by_discs):
            if discs - 4 >= plies:
                break
            for key in self.by_discs[discs]:
                if key not in losses:
                    continue
                best = max(self.values[key])
                for child, value in zip(self.children[key], self.values[key], strict=True):
                    loss = losses[key] + best - value
                    if child is None or loss > error:
                        continue
                    of_kind = losses if child in self.values else outside
                    of_kind[child] = min(loss, of_kind.get(child, loss))
        return sorted(outside, key=lambda key: (PLIES_PER_DISC * outside[key] + key.discs, key))


def _key_after(position: Othello, move: int) -> Key | None:
    after = position.play(move)
    return None if after.is_over or after.pass_move in after.legal_moves else key_of(after)[0]


def _values(report: SearchReport) -> dict[int, int]:
    return {entry.move: round(in_discs(entry.value)) for entry in report.moves}


def _search(engine: Engine, key: Key) -> tuple[list[int], float]:
    """The values of all moves: of good ones at full depth, of others at most the lowest of those; and the CPU time."""
    began, position = thread_time(), key.position()
    assert engine.depth is not None
    first = engine.with_options(depth=min(_FIRST_DEPTH, engine.depth)).with_all_moves()  # with a table of its own
    values = _values(first.search(position))
    good = sum(value >= max(values.values()) - _CLEARLY_WORSE for value in values.values())
    deep = _values(engine.with_options(lines=good).search(position))
    lowest = min(deep.values())
    values = {move: deep.get(move, min(value, lowest)) for move, value in values.items()}
    return [values[move] for move in sorted(values)], thread_time() - began


class _Searches:
    """The values of the moves of positions, from the notes or from searches."""

    def __init__(self, settings: OthelloBookSettings, notes: Path, workers: Workers) -> None:
        network = engine_network_file(OthelloGame())
        assert network is not None
        self.settings = {
            "depth": settings.depth,
            "selectivity": settings.selectivity,
            "table_megabytes": settings.table,
            "network": hashlib.blake2b(network.read_bytes(), digest_size=8).hexdigest(),
        }
        self._notes, self._workers = notes, workers
        self._known = self._read()
        self._engine = Engine(depth=settings.depth, selectivity=settings.selectivity, table=settings.table)

    def run(self, keys: list[Key]) -> Generator[tuple[Key, list[int]]]:
        """The values of the positions' moves, in no particular order."""
        missing = [key for key in keys if key not in self._known]
        for key in keys:
            if key in self._known:
                yield key, self._known[key][0]
        if not missing:
            return
        with self._notes.open("a") as file, closing(self._workers.map(_search, self._engine, missing)) as results:
            for key, (values, seconds) in results:
                self._known[key] = (values, seconds)
                file.write(f"{key.own:016x} {key.other:016x} {','.join(map(str, values))} {seconds:.3f}\n")
                file.flush()
                yield key, values

    def cpu_seconds(self, keys: Iterable[Key]) -> float:
        return sum(self._known[key][1] for key in keys)

    def _read(self) -> dict[Key, tuple[list[int], float]]:
        """The positions of the notes; starts the notes if there are none."""
        lines = _whole_lines(self._notes)
        if not lines:
            self._notes.write_text(json.dumps(self.settings) + "\n")
            return {}
        self._check_settings(lines[0])
        known = {}
        for number, line in enumerate(lines[1:], 2):
            with suppress(ValueError):
                own, other, values, seconds = line.split()
                key = Key(int(own, 16), int(other, 16))
                known[key] = ([int(value) for value in values.split(",")], float(seconds))
                continue
            raise BookError(f"{self._notes}, line {number}: {line[:60]!r}; write OWN OTHER VALUES SECONDS")
        return known

    def _check_settings(self, line: str) -> None:
        found: Any = None
        with suppress(ValueError, RecursionError):
            found = json.loads(line)
        if not isinstance(found, dict):
            raise BookError(f"{self._notes}: these are no notes of a book of Othello")
        for name, value in self.settings.items():
            if found.get(name) != value:
                raise BookError(
                    f"{self._notes}: these are notes of another book, with {name} {found.get(name)} instead of "
                    f"{value}; delete them, or write the new book to another file"
                )
