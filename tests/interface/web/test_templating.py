"""Templates escape what they are given, and miss nothing silently."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jinja2 import UndefinedError

from flipdrop.interface.web import templating

if TYPE_CHECKING:
    from pathlib import Path


def test_render(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "greeting.html").write_text("<b>{{ name }}</b>")
    monkeypatch.setattr(templating, "TEMPLATES", tmp_path)
    templating._environment.cache_clear()
    try:
        assert templating.render("greeting", name="<i>") == "<b>&lt;i&gt;</b>"
        with pytest.raises(UndefinedError):
            templating.render("greeting")
    finally:
        templating._environment.cache_clear()
