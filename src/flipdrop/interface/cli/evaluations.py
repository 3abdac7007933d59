"""`flipdrop evaluations`: lists evaluation functions and explains their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flipdrop.evaluation import DEFINITIONS, FAMILIES, PRESETS, TABLES, Evaluation, definitions_for_game
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.evaluation.patterns import SHIPPED
from flipdrop.evaluation.registry import definition_of
from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import Json, PositionText
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.evaluation import Networks
    from flipdrop.games import Position


def evaluations(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="othello, othello6, othello4, connect4, connect4:9x10, ...")
    ] = None,
    position: PositionText = "",
    evaluation: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC",
            help="Only this evaluation; may be repeated. Examples: D, B@positive, 'D(15,6,-8,-6,4,4)', patterns, "
            "my.weights, my.pattern.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the evaluation functions; with GAME and POSITION, show the score of the position term by term.

    Scores are for the side to move. Square tables are for 8x8; a 6x6 board leaves out the third line of each quarter,
    and a 4x4 board takes the corner, the square beside it and the innermost one.

    Example: flipdrop evaluations othello f5d6c3 --evaluation D
    """
    chosen = [evaluation_of(spec) for spec in evaluation or ()]
    if game is None:
        every = [*(evaluation_of(definition.name) for definition in DEFINITIONS), evaluation_of(SHIPPED)]
        _list(chosen or every, json, tables={} if chosen else TABLES)
        return
    shown = game_of(game).position(position)
    if not chosen:
        chosen = [evaluation_of(definition.name) for definition in definitions_for_game(shown.game)]
        chosen += [learned] if (learned := evaluation_of(SHIPPED)).supports(shown.game) else []
    _explain(shown, chosen, json)


def _explain(position: Position, chosen: list[Evaluation], json: bool) -> None:
    for one in chosen:
        one.check_supported(position.game)
    breakdowns = [evaluation.explain(position) for evaluation in chosen]
    if json:
        print_json(
            {
                "game": position.game.name,
                "board": position.board,
                "to_move": position.game.sides[position.to_move],
                "evaluations": [breakdown.to_dict() for breakdown in breakdowns],
            }
        )
        return
    typer.echo(position.diagram())
    for breakdown in breakdowns:
        typer.echo(f"\n{breakdown}")


def _list(chosen: list[Evaluation], json: bool, *, tables: Mapping[str, Sequence[float]]) -> None:
    info = [_evaluation_info(evaluation) for evaluation in chosen]
    if json:
        print_json({"evaluations": info, "tables": {name: list(table) for name, table in tables.items()}})
        return
    typer.echo("\n\n".join(map(_format_evaluation, info)))
    if tables:
        typer.echo("\nSquare tables for B, C and Seven, such as B@positive [default: penalty]")
        for name, table in tables.items():
            typer.echo("\n".join(_rows(table, title=f"  {name}, top left quarter of 8x8:")))


def _evaluation_info(evaluation: Evaluation) -> dict[str, Any]:
    if evaluation.networks is not None:
        return _network_info(evaluation, evaluation.networks)
    definition, weights = definition_of(evaluation.name), evaluation.weights
    assert weights is not None
    return {
        "name": definition.name,
        "spec": str(evaluation),
        "game": definition.game,
        "description": definition.description,
        "terms": [{"name": k.name, "weight": weights[k.name], "meaning": k.description} for k in definition.kinds],
        "table": list(weights.table) or None,
        "presets": {p.name: p.description for p in PRESETS.values() if p.evaluation == definition.name},
        "networks": None,
    }


def _network_info(evaluation: Evaluation, networks: Networks) -> dict[str, Any]:
    return {
        "name": evaluation.name,
        "spec": str(evaluation),
        "game": None,
        "description": "learned pattern weights; the score is the expected result from -1 (loss) to 1 (win)",
        "terms": [],
        "table": None,
        "presets": {},
        "networks": [
            {"game": model.game.name, "patterns": len(model.patterns), "weights": model.weights.size}
            for model in networks.models
        ],
    }


def _format_evaluation(info: dict[str, Any]) -> str:
    if info["networks"] is not None:
        networks = [f"{each['patterns']} patterns, {each['weights']:,} weights" for each in info["networks"]]
        games = [each["game"] for each in info["networks"]]
        titles = " and ".join(game_of(name).title for name in games)
        lines = [f"{info['spec']} ({titles}): {info['description']}"]
        return "\n".join(lines + [f"  {game:<14} {network}" for game, network in zip(games, networks, strict=True)])
    lines = [f"{info['spec']} ({FAMILIES[info['game']]}): {info['description']}"]
    lines += [f"  {term['name']:<14} {term['weight']:>9.6g}  {term['meaning']}" for term in info["terms"]]
    if info["table"]:
        across = round(len(info["table"]) ** 0.5)
        title = "  table, top left quarter of 8x8:" if across == 4 else f"  table, {across}x{across}:"
        lines += _rows(info["table"], title=title)
    lines += [f"  {name:<14} {description}" for name, description in info["presets"].items()]
    return "\n".join(lines)


def _rows(table: Sequence[float], *, title: str) -> list[str]:
    across = round(len(table) ** 0.5)
    rows = [table[i : i + across] for i in range(0, len(table), across)]
    return [title, *("  " + "".join(f"{weight:>8.6g}" for weight in row) for row in rows)]
