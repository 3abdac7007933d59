"""Atomic writes: a file is replaced completely or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from flipdrop.files import atomic_write, csv_text

if TYPE_CHECKING:
    from pathlib import Path


def test_new_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "model"
    atomic_write(path, b"first")
    path.chmod(0o640)
    atomic_write(path, b"second")
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device", "temporary"), KeyboardInterrupt()])
def test_failure_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")

    def fail(_: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(type(error)) as raised:
        atomic_write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    if isinstance(raised.value, OSError):
        assert raised.value.filename == str(path)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        atomic_write(tmp_path / "missing" / "model", b"")
    assert raised.value.filename == str(tmp_path / "missing" / "model")


def test_csv() -> None:
    assert csv_text([["a", 1], ["b, c", None]]) == 'a,1\n"b, c",\n'
