"""Forms that start a match, a tournament, a ladder placement or a learner.

Fields are made from options: those that learners declare, and those of competitions below. Labels are texts
``option.NAME``; names of values ``option.NAME.VALUE``, with ``none`` for an empty field.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from nicegui import ui

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.interface.web.jobs.requests import RULES
from flipdrop.interface.web.pages.job_ui import try_in_thread
from flipdrop.interface.web.pages.pickers import GamePicker, PlayerPicker, clock_title
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
from flipdrop.learning.genetic.methods import METHODS, EvolutionOptions, evolvable_evaluations
from flipdrop.learning.network.settings import TrainingSettings
from flipdrop.learning.tables.settings import TableSettings
from flipdrop.options import Option, options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from nicegui.element import Element

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.manager import Job
    from flipdrop.interface.web.jobs.service import JobService

_COMPETITION_OPTIONS = (
    Option("games", int, None, "games of each pairing"),
    Option("gauntlet", int, None, "the first N players meet all the others"),
    Option("opponents", int, None, "opponents on the ladder"),
    Option("sprt", str, None, "ELO0,ELO1 of a test that ends the match"),
    Option("openings", str, None, "start, random:PLIES or balanced:PLIES"),
    Option("clock", str, None, "seconds of a side, or of a move"),
)
_COMMON_OPTIONS = (
    Option("seconds", float, None, "time limit of a learner"),
    Option("seed", int, None, "seed of all random numbers"),
)
# `flipdrop.interface.web.jobs.requests` checks their ranges.

_PRESETS = {
    "openings": ("", "start", "random:4", "random:8", "random:12", "balanced:8"),
    "sprt": ("", "0,20", "0,50", "0,100", "-10,10"),
    "clock": ("", "0.1/move", "1/move", "10/move", "60/move", "10", "60+0.5"),
    "seconds": ("30", "60", "300", "900", "3600", "14400"),
}
"""The values to choose from for options that take any text or number."""

_SEGMENTED = ("rule",)  # options whose choices are buttons instead of a list
_MAX_MODELS = 8
_PLAYERS = ("random", "greedy", "level:1", "level:2", "level:3", "level:4", "mcts:iterations=100", "alphabeta:depth=3")
_FIRST_PLAYERS = ("level:1", "level:2", "level:3", "level:4")


def parse_fields(values: Mapping[str, str], options: Mapping[str, Option]) -> dict[str, Any]:
    """The entered values by name; None for an empty field."""
    return {name: options[name].parse(value.strip()) if value.strip() else None for name, value in values.items()}


class JobForm:
    """A form: the game, the players, the options of a kind of job, and a button.

    :param url: of the pages about such jobs, up to the id
    :cvar names: options that are always shown
    :cvar more: options that are folded at first
    :cvar initial: values of the fields at first; others are empty, or the default of the option
    :cvar hint: text key of a sentence above the button
    """

    kind: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    more: ClassVar[tuple[str, ...]] = ("seed",)
    initial: ClassVar[Mapping[str, str]] = {}
    hint: ClassVar[str] = ""

    def __init__(self, context: JobService, t: Translator, game: Game, url: str) -> None:
        self.context, self.t, self.game, self._url = context, t, game, url
        self.values: dict[str, str] = {}
        self._body = div("fd-field fd-spaced")
        self.build()

    def build(self) -> None:
        """Makes the fields; entered values stay."""
        t = self.t
        self._options = self.options()
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
            Button(t("job.start"), self._on_start, icon="start", kind="primary large", test="begin")

    def options(self) -> dict[str, Option]:
        """The options of this kind and game by name."""
        return {option.name: option for option in _COMPETITION_OPTIONS + _COMMON_OPTIONS}

    def build_players(self) -> None:
        """Makes the fields for players."""

    def game_changed(self) -> None:
        """Called after another game or board was chosen."""

    def start(self) -> Job:
        """Starts the job, off the event loop."""
        return self.context.start_form(self.kind, self.settings())

    def settings(self) -> dict[str, Any]:
        """The game and the entered values by the names of `flipdrop.interface.web.jobs.requests`."""
        return {"game": self.game.name, **parse_fields(self.values, self._options)}

    def _set_game(self, game: Game) -> None:
        self.game = game
        self.game_changed()

    async def _on_start(self) -> None:
        job = await try_in_thread(self.t, self.start)
        if job is not None:
            ui.navigate.to(f"{self._url}/{job.id}")

    def _build_fields(self, names: tuple[str, ...]) -> None:
        with div("fd-two-fields"):
            for name in names:
                self._build_field(self._options[name])

    def _build_field(self, option: Option) -> None:
        t, name = self.t, option.name
        label = t.get(f"option.{self.kind}.{name}", t(f"option.{name}"))
        choices = option.choices or _PRESETS.get(name, ())
        value = self.values.get(name, self.initial.get(name, ""))
        if choices and value not in choices:
            value = option.default or choices[0]
        self.values[name] = value
        on_change = partial(self.values.__setitem__, name)
        empty = t.get(f"option.{name}.none", t("job.default"))
        if not choices:
            with field(label):
                text_input(value, on_change, placeholder=empty, test=name)
            return
        if name == "clock":
            texts = {choice: clock_title(t, choice) for choice in choices}
        else:
            texts = {choice: t.get(f"option.{name}.{choice}", choice) if choice else empty for choice in choices}
        if name in _SEGMENTED:
            with group(label).classes("whole"):
                SegmentedControl(texts, value, on_change, test=name)
        else:
            with field(label):
                select(texts, value, on_change, test=name, hint=label)

    def chips(self, specs: Mapping[str, str], on_select: Callable[[str], object]) -> None:
        """Buttons for players: specs with their names."""
        with div("fd-chips"):
            for spec, name in specs.items():
                chip = text(name, "fd-chip", tag="button", type="button")
                chip.on("click", lambda _, spec=spec: on_select(spec))

    def models(self) -> dict[str, str]:
        """The newest models that this server has trained for the game: specs with their names."""
        return dict(list(self.context.models(self.game).items())[:_MAX_MODELS])


class MatchForm(JobForm):
    """Two players."""

    kind = "match"
    names = ("games", "sprt")
    more = ("openings", "clock", "seed")
    initial: ClassVar = {"games": "100"}

    def build_players(self) -> None:
        self._pickers: list[PlayerPicker] = []
        self._models: list[Element] = []
        for side, spec in (("first", "level:3"), ("second", "level:4")):
            with group(self.t(f"job.player_{side}")):
                self._pickers.append(PlayerPicker(self.t, spec, people=False, test=f"player-{side}"))
                self._models.append(div())
        self.game_changed()

    def game_changed(self) -> None:
        for picker, models in zip(self._pickers, self._models, strict=True):
            models.clear()
            with models:
                self.chips(self.models(), picker.set_spec)

    def settings(self) -> dict[str, Any]:
        first, second = (picker.spec or "" for picker in self._pickers)
        return super().settings() | {"first": first, "second": second}


class TournamentForm(JobForm):
    """Several players, one per line."""

    kind = "tournament"
    names = ("games", "gauntlet")
    more = ("openings", "clock", "seed")
    initial: ClassVar = {"games": "20"}

    def build_players(self) -> None:
        self._players = "\n".join(_FIRST_PLAYERS)
        with group(self.t("job.players")):
            self._lines = div("fd-field")
        self._show_players()
        self.chips({spec: spec for spec in _PLAYERS} | self.models(), self._add)

    def _set_players(self, players: str) -> None:
        self._players = players

    def _show_players(self) -> None:
        self._lines.clear()
        with self._lines:
            text_input(self._players, self._set_players, lines=6, test="players")

    def _add(self, spec: str) -> None:
        self._players = "\n".join([*self._specs(), spec])
        self._show_players()

    def _specs(self) -> list[str]:
        return [line.strip() for line in self._players.splitlines() if line.strip()]

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"players": self._specs()}


class LadderForm(JobForm):
    """A player to be placed on the ladder."""

    kind = "ladder"
    names = ("games", "opponents")
    initial: ClassVar = {"games": "20", "opponents": "12"}

    def build_players(self) -> None:
        with group(self.t("job.player")):
            self._picker = PlayerPicker(self.t, "level:3", people=False, test="player-first")
        self._no_ladder = note(self.t("job.no_ladder"), "bad")
        self.game_changed()

    def game_changed(self) -> None:
        self._no_ladder.set_visibility(self.game.name not in GAMES_WITH_LADDER)

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"player": self._picker.spec or ""}


class LearnerForm(JobForm):
    """A learner, whose settings declare the options."""

    def declared(self) -> Iterable[Option]:
        raise NotImplementedError

    def options(self) -> dict[str, Option]:
        return {option.name: option for option in (*self.declared(), *_COMMON_OPTIONS)}

    def game_changed(self) -> None:
        if self.options() != self._options:
            self.build()


class EvolveForm(LearnerForm):
    """Weights that evolve."""

    kind = "evolve"
    names = ("evaluation", "method", "population", "generations", "depth", "seconds")
    initial: ClassVar = {"population": "30", "generations": "100", "depth": "2", "seconds": "300"}

    def declared(self) -> Iterable[Option]:
        known = evolvable_evaluations(self.game)
        default = "D" if "D" in known else None
        yield Option("evaluation", str, default, "evaluation to evolve", choices=known or ("",))
        yield Option("method", str, METHODS[0], "method", choices=METHODS)
        yield from options_of(EvolutionOptions, leave_out=("evaluation",))


class LearnForm(LearnerForm):
    """Values that are learned by self-play."""

    kind = "learn"
    names = ("rule", "seconds")
    more = ("rate", "epsilon", "lambda_", "seed")
    initial: ClassVar = {"seconds": "60"}
    hint = "learn.learn_hint"

    def declared(self) -> Iterable[Option]:
        return (Option("rule", str, RULES[0], "learning rule", choices=RULES), *options_of(TableSettings))


class TrainForm(LearnerForm):
    """A network that is trained by self-play."""

    kind = "train"
    names = ("body", "simulations", "seconds")
    initial: ClassVar = {"seconds": "900"}
    hint = "learn.train_hint"

    def declared(self) -> Iterable[Option]:
        return options_of(TrainingSettings)


class JobForms:
    """Several forms as tabs; the game stays when another tab is chosen."""

    def __init__(
        self, context: JobService, t: Translator, forms: Sequence[type[JobForm]], url: str, *, game: Game
    ) -> None:
        self._context, self._t, self._url, self._game = context, t, url, game
        self._forms = {form.kind: form for form in forms}
        tabs = {kind: t(f"kind.{kind}") for kind in self._forms}
        SegmentedControl(tabs, forms[0].kind, self._show, classes="fd-tabs", test="form")
        self._body = div("fd-field")
        self._form: JobForm | None = None
        self._show(forms[0].kind)

    def _show(self, kind: str) -> None:
        if self._form is not None:
            self._game = self._form.game
        self._body.clear()
        with self._body:
            self._form = self._forms[kind](self._context, self._t, self._game, self._url)
