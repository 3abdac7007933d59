"""Matches, tournaments and ladder placements described by a TOML file."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from flipdrop.arena.ladder.placement import LadderPlacement
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import ArenaError, FlipdropError, did_you_mean, quoted
from flipdrop.options import check_options

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

KINDS = {kind.kind: kind for kind in (Match, Tournament, LadderPlacement)}


def read_competition(path: str | os.PathLike[str], **changes: Any) -> Match | Tournament | LadderPlacement:
    """The competition that a file describes; ArenaError, which names the file, for anything wrong in it.

    :param changes: settings that replace those of the file
    """
    try:
        return _competition(_read(path), changes)
    except FlipdropError as error:
        raise ArenaError(f"{path}: {error}") from None


def names_seed(path: str | os.PathLike[str]) -> bool:
    """Whether a file has a seed; without one, every run has another."""
    return "seed" in _read(path)


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArenaError(f"this is no TOML file: {error}") from None


def _competition(data: dict[str, Any], changes: dict[str, Any]) -> Match | Tournament | LadderPlacement:
    kind = data.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS:
        problem = "kind is missing" if kind is None else f"kind = {_shown(kind)}"
        raise ArenaError(f"{problem}; it can be {', '.join(KINDS)}, in quotes")
    made = KINDS[kind]
    known = [one.name for one in fields(made) if one.name not in ("time", "ladder")] + ["clock"]
    for name in data:
        if name not in known:
            raise ArenaError(f"{name} is no setting of a {kind}; {did_you_mean(name, known)}it has {', '.join(known)}")
    needed = "player" if made is LadderPlacement else "players"
    if needed not in data:
        raise ArenaError(f"a {kind} needs {needed}")
    settings: dict[str, Any] = data | changes
    _check_types(settings, get_type_hints(made))
    if "players" in settings:
        settings["players"] = tuple(settings["players"])
    if "clock" in settings:
        settings["time"] = TimeControl.parse(str(settings.pop("clock")))
    if "sprt" in settings:
        sprt = settings["sprt"]
        settings["sprt"] = Sprt.parse(sprt if isinstance(sprt, str) else ",".join(map(str, sprt)))
    plan = made(**settings)
    check_options(plan)
    return plan


def _check_types(settings: Mapping[str, Any], types: Mapping[str, Any]) -> None:
    """Raises ArenaError for a value of another type than its setting has.

    :param types: of the fields of the competition
    """
    for name, value in settings.items():
        expected = ""
        if types.get(name) in (int, int | None) and type(value) is not int:
            expected = "a whole number"
        elif types.get(name) is str and not isinstance(value, str):
            expected = "a text in quotes"
        elif name == "players" and not _is_list(value, str):
            expected = 'a list of texts, such as ["random", "level:3"]'
        elif name == "clock" and (isinstance(value, bool) or not isinstance(value, str | int | float)):
            expected = 'a text such as "60+0.5", or seconds'
        elif name == "sprt" and not isinstance(value, str) and not _is_list(value, int, float):
            expected = 'a text such as "0,20", or two numbers'
        if expected:
            raise ArenaError(f"{name} = {_shown(value)}; it has to be {expected}")


def _is_list(value: object, *types: type) -> bool:
    return isinstance(value, list) and all(type(one) in types for one in value)


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else quoted(repr(value)).strip("'")
