"""Errors in the language of the page: a sentence for the class of the error, and its message as the detail.

Texts are found by the name of the class (``error.IllegalMove``), or by context and class where the context changes the
meaning (``error.game.PlayerError``). Messages are English; ``locales/details.LANGUAGE.json`` translates the common ones
by regular expressions, and others stay as they are.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.i18n import LOCALES
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
    return message_for(t, kind), localise_detail(t, str(error))


def localise_detail(t: Translator, message: str) -> str:
    """The message of an error in the language of the page, if there is a translation."""
    for pattern, translation in _details(t.language):
        if found := pattern.fullmatch(message):
            return translation.format(*(localise_detail(t, part) for part in found.groups()))
    return message


@cache
def _details(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of messages with their translations, whose placeholders are the groups."""
    path = LOCALES / f"details.{language}.json"
    if not path.is_file():
        return ()
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return tuple((re.compile(pattern, re.DOTALL), translation) for pattern, translation in found.items())
