"""The field's words only: private words that earlier versions used do not come back into sources and docs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRIVATE = re.compile(
    r"\b(unless said|whoever|nobody|somebody|so many|farewell|gone on with|referendum|pursuit|happenings?|verdicts?|"
    r"pacemakers?|patience|what there is|broken off|complaints?|crew|guests?)\b",
    re.IGNORECASE,
)
FOLDERS = ("src", "kernel", "docs", "benchmarks")
SUFFIXES = {".py", ".hpp", ".cpp", ".js", ".css", ".md", ".jinja", ".html"}
# Names of 0.1.0 that are upgraded, and texts about the reports in the reports' own words.
EXEMPT = (
    "docs/experiments",
    "src/flipdrop/experiments",
    "report.zh.json",
    "upgrade.py",
    "learner_names.py",
    "schema.py",
)


def test_no_private_words() -> None:
    found = []
    files = [ROOT / "README.md", *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")))]
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        if (path.suffix not in SUFFIXES and "/locales/" not in name) or any(part in name for part in EXEMPT):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found += [f"{name}:{number}: {word}" for word in PRIVATE.findall(line)]
    assert not found, "\n".join(found)
