"""Model files and checkpoints: round trips; damaged and foreign files are refused."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flipdrop.errors import ModelError
from flipdrop.model_file import VERSION, read_model_file, write_model_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FACTS = {"game": "othello", "cells": [1, 2, 3]}
ARRAYS: dict[str, NDArray[Any]] = {"weights": np.linspace(-1, 1, 7, dtype=np.float32), "counts": np.arange(4)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.model"
    write_model_file(path, "test model", FACTS, ARRAYS)
    return path


def test_round_trip(file: Path) -> None:
    facts, arrays = read_model_file(file, "test model")
    assert facts == FACTS
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_flipped_bit_is_noticed_or_harmless(file: Path, place: int, bit: int) -> None:
    data = bytearray(file.read_bytes())
    data[place % len(data)] ^= 1 << bit
    damaged = file.with_name("damaged.model")
    damaged.write_bytes(data)
    try:
        facts, arrays = read_model_file(damaged, "test model")
    except ModelError:
        pass
    else:  # the bit was one that says nothing, such as a time in the zip's directory
        assert facts == FACTS
        assert all(np.array_equal(arrays[name], array) for name, array in ARRAYS.items())


@pytest.mark.parametrize("length", [0, 1, 30, 200])
def test_a_file_that_was_cut_off(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(ModelError, match="damaged"):
        read_model_file(file, "test model")


def test_a_file_of_another_kind(file: Path) -> None:
    with pytest.raises(ModelError, match="is a test model; a checkpoint is needed"):
        read_model_file(file, "checkpoint")


def _repacked(file: Path, **changed: NDArray[Any]) -> Path:
    with np.load(file) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    np.savez_compressed(file.with_suffix(".npz"), **(arrays | changed))
    return file.with_suffix(".npz")


def test_checksum_of_numbers(file: Path) -> None:
    path = _repacked(file, counts=np.arange(4) + 1)
    with pytest.raises(ModelError, match="checksum"):
        read_model_file(path, "test model")


def test_a_newer_version(file: Path) -> None:
    with np.load(file) as loaded:
        header = json.loads(loaded["header"].tobytes())
    header["version"] = VERSION + 1
    path = _repacked(file, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8))
    with pytest.raises(ModelError, match=f"version {VERSION + 1}"):
        read_model_file(path, "test model")


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(tmp_path: Path, number: float) -> None:
    with pytest.raises(ModelError, match="not finite"):
        write_model_file(tmp_path / "bad.model", "test model", {}, {"weights": np.array([1.0, number])})
    assert not (tmp_path / "bad.model").exists()


class _Exploding:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return pytest.fail, ("the pickle was read",)


def test_no_pickle(file: Path) -> None:
    path = _repacked(file, weights=np.array([_Exploding()], dtype=object))
    with pytest.raises(ModelError, match="damaged"):
        read_model_file(path, "test model")


def test_a_file_that_claims_to_be_huge(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as members:
        members.writestr("header.npy", b"")
    data = packed.getvalue()
    at = data.index(b"PK\x01\x02") + 24  # the unpacked size in the directory
    (tmp_path / "huge.model").write_bytes(data[:at] + (0xFFFFFFF0).to_bytes(4, "little") + data[at + 4 :])
    with pytest.raises(ModelError):
        read_model_file(tmp_path / "huge.model", "test model")
