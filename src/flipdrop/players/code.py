"""A user's own code: ``path/to/file.py:Name``."""

from __future__ import annotations

import importlib.util
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError, quoted
from flipdrop.players.checked import one_line

if TYPE_CHECKING:
    from types import ModuleType

_CODE = re.compile(r"(?!\w+:\w+=)(.+\.py)(?::([^:]*))?(?::(.*))?", re.IGNORECASE | re.DOTALL)


def split_code(text: str) -> tuple[str, str, str | None] | None:
    """The path, the name and what follows them in ``file.py:Name:rest``; None if the text means no Python file."""
    match = _CODE.fullmatch(text)
    return None if match is None else (match[1], match[2] or "", match[3])


def load(path: str, name: str) -> Any:
    """What a file of the user's calls `name`. Its code is run."""
    if not name:
        raise PlayerError(f"{path}: say which class or function of the file, as in {Path(path).name}:MyAgent")
    module = _module(path)
    found = getattr(module, name, None)
    if found is not None:
        return found
    own = [n for n, value in vars(module).items() if not n.startswith("_") and _is_defined_in(module, value)]
    has = f"it has {', '.join(own)}" if own else "it defines no class or function"
    raise PlayerError(f"{path} has no {quoted(name)}; {has}")


def _module(path: str) -> ModuleType:
    """The file, run as a module of its own. It can import others from its folder, as when Python runs it."""
    try:
        source = Path(path).resolve(strict=True)
        key = str(source).encode("utf-8", "surrogatepass")
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None
    except (ValueError, RuntimeError) as error:  # a null character, a ring of links
        raise PlayerError(f"{quoted(path)}: {one_line(error)}") from None
    if not source.is_file():
        raise PlayerError(f"{path} is not a file")
    module_name = f"flipdrop_code_{sha256(key).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(module_name, source)
    if spec is None or spec.loader is None:
        raise PlayerError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look a class's module up there
    if str(source.parent) not in sys.path:
        sys.path.append(str(source.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise PlayerError(f"{path} cannot be run: {type(error).__name__}: {one_line(error)}") from error
    return module


def _is_defined_in(module: ModuleType, value: object) -> bool:
    return callable(value) and getattr(value, "__module__", None) == module.__name__
