"""`flipdrop evaluations`: what evaluations there are, and what they say about a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flipdrop.evaluation import DEFINITIONS, FAMILIES, PRESETS, Evaluation, suiting
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.evaluation.registry import definition_of
from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import Json
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from flipdrop.games import Position


def evaluations(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="othello, othello6, othello4, connect4, connect4:9x10, ...")
    ] = None,
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="A transcript, or a board string with the side to move.")
    ] = "",
    evaluation: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="Only this: D, Seven.R5, B@R3, 'D(15,6,-8,-6,4,4)' or a file my.weights."),
    ] = None,
    json: Json = False,
) -> None:
    """List the evaluations; with GAME and POSITION, show what each makes of the position, term by term.

    Scores are for the side to move. Tables of squares are for 8x8; 6x6 leaves out the third line of each quarter, and
    4x4 takes the corner, the square beside it and the innermost one.

    Example: flipdrop evaluations othello f5d6c3 --evaluation D
    """
    chosen = [evaluation_of(spec) for spec in evaluation or ()]
    if game is None:
        _list(chosen or [evaluation_of(definition.name) for definition in DEFINITIONS], json)
    else:
        shown = game_of(game).position(position)
        _explain(shown, chosen or [evaluation_of(definition.name) for definition in suiting(shown.game)], json)


def _explain(position: Position, chosen: list[Evaluation], json: bool) -> None:
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


def _list(chosen: list[Evaluation], json: bool) -> None:
    facts = [_facts(evaluation) for evaluation in chosen]
    if json:
        print_json({"evaluations": facts})
    else:
        typer.echo("\n\n".join(map(_described, facts)))


def _facts(evaluation: Evaluation) -> dict[str, Any]:
    """Everything about a named evaluation, for programs."""
    definition, weights = definition_of(evaluation.name), evaluation.weights
    assert weights is not None
    return {
        "name": definition.name,
        "spec": str(evaluation),
        "game": definition.game,
        "description": definition.description,
        "terms": [{"name": k.name, "weight": weights[k.name], "meaning": k.meaning} for k in definition.kinds],
        "table": list(weights.table) or None,
        "presets": {p.name: p.description for p in PRESETS.values() if p.evaluation == definition.name},
    }


def _described(facts: dict[str, Any]) -> str:
    lines = [f"{facts['spec']} ({FAMILIES[facts['game']]}): {facts['description']}"]
    lines += [f"  {term['name']:<14} {term['weight']:>9.6g}  {term['meaning']}" for term in facts["terms"]]
    if facts["table"]:
        across = round(len(facts["table"]) ** 0.5)
        rows = [facts["table"][i : i + across] for i in range(0, len(facts["table"]), across)]
        lines.append("  table, top left quarter of 8x8:" if across == 4 else f"  table, {across}x{across}:")
        lines += ["  " + "".join(f"{weight:>8.6g}" for weight in row) for row in rows]
    lines += [f"  {name:<14} {description}" for name, description in facts["presets"].items()]
    return "\n".join(lines)
