"""Forms that start a match, a tournament, a ladder placement or a learner.

The fields are those of the request models in `flipdrop.interface.web.jobs.requests`, which declare types, ranges and
defaults. Labels are the texts ``option.NAME``; those of values ``option.NAME.VALUE``, with ``none`` for an empty field.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args, get_origin

from nicegui import ui

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.interface.web.agents.library import agents_by_name
from flipdrop.interface.web.jobs import requests
from flipdrop.interface.web.pages.display_names import clock_title
from flipdrop.interface.web.pages.game_picker import GamePicker
from flipdrop.interface.web.pages.player_picker import PlayerPicker
from flipdrop.interface.web.pages.polled_page import try_in_thread
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    div,
    field,
    group,
    select,
    text,
    text_input,
)
from flipdrop.learning.genetic.methods import METHODS, evolvable_evaluations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nicegui.element import Element

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.service import JobService

_PRESETS: dict[str, tuple[str, ...]] = {
    "openings": ("", "start", "random:4", "random:8", "random:12", "balanced:8"),
    "sprt": ("", "0,20", "0,50", "0,100", "-10,10"),
    "clock": ("", "0.1/move", "1/move", "10/move", "60/move", "10", "60+0.5"),
    "seconds": ("30", "60", "300", "900", "3600", "14400"),
    "method": METHODS,
}
"""The values that the page offers for fields that take any text or number."""

_MAX_MODELS = 8
_PLAYERS = ("random", "greedy", "level:1", "level:2", "level:3", "level:4", "mcts:iterations=100", "alphabeta:depth=3")
_FIRST_PLAYERS = ("level:1", "level:2", "level:3", "level:4")


def parse_field(request: type[requests.JobRequest], name: str, written: str) -> Any:
    """The value of a field as the request takes it: a text, a number, or None if it is empty.

    What is no number stays a text, which the request refuses.
    """
    annotation = request.model_fields[name].annotation
    if not written.strip():
        return None
    if not {int, float} & {annotation, *get_args(annotation)}:
        return written.strip()
    try:
        return float(written) if float in (annotation, *get_args(annotation)) else int(written)
    except ValueError:
        return written


class JobForm:
    """A form: the game, the players, the fields of a request, and a button.

    :param url: of the pages about such jobs, up to the id
    :cvar names: fields that are always shown
    :cvar more: fields that are folded at first
    :cvar initial: values at first; otherwise the defaults of the request
    :cvar hint: text key of a sentence above the button
    """

    request: ClassVar[type[requests.JobRequest]]
    names: ClassVar[tuple[str, ...]]
    more: ClassVar[tuple[str, ...]] = ("seed",)
    initial: ClassVar[Mapping[str, str]] = {}
    hint: ClassVar[str] = ""

    def __init__(self, jobs: JobService, t: Translator, game: Game, url: str) -> None:
        self.jobs, self.t, self.game, self._url = jobs, t, game, url
        self.values: dict[str, str] = {}
        self._body = div("fd-field fd-spaced")
        self.build()

    @classmethod
    def kind(cls) -> str:
        return str(cls.request.model_fields["kind"].default)

    def build(self) -> None:
        """Makes the fields; entered values stay."""
        t = self.t
        self._body.clear()
        with self._body:
            GamePicker(t, self.game, self._set_game)
            self.build_players()
            self._build_fields(self.names)
            with div("fd-more", tag="details"):
                text(t("job.more"), tag="summary")
                self._build_fields(self.more)
            if self.hint:
                text(t(self.hint), "fd-small fd-muted")
            self.start = Button(t("job.start"), self._on_start, icon="start", kind="primary large", test="begin")
        self.game_changed()

    def build_players(self) -> None:
        """Makes the fields for players."""

    def game_changed(self) -> None:
        """Called after another game or board was chosen."""

    def players(self) -> dict[str, Any]:
        """The fields of the request that name players."""
        return {}

    def choices(self, name: str) -> tuple[str, ...]:
        """The values of a field to choose from; empty for a text field."""
        annotation = self.request.model_fields[name].annotation
        return get_args(annotation) if get_origin(annotation) is Literal else _PRESETS.get(name, ())

    def _set_game(self, game: Game) -> None:
        self.game = game
        self.game_changed()

    async def _on_start(self) -> None:
        settings = {name: parse_field(self.request, name, value) for name, value in self.values.items()}
        settings |= {"game": self.game.name, **self.players()}
        job = await try_in_thread(self.t, self.jobs.start_form, self.kind(), settings)
        if job is not None:
            ui.navigate.to(f"{self._url}/{job.id}")

    def _build_fields(self, names: tuple[str, ...]) -> None:
        with div("fd-two-fields"):
            for name in names:
                self._build_field(name)

    def _build_field(self, name: str) -> None:
        t, choices = self.t, self.choices(name)
        label = t.get(f"option.{self.kind()}.{name}", t(f"option.{name}"))
        default = self.request.model_fields[name].get_default()
        value = self.values.get(name, self.initial.get(name, f"{default:g}" if isinstance(default, float) else default))
        self.values[name] = value = str(value or "") if not choices or value in choices else choices[0]
        on_change = partial(self.values.__setitem__, name)
        empty = t.get(f"option.{name}.none", t("job.default"))
        if not choices:
            with field(label):
                text_input(value, on_change, placeholder=empty, test=name)
            return
        texts = {choice: t.get(f"option.{name}.{choice}", choice) if choice else empty for choice in choices}
        if name == "clock":
            texts = {choice: clock_title(t, choice) for choice in choices}
        if name == "evaluation":
            texts = {choice: t.get(f"evaluation.{choice}", choice) for choice in choices}
        if name == "rule":
            with group(label).classes("whole"):
                SegmentedControl(texts, value, on_change, test=name)
        else:
            with field(label):
                select(texts, value, on_change, test=name, hint=label)

    def chips(self, specs: Mapping[str, str], on_select: Callable[[str], object], *, label: str = "") -> None:
        """Buttons for players: specs with their names.

        :param label: before them
        """
        if not specs:
            return
        with div("fd-chips"):
            if label:
                text(label, "fd-small fd-muted", tag="span")
            for spec, name in specs.items():
                chip = text(name, "fd-chip", tag="button", type="button")
                chip.on("click", lambda _, spec=spec: on_select(spec))

    def player_picker(self, spec: str, *, test: str) -> PlayerPicker:
        return PlayerPicker(
            self.t, spec, game=self.game, agents=agents_by_name(self.jobs.config), people=False, test=test
        )

    def models(self) -> dict[str, str]:
        """The newest models that this server has trained for the game: specs with their names."""
        return dict(list(self.jobs.models(self.game).items())[:_MAX_MODELS])


class MatchForm(JobForm):
    """Two players."""

    request = requests.MatchRequest
    names = ("games", "sprt")
    more = ("openings", "clock", "seed")

    def build_players(self) -> None:
        self._pickers: dict[str, PlayerPicker] = {}
        self._models: dict[str, Element] = {}
        for side, spec in (("first", "level:3"), ("second", "level:4")):
            with group(self.t(f"job.player_{side}")):
                self._pickers[side] = self.player_picker(spec, test=f"player-{side}")
                self._models[side] = div()

    def game_changed(self) -> None:
        for side, models in self._models.items():
            self._pickers[side].set_game(self.game)
            models.clear()
            with models:
                self.chips(self.models(), self._pickers[side].set_spec, label=self.t("job.models"))

    def players(self) -> dict[str, Any]:
        return {side: picker.spec for side, picker in self._pickers.items()}


class TournamentForm(JobForm):
    """Several players, one per line."""

    request = requests.TournamentRequest
    names = ("games", "gauntlet")
    more = ("openings", "clock", "seed")

    def build_players(self) -> None:
        with group(self.t("job.players")):
            self._lines = div("fd-field")
        self._set_specs(_FIRST_PLAYERS)
        offered = {spec: spec for spec in _PLAYERS} | self.models() | (agents_by_name(self.jobs.config) or {})
        self.chips(offered, lambda spec: self._set_specs([*self._specs, spec]))

    def _set_specs(self, specs: Sequence[str]) -> None:
        """Shows the players, one per line."""
        self._read_specs("\n".join(specs))
        self._lines.clear()
        with self._lines:
            text_input("\n".join(specs), self._read_specs, lines=6, test="players")

    def _read_specs(self, lines: str) -> None:
        self._specs = [line.strip() for line in lines.splitlines() if line.strip()]

    def players(self) -> dict[str, Any]:
        return {"players": self._specs}


class LadderForm(JobForm):
    """A player to be placed on the ladder."""

    request = requests.LadderRequest
    names = ("games", "opponents")

    def build_players(self) -> None:
        with group(self.t("job.player")):
            self._picker = self.player_picker("level:3", test="player-first")
        self._no_ladder = text(self.t("job.no_ladder"), "fd-banner bad")

    def game_changed(self) -> None:
        self._picker.set_game(self.game)
        has_ladder = self.game.name in GAMES_WITH_LADDER
        self._no_ladder.set_visibility(not has_ladder)
        self.start.set_enabled(has_ladder)

    def players(self) -> dict[str, Any]:
        return {"player": self._picker.spec}


class EvolveForm(JobForm):
    """Weights that evolve."""

    request = requests.EvolveRequest
    names = ("evaluation", "method", "population", "generations", "depth", "seconds")
    initial: ClassVar = {"evaluation": "D", "population": "30", "generations": "100", "seconds": "300"}

    def choices(self, name: str) -> tuple[str, ...]:
        self._evaluations = evolvable_evaluations(self.game)
        return (self._evaluations or ("",)) if name == "evaluation" else super().choices(name)

    def game_changed(self) -> None:
        if evolvable_evaluations(self.game) != self._evaluations:
            self.build()


class LearnForm(JobForm):
    """Values that are learned by self-play."""

    request = requests.LearnRequest
    names = ("rule", "seconds")
    more = ("rate", "epsilon", "lambda_", "seed")
    hint = "learn.learn_hint"


class TrainForm(JobForm):
    """A network that is trained by self-play."""

    request = requests.TrainRequest
    names = ("body", "simulations", "seconds")
    initial: ClassVar = {"seconds": "900"}
    hint = "learn.train_hint"


class JobForms:
    """Several forms as tabs; the game stays when another tab is chosen."""

    def __init__(
        self, jobs: JobService, t: Translator, forms: Sequence[type[JobForm]], url: str, *, game: Game
    ) -> None:
        self._jobs, self._t, self._url, self._game = jobs, t, url, game
        self._forms = {form.kind(): form for form in forms}
        tabs = {kind: t(f"kind.{kind}") for kind in self._forms}
        SegmentedControl(tabs, forms[0].kind(), self._show, classes="fd-tabs", test="form")
        self._body = div("fd-field")
        self._form: JobForm | None = None
        self._show(forms[0].kind())

    def _show(self, kind: str) -> None:
        if self._form is not None:
            self._game = self._form.game
        self._body.clear()
        with self._body:
            self._form = self._forms[kind](self._jobs, self._t, self._game, self._url)
