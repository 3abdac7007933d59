"""Plain minimax over positions, in Python: the oracle of the minimax family."""

from collections.abc import Callable

from flipdrop.games import Othello, Position

WIN = 1_000_000


def finished_value(position: Position) -> float:
    """The value of a finished game for the side to move: a million plus the margin."""
    result = position.result
    assert result is not None
    if result == 0:
        return 0
    for_mover = result if position.to_move == 0 else -result
    if isinstance(position, Othello):
        return for_mover * (WIN + abs(position.margin))
    empty = position.cells.count("-")
    return for_mover * (WIN + 1 + empty)


def with_other_side_to_move(position: Position) -> Othello:
    assert isinstance(position, Othello)
    return Othello(f"{position.cells} {'OX'[position.to_move]}", size=position.size)


def for_searcher(evaluate: Callable[[Position], float], searcher: int) -> Callable[[Position], float]:
    """An evaluation that looks at every position of Othello as if `searcher` were to move."""

    def evaluate_for(position: Position) -> float:
        if position.to_move == searcher:
            return evaluate(position)
        return -evaluate(with_other_side_to_move(position))

    return evaluate_for


def minimax(position: Position, depth: int, evaluate: Callable[[Position], float]) -> float:
    """The value for the side to move when both look `depth` plies ahead."""
    if position.is_over:
        return finished_value(position)
    if depth == 0:
        return evaluate(position)
    return max(-minimax(position.play(move), depth - 1, evaluate) for move in position.legal_moves)
