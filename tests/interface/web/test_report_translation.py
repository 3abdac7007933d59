"""The report of the experiments in Chinese: its frame, titles and questions, and sentences with the same numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter

import pytest

from flipdrop.experiments.catalogue import experiments
from flipdrop.experiments.pages import INTRODUCTION, TITLE
from flipdrop.interface.web.i18n import LOCALES
from flipdrop.interface.web.report_translation import (
    NUMBER,
    ReportTranslator,
    translate_report,
    untranslated_texts,
)

KEPT = json.loads((LOCALES / "report.zh.json").read_text(encoding="utf-8"))
CHINESE = re.compile("[一-龥]")
PUBLISHED = Path(__file__).parents[3] / "docs" / "experiments" / "results.html"


def page_of(body: str) -> str:
    head = f"<style>p {{ }}</style><h1>{TITLE}</h1><p>{INTRODUCTION}</p>"
    return f'<html lang="en">{head}{body}<ol class="contents"></ol></html>'


def test_texts() -> None:
    assert INTRODUCTION in KEPT["texts"]
    for kind in ("texts", "sentences"):
        for english, chinese in KEPT[kind].items():
            assert not CHINESE.search(english)
            assert chinese


@pytest.mark.parametrize("pattern", KEPT["sentences"])
def test_sentences_keep_every_number(pattern: str) -> None:
    translation = KEPT["sentences"][pattern]
    places = [name for _, name, _, _ in Formatter().parse(translation) if name is not None]
    assert sorted(map(int, places)) == list(range(pattern.count("#")))
    assert translation.count("@") == pattern.count("@")


def test_published_report() -> None:
    """Every text of the published report is Chinese, or it is marked as English and the note counts it."""
    page = PUBLISHED.read_text(encoding="utf-8")
    english = untranslated_texts(page, "zh")
    translated = translate_report(page, "zh")
    assert translated.count('<span lang="en">') == len(english)
    note = KEPT["notes"]["some"].format(count=len(english)) if english else KEPT["notes"]["all"]
    assert note in translated
    prose = re.findall(r"<(?:p|figcaption)\b[^>]*>(?!<)(.{60,}?)<", page)
    assert len(prose) > 100
    # A later run of an experiment may write other sentences; most of them stay as they are.
    assert len(english) < len(prose) / 4


def test_page() -> None:
    one = experiments()["R1.1"]
    question = KEPT["texts"][one.question]
    page = page_of(
        f"<h2>{one.title}</h2>\n<p>{one.question}</p> <b>confirmed</b><code>confirmed</code>"
        "<p>Not yet known &amp; so</p>"
        "<p>In the printed program <code>a &lt; b</code> binds more loosely than <code>c</code>: it takes three of the "
        "four for squares next to an edge, and never reaches the case of the top left one.</p>"
        "<td>Not yet known and so on</td><td>mcts:iterations=4 against a b c d</td>"
    )
    found = translate_report(page, "zh")
    assert '<html lang="zh-Hans">' in found
    assert "<h1>五份报告的重新检验</h1>" in found
    assert f"<h2>{KEPT['texts'][one.title]}</h2>\n<p>{question}</p> " in found
    assert "<b>证实</b><code>confirmed</code>" in found
    assert '<p><span lang="en">Not yet known &amp; so</span></p>' in found
    assert "<p>印出的程序中 <code>a &lt; b</code> 的优先级低于 <code>c</code>：" in found
    assert "<td>Not yet known and so on</td>" in found  # names of players
    assert untranslated_texts(page, "zh") == ["Not yet known & so"]
    assert KEPT["notes"]["some"].format(count=1) in found
    assert INTRODUCTION not in found
    assert translate_report(page, "en") == page


def test_everything_is_translated() -> None:
    assert KEPT["notes"]["all"] in translate_report(page_of(""), "zh")


def test_changed_text_is_not_translated() -> None:
    """Translations belong to texts, so that an outdated one is never shown."""
    one = experiments()["R1.1"]
    assert CHINESE.search(translate_report(page_of(f"<p>{one.question}</p>"), "zh").partition("<p>")[2])
    changed = f"{one.question} And why is that so?"
    assert f'<span lang="en">{changed}</span>'.replace("'", "&#x27;") in translate_report(
        page_of(f"<p>{changed}</p>"), "zh"
    ).replace("'", "&#x27;")


def test_numbers() -> None:
    sentences = {
        "# of # games.": "{1} 局中的 {0} 局。",
        "D# is #.": "D{0} 为 {1}。",
        "It scores # at depth #.": "深度 {1} 时得分 {0}。",
    }
    translator = ReportTranslator({}, sentences)
    assert translator.translate("1,234 of 5.5 games.") == "5.5 局中的 1,234 局。"
    assert translator.translate("D(15,6,−8) is −3. 1 of 2 games.") == "D(15,6,−8) 为 −3。2 局中的 1 局。"
    assert translator.translate("It scores 0.5 (0.4 to ∞) at depth 2.") == "深度 2 时得分 0.5（0.4 至 ∞）。"
    assert translator.translate("1 of 2 games. Unknown.") is None  # not half of a paragraph
    assert NUMBER.findall("R1's 3 games, p20/g80") == ["3"]
    assert NUMBER.findall("0.15 (−0.03 to 0.28), 1,308 (1,264 to 1,352)") == [
        "0.15 (−0.03 to 0.28)",
        "1,308 (1,264 to 1,352)",
    ]
