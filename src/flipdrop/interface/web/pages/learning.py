"""Learning: the list of all runs, and the page of one with its curves, its best weights and its model."""

from __future__ import annotations

import re
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.repository import best_weights
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.display_names import game_title, short_player_name
from flipdrop.interface.web.pages.job_forms import EvolveForm, JobForms, LearnForm, TrainForm
from flipdrop.interface.web.pages.job_pages import JobPage, ListPage
from flipdrop.interface.web.pages.result_texts import ago
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    card,
    div,
    raw_html,
    set_class,
    text,
)
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.arena.store import Point
    from flipdrop.evaluation import Weights
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import RunView

_AGAINST = "score against "  # begins the names of curves of the score against an opponent
_SHARES = ("score", "share")  # first words of values from 0 to 1
_GROUPED = 10_000  # numbers from here on have commas
_WEIGHTS = re.compile(r"Weights\('(\w+)', \((.*?),?\)\)")  # as the store keeps an evaluation with its weights


def title_of(t: Translator, run: RunView) -> str:
    return t.get(f"learner.{run.learner}", run.learner)


def _games_text(t: Translator, points: Sequence[Point]) -> list[str]:
    """Games and time at the last point."""
    return [
        t("learn.games_in", games=f"{point.games:,}", time=charts.seconds_text(t, point.seconds))
        for point in points[-1:]
    ]


class RunList(ListPage):
    """All runs, the newest first."""

    section = "learning"
    item = "run"

    def forms(self, game: Game) -> None:
        can_train = find_spec("torch") is not None
        forms = (LearnForm, EvolveForm, TrainForm) if can_train else (LearnForm, EvolveForm)
        JobForms(self.jobs, self.t, forms, "/learning", game=game)
        if not can_train:
            text(self.t("learn.no_torch"), "fd-small fd-muted")

    def items(self) -> Sequence[RunView]:
        return self.jobs.results.runs()

    def row(self, run: Any) -> dict[str, Any]:
        t = self.t
        points = self.jobs.results.curve(run)
        about = [game_title(t, game_of(run.game)), *_games_text(t, points), ago(t, run.started)]
        row = {"title": title_of(t, run), "about": about}
        for name, score in points[-1].values.items() if points else ():
            if name.startswith(_AGAINST):
                row |= {"caption": curve_name(t, name), "value": f"{score:.3f}"}
        return row


class RunPage(JobPage):
    """A run."""

    section = "learning"

    def title(self, run: RunView) -> str:
        return f"{title_of(self.t, run)} · {game_title(self.t, self.game)}"

    def build(self, _: RunView) -> None:
        t = self.t
        self._points: list[Point] = []
        self._seen: Any = None
        with self.buttons:
            self._play = Button(t("learn.play"), href="/", icon="play", kind="primary", test="play-model")
            self._play.set_visibility(False)
        with card(classes="whole"):
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

    def load(self) -> tuple[RunView, list[Point], Weights | None]:
        run = self.jobs.results.run(self.key)
        return run, self.jobs.results.curve(run), best_weights(run)

    def show(self, found: tuple[RunView, list[Point], Weights | None]) -> bool:
        (run, points, weights), t = found, self.t
        model = run.job.player if run.job is not None and not run.is_running else None
        self._play.set_visibility(model is not None)
        if model is not None:
            self._play.set_href("/?" + urlencode({"game": run.game, "against": model}))
        if points != self._points or self._seen is None:
            self._points = points
            self._draw()
        seen = (run.settings, weights)
        if seen != self._seen:
            self._seen = seen
            self._show_weights(weights)
            settings = settings_in_words(t, run.settings) | {t("learn.model"): Path(run.file).name}
            self._settings.set_content(render("settings", settings=settings))
        time = charts.seconds_text(t, run.job.seconds if run.job else 0.0)
        limit = f" / {charts.seconds_text(t, run.time_limit)}" if run.time_limit else ""
        about = [*_games_text(t, points), t("arena.seed", seed=run.seed), ago(t, run.started)]
        return self.show_job(run, about=about, progress=t("learn.learning", time=time + limit))

    def _draw(self) -> None:
        t = self.t
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
                    x_text=partial(charts.seconds_text, t) if over_time else charts.number_text,
                    y_text=(lambda value: f"{value:.2f}") if share else charts.number_text,
                    caption=t("learn.axis_seconds" if over_time else "learn.axis_games"),
                )
            )
        self._curves.set_content("".join(drawn))

    def _show_weights(self, weights: Weights | None) -> None:
        self._weights_card.set_visibility(weights is not None)
        set_class(self._settings_card, "whole", weights is None)
        if weights is not None:
            named = [(self.t.get(f"term.{name}", name), weight) for name, weight in weights.items()]
            squares = weights.table if len(weights) == 1 else ()
            self._weights.set_content(
                render("weights", weights=named, squares=squares or (), minus=charts.typographic_minus)
            )


def settings_in_words(t: Translator, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a learner by their names in the language of the page; notations stay as they are."""

    def value_of(value: Any) -> Any:
        if isinstance(value, bool):
            return t("setting.value.yes" if value else "setting.value.no")
        if isinstance(value, int) and value >= _GROUPED:
            return f"{value:,}"
        if not isinstance(value, str):
            return value
        if weights := _WEIGHTS.fullmatch(value):
            return f"{weights[1]} ({weights[2]})".replace("-", "−")
        return t.get(f"setting.value.{value}", value)

    return {t.get(f"setting.{name}", name): value_of(value) for name, value in settings.items()}


def panels(points: list[Point]) -> list[list[str]]:
    """Names of values grouped by their first word, since each group shares a scale; scores come first."""
    kinds: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for point in points for name in point.values):
        kinds.setdefault(name.split()[0], []).append(name)
    return sorted(kinds.values(), key=lambda names: names[0].split()[0] not in _SHARES)


def curve_name(t: Translator, name: str) -> str:
    known = t.get(f"curve.{name.replace(' ', '_')}", "")
    if not known and name.startswith(_AGAINST):
        return t("curve.against", name=short_player_name(t, name.removeprefix(_AGAINST)))
    return known or name


def _curve(points: list[Point], name: str, over_time: bool) -> list[tuple[float, float]]:
    return [
        (point.seconds if over_time else float(point.games), point.values[name])
        for point in points
        if name in point.values
    ]
