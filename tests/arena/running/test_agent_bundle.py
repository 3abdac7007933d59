"""Bundles of the folders of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.running.agent_bundle import LARGEST, AgentBundle
from flipdrop.errors import ArenaError
from flipdrop.players.spec import file_in

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("spec", "file"),
    [
        ("agents/mine.py:Agent", "agents/mine.py"),
        ("/home/me/mine.py:Agent:seed=3", "/home/me/mine.py"),
        ("mcts:c=2,evaluation=own.py:score,iterations=9", "own.py"),
        ("greedy: evaluation = folder/my.weights ", "folder/my.weights"),
        ("mcts:schedule=0:300/10;20:150/15", None),
        ("greedy:evaluation=D(15/6/-8/-6/4/4)", None),
        ("greedy:evaluation=B@positive", None),
        ("level:4", None),
        ("gtp:python engine.py", None),
        ("nboard[name=E]:python engine.py", None),
    ],
)
def test_file_in(spec: str, file: str | None) -> None:
    assert file_in(spec) == file


def test_pack(tmp_path: Path) -> None:
    for name in ("a/one.py", "a/two.weights", "a/deep/er/data.bin", "a/.git/x", "a/__pycache__/y.pyc", "b/one.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    specs = [f"{tmp_path}/a/one.py:A", f"mcts:evaluation={tmp_path}/a/two.weights", f"{tmp_path}/b/one.py:A", "random"]
    bundle = AgentBundle.of(specs)
    target = tmp_path / "bundle"
    bundle.pack(target)
    found = {str(path.relative_to(target)): path.read_text() for path in target.rglob("*") if path.is_file()}
    assert found == {
        "0/one.py": "a/one.py",
        "0/two.weights": "a/two.weights",
        "0/deep/er/data.bin": "a/deep/er/data.bin",
        "1/one.py": "b/one.py",
    }
    there = [bundle.to_remote(spec) for spec in specs]
    assert there == ["./0/one.py:A", "mcts:evaluation=./0/two.weights", "./1/one.py:A", "random"]
    assert [bundle.to_local(f"{spec} has failed") for spec in there] == [f"{spec} has failed" for spec in specs]


def test_large_folder(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    with (tmp_path / "film.bin").open("wb") as film:
        film.truncate(LARGEST + 1)  # takes no room on the disk
    with pytest.raises(ArenaError, match="put the player into a folder of its own"):
        AgentBundle.of([f"{tmp_path}/agent.py:A"]).pack(tmp_path / "bundle")
