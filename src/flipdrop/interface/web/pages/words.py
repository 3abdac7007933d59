"""All that the pages say, in the languages they say it in: data in ``words/en.json``, ``words/zh-arena.json``, ...

Every file of a language is merged, so that a group of pages can have a file of its own.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

FOLDER = Path(__file__).parent.parent / "words"
LANGUAGES = {"en": "English", "zh": "中文"}
"""The languages, each by its own name."""

TAGS = {"en": "en", "zh": "zh-Hans"}
"""What browsers call them; they choose between Chinese and Japanese shapes of the same letters by it."""

COOKIE = "flipdrop-language"


class Words:
    """What the pages say in one language.

    >>> Words("en")("play.undo")
    'Undo'
    """

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._texts = texts(self.language)

    @classmethod
    def of(cls, request: Request) -> Words:
        """The language that was chosen, else the one that the browser prefers."""
        chosen = request.cookies.get(COOKIE)
        if chosen in LANGUAGES:
            return cls(chosen)
        preferred = request.headers.get("accept-language", "").split(",")[0].strip().lower()
        return cls(preferred.split("-")[0])

    def __call__(self, key: str, **values: object) -> str:
        """The text that is called `key`, with `values` in the places that it names in braces."""
        text = self._texts[key]
        return text.format(**values) if values else text

    def get(self, key: str, default: str) -> str:
        """The text that is called `key`, or what to say where there is none: names of terms, of jobs, and the like."""
        return self._texts.get(key, default)


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language by their keys."""
    merged: dict[str, str] = {}
    for path in sorted(FOLDER.glob(f"{language}*.json")):
        found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        if twice := merged.keys() & found.keys():
            raise ValueError(f"{path.name}: {sorted(twice)} are in another file of the same language as well")
        merged |= found
    return merged
