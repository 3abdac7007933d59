"""HTML and Markdown by Jinja2, from the folder `templates`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from flipdrop.reporting.tables import markdown_table

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """Fills in a template of this package. Values are escaped in ``.html`` files."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("flipdrop.reporting"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["markdown_table"] = markdown_table
    return environment
