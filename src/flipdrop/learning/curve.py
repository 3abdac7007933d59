"""Learning curves: measurements of a training run, as CSV and as a figure."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flipdrop.files import atomic_write, csv_text
from flipdrop.notebook import html_lines, line_chart

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from flipdrop.arena.store import Point


@dataclass
class Curve:
    """Points in the order of their measurement."""

    title: str
    points: list[Point] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of all values, in the order of their first occurrence."""
        return list(dict.fromkeys(name for point in self.points for name in point.values))

    def of(self, name: str) -> list[tuple[Point, float]]:
        """The points at which a value was measured, with the value."""
        return [(point, point.values[name]) for point in self.points if name in point.values]

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes a line for each point; missing values are empty."""
        names = self.names
        rows: list[list[object]] = [["step", "games", "seconds", *names]]
        for point in self.points:
            values = [f"{point.values[name]:.6g}" if name in point.values else "" for name in names]
            rows.append([point.step, point.games, f"{point.seconds:.3f}", *values])
        atomic_write(path, csv_text(rows).encode())

    def write_png(self, path: str | os.PathLike[str]) -> None:
        """Draws the values over games and over time, with a panel for each kind of value."""
        from matplotlib.figure import Figure

        panels = [panel for panel in _panels(self) if panel]
        heights = [3 + 0.2 * len(names) for names in panels] or [3.0]  # inches, with a legend line for each name
        figure = Figure(figsize=(10, sum(heights)), layout="constrained")
        figure.suptitle(self.title)
        grid = figure.add_gridspec(len(heights), 2, height_ratios=heights)
        for row, names in enumerate(panels):
            for column in (0, 1):
                self._draw(figure.add_subplot(grid[row, column]), names, over_time=column == 1)
        data = io.BytesIO()
        figure.savefig(data, format="png", dpi=110)
        atomic_write(path, data.getvalue())

    def _repr_html_(self) -> str:
        """A chart over games for each kind of value."""
        charts = [
            line_chart(
                [(name, [(float(point.games), value) for point, value in self.of(name)]) for name in names],
                title=f"{self.title}: {', '.join(names)}",
                across="games",
                limits=(0.0, 1.0) if all(name.startswith("score") for name in names) else None,
            )
            for names in _panels(self)
        ]
        return html_lines(self.title, ()) + "".join(f"<div>{chart}</div>" for chart in charts)

    def _draw(self, axes: Axes, names: Iterable[str], *, over_time: bool) -> None:
        from matplotlib.ticker import EngFormatter

        for name in names:
            measured = self.of(name)
            across = [point.seconds if over_time else point.games for point, _ in measured]
            marker = "o" if len(measured) < 40 else None
            axes.plot(across, [value for _, value in measured], label=name, marker=marker, markersize=3, linewidth=1.4)
        axes.set_xlabel("seconds" if over_time else "games")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        if all(name.startswith("score") for name in names):
            axes.set_ylim(-0.02, 1.02)
            axes.axhline(0.5, color="#999999", linewidth=0.8)
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))  # 100k: labels of six digits would overlap
        axes.legend(fontsize="small", frameon=False, loc="lower left", bbox_to_anchor=(0, 1))


def _panels(curve: Curve) -> list[list[str]]:
    """Names that share a scale: those with the same first word."""
    kinds: dict[str, list[str]] = {}
    for name in curve.names:
        kinds.setdefault(name.split()[0], []).append(name)
    return list(kinds.values())
