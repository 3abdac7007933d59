"""Evaluations as text: ``D``, ``Seven.averaged``, ``B@positive``, ``D(15,6,-8,-6,4,4)``, ``B@positive(2)``.

A name or a preset; after ``@`` the name of a table of squares; in parentheses weights, separated by commas, slashes or
spaces. Defaults fill in the rest.
"""

from __future__ import annotations

import re

from flipdrop.errors import WeightsError, quoted
from flipdrop.evaluation.registry import PRESETS, TABLES, definition_of
from flipdrop.evaluation.weights import Weights, number_text

_NOTATION = re.compile(r"([^@()]*)(?:@([^@()]*))?(?:\(([^()]*)\))?")


def parse_notation(text: str) -> tuple[str, tuple[float, ...] | None, str | None]:
    """The evaluation's name, and its weights and table if the text gives them."""
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise WeightsError(f"evaluation {quoted(text)}; write a name such as D, B@positive or D(15,6,-10,-4,8,8)")
    name, table, numbers = match.groups()
    preset = PRESETS.get(name.strip().lower())
    definition = definition_of(name if preset is None else preset.evaluation)
    weights = None if preset is None else preset.weights
    if numbers is not None:
        weights = tuple(_number(word, text) for word in re.split(r"[,/\s]+", numbers) if word)
    return definition.name, weights, table


def format_notation(weights: Weights) -> str | None:
    """The text that `parse_notation` reads as these weights; None if their table has no name."""
    definition = definition_of(weights.evaluation)
    table = ""
    if definition.table is not None:
        named = next((name for name, numbers in TABLES.items() if numbers == weights.table), None)
        if named is None:
            return None
        table = "" if named == definition.table else f"@{named}"
    if weights.vector == definition.defaults:
        return definition.name + table
    for preset in PRESETS.values():
        if preset.evaluation == definition.name and preset.weights == weights.vector:
            return preset.name + table
    return f"{definition.name}{table}({','.join(map(number_text, weights.vector))})"


def _number(word: str, text: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise WeightsError(f"{quoted(word, 20)} in evaluation {quoted(text)} is not a number") from None
