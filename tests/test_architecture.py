"""docs/architecture.md names files, classes and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SOURCES = [path for folder in ("kernel", "src", "tests") for path in (ROOT / folder).rglob("*")]
PLACEHOLDERS = {".weights", "/api", "interface/cli/NAME.py"}


def test_files() -> None:
    named = {name.rstrip("/") for name in re.findall(r"`([\w./]+)`", TEXT) if "/" in name or "." in name}
    named |= set(re.findall(r"\b(?:[a-z_]+/)*[a-z_]+\.(?:py|hpp|js)\b", TEXT))
    paths = [path.as_posix() for path in SOURCES]
    missing = {name for name in named - PLACEHOLDERS if not any(path.endswith(f"/{name}") for path in paths)}
    assert not missing


def test_names() -> None:
    named = set(re.findall(r"\b[A-Z][a-z]+[A-Z]\w+\b|\b[a-z]+_[a-z_]+\b(?![./])", TEXT))
    words: set[str] = set()
    for path in SOURCES:
        if path.suffix in (".py", ".hpp") and "tests" not in path.relative_to(ROOT).parts:
            words |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    missing = {name for name in named if name not in words and name.removesuffix("s") not in words}
    assert not missing
