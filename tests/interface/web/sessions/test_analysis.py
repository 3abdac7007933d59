"""Analyses: proven values equal those of playing out every line; methods, lines, trees, evaluation terms."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flipdrop.evaluation import evaluation
from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame
from flipdrop.games import game as game_of
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.sessions.analysis import AnalysisSettings, IdleAnalyses, PositionAnalysis
from flipdrop.interface.web.sessions.view import breakdown
from tests.interface.web.sessions.oracles import margin, plies_to_win
from tests.strategies import AnyPosition, random_line, randoms

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import AnalysisView, TreeNode


OUTSIDE_THE_BOOK = "f5f4g3g4h3"


CONFIG = ServerConfig(limits=Limits(megabytes=4))


SLOW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_lines_of_connect_four() -> None:
    position = game_of("connect4").position("4455316")
    found = PositionAnalysis(position, AnalysisSettings(lines=3), CONFIG).run(lambda _: None)
    for entry in found.moves[:3]:
        assert entry.line[0] == entry.move
        game_of("connect4").position("4455316" + "".join(entry.line))  # legal moves


class _LeftError(Exception):
    """The page was left."""


def test_lines_are_found_after_values() -> None:
    """The values of a position in the book are shown before its lines, whose search ends when the page is left."""
    position = game_of("connect4").position("44453")
    shown: list[AnalysisView] = []

    def show(found: AnalysisView) -> None:
        shown.append(found)
        raise _LeftError

    with pytest.raises(_LeftError):
        PositionAnalysis(position, AnalysisSettings(lines=3), CONFIG).run(show)
    (found,) = shown
    assert found.proven
    assert found.from_book
    assert len(found.moves) == 7
    assert found.moves[0].move == "5"


def test_depth_limit() -> None:
    for game, moves in (("othello", "f5d6c3"), ("connect4", "44")):
        position = game_of(game).position(moves)
        found = PositionAnalysis(position, AnalysisSettings(depth=3), CONFIG).run(lambda _: None)
        assert found.depth == 3
        assert not found.note


def analysed(position: AnyPosition, method: str = "search", seconds: float = 20.0) -> AnalysisView:
    shown: list[AnalysisView] = []
    found = PositionAnalysis(position, AnalysisSettings(method, seconds=seconds), CONFIG).run(shown.append)
    for one in [*shown, found]:
        json.dumps(one.model_dump(), allow_nan=False)
        assert one.position == position.board
    assert not any(one.done for one in shown)
    assert found.done
    return found


@SLOW
@given(source=randoms(), size=st.sampled_from([4, 6]))
def test_proven_values_of_othello(source: Any, size: int) -> None:
    line = random_line(OthelloGame(size), source)
    late = [p for p in line if isinstance(p, Othello) and p.cells.count("-") <= 7 and not p.is_over]
    if not late:
        return
    position = late[0]
    found = analysed(position)
    assert found.proven
    sign = 1 if position.to_move == 0 else -1
    for entry in found.moves:
        exact = sign * margin(position.play(entry.move))
        assert entry.proven
        assert entry.outcome == ("win" if exact > 0 else "loss" if exact < 0 else "draw")
        assert entry.margin == (exact or None)
        assert entry.text == (f"{exact:+}" if exact else "=")
    best = max(found.moves, key=lambda entry: entry.value)
    assert next(entry for entry in found.moves if entry.best).value == best.value
    assert (found.bar > 0) == (margin(position) > 0)


@SLOW
@given(source=randoms())
def test_proven_values_of_connect_four(source: Any) -> None:
    line = random_line(ConnectFourGame(4, 4), source)
    late = [p for p in line if isinstance(p, ConnectFour) and p.cells.count("-") <= 9 and not p.is_over]
    if not late:
        return
    position = late[0]
    found = analysed(position)
    assert found.proven
    for entry in found.moves:
        after = plies_to_win(position.play(entry.move))
        assert entry.proven
        if math.isinf(after):
            assert entry.text == "="
        elif after < 0:  # the opponent loses
            assert entry.text == f"#{math.ceil((1 - after) / 2)}"
        else:
            assert entry.text == f"-#{math.ceil(after / 2)}"


@pytest.mark.parametrize("method", ["search", "mcts", "level:6", "mcts:iterations=300", "flat:games=50", "greedy"])
@pytest.mark.parametrize("name", ["othello", "othello6", "connect4:9x10,forbid=c3", "connect4"])
def test_methods(method: str, name: str) -> None:
    if method == "level:6" and name == "connect4":
        name = "connect4:5x5"
    position = game_of(name).start()
    position = position.play(position.legal_moves[0])
    found = analysed(position, method, 0.1)
    assert {entry.move for entry in found.moves} == {position.move_name(m) for m in position.legal_moves}
    assert sum(entry.best for entry in found.moves) == 1
    assert found.best == next(entry.move for entry in found.moves if entry.best)
    assert found.line[0] == found.best
    assert -1 <= found.bar <= 1
    assert all(0 <= entry.win_probability <= 1 for entry in found.moves)


def test_opening_book() -> None:
    found = analysed(ConnectFour())
    assert found.note == "from the opening book"
    assert found.best == "4"
    assert found.moves[0].text == "#21"  # the first side wins with its last disc
    assert all(entry.proven for entry in found.moves)


def test_tree() -> None:
    found = analysed(Othello(), "mcts", 0.3)

    def check(nodes: list[TreeNode], visits: float, depth: int) -> int:
        assert [node.visits for node in nodes] == sorted((node.visits for node in nodes), reverse=True)
        assert sum(node.visits for node in nodes) <= visits
        assert depth <= 5 or not nodes
        return len(nodes) + sum(check(node.children, node.visits, depth + 1) for node in nodes)

    assert found.tree is not None
    assert 4 <= check(found.tree, math.inf, 1) <= 60
    visits = {entry.move: entry.visits for entry in found.moves}
    assert all(node.visits == visits[node.move] for node in found.tree)


def test_finished_game() -> None:
    over = ConnectFour.from_transcript("1212121")
    found = analysed(over)
    assert (found.moves, found.best, found.bar, found.done) == ([], None, 1.0, True)


def test_error_of_callback() -> None:
    class Enough(Exception):
        pass

    def show(_: AnalysisView) -> None:
        raise Enough

    outside_the_book = Othello.from_transcript(OUTSIDE_THE_BOOK)
    for method in ("search", "mcts"):
        with pytest.raises(Enough):
            PositionAnalysis(outside_the_book, AnalysisSettings(method, seconds=60), CONFIG).run(show)


@settings(max_examples=30, deadline=None)
@given(source=randoms())
def test_breakdown(source: Any) -> None:
    position = source.choice([p for p in random_line(OthelloGame(6), source) if not p.is_over])
    used = evaluation("D")
    found = breakdown(position, used)
    assert found.score == pytest.approx(used.score(position))
    assert sum(term.contribution for term in found.terms) == pytest.approx(found.score)
    assert set(found.meanings) == {term.name for term in found.terms}
    for move in position.legal_moves:
        after = position.play(move)
        own = found.moves[position.move_name(move)]
        sign = 1 if after.to_move == position.to_move else -1
        assert own.score == pytest.approx(sign * used.score(after))
        assert sum(term.contribution for term in own.terms) == pytest.approx(own.score)


def test_tables_of_idle_analyses() -> None:
    """A hundred analyses that wait for their next round do not hold a hundred tables."""
    idle = IdleAnalyses(2)
    analyses = [PositionAnalysis(Othello(), AnalysisSettings("mcts", seconds=0.01), CONFIG) for _ in range(4)]
    for analysis in analyses:
        with idle.running(analysis):
            analysis.run(lambda _: None)
    assert [analysis._tree is None for analysis in analyses] == [True, True, False, False]
    with idle.running(analyses[2]), idle.running(analyses[0]):  # what runs keeps its own
        analyses[0].run(lambda _: None)
    assert [analysis._tree is None for analysis in analyses] == [False, True, False, True]


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (
            "othello",
            "f5d6c3d3c4f4f6g5e6d7e3c5f3c2b5c6b6d2f2f1c1g6g3a7d8c8b8d1h6b1e1b7a1e7a8h7h8e2g1h2e8g2a6c7h1g7h3g4f7a4a5b4b2b3",
        ),
        ("connect4", "667723667173521441123454422366"),
    ],
)
def test_lines_of_proven_positions(game: str, moves: str) -> None:
    """A proven position has lines with best play of both sides, not their first moves alone."""
    position = game_of(game).position(moves)
    found = PositionAnalysis(position, AnalysisSettings(lines=2), CONFIG).run(lambda _: None)
    assert found.proven
    assert len(found.line) > 1
    for one in found.moves[:2]:
        assert one.line[0] == one.move
        after = position
        for move in one.line:
            after = after.play(after.parse_move(move))
        if after.is_over and one.margin is not None:
            assert after.margin == (one.margin if position.to_move == 0 else -one.margin)
