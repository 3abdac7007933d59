"""Every language has every text, and pages have no texts of their own."""

from __future__ import annotations

import ast
import re
from collections import Counter
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from flipdrop.evaluation import DEFINITIONS
from flipdrop.interface.web.i18n import LANGUAGES, LOCALES, Translator, texts
from flipdrop.interface.web.pages.player_picker import PLAYER_OPTIONS
from flipdrop.players import LEVELS

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {"Sarsa"}
PAGES = sorted((LOCALES.parent / "pages").glob("*.py"))


def places(text: str) -> Counter[str]:
    return Counter(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_keys_and_placeholders(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert english.keys() == other.keys()
    for key, text in english.items():
        assert places(text) == places(other[key]), key
        assert text.strip(), key
        assert other[key].strip(), key


def test_untranslated_chinese() -> None:
    """No text was left in English; names and notations alone may be."""
    english = set(texts("en").values())
    same = {text for text in texts("zh").values() if text in english and re.search("[a-z]{3}", text)}
    assert same <= NAMES


def literal_keys(path: Path) -> set[str]:
    """The keys that a page asks for by name: ``t("play.undo")``, ``self._t("play.undo")``."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("t", "_t") and isinstance(node.args[0].value, str):
                found.add(node.args[0].value)
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_use_existing_keys(path: Path) -> None:
    assert literal_keys(path) <= texts("en").keys()


def sentences(path: Path) -> list[str]:
    """Literals of a page that read like something for people: words with spaces between them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # docstrings
            silent.add(id(node.value))
        if isinstance(node, ast.Raise):  # error messages are English details
            silent |= {id(part) for part in ast.walk(node)}
    texts_ = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent
    ]
    # Classes, markup and scripts have hyphens, brackets and the like; a sentence begins with a capital letter.
    return [text for text in texts_ if re.match(r"[A-Z][a-z]+ [a-z]+\b(?!-)", text.strip())]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_untranslated_texts(path: Path) -> None:
    assert sentences(path) == []


def test_texts_of_names() -> None:
    t = Translator("en")
    for player, options in PLAYER_OPTIONS.items():
        assert t(f"search.{player}")
        for option in options:
            assert t("player.depth" if option == "depth" else f"player.option.{option}")
    for number in LEVELS:
        assert t(f"level.{number}")
    for definition in DEFINITIONS:
        assert t(f"evaluation.{definition.name}")
        for kind in definition.kinds:
            assert t(f"term.{kind.name}")
            assert t(f"meaning.{definition.name}.{kind.name}") == kind.description


def test_unknown_language() -> None:
    assert Translator("xx")("play.undo") == "Undo"
    assert Translator("zh")("player.level", number=3) == "3 级"
    t = Translator("en")
    with pytest.raises(KeyError, match="nothing"):
        t("nothing")


def test_no_space_between_han_characters() -> None:
    t = Translator("zh")
    assert t("learn.games_in", time="31 秒", games="24") == "31 秒内 24 局"
    assert t("learn.games_in", time="1:15", games="24") == "1:15 内 24 局"
    assert t("arena.leader", name="greedy") == "greedy 领先"
