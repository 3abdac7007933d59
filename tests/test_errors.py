"""Helpers of error messages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from flipdrop.errors import counted, did_you_mean, install_command, quoted

ROOT = Path(__file__).parents[1]


def test_quoted() -> None:
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted("abcdef", 4) == "'abc…'"


def test_counted() -> None:
    assert [counted(count, "game") for count in (0, 1, 1000)] == ["0 games", "1 game", "1,000 games"]
    assert counted(2, "ply", "plies") == "2 plies"


def test_did_you_mean() -> None:
    assert did_you_mean("mctz", ["mcts", "random"]) == "did you mean mcts? "
    assert did_you_mean("GREDY", ["greedy"]) == "did you mean greedy? "
    assert did_you_mean("xyz", ["mcts", "random"]) == ""


def test_install_command() -> None:
    """Messages name extras that exist, and never a package registry, which does not have flipdrop."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    named = {extra for text in sources.values() for extra in re.findall(r"install_command\('(\w+)'\)", text)}
    assert named <= set(extras)
    assert {"network", "train", "tune", "plot", "cluster"} <= named
    assert "pip install '.[train]'" in install_command("train")
    by_hand = [path for path, text in sources.items() if "pip install" in text and path.name != "errors.py"]
    assert not by_hand
    assert not [path for path in (ROOT / "docs").rglob("*.md") if "flipdrop[" in path.read_text(encoding="utf-8")]
