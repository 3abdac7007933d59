"""Proofs as searches report them, and how long they are likely to take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flipdrop.games import ConnectFour, ConnectFourGame, Othello
from flipdrop.search.book import shipped_book
from flipdrop.search.report import WIN, MoveReport, SearchReport, margin
from flipdrop.search.solver import book_solution

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.search.solver import Solution

# Seconds that a proof takes on one thread, roughly: so many with so many empty cells, and a factor for each more.
_OTHELLO = (0.5, 20, 2.2)
_CONNECT_FOUR = (0.05, 28, 1.6)


def estimate_solve_seconds(position: Position) -> float:
    """About how long a proof of a position's score takes."""
    seconds, empty, factor = _OTHELLO if isinstance(position, Othello) else _CONNECT_FOUR
    return seconds * factor ** (position.cells.count("-") - empty)


def from_book(position: Position) -> SearchReport | None:
    """What the opening book knows: every move's score, or nothing."""
    if not isinstance(position, ConnectFour) or position.game != ConnectFourGame():
        return None
    book = shipped_book()
    if book is None or not book.knows_moves_of(position):
        return None
    return solution_report(book_solution(book, position))


def has_answer(solution: Solution) -> bool:
    """Whether the score is known, and a move that keeps it; there may have been no time for the other moves."""
    if not solution.exact or solution.proven:
        return solution.exact
    return any(m.move == solution.best and m.lower == solution.lower for m in solution.moves)


def solution_report(solution: Solution, *, win: float = WIN, draw: float = 0.0) -> SearchReport:
    """A solution that `has_answer` as a search would report it, with wins worth `win` and their margin.

    Where there was no time for the scores of all moves, the others are bounds: none is better than the best.

    :param win: 1 for the scale of a tree search, which knows no margins
    """
    position = solution.position

    def value(score: int) -> float:
        if score == 0 or win == 1:
            return draw if score == 0 else math.copysign(win, score)
        return math.copysign(win + margin(position, score), score)

    moves = tuple(
        MoveReport(m.move, value(min(m.upper, solution.upper)), 0, exact=m.exact or m.move == solution.best)
        for m in solution.moves
    )
    best = position.legal_moves[0] if solution.best is None else solution.best
    return SearchReport(
        position=position,
        best=best,
        value=value(solution.lower),
        line=solution.line or (best,),
        moves=moves or (MoveReport(best, value(solution.lower), solution.nodes),),
        nodes=solution.nodes,
        depth=len(solution.line),
        seconds=solution.seconds,
        proven=True,
        note="from the opening book" if solution.from_book else "solved",
        solved=True,
    )
