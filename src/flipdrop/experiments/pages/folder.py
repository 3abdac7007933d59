"""The pages as files in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.pages.content import content_of
from flipdrop.experiments.pages.drawing import svg_file
from flipdrop.experiments.pages.html import html
from flipdrop.experiments.pages.markdown import FIGURES, markdown, picture_file
from flipdrop.experiments.record import write_results
from flipdrop.files import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from flipdrop.experiments.experiment import Experiment, Results

PAGE = "results"
"""The name of the pages, without ending."""


def write_pages(folder: Path, experiments: Iterable[Experiment], results: Mapping[str, Results]) -> list[Path]:
    """Writes ``results.html``, ``results.md``, ``results.json`` and the figures; returns their paths.

    Figures of an earlier run that no page shows any more are removed.
    """
    content = content_of(experiments, results)
    (folder / FIGURES).mkdir(parents=True, exist_ok=True)
    files = {
        folder / f"{PAGE}.html": html(content).encode(),
        folder / f"{PAGE}.md": markdown(content).encode(),
        folder / f"{PAGE}.json": write_results(results).encode(),
    }
    for section in content.sections:
        for picture in section.finding.pictures:
            files[folder / FIGURES / picture_file(section.experiment, picture)] = svg_file(picture)
    for path, data in files.items():
        replace_file(path, data)
    for path in (folder / FIGURES).glob("*.svg"):
        if path not in files:
            path.unlink()
    return list(files)
