"""Tables and pictures of rows."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from flipdrop.experiments.experiment import Conclusion
from flipdrop.experiments.presentation import ELO, PLAYERS, SCORE, claims_table, interval_picture, table
from tests.experiments.examples import match_values


def test_a_table_has_a_line_for_each_row_and_a_cell_for_each_column() -> None:
    rows = {10: match_values(0.25, 400) | {"players": ["a", "b"]}, 20: match_values(0.5, 400) | {"players": ["c", "b"]}}
    made = table("Title", "iterations", rows, {"report": {20: "20:44"}} | PLAYERS | SCORE | ELO)
    assert made.heads == (
        "iterations",
        "report",
        "player",
        "opponent",
        "won / drawn / lost",
        "score (95%)",
        "Elo (95%)",
    )
    assert [row[:5] for row in made.rows] == [
        ("10", "", "a", "b", "100 / 0 / 300"),
        ("20", "20:44", "c", "b", "200 / 0 / 200"),
    ]
    assert made.text_columns == (2, 3)


def test_further_claims() -> None:
    made = claims_table({"It rains": (Conclusion.REFUTED, "it does not")})
    assert made.rows == (("It rains", "refuted", "it does not"),)


@pytest.mark.parametrize(
    ("places", "options"),
    [((10, 20), {"log": True}), (("a", "b"), {}), (("a", "b"), {"horizontal": True}), ((10, 20), {"ticks": (10,)})],
)
def test_pictures_have_a_point_for_each_row(places: tuple[int | str, ...], options: dict[str, bool]) -> None:
    rows = {place: match_values(0.1 * n + 0.3, 400) for n, place in enumerate(places)}
    reported = {"report": dict.fromkeys(places, 1.0)}
    picture = interval_picture("p", "c", {"one": rows, "two": rows}, reported=reported, **options)  # type: ignore[type-var,arg-type]
    canvas = Figure(figsize=picture.size)
    picture.draw(canvas)
    (axes,) = canvas.axes
    assert len(axes.containers) == 2
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["report", "one", "two"]
