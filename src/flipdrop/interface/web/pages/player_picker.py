"""A picker of a player: a level, a type of player with its options, an agent by name, a person, or any spec."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.evaluation import DEFINITIONS, evaluation
from flipdrop.interface.web.pages.display_names import level_of
from flipdrop.interface.web.pages.widgets import (
    SegmentedControl,
    div,
    field,
    number_slider,
    select,
    slider,
    text,
    text_input,
)
from flipdrop.players import LEVELS, player

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator

DEFAULT_LEVEL = 3
_DEFAULT_TYPE = "alphabeta"
MAX_DEPTH = 12
"""Plies that the page offers; specs take more."""

PLAYER_OPTIONS: dict[str, tuple[str, ...]] = {
    "random": (),
    "greedy": ("evaluation", "epsilon"),
    "flat": ("games",),
    "minimax": ("depth", "evaluation"),
    "alphabeta": ("depth", "evaluation"),
    "iterative": ("depth", "evaluation", "seconds"),
    "adaptive": ("depth", "rounds"),
    "mcts": ("iterations", "seconds", "c"),
    "puct": ("simulations", "seconds"),
    "network": ("simulations", "seconds"),
    "engine": ("depth", "seconds"),
    "pattern": ("depth", "seconds"),
    "solver": ("seconds",),
    "perfect": (),
}
"""The types of players that the page offers, and the options that it has controls for; specs take all options."""

_CHOICES: dict[str, tuple[str, ...]] = {
    "epsilon": ("0.05", "0.1", "0.2", "0.5"),
    "games": ("100", "500", "2000", "10000"),
    "rounds": ("5", "10", "20", "50"),
    "iterations": ("100", "400", "1000", "2000", "5000", "20000"),
    "simulations": ("50", "200", "400", "1000", "10000"),
    "seconds": ("0.2", "0.5", "1", "2", "5"),
    "c": ("0.3", "0.5", "1", "1.4", "2"),
}
"""The values that the page offers for options with numbers."""

_SPEC = re.compile(r"(\w+)(?::(.*))?", re.ASCII | re.DOTALL)


@cache
def types_for(game: Game) -> tuple[str, ...]:
    """The types of players that can play a game."""

    def plays(name: str) -> bool:
        try:
            player(spec_of(name, {"depth": "1"})).check_supported(game)
        except FlipdropError:
            return False
        return True

    return tuple(name for name in PLAYER_OPTIONS if plays(name))


def spec_of(kind: str, values: Mapping[str, str]) -> str:
    """The spec of a type of player with some options.

    >>> spec_of("mcts", {"iterations": "400", "c": ""}), spec_of("random", {})
    ('mcts:iterations=400', 'random')
    """
    options = ",".join(f"{name}={values[name]}" for name in PLAYER_OPTIONS[kind] if values.get(name))
    return f"{kind}:{options}" if options else kind


def options_in(spec: str) -> tuple[str, dict[str, str]] | None:
    """The type and the options of a spec; None if the page has no controls for it.

    >>> options_in("iterative:depth=4,evaluation=D"), options_in("mcts:rave=300"), options_in("engine:depth=40")
    (('iterative', {'depth': '4', 'evaluation': 'D'}), None, None)
    """
    found = _SPEC.fullmatch(spec.strip())
    if found is None or found[1] not in PLAYER_OPTIONS:
        return None
    values: dict[str, str] = {}
    for part in (found[2] or "").split(",") if found[2] is not None else ():
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in PLAYER_OPTIONS[found[1]] or name in values or not re.fullmatch(r"[\w.]{1,20}", value, re.ASCII):
            return None
        values[name] = value
    if "depth" in PLAYER_OPTIONS[found[1]]:
        depth = values.get("depth", "")
        if not depth.isdigit() or not 1 <= int(depth) <= MAX_DEPTH:
            return None
    return found[1], values


class PlayerPicker(ui.element):
    """Picks a player.

    :param spec: the player at first; None for a person
    :param game: that it plays
    :param agents: specs of agents with their names; None if the server runs no code
    """

    def __init__(
        self,
        t: Translator,
        spec: str | None,
        on_change: Callable[[], object] = lambda: None,
        *,
        game: Game,
        agents: Mapping[str, str] | None = None,
        people: bool = True,
        test: str = "opponent",
    ) -> None:
        super().__init__("div")
        self.classes("fd-field")
        self._t, self._on_change, self._test = t, on_change, test
        self._game, self._agents = game, agents
        self._values: dict[str, Any] = {"level": DEFAULT_LEVEL, "search": _DEFAULT_TYPE, "spec": ""}
        self._values["agent"] = next(iter(agents or {}), "")
        self._options = {"depth": "4"}
        kinds = {"level": True, "search": True, "agent": agents is not None, "person": people, "spec": True}
        with self:
            labels = {kind: t(f"player.kind.{kind}") for kind, is_offered in kinds.items() if is_offered}
            self._kinds = SegmentedControl(labels, "", self._on_kind, test=test)
            self._body = div("fd-field")
        self.set_spec(spec)

    @property
    def spec(self) -> str | None:
        """The player; None for a person, empty while no custom player is entered."""
        match self._kinds.value:
            case "level":
                return f"level:{self._values['level']}"
            case "search":
                return spec_of(self._values["search"], self._options)
            case "agent":
                return str(self._values["agent"])
            case "spec":
                return str(self._values["spec"]).strip()
        return None

    def set_spec(self, spec: str | None) -> None:
        """Shows another player."""
        if spec is None:
            kind = "person"
        elif level := level_of(spec, plain=True):
            kind = "level"
            self._values["level"] = level
        elif spec in (self._agents or {}):
            kind = "agent"
            self._values["agent"] = spec
        elif (found := options_in(spec)) is not None:
            kind = "search"
            self._values["search"] = found[0]
            self._options |= found[1]
        else:
            kind = "spec"
            self._values["spec"] = spec
        self._kinds.set_value(kind)
        self._show()

    def set_game(self, game: Game) -> None:
        """Offers what can play another game."""
        if game.family != self._game.family:
            self._options.pop("evaluation", None)
        is_other = game != self._game
        self._game = game
        if is_other and self._kinds.value == "search":
            self._show()

    def _on_kind(self, kind: str) -> None:
        if kind == "spec" and not self._values["spec"]:
            self._values["spec"] = spec_of(self._values["search"], self._options)  # to be continued by hand
        self._show()
        self._on_change()

    def _set(self, name: str, value: int | str) -> None:
        self._values[name] = value
        self._on_change()

    def _set_type(self, name: str) -> None:
        self._set("search", name)
        self._show_options()

    def _set_option(self, name: str, value: int | str) -> None:
        self._options[name] = str(value)
        self._on_change()

    def _show(self) -> None:
        t, values, test = self._t, self._values, self._test
        self._body.clear()
        with self._body:
            match self._kinds.value:
                case "level":
                    self._show_level()
                case "search":
                    self._show_search()
                case "agent":
                    self._show_agents()
                case "spec":
                    placeholder = "mcts:iterations=2000"
                    text_input(values["spec"], partial(self._set, "spec"), placeholder=placeholder, test=f"{test}-spec")
                    text(t("player.custom_hint"), "fd-small fd-muted")
                    if self._agents is None:
                        text(t("player.code_hint"), "fd-small fd-muted", test=f"{test}-code-hint")

    def _show_search(self) -> None:
        """A list of types, and controls for the options of the chosen one."""
        t, test = self._t, self._test
        types = {name: t(f"search.{name}") for name in types_for(self._game)}
        if self._values["search"] not in types:
            self._values["search"] = _DEFAULT_TYPE
        select(types, self._values["search"], self._set_type, test=f"{test}-search", hint=t("player.kind.search"))
        with div("fd-field") as self._depth:
            change = partial(self._set_option, "depth")
            depth = int(self._options["depth"])
            number_slider(t("player.depth"), depth, change, least=1, most=MAX_DEPTH, test=f"{test}-depth")
        self._fields = div("fd-two-fields")
        self._show_options()

    def _show_options(self) -> None:
        t, test = self._t, self._test
        names = PLAYER_OPTIONS[self._values["search"]]
        self._depth.set_visibility("depth" in names)
        self._fields.clear()
        with self._fields:
            for name in names:
                if name == "depth":
                    continue
                value, label = self._options.get(name, ""), t(f"player.option.{name}")
                choices = {"": t("player.option.default")} | self._choices(name, value)
                with field(label):
                    select(choices, value, partial(self._set_option, name), test=f"{test}-{name}", hint=label)

    def _choices(self, name: str, value: str) -> dict[str, str]:
        """The values of an option with their texts."""
        if name == "evaluation":
            suited = (one.name for one in DEFINITIONS if evaluation(one.name).supports(self._game))
            return {one: self._t(f"evaluation.{one}") for one in suited} | ({value: value} if value else {})
        numbers = {*_CHOICES[name], *([value] if value else [])}
        return {number: number for number in sorted(numbers, key=_number)}

    def _show_agents(self) -> None:
        t, agents = self._t, self._agents or {}
        if agents:
            change = partial(self._set, "agent")
            select(agents, self._values["agent"], change, test=f"{self._test}-agent", hint=t("player.kind.agent"))
        text(t("player.agents_hint" if agents else "player.no_agents"), "fd-small fd-muted")

    def _show_level(self) -> None:
        t = self._t
        with div("fd-row apart"):
            title = text("", "fd-bold")
            description = text("", "fd-small fd-muted fd-number")

        def show(level: int) -> None:
            title.set_text(t("player.level", number=level))
            description.set_text(t(f"level.{level}"))

        def change(level: int) -> None:
            show(level)
            self._set("level", level)

        level = self._values["level"]
        show(level)
        lowest, highest = min(LEVELS), max(LEVELS)
        slider(level, change, least=lowest, most=highest, test=f"{self._test}-level", hint=t("player.level_hint"))


def _number(text_: str) -> float:
    try:
        return float(text_)
    except ValueError:  # a URL can hold anything
        return float("inf")
