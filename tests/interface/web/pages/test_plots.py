"""Pictures of results: whatever the numbers are, they are drawn within their frame, and names are escaped."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import Games
from flipdrop.interface.web.pages import plots

numbers = st.floats(-1e7, 1e7, allow_nan=False)
names = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), max_size=12
)
lines = st.builds(
    lambda name, points: plots.Line(name, sorted(points)),
    names,
    st.lists(st.tuples(st.floats(0, 1e7), numbers), min_size=1, max_size=12, unique_by=lambda point: point[0]),
)


def parsed(markup: str) -> ET.Element:
    """The markup as a tree: an error if a name has broken out of it."""
    return ET.fromstring(f"<div>{markup}</div>")


@given(st.lists(lines, min_size=1, max_size=4), st.none() | numbers)
def test_every_point_is_within_the_plot(drawn: list[plots.Line], level: float | None) -> None:
    tree = parsed(plots.chart(drawn, level=level))
    shown = tree.findall(".//polyline")
    assert len(shown) == len(drawn)
    for line, element in zip(drawn, shown, strict=True):
        places = [tuple(map(float, place.split(","))) for place in element.attrib["points"].split()]
        assert len(places) == len(line.points)
        assert all(0 <= coordinate <= 100 for place in places for coordinate in place)
        heights = [y for _, y in places]
        for (_, one), (_, two), up, down in zip(line.points, line.points[1:], heights, heights[1:], strict=False):
            assert (one <= two) == (up >= down) or abs(up - down) <= 0.01  # higher values are drawn higher
    for tick in tree.findall(".//span[@class='tick up']"):
        assert -0.1 <= float(re.sub(r"[^\d.-]", "", tick.attrib["style"].split(":")[1])) <= 100.1


@given(names, st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_a_bar_is_divided_as_the_games_are(label: str, won: int, drawn: int, lost: int) -> None:
    tree = parsed(plots.score_bar(Games(losses=lost, draws=drawn, wins=won), label=label))
    widths = [float(part.attrib["style"].removeprefix("width:").removesuffix("%")) for part in tree.iter("i")]
    total = max(won + drawn + lost, 1)
    for width, count in zip(widths, (won, drawn, lost), strict=True):
        assert abs(width - 100 * count / total) < 0.01


ends_of_interval = st.floats(allow_nan=False)


@given(numbers, ends_of_interval, ends_of_interval)
def test_an_interval_lies_on_its_axis_even_if_it_has_no_end(value: float, one: float, two: float) -> None:
    low, high = min(one, two, value), max(one, two, value)
    ends = plots.axis_ends([value, low, high])
    tree = parsed(plots.interval(value, low, high, ends=ends))
    for mark in tree.iter("i"):
        for number in re.findall(r"[-\d.e+]+(?=%)", mark.attrib["style"]):
            assert -0.01 <= float(number) <= 100.81


@given(st.lists(st.tuples(names, numbers), max_size=8))
def test_weights_of_either_sign(weights: list[tuple[str, float]]) -> None:
    tree = parsed(plots.weight_bars(weights))
    bars = tree.findall(".//i")
    assert len(bars) == len(weights)
    for bar, (_, weight) in zip(bars, weights, strict=True):
        assert ("minus" in bar.attrib["class"]) == (weight < 0)
    assert len(parsed(plots.square_table([weight for _, weight in weights])).findall(".//span")) == len(weights)
    assert len(parsed(plots.properties([(name, name) for name, _ in weights])).findall(".//dd")) == len(weights)


def test_without_points_there_is_no_chart() -> None:
    assert plots.chart([]) == plots.chart([plots.Line("x", [])]) == ""
