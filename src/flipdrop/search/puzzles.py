"""Puzzles: positions with one winning move, from games of a seed or games that were played, proven by the solver.

A puzzle is solved by its line: the player's moves in it are the only ones that win, the replies are the solver's. Its
level grows with the depth of the proof: in Othello with the empty squares, in Connect Four with the moves to the win.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, cast

from flipdrop.errors import SearchError
from flipdrop.games import Position
from flipdrop.games import game as game_of
from flipdrop.games.problems import Problem, write_problem
from flipdrop.search.minimax import Minimax
from flipdrop.search.report import SearchReport
from flipdrop.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flipdrop.games import Game, Othello
    from flipdrop.games.records import GameRecord
    from flipdrop.search.solution import Solution

LEVELS = range(1, 6)
GAMES = ("othello", "othello6", "connect4")
_EMPTIES = {1: 6, 2: 8, 3: 10, 4: 12, 5: 14}  # of Othello, by level
_WIN_IN = {1: (2, 2), 2: (3, 3), 3: (4, 5), 4: (6, 8), 5: (9, 12)}  # moves of the winner in Connect Four, by level
_DISCS = (14, 30)  # of a Connect Four puzzle
_RANDOM_MOVES = 0.35  # share of the moves of the games from which puzzles are taken
_MIN_MOVES = 3  # legal moves of a puzzle: with fewer, guessing is easy
_LONGEST_LINE = 9  # plies
_SOLVER_NODES = 20_000_000
_TABLE = 16  # megabytes


@dataclass(frozen=True)
class Puzzle:
    """A position with one winning move.

    :param line: moves to find, and the replies between them
    :param scores: of every legal move, for the side to move
    :param seed: with `number` and `level` it makes the same puzzle again
    :param origin: the game that was played, if it comes from one
    """

    position: Position
    line: tuple[int, ...]
    scores: dict[int, int]
    level: int
    seed: int
    number: int
    origin: str = ""

    @property
    def names(self) -> list[str]:
        """The line in notation."""
        found, position = [], self.position
        for move in self.line:
            found.append(position.move_name(move))
            position = position.play(move)
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.position.game.name,
            "board": self.position.board,
            "line": self.names,
            "scores": {self.position.move_name(move): score for move, score in self.scores.items()},
            "level": self.level,
            "seed": self.seed,
            "number": self.number,
            **({"origin": self.origin} if self.origin else {}),
        }

    def to_obf(self) -> str:
        """A line of an OBF file, for Othello."""
        comment = ", ".join(filter(None, (f"level {self.level}", self.origin)))
        return write_problem(Problem(cast("Othello", self.position), self.scores, comment))


def make_puzzle(
    game: Game,
    *,
    seed: int,
    number: int,
    level: int,
    progress: Callable[[], object] = lambda: None,
) -> Puzzle:
    """The puzzle with this number; the same for the same arguments.

    :param progress: called during the search; an exception in it ends the search
    """
    _check(game, level)
    random = Random(f"{game.name} {seed} {level} {number}")
    solver = _solver()
    while True:
        progress()
        position = _position(game, level, random)
        if position is None:
            continue
        puzzle = _puzzle_at(position, solver, level=level, seed=seed, number=number, progress=progress)
        if puzzle is not None:
            return puzzle


def puzzles_in_games(
    records: Sequence[GameRecord],
    game: Game,
    *,
    seed: int,
    level: int,
    progress: Callable[[], object] = lambda: None,
) -> Iterator[Puzzle]:
    """All puzzles of a level in games that were played; the seed gives the order of the games.

    :param records: games of other boards are left out
    """
    _check(game, level)
    of_game = [record for record in records if record.start.game == game]
    Random(f"{game.name} {seed} {level}").shuffle(of_game)
    solver, seen, number = _solver(), set[Position](), 0
    for record in of_game:
        for position in _candidates(record, level):
            progress()
            if position in seen:
                continue
            seen.add(position)
            origin = _origin(record)
            puzzle = _puzzle_at(
                position, solver, level=level, seed=seed, number=number, progress=progress, origin=origin
            )
            if puzzle is not None:
                number += 1
                yield puzzle


def _check(game: Game, level: int) -> None:
    if game.name not in GAMES:
        raise SearchError(f"puzzles are for {', '.join(game_of(name).title for name in GAMES)}, not {game.title}")
    if level not in LEVELS:
        raise SearchError(f"level {level}; levels of puzzles are {LEVELS[0]} to {LEVELS[-1]}")


def _solver() -> Solver:
    return Solver(moves=True, nodes=_SOLVER_NODES, table=_TABLE)


def _puzzle_at(
    position: Position,
    solver: Solver,
    *,
    level: int,
    seed: int,
    number: int,
    progress: Callable[[], object],
    origin: str = "",
) -> Puzzle | None:
    """The puzzle of a position; None if guessing is easy there, no move alone wins, or it is of another level."""
    if len(position.legal_moves) < _MIN_MOVES:
        return None
    solution = solver.solve(position, progress=lambda _: progress())
    if only_winning_move(solution) is None or not _has_level(solution, level):
        return None
    scores = {entry.move: entry.lower for entry in solution.moves}
    return Puzzle(position, _line(position, solver), scores, level, seed, number, origin)


def _candidates(record: GameRecord, level: int) -> Iterator[Position]:
    """The positions of a game that may be puzzles of a level."""
    for position in record.positions():
        if position.is_over or position.pass_move in position.legal_moves:
            continue
        if position.game.family == "othello":
            if position.empties <= _EMPTIES[level]:
                if position.empties > _EMPTIES[level] - 2:  # the level below begins two squares later
                    yield position
                    continue
                return
        elif _DISCS[0] <= sum(position.discs) <= _DISCS[1]:
            yield position


def _origin(record: GameRecord) -> str:
    players = " – ".join(name or "?" for name in (record.first, record.second)) if record.first or record.second else ""
    return ", ".join(filter(None, (players, record.event, record.date[:10])))


def make_puzzles(
    game: Game, count: int, *, seed: int, level: int | None = None, progress: Callable[[], object] = lambda: None
) -> Iterator[Puzzle]:
    """Puzzles of a seed, easy ones first unless all are of one level."""
    for number in range(count):
        grade = level or level_of(number, count)
        yield make_puzzle(game, seed=seed, number=number, level=grade, progress=progress)


def level_of(number: int, count: int) -> int:
    """The level of a puzzle of a set that goes from easy to hard."""
    return LEVELS[number * len(LEVELS) // count]


def only_winning_move(solution: Solution) -> int | None:
    """The only winning move of a solved position; None if there is none, or more than one."""
    if not (solution.proven and solution.exact):
        return None
    winning = [entry.move for entry in solution.moves if entry.lower > 0]
    known = all(entry.exact or entry.upper <= 0 for entry in solution.moves)
    return winning[0] if known and len(winning) == 1 else None


def _position(game: Game, level: int, random: Random) -> Position | None:
    """A position of a game in which both sides see two plies ahead, or move at random; None if the game ends early."""
    search = Minimax(algorithm="alphabeta", depth=2)
    plies = random.randint(*_DISCS)
    position = game.start()
    while not position.is_over:
        passes = position.pass_move in position.legal_moves
        if game.family == "othello" and position.empties <= _EMPTIES[level] and not passes:
            return position
        if game.family == "connect4" and sum(position.discs) >= plies:
            return position
        is_random = passes or random.random() < _RANDOM_MOVES
        position = position.play(random.choice(position.legal_moves) if is_random else search.search(position).best)
    return None


def _has_level(solution: Solution, level: int) -> bool:
    position = solution.position
    if position.game.family == "othello":
        return True
    plies = SearchReport.from_solution(solution).position_value.plies
    return plies is not None and _WIN_IN[level][0] <= (plies + 1) // 2 <= _WIN_IN[level][1]


def _line(position: Position, solver: Solver) -> tuple[int, ...]:
    """The winning moves and the best replies, as long as one move alone wins."""
    line: list[int] = []
    side = position.to_move
    while not position.is_over and len(line) < _LONGEST_LINE:
        solution = solver.solve(position)
        move = only_winning_move(solution) if position.to_move == side else solution.best
        if move is None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line[: len(line) - (len(line) + 1) % 2])  # it ends with a move of the player
