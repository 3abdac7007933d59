"""Reviews: losses, marks and accuracy."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings

from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.sessions.reviewer import Reviewer
from tests.interface.web.sessions.oracles import margin
from tests.strategies import AnyGame, AnyPosition, random_line, randoms

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import ReviewView


LIMITS = Limits(megabytes=4)


SLOW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def reviewed(game: AnyGame, line: list[AnyPosition], seconds: float) -> ReviewView:
    moves = [next(m for m in a.legal_moves if a.play(m) == b) for a, b in itertools.pairwise(line)]
    shown: list[ReviewView] = []
    found = Reviewer(GameHistory.of(line[0], moves), seconds, LIMITS).run(shown.append)
    counts = [one.reviewed for one in shown]
    assert counts == sorted(counts)
    assert set(counts) == set(range(len(moves)))
    json.dumps(found.model_dump(), allow_nan=False)
    assert found.done
    return found


@SLOW
@given(source=randoms())
def test_reviewed_losses(source: Any) -> None:
    line = random_line(OthelloGame(4), source)
    found = reviewed(OthelloGame(4), line, 5.0)
    for number, entry in enumerate(found.moves):
        assert entry is not None
        before, after = line[number], line[number + 1]
        assert isinstance(before, Othello)
        assert isinstance(after, Othello)
        if before.cells.count("-") > 7:
            continue
        sign = 1 if before.to_move == 0 else -1
        lost = sign * margin(before) - sign * margin(after)
        assert entry.forced == (len(before.legal_moves) == 1)
        assert (entry.loss > 0) == (lost > 0)
        if sign * margin(before) > 0 > sign * margin(after):
            assert entry.mark == "??"
        if lost == 0:
            assert entry.mark == ""
    final = line[-1]
    assert found.graph[-1] == float(final.result or 0)


def test_opening_of_the_arena() -> None:
    """The opening has values, but no marks, and does not count."""
    moves = [Othello(size=4).parse_move("b1")]
    position = Othello(size=4).play(moves[0])
    while not position.is_over:
        moves.append(position.legal_moves[-1])
        position = position.play(moves[-1])
    history = GameHistory.of(Othello(size=4), moves)
    whole, rest = (Reviewer(history, 1.0, LIMITS, opening).run(lambda _: None) for opening in (0, 5))
    assert rest.graph == whole.graph
    marked = [number for number, entry in enumerate(whole.moves) if entry is not None and entry.mark]
    assert min(marked) < 5  # otherwise the test says nothing
    assert [number for number, entry in enumerate(rest.moves) if entry is not None and entry.mark] == [
        number for number in marked if number >= 5
    ]
    counted = [sum((of.doubtful, of.mistakes, of.blunders)) for of in rest.summary.values()]
    assert sum(counted) == len([number for number in marked if number >= 5])


def test_accuracy_of_perfect_play() -> None:
    position = ConnectFour()
    line = [position]
    for name in "444444":  # best play, as the book has it
        position = position.play(name)
        line.append(position)
    found = reviewed(ConnectFourGame(), list(line), 0.05)
    assert found.accuracy == {"first": 100.0, "second": 100.0}
    assert [entry and entry.mark for entry in found.moves] == [""] * 6
