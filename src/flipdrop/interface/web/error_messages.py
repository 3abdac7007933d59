"""Errors in the language of the page: a sentence for the class of the error, and its English message as the detail.

Texts are found by the name of the class (``error.IllegalMove``), or by context and class where the context changes the
meaning (``error.game.PlayerError``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.sessions.errors import FAILURE

if TYPE_CHECKING:
    from flipdrop.interface.web.i18n import Translator


def message_for(t: Translator, kind: str, context: str = "") -> str:
    """The sentence for an error.

    :param kind: the name of its class
    :param context: ``game``, ``analysis`` or ``review``
    """
    return t.get(f"error.{context}.{kind}", t.get(f"error.{kind}", t("error.FlipdropError")))


def localise(t: Translator, error: Exception) -> tuple[str, str]:
    """The sentence and the detail of an error."""
    if isinstance(error, OSError):
        return t("error.OSError"), f"{error.filename}: {error.strerror}" if error.filename else str(error)
    kind = type(error).__name__ if isinstance(error, FlipdropError) else FAILURE
    return message_for(t, kind), str(error)
