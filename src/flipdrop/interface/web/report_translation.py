"""The report of the experiments in the language of the page.

The report is written in English. ``locales/report.LANGUAGE.json`` translates its frame by the text itself, titles,
questions and claims by the name of the experiment, and sentences with numbers by a pattern in which ``#`` stands for
each number. Other texts stay as they are, and a note says so.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING

from flipdrop.interface.web.i18n import LOCALES, TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NUMBER = re.compile(
    r"\([−+]?\d[\d.]*(?:, ?[−+]?\d[\d.]*)+\)"  # a vector of weights
    r"|(?<![A-Za-z\d])[−+]?\d+(?:[,.]\d+)*"  # a number, but not the one of a name such as R1
)
_SENTENCE_END = re.compile(r"(?<=[.?:;]) (?=[A-Z(\d])")
_NOT_TEXT = re.compile(r"(<svg\b.*?</svg>|<style\b.*?</style>|<code\b.*?</code>|<[^>]+>)", re.DOTALL)


def translate_report(page: str, language: str) -> str:
    """The HTML page in another language."""
    if language == "en" or not _path(language).is_file():
        return page
    translator = _translator(language)
    parts = _NOT_TEXT.split(page)
    parts[::2] = [_with_spaces(part, translator.translate(unescape(part.strip()))) for part in parts[::2]]
    translated = "".join(parts).replace('<html lang="en">', f'<html lang="{TAGS[language]}">', 1)
    return translated.replace(
        '<ol class="contents">', f'<p class="faint">{escape(translator.note)}</p>\n<ol class="contents">', 1
    )


def _with_spaces(part: str, text: str) -> str:
    """The text between the white space of a part."""
    stripped = part.strip()
    return part.replace(stripped, escape(text, quote=False), 1) if stripped else part


class ReportTranslator:
    """Translations of the texts of a report.

    :param texts: by the whole text
    :param sentences: by the sentence with ``#`` for numbers; ``{0}`` is the first of them
    :param note: that not everything is translated
    """

    def __init__(self, texts: Mapping[str, str], sentences: Mapping[str, str], note: str) -> None:
        self._texts, self._sentences, self.note = texts, sentences, note

    def translate(self, text: str) -> str:
        """The text, or those of its sentences that have a translation."""
        whole = self._texts.get(text) or self._sentence(text)
        if whole is not None:
            return whole
        parts = _SENTENCE_END.split(text)
        found = [self._sentence(part) for part in parts]
        if None in found:  # not half of a paragraph
            return text
        return "".join(filter(None, found))

    def _sentence(self, text: str) -> str | None:
        pattern = self._sentences.get(NUMBER.sub("#", text))
        return None if pattern is None else pattern.format(*NUMBER.findall(text))


@cache
def _translator(language: str) -> ReportTranslator:
    from flipdrop.experiments.catalogue import experiments
    from flipdrop.experiments.pages import INTRODUCTION

    kept = json.loads(_path(language).read_text(encoding="utf-8"))
    frame = kept["frame"]
    texts = {INTRODUCTION: frame.pop("@introduction")}
    note = frame.pop("@note")
    for name, experiment in experiments().items():
        found = kept["experiments"].get(name, {})
        originals = {"title": experiment.title, "question": experiment.question, "claim": experiment.claim.text}
        texts |= {originals[kind]: text for kind, text in found.items()}
    return ReportTranslator(texts | frame, kept["sentences"], note)


def _path(language: str) -> Path:
    return LOCALES / f"report.{language}.json"
