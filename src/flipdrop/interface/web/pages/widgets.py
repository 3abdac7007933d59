"""The parts that pages are made of: cards, buttons, choices, fields. How they look is in style.css.

They are plain HTML elements, so that they are small, quick, and behave on a phone as people expect. What is typed or
chosen comes to a callback; nothing is sent back into a field while somebody types there.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.pages.icons import icon as icon_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.element import Element
    from nicegui.events import GenericEventArguments

PLY_CLICKED = "(event) => {const at = event.target.closest('[data-ply]'); if (at) emit(Number(at.dataset.ply))}"
"""Tells which move was clicked in markup that names them by ``data-ply``."""

MOVE_CLICKED = "(event) => {const at = event.target.closest('[data-move]'); if (at) emit(at.dataset.move)}"
"""The same by ``data-move``."""

_VALUE = "(event) => emit(event.target.value)"
_SLID = (
    "(event) => {const it = event.target;"
    "it.style.setProperty('--share', (it.value - it.min) / (it.max - it.min)); emit(it.value)}"
)


def div(classes: str = "", *, tag: str = "div") -> Element:
    """An element to put others into."""
    return ui.element(tag).classes(classes)


def card(heading: str = "") -> Element:
    """A card, with a heading if there is one."""
    made = div("fd-card", tag="section")
    if heading:
        with made:
            text(heading, "fd-heading", tag="h2")
    return made


def text(content: str, classes: str = "", *, tag: str = "div") -> ui.label:
    """A text; `set_text` changes it."""
    made = ui.label(content).classes(classes)
    made.tag = tag
    return made


def raw_html(content: str, classes: str = "", *, tag: str = "span") -> ui.html:
    """A picture or other markup that the program itself wrote, never anything that came from a client unescaped."""
    return ui.html(content, sanitize=False, tag=tag).classes(classes)


def disc_icon(side: str, kind: str, classes: str = "") -> Element:
    """A small disc in the colour of a side."""
    return div(f"fd-disc-icon {side} fd-{kind} {classes}", tag="span")


class Button(ui.element):
    """A button.

    :param kind: classes that change its look: ``primary``, ``large``, ``subtle``, ``selected``
    :param hint: what it does, for icons alone
    :param test: a name by which tests and programs find it, in any language
    """

    def __init__(
        self,
        label: str,
        on_click: Callable[[], object] | None = None,
        *,
        icon: str = "",
        kind: str = "",
        hint: str = "",
        test: str = "",
        js: str = "",
    ) -> None:
        super().__init__("button")
        self.classes(f"fd-button {kind} {'' if label else 'icon'}")
        self._props["type"] = "button"
        if hint:
            self._props["title"] = self._props["aria-label"] = hint
        if test:
            self._props["data-test"] = test
        with self:
            if icon:
                self._icon = raw_html(icon_of(icon), "fd-row")
            if label:
                self._label = text(label, tag="span")
        if js:
            self.on("click", js_handler=js)
        if on_click is not None:
            self.on("click", lambda _: on_click())

    def set_text(self, label: str) -> None:
        """Changes what is written on it."""
        self._label.set_text(label)

    def set_icon(self, name: str) -> None:
        """Changes its picture."""
        self._icon.set_content(icon_of(name))

    def enable(self, enabled: bool) -> None:
        """Lets it be pressed, or not."""
        if self._props.get("disabled", False) == enabled:
            self._props["disabled"] = not enabled
            self.update()


def link_button(label: str, target: str, *, icon: str = "", kind: str = "", test: str = "") -> Element:
    """A link that looks like a button."""
    made = div(f"fd-button {kind}", tag="a")
    made._props["href"] = target
    if test:
        made._props["data-test"] = test
    with made:
        if icon:
            raw_html(icon_of(icon), "fd-row")
        text(label, tag="span")
    return made


def set_href(link: Element, target: str) -> None:
    """Lets a link lead elsewhere."""
    if link.props.get("href") != target:
        link.props["href"] = target


class SegmentedControl(ui.element):
    """A few values of which one is chosen: side by side, or as tabs (``classes="fd-tabs"``)."""

    def __init__(
        self,
        options: Mapping[str, str],
        value: str,
        on_change: Callable[[str], object] | None = None,
        *,
        classes: str = "fd-segments",
        test: str = "",
    ) -> None:
        super().__init__("div")
        self.classes(classes)
        self.value = value
        self._on_change = on_change
        self._buttons: dict[str, Element] = {}
        if test:
            self._props["data-test"] = test
        self.offer(options, value)

    def offer(self, options: Mapping[str, str], value: str) -> None:
        """Replaces the values that there are to choose from."""
        self.clear()
        self._buttons = {}
        with self:
            for key, label in options.items():
                button = div(tag="button")
                button._props |= {"type": "button", "data-value": key}
                button.on("click", lambda _, key=key: self._choose(key))
                with button:
                    text(label, tag="span")
                self._buttons[key] = button
        self.set(value)

    def set(self, value: str) -> None:
        """Shows another value as chosen, without telling anybody."""
        self.value = value
        for key, button in self._buttons.items():
            button.classes(**({"add": "selected"} if key == value else {"remove": "selected"}))
            button.props["aria-pressed"] = "true" if key == value else "false"

    def _choose(self, value: str) -> None:
        if value != self.value:
            self.set(value)
            if self._on_change is not None:
                self._on_change(value)


class Switch(ui.element):
    """On or off."""

    def __init__(self, value: bool, on_change: Callable[[bool], object], *, hint: str, test: str = "") -> None:
        super().__init__("button")
        self.value = value
        self.classes("fd-switch")
        self._props |= {"type": "button", "role": "switch", "aria-label": hint, "title": hint, "data-test": test}
        self._on_change = on_change
        self.on("click", lambda _: self._toggle())
        self._show()

    def set(self, value: bool) -> None:
        """Shows it on or off, without telling anybody."""
        self.value = value
        self._show()

    def _toggle(self) -> None:
        self.set(not self.value)
        self._on_change(self.value)

    def _show(self) -> None:
        self.classes(**({"add": "selected"} if self.value else {"remove": "selected"}))
        self.props["aria-checked"] = "true" if self.value else "false"


def field(label: str) -> Element:
    """A place for one choice or input, with its label."""
    made = div("fd-field", tag="label" if label else "div")
    if label:
        with made:
            text(label, "fd-label", tag="span")
    return made


def group(label: str) -> Element:
    """The same for several buttons: a click on the label must press none of them."""
    made = div("fd-field")
    with made:
        text(label, "fd-label", tag="span")
    return made


def select(
    options: Mapping[str, str], value: str, on_change: Callable[[str], object], *, test: str = "", hint: str = ""
) -> Element:
    """One of many values."""
    made = div("fd-select", tag="select")
    made._props |= {"data-test": test, "aria-label": hint}
    with made:
        for key, label in options.items():
            option = div(tag="option")
            option._props["^value"] = key
            option._props["^selected"] = "selected" if key == value else None
            option._text = label

    def change(key: str) -> None:
        if key in options:  # a client can send anything
            on_change(key)

    _listen(made, "change", change)
    return made


def text_input(
    value: str,
    on_change: Callable[[str], object],
    *,
    placeholder: str = "",
    lines: int = 1,
    test: str = "",
    on_enter: Callable[[], object] | None = None,
) -> Element:
    """A field to write into."""
    made = div("fd-input", tag="input" if lines == 1 else "textarea")
    made._props |= {"data-test": test, "placeholder": placeholder, "spellcheck": "false", "autocomplete": "off"}
    if lines == 1:
        made._props |= {"type": "text", "^value": value}
    else:
        made._props["rows"] = lines
        made._text = value or None
    _listen(made, "input", on_change)
    if on_enter is not None:
        made.on("keydown.enter", lambda _: on_enter(), args=[])
    return made


def slider(
    value: float,
    on_change: Callable[[float], object],
    *,
    least: float,
    most: float,
    step: float = 1,
    test: str = "",
    hint: str = "",
) -> Element:
    """A number within bounds."""
    made = div("fd-range", tag="input")
    made._props |= {
        "type": "range",
        "min": least,
        "max": most,
        "step": step,
        "^value": value,
        "data-test": test,
        "aria-label": hint,
    }
    made.style(f"--share: {(value - least) / (most - least):.4f}")

    def change(written: str) -> None:
        with suppress(ValueError):  # a client can send anything
            on_change(max(least, min(most, float(written))))

    made.on("input", typed_handler(change, str), js_handler=_SLID)
    return made


def note(content: str, *, bad: bool = False) -> ui.label:
    """A sentence that stands out."""
    return text(content, f"fd-banner {'bad' if bad else ''}")


def notify(content: str, *, bad: bool = False, detail: str = "") -> None:
    """Shows a sentence for some seconds, with a detail below it if there is one."""
    ui.notify(
        content,
        position="bottom",
        color="negative" if bad else "dark",
        timeout=(9000 if detail else 6000) if bad else 2500,
        caption=detail or None,
    )


def typed_handler(callback: Callable[[Any], object], kind: Any) -> Callable[[GenericEventArguments], None]:
    """Passes on what an event carries if it is of the right kind; a client can send anything."""

    def handle(event: GenericEventArguments) -> None:
        if isinstance(event.args, kind) and not isinstance(event.args, bool):
            callback(event.args)

    return handle


def _listen(element: Element, event: str, on_change: Callable[[str], object]) -> None:
    element.on(event, typed_handler(on_change, str), js_handler=_VALUE)
