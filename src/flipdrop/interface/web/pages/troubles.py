"""What went wrong, in the language of the page: a sentence by the kind of the error, then its own words, in English.

Errors are told by the names of their classes (``trouble.IllegalMove``), and where that is not clear enough, by the
place where they came up as well (``trouble.game.PlayerError``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.pages.parts import box, say, text
from flipdrop.interface.web.sessions.errors import FAILURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.interface.web.pages.words import Words


def sentence(words: Words, kind: str, place: str = "") -> str:
    """What an error of this kind is called.

    :param kind: the name of its class
    :param place: where it came up: ``game``, ``analysis``, ``review``
    """
    usual = words.get(f"trouble.{kind}", words("trouble.FlipdropError"))
    return words.get(f"trouble.{place}.{kind}", usual)


def told(words: Words, error: Exception, place: str = "") -> tuple[str, str]:
    """An error as a sentence, and its detail."""
    if isinstance(error, OSError):
        return words("trouble.OSError"), f"{error.filename}: {error.strerror}" if error.filename else str(error)
    kind = type(error).__name__ if isinstance(error, FlipdropError) else FAILURE
    return sentence(words, kind, place), str(error)


def tell(words: Words, error: Exception, place: str = "") -> None:
    """Shows an error for some seconds."""
    short, detail = told(words, error, place)
    say(short, bad=True, detail=detail)


class TroubleNote:
    """A place where an error is shown, as long as there is one.

    :param bad: whether it stands out
    """

    def __init__(self, words: Words, place: str = "", *, bad: bool = True, test: str = "trouble") -> None:
        self._words, self._place = words, place
        with box("fd-note bad" if bad else "") as self.element:
            self._sentence = text("")
            self._sentence._props["data-test"] = test
            self._detail = text("", "fd-detail")
            self._detail._props["lang"] = "en"
        self.element.set_visibility(False)

    def show(self, error: Exception) -> None:
        """Shows an error."""
        self.write(*told(self._words, error, self._place))

    def follow(self, found: Mapping[str, Any] | None) -> None:
        """Shows what an analysis or a review says about itself: its ``trouble``, if it has one."""
        if found is not None and found["error"]:
            self.write(sentence(self._words, found["error_kind"], self._place), found["error"])
        else:
            self.write("")

    def write(self, short: str, detail: str = "") -> None:
        """Shows a sentence and a detail; nothing at all if both are empty."""
        self._sentence.set_text(short)
        self._detail.set_text(detail)
        self._detail.set_visibility(bool(detail))
        self.element.set_visibility(bool(short or detail))
