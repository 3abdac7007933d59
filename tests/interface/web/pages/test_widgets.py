"""Pages use NiceGUI by its public API only."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from flipdrop.interface.web.i18n import LOCALES

if TYPE_CHECKING:
    from pathlib import Path

PAGES = sorted((LOCALES.parent / "pages").glob("*.py"))
OF_NICEGUI = {"_props", "_text", "_style", "_classes", "_markers", "_event_listeners"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_private_attributes(path: Path) -> None:
    private = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and (node.attr in OF_NICEGUI or ast.unparse(node.value) not in ("self", "cls"))
    ]
    assert private == []
