"""The page of one learning run: its curves as they grow, the best weights, and the model to play against."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.repository import best_weights
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.job_ui import PageHeader, Poller, ago, command_card, properties, short_player_name
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.widgets import (
    SegmentedControl,
    card,
    div,
    link_button,
    raw_html,
    set_class,
    set_href,
    text,
)
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from flipdrop.arena.store import Point
    from flipdrop.evaluation import Weights
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import RunSummary
    from flipdrop.interface.web.pages.job_ui import JobContext

AGAINST = "score against "
"""The prefix of the names of curves that show the score against an opponent."""

_SHARES = ("score", "share")  # first words of values from 0 to 1


def title_of(t: Translator, run: RunSummary) -> str:
    return t.get(f"learner.{run.learner}", run.learner)


@dataclass(frozen=True)
class _Update:
    """The result of a poll."""

    run: RunSummary
    points: list[Point]
    weights: Weights | None


class RunPage:
    """A run."""

    def __init__(self, context: JobContext, t: Translator, first: RunSummary) -> None:
        self._context, self._t, self._key = context, t, first.key
        self._points: list[Point] = []
        self._seen: Any = None
        title = f"{title_of(t, first)} · {game_title(t, game_of(first.game))}"
        self._header = PageHeader(t, context, title, "learning", lambda: self._poller.poll())
        with self._header.buttons:
            self._play = link_button(t("learn.play"), "/", icon="play", kind="primary", test="play-model")
            self._play.set_visibility(False)
        with div("fd-cards"):
            with card() as self._progress_card:
                self._progress_card.classes("whole")
                self._progress = raw_html("", tag="div")
            with card() as curves:
                curves.classes("whole")
                with div("fd-row apart wrap"):
                    text(t("learn.curves"), "fd-heading", tag="h2")
                    axes = {name: t(f"learn.over_{name}") for name in ("games", "seconds")}
                    self._axis = SegmentedControl(axes, "games", lambda _: self._draw(), test="over")
                self._curves = raw_html("", "fd-field", tag="div", test="curves")
            with card(t("learn.best")) as self._weights_card:
                self._weights = raw_html("", tag="div", test="weights")
                self._weights_card.set_visibility(False)
            with card(t("learn.settings")) as self._settings_card:
                self._settings = raw_html("", tag="div")
            command_card(t, first.job)
        self._poller = Poller(t, self._poll, self._show, lambda found: found.run.is_running)

    async def begin(self) -> None:
        await self._poller.begin()

    def _poll(self) -> _Update:
        run = self._context.results.run(self._key)
        return _Update(run, self._context.results.curve(run), best_weights(run))

    def _show(self, update: _Update) -> None:
        t, run, points = self._t, update.run, update.points
        about = [t("arena.seed", seed=run.seed), ago(t, run.started)]
        if points:
            games, time = f"{points[-1].games:,}", charts.seconds_text(points[-1].seconds)
            about.insert(0, t("learn.games_in", games=games, time=time))
        self._header.show(run.job, state=run.state, subtitle=" · ".join(about))
        self._show_progress(run)
        ready = run.job is not None and not run.is_running and run.job.plays_as is not None
        self._play.set_visibility(ready)
        if ready:
            set_href(self._play, "/?" + urlencode({"game": run.game, "against": f"learned:{run.key}"}))
        if points != self._points or self._seen is None:
            self._points = points
            self._draw()
        seen = (run.settings, update.weights)
        if seen != self._seen:
            self._seen = seen
            self._show_weights(update.weights)
            self._show_settings(run)

    def _show_progress(self, run: RunSummary) -> None:
        self._progress_card.set_visibility(run.is_running)
        if run.is_running and run.job is not None:
            limit = f" / {charts.seconds_text(run.seconds)}" if run.seconds else ""
            done = self._t("learn.learning", time=charts.seconds_text(run.job.seconds) + limit)
            self._progress.set_content(render("event_progress", done=done, speed="", share=run.share or 0))

    def _draw(self) -> None:
        t = self._t
        if not self._points:
            self._curves.set_content(render("empty", message=t("learn.no_points")))
            return
        over_time = self._axis.value == "seconds"
        drawn = []
        for names in panels(self._points):
            share = names[0].split()[0] in _SHARES
            drawn.append(
                charts.chart(
                    [charts.Line(curve_name(t, name), _curve(self._points, name, over_time)) for name in names],
                    bounds=(-0.02, 1.02) if share else None,
                    level=0.5 if names[0].startswith("score") else None,
                    x_text=charts.seconds_text if over_time else charts.number_text,
                    y_text=(lambda value: f"{value:.2f}") if share else charts.number_text,
                    caption=t("learn.axis_seconds" if over_time else "learn.axis_games"),
                )
            )
        self._curves.set_content("".join(drawn))

    def _show_weights(self, weights: Weights | None) -> None:
        self._weights_card.set_visibility(weights is not None)
        set_class(self._settings_card, "whole", weights is None)
        if weights is not None:
            named = [(self._t.get(f"term.{name}", name), weight) for name, weight in weights.items()]
            squares = weights.table if len(weights) == 1 else ()
            self._weights.set_content(charts.weight_bars(named, squares or ()))

    def _show_settings(self, run: RunSummary) -> None:
        pairs = [(name.rstrip("_").replace("_", " "), _setting_text(value)) for name, value in run.settings.items()]
        pairs.append((self._t("learn.model"), Path(run.file).name))
        self._settings.set_content(properties(pairs))


def panels(points: list[Point]) -> list[list[str]]:
    """Names of values grouped by their first word, since each group shares a scale; scores come first."""
    kinds: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for point in points for name in point.values):
        kinds.setdefault(name.split()[0], []).append(name)
    return sorted(kinds.values(), key=lambda names: names[0].split()[0] not in _SHARES)


def curve_name(t: Translator, name: str) -> str:
    known = t.get(f"curve.{name.replace(' ', '_')}", "")
    if not known and name.startswith(AGAINST):
        return t("curve.against", name=short_player_name(t, name.removeprefix(AGAINST)))
    return known or name


def _curve(points: list[Point], name: str, over_time: bool) -> list[tuple[float, float]]:
    return [
        (point.seconds if over_time else float(point.games), point.values[name])
        for point in points
        if name in point.values
    ]


def _setting_text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_setting_text, value)) or "–"
    return str(value)
