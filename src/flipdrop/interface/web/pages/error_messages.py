"""What went wrong, in the language of the page: a sentence by the kind of the error, then its own words, in English.

Errors are localise by the names of their classes (``error.IllegalMove``), and where that is not clear enough, by the
place where they came up as well (``error.game.PlayerError``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.pages.widgets import div, notify, text
from flipdrop.interface.web.sessions.errors import FAILURE

if TYPE_CHECKING:
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import AnalysisView, ReviewView


def message_for(t: Translator, kind: str, place: str = "") -> str:
    """What an error of this kind is called.

    :param kind: the name of its class
    :param place: where it came up: ``game``, ``analysis``, ``review``
    """
    usual = t.get(f"error.{kind}", t("error.FlipdropError"))
    return t.get(f"error.{place}.{kind}", usual)


def localise(t: Translator, error: Exception, place: str = "") -> tuple[str, str]:
    """An error as a sentence, and its detail."""
    if isinstance(error, OSError):
        return t("error.OSError"), f"{error.filename}: {error.strerror}" if error.filename else str(error)
    kind = type(error).__name__ if isinstance(error, FlipdropError) else FAILURE
    return message_for(t, kind, place), str(error)


def notify_error(t: Translator, error: Exception, place: str = "") -> None:
    """Shows an error for some seconds."""
    short, detail = localise(t, error, place)
    notify(short, bad=True, detail=detail)


class ErrorBanner:
    """A place where an error is shown, as long as there is one.

    :param bad: whether it stands out
    """

    def __init__(self, t: Translator, place: str = "", *, bad: bool = True, test: str = "error") -> None:
        self._t, self._place = t, place
        with div("fd-banner bad" if bad else "") as self.element:
            self._sentence = text("")
            self._sentence._props["data-test"] = test
            self._detail = text("", "fd-error-detail")
            self._detail._props["lang"] = "en"
        self.element.set_visibility(False)

    def show(self, error: Exception) -> None:
        """Shows an error."""
        self.write(*localise(self._t, error, self._place))

    def follow(self, found: AnalysisView | ReviewView | None) -> None:
        """Shows what an analysis or a review says about itself: its error, if it has one."""
        if found is not None and found.error is not None:
            self.write(message_for(self._t, found.error.kind, self._place), found.error.message)
        else:
            self.write("")

    def write(self, short: str, detail: str = "") -> None:
        """Shows a sentence and a detail; nothing at all if both are empty."""
        self._sentence.set_text(short)
        self._detail.set_text(detail)
        self._detail.set_visibility(bool(detail))
        self.element.set_visibility(bool(short or detail))
