"""The controls of an analysis: its switch, search method, engine options and unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.pages.engine_options import EngineOptions, EngineOptionsPanel
from flipdrop.interface.web.pages.layout import COOKIE_OPTIONS
from flipdrop.interface.web.pages.widgets import Button, SegmentedControl, Switch, div, text, text_input
from flipdrop.interface.web.sessions.analysis import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.config import Limits
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.pages.value_texts import Unit

UNIT_COOKIE = "flipdrop-unit"
"""``win`` for win chance; otherwise values of Othello are in discs."""


class AnalysisControls:
    """How the position is analysed, and how values are shown.

    :param method: one of `METHODS`, or a player's spec
    :param unit: of the values of Othello
    :param on_change: called when the analysis has to start again
    :param on_switch: called with whether the analysis is turned on
    :param on_unit: called when another unit was chosen
    """

    def __init__(
        self,
        t: Translator,
        game: Game,
        limits: Limits,
        *,
        method: str,
        unit: Unit,
        options: EngineOptions,
        on_change: Callable[[], object],
        on_switch: Callable[[bool], object],
        on_unit: Callable[[], object],
    ) -> None:
        has_units = game.score_unit == "discs"
        self._kind, self._custom = (method, "") if method in METHODS else ("custom", method)
        self._on_change, self._on_switch, self._on_unit = on_change, on_switch, on_unit
        self.is_on = True
        self.unit: Unit = unit if has_units else "discs"
        with div("fd-row apart"):
            text(t("analysis.title"), "fd-heading", tag="h2")
            self.lead = text("", "fd-lead fd-grow fd-number", test="lead")
            hint = t("engine.options")
            Button("", self._toggle_options, icon="settings", kind="subtle", hint=hint, test="engine-options")
            Switch(True, self._switch, hint=t("analysis.title"), test="analysis-on")
        kinds = {kind: t(f"method.{kind}") for kind in (*METHODS, "custom")}
        self._kinds = SegmentedControl(kinds, self._kind, self._set_kind, test="method")
        with div("fd-row") as self._custom_row:
            text_input(self._custom, self._set_custom, placeholder="level:8", test="custom", on_enter=on_change)
            Button(t("method.go"), on_change, test="custom-go")
        self._custom_row.set_visibility(self._kind == "custom")
        self._options = EngineOptionsPanel(t, options, limits, on_change)
        self._options.set_visibility(False)
        with div("fd-row") as self._unit_row:
            if has_units:
                text(t("unit.title"), "fd-label", tag="span")
                units = {unit: t(f"unit.{unit}") for unit in ("discs", "win")}
                SegmentedControl(units, self.unit, self._set_unit, classes="fd-segments fd-grow", test="unit")
        self._show_unit()

    @property
    def method(self) -> str:
        """One of `METHODS`, or a player's spec; empty while none is entered."""
        return self._custom.strip() if self._kind == "custom" else self._kind

    @property
    def is_monte_carlo(self) -> bool:
        return self._kind == "mcts"

    @property
    def arguments(self) -> dict[str, Any]:
        """The engine options as arguments of `AnalysisService.start`."""
        return self._options.options.arguments

    def select_monte_carlo(self) -> None:
        self._kinds.set_value("mcts")
        self._set_kind("mcts")

    def _switch(self, on: bool) -> None:
        self.is_on = on
        self._on_switch(on)

    def _toggle_options(self) -> None:
        self._options.set_visibility(not self._options.visible)

    def _show_unit(self) -> None:
        """Offers discs as the unit; a Monte Carlo search knows win chances only."""
        self._unit_row.set_visibility(not self.is_monte_carlo)

    def _set_kind(self, kind: str) -> None:
        self._kind = kind
        self._custom_row.set_visibility(kind == "custom")
        self._show_unit()
        self._on_change()

    def _set_custom(self, spec: str) -> None:
        self._custom = spec

    def _set_unit(self, unit: str) -> None:
        self.unit = "win" if unit == "win" else "discs"
        ui.run_javascript(f"document.cookie = '{UNIT_COOKIE}={self.unit};{COOKIE_OPTIONS}'")
        self._on_unit()
