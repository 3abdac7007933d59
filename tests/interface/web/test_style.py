"""Contrast of the colours of both themes: 4.5 for texts, 3 for what is on the board."""

from __future__ import annotations

import re

import pytest

from flipdrop.interface.web.pages.widgets import STATIC

STYLE = (STATIC / "style.css").read_text(encoding="utf-8")
TEXTS = ("ink", "soft", "faint", "accent")
GROUNDS = ("surface", "paper", "sunken")


def variables(*selectors: str) -> dict[str, str]:
    """The colours that rules define, later ones over earlier ones."""
    found: dict[str, str] = {}
    for selector in selectors:
        rule = re.search(rf"^{re.escape(selector)},?[^{{}}]*{{(.*?)^}}", STYLE, re.MULTILINE | re.DOTALL)
        assert rule is not None, selector
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", rule[1]))
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


OTHELLO = {"light": (":root",), "dark": (":root", "body.body--dark")}
CONNECT4 = {
    "light": (":root", ".connect4"),
    "dark": (":root", "body.body--dark", ".connect4", "body.body--dark .connect4"),
}


@pytest.mark.parametrize("theme", OTHELLO)
def test_texts(theme: str) -> None:
    colours = variables(*OTHELLO[theme])
    low = {(text, ground): round(contrast(colours[text], colours[ground]), 2) for text in TEXTS for ground in GROUNDS}
    assert min(low.values()) >= 4.5, low
    assert contrast(colours["accent-ink"], colours["accent"]) >= 4.5
    assert contrast(colours["accent"], colours["accent-wash"]) >= 4.5
    assert contrast(colours["frame-ink"], colours["frame"]) >= 4.5


@pytest.mark.parametrize("theme", OTHELLO)
def test_othello_board(theme: str) -> None:
    colours = variables(*OTHELLO[theme])
    for mark in ("first-deep", "second-deep", "felt-line"):
        assert contrast(colours[mark], colours["felt"]) >= 3, mark
    for side in ("first", "second"):  # discs beside the board have an edge
        assert contrast(colours[f"{side}-edge"], colours["surface"]) >= 3, side
    assert contrast(colours["faint"], colours["paper"]) >= 3  # the edge of the evaluation bar


@pytest.mark.parametrize("theme", CONNECT4)
def test_connect_four_board(theme: str) -> None:
    colours = variables(*CONNECT4[theme])
    assert contrast(colours["first-deep"], colours["back"]) >= 3
    assert max(contrast(colours[name], colours["back"]) for name in ("second-deep", "second-edge")) >= 3
    assert contrast(colours["face"], colours["back"]) >= 3
    for side in ("first", "second"):
        assert contrast(colours[f"{side}-edge"], colours["surface"]) >= 3, side


@pytest.mark.parametrize("theme", OTHELLO)
def test_faded_values(theme: str) -> None:
    """The values of bad moves fade, but stay legible."""
    script = (STATIC / "board.js").read_text(encoding="utf-8")
    fade = re.search(r"1 - ([\d.]+) \* Math\.min", script)
    text = re.search(r"^\.fd-score text { fill: (#[0-9a-f]{6});", STYLE, re.MULTILINE)
    assert fade is not None
    assert text is not None
    felt, opacity = variables(*OTHELLO[theme])["felt"], 1 - float(fade[1])
    pairs = [(int(text[1][at : at + 2], 16), int(felt[at : at + 2], 16)) for at in (1, 3, 5)]
    mixed = "#" + "".join(f"{round(opacity * ink + (1 - opacity) * ground):02x}" for ink, ground in pairs)
    assert contrast(mixed, felt) >= 3
