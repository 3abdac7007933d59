"""All experiments by name: the modules named like ``r1_2.py`` or ``q_leaf.py`` in this folder."""

from __future__ import annotations

import importlib
import pkgutil
import re
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING

import flipdrop.experiments as package
from flipdrop.errors import ArenaError, quoted

if TYPE_CHECKING:
    from flipdrop.experiments.experiment import Experiment

_MODULE = re.compile(r"r\d+_\d+|q_\w+")


@cache
def experiments() -> dict[str, Experiment]:
    """Every experiment by its name: reports first, then questions."""
    modules = [
        importlib.import_module(f"{package.__name__}.{found.name}")
        for found in pkgutil.iter_modules(package.__path__)
        if _MODULE.fullmatch(found.name)
    ]
    found = sorted((module.EXPERIMENT for module in modules), key=lambda one: _order(one.name))
    return {one.name: one for one in found}


def experiment(name: str) -> Experiment:
    """The experiment of this name, in either case."""
    known = experiments()
    for one in known.values():
        if one.name.lower() == name.lower():
            return one
    close = get_close_matches(name.upper(), known, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise ArenaError(f"unknown experiment {quoted(name)}: {hint}there are {', '.join(known)}, and all")


def _order(name: str) -> tuple[bool, list[int]]:
    return not name.startswith("R"), [int(number) for number in re.findall(r"\d+", name)]
