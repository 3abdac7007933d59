"""The analysis of a position: proven values are those that playing out every line shows."""

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
from flipdrop.interface.web.sessions.analysis import AnalysisSettings, analyse, breakdown
from tests.strategies import AnyPosition, random_line, randoms

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import AnalysisView, TreeNode

from tests.interface.web.sessions.oracles import margin, plies_to_win

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
def test_every_method_says_something_about_every_move(method: str, name: str) -> None:
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


def test_the_opening_book_is_asked_first() -> None:
    found = analysed(ConnectFour())
    assert found.note == "from the opening book"
    assert found.best == "4"
    assert found.moves[0].text == "#21"  # the first side wins with its last disc
    assert all(entry.proven for entry in found.moves)


def test_a_tree_is_shown_from_its_most_visited_moves() -> None:
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


def test_a_game_that_is_over() -> None:
    over = ConnectFour.from_transcript("1212121")
    found = analysed(over)
    assert (found.moves, found.best, found.bar, found.done) == ([], None, 1.0, True)


def test_an_error_of_the_callback_ends_the_analysis() -> None:
    class Enough(Exception):
        pass

    def show(_: AnalysisView) -> None:
        raise Enough

    for method in ("search", "mcts"):
        with pytest.raises(Enough):
            analyse(Othello(), AnalysisSettings(method, seconds=60), CONFIG, show)


@settings(max_examples=30, deadline=None)
@given(source=randoms())
def test_a_breakdown_adds_up_for_either_side(source: Any) -> None:
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
