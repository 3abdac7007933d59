"""The review of a game: proven losses are those that playing out every line shows."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings

from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.sessions.review import Reviewer
from tests.strategies import AnyGame, AnyPosition, random_line, randoms

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import ReviewView

from tests.interface.web.sessions.oracles import margin

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
def test_a_review_finds_the_moves_that_gave_the_game_away(source: Any) -> None:
    line = random_line(OthelloGame(4), source)
    found = reviewed(OthelloGame(4), line, 0.05)
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


def test_perfect_play_is_perfectly_accurate() -> None:
    position = ConnectFour()
    line = [position]
    for name in "444444":  # best play, as the book has it
        position = position.play(name)
        line.append(position)
    found = reviewed(ConnectFourGame(), list(line), 0.05)
    assert found.accuracy == {"first": 100.0, "second": 100.0}
    assert [entry and entry.mark for entry in found.moves] == [""] * 6
