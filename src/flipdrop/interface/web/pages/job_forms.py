"""Forms that start a match, a tournament, a ladder placement or a learner."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.errors import quoted
from flipdrop.interface.web.jobs.factory import RULES, BadNumber, has_ladder
from flipdrop.interface.web.pages.job_ui import try_in_thread
from flipdrop.interface.web.pages.pickers import GamePicker, PlayerPicker
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    div,
    field,
    group,
    note,
    select,
    text,
    text_input,
)
from flipdrop.learning.genetic.methods import METHODS, evolvable_evaluations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.element import Element

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.manager import Job
    from flipdrop.interface.web.pages.job_ui import JobContext

_OPENINGS = ("", "start", "random:4", "random:8", "random:12", "balanced:8")
_SPRTS = ("", "0,20", "0,50", "0,100", "-10,10")
_CLOCKS = ("", "0.1/move", "1/move", "10", "60+0.5")
_TIMES = ("30", "60", "300", "900", "3600", "14400")
_PLAYERS = ("random", "greedy", "level:1", "level:2", "level:3", "level:4", "mcts:iterations=100", "alphabeta:depth=3")
_FIRST_PLAYERS = ("level:1", "level:2", "level:3", "level:4")


def whole(written: str) -> int | None:
    """The whole number in a field; None if it is empty."""
    try:
        return int(written) if written.strip() else None
    except ValueError:
        raise BadNumber(f"enter a whole number, not {quoted(written, 20)}") from None


def decimal(written: str) -> float | None:
    """The number in a field; None if it is empty."""
    try:
        return float(written) if written.strip() else None
    except ValueError:
        raise BadNumber(f"enter a number, not {quoted(written, 20)}") from None


_PARSERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(
        ("games", "gauntlet", "opponents", "population", "generations", "depth", "simulations", "seed"), whole
    ),
    **dict.fromkeys(("rate", "epsilon", "lambda_", "seconds"), decimal),
}
"""Parsers of the fields that are not texts."""


class JobForm:
    """A form: the game, the fields of a kind of job, and a button.

    :param url: of the pages about such jobs, up to the id
    """

    def __init__(self, context: JobContext, t: Translator, game: Game, url: str) -> None:
        self.context, self.t, self.game, self._url = context, t, game, url
        self.values: dict[str, str] = {}
        self._body = div("fd-field fd-spaced")
        self.build()

    def build(self) -> None:
        """Makes the fields; entered values stay."""
        self._body.clear()
        with self._body:
            GamePicker(self.t, self.game, self._set_game)
            self.fields()
            Button(self.t("job.start"), self._on_start, icon="start", kind="primary large", test="begin")

    def fields(self) -> None:
        """Makes the fields of this kind."""
        raise NotImplementedError

    def start(self) -> Job:
        """Starts the job, off the event loop."""
        raise NotImplementedError

    def game_changed(self) -> None:
        """Called after another game or board was chosen."""

    def _set_game(self, game: Game) -> None:
        self.game = game
        self.game_changed()

    async def _on_start(self) -> None:
        job = await try_in_thread(self.t, self.start)
        if job is not None:
            ui.navigate.to(f"{self._url}/{job.id}")

    def _set_value(self, name: str, value: str) -> None:
        self.values[name] = value

    def input(self, name: str, label: str, value: str = "", placeholder: str = "") -> None:
        self.values.setdefault(name, value)
        with field(label):
            text_input(self.values[name], partial(self._set_value, name), placeholder=placeholder, test=name)

    def select(self, name: str, label: str, options: Mapping[str, str], value: str) -> None:
        if self.values.get(name) not in options:
            self.values[name] = value
        with field(label):
            select(options, self.values[name], partial(self._set_value, name), test=name, hint=label)

    def more(self) -> Element:
        """A container that is folded at first."""
        with div("fd-more", tag="details"):
            text(self.t("job.more"), tag="summary")
            return div()

    def seed_input(self) -> None:
        self.input("seed", self.t("job.seed"), placeholder=self.t("job.random"))

    def time_select(self, value: str) -> None:
        self.select("seconds", self.t("job.time"), {s: self.t(f"time.{s}") for s in _TIMES}, value)

    def arena_options(self) -> None:
        t = self.t
        with self.more():
            with div("fd-two-fields"):
                openings = {source: source or t("job.default") for source in _OPENINGS}
                self.select("openings", t("job.openings"), openings, "")
                clocks = {clock: clock or t("clock.none") for clock in _CLOCKS}
                self.select("clock", t("setup.clock"), clocks, "")
            self.seed_input()

    def learned_players(self, on_select: Callable[[str], object]) -> None:
        """Buttons for the models that this server has trained."""
        models = self.context.factory.models(self.game)
        if models:
            with div("fd-chips"):
                for spec, name in list(models.items())[:8]:
                    _chip(name, partial(on_select, spec))

    def settings(self) -> dict[str, Any]:
        """The entered values by the parameter names of `JobFactory`."""
        entered = {name: _PARSERS.get(name, str.strip)(value) for name, value in self.values.items()}
        return {"game": self.game.name, **entered}


class MatchForm(JobForm):
    """Two players."""

    def fields(self) -> None:
        t = self.t
        self._specs = {"first": "level:3", "second": "level:4"}
        self._pickers: dict[str, PlayerPicker] = {}
        self._places: dict[str, Element] = {}
        for side in self._specs:
            with group(t(f"job.player_{side}")):
                self._places[side] = div("fd-field")
                self._build_player(side)
        with div("fd-two-fields"):
            self.input("games", t("job.games"), "100")
            tests = {test: self._sprt_text(test) for test in _SPRTS}
            self.select("sprt", t("job.sprt"), tests, "")
        self.arena_options()

    def _sprt_text(self, sprt: str) -> str:
        low, _, high = sprt.partition(",")
        return self.t("job.sprt_option", low=low.replace("-", "−"), high=high) if sprt else self.t("job.no_sprt")

    def _build_player(self, side: str) -> None:
        self._places[side].clear()
        with self._places[side]:
            self._pickers[side] = PlayerPicker(self.t, self._specs[side], people=False, test=f"player-{side}")
            self.learned_players(partial(self._set_player, side))

    def _set_player(self, side: str, spec: str) -> None:
        self._specs[side] = spec
        self._build_player(side)

    def game_changed(self) -> None:
        for side, picker in self._pickers.copy().items():
            self._set_player(side, picker.spec or "")

    def start(self) -> Job:
        first, second = (picker.spec or "" for picker in self._pickers.values())
        return self.context.factory.match(first, second, **self.settings())


class TournamentForm(JobForm):
    """Several players, one per line."""

    def fields(self) -> None:
        t = self.t
        self.values.setdefault("players", "\n".join(_FIRST_PLAYERS))
        with group(t("job.players")):
            self._lines = div("fd-field")
            self._build_players()
        with div("fd-chips"):
            for spec in _PLAYERS:
                _chip(spec, partial(self._add, spec))
        self.learned_players(self._add)
        with div("fd-two-fields"):
            self.input("games", t("job.games_each"), "20")
            self.input("gauntlet", t("job.gauntlet"), placeholder=t("job.round_robin"))
        self.arena_options()

    def _build_players(self) -> None:
        self._lines.clear()
        with self._lines:
            text_input(self.values["players"], partial(self._set_value, "players"), lines=6, test="players")

    def _add(self, spec: str) -> None:
        self.values["players"] = "\n".join([*self._specs(), spec])
        self._build_players()

    def _specs(self) -> list[str]:
        return [line.strip() for line in self.values["players"].splitlines() if line.strip()]

    def start(self) -> Job:
        return self.context.factory.tournament(**self.settings() | {"players": self._specs()})


class LadderForm(JobForm):
    """A player to be placed on the ladder."""

    def fields(self) -> None:
        t = self.t
        with group(t("job.player")):
            self._picker = PlayerPicker(t, "level:3", people=False, test="player-first")
        with div("fd-two-fields"):
            self.input("games", t("job.games_each"), "20")
            self.input("opponents", t("job.opponents"), "12")
        self._no_ladder = note(t("job.no_ladder"), bad=True)
        self.game_changed()

    def game_changed(self) -> None:
        self._no_ladder.set_visibility(not has_ladder(self.game))

    def start(self) -> Job:
        return self.context.factory.ladder(self._picker.spec or "", **self.settings())


class EvolveForm(JobForm):
    """Weights that evolve."""

    def fields(self) -> None:
        t = self.t
        self._known = known = evolvable_evaluations(self.game)
        with div("fd-two-fields"):
            default = "D" if "D" in known else known[0] if known else ""
            self.select("evaluation", t("learn.evaluation"), {name: name for name in known}, default)
            methods: dict[str, str] = {method: t(f"learn.method.{method}") for method in METHODS}
            self.select("method", t("learn.method"), methods, METHODS[0])
        with div("fd-two-fields"):
            self.input("population", t("learn.population"), "30")
            self.input("generations", t("learn.generations"), "100")
        with div("fd-two-fields"):
            self.input("depth", t("learn.depth"), "2")
            self.time_select("300")
        with self.more():
            self.seed_input()

    def game_changed(self) -> None:
        if evolvable_evaluations(self.game) != self._known:
            self.build()

    def start(self) -> Job:
        return self.context.factory.evolve(**self.settings())


class LearnForm(JobForm):
    """Values that are learned by self-play."""

    def fields(self) -> None:
        t = self.t
        self.values.setdefault("rule", "td")
        with group(t("learn.rule")):
            rules = {rule: t(f"learn.rule.{rule}") for rule in RULES}
            SegmentedControl(rules, self.values["rule"], partial(self._set_value, "rule"), test="rule")
        self.time_select("60")
        with self.more():
            with div("fd-two-fields"):
                self.input("rate", t("learn.rate"), placeholder=t("job.default"))
                self.input("epsilon", t("learn.epsilon"), placeholder=t("job.default"))
            with div("fd-two-fields"):
                self.input("lambda_", t("learn.lambda"), placeholder=t("job.default"))
                self.seed_input()
        text(t("learn.learn_hint"), "fd-small fd-muted")

    def start(self) -> Job:
        return self.context.factory.learn(**self.settings())


class TrainForm(JobForm):
    """A network that is trained by self-play."""

    def fields(self) -> None:
        t = self.t
        with div("fd-two-fields"):
            self.input("body", t("learn.body"), placeholder=t("job.default"))
            self.input("simulations", t("learn.simulations"), placeholder=t("job.default"))
        self.time_select("900")
        with self.more():
            self.seed_input()
        text(t("learn.train_hint"), "fd-small fd-muted")

    def start(self) -> Job:
        return self.context.factory.train(**self.settings())


class JobForms:
    """Several forms as tabs; the game stays when another tab is chosen."""

    def __init__(
        self, context: JobContext, t: Translator, kinds: Mapping[str, type[JobForm]], url: str, *, game: Game
    ) -> None:
        self._context, self._t, self._kinds, self._url, self._game = context, t, kinds, url, game
        first = next(iter(kinds))
        tabs = {kind: t(f"kind.{kind}") for kind in kinds}
        SegmentedControl(tabs, first, self._show, classes="fd-tabs", test="form")
        self._body = div("fd-field")
        self._form: JobForm | None = None
        self._show(first)

    def _show(self, kind: str) -> None:
        if self._form is not None:
            self._game = self._form.game
        self._body.clear()
        with self._body:
            self._form = self._kinds[kind](self._context, self._t, self._game, self._url)


def _chip(label: str, on_click: Callable[[], object]) -> None:
    text(label, "fd-chip", tag="button", type="button").on("click", lambda _: on_click())
