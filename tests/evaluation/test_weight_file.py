"""Weight files: round trips, and errors for damaged files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flipdrop import FlipdropError
from flipdrop.errors import WeightsError
from flipdrop.evaluation import Weights, evaluation, read_weights, write_weights
from flipdrop.evaluation.weight_file import decode_weights, encode_weights
from tests.evaluation.test_weights import any_weights, assert_one_line

if TYPE_CHECKING:
    from pathlib import Path

D = encode_weights(Weights("D"))
B = encode_weights(Weights("B"))


@given(weights=any_weights())
def test_round_trip(weights: Weights) -> None:
    data = encode_weights(weights)
    assert decode_weights(data) == weights
    assert decode_weights(json.dumps(json.loads(data)).encode()) == weights  # however it is laid out


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "my.weights"
    weights = Weights("Seven", (1, 2, 3, 4, 5, 6, 7), table="positive")
    write_weights(path, weights)
    assert read_weights(path) == weights
    assert read_weights(str(path), evaluation="seven") == weights
    for scorer in (evaluation(path), evaluation(str(path)), evaluation("Seven", weights=path)):
        assert scorer.weights == weights
    assert [file.name for file in tmp_path.iterdir()] == ["my.weights"]


def test_content_of_a_file() -> None:
    content = json.loads(B)
    assert content["format"] == "flipdrop weights"
    assert (content["version"], content["evaluation"], content["game"]) == (1, "B", "othello")
    assert content["weights"] == {"squares": 1.0}
    assert content["table"] == list(Weights("B").table)
    assert content["checksum"].startswith("sha256:")


def test_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "my.weights"
    write_weights(path, Weights("D"))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_weights(path, Weights("A"))
    assert read_weights(path) == Weights("D")
    assert [file.name for file in tmp_path.iterdir()] == ["my.weights"]


def test_a_file_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        evaluation(tmp_path / "no.weights")
    with pytest.raises(FileNotFoundError):
        evaluation("no/such/file")


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "my.weights"
    path.write_bytes(D)
    with pytest.raises(WeightsError, match=r"my\.weights: weights of D, not of Seven"):
        evaluation("Seven", weights=str(path))
    path.write_bytes(D[:50])
    with pytest.raises(WeightsError, match=r"my\.weights: line 4, column"):
        evaluation(path)


def changed(data: bytes, **fields: Any) -> bytes:
    return json.dumps({**json.loads(data), **fields}).encode()


def without(data: bytes, field: str) -> bytes:
    content = json.loads(data)
    del content[field]
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("data", "expected_error"),
    [
        (b"", "line 1, column 1"),
        (b"D 15 6 -10", "JSON is needed"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"[1, 2]", "not a weight file"),
        (b"{}", "not a weight file"),
        (changed(D, format="flipdrop network"), "not a weight file"),
        (changed(D, version=2), "version '2' of the format; this flipdrop reads 1"),
        (changed(D, version=None), "version 'null'"),
        (without(D, "checksum"), "'checksum' is missing"),
        (without(D, "table"), "'table' is missing"),
        (changed(D, more=1), "'more' is no field"),
        (changed(D, evaluation="E"), "evaluation 'E'; evaluations are"),
        (changed(D, evaluation=["D"]), "its name is needed"),
        (changed(D, evaluation="C"), "evaluation C has squares, discs"),
        (changed(D, game="connect4"), "evaluation D is for othello"),
        (changed(D, weights=[15, 6, -10, -4, 8, 8]), "evaluation D has corners, edges"),
        (changed(D, weights={"corners": 15}), "weights for corners; evaluation D has corners, edges"),
        (changed(D, table=[1.0] * 64), "takes none"),
        (changed(B, table=None), "takes a list of numbers"),
        (changed(B, table="penalty"), "takes a list of numbers"),
        (changed(B, table=[1.0] * 15), "a table of 15 squares"),
        (changed(B, table=[[1.0] * 8] * 8), "is not a number"),
        (changed(B, weights={"squares": True}), "'true' is not a number"),
        (changed(B, weights={"squares": "1"}), "is not a number"),
        (changed(B, weights={"squares": None}), "is not a number"),
        (changed(B, weights={"squares": 1e150}), "weight squares of evaluation B is 1e+150"),
        (B.replace(b'"squares": 1.0', b'"squares": NaN'), "NaN is not a number"),
        (B.replace(b'"squares": 1.0', b'"squares": -Infinity'), "-Infinity is not a number"),
        (B.replace(b'"squares": 1.0', b'"squares": 1e999'), "weight squares of evaluation B is inf"),
        (B.replace(b'"squares": 1.0', b'"squares": 1' + b"0" * 5000), "not JSON that a weight file can hold"),
        (B.replace(b'"squares": 1.0', b'"squares": 1' + b"0" * 4000), "a huge number"),
        (B.replace(b'"squares": 1.0', b'"squares": 1.0, "squares": 2.0'), "occurs twice"),
        (b"[" * 100_000, "not JSON that a weight file can hold"),
        (b" " * 1_000_001, "more than 1,000,000 bytes"),
        (changed(B, weights={"squares": 2.0}), "the checksum does not match"),
        (changed(D, checksum="sha256:0"), "the checksum does not match"),
        (changed(D, checksum=None), "the checksum does not match"),
    ],
)
def test_errors(data: bytes, expected_error: str) -> None:
    with pytest.raises(FlipdropError) as caught:
        decode_weights(data)
    assert expected_error in str(caught.value)
    assert "\n" not in str(caught.value)


def test_error_gives_the_checksum() -> None:
    edited = changed(B, weights={"squares": 2.0})
    with pytest.raises(WeightsError) as caught:
        decode_weights(edited)
    checksum = str(caught.value).split("'")[1]
    assert decode_weights(changed(edited, checksum=checksum)) == Weights("B", (2,))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files_are_errors(data: st.DataObject) -> None:
    """Bytes changed, cut out and put in: the file reads as it was written, or not at all."""
    original = data.draw(st.sampled_from([D, B]))
    damaged = bytearray(original)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged)))
        length = data.draw(st.integers(0, 3))
        damaged[at : at + length] = data.draw(st.binary(max_size=3) | st.sampled_from([b"1", b"[", b'"', b"{", b"e9"]))
    try:
        found = decode_weights(bytes(damaged))
    except FlipdropError as error:
        assert_one_line(error)
    else:
        assert found == decode_weights(original)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(list(json.loads(B))) | st.text(), inner),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=60)
@given(fields=st.dictionaries(st.sampled_from(["version", "evaluation", "game", "weights", "table", "checksum"]), JSON))
def test_arbitrary_values_of_fields(fields: dict[str, Any]) -> None:
    try:
        found = decode_weights(changed(B, **fields))
    except FlipdropError as error:
        assert_one_line(error)
    else:
        assert found == decode_weights(B)


@given(data=st.binary())
def test_random_bytes_are_errors(data: bytes) -> None:
    with pytest.raises(FlipdropError):
        decode_weights(data)
