"""Builds opening books. Every result is saved at once in a file of notes, from which an interrupted build resumes.

Connect Four's book needs the exact score of every position of its last ply. Othello's book grows by drop-out expansion
(Lincke 2000): of all moves that leave the book it follows those first that both sides reach with the least loss.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from flipdrop.errors import BookError
from flipdrop.games import Othello, OthelloGame
from flipdrop.options import check_options, option
from flipdrop.search.connect_four_book import ConnectFourBook, positions_of
from flipdrop.search.connect_four_book import key as position_key
from flipdrop.search.engine import Engine
from flipdrop.search.othello_book import Key, OthelloBook, key_of
from flipdrop.search.solver import Solver, engine_network_file
from flipdrop.search.values import in_discs
from flipdrop.workers import ThreadWorkers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path
    from typing import TextIO

    from flipdrop.games import ConnectFour
    from flipdrop.search.report import SearchReport
    from flipdrop.workers import Workers

    Progress = Callable[[int, int], object]

PLIES_PER_DISC = 4
"""A line that loses a disc is expanded as late as one without a loss that is this many plies longer."""
_FIRST_DEPTH = 8  # plies of a first search of all moves of Othello; only good ones are searched deeper
_CLEARLY_WORSE = 6  # discs below the best move of the first search: more is not searched deeper
_REPLY_TABLE = 64  # MB of the solver for each reply of Connect Four
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
    replies: int = 0,
    known: ConnectFourBook | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> ConnectFourBook:
    """A book of `plies` plies, with replies up to the ply `replies`.

    :param known: a book whose scores of positions with `plies` discs are taken over
    :param workers: each solves a position of its own; by default `threads` threads solve one after the other together
    :param notes: a file of solved positions; each line holds a key, a score and the seconds of the proof, and those of
        positions with a reply the key of the position after it
    :param command: the command that builds the book, for its header
    """
    positions = positions_of(plies)
    noted = read_notes(notes)
    replied = {number: entry for number, entry in noted.items() if entry.after is not None}
    if unknown := [number for number in noted if number not in positions and number not in replied]:
        raise BookError(f"{notes}: position {unknown[0]} has not {plies} plies; these are notes of another book")
    solved = {number: entry._replace(after=None) for number, entry in noted.items() if number in positions}
    if known is not None:
        solved |= {number: _Solved(known.scores[number], 0.0) for number in positions if number in known.scores}
    solver = Solver(threads=threads if workers is None else 1, table=table, line=False, book=False)
    missing = [(number, position) for number, position in positions.items() if number not in solved]
    if progress is not None:
        progress(len(solved), len(positions))
    with notes.open("a") as file, closing((workers or ThreadWorkers(1)).map(_solve, solver, missing)) as results:
        for (number, _), entry in results:
            solved[number] = entry._replace(after=None)
            _write_note(file, number, solved[number])
            if progress is not None:
                progress(len(solved), len(positions))
    complete = ConnectFourBook.from_last_ply(plies, {number: entry.score for number, entry in solved.items()}, {})
    book = replace(complete, replies=replies)
    if replies >= max(plies, 1):
        _add_replies(book, replied, notes, workers=workers or ThreadWorkers(threads), progress=progress)
    seconds = sum(entry.seconds for entry in (*solved.values(), *replied.values()))
    book.made.update(command=command, threads=threads, table_megabytes=table, seconds=round(seconds))
    return book


def _add_replies(
    book: ConnectFourBook,
    replied: dict[int, _Solved],
    notes: Path,
    *,
    workers: Workers,
    progress: Progress | None,
) -> None:
    """Adds the positions that a side meets if it plays the book's moves, and those after its replies.

    :param replied: the positions of the notes; receives the others
    """
    scores = cast("dict[int, int]", book.scores)
    solver = Solver(table=_REPLY_TABLE, line=False, book=False)
    size = 0
    while size != len(scores):  # a position that one side needs can give the other side another reply
        size = len(scores)
        for level in _levels(book):
            wanted = {number: position for number, position in level.items() if book.reply(position) is None}
            missing = [(number, position) for number, position in wanted.items() if number not in replied]
            with notes.open("a") as file, closing(workers.map(_solve_afresh, solver, missing)) as results:
                for done, ((number, _), entry) in enumerate(results, 1):
                    replied[number] = entry
                    _write_note(file, number, entry)
                    if progress is not None:
                        progress(done, len(missing))
            for number in wanted:
                entry = replied[number]
                scores[number] = entry.score
                if entry.after:
                    scores[entry.after] = -entry.score


def _levels(book: ConnectFourBook) -> Iterator[dict[int, ConnectFour]]:
    """Ply by ply, the positions that each side meets at its turns if it plays the book's moves."""
    for side in (0, 1):
        level = positions_of(0)
        for ply in range(book.replies + 1):
            if ply % 2 == side:
                yield level
                level = _children(level, lambda position: _moves_of_reply(book, position))
            else:
                level = _children(level, lambda position: position.legal_moves)


def _moves_of_reply(book: ConnectFourBook, position: ConnectFour) -> list[int]:
    reply = book.reply(position)
    if reply is None:
        raise BookError(f"the notes have a wrong reply to {position.board}; delete them")
    return [reply]


def _children(
    positions: dict[int, ConnectFour], moves: Callable[[ConnectFour], Iterable[int]]
) -> dict[int, ConnectFour]:
    """The unfinished positions after some moves, one of each mirror pair, by key."""
    after = (position.play(move) for position in positions.values() for move in moves(position))
    return {position_key(position): position for position in after if not position.is_over}


class _Solved(NamedTuple):
    """The score of a position, the seconds of its proof, and the key of the position after a best move.

    That key is 0 if the game is over then, and None for positions of the last complete ply, which need none.
    """

    score: int
    seconds: float
    after: int | None = None


def _solve(solver: Solver, task: tuple[int, ConnectFour]) -> _Solved:
    began = perf_counter()
    position = task[1]
    solution = solver.solve(position)
    seconds = perf_counter() - began
    if solution.best is None:
        return _Solved(solution.lower, seconds)
    after = position.play(solution.best)
    return _Solved(solution.lower, seconds, 0 if after.is_over else position_key(after))


def _solve_afresh(solver: Solver, task: tuple[int, ConnectFour]) -> _Solved:
    """With a table of its own, so that the best move does not depend on other positions."""
    return _solve(replace(solver), task)


def _write_note(file: TextIO, number: int, entry: _Solved) -> None:
    file.write(f"{number} {entry.score} {entry.seconds:.3f}{'' if entry.after is None else f' {entry.after}'}\n")
    file.flush()


def read_notes(notes: Path) -> dict[int, _Solved]:
    """The positions of Connect Four solved so far, by key."""
    solved = {}
    for number, line in enumerate(_whole_lines(notes), 1):
        with suppress(ValueError):
            position, score, seconds, *after = line.split()
            if len(after) > 1:
                raise ValueError
            solved[int(position)] = _Solved(int(score), float(seconds), int(after[0]) if after else None)
            continue
        raise BookError(f"{notes}, line {number}: {line[:60]!r}; write KEY SCORE SECONDS [KEY]")
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
