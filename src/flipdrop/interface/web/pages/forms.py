"""Forms that begin something: a match, a tournament, a climb of the ladder, a run of a learner."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.errors import quoted
from flipdrop.games import game as game_of
from flipdrop.interface.web.orders import METHODS, RULES, BadNumber, evolvable, has_ladder
from flipdrop.interface.web.pages.choosing import GameChoice, PlayerChoice
from flipdrop.interface.web.pages.lab import attempt
from flipdrop.interface.web.pages.parts import Button, Choice, box, entry, field, group, note, select, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.element import Element

    from flipdrop.games import Game
    from flipdrop.interface.web.jobs import Job
    from flipdrop.interface.web.pages.lab import Lab
    from flipdrop.interface.web.pages.words import Words

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

    def __init__(self, lab: Lab, words: Words, game: Game, place: str) -> None:
        self.lab, self.words, self.game, self._place = lab, words, game, place
        self.written: dict[str, str] = {}
        self._body = box("fd-field fd-loose")
        self.build()

    def build(self) -> None:
        """Makes the fields anew."""
        self._body.clear()
        with self._body:
            GameChoice(self.words, self.game, self._set_game)
            self.fields()
            Button(self.words("lab.start"), self._begin, icon="start", kind="main large", test="begin")

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
        job = await attempt(self.words, lambda: self.order()())
        if job is not None:
            ui.navigate.to(f"{self._place}/{job.id}")

    def write(self, name: str, label: str, value: str = "", placeholder: str = "") -> None:
        """A field to write into; what was written before is still there."""
        self.written.setdefault(name, value)
        with field(label):
            entry(self.written[name], lambda new: self._take(name, new), placeholder=placeholder, test=name)

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
        made = box("fd-more", tag="details")
        with made:
            summary = box(tag="summary")
            summary._text = self.words("lab.more")
            return box()

    def arena_options(self) -> None:
        """What matches and tournaments have in common."""
        words = self.words
        with self.more():
            with box("fd-pair"):
                openings = {source: source or words("lab.usual") for source in _OPENINGS}
                self.pick("openings", words("lab.openings"), openings, "")
                clocks = {clock: clock or words("clock.none") for clock in _CLOCKS}
                self.pick("clock", words("setup.clock"), clocks, "")
            self.write("seed", words("lab.seed"), placeholder=words("lab.fresh"))

    def players_learned(self, take: Callable[[str], object]) -> None:
        """Buttons for the models that this server has learned."""
        learned = self.lab.desk.models(self.game)
        if learned:
            with box("fd-chips"):
                for spec, name in list(learned.items())[:8]:
                    _chip(name, partial(take, spec))


class MatchForm(Form):
    """Two players."""

    def fields(self) -> None:
        """Both players, and how many games."""
        words = self.words
        self.specs = getattr(self, "specs", {"first": "level:3", "second": "level:4"})
        self._choices: dict[str, PlayerChoice] = {}
        self._places: dict[str, Element] = {}
        for side in ("first", "second"):
            with group(words(f"lab.player_{side}")):
                self._places[side] = box("fd-field")
                self._player(side, self._places[side])
        with box("fd-pair"):
            self.write("games", words("lab.games"), "100")
            tests = {test: test.replace(",", " / ") if test else words("lab.no_sprt") for test in _SPRTS}
            self.pick("sprt", words("lab.sprt"), tests, "")
        self.arena_options()

    def _player(self, side: str, place: Element) -> None:
        place.clear()
        with place:
            self._choices[side] = PlayerChoice(self.words, self.specs[side], people=False, test=f"player-{side}")

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
        return lambda: self.lab.desk.match(
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
        words = self.words
        self.written.setdefault("players", "\n".join(_FIRST_PLAYERS))
        with group(words("lab.players")):
            self._lines = box("fd-field")
            self._show_players()
        with box("fd-chips"):
            for spec in _PLAYERS:
                _chip(spec, partial(self._add, spec))
        self.players_learned(self._add)
        with box("fd-pair"):
            self.write("games", words("lab.games_each"), "20")
            self.write("gauntlet", words("lab.gauntlet"), placeholder=words("lab.everybody"))
        self.arena_options()

    def _show_players(self) -> None:
        self._lines.clear()
        with self._lines:
            entry(self.written["players"], lambda new: self._take("players", new), lines=6, test="players")

    def _add(self, spec: str) -> None:
        self.written["players"] = "\n".join([*self._specs(), spec])
        self._show_players()

    def _specs(self) -> list[str]:
        return [line.strip() for line in self.written["players"].splitlines() if line.strip()]

    def order(self) -> Callable[[], Job]:
        """A tournament."""
        written, specs = self.written, self._specs()
        return lambda: self.lab.desk.tournament(
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
        words = self.words
        with group(words("lab.player")):
            self._choice = PlayerChoice(words, "level:3", people=False, test="player-first")
        with box("fd-pair"):
            self.write("games", words("lab.games_each"), "20")
            self.write("opponents", words("lab.opponents"), "12")
        self._none = note(words("lab.no_ladder"), bad=True)
        self.game_changed()

    def game_changed(self) -> None:
        """Not every board has a ladder."""
        self._none.set_visibility(not has_ladder(self.game))

    def order(self) -> Callable[[], Job]:
        """A climb."""
        written, spec = self.written, self._choice.spec or ""
        return lambda: self.lab.desk.ladder(
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
        self.pick("seconds", self.words("lab.time"), {s: self.words(f"time.{s}") for s in _TIMES}, self.usual_time)

    @property
    def seconds(self) -> float:
        """How long it may take."""
        return float(self.written["seconds"])


class EvolveForm(_TimedForm):
    """Weights that evolve."""

    usual_time = "300"

    def fields(self) -> None:
        """What evolves, and how."""
        words = self.words
        known = self._known = evolvable(self.game)
        with box("fd-pair"):
            self.pick("evaluation", words("learn.evaluation"), {name: name for name in known}, _usual(known))
            self.pick(
                "method", words("learn.method"), {m: words(f"learn.method.{m}") for m in METHODS}, "tournament-ga"
            )
        with box("fd-pair"):
            self.write("population", words("learn.population"), "30")
            self.write("generations", words("learn.generations"), "100")
        with box("fd-pair"):
            self.write("depth", words("learn.depth"), "2")
            self.time_and_seed()
        with self.more():
            self.write("seed", words("lab.seed"), placeholder=words("lab.fresh"))

    def game_changed(self) -> None:
        """Other evaluations may be there to evolve."""
        if evolvable(self.game) != self._known:
            self.build()

    def order(self) -> Callable[[], Job]:
        """A run."""
        written = self.written
        return lambda: self.lab.desk.evolve(
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
        words = self.words
        self.written.setdefault("rule", "td")
        with group(words("learn.rule")):
            rules = {rule: words(f"learn.rule.{rule}") for rule in RULES}
            Choice(rules, self.written["rule"], lambda rule: self._take("rule", rule), test="rule")
        self.time_and_seed()
        with self.more():
            with box("fd-pair"):
                self.write("rate", words("learn.rate"), placeholder=words("lab.usual"))
                self.write("epsilon", words("learn.epsilon"), placeholder=words("lab.usual"))
            with box("fd-pair"):
                self.write("lambda", words("learn.lambda"), placeholder=words("lab.usual"))
                self.write("seed", words("lab.seed"), placeholder=words("lab.fresh"))
        text(words("learn.learn_hint"), "fd-small fd-soft")

    def order(self) -> Callable[[], Job]:
        """A run."""
        written = self.written
        return lambda: self.lab.desk.learn(
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
        words = self.words
        with box("fd-pair"):
            self.write("body", words("learn.body"), placeholder=words("lab.usual"))
            self.write("simulations", words("learn.simulations"), placeholder=words("lab.usual"))
        self.time_and_seed()
        with self.more():
            self.write("seed", words("lab.seed"), placeholder=words("lab.fresh"))
        text(words("learn.train_hint"), "fd-small fd-soft")

    def order(self) -> Callable[[], Job]:
        """A run."""
        written = self.written
        return lambda: self.lab.desk.train(
            game=self.game.name,
            body=written["body"].strip() or None,
            simulations=whole(written["simulations"]),
            seconds=self.seconds,
            seed=whole(written["seed"]),
        )


class Forms:
    """Several forms of which one is shown, as tabs."""

    def __init__(
        self, lab: Lab, words: Words, kinds: Mapping[str, type[Form]], place: str, *, game: str = "othello"
    ) -> None:
        self._lab, self._words, self._kinds, self._place = lab, words, kinds, place
        self._game = game_of(game)
        first = next(iter(kinds))
        Choice({kind: words(f"kind.{kind}") for kind in kinds}, first, self._show, classes="fd-tabs", test="form")
        self._body = box("fd-field")
        self._form: Form | None = None
        self._show(first)

    def _show(self, kind: str) -> None:
        if self._form is not None:
            self._game = self._form.game
        self._body.clear()
        with self._body:
            self._form = self._kinds[kind](self._lab, self._words, self._game, self._place)


def _chip(label: str, on_click: Callable[[], object]) -> None:
    made = box("fd-chip", tag="button")
    made._props["type"] = "button"
    made._text = label
    made.on("click", lambda _: on_click())


def _usual(names: tuple[str, ...]) -> str:
    return "D" if "D" in names else names[0] if names else ""
