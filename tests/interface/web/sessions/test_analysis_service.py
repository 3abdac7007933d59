"""Analyses and reviews: proven values are those that playing out every line shows; live ones follow the board."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flipdrop.evaluation import evaluation
from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame
from flipdrop.games import game as game_of
from flipdrop.games.history import GameHistory
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.sessions.analysis_service import AnalysisSettings, Reviewer, analyse
from flipdrop.interface.web.sessions.view import breakdown
from tests.interface.web.sessions.harness import running_manager, until
from tests.interface.web.sessions.oracles import margin, plies_to_win
from tests.strategies import AnyGame, AnyPosition, random_line, randoms

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.interface.web.schemas import AnalysisView, ReviewView, TreeNode


def test_live_analysis(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello6", keep=False)
            manager.analysis.start(session, seconds=20)
            await until(lambda: session.analysis and session.analysis.moves)
            assert session.analysis is not None
            first = session.analysis.position
            session.play(session.analysis.best or "")
            await until(lambda: session.analysis and session.analysis.moves)
            assert session.analysis.position == session.position.board != first
            names = {entry.move for entry in session.analysis.moves}
            assert names == {session.position.move_name(move) for move in session.position.legal_moves}
            manager.analysis.stop(session)
            assert session.analysis is None
            await until(lambda: manager.search_queue.running == 0)

    asyncio.run(look())


def test_review_of_changed_record(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3d3c4f4f6")
            manager.analysis.review(session, seconds=0.3)
            session.jump(2)  # looking around does not matter
            await until(lambda: session.review and session.review.reviewed >= 1)
            session.play("c4")  # another game
            assert session.review is None
            manager.analysis.review(session, seconds=0.02)
            await until(lambda: session.review and session.review.done)
            assert session.review is not None
            assert len(session.review.moves) == 3
            assert len(session.review.graph) == 4

    asyncio.run(look())


def test_stopped_review(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3d3c4f4f6")
            manager.analysis.review(session, seconds=2)
            await until(lambda: session.review is not None)
            manager.analysis.stop(session)
            assert session.review is None
            manager.analysis.review(session, seconds=0.01)
            await until(lambda: session.review and session.review.done)
            manager.analysis.stop(session)
            assert session.review is not None

    asyncio.run(look())


LIMITS = Limits(megabytes=4)


CONFIG = ServerConfig(limits=LIMITS)


SLOW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def analysed(position: AnyPosition, method: str = "search", seconds: float = 1.0) -> AnalysisView:
    shown: list[AnalysisView] = []
    found = analyse(position, AnalysisSettings(method, seconds=seconds), CONFIG, shown.append)
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

    for method in ("search", "mcts"):
        with pytest.raises(Enough):
            analyse(Othello(), AnalysisSettings(method, seconds=60), CONFIG, show)


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


def test_accuracy_of_perfect_play() -> None:
    position = ConnectFour()
    line = [position]
    for name in "444444":  # best play, as the book has it
        position = position.play(name)
        line.append(position)
    found = reviewed(ConnectFourGame(), list(line), 0.05)
    assert found.accuracy == {"first": 100.0, "second": 100.0}
    assert [entry and entry.mark for entry in found.moves] == [""] * 6
