"""Charts, read back from their markup: all numbers are drawn within the frame, and names are escaped."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import Games
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.charts import number_text, score_graph, seconds_text, tree_picture
from flipdrop.interface.web.schemas import Outcome, TreeNode
from flipdrop.interface.web.templating import macro, render

values = st.none() | st.floats(-1, 1)


@given(st.lists(values, min_size=1, max_size=130), st.data())
def test_graph_strips(graph: list[float | None], data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(graph) - 1))
    picture = ElementTree.fromstring(score_graph(graph, cursor, {0: "??", len(graph): "?"}))
    plies = [hit.get("data-ply") for hit in picture.iter("rect") if hit.get("class") == "hit"]
    assert plies == [str(ply) for ply in range(len(graph))]
    width = float(picture.get("viewBox", "").split()[2])
    now = next(path for path in picture.iter("path") if path.get("class") == "now")
    x = float(re.match(r"M([\d.]+)", now.get("d", ""))[1])  # type: ignore[index]
    assert x == pytest.approx(width * cursor / max(1, len(graph) - 1), abs=0.06)


def test_graph_direction() -> None:
    picture = ElementTree.fromstring(score_graph([0.0, 1.0, -1.0], 0, {}))
    line = next(path for path in picture.iter("path") if path.get("class") == "line")
    heights = [float(point.split()[1]) for point in line.get("d", "")[1:].split("L")]
    assert heights[1] < heights[0] < heights[2]  # down is larger


def node(move: str, visits: int, *children: TreeNode, value: float = 0.0, proof: Outcome | None = None) -> TreeNode:
    return TreeNode(move=move, by="first", visits=visits, value=value, proof=proof, children=list(children))


def test_tree_widths() -> None:
    tree = [node("f5", 300, node("d6", 200), node("f6", 100)), node("e6", 100)]
    picture = ElementTree.fromstring(tree_picture(tree))
    found = {(text.text or ""): rect for group in picture for text in group.iter("text") for rect in group.iter("rect")}
    widths = {name: float(rect.get("width", "0")) for name, rect in found.items() if name in ("f5", "e6", "d6", "f6")}
    assert widths["f5"] == pytest.approx(3 * widths["e6"], rel=0.05)
    assert widths["d6"] == pytest.approx(2 * widths["f6"], rel=0.05)
    assert widths["d6"] + widths["f6"] == pytest.approx(widths["f5"], rel=0.05)
    assert float(found["d6"].get("y", "0")) > float(found["f5"].get("y", "0"))


def test_tree_escapes_names() -> None:
    assert "<b>" not in tree_picture([node("<b>", 10)])
    assert tree_picture([]) == ""


@given(st.integers(0, 10**12))
def test_number_text(count: int) -> None:
    written = number_text(count)
    assert len(written) <= 7
    number = float(written.rstrip("kMG")) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(written[-1], 1)
    assert number == pytest.approx(count, rel=0.1)


numbers = st.floats(-1e7, 1e7, allow_nan=False)
names = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), max_size=12
)
lines = st.builds(
    lambda name, points: charts.Line(name, sorted(points)),
    names,
    st.lists(st.tuples(st.floats(0, 1e7), numbers), min_size=1, max_size=12, unique_by=lambda point: point[0]),
)


def parsed(markup: str) -> ElementTree.Element:
    """The markup as a tree: an error if a name has broken out of it."""
    return ElementTree.fromstring(f"<div>{markup}</div>")


@given(st.lists(lines, min_size=1, max_size=4), st.none() | numbers)
def test_chart_points(drawn: list[charts.Line], level: float | None) -> None:
    tree = parsed(charts.chart(drawn, level=level))
    shown = tree.findall(".//polyline")
    assert len(shown) == len(drawn)
    for line, element in zip(drawn, shown, strict=True):
        places = [tuple(map(float, place.split(","))) for place in element.attrib["points"].split()]
        assert len(places) == max(2, len(line.points))  # a line without length is a dot
        assert all(0 <= coordinate <= 100 for place in places for coordinate in place)
        heights = [y for _, y in places]
        for (_, one), (_, two), up, down in zip(line.points, line.points[1:], heights, heights[1:], strict=False):
            assert (one <= two) == (up >= down) or abs(up - down) <= 0.01  # higher values are drawn higher
    for tick in tree.findall(".//span[@class='tick up']"):
        assert -0.1 <= float(re.sub(r"[^\d.-]", "", tick.attrib["style"].split(":")[1])) <= 100.1


@given(names, st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_score_bar(label: str, won: int, drawn: int, lost: int) -> None:
    games = Games(losses=lost, draws=drawn, wins=won)
    tree = parsed(macro("bars", "score_bar", games, label))
    assert tree[0].attrib["aria-label"] == label
    widths = [float(part.attrib["style"].removeprefix("width:").removesuffix("%")) for part in tree.iter("i")]
    total = max(won + drawn + lost, 1)
    for width, count in zip(widths, (won, drawn, lost), strict=True):
        assert abs(width - 100 * count / total) < 0.01


ends_of_interval = st.floats(allow_nan=False)


@given(numbers, ends_of_interval, ends_of_interval)
def test_interval_within_axis(value: float, one: float, two: float) -> None:
    low, high = min(one, two, value), max(one, two, value)
    ends = charts.axis_ends([value, low, high])
    tree = parsed(macro("bars", "interval", value, (low, high), ends))
    for mark in tree.iter("i"):
        for number in re.findall(r"[-\d.e+]+(?=%)", mark.attrib["style"]):
            assert -0.01 <= float(number) <= 100.81


@given(st.lists(st.tuples(names, numbers), max_size=8))
def test_weights(weights: list[tuple[str, float]]) -> None:
    tree = parsed(render("weights", weights=weights, squares=(), minus=charts.typographic_minus))
    bars = tree.findall(".//i")
    assert len(bars) == len(weights)
    for bar, (_, weight) in zip(bars, weights, strict=True):
        assert ("minus" in bar.attrib["class"]) == (weight < 0)
    squares = parsed(
        render("weights", weights=[], squares=[weight for _, weight in weights], minus=charts.typographic_minus)
    )
    assert len(squares.findall(".//span")) == len(weights)
    settings = {name: name for name, _ in weights}
    assert len(parsed(render("settings", settings=settings)).findall(".//dd")) == len(settings)


def test_empty_chart() -> None:
    assert charts.chart([]) == charts.chart([charts.Line("x", [])]) == ""


def test_settings() -> None:
    settings = {"lambda": 0.5, "gate every": 40, "start": [1.0, None], "against": None, "empty": [], "rule": "td"}
    tree = parsed(render("settings", settings=settings))
    names, values = ([part.text for part in tree.iter(tag)] for tag in ("dt", "dd"))
    assert names == ["lambda", "gate every", "start", "against", "empty", "rule"]
    assert values == ["0.5", "40", "1, –", "–", "–", "td"]


def test_seconds() -> None:
    english, chinese = Translator("en"), Translator("zh")
    assert [seconds_text(english, value) for value in (4.2, 75, 7260)] == ["4 s", "1:15", "2:01:00"]
    assert [seconds_text(chinese, value) for value in (4.2, 75)] == ["4 秒", "1:15"]
