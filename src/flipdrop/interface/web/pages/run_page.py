"""RunList of learners: the list of all of them with the forms that begin more, and the page of each."""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.repository import best_weights
from flipdrop.interface.web.pages import plots
from flipdrop.interface.web.pages.job_forms import EvolveForm, Forms, LearnForm, TrainForm
from flipdrop.interface.web.pages.job_ui import PageHeader, Poller, ago, command_line, name_of, pill
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.widgets import SegmentedControl, card, div, link_button, raw_html, text

if TYPE_CHECKING:
    from flipdrop.arena.store import Point
    from flipdrop.evaluation import Weights
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import Run
    from flipdrop.interface.web.pages.job_forms import Form
    from flipdrop.interface.web.pages.job_ui import JobContext

_MOST_LISTED = 60
_SHARES = ("score", "share")
_AGAINST = "score against "


def title_of(t: Translator, one: Run) -> str:
    """What a run is called."""
    return t.get(f"learner.{one.learner}", one.learner)


class RunList:
    """Every run, and the forms that begin more."""

    def __init__(self, context: JobContext, t: Translator) -> None:
        self._context, self._t = context, t
        with div("fd-list-layout"):
            with div("fd-list"):
                text(t("nav.learning"), "fd-title fd-no-margin", tag="h1")
                self._rows = raw_html("", "fd-list", tag="div")
                self._rows._props["data-test"] = "runs"
            with div("fd-sidebar"), card():
                kinds: dict[str, type[Form]] = {"learn": LearnForm, "evolve": EvolveForm}
                if find_spec("torch") is not None:
                    kinds["train"] = TrainForm
                Forms(context, t, kinds, "/learning", game="othello6")
                if "train" not in kinds:
                    text(t("learn.no_torch"), "fd-small fd-muted")

    async def begin(self) -> None:
        """Shows what there is."""
        await Poller(self._t, self._look, self._show, lambda found: any(one.is_running for one, _ in found)).begin()

    def _look(self) -> list[tuple[Run, Point | None]]:
        found = self._context.results.runs(self._context.jobs.all())
        found.sort(key=lambda one: not one.is_running)
        return [(one, self._context.results.latest(one)) for one in found[:_MOST_LISTED]]

    def _show(self, found: list[tuple[Run, Point | None]]) -> None:
        if not found:
            self._rows.set_content(f'<div class="fd-empty-list">{escape(self._t("learn.none"))}</div>')
            return
        self._rows.set_content("".join(self._row(one, latest) for one, latest in found))

    def _row(self, one: Run, latest: Point | None) -> str:
        t = self._t
        about = [game_title(t, game_of(one.game))]
        if latest is not None:
            about.append(t("learn.games_in", games=f"{latest.games:,}", time=plots.seconds_text(latest.seconds)))
        about.append(ago(t, one.begun))
        told = ""
        scores = [] if latest is None else [(n, v) for n, v in latest.values.items() if n.startswith(_AGAINST)]
        if scores:
            name, value = scores[-1]
            told = f'<span class="about">{escape(curve_name(t, name))}</span><span class="told">{value:.3f}</span>'
        state = one.job.state if one.job else "ended" if one.ended else "elsewhere"
        progress = ""
        seconds = one.job.spec.metadata.get("seconds") if one.job else None
        if one.is_running and one.job is not None and seconds:
            share = 100 * min(1.0, one.job.seconds / seconds)
            progress = f'<div class="progress fd-meter"><i style="width:{share:.1f}%"></i></div>'
        return (
            f'<a class="fd-item" href="/learning/{one.key}" data-test="run"><span class="title">'
            f'{escape(title_of(t, one))}</span><span class="right">{told}'
            f"{pill(t, state) if state != 'ended' else ''}</span>"
            f'<span class="about">{escape(" · ".join(about))}</span>{progress}</a>'
        )


class RunPage:
    """A run: its curves as they grow, the best weights, and the model to play against."""

    def __init__(self, context: JobContext, t: Translator, first: Run) -> None:
        self._context, self._t, self._key = context, t, first.key
        self._game = game_of(first.game)
        self._points: list[Point] = []
        self._seen: Any = None
        title = f"{title_of(t, first)} · {game_title(t, self._game)}"
        self._header = PageHeader(t, context, title, (t("nav.learning"), "/learning"), lambda: self._poller.poll())
        with self._header.buttons:
            self._play = link_button(t("learn.play"), "/", icon="play", kind="primary", test="play-model")
            self._play.set_visibility(False)
        with div("fd-cards"):
            with card() as progress:
                progress.classes("whole")
                self._progress_card, self._progress = progress, raw_html("", tag="div")
            with card() as curves:
                curves.classes("whole")
                with div("fd-row apart wrap"):
                    text(t("learn.curves"), "fd-heading", tag="h2")
                    over = {name: t(f"learn.over_{name}") for name in ("games", "seconds")}
                    self._over = SegmentedControl(over, "games", lambda _: self._draw(), test="over")
                self._curves = raw_html("", "fd-field", tag="div")
                self._curves._props["data-test"] = "curves"
            with card(t("learn.best")) as best:
                self._best_card, self._best = best, raw_html("", tag="div")
                self._best._props["data-test"] = "weights"
                best.set_visibility(False)
            with card(t("learn.settings")) as settings:
                self._settings_card, self._settings = settings, raw_html("", tag="div")
            if first.job is not None:
                with card(t("job.command")) as command:
                    command.classes("whole")
                    command_line(t, first.job)
        self._poller = Poller(self._t, self._look, self._show, lambda found: found["run"].is_running)

    async def begin(self) -> None:
        """Shows what there is."""
        await self._poller.begin()

    def _look(self) -> dict[str, Any]:
        one = self._context.results.run(self._key, self._context.jobs.all())
        points = self._context.results.curve(one)
        return {"run": one, "points": points, "weights": best_weights(one)}

    def _show(self, found: dict[str, Any]) -> None:
        t = self._t
        one: Run = found["run"]
        points: list[Point] = found["points"]
        setting = [t("arena.seed", seed=one.seed), ago(t, one.begun)]
        if points:
            games, time = f"{points[-1].games:,}", plots.seconds_text(points[-1].seconds)
            setting.insert(0, t("learn.games_in", games=games, time=time))
        self._header.show(one.job, state="ended" if one.ended else "elsewhere", setting=" · ".join(setting))
        self._show_progress(one)
        self._show_model(one)
        if points != self._points or self._seen is None:
            self._points = points
            self._draw()
        seen = (one.settings, found["weights"])
        if seen != self._seen:
            self._seen = seen
            self._show_weights(found["weights"])
            self._show_settings(one)

    def _show_progress(self, one: Run) -> None:
        seconds = one.job.spec.metadata.get("seconds") if one.job else None
        self._progress_card.set_visibility(one.is_running)
        if one.is_running and one.job is not None:
            spent = one.job.seconds
            told = plots.seconds_text(spent) + (f" / {plots.seconds_text(seconds)}" if seconds else "")
            share = 100 * min(1.0, spent / seconds) if seconds else 0.0
            self._progress.set_content(
                f'<div class="fd-small fd-muted fd-number">{escape(self._t("learn.learning", time=told))}</div>'
                f'<div class="fd-meter" style="margin-top:8px"><i style="width:{share:.1f}%"></i></div>'
            )

    def _show_model(self, one: Run) -> None:
        ready = one.job is not None and not one.is_running and one.job.plays_as is not None
        self._play.set_visibility(ready)
        if ready and one.job is not None:
            target = "/?" + urlencode({"game": one.game, "against": f"learned:{one.job.id}"})
            if self._play.props.get("href") != target:
                self._play.props["href"] = target

    def _draw(self) -> None:
        t = self._t
        if not self._points:
            self._curves.set_content(f'<div class="fd-empty-list">{escape(t("learn.no_points"))}</div>')
            return
        over_time = self._over.value == "seconds"
        parts = []
        for names in panels(self._points):
            lines = [plots.Line(curve_name(t, name), _line(self._points, name, over_time)) for name in names]
            share = names[0].split()[0] in _SHARES
            parts.append(
                plots.chart(
                    lines,
                    bounds=(-0.02, 1.02) if share else None,
                    level=0.5 if names[0].startswith("score") else None,
                    across=plots.seconds_text if over_time else plots.number_text,
                    up=(lambda value: f"{value:.2f}") if share else plots.number_text,
                    caption=t("learn.axis_seconds" if over_time else "learn.axis_games"),
                )
            )
        self._curves.set_content("".join(parts))

    def _show_weights(self, weights: Weights | None) -> None:
        t = self._t
        self._best_card.set_visibility(weights is not None)
        self._settings_card.classes(**({"add": "whole"} if weights is None else {"remove": "whole"}))
        if weights is None:
            return
        html = plots.weight_bars([(t.get(f"term.{name}", name), weight) for name, weight in weights.items()])
        if weights.table and len(weights) == 1:
            html += plots.square_table(weights.table)
        self._best.set_content(html)

    def _show_settings(self, one: Run) -> None:
        pairs = [(name.rstrip("_").replace("_", " "), _plain(value)) for name, value in one.settings.items()]
        pairs.append((self._t("learn.model"), Path(one.file).name))
        self._settings.set_content(plots.properties(pairs))


def panels(points: list[Point]) -> list[list[str]]:
    """The names of values that belong on one scale: those with the same first word. Scores come first."""
    kinds: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for point in points for name in point.values):
        kinds.setdefault(name.split()[0], []).append(name)
    return sorted(kinds.values(), key=lambda names: names[0].split()[0] not in _SHARES)


def curve_name(t: Translator, name: str) -> str:
    """What a value of a curve is called."""
    if name.startswith(_AGAINST):
        return t("curve.against", name=name_of(t, name.removeprefix(_AGAINST)))
    return t.get(f"curve.{name.replace(' ', '_')}", name)


def _line(points: list[Point], name: str, over_time: bool) -> list[tuple[float, float]]:
    return [
        (point.seconds if over_time else float(point.games), point.values[name])
        for point in points
        if name in point.values
    ]


def _plain(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or "–"
    return str(value)
