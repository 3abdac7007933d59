"""Help: the dialog behind the question mark of every page, and the pages of the documentation at ``/docs/FILE.md``.

The documentation is that of the source tree; without it the dialog has no links.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import HTTPException, Request
from nicegui import ui

import flipdrop
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.widgets import Button, dialog, div, raw_html, text
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from flipdrop.interface.web.i18n import Translator

DOCS = Path(flipdrop.__file__).parents[2] / "docs"

TOPICS: dict[str, dict[str, str]] = {
    "play": {
        "levels": "players.md#levels",
        "search": "players.md#minimax-alphabeta-iterative-pattern",
        "mcts": "players.md#mcts",
    },
    "analyse": {"proven": "glossary.md#search", "evaluations": "players.md#evaluations", "mcts": "players.md#mcts"},
    "arena": {
        "elo": "glossary.md#arena",
        "los": "glossary.md#arena",
        "sprt": "glossary.md#arena",
        "openings": "glossary.md#arena",
        "ladder": "figures/ladder.md",
        "agent": "how-to/agent.md",
    },
    "learning": {
        "td": "learning/tables.md",
        "fitness": "learning/evolve.md",
        "evaluations": "players.md#evaluations",
        "network": "learning/network.md",
        "score": "glossary.md#learning",
    },
    "experiments": {"elo": "glossary.md#arena", "openings": "glossary.md#arena", "claims": "experiments/README.md"},
}
TOPICS["watch"] = TOPICS["play"]
TOPICS["class"] = {topic: TOPICS["arena"][topic] for topic in ("elo", "ladder", "agent")} | {
    "class": "how-to/classroom.md"
}
TOPICS["puzzles"] = {"proven": "glossary.md#search"}
"""Topics of the dialog by section, with their places in the documentation."""

KEYS = {
    "f5 / 4": "keys.move",
    "← ↑ ↓ →  Enter": "keys.cursor",
    "← →  Home  End": "keys.record",
    "Ctrl+Z  Ctrl+Y": "keys.undo",
    "Tab": "keys.tab",
    "?": "keys.help",
}
"""Keys, and the texts that say what they do."""

_EXTRAS = ["fenced-code-blocks", "tables", "header-ids"]


def show_help(t: Translator, section: str) -> None:
    """Explains the terms of a section, and the keys."""
    topics = TOPICS.get(section, {})
    has_docs = DOCS.is_dir()
    with dialog(t("help.title")) as opened:
        raw_html(
            render("help", t=t, topics=topics, has_docs=has_docs, keys=KEYS), "fd-help", tag="div", test="help-text"
        )
        with div("fd-row"):
            Button(t("export.close"), opened.close, kind="primary", test="help-close")


def mount() -> None:
    @ui.page("/docs/{path:path}")
    def docs(request: Request, path: str) -> None:
        file = (DOCS / path).resolve()
        if file.suffix != ".md" or not file.is_relative_to(DOCS.resolve()) or not file.is_file():
            raise HTTPException(404)
        with page_layout(request, section="", title=file.stem) as t, div("fd-card fd-docs"):
            text(t("help.english"), "fd-small fd-muted")
            ui.markdown(file.read_text(encoding="utf-8"), extras=_EXTRAS)
