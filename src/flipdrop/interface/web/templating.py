"""HTML fragments of the pages: Jinja2 templates in ``templates/``, with autoescaping."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """The fragment ``templates/TEMPLATE.html``; a name that is missing in `values` is an error."""
    return _environment().get_template(f"{template}.html").render(values)


def macro(template: str, name: str, *arguments: object) -> str:
    """A macro of ``templates/TEMPLATE.html``."""
    return str(getattr(_environment().get_template(f"{template}.html").module, name)(*arguments))


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
