"""The pages as files in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.errors import ArenaError
from flipdrop.experiments.pages.content import content_of
from flipdrop.experiments.pages.drawing import svg_file
from flipdrop.experiments.pages.html import html
from flipdrop.experiments.pages.markdown import FIGURES, markdown, picture_file
from flipdrop.experiments.results_io import read_results, write_results
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from flipdrop.experiments.experiment import Experiment, Results, Size

PAGE = "results"
"""The name of the pages, without ending."""


def kept_results(folder: Path, names: Iterable[str], *, size: Size, seed: int) -> dict[str, Results]:
    """What the pages of a folder have of other experiments than these, which new pages have to keep.

    Raises ArenaError if they are of another size or seed, for a page is of one run.
    """
    path = folder / f"{PAGE}.json"
    if not path.exists():
        return {}
    new = set(names)
    kept = {name: of for name, of in read_results(path.read_text(), str(path)).items() if name not in new}
    for name, of in kept.items():
        if (of.size, of.seed) != (size, seed):
            raise ArenaError(
                f"{path} has {name} of size {of.size} with seed {of.seed}, not {size} with seed {seed}: name another "
                "folder, or run all"
            )
    return kept


def write_pages(folder: Path, experiments: Iterable[Experiment], results: Mapping[str, Results]) -> list[Path]:
    """Writes ``results.html``, ``results.md``, ``results.json`` and the figures; returns their paths.

    Figures of an earlier run that no page shows any more are removed; `kept_results` are those to be kept.
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
        atomic_write(path, data)
    for path in (folder / FIGURES).glob("*.svg"):
        if path not in files:
            path.unlink()
    return list(files)
