"""Rendering the templates in ``templates/``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """A template by its file name; text is escaped in ``.html`` files. A name that is not in `values` is an error."""
    return _environment().get_template(template).render(values)


def backticks_as_code(text: str) -> Markup:
    """Escaped text in which the parts between backticks are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["code"] = backticks_as_code
    return environment
