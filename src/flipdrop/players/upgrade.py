"""Spec strings of flipdrop 0.1.0 in today's notation.

The migrations of the store, of saved sessions and jobs, and the reader of ladder files call `upgrade_spec`. Nothing
else accepts old names. Model files hold no specs.
"""

from __future__ import annotations

import re

PLAYER_NAMES = {"deepening": "iterative"}
OPTION_NAMES = {
    "greedy": {"stray": "epsilon"},
    "mcts": {"camp": "batch"},
    "network": {"urgency": "fpu_reduction"},
}
WEIGHT_SETS = {
    "D.R1-opponent": "D.baseline",
    **{f"D.R1-start{number}": f"D.initial-{number}" for number in range(1, 6)},
    "D.R1": "D.hand-tuned",
    "Seven.R2": "Seven.evolved",
    "Seven.R5": "Seven.averaged",
}
SQUARE_TABLES = {"R2": "penalty", "R3": "positive"}

_SPEC = re.compile(r"\s*(\w+)\s*(?::(.*))?", re.DOTALL)
_OPTION = re.compile(r"(^|,)(\s*)(\w+)(?=\s*=)")
_EVALUATION = re.compile(r"(evaluation\s*=\s*)([^,(]+)")


def upgrade_spec(spec: str) -> str:
    """Renames the player, its options and its evaluation; a spec in today's notation stays as it is.

    >>> upgrade_spec("deepening:depth=3,evaluation=D.R1-opponent@R3")
    'iterative:depth=3,evaluation=D.baseline@positive'
    >>> upgrade_spec("greedy:stray=0.1,seed=4")
    'greedy:epsilon=0.1,seed=4'
    """
    match = _SPEC.fullmatch(spec)
    if match is None or spec.lower().startswith(("gtp", "nboard")):
        return spec
    name, options = match[1].lower(), match[2]
    new_name = PLAYER_NAMES.get(name, match[1])
    if options is None:
        return new_name
    renamed = OPTION_NAMES.get(name, {})
    options = _OPTION.sub(lambda found: found[1] + found[2] + renamed.get(found[3], found[3]), options)
    options = _EVALUATION.sub(lambda found: found[1] + upgrade_evaluation(found[2]), options)
    return f"{new_name}:{options}"


def upgrade_evaluation(text: str) -> str:
    """An evaluation such as ``Seven.R5@R3`` in today's notation."""
    name, at, table = text.partition("@")
    name = WEIGHT_SETS.get(name, name)
    bare, parenthesis, weights = table.partition("(")
    return name + at + SQUARE_TABLES.get(bare, bare) + parenthesis + weights
