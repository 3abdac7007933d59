"""The report of the experiments in Chinese: its frame, titles and questions, and sentences with the same numbers."""

from __future__ import annotations

import json
import re
from string import Formatter

import pytest

from flipdrop.experiments.catalogue import experiments
from flipdrop.experiments.pages import INTRODUCTION, TITLE
from flipdrop.interface.web.i18n import LOCALES
from flipdrop.interface.web.report_translation import NUMBER, ReportTranslator, translate_report

KEPT = json.loads((LOCALES / "report.zh.json").read_text(encoding="utf-8"))
CHINESE = re.compile("[一-龥]")


def page_of(body: str) -> str:
    head = f"<style>p {{ }}</style><h1>{TITLE}</h1><p>{INTRODUCTION}</p>"
    return f'<html lang="en">{head}{body}<ol class="contents"></ol></html>'


def test_every_experiment_is_translated() -> None:
    assert KEPT["experiments"].keys() == experiments().keys()
    for texts in KEPT["experiments"].values():
        assert texts.keys() == {"title", "question", "claim"}
        assert all(map(CHINESE.search, texts.values()))


@pytest.mark.parametrize("pattern", KEPT["sentences"])
def test_sentences_keep_every_number(pattern: str) -> None:
    places = [name for _, name, _, _ in Formatter().parse(KEPT["sentences"][pattern]) if name is not None]
    assert sorted(map(int, places)) == list(range(pattern.count("#")))


def test_page() -> None:
    one = experiments()["R1.1"]
    page = page_of(
        f"<h2>{one.title}</h2>\n<p>{one.question}</p> <b>confirmed</b><code>confirmed</code><p>Not known &amp; so</p>"
    )
    found = translate_report(page, "zh")
    assert '<html lang="zh-Hans">' in found
    assert "<h1>五份报告的重新检验</h1>" in found
    assert (
        f"<h2>{KEPT['experiments']['R1.1']['title']}</h2>\n<p>{KEPT['experiments']['R1.1']['question']}</p> " in found
    )
    assert "<b>证实</b><code>confirmed</code>" in found
    assert "<p>Not known &amp; so</p>" in found
    assert KEPT["frame"]["@note"] in found
    assert INTRODUCTION not in found
    assert translate_report(page, "en") == page


def test_numbers() -> None:
    translator = ReportTranslator({}, {"# of # games.": "{1} 局中的 {0} 局。", "D# is #.": "D{0} 为 {1}。"}, "")
    assert translator.translate("1,234 of 5.5 games.") == "5.5 局中的 1,234 局。"
    assert translator.translate("D(15,6,−8) is −3. 1 of 2 games.") == "D(15,6,−8) 为 −3。2 局中的 1 局。"
    assert translator.translate("1 of 2 games. Unknown.") == "1 of 2 games. Unknown."  # not half of a paragraph
    assert NUMBER.findall("R1's 3 games, p20/g80") == ["3"]
