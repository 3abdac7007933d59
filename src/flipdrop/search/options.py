"""Options of a search: what they mean, which values they take, and the errors when they are given others."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from flipdrop.errors import SearchError


def option(
    default: Any, meaning: str, *, least: float | None = None, most: float | None = None, above: float | None = None
) -> Any:
    """A field of a settings dataclass, with what people and parsers need to know about it."""
    return dataclasses.field(
        default=default, metadata={"meaning": meaning, "least": least, "most": most, "above": above}
    )


def check_ranges(settings: Any) -> None:
    """Raises SearchError unless every numeric option of a settings dataclass lies where it should."""
    for field in dataclasses.fields(settings):
        if "meaning" not in field.metadata:
            continue
        value = getattr(settings, field.name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        meta = field.metadata
        if math.isnan(value) or math.isinf(value):
            raise SearchError(f"{field.name}={value}; it has to be a finite number")
        least, most, above = meta.get("least"), meta.get("most"), meta.get("above")
        if least is not None and value < least:
            raise SearchError(f"{field.name}={value}; it has to be at least {least}")
        if most is not None and value > most:
            raise SearchError(f"{field.name}={value}; it can be at most {most}")
        if above is not None and value <= above:
            raise SearchError(f"{field.name}={value}; it has to be more than {above}")


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Raises SearchError unless `value` is one of the choices."""
    if value not in choices:
        raise SearchError(f"{name}={value!r}; it can be {', '.join(choices)}")
