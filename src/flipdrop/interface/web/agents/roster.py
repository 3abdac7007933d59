"""The roster of a class: its settings, its students, and the versions of their agents, in a folder.

::

    class.json                  settings and students
    agents/STUDENT/VERSION/agent.py

The server alone changes it. STUDENT is a hash of the name, so that no name reaches the file system.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import unicodedata
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.arena.model import TimeControl
from flipdrop.arena.seeds import random_seed
from flipdrop.errors import DAMAGE, ArenaError, StoreError, quoted
from flipdrop.files import atomic_write
from flipdrop.games import game as game_of
from flipdrop.interface.web.agents.code import AgentCode

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

MAX_AGENTS = 60
MAX_OF_CLIENT = 3
"""Agents that one browser may have in a class."""
MAX_VERSIONS = 100
LONGEST_NAME = 24
FILE = "agent.py"
_PUNCTUATION = " -_.'"


class ClassError(ArenaError):
    """Something that a class does not allow."""


@dataclass(frozen=True)
class ClassSettings:
    """What a class plays.

    :param seconds: for a move
    :param games: for each pairing of the round robin
    :param seed: of every random choice
    """

    game: str = "othello"
    seconds: float = 1.0
    games: int = 20
    seed: int = field(default_factory=random_seed)
    paused: bool = False

    @property
    def time(self) -> TimeControl:
        return TimeControl(move=self.seconds)


@dataclass(frozen=True)
class Version:
    """A version of an agent.

    :param player: the class or function in the file
    :param checked: by game, why it cannot play it; empty if it can
    """

    number: int
    player: str
    submitted: str
    checked: dict[str, str]


@dataclass(frozen=True)
class Student:
    """A student, by the name that all clients see.

    :param client: the browser that may replace the agent
    :param versions: of the agent, the oldest first
    :param is_removed: whether the agent was taken out of the class; the name is free then, and versions count on
    """

    name: str
    client: str
    versions: tuple[Version, ...] = ()
    is_removed: bool = False

    @property
    def current(self) -> Version:
        return self.versions[-1]

    @property
    def spec(self) -> str:
        """What stands for the current version in events."""
        return spec_of(self.name, self.current.number)


@dataclass(frozen=True)
class Roster:
    """The content of ``class.json``.

    :param revision: grows with every change
    """

    settings: ClassSettings = field(default_factory=ClassSettings)
    students: tuple[Student, ...] = ()
    revision: int = 0

    @property
    def present(self) -> tuple[Student, ...]:
        """Those whose agent was not removed, in the order in which they joined."""
        return tuple(one for one in self.students if not one.is_removed)

    @property
    def playing(self) -> tuple[Student, ...]:
        """Those whose agent can play the game."""
        return tuple(one for one in self.present if one.current.checked.get(self.settings.game) == "")

    def find(self, name: str) -> Student | None:
        key = _key(name)
        return next((one for one in self.students if _key(one.name) == key), None)


def spec_of(name: str, version: int) -> str:
    return f"agent:{name}@{version}"


def clean_name(name: str) -> str:
    """The name that pages show: normalised; an error for signs that could disturb a page or look like another name."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    allowed = all(unicodedata.category(sign)[0] in "LMN" or sign in _PUNCTUATION for sign in name)
    if not name or len(name) > LONGEST_NAME or not allowed or not name[0].isalnum():
        raise ClassError(
            f"name {quoted(name, 40)}; use up to {LONGEST_NAME} letters, digits, spaces and - _ . ', beginning with a "
            "letter or digit"
        )
    return name


class RosterFolder:
    """A class's folder. Several threads of the server may use it; other processes read it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._lock = threading.Lock()

    @property
    def _file(self) -> Path:
        return self.folder / "class.json"

    def read(self) -> Roster:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return self._change(lambda roster: roster)
        except (OSError, ValueError) as error:
            raise StoreError(f"{self._file}: {error}") from None
        try:
            return _from_json(data)
        except DAMAGE as error:
            raise StoreError(f"{self._file} is damaged: {type(error).__name__} {error}") from None

    def set(self, **changes: Any) -> Roster:
        """Changes settings."""
        return self._change(lambda roster: replace(roster, settings=replace(roster.settings, **changes)))

    def add(self, name: str, client: str, player: str, code: Path, game: str) -> Student:
        """Takes a checked agent: a new student, or a new version of a student's agent.

        :param code: the file, which is moved
        :param game: that it was checked for
        """
        added: list[Student] = []

        def change(roster: Roster) -> Roster:
            old = check_may_submit(roster, name, client)
            number = old.current.number + 1 if old else 1
            version = Version(number, player, datetime.now(UTC).isoformat(timespec="seconds"), {game: ""})
            student = Student(name, client, (version,))
            if old is not None:
                owner = client if old.is_removed else old.client
                student = replace(old, client=owner, versions=(*old.versions, version), is_removed=False)
            target = self._version(student.name, number)
            shutil.rmtree(target, ignore_errors=True)  # of a version that was not recorded
            target.mkdir(parents=True)
            code.rename(target / FILE)
            added.append(student)
            if old is None:
                return replace(roster, students=(*roster.students, student))
            return replace(roster, students=tuple(student if one is old else one for one in roster.students))

        self._change(change)
        return added[0]

    def record_check(self, name: str, version: int, game: str, error: str) -> None:
        """Keeps whether a version can play another game."""

        def change(roster: Roster) -> Roster:
            def updated(student: Student) -> Student:
                if student.name != name or student.current.number != version:
                    return student
                checked = student.current.checked | {game: error}
                return replace(student, versions=(*student.versions[:-1], replace(student.current, checked=checked)))

            return replace(roster, students=tuple(map(updated, roster.students)))

        self._change(change)

    def remove(self, name: str) -> None:
        """Removes an agent; its name is free again, its games stay in the store."""

        def change(roster: Roster) -> Roster:
            students = (replace(one, is_removed=True) if one.name == name else one for one in roster.students)
            return replace(roster, students=tuple(students))

        self._change(change)

    def code_of(self, student: Student, seconds: float, version: Version | None = None) -> AgentCode:
        version = version or student.current
        folder = self._version(student.name, version.number)
        return AgentCode(student.name, str(folder), f"{FILE}:{version.player}", seconds)

    def code_at(self, name: str, number: int, seconds: float) -> AgentCode | None:
        """The code of a version that plays, or that has played before; None if there is none."""
        student = self.read().find(name)
        found = [one for one in student.versions if one.number == number] if student else []
        return self.code_of(student, seconds, found[0]) if student and found else None

    def _version(self, name: str, number: int) -> Path:
        student = hashlib.sha256(_key(name).encode()).hexdigest()[:16]
        return self.folder.absolute() / "agents" / student / str(number)

    def _change(self, change: Callable[[Roster], Roster]) -> Roster:
        with self._lock:
            roster = self.read() if self._file.exists() else Roster()
            changed = replace(change(roster), revision=roster.revision + 1)
            self.folder.mkdir(parents=True, exist_ok=True)
            atomic_write(self._file, (json.dumps(asdict(changed), indent=1) + "\n").encode())
            return changed


def check_may_submit(roster: Roster, name: str, client: str) -> Student | None:
    """The student of this name, whose agent the client may replace; raises if another client has the name.

    :param client: empty for the teacher
    """
    old = roster.find(name)
    if old is None or old.is_removed:
        if len(roster.present) >= MAX_AGENTS:
            raise ClassError(f"the class has {MAX_AGENTS} agents already, and takes no more")
        if client and sum(one.client == client for one in roster.present) >= MAX_OF_CLIENT:
            raise ClassError(f"this browser has {MAX_OF_CLIENT} agents in the class already; replace one of them")
    if old is not None:
        if client and old.client != client and not old.is_removed:
            raise ClassError(f"another browser has the name {quoted(old.name, 40)}; choose another, or ask the teacher")
        if len(old.versions) >= MAX_VERSIONS:
            raise ClassError(f"{quoted(old.name, 40)} has {MAX_VERSIONS} versions already; ask the teacher")
        return old
    return None


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _from_json(data: dict[str, Any]) -> Roster:
    settings = ClassSettings(**data["settings"])
    game_of(settings.game)
    students = tuple(
        Student(one["name"], one["client"], tuple(Version(**version) for version in one["versions"]), one["is_removed"])
        for one in data["students"]
    )
    if not all(student.versions for student in students):
        raise ValueError("a student without an agent")
    return Roster(settings, students, int(data["revision"]))
