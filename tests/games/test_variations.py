"""Trees of moves: adding, promoting and removing variations, and their text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from flipdrop.errors import FlipdropError, IllegalMove
from flipdrop.games import ConnectFour, Othello, OthelloGame, game
from flipdrop.games.transcripts import write_transcript
from flipdrop.games.variations import MoveTree
from tests.strategies import randoms


def moves(text: str) -> tuple[int, ...]:
    """The moves of a transcript of Othello."""
    return MoveTree.from_text(Othello(), text).main_line


def test_variations() -> None:
    tree = MoveTree.of(Othello(), moves("f5d6c3"))
    tree = tree.add(moves("f5f6e6")).add(moves("f5f6c4"))
    assert tree.text == "f5d6(f6e6(c4))c3"
    assert tree.main_line == moves("f5d6c3")
    assert tree.line_through(moves("f5f6")) == moves("f5f6e6")
    assert tree.branch_of(moves("f5d6c3")) is None
    assert tree.branch_of(moves("f5f6e6")) == 1
    assert tree.branch_of(moves("f5f6c4")) == 2
    assert tree.add(moves("f5d6")) == tree
    inner = tree.promote(moves("f5f6c4"))
    assert inner.text == "f5d6(f6c4(e6))c3"
    assert inner.promote(moves("f5f6c4")).text == "f5f6(d6c3)c4(e6)"
    assert tree.promote(moves("f5d6c3")) is tree
    assert tree.remove(moves("f5f6c4")).text == "f5d6(f6e6)c3"
    assert tree.remove(moves("f5f6")).text == "f5d6c3"
    with pytest.raises(KeyError):
        tree.children_at(moves("d3"))


@pytest.mark.parametrize("text", ["(f5)", "f5)", "f5(d3", "f5(f4)", "f5(d3(z9))"])
def test_bad_text(text: str) -> None:
    with pytest.raises(FlipdropError):
        MoveTree.from_text(Othello(), text)


def test_connect_four() -> None:
    tree = MoveTree.from_text(ConnectFour(), "44(3(5)2)53")
    assert tree.text == "44(32)(5)53"


@settings(max_examples=60, deadline=None)
@given(source=randoms())
def test_text_of_random_trees(source: Any) -> None:
    """Also where passes are implied."""
    start = source.choice([OthelloGame(4), OthelloGame(6), game("connect4:4x4")]).start()
    tree = MoveTree(start)
    for _ in range(source.randrange(1, 6)):
        position = start
        path: list[int] = []
        while not position.is_over and len(path) < 20:
            path.append(source.choice(position.legal_moves))
            position = position.play(path[-1])
        tree = tree.add(path)
    found = MoveTree.from_text(start, tree.text)
    assert found == tree
    if "(" not in tree.text:
        assert tree.text == write_transcript(start, tree.main_line)


def test_errors_name_the_place_of_a_variation() -> None:
    with pytest.raises(IllegalMove, match="move 3 of the transcript, after 'f5d6': a1 for black"):
        MoveTree.from_text(Othello(), "f5d6c3(a1)")
    with pytest.raises(IllegalMove, match="move 1 of the transcript, at the start: a1 for black"):
        MoveTree.from_text(Othello(), "a1")
