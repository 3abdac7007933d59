"""`flipdrop experiment`: repeats the experiments of the reports."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import ArenaError
from flipdrop.experiments.catalogue import experiment as experiment_called
from flipdrop.experiments.catalogue import experiments
from flipdrop.experiments.pages import content_of, published_results, write_pages
from flipdrop.experiments.results_io import read_results, task_json
from flipdrop.experiments.running import missing, run_experiments
from flipdrop.interface.cli.events import NoStore, StorePath, open_store
from flipdrop.interface.cli.options import Cluster, Json, Threads, ray_cluster
from flipdrop.interface.cli.output import exit_stopped, print_json, progress_display
from flipdrop.reporting.formatting import seconds
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flipdrop.arena.store import Store
    from flipdrop.experiments.experiment import Experiment, Results, Size
    from flipdrop.experiments.pages import Section
    from flipdrop.experiments.running import Progress

LIST, ALL = "list", "all"


def experiment(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="R1.1, Q3, several of them, all, or list.")],
    quick: Annotated[bool, typer.Option("--quick", help="Few games: takes seconds, with wide intervals.")] = False,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="Seed of every random choice; the published pages use 1.")
    ] = 1,
    threads: Threads = None,
    cluster: Cluster = None,
    store: StorePath = None,
    no_store: NoStore = False,
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="FILE", help="Run nothing; read results.json, written by --pages."),
    ] = None,
    pages: Annotated[
        Path | None,
        typer.Option(
            "--pages", metavar="DIR", help="Write or update HTML, Markdown, figures and results in this folder."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Repeat the experiments of the reports and test their claims.

    Every task of an experiment is saved in the store when it ends and is not run again. Ctrl-C stops at any time; the
    same command resumes. With --cluster, games whose moves are not timed are played there. All experiments together
    take about 100 minutes on two cores, with --quick some minutes.

    Example: flipdrop experiment R1.2 --quick
    """
    size: Size = "quick" if quick else "full"
    if LIST in names:
        _print_list(list(experiments().values()), size, json=json)
        return
    everything = list(experiments().values())
    chosen = everything if ALL in names else list(dict.fromkeys(map(experiment_called, names)))
    found: Mapping[str, Results] = {}
    if results is not None:
        found = read_results(results.read_text(), str(results))
        if not any(one.name in found for one in chosen):
            raise ArenaError(f"{results} has no results of {', '.join(one.name for one in chosen)}")
        first = next(found[one.name] for one in chosen if one.name in found)
        size, seed = first.size, first.seed
    new = [one.name for one in chosen if results is None or one.name in found]
    kept = {} if pages is None else published_results(pages, new, size=size, seed=seed)  # fails before hours of work
    if results is None:
        with open_store(store, none=no_store) as opened:
            found = _run(
                chosen, opened, size=size, seed=seed, threads=thread_count(threads), cluster=cluster, json=json
            )
    _print(chosen, found, json=json)
    if pages is not None:
        kept |= {name: found[name] for name in new}
        shown = [one for one in everything if one in chosen or one.name in kept]
        _write(pages, shown, {one.name: kept[one.name] for one in shown if one.name in kept}, json=json)


def _run(
    chosen: Sequence[Experiment], kept: Store, *, size: Size, seed: int, threads: int, cluster: str | None, json: bool
) -> Mapping[str, Results]:
    if not json:
        left = [task for one in chosen for task in missing(one, kept, size=size, seed=seed)]
        expected = f", about {seconds(sum(task.estimate for task in left))} on two cores" if left else ""
        typer.echo(f"{size} size, seed {seed}: {len(left)} tasks to run{expected}", err=True)
    with tempfile.TemporaryDirectory(prefix="flipdrop-") as scratch, progress_display(_describe) as show:
        lines = None if json else _print_lines()
        # Models are beside the store, where a resumed run finds them.
        folder = Path(scratch) if not Path(kept.name).is_file() else Path(f"{kept.name}-models")
        try:
            return run_experiments(
                chosen,
                kept,
                size=size,
                seed=seed,
                threads=threads,
                folder=folder.resolve(),
                cluster=None if cluster is None else ray_cluster(cluster, threads),
                progress=show or lines,
            )
        except KeyboardInterrupt:
            exit_stopped("stopped; the same command resumes")


def _describe(progress: Progress) -> tuple[float, float, str]:
    left = progress.seconds_left
    texts = (f"{progress.experiment} {progress.key}", progress.status, f"{seconds(left)} left" if left else "")
    return progress.share, 1.0, ", ".join(filter(None, texts))


def _print_lines() -> Callable[[Progress], object]:
    shown: set[str] = set()

    def show(progress: Progress) -> None:
        if progress.experiment not in shown:
            shown.add(progress.experiment)
            typer.echo(f"{progress.experiment}: starting ({100 * progress.share:.0f}% of all done)", err=True)

    return show


def _print_list(listed: Sequence[Experiment], size: Size, *, json: bool) -> None:
    for one in listed:
        expected = one.estimate(size)
        if json:
            print_json({"experiment": one.name, "title": one.title, "question": one.question, "seconds": expected})
        else:
            typer.echo(f"{one.name:<5} {one.title:<52} {seconds(expected):>12}")
    if not json:
        total = sum(one.estimate(size) for one in listed)
        typer.echo(f"{ALL:<5} {f'about, on two cores, {size} size':<52} {seconds(total):>12}")


def _print(chosen: Sequence[Experiment], found: Mapping[str, Results], *, json: bool) -> None:
    content = content_of(chosen, found)
    for section in content.sections:
        if json:
            print_json(_as_json(section))
        else:
            _print_section(section)
    if content.missing and not json:
        typer.echo(f"no results, since their last change, of {', '.join(content.missing)}", err=True)


def _as_json(section: Section) -> dict[str, object]:
    finding, results = section.finding, section.results
    return {
        "experiment": section.experiment.name,
        "title": section.experiment.title,
        "question": section.experiment.question,
        "claim": section.experiment.claim.text,
        "settings_from": section.experiment.settings_from,
        "conclusion": str(finding.conclusion),
        "underpowered": finding.underpowered,
        "headline": finding.headline,
        "rule": finding.rule,
        "text": list(finding.text),
        "tables": [asdict(table) for table in finding.tables],
        "size": results.size,
        "seed": results.seed,
        "games": results.games,
        "seconds": results.seconds,
        "parts": [task_json(done) for done in results.done.values()],
    }


def _print_section(section: Section) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    finding, claim = section.finding, section.experiment.claim
    aside = f" ({finding.underpowered})" if finding.underpowered else ""
    console.print(f"\n[bold]{escape(section.heading)}: {finding.conclusion}[/]{escape(aside)}")
    if claim.text:
        console.print(escape(f"{claim.source} says: {claim.text}" if claim.source else claim.text), style="dim")
    for paragraph in finding.text:
        console.print(escape(paragraph))
    for table in finding.tables:
        shown = Table(title=escape(table.title), title_justify="left", title_style="bold", box=None)
        for column, head in enumerate(table.heads):
            shown.add_column(escape(head), justify="left" if column in (0, *table.text_columns) else "right")
        for row in table.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)
    if section.experiment.settings_from:
        console.print(escape(f"Settings taken from: {section.experiment.settings_from}"), style="dim")
    console.print(escape(f"{section.effort}. {finding.rule}"), style="dim")


def _write(folder: Path, chosen: Sequence[Experiment], found: Mapping[str, Results], *, json: bool) -> None:
    written = write_pages(folder, chosen, found)
    if not json:
        typer.echo(f"pages: {written[0]} and {written[1].name}, figures and {written[2].name} beside them", err=True)
