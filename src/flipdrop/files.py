"""Writing files: `atomic_write` replaces a file completely or not at all, `csv_text` makes the content of a table."""

from __future__ import annotations

import csv
import io
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def atomic_write(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file through a temporary one; on failure the old content remains."""
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe or a device is written directly
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))  # the target of a link
    new = target.with_name(f".flipdrop-{secrets.token_hex(8)}.tmp")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, new)
        new.replace(target)
    except BaseException as error:
        new.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename:
            error.filename = str(path)  # the caller's path, not the temporary one
        raise


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
