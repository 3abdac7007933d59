"""Widgets: native HTML elements with the classes of style.css.

Native elements load faster than NiceGUI's Quasar widgets. Measured with one select, slider, switch, text field, toggle
and button: the first load is 131 kB smaller (336 instead of 467 kB) with three requests less, and there are 13 DOM
nodes instead of 44. Selects and sliders use the phone's own picker and the browser's keyboard handling.
Values go to a callback and are never written back, so nothing disturbs typing.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.error_messages import localise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from nicegui.element import Element
    from nicegui.events import GenericEventArguments

    from flipdrop.interface.web.i18n import Translator

LINE_HOVERED = (
    "(event) => {const at = event.type === 'mouseleave' || event.type === 'focusout' ? null"
    " : event.target.closest('[data-line]'); const line = at ? at.dataset.line : '';"
    "if (line !== window.fdLine) {window.fdLine = line; emit(line)}}"
)
"""Handler of the events `HOVER_EVENTS`: emits the ``data-line`` below the mouse or with the focus; empty for none."""

# Not mouseover, which also comes when an element appears below a mouse at rest.
HOVER_EVENTS = ("mousemove", "mouseleave", "focusin", "focusout")

STATIC = Path(__file__).parent.parent / "static"
LOGO = (STATIC / "logo.svg").read_text(encoding="utf-8").strip()
_ICONS: dict[str, str] = json.loads((STATIC / "icons.json").read_text(encoding="utf-8"))
_VALUE = "(event) => emit(event.target.value)"
_SLIDER_MOVED = (
    "(event) => {const it = event.target;"
    "it.style.setProperty('--share', (it.value - it.min) / (it.max - it.min)); emit(it.value)}"
)


def data_clicked(name: str, *, number: bool = False) -> str:
    """A click handler in the browser: emits the attribute ``data-NAME`` of the clicked element.

    :param number: emit it as a number
    """
    value = f"Number(at.dataset.{name})" if number else f"at.dataset.{name}"
    return f"(event) => {{const at = event.target.closest('[data-{name}]'); if (at) emit({value})}}"


@cache
def icon_svg(name: str) -> str:
    """An icon: a path on a 24 by 24 grid, stroked in the colour of the text around it."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true"><path d="{_ICONS[name]}"/></svg>'
    )


def set_attributes(element: Element, **attributes: object) -> None:
    """Sets HTML attributes that are not empty: ``aria_label="Undo"``, ``data_test="undo"``."""
    element.props.update(
        {name.replace("_", "-"): value for name, value in attributes.items() if value not in ("", None)}
    )


def div(classes: str = "", *, tag: str = "div", test: str = "", **attributes: object) -> Element:
    """A container element.

    :param test: ``data-test``, by which tests find it in any language
    """
    made = ui.element(tag).classes(classes)
    set_attributes(made, data_test=test, **attributes)
    return made


def text(content: str, classes: str = "", *, tag: str = "div", test: str = "", **attributes: object) -> ui.label:
    made = ui.label(content).classes(classes)
    made.tag = tag
    set_attributes(made, data_test=test, **attributes)
    return made


def raw_html(content: str, classes: str = "", *, tag: str = "span", test: str = "") -> ui.html:
    """Markup without sanitizing: only for templates and the program's own SVG."""
    made = ui.html(content, sanitize=False, tag=tag).classes(classes)
    set_attributes(made, data_test=test)
    return made


def clickable_html(
    js_handler: str,
    on_click: Callable[[Any], object],
    kind: type | tuple[type, ...],
    classes: str = "",
    *,
    test: str = "",
) -> ui.html:
    """Markup of a template whose clicks, by an event handler in the browser, go to `on_click`.

    :param kind: the type of the value that the handler emits
    """
    made = raw_html("", classes, tag="div", test=test)
    made.on("click", typed_handler(on_click, kind), js_handler=js_handler)
    return made


def card(heading: str = "", classes: str = "") -> Element:
    made = div(f"fd-card {classes}", tag="section")
    if heading:
        with made:
            text(heading, "fd-heading", tag="h2")
    return made


class Button(ui.element):
    """A button, or a link that looks like one.

    :param kind: classes that change its look: ``primary``, ``large``, ``subtle``
    :param hint: tooltip and accessible name, for icons without a label
    :param js: a click handler in the browser
    :param href: of a link
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
        href: str = "",
    ) -> None:
        super().__init__("a" if href else "button")
        self.classes(f"fd-button {kind} {'' if label else 'icon'}")
        set_attributes(self, type="" if href else "button", title=hint, aria_label=hint, data_test=test, href=href)
        with self:
            if icon:
                self._icon = raw_html(icon_svg(icon), "fd-row")
            if label:
                self._label = text(label, tag="span")
        if js:
            self.on("click", js_handler=js)
        if on_click is not None:
            self.on("click", lambda _: on_click())

    def set_text(self, label: str) -> None:
        self._label.set_text(label)

    def set_icon(self, name: str) -> None:
        self._icon.set_content(icon_svg(name))

    def set_enabled(self, enabled: bool) -> None:
        if self.props.get("disabled", False) == enabled:
            self.props["disabled"] = not enabled

    def set_href(self, target: str) -> None:
        if self.props.get("href") != target:
            self.props["href"] = target


def set_class(element: Element, name: str, on: bool) -> None:
    """Adds or removes a CSS class."""
    if on:
        element.classes(add=name)
    else:
        element.classes(remove=name)


class SegmentedControl(ui.element):
    """Buttons of which one is selected: side by side, or as tabs (``classes="fd-tabs"``)."""

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
        set_attributes(self, data_test=test)
        self._on_change = on_change
        self.set_options(options, value)

    def set_options(self, options: Mapping[str, str], value: str) -> None:
        self.clear()
        with self:
            self._buttons = {key: div(tag="button", type="button") for key in options}
        for key, button in self._buttons.items():
            button.props["data-value"] = key
            button.on("click", lambda _, key=key: self._select(key))
            with button:
                text(options[key], tag="span")
        self.set_value(value)

    def set_value(self, value: str) -> None:
        """Selects a value without calling `on_change`."""
        self.value = value
        for key, button in self._buttons.items():
            set_class(button, "selected", key == value)
            button.props["aria-pressed"] = "true" if key == value else "false"

    def _select(self, value: str) -> None:
        if value != self.value:
            self.set_value(value)
            if self._on_change is not None:
                self._on_change(value)


class Switch(ui.element):
    """An on/off switch."""

    def __init__(self, value: bool, on_change: Callable[[bool], object], *, hint: str, test: str = "") -> None:
        super().__init__("button")
        self.classes("fd-switch")
        set_attributes(self, type="button", role="switch", aria_label=hint, title=hint, data_test=test)
        self._on_change = on_change
        self.on("click", lambda _: self._toggle())
        self._set(value)

    def _toggle(self) -> None:
        self._set(not self.value)
        self._on_change(self.value)

    def _set(self, value: bool) -> None:
        self.value = value
        set_class(self, "selected", value)
        self.props["aria-checked"] = "true" if value else "false"


def field(label: str, *, tag: str = "label") -> Element:
    """A labelled input; a click on the label focuses the input."""
    made = div("fd-field", tag=tag)
    with made:
        text(label, "fd-label", tag="span")
    return made


def group(label: str) -> Element:
    """Labelled buttons: no ``<label>``, since a click on it would press the first one."""
    made = field(label, tag="div")
    set_attributes(made, role="group", aria_label=label)
    return made


def select(
    options: Mapping[str, str], value: str, on_change: Callable[[str], object], *, test: str = "", hint: str = ""
) -> Element:
    """A drop-down list."""
    made = div("fd-select", tag="select", test=test, aria_label=hint)
    with made:
        for key, label in options.items():
            option = text(label, tag="option")
            option.props.update({"^value": key, "^selected": "selected" if key == value else None})

    def change(key: str) -> None:
        if key in options:  # a client can send anything
            on_change(key)

    made.on("change", typed_handler(change, str), js_handler=_VALUE)
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
    if lines == 1:
        made = div("fd-input", tag="input", type="text")
        made.props["^value"] = value
    else:
        made = text(value, "fd-input", tag="textarea", rows=lines)
    set_attributes(made, data_test=test, placeholder=placeholder, spellcheck="false", autocomplete="off")
    made.on("input", typed_handler(on_change, str), js_handler=_VALUE)
    if on_enter is not None:
        made.on("keydown.enter", lambda _: on_enter(), args=[])
    return made


def slider(
    value: int, on_change: Callable[[int], object], *, least: int, most: int, test: str = "", hint: str = ""
) -> Element:
    """A slider over whole numbers."""
    made = div("fd-range", tag="input", test=test, type="range", min=least, max=most, step=1, aria_label=hint)
    made.props["^value"] = value
    made.style(f"--share: {(value - least) / (most - least):.4f}")

    def change(written: str) -> None:
        with suppress(ValueError, OverflowError):  # a client can send anything
            on_change(max(least, min(most, int(float(written)))))

    made.on("input", typed_handler(change, str), js_handler=_SLIDER_MOVED)
    return made


def number_slider(
    label: str, value: int, on_change: Callable[[int], object], *, least: int, most: int, test: str = ""
) -> None:
    """A slider with its label and its value."""
    with div("fd-row"):
        text(label, "fd-label fd-slider-label", tag="span")
        number = text(str(value), "fd-number fd-slider-value")

        def change(moved: int) -> None:
            number.set_text(str(moved))
            on_change(moved)

        slider(value, change, least=least, most=most, test=test, hint=label)


def notify(content: str, *, bad: bool = False, detail: str = "") -> None:
    """Shows a sentence for a few seconds, with a detail below it."""
    ui.notify(
        content,
        position="bottom",
        color="negative" if bad else "dark",
        timeout=(9000 if detail else 6000) if bad else 2500,
        caption=detail or None,
    )


def notify_error(t: Translator, error: Exception) -> None:
    """Shows an error for a few seconds."""
    message, detail = localise(t, error)
    notify(message, bad=True, detail=detail)


class ErrorBanner:
    """Shows an error until it is resolved.

    :param bad: whether it is highlighted
    """

    def __init__(self, t: Translator, *, bad: bool = True, test: str = "error") -> None:
        self._t = t
        with div("fd-banner bad" if bad else "") as self._element:
            self._message = text("", test=test)
            self._detail = text("", "fd-error-detail")
        self._element.set_visibility(False)

    def show(self, error: Exception) -> None:
        self.write(*localise(self._t, error))

    def write(self, message: str, detail: str = "") -> None:
        """Shows a sentence and a detail; hides the banner if both are empty."""
        self._message.set_text(message)
        self._detail.set_text(detail)
        self._detail.set_visibility(bool(detail))
        self._element.set_visibility(bool(message or detail))


@contextmanager
def dialog(heading: str) -> Iterator[ui.dialog]:
    """Opens a dialog around the elements made inside; closing deletes it."""
    with ui.dialog(value=True) as opened, ui.card().classes("fd-dialog"):
        set_attributes(opened, aria_label=heading)
        text(heading, "fd-heading", tag="h2")
        yield opened
    opened.on("hide", lambda _: opened.delete())


def confirm(
    question: str, action: str, on_confirm: Callable[[], object], *, cancel: str, test: str, hint: str = ""
) -> None:
    """Asks before `on_confirm` is called.

    :param action: the label of the button that calls it
    """
    with dialog(question) as opened:

        async def confirmed() -> None:
            result = on_confirm()
            if isinstance(result, Awaitable):
                await result
            opened.close()

        if hint:
            text(hint, "fd-muted")
        with div("fd-row"):
            Button(action, confirmed, kind="primary", test=f"{test}-yes")
            Button(cancel, opened.close, test=f"{test}-no")


def copy_button(t: Translator, content: str, *, test: str, kind: str = "") -> None:
    """A button that copies a text."""

    def copy() -> None:
        ui.clipboard.write(content)
        notify(t("copy.done"))

    Button("", copy, icon="copy", kind=kind, hint=t("copy.hint"), test=test)


def typed_handler(callback: Callable[[Any], object], kind: Any) -> Callable[[GenericEventArguments], object]:
    """An event handler that ignores arguments of another type: a client can send anything.

    :param callback: may be a coroutine function
    """

    def handle(event: GenericEventArguments) -> object:
        if isinstance(event.args, kind) and not isinstance(event.args, bool):
            return callback(event.args)
        return None

    return handle
