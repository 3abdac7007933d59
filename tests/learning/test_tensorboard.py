"""The curve of a run as event files: they hold what the CSV file holds."""

from __future__ import annotations

import json
import struct
import sys
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.errors import LearningError
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.tensorboard import TensorBoardLog
from tests.learning.test_training_run import Walker

if TYPE_CHECKING:
    from pathlib import Path


def events(folder: Path) -> list[Any]:
    """The events of a folder, read by the format's definition: length, checksum, data, checksum."""
    from tensorboardX.proto.event_pb2 import Event

    found = []
    for file in sorted(folder.glob("events.out.tfevents.*")):
        data = file.read_bytes()
        while data:
            (length,) = struct.unpack("<Q", data[:8])
            found.append(Event.FromString(data[12 : 12 + length]))
            data = data[16 + length :]
    return found


def scalars(folder: Path, tag: str) -> list[tuple[int, float]]:
    return [
        (event.step, value.simple_value)
        for event in events(folder)
        for value in event.summary.value
        if value.tag == tag and value.HasField("simple_value")
    ]


def test_points(tmp_path: Path) -> None:
    run = TrainingRun(Walker(), tmp_path / "w.walk")
    run.log_to(tmp_path / "logs")
    curve = run.run(Budget(steps=7))
    name = curve.names[0]
    expected = [(point.games, value) for point, value in curve.of(name)]
    assert expected
    found = scalars(tmp_path / "logs" / "w", name.replace(" ", "_"))
    assert [games for games, _ in found] == [games for games, _ in expected]
    assert [value for _, value in found] == pytest.approx([value for _, value in expected], rel=1e-6)
    assert len(scalars(tmp_path / "logs" / "w", "seconds")) == len(curve.points)
    texts = [
        value.tensor.string_val[0]
        for event in events(tmp_path / "logs" / "w")
        for value in event.summary.value
        if "settings" in value.tag
    ]
    assert json.loads(texts[0].decode().strip("`\n"))["game"] == "othello4"


def test_resumed_run_hides_what_came_after_the_checkpoint(tmp_path: Path) -> None:
    TensorBoardLog(tmp_path, games=120).close()
    (start,) = [event for event in events(tmp_path) if event.HasField("session_log")]
    assert start.step == 121


def test_missing_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(LearningError, match=r"pip install '\.\[tensorboard\]'"):
        TensorBoardLog(tmp_path)
