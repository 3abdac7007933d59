"""Agents by name: ``agent:NAME`` for a file of a folder, ``agent:NAME@VERSION`` for the agent of a student."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, PlayerError, quoted
from flipdrop.interface.web.agents.code import AgentCode
from flipdrop.interface.web.agents.roster import RosterFolder
from flipdrop.interface.web.agents.source import MAX_BYTES, players_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from flipdrop.interface.web.config import ServerConfig

MAX_FILES = 200
"""Files of a folder that are offered."""
_SPEC = re.compile(r"agent:([^@:,=/\\]+?)(?:@([0-9]{1,6}))?", re.DOTALL)
_FILE_NAME = re.compile(r"[\w][\w .-]*\.py")


def agent_name(spec: str) -> tuple[str, int | None] | None:
    """Name and version of the agent that a spec names; None for other players.

    >>> agent_name("agent:Ann@2"), agent_name("agent:mine"), agent_name("level:3")
    (('Ann', 2), ('mine', None), None)
    """
    found = _SPEC.fullmatch(spec.strip())
    return None if found is None else (found[1], int(found[2]) if found[2] else None)


def pinned(spec: str, config: ServerConfig) -> str:
    """The spec with the version of a student's agent, so that it stays the same player."""
    named = agent_name(spec)
    if named is None or named[1] is not None or config.classroom is None:
        return spec.strip()
    student = RosterFolder(config.classroom).read().find(named[0])
    return spec.strip() if student is None else student.spec


def find_agent(spec: str, config: ServerConfig) -> AgentCode | None:
    """The agent that a spec names; None if it names none. Raises if there is no such agent."""
    named = agent_name(spec)
    if named is None:
        return None
    if not config.allow_code:
        raise PlayerError(f"player {quoted(spec)}; flipdrop serve --allow-code --agents FOLDER offers agents by name")
    name, version = named
    if config.classroom is not None and version is not None:
        folder = RosterFolder(config.classroom)
        found = folder.code_at(name, version, folder.read().settings.seconds)
    else:
        found = _of_folder(config.agents).get(name)
    if found is None:
        raise PlayerError(f"player {quoted(spec)}: there is no agent of this name")
    return found


def agents_in(specs: Iterable[str], config: ServerConfig) -> dict[str, AgentCode]:
    """The agents among some specs."""
    found = {spec: find_agent(spec, config) for spec in specs}
    return {spec: agent for spec, agent in found.items() if agent is not None}


def agents_by_name(config: ServerConfig) -> dict[str, str] | None:
    """Specs of the agents that clients may name, with their names; None if the server runs no code."""
    if not config.allow_code:
        return None
    found: dict[str, str] = {}
    if config.classroom is not None:
        students = RosterFolder(config.classroom).read().present
        found |= {student.spec: student.name for student in students}
    return found | {f"agent:{name}": name for name in _of_folder(config.agents)}


def files_of(folder: Path | None) -> dict[str, Path]:
    """The Python files of a folder by name."""
    if folder is None or not folder.is_dir():
        return {}
    files = sorted(path for path in folder.iterdir() if _FILE_NAME.fullmatch(path.name) and path.is_file())
    return {path.name: path for path in files[:MAX_FILES] if path.stat().st_size <= MAX_BYTES}


@lru_cache(2 * MAX_FILES)
def _players_of(path: Path, changed: int) -> tuple[str, ...]:  # noqa: ARG001 - a changed file is read again
    return tuple(players_in(path.read_bytes()))


def _of_folder(folder: Path | None) -> dict[str, AgentCode]:
    """The players of the files of a folder: by the file, or by file and class if it has several."""
    found: dict[str, AgentCode] = {}
    for name, path in files_of(folder).items():
        try:
            changed = path.stat().st_mtime_ns
            players = _players_of(path, changed)
        except (FlipdropError, OSError):  # not finished, perhaps
            continue
        for player in players:
            shown = path.stem if len(players) == 1 else f"{path.stem}.{player}"
            found[shown] = AgentCode(shown, str(path.parent.absolute()), f"{name}:{player}")
    return found
