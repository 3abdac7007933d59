"""HTML of results in notebooks."""

from __future__ import annotations

from xml.etree import ElementTree

from flipdrop import GameHistory, GameRecord, Minimax, Othello, analyse, game, ladder, match, review, solve, tournament
from flipdrop.arena.store import Point
from flipdrop.learning.curve import Curve
from flipdrop.notebook import html_lines, html_table, line_chart


def parsed(html: str) -> ElementTree.Element:
    """The HTML, which is XML as well."""
    return ElementTree.fromstring(f"<div>{html}</div>")


def test_tables_escape_their_cells() -> None:
    html = html_table(["<a>"], [["x & y"]], caption="<c>", notes=["1 < 2"])
    assert parsed(html).findtext(".//td") == "x & y"
    assert parsed(html_lines("<b>", ["<i>"])).findtext(".//b") == "<b>"


def test_charts_of_any_points() -> None:
    for points in ([], [(0.0, 1.0)], [(0.0, 0.0), (1.0, 0.0)], [(0.0, -3.0), (5.0, 3.0)]):
        assert parsed(line_chart([("a", points), ("b & c", [])], title="t", across="games")) is not None


def test_results_show_themselves() -> None:
    shown: list[object] = [
        match("random", "greedy", game="connect4", games=4),
        tournament(["random", "greedy", "greedy:epsilon=0.5"], game="connect4", games=2),
        ladder("random", game="connect4", games=2, opponents=1),
        Minimax(depth=3).search(Othello()),
        Minimax(depth=3).search(game("connect4").start()),
        solve("4444", game="connect4"),
        GameRecord.from_transcript(Othello(), "f5d6c3", first="<Ada>"),
        GameHistory.of(Othello()).play("f5"),
        review("f5d6", game="othello", seconds=0.01),
        Curve("learning", [Point(0, 0, 0.0, {"score": 0.5, "loss": 2.0}), Point(1, 10, 1.0, {"score": 0.7})]),
    ]
    for result in shown:
        html = result._repr_html_()  # type: ignore[attr-defined]
        assert "<" in html
        assert parsed(html) is not None
        assert str(result)


def test_a_search_that_counts_no_visits_has_no_column_for_them() -> None:
    html = analyse("f5d6", depth=6)._repr_html_()
    assert "visits" not in html
    assert "+1 disc</td>" in html
    assert "+1</text>" in html
    assert "visits" in analyse("444", game="connect4", player="mcts:iterations=50")._repr_html_()


def test_a_match_names_its_players_in_html() -> None:
    html = match("random", "greedy", game="connect4", games=4)._repr_html_()
    assert "random against greedy" in html
    assert "Elo" in html
