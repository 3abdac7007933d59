"""Pictures of an analysis, read back from their markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.interface.web.pages.charts import compact, score_graph, tree_picture
from flipdrop.interface.web.schemas import Outcome, TreeNode

values = st.none() | st.floats(-1, 1)


@given(st.lists(values, min_size=1, max_size=130), st.data())
def test_graph_has_a_place_to_click_for_every_position(graph: list[float | None], data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(graph) - 1))
    picture = ElementTree.fromstring(score_graph(graph, cursor, {0: "??", len(graph): "?"}))
    plies = [hit.get("data-ply") for hit in picture.iter("rect") if hit.get("class") == "hit"]
    assert plies == [str(ply) for ply in range(len(graph))]
    width = float(picture.get("viewBox", "").split()[2])
    now = next(path for path in picture.iter("path") if path.get("class") == "now")
    x = float(re.match(r"M([\d.]+)", now.get("d", ""))[1])  # type: ignore[index]
    assert x == pytest.approx(width * cursor / max(1, len(graph) - 1), abs=0.06)


def test_graph_rises_for_the_first_side() -> None:
    picture = ElementTree.fromstring(score_graph([0.0, 1.0, -1.0], 0, {}))
    line = next(path for path in picture.iter("path") if path.get("class") == "line")
    heights = [float(point.split()[1]) for point in line.get("d", "")[1:].split("L")]
    assert heights[1] < heights[0] < heights[2]  # down is larger


def node(move: str, visits: int, *children: TreeNode, value: float = 0.0, proof: Outcome | None = None) -> TreeNode:
    return TreeNode(move=move, by="first", visits=visits, value=value, proof=proof, children=list(children))


def test_blocks_are_as_wide_as_their_share_of_visits() -> None:
    tree = [node("f5", 300, node("d6", 200), node("f6", 100)), node("e6", 100)]
    picture = ElementTree.fromstring(tree_picture(tree))
    found = {(text.text or ""): rect for group in picture for text in group.iter("text") for rect in group.iter("rect")}
    widths = {name: float(rect.get("width", "0")) for name, rect in found.items() if name in ("f5", "e6", "d6", "f6")}
    assert widths["f5"] == pytest.approx(3 * widths["e6"], rel=0.05)
    assert widths["d6"] == pytest.approx(2 * widths["f6"], rel=0.05)
    assert widths["d6"] + widths["f6"] == pytest.approx(widths["f5"], rel=0.05)
    assert float(found["d6"].get("y", "0")) > float(found["f5"].get("y", "0"))


def test_names_in_a_tree_are_text() -> None:
    assert "<b>" not in tree_picture([node("<b>", 10)])
    assert tree_picture([]) == ""


@given(st.integers(0, 10**12))
def test_large_numbers_are_short(count: int) -> None:
    written = compact(count)
    assert len(written) <= 7
    number = float(written.rstrip("kMG")) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(written[-1], 1)
    assert number == pytest.approx(count, rel=0.1)
