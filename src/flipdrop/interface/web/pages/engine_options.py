"""The options of the analysis engine: time, depth, threads and lines, kept in a cookie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.pages.layout import COOKIE_OPTIONS
from flipdrop.interface.web.pages.widgets import div, field, select
from flipdrop.interface.web.sessions.analysis import DEFAULT_SECONDS, MAX_LINES

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.config import Limits
    from flipdrop.interface.web.i18n import Translator

COOKIE = "flipdrop-engine"
"""Seconds, depth, threads and lines: ``8.0.1.3``; 0 seconds search on, depth 0 has no limit."""

_SECONDS = (2, 8, 30, 60)
_DEPTHS = (0, 2, 4, 6, 8, 10, 12, 16, 20, 24)


@dataclass(frozen=True)
class EngineOptions:
    """How an analysis searches; see `AnalysisSettings`."""

    seconds: int = round(DEFAULT_SECONDS)
    depth: int = 0
    threads: int = 1
    lines: int = 3

    @classmethod
    def from_cookie(cls, text: str | None, limits: Limits) -> EngineOptions:
        """The options of a cookie that the pages have written; the defaults for anything else."""
        numbers = (text or "").split(".")
        if len(numbers) != 4 or not all(number.isascii() and number.isdigit() for number in numbers):
            return cls(seconds=min(cls.seconds, int(limits.seconds)))
        found = cls(*(int(number[:4]) for number in numbers))
        choices = option_choices(limits)
        return replace(
            cls(), **{name: getattr(found, name) for name in choices if getattr(found, name) in choices[name]}
        )

    @property
    def cookie(self) -> str:
        return f"{self.seconds}.{self.depth}.{self.threads}.{self.lines}"

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of `AnalysisService.start`."""
        return {
            "seconds": self.seconds or None,
            "infinite": self.seconds == 0,
            "depth": self.depth or None,
            "threads": self.threads,
            "lines": self.lines,
        }


def option_choices(limits: Limits) -> dict[str, tuple[int, ...]]:
    """The values that the page offers, within the server's limits."""
    seconds = tuple(sorted({*(choice for choice in _SECONDS if choice <= limits.seconds), max(1, int(limits.seconds))}))
    return {
        "seconds": (*seconds, 0),
        "depth": _DEPTHS,
        "threads": tuple(range(1, limits.threads + 1)),
        "lines": tuple(range(1, MAX_LINES + 1)),
    }


class EngineOptionsPanel(ui.element):
    """Selects for the options.

    :param on_change: called after every change
    """

    def __init__(self, t: Translator, options: EngineOptions, limits: Limits, on_change: Callable[[], object]) -> None:
        super().__init__("div")
        self.classes("fd-engine-options")
        self.options = options
        self._on_change = on_change
        with self:
            for name, choices in option_choices(limits).items():
                labels = {str(choice): _label(t, name, choice) for choice in choices}
                with field(t(f"engine.{name}")), div("fd-row"):
                    change = partial(self._set, name)
                    select(labels, str(getattr(options, name)), change, test=f"engine-{name}", hint=t(f"engine.{name}"))

    def _set(self, name: str, value: str) -> None:
        self.options = replace(self.options, **{name: int(value)})
        ui.run_javascript(f"document.cookie = '{COOKIE}={self.options.cookie};{COOKIE_OPTIONS}'")
        self._on_change()


def _label(t: Translator, name: str, choice: int) -> str:
    if name == "seconds":
        return t("analysis.seconds", seconds=choice) if choice else t("engine.infinite")
    return str(choice) if choice else t("engine.no_limit")
