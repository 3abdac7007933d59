"""Forms that begin something: a match, a tournament, a climb of the ladder, a run of a learner."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.errors import quoted
from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.spec import METHODS, RULES, BadNumber, evolvable, has_ladder
from flipdrop.interface.web.pages.job_ui import try_action
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
    if not written.strip():
        return None
    try:
        return int(written)
    except ValueError:
        raise BadNumber(f"{quoted(written, 20)}; a whole number is needed") from None


def decimal(written: str) -> float | None:
    """The number in a field; None if it is empty."""
    if not written.strip():
        return None
    try:
        return float(written)
    except ValueError:
        raise BadNumber(f"{quoted(written, 20)}; a number is needed") from None


class Form:
    """A form in a card: the game, what this kind of it needs, and a button.

    :param place: where the page about a job is, up to the job's id
    """

    def __init__(self, context: JobContext, t: Translator, game: Game, place: str) -> None:
        self.context, self.t, self.game, self._place = context, t, game, place
        self.written: dict[str, str] = {}
        self._body = div("fd-field fd-spaced")
        self.build()

    def build(self) -> None:
        """Makes the fields anew."""
        self._body.clear()
        with self._body:
            GamePicker(self.t, self.game, self._set_game)
            self.fields()
            Button(self.t("job.start"), self._begin, icon="start", kind="primary large", test="begin")

    def fields(self) -> None:
        """The fields of this kind."""
        raise NotImplementedError

    def order(self) -> Callable[[], Job]:
        """What begins the job, with all that was filled in."""
        raise NotImplementedError

    def _set_game(self, game: Game) -> None:
        self.game = game
        self.game_changed()

    def game_changed(self) -> None:
        """Another game or board was chosen."""

    async def _begin(self) -> None:
        job = await try_action(self.t, lambda: self.order()())
        if job is not None:
            ui.navigate.to(f"{self._place}/{job.id}")

    def write(self, name: str, label: str, value: str = "", placeholder: str = "") -> None:
        """A field to write into; what was written before is still there."""
        self.written.setdefault(name, value)
        with field(label):
            text_input(self.written[name], lambda new: self._take(name, new), placeholder=placeholder, test=name)

    def pick(self, name: str, label: str, options: Mapping[str, str], value: str) -> None:
        """A choice of one of many."""
        if self.written.get(name) not in options:
            self.written[name] = value
        with field(label):
            select(options, self.written[name], lambda new: self._take(name, new), test=name, hint=label)

    def _take(self, name: str, value: str) -> None:
        self.written[name] = value

    def more(self) -> Element:
        """A part that is folded away until somebody asks for it."""
        made = div("fd-more", tag="details")
        with made:
            summary = div(tag="summary")
            summary._text = self.t("job.more")
            return div()

    def arena_options(self) -> None:
        """What matches and tournaments have in common."""
        t = self.t
        with self.more():
            with div("fd-two-fields"):
                openings = {source: source or t("job.default") for source in _OPENINGS}
                self.pick("openings", t("job.openings"), openings, "")
                clocks = {clock: clock or t("clock.none") for clock in _CLOCKS}
                self.pick("clock", t("setup.clock"), clocks, "")
            self.write("seed", t("job.seed"), placeholder=t("job.random"))

    def players_learned(self, take: Callable[[str], object]) -> None:
        """Buttons for the models that this server has learned."""
        learned = self.context.factory.models(self.game)
        if learned:
            with div("fd-chips"):
                for spec, name in list(learned.items())[:8]:
                    _chip(name, partial(take, spec))


class MatchForm(Form):
    """Two players."""

    def fields(self) -> None:
        """Both players, and how many games."""
        t = self.t
        self.specs = getattr(self, "specs", {"first": "level:3", "second": "level:4"})
        self._choices: dict[str, PlayerPicker] = {}
        self._places: dict[str, Element] = {}
        for side in ("first", "second"):
            with group(t(f"job.player_{side}")):
                self._places[side] = div("fd-field")
                self._player(side, self._places[side])
        with div("fd-two-fields"):
            self.write("games", t("job.games"), "100")
            tests = {"": t("job.no_sprt")}
            for low, high in (test.split(",") for test in _SPRTS if test):
                tests[f"{low},{high}"] = t("job.sprt_option", low=low, high=high)
            self.pick("sprt", t("job.sprt"), tests, "")
        self.arena_options()

    def _player(self, side: str, place: Element) -> None:
        place.clear()
        with place:
            self._choices[side] = PlayerPicker(self.t, self.specs[side], people=False, test=f"player-{side}")

            def take(spec: str) -> None:
                self.specs[side] = spec
                self._player(side, place)

            self.players_learned(take)

    def game_changed(self) -> None:
        """Other models can play it."""
        self.specs = {side: choice.spec or "" for side, choice in self._choices.items()}
        for side, place in self._places.items():
            self._player(side, place)

    def order(self) -> Callable[[], Job]:
        """A match."""
        written = self.written
        specs = {side: choice.spec or "" for side, choice in self._choices.items()}
        return lambda: self.context.factory.match(
            specs["first"],
            specs["second"],
            game=self.game.name,
            games=whole(written["games"]) or 0,
            sprt=written["sprt"] or None,
            openings=written["openings"] or None,
            clock=written["clock"] or None,
            seed=whole(written["seed"]),
        )


class TournamentForm(Form):
    """Many players, a line for each."""

    def fields(self) -> None:
        """The players, how many games, and who meets whom."""
        t = self.t
        self.written.setdefault("players", "\n".join(_FIRST_PLAYERS))
        with group(t("job.players")):
            self._lines = div("fd-field")
            self._show_players()
        with div("fd-chips"):
            for spec in _PLAYERS:
                _chip(spec, partial(self._add, spec))
        self.players_learned(self._add)
        with div("fd-two-fields"):
            self.write("games", t("job.games_each"), "20")
            self.write("gauntlet", t("job.gauntlet"), placeholder=t("job.round_robin"))
        self.arena_options()

    def _show_players(self) -> None:
        self._lines.clear()
        with self._lines:
            text_input(self.written["players"], lambda new: self._take("players", new), lines=6, test="players")

    def _add(self, spec: str) -> None:
        self.written["players"] = "\n".join([*self._specs(), spec])
        self._show_players()

    def _specs(self) -> list[str]:
        return [line.strip() for line in self.written["players"].splitlines() if line.strip()]

    def order(self) -> Callable[[], Job]:
        """A tournament."""
        written, specs = self.written, self._specs()
        return lambda: self.context.factory.tournament(
            specs,
            game=self.game.name,
            games=whole(written["games"]) or 0,
            gauntlet=whole(written["gauntlet"]),
            openings=written["openings"] or None,
            clock=written["clock"] or None,
            seed=whole(written["seed"]),
        )


class LadderForm(Form):
    """A player who looks for its place."""

    def fields(self) -> None:
        """The player, and how thoroughly."""
        t = self.t
        with group(t("job.player")):
            self._choice = PlayerPicker(t, "level:3", people=False, test="player-first")
        with div("fd-two-fields"):
            self.write("games", t("job.games_each"), "20")
            self.write("opponents", t("job.opponents"), "12")
        self._none = note(t("job.no_ladder"), bad=True)
        self.game_changed()

    def game_changed(self) -> None:
        """Not every board has a ladder."""
        self._none.set_visibility(not has_ladder(self.game))

    def order(self) -> Callable[[], Job]:
        """A climb."""
        written, spec = self.written, self._choice.spec or ""
        return lambda: self.context.factory.ladder(
            spec,
            game=self.game.name,
            games=whole(written["games"]) or 0,
            opponents=whole(written["opponents"]) or 0,
        )


class _TimedForm(Form):
    """A form of something that runs for a given time."""

    usual_time = "60"

    def time_and_seed(self) -> None:
        """How long it may take."""
        self.pick("seconds", self.t("job.time"), {s: self.t(f"time.{s}") for s in _TIMES}, self.usual_time)

    @property
    def seconds(self) -> float:
        """How long it may take."""
        return float(self.written["seconds"])


class EvolveForm(_TimedForm):
    """Weights that evolve."""

    usual_time = "300"

    def fields(self) -> None:
        """What evolves, and how."""
        t = self.t
        known = self._known = evolvable(self.game)
        with div("fd-two-fields"):
            self.pick("evaluation", t("learn.evaluation"), {name: name for name in known}, _usual(known))
            self.pick("method", t("learn.method"), {m: t(f"learn.method.{m}") for m in METHODS}, "tournament-ga")
        with div("fd-two-fields"):
            self.write("population", t("learn.population"), "30")
            self.write("generations", t("learn.generations"), "100")
        with div("fd-two-fields"):
            self.write("depth", t("learn.depth"), "2")
            self.time_and_seed()
        with self.more():
            self.write("seed", t("job.seed"), placeholder=t("job.random"))

    def game_changed(self) -> None:
        """Other evaluations may be there to evolve."""
        if evolvable(self.game) != self._known:
            self.build()

    def order(self) -> Callable[[], Job]:
        """A run."""
        written = self.written
        return lambda: self.context.factory.evolve(
            game=self.game.name,
            method=written["method"],
            evaluation=written["evaluation"],
            population=whole(written["population"]) or 0,
            generations=whole(written["generations"]),
            depth=whole(written["depth"]) or 0,
            seconds=self.seconds,
            seed=whole(written["seed"]),
        )


class LearnForm(_TimedForm):
    """Values that are learned from games."""

    def fields(self) -> None:
        """The rule, and its numbers."""
        t = self.t
        self.written.setdefault("rule", "td")
        with group(t("learn.rule")):
            rules = {rule: t(f"learn.rule.{rule}") for rule in RULES}
            SegmentedControl(rules, self.written["rule"], lambda rule: self._take("rule", rule), test="rule")
        self.time_and_seed()
        with self.more():
            with div("fd-two-fields"):
                self.write("rate", t("learn.rate"), placeholder=t("job.default"))
                self.write("epsilon", t("learn.epsilon"), placeholder=t("job.default"))
            with div("fd-two-fields"):
                self.write("lambda", t("learn.lambda"), placeholder=t("job.default"))
                self.write("seed", t("job.seed"), placeholder=t("job.random"))
        text(t("learn.learn_hint"), "fd-small fd-muted")

    def order(self) -> Callable[[], Job]:
        """A run."""
        written = self.written
        return lambda: self.context.factory.learn(
            game=self.game.name,
            rule=written["rule"],
            rate=decimal(written["rate"]),
            epsilon=decimal(written["epsilon"]),
            lambda_=decimal(written["lambda"]),
            seconds=self.seconds,
            seed=whole(written["seed"]),
        )


class TrainForm(_TimedForm):
    """A network that teaches itself."""

    usual_time = "900"

    def fields(self) -> None:
        """The network, and how it plays."""
        t = self.t
        with div("fd-two-fields"):
            self.write("body", t("learn.body"), placeholder=t("job.default"))
            self.write("simulations", t("learn.simulations"), placeholder=t("job.default"))
        self.time_and_seed()
        with self.more():
            self.write("seed", t("job.seed"), placeholder=t("job.random"))
        text(t("learn.train_hint"), "fd-small fd-muted")

    def order(self) -> Callable[[], Job]:
        """A run."""
        written = self.written
        return lambda: self.context.factory.train(
            game=self.game.name,
            body=written["body"].strip() or None,
            simulations=whole(written["simulations"]),
            seconds=self.seconds,
            seed=whole(written["seed"]),
        )


class Forms:
    """Several forms of which one is shown, as tabs."""

    def __init__(
        self, context: JobContext, t: Translator, kinds: Mapping[str, type[Form]], place: str, *, game: str = "othello"
    ) -> None:
        self._context, self._t, self._kinds, self._place = context, t, kinds, place
        self._game = game_of(game)
        first = next(iter(kinds))
        SegmentedControl({kind: t(f"kind.{kind}") for kind in kinds}, first, self._show, classes="fd-tabs", test="form")
        self._body = div("fd-field")
        self._form: Form | None = None
        self._show(first)

    def _show(self, kind: str) -> None:
        if self._form is not None:
            self._game = self._form.game
        self._body.clear()
        with self._body:
            self._form = self._kinds[kind](self._context, self._t, self._game, self._place)


def _chip(label: str, on_click: Callable[[], object]) -> None:
    made = div("fd-chip", tag="button")
    made._props["type"] = "button"
    made._text = label
    made.on("click", lambda _: on_click())


def _usual(names: tuple[str, ...]) -> str:
    return "D" if "D" in names else names[0] if names else ""
