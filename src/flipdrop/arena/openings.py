"""Openings, from which games start, so that deterministic players do not repeat the same game.

A source of openings is ``random:8`` (8 random plies), ``balanced:8`` (the same, with neither side ahead by the solver
or a search), ``start`` (the start position), or the name of a file with one transcript per line.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import ArenaError, FlipdropError, quoted
from flipdrop.evaluation import evaluation
from flipdrop.games import game as game_of
from flipdrop.games.records.parsing import decode_text
from flipdrop.games.transcripts import read_transcript, write_transcript
from flipdrop.search import Mcts, Minimax, Solver
from flipdrop.search.analyse import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.games import Game, Position

MAX_PLIES = 40
_TRIES = 2000  # random openings in a row that are known or unbalanced, after which the search for more ends

# A position is balanced if a search of this size gives neither side a larger lead.
_DEPTH = 6
_OTHELLO_LEAD = 60.0  # of evaluation Seven
_ITERATIONS = 5000
_MCTS_LEAD = 0.2  # of a won game
_SOLVABLE = 2.0  # s: positions that are estimated to be solved in this time are solved


@dataclass(frozen=True)
class Opening:
    """The first moves of a game, which its players do not choose."""

    game: str
    transcript: str

    @cached_property
    def start(self) -> Position:
        return game_of(self.game).start()

    @cached_property
    def _read(self) -> tuple[list[int], Position]:
        return read_transcript(self.start, self.transcript)

    @property
    def moves(self) -> list[int]:
        """The moves, passes included."""
        return self._read[0]

    @property
    def position(self) -> Position:
        """The position after the moves."""
        return self._read[1]


@dataclass(frozen=True)
class Openings:
    """A source of openings for a game, determined by its seed."""

    game: Game
    source: str
    seed: int

    def stream(self) -> Iterator[Opening]:
        """An endless stream of openings, which repeat when all distinct ones were used."""
        found: list[Opening] = []
        for opening in self._distinct():
            found.append(opening)
            yield opening
        if not found:
            raise ArenaError(f"openings {quoted(self.source)}: there is none from which {self.game.name} can be played")
        yield from itertools.cycle(found)

    def take(self, count: int) -> list[Opening]:
        """The first `count` openings of the stream."""
        return list(itertools.islice(self.stream(), count))

    def _distinct(self) -> Iterator[Opening]:
        kind, _, number = self.source.partition(":")
        if self.source == "start":
            return iter([Opening(self.game.name, "")])
        if kind in ("random", "balanced"):
            if not (number.isascii() and number.isdigit() and int(number) <= MAX_PLIES):
                raise ArenaError(f"openings {quoted(self.source)}; write {kind}:8 for 8 plies, at most {MAX_PLIES}")
            return self._random(int(number), balanced=kind == "balanced")
        return self._from_file(Path(self.source))

    def _random(self, plies: int, *, balanced: bool) -> Iterator[Opening]:
        random = Random(derive_seed(self.seed, "openings"))
        solver = Solver(outcome_only=True, line=False)
        seen: set[Position] = set()
        failures = 0
        while failures < _TRIES:
            moves, position = random_plies(self.game.start(), plies, random)
            if position.is_over or position in seen:
                failures += 1
                continue
            seen.add(position)
            if balanced and not is_balanced(position, solver):
                failures += 1
                continue
            failures = 0
            yield Opening(self.game.name, write_transcript(self.game.start(), moves))

    def _from_file(self, path: Path) -> Iterator[Opening]:
        try:
            lines = decode_text(path.read_bytes()).splitlines()
        except OSError as error:
            raise ArenaError(
                f"openings {quoted(self.source)}: {error.strerror}; write random:8, balanced:8, start, or a file's name"
            ) from None
        openings = []
        for number, line in enumerate(lines, 1):
            text = line.split("#")[0].strip()
            if not text:
                continue
            try:
                moves, position = read_transcript(self.game.start(), text.split()[0])
            except FlipdropError as error:
                raise ArenaError(f"{path}, line {number}: {error}") from None
            if position.is_over:
                raise ArenaError(f"{path}, line {number}: the game is over after {quoted(text)}")
            openings.append(Opening(self.game.name, write_transcript(self.game.start(), moves)))
        Random(derive_seed(self.seed, "openings")).shuffle(openings)
        yield from openings


def default_openings(game: Game) -> str:
    """The default source of openings: one random ply per eight cells, at most 8."""
    return f"random:{min(8, game.columns * game.rows // 8)}"


def random_plies(start: Position, plies: int, random: Random) -> tuple[list[int], Position]:
    """At most `plies` random moves, and the position after them."""
    moves: list[int] = []
    position = start
    while len(moves) < plies and not position.is_over:
        moves.append(random.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves, position


def is_balanced(position: Position, solver: Solver) -> bool:
    """Whether a position is drawn, where that is proven quickly, else nearly even by a search."""
    solution = prove(solver, position, budget=_SOLVABLE)
    if solution is not None:
        return solution.outcome == 0
    if position.game.family == "othello":
        report = Minimax(depth=_DEPTH, evaluation=evaluation("Seven")).search(position)
        return abs(report.value) <= _OTHELLO_LEAD
    report = Mcts(iterations=_ITERATIONS, decisive="tree", decisive_playouts=True).search(position)
    return not report.proven and abs(report.value) <= _MCTS_LEAD
