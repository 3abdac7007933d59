"""Model files and checkpoints: NumPy's npz with a header, without pickle.

Nothing in such a file can run as code. One of the arrays is a header in JSON: the kind of file, its version, metadata,
and a checksum of everything.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import ModelError
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

VERSION = 1
_HEADER = "header"
_MOST_BYTES = 4 << 30  # unpacked: a small file can claim to hold any amount of zeros
_NUMBERS = "biuf"  # kinds of NumPy's types: truth values, whole numbers, floating point


def beside_model(model: str | os.PathLike[str], extension: str) -> Path:
    """A file of the run that writes a model, such as ``best.weights.csv``; ``best.table`` has files of its own."""
    path = Path(model)
    return path.with_name(path.name + extension)


def checkpoint_of(model: str | os.PathLike[str]) -> Path:
    """The checkpoint of the run that writes a model; ``best.checkpoint`` if only version 0.1 has written one."""
    checkpoint, former = beside_model(model, ".checkpoint"), Path(model).with_suffix(".checkpoint")
    return former if former.exists() and not checkpoint.exists() else checkpoint


def write_model_file(
    path: str | os.PathLike[str], kind: str, metadata: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Writes a file atomically.

    :param kind: what it is, such as ``pattern network``
    :param metadata: values that JSON can hold
    """
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    _check_numbers(os.fspath(path), arrays)
    header = {"kind": kind, "version": VERSION, "facts": dict(metadata)}
    header["checksum"] = _checksum(header, arrays)
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **{_HEADER: text}, **arrays)
    atomic_write(path, packed.getvalue())


def read_model_file(path: str | os.PathLike[str], kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The metadata and arrays of a file of this kind; ModelError if it is damaged or of another kind."""
    name = os.fspath(path)
    data = Path(path).read_bytes()
    try:
        arrays = _unpacked(name, data)
        header = json.loads(arrays.pop(_HEADER).tobytes())
        found, version, metadata, checksum = (header.pop(key) for key in ("kind", "version", "facts", "checksum"))
    except ModelError:
        raise
    except Exception:  # a zip of arrays with JSON in one of them can be wrong in a dozen ways, OSError among them
        raise ModelError(f"{name} is damaged, or no {kind}") from None
    if found != kind:
        raise ModelError(f"{name} is a {found}; a {kind} is needed")
    if version != VERSION:
        raise ModelError(f"{name} is of version {version}, and this flipdrop reads version {VERSION}")
    if checksum != _checksum({"kind": found, "version": version, "facts": metadata}, arrays):
        raise ModelError(f"{name} is damaged: its checksum does not match")
    _check_numbers(name, arrays)
    return metadata, arrays


def _unpacked(name: str, data: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as members:
        if sum(member.file_size for member in members.infolist()) > _MOST_BYTES:
            raise ModelError(f"{name} holds more than {_MOST_BYTES >> 30} GB; no model does")
    with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
        return {key: loaded[key] for key in loaded.files}


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
        digest.update(arrays[key].tobytes())
    return digest.hexdigest()
