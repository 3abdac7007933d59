"""The report of the experiments in the language of the page.

The report is written in English. ``locales/report.LANGUAGE.json`` translates its texts by the English text itself, so
that a text that has changed since its translation is shown in English, not with an outdated translation: the frame by
whole texts, titles, questions and claims of experiments likewise, and sentences by a pattern in which ``#`` stands for
each number, with its interval if it has one, and ``@`` for each piece of code. A note at the top of the page says how
many sentences and paragraphs are shown in English. Words in figures, specs and settings of players stay as they are.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING

from flipdrop.interface.web.i18n import LOCALES, TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_VALUE = r"[−+]?\d+(?:[,.]\d+)*"
NUMBER = re.compile(
    rf"\({_VALUE}(?:, ?{_VALUE})+\)"  # a vector of weights
    rf"|(?<![A-Za-z\d]){_VALUE}(?: \({_VALUE} to (?:{_VALUE}|∞)\))?"  # a number with its interval; not R1's
)
_INTERVAL = re.compile(r" \((\S+) to (\S+)\)$")
_CODE = re.compile(r"<code\b.*?</code>", re.DOTALL)
_CODE_MARK = "\ue000"  # stands for a piece of code while its sentence is translated
_SENTENCE_END = re.compile(rf"(?<=[.?;]) (?=[A-Z(\d{_CODE_MARK}])")
_NOT_TEXT = re.compile(r"(<svg\b.*?</svg>|<style\b.*?</style>|<(?!/?code\b)[^>]+>)", re.DOTALL)
_PROSE = re.compile(r"(?:\b[A-Za-z][a-z']*[,;:]? ){3}")
_NOTATION = re.compile(r"^(?:learner|algorithm) .*; |\w=\S")  # settings of a part of an experiment, or a spec
_CELL = "<td>"  # cells without a class hold names and settings of players


def translate_report(page: str, language: str) -> str:
    """The HTML page in another language."""
    if language == "en" or not _path(language).is_file():
        return page
    translator = _translator(language)
    parts = _NOT_TEXT.split(page)
    found = _Translated(translator)
    parts[::2] = [found.add(part, before) for part, before in zip(parts[::2], ["", *parts[1::2]], strict=True)]
    translated = "".join(parts).replace('<html lang="en">', f'<html lang="{TAGS[language]}">', 1)
    note = translator.note(len(found.untranslated))
    return translated.replace('<ol class="contents">', f'<p class="faint">{escape(note)}</p>\n<ol class="contents">', 1)


def untranslated_texts(page: str, language: str) -> list[str]:
    """The sentences and paragraphs of a page that have no translation."""
    parts = _NOT_TEXT.split(page)
    found = _Translated(_translator(language))
    for part, before in zip(parts[::2], ["", *parts[1::2]], strict=True):
        found.add(part, before)
    return found.untranslated


@dataclass
class _Translated:
    """Texts of a page while they are translated."""

    translator: ReportTranslator
    untranslated: list[str] = field(default_factory=list)

    def add(self, part: str, tag: str) -> str:
        """A part of the page between two tags, translated.

        :param tag: before it
        """
        stripped = part.strip()
        codes = _CODE.findall(stripped)
        text = unescape(_CODE.sub(_CODE_MARK, stripped))
        if not stripped:
            return part
        translated = self.translator.translate(text)
        html = escape(text if translated is None else translated, quote=False)
        for code in codes:
            html = html.replace(_CODE_MARK, code, 1)
        if translated is None and tag != _CELL and _is_prose(text):
            self.untranslated.append(text)
            html = f'<span lang="en">{html}</span>'
        return part.replace(stripped, html, 1)


class ReportTranslator:
    """Translations of the texts of a report.

    :param texts: by the whole text
    :param sentences: by the sentence with ``#`` for numbers and ``@`` for code; ``{0}`` is the first number, and codes
        keep their order
    :param notes: what is not translated: without, and with a number of texts
    :param interval: the form of a number with its interval
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        sentences: Mapping[str, str],
        notes: tuple[str, str] = ("", ""),
        interval: str = "{0}（{1} 至 {2}）",
    ) -> None:
        self._texts, self._sentences, self._notes, self._interval = texts, sentences, notes, interval

    def note(self, count: int) -> str:
        """What is not translated.

        :param count: of texts in English
        """
        return self._notes[1].format(count=count) if count else self._notes[0]

    def translate(self, text: str) -> str | None:
        """The text, sentence by sentence; None if one of them has no translation."""
        whole = self._texts.get(text) or self._sentence(text)
        if whole is not None:
            return whole
        found = [self._sentence(part) for part in _SENTENCE_END.split(text)]
        return None if None in found else "".join(filter(None, found))

    def _sentence(self, text: str) -> str | None:
        pattern = self._sentences.get(sentence_pattern(text))
        if pattern is None:
            return None
        return pattern.replace("@", _CODE_MARK).format(*map(self._number, NUMBER.findall(text)))

    def _number(self, number: str) -> str:
        ends = _INTERVAL.search(number)
        return self._interval.format(number[: ends.start()], *ends.groups()) if ends else number


def sentence_pattern(text: str) -> str:
    """A sentence with ``#`` for its numbers and ``@`` for code."""
    return NUMBER.sub("#", text).replace(_CODE_MARK, "@")


@cache
def _translator(language: str) -> ReportTranslator:
    kept = json.loads(_path(language).read_text(encoding="utf-8"))
    notes = kept["notes"]
    return ReportTranslator(kept["texts"], kept["sentences"], (notes["all"], notes["some"]))


def _path(language: str) -> Path:
    return LOCALES / f"report.{language}.json"


def _is_prose(text: str) -> bool:
    """Whether a text is more than a name, a spec or settings."""
    return _PROSE.search(text) is not None and _NOTATION.search(text) is None
