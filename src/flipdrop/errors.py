"""`FlipdropError` and its kinds: the errors that flipdrop raises for wrong input, and helpers for their messages.

The message quotes the input and says what is expected. The command line prints it and exits with status 2.
`FlipdropError` is a ValueError; `IllegalMove` is a move that the rules, or the notation of moves, do not allow in a
position, `IllegalPosition` a board that no game can reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.kernel import FlipdropError as FlipdropError
from flipdrop.kernel import IllegalMove as IllegalMove
from flipdrop.kernel import IllegalPosition as IllegalPosition

if TYPE_CHECKING:
    from collections.abc import Iterable


class UnknownGame(FlipdropError):
    """A game or size that does not exist."""


class NotationError(FlipdropError):
    """A board string, transcript or problem line that cannot be read."""


class SearchError(FlipdropError):
    """Settings that a search cannot work with, or a position that it cannot search."""


class OptionError(FlipdropError):
    """An option of a search, player or learner that is unknown or out of range."""


class PlayerError(FlipdropError):
    """A player that cannot be made, or that does not answer with a legal move."""


class ArenaError(FlipdropError):
    """A match or tournament that cannot be played as it was described."""


class StoreError(FlipdropError):
    """A store of games that cannot be used: damaged, locked, or written by a newer version."""


class ModelError(FlipdropError):
    """A model or a checkpoint that is damaged, or of another game, kind or version."""


class LearningError(FlipdropError):
    """A learner that cannot work with its settings or its budget."""


class BookError(FlipdropError):
    """An opening book that is damaged, or of another version."""


class RecordError(FlipdropError):
    """A game record, or a file of them, that is malformed."""


class UnknownEvaluation(FlipdropError):
    """An evaluation that does not exist."""


class WeightsError(FlipdropError):
    """Weights, a table of squares, or a file of them, that fit no evaluation."""


DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading malformed data can raise, be the file damaged or malicious. FlipdropError is included: it is a
ValueError."""


def quoted(text: str, limit: int = 60) -> str:
    """The text in quotes, on one line, cut after `limit` characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def one_line(text: object, limit: int = 200) -> str:
    """A text for a message, without line breaks, cut after `limit` characters."""
    try:
        line = " ".join(str(text).split())
    except Exception:  # the text may be a user's object, whose str may raise anything
        line = f"a {type(text).__name__}"
    return line if len(line) <= limit else line[: limit - 1] + "…"


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 game``, ``1,000 games``.

    :param many: the plural; `one` and an s by default
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def did_you_mean(name: str, names: Iterable[str], *, limit: int = 3) -> str:
    """``did you mean D or B? `` for a message about an unknown name; empty if no name is similar."""
    import difflib  # only an error needs it, and `import flipdrop` should be quick

    known = {one.lower(): one for one in names}
    near = difflib.get_close_matches(name.strip().lower(), known, n=limit)
    return f"did you mean {' or '.join(known[one] for one in near)}? " if near else ""


def install_command(extra: str) -> str:
    """How to install an optional extra: from the source tree, as the package is on no registry, or its packages."""
    packages = " ".join(f"'{name}'" for name in _packages(extra))
    return f"pip install '.[{extra}]' in flipdrop's source folder" + (packages and f", or pip install {packages}")


def _packages(extra: str) -> list[str]:
    """What an extra installs, by the metadata of this installation."""
    from importlib import metadata  # only an error needs it

    try:
        required = metadata.requires("flipdrop") or []
    except metadata.PackageNotFoundError:
        return []
    found: list[str] = []
    for requirement in required:
        name, _, marker = (part.strip() for part in requirement.partition(";"))
        if marker.replace("'", '"') == f'extra == "{extra}"':
            found += _packages(name[9:-1]) if name.startswith("flipdrop[") else [name]
    return found
