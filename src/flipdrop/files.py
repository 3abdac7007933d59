"""Writing files that are either the old or the new, never half of one."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path


def atomic_write(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file. If that fails, whatever it held before is still there."""
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe or a device must not be replaced, and holds nothing to keep
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))  # the file that a link names, not the link
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
            error.filename = str(path)  # what the caller asked for, not what it was called meanwhile
        raise
