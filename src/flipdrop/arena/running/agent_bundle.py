"""Copies of the folders of agents for another machine, and specs with the paths of the copies.

An agent may import modules and read data beside it, so its whole folder is copied, without hidden files. Messages of
players are translated back to the local paths.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import ArenaError
from flipdrop.players.spec import file_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST = 100 * 2**20  # bytes
MAX_FILES = 10_000


@dataclass
class AgentBundle:
    """Folders that are copied into one.

    :param path_map: paths as written in specs, and the same relative to the bundle
    """

    path_map: dict[str, str] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)

    @classmethod
    def of(cls, specs: Iterable[str]) -> AgentBundle:
        """The bundle of some players; it is empty if they need no files."""
        paths = {path: Path(path).resolve() for spec in specs if (path := file_in(spec)) is not None}
        folders = list(dict.fromkeys(path.parent for path in paths.values()))
        bundle = cls(folders=folders)
        for written, file in paths.items():
            bundle.path_map[written] = f"{bundle._place(file.parent)}/{file.name}"
        return bundle

    def _place(self, folder: Path) -> str:
        # A single folder is the bundle itself, the working directory of its players: they may read data there.
        return "." if len(self.folders) == 1 else f"./{self.folders.index(folder)}"

    def pack(self, into: Path) -> None:
        size = count = 0
        for folder in self.folders:
            for path in _files_below(folder):
                size, count = size + path.stat().st_size, count + 1
                if size > LARGEST or count > MAX_FILES:
                    raise ArenaError(
                        f"{folder} goes to the cluster with the player in it, and holds more than {LARGEST >> 20} MB "
                        f"or {MAX_FILES:,} files; put the player into a folder of its own, with only what it needs"
                    )
                target = into / self._place(folder) / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)

    def to_remote(self, spec: str) -> str:
        """A spec with the path inside the bundle."""
        path = file_in(spec)
        if path is None or path not in self.path_map:
            return spec
        return spec.replace(path, self.path_map[path], 1)

    def to_local(self, text: str) -> str:
        """A message of a node with the local paths."""
        for written, inside in self.path_map.items():
            text = text.replace(inside, written)
        return text


def _files_below(folder: Path) -> Iterator[Path]:
    """All files below a folder, without hidden ones and Python's caches."""
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(files):
            path = Path(at, name)
            if not name.startswith(".") and path.is_file():
                yield path
