"""Icons: SVG paths on a 24 by 24 grid in ``static/icons.json``, stroked in the colour of the text around them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

_STATIC = Path(__file__).parent.parent / "static"
_PATHS: dict[str, str] = json.loads((_STATIC / "icons.json").read_text(encoding="utf-8"))
LOGO = (_STATIC / "logo.svg").read_text(encoding="utf-8").strip()


@cache
def icon(name: str) -> str:
    """An icon as SVG."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true"><path d="{_PATHS[name]}"/></svg>'
    )
