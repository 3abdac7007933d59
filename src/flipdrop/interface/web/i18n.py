"""Translations of the pages: one JSON file for each language in ``locales/``, texts by key."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

LOCALES = Path(__file__).parent / "locales"
LANGUAGES = {"en": "English", "zh": "中文"}
"""Languages by code, each with its own name for itself."""

TAGS = {"en": "en", "zh": "zh-Hans"}
"""BCP 47 tags; without the script, browsers may draw Chinese texts with Japanese glyphs."""

COOKIE = "flipdrop-language"

_BETWEEN_HAN = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


class Translator:
    """Texts of one language by key; English for a language without translations.

    >>> t = Translator("en")
    >>> t("play.undo"), t("player.level", number=3)
    ('Undo', 'Level 3')
    """

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._texts = texts(self.language)

    @classmethod
    def for_request(cls, request: Request) -> Translator:
        """The language of the cookie, otherwise the browser's preferred one."""
        chosen = request.cookies.get(COOKIE)
        if chosen in LANGUAGES:
            return cls(chosen)
        preferred = request.headers.get("accept-language", "").split(",")[0].strip().lower()
        return cls(preferred.split("-")[0])

    def __call__(self, key: str, **values: object) -> str:
        """The text of `key`, with `values` for the placeholders in braces."""
        text = self._texts[key]
        if not values:
            return text
        # Templates have a space beside a value, for values in Latin letters; Chinese values need none.
        return _BETWEEN_HAN.sub("", text.format(**values))

    def get(self, key: str, default: str) -> str:
        """The text of `key`, or `default` if there is none."""
        return self._texts.get(key, default)


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language by key."""
    found: dict[str, str] = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    return found
