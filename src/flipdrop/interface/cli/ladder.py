"""`flipdrop ladder`: how strong a player is, against opponents whose ratings are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.events import (
    MAX_GAMES_PER_PAIRING,
    ArenaGame,
    MoveTimeout,
    NoStore,
    Resume,
    StorePath,
    open_store,
    resume_event,
    stopped_message,
)
from flipdrop.interface.cli.options import Json, Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.cli.output import print_json, progress_bar

if TYPE_CHECKING:
    from flipdrop.arena.ladder import Ladder, OpponentResult, PlacementResult

_MEASURING = "Measuring a ladder"


def ladder(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="SPEC", help="A player, such as my_agent.py:MyAgent; without one, the ladder is listed."
        ),
    ] = None,
    game: ArenaGame = "othello",
    games: Annotated[
        int,
        typer.Option(
            min=2, max=MAX_GAMES_PER_PAIRING, metavar="N", help="Games against each opponent near its rating."
        ),
    ] = 20,
    opponents: Annotated[int, typer.Option(min=1, metavar="K", help="Opponents near its rating.")] = 12,
    file: Annotated[
        Path | None, typer.Option("--ladder", metavar="FILE", help="Another ladder than the published.")
    ] = None,
    seed: Seed = None,
    threads: Threads = None,
    store: StorePath = None,
    no_store: NoStore = False,
    resume: Resume = False,
    move_timeout: MoveTimeout = None,
    measure: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", rich_help_panel=_MEASURING, help="Rate the opponents anew; write the ladder there."
        ),
    ] = None,
    specs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", rich_help_panel=_MEASURING, help="Opponents, one a line, about in order."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0, metavar="S", rich_help_panel=_MEASURING, help="Time for a link; 0: what the store has."),
    ] = None,
    json: Json = False,
) -> None:
    """Find a player's place among built-in opponents from random to the strongest.

    It first meets a few opponents far apart, then those near its rating, from both sides. Its rating is on the scale of
    the ladder, on which random moves have 0, with a 95% interval. Results that fit the rating least are listed: there
    is something to learn from them.

    Without a SPEC the ladder is listed. With --measure its opponents play each other, and their ratings are computed
    anew: with --specs, of opponents of your own choice, in any game.

    Example: flipdrop ladder my_agent.py:MyAgent --game connect4
    """
    if measure is not None:
        _measure(measure, specs, game, games, seconds, seed, threads, store, spec=spec, no_store=no_store, json=json)
        return
    if specs is not None or seconds is not None:
        raise ArenaError("--specs and --seconds are for --measure FILE; give that too")
    from flipdrop.arena.ladder import LadderPlacement, place, read_ladder
    from flipdrop.arena.ladder import ladder as published
    from flipdrop.arena.running import runner_for
    from flipdrop.players import player

    against = published(game) if file is None else read_ladder(file)
    if spec is None:
        _list(against, json=json)
        return
    player(spec, game=against.game).close()
    placement = LadderPlacement(spec, against, games=games, opponents=opponents, seed=seed_or_random(seed))
    with open_store(store, none=no_store, resume=resume) as games_store:
        placement.seed = placement.seed_of(
            resume_event(placement.first_event, games_store, resume=resume, seeded=seed is not None)
        )
        if not json:
            title, count = game_of(against.game).title, len(against.entries)
            typer.echo(f"{spec} on the ladder of {title}, {count} opponents, seed {placement.seed}", err=True)
        runner = runner_for([spec], threads=thread_count(threads), move_timeout=move_timeout)
        try:
            with progress_bar("games") as progress:
                result = place(placement, games_store, runner, progress=progress)
        except KeyboardInterrupt:
            typer.echo(stopped_message(kept=not no_store), err=True)
            raise typer.Exit(130) from None
    if json:
        print_json(result.to_json())
    else:
        _print(result)


def _list(of: Ladder, *, json: bool) -> None:
    """The opponents, the strongest first."""
    from flipdrop.arena.reports.tables import in_columns

    if json:
        print_json(of.to_json())
        return
    rows = [("place", "rating", "95%", "games", "opponent")]
    for place, rung in reversed(list(enumerate(of.entries, start=1))):
        low, high = rung.interval
        rows.append((str(place), f"{rung.rating:.0f}", f"{low:.0f} to {high:.0f}", str(rung.games), rung.spec))
    anchor = min(of.entries, key=lambda rung: abs(rung.rating)).spec
    for line in in_columns(rows, left=[4]):
        typer.echo(line)
    typer.echo(
        f"{game_of(of.game).title}: {of.games:,} games from {of.openings}, seed {of.seed}, flipdrop {of.version}; "
        f"{anchor} has rating 0"
    )


def _print(result: PlacementResult) -> None:
    from flipdrop.arena.reports.tables import in_columns

    low, high = result.interval
    games, count = result.games, len(result.ladder.entries)
    typer.echo(f"rating {result.rating:.0f} (95%: {low:.0f} to {high:.0f})")
    between = [f"above {rung.spec} ({rung.rating:.0f})" for rung in (result.below,) if rung]
    between += [f"below {rung.spec} ({rung.rating:.0f})" for rung in (result.above,) if rung]
    typer.echo(f"stronger than {result.place - 1} of {count} opponents: {', '.join(between)}")
    typer.echo(
        f"{games.wins} won, {games.draws} drawn, {games.losses} lost of {games.total}: score {games.score:.3f}\n"
    )
    rows: list[tuple[str, ...]] = [("place", "rating", "won", "drawn", "lost", "score", "expected", "opponent")]
    rows += [_met(met) for met in reversed(result.met)]
    typer.echo("\n".join(in_columns(rows, left=[7])))
    for title, found in (("weakest results", result.weakest()), ("best results", result.best())):
        if found:
            typer.echo(f"\n{title}, by what the rating lets expect:")
            lines = in_columns(
                [(f"{met.z_score:+.1f} sd", f"{met.games.score:.2f}", met.entry.spec) for met in found], left=[2]
            )
            typer.echo("\n".join(f"  {line}" for line in lines))
    if result.forfeits:
        typer.echo(f"\n{result.forfeits} games lost by errors, illegal moves or on time:")
        for ending in result.terminations:
            typer.echo(f"  {ending}")
    typer.echo(f"\n{result.seconds:.1f} s, {games.total / max(result.seconds, 1e-9):,.1f} games/s")


def _met(met: OpponentResult) -> tuple[str, ...]:
    games = met.games
    return (
        str(met.place),
        f"{met.entry.rating:.0f}",
        *(str(count) for count in (games.wins, games.draws, games.losses)),
        f"{games.score:.2f}",
        f"{met.expected:.2f}",
        met.entry.spec,
    )


def _measure(
    output: Path,
    specs: Path | None,
    game: str,
    games: int,
    seconds: float | None,
    seed: int | None,
    threads: int | None,
    store: Path | None,
    *,
    spec: str | None,
    no_store: bool,
    json: bool,
) -> None:
    from flipdrop.arena.ladder import Plan, measure, written
    from flipdrop.arena.ladder import ladder as published
    from flipdrop.arena.openings import default_openings
    from flipdrop.files import atomic_write

    if spec is not None:
        raise ArenaError(f"--measure rates the ladder itself; {spec} has to wait, or be in the file of --specs")
    kind = game_of(game)
    names = tuple(rung.spec for rung in published(game).entries) if specs is None else _read_specs(specs)
    used = seed_or_random(seed)
    if games % 2:
        raise ArenaError(f"{games} games for each link; they come in pairs, so give an even number")
    plan = Plan(kind.name, names, default_openings(kind), used, games // 2, seconds)
    budget = "" if seconds is None else f" --seconds {seconds:g}"
    command = f"flipdrop ladder --game {kind.name} --measure {output.name} --games {games}{budget} --seed {used}"
    if specs is not None:
        command += f" --specs {specs.name}"
    try:
        with open_store(store, none=no_store) as games_store, progress_bar("pairs of games") as progress:
            made = None
            for made in measure(plan, games_store, threads=thread_count(threads), command=command, progress=progress):
                atomic_write(output, written(made))
    except KeyboardInterrupt:
        goes_on = f"stopped; with --seed {used} the same command goes on with what is in the store"
        typer.echo(stopped_message(kept=False) if no_store else goes_on, err=True)
        raise typer.Exit(130) from None
    assert made is not None
    _list(made, json=json)


def _read_specs(path: Path) -> tuple[str, ...]:
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(line for line in lines if line)
