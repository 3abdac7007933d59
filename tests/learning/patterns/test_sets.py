"""Sets of patterns: cells on the board, numbers of patterns, determinism."""

from __future__ import annotations

import pytest

from flipdrop.errors import LearningError
from flipdrop.games import game
from flipdrop.learning.patterns import patterns_of


@pytest.mark.parametrize("name", ["othello", "othello6", "othello4", "connect4", "connect4:4x4", "connect4:12x9"])
@pytest.mark.parametrize("set_name", ["squares", "blocks", "walks:12x5"])
def test_patterns_are_valid(name: str, set_name: str) -> None:
    kind = game(name)
    patterns = patterns_of(set_name, kind, seed=1)
    cells = range(kind.columns * kind.rows)
    assert patterns
    assert len(set(patterns)) == len(patterns)
    for pattern in patterns:
        assert len(set(pattern)) == len(pattern)
        assert all(cell in cells for cell in pattern)


def test_classic_patterns() -> None:
    lengths = [len(pattern) for pattern in patterns_of("classic", game("othello"), seed=0)]
    assert lengths == [10, 8, 8, 8, 9, 10, 4, 5, 6, 7, 8]


def test_squares() -> None:
    assert [len(patterns_of("squares", game(name), 0)) for name in ("othello", "othello6", "othello4")] == [10, 6, 3]
    assert len(patterns_of("squares", game("connect4"), 0)) == 4 * 6


def test_walks() -> None:
    kind = game("connect4")
    walks = patterns_of("walks:70x8", kind, seed=3)
    assert len(walks) == 70
    for walk in walks:
        assert len(walk) == 8
        reached, waiting = {walk[0]}, [walk[0]]
        while waiting:
            row, column = divmod(waiting.pop(), 7)
            for cell in walk:
                if cell not in reached and abs(cell // 7 - row) <= 1 and abs(cell % 7 - column) <= 1:
                    reached.add(cell)
                    waiting.append(cell)
        assert reached == set(walk)
    assert walks == patterns_of("walks:70x8", kind, seed=3)
    assert walks != patterns_of("walks:70x8", kind, seed=4)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("nonsense", "othello"), ("classic", "connect4"), ("walks:5x9", "connect4"), ("walks:0x3", "othello")],
)
def test_unknown_sets_are_refused(name: str, kind: str) -> None:
    with pytest.raises(LearningError):
        patterns_of(name, game(kind), seed=0)
