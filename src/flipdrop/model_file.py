"""Model files and checkpoints: NumPy's npz with a header, without pickle.

Nothing in such a file can run as code. One of the arrays is a header in JSON: the kind of file, its version, metadata,
and a checksum of everything.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from flipdrop.errors import ModelError
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

VERSION = 1
MAX_BYTES = 4 << 30
"""The most that a file may hold unpacked: a small file can unpack to any size. Models have lower limits."""
_HEADER = "header"
_MAX_HEADER = 16 << 20  # bytes of JSON, which takes twenty times as much memory
_MAX_ARRAYS = 1000
_CHUNK = 1 << 20  # bytes that are unpacked at once
_NUMBERS = "biuf"  # kinds of NumPy's types: booleans, integers, floats
_END = struct.Struct("<4s4HLLH")  # the last record of a zip file
_LOCATOR = 20  # bytes of the record before it in files of more than 4 GB


def beside_model(model: str | os.PathLike[str], extension: str) -> Path:
    """The path of a file beside a model, of the same run: ``best.weights.csv`` for ``best.weights``."""
    path = Path(model)
    return path.with_name(path.name + extension)


def checkpoint_of(model: str | os.PathLike[str]) -> Path:
    """The checkpoint of the run that writes a model; ``best.checkpoint`` if only version 0.1 has written one."""
    checkpoint, former = beside_model(model, ".checkpoint"), Path(model).with_suffix(".checkpoint")
    return former if former.exists() and not checkpoint.exists() else checkpoint


def write_model_file(
    path: str | os.PathLike[str],
    kind: str,
    metadata: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    most: int | None = None,
) -> None:
    """Writes a file atomically.

    :param kind: the kind of file, such as ``pattern network``
    :param metadata: values that JSON can hold
    :param most: bytes that the arrays may have; MAX_BYTES by default
    """
    name = os.fspath(path)
    arrays = {key: np.ascontiguousarray(array) for key, array in arrays.items()}
    _check_numbers(name, arrays)
    if sum(array.nbytes for array in arrays.values()) > (most or MAX_BYTES):
        raise _too_large(name, kind, most or MAX_BYTES)
    header = {"kind": kind, "version": VERSION, "facts": dict(metadata)}
    header["checksum"] = _checksum(header, arrays)
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    if len(text) > _MAX_HEADER:
        raise ModelError(f"{name}: metadata of {len(text) >> 20} MB; a {kind} has at most {_MAX_HEADER >> 20} MB")
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **{_HEADER: text}, **arrays)
    atomic_write(path, packed.getvalue())


def read_model_file(
    path: str | os.PathLike[str], kind: str, *, most: int | None = None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The metadata and arrays of a file of this kind; ModelError if it is damaged, of another kind or too large.

    :param most: bytes that the arrays may have unpacked; MAX_BYTES by default
    """
    name = os.fspath(path)
    with Path(path).open("rb") as file:
        try:
            arrays = _unpacked(name, kind, file, most or MAX_BYTES)
            header = json.loads(arrays.pop(_HEADER).tobytes())
            found, version, metadata, checksum = (header.pop(key) for key in ("kind", "version", "facts", "checksum"))
        except ModelError:
            raise
        except Exception:  # a zip of arrays with JSON in one of them can be wrong in a dozen ways, OSError among them
            raise ModelError(f"{name} is damaged, or no {kind}") from None
    if found != kind:
        raise ModelError(f"{name} is a {str(found)[:60]}; a {kind} is needed")
    if version != VERSION:
        raise ModelError(f"{name} is of version {str(version)[:20]}, and this flipdrop reads version {VERSION}")
    if checksum != _checksum({"kind": found, "version": version, "facts": metadata}, arrays):
        raise ModelError(f"{name} is damaged: its checksum does not match")
    if not isinstance(metadata, dict):
        raise ModelError(f"{name} is damaged: its metadata are incomplete")
    _check_numbers(name, arrays)
    return metadata, arrays


def _unpacked(name: str, kind: str, file: BinaryIO, most: int) -> dict[str, NDArray[Any]]:
    """The arrays of a file, each checked against its limit before memory is taken for it."""
    _check_directory(file)
    arrays: dict[str, NDArray[Any]] = {}
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            key = member.filename.removesuffix(".npy")
            left = _MAX_HEADER if key == _HEADER else most - sum(array.nbytes for array in arrays.values())
            with archive.open(member) as packed:
                array = _read_array(cast("BinaryIO", packed), member.file_size, left)
            if array is None:
                raise _too_large(name, kind, most)
            arrays[key] = array
    return arrays


def _check_directory(file: BinaryIO) -> None:
    """Raises ValueError unless the file ends as `write_model_file` ends it; `zipfile` reads directories of any size."""
    file.seek(-_END.size - _LOCATOR, io.SEEK_END)
    data = file.read()
    mark, _, _, _, arrays, size, _, comment = _END.unpack(data[_LOCATOR:])
    if mark != b"PK\5\6" or comment or arrays > _MAX_ARRAYS or size > _MAX_HEADER or data.startswith(b"PK\6\7"):
        raise ValueError


def _read_array(file: BinaryIO, size: int, most: int) -> NDArray[Any] | None:
    """An array in NumPy's format, which takes `size` bytes with its header; None if it has more than `most`."""
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
    length = math.prod(shape) * dtype.itemsize
    if max(length, size) > most:
        return None
    if dtype.hasobject or is_fortran or length != size - file.tell() or any(number < 0 for number in shape):
        raise ValueError
    array = np.empty(shape, dtype)
    content = array.reshape(-1).view(np.uint8)
    for at in range(0, length, _CHUNK):
        content[at : at + _CHUNK] = np.frombuffer(file.read(min(_CHUNK, length - at)), np.uint8)
    return array


def _too_large(name: str, kind: str, most: int) -> ModelError:
    return ModelError(f"{name} holds more than {most >> 20:,} MB, the limit for a {kind}")


def _check_numbers(name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    for key, array in arrays.items():
        if array.dtype.kind not in _NUMBERS:
            raise ModelError(f"{name}: {key} holds {array.dtype}; models hold numbers")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(f"{name}: {key} holds a number that is not finite")


def _checksum(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.blake2b(json.dumps(header, sort_keys=True).encode(), digest_size=16)
    for key in sorted(arrays):
        digest.update(f"{key} {arrays[key].dtype.str} {arrays[key].shape}".encode())
        digest.update(arrays[key].reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
