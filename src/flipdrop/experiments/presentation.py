"""Tables and pictures of rows of values: what an experiment shows follows from its rows and their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from flipdrop.experiments.formatting import discs_by_side, elo, score, wins_draws_losses
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.plots import COLOURS, error_bars, even_line, legend, new_axes, reported_points, set_ticks
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from flipdrop.experiments.experiment import Conclusion, Values

Columns = dict[str, Any]
"""Cells by the head of their column: a function of a row's values, or cells by the row's key, empty if it has none."""
Place = TypeVar("Place", str, int)

PLAYERS: Columns = {
    "player": lambda values: str(values["players"][0]),
    "opponent": lambda values: str(values["players"][1]),
}
DISCS: Columns = {"mean discs": discs_by_side}
SCORE: Columns = {"won / drawn / lost": wins_draws_losses, "score (95%)": score}
ELO: Columns = {"Elo (95%)": elo}
"""Columns of matches, to be joined by ``|``."""

_TEXT = (*PLAYERS, "against", "conclusion", "because")
_MARKERS = "os^vDP"


def table(
    title: str,
    head: str,
    rows: Mapping[Any, Any],
    columns: Columns,
    names: Callable[[Any], str] = str,
) -> Table:
    """A table with a line for each row.

    :param head: of the first column, the names of the rows
    :param names: the name of a row from its key
    """

    def cell(column: Any, key: Any) -> str:
        return str(column.get(key, "") if isinstance(column, Mapping) else column(rows[key]))

    heads = (head, *columns)
    lines = tuple((names(key), *(cell(column, key) for column in columns.values())) for key in rows)
    return Table(title, heads, lines, text_columns=tuple(i for i, name in enumerate(heads) if name in _TEXT))


def claims_table(claims: Mapping[str, tuple[Conclusion, str]]) -> Table:
    """Further claims of a report, each with a conclusion of its own and the reason for it."""
    rows = tuple((claim, str(conclusion), reason) for claim, (conclusion, reason) in claims.items())
    return Table("Further claims", ("claim", "conclusion", "because"), rows, text_columns=(1, 2))


def interval_picture(
    name: str,
    caption: str,
    series: Mapping[str, Mapping[Place, Values]],
    *,
    place_label: str = "",
    value_label: str = "score",
    value: str = "score",
    even_at: Sequence[float] = (0.5,),
    limits: tuple[float, float] | None = (-0.03, 1.03),
    reported: Mapping[str, Mapping[Place, float]] | None = None,
    ticks: Sequence[int] = (),
    log: bool = False,
    horizontal: bool = False,
    size: tuple[float, float] = (7.5, 4.0),
) -> Picture:
    """A picture of values with their intervals, a colour for each series.

    Places that are numbers are on an axis, and their points are joined; places that are text stand side by side, or
    below each other with `horizontal`.

    :param series: rows by place, by the label of the series; a row has ``value`` and ``value_interval``
    :param even_at: where dashed lines are
    :param reported: numbers of a report by place: in the colour of the series of this label, otherwise with the label
    :param ticks: places on the axis that are labelled; all of them if not given
    """
    places = list(dict.fromkeys(place for rows in series.values() for place in rows))
    on_axis = not isinstance(places[0], str)
    side_by_side = not on_axis and sum(map(len, series.values())) > len(places)
    position = {place: place if on_axis else n for n, place in enumerate(places[::-1] if horizontal else places)}

    def draw(figure: Figure) -> None:
        labels = (value_label, place_label) if horizontal else (place_label, value_label)
        axes = new_axes(figure, x_label=labels[0], y_label=labels[1])
        if log:
            axes.set_xscale("log")
        for at in even_at:
            even_line(axes, at, vertical=horizontal)
        for n, (label, rows) in enumerate(series.items()):
            shift = 0.16 * (n - (len(series) - 1) / 2) * (-1 if horizontal else 1) if side_by_side else 0
            error_bars(
                axes,
                [float(position[place]) + shift for place in rows],
                [row[value] for row in rows.values()],
                [row[f"{value}_interval"] for row in rows.values()],
                label=label if len(series) > 1 or reported else "",
                colour=COLOURS[n % len(COLOURS)],
                marker=_MARKERS[n % len(_MARKERS)],
                joined=on_axis and len(rows) > 1,
                horizontal=horizontal,
            )
        for label, numbers in (reported or {}).items():
            positions = [float(position[place]) for place in numbers]
            if label in series:
                colour = COLOURS[list(series).index(label) % len(COLOURS)]
                reported_points(axes, positions, numbers.values(), colour=colour)
            else:
                reported_points(axes, positions, numbers.values(), label=label)
        if limits is not None:
            (axes.set_xlim if horizontal else axes.set_ylim)(*limits)
        if horizontal:
            axes.set_yticks(list(map(float, position.values())), list(map(str, position)))
        elif on_axis:
            shown = ticks or sorted(map(int, places))
            set_ticks(axes, shown)
        else:
            axes.set_xticks(list(map(float, position.values())), list(map(str, position)))
            axes.set_xlim(-0.6, len(places) - 0.4)
        if len(series) > 1 or reported:
            legend(axes)

    return Picture(name, caption, draw, size)


def table_and_picture(name: str, title: str, head: str, rows: Mapping[str, Values], columns: Columns) -> dict[str, Any]:
    """Rows of matches as the table and the picture of a finding: ``Finding(..., **table_and_picture(...))``.

    :param name: of the picture
    :param head: of the names of the rows
    """
    caption = f"{title}: scores with 95% intervals."
    height = 1.0 + 0.36 * len(rows)
    picture = interval_picture(name, caption, {"": rows}, horizontal=True, limits=None, size=(7.5, height))
    return {"tables": (table(title, head, rows, columns),), "pictures": (picture,)}
