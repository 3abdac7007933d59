"""`Breakdown`: the terms of a position's score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a score: the measured feature and its weight."""

    name: str
    feature: float
    weight: float

    @property
    def contribution(self) -> float:
        return self.feature * self.weight + 0.0  # 0.0, never -0.0


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A score with its terms, for the side to move; its text form is a table."""

    evaluation: str
    terms: tuple[Term, ...]
    total: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "evaluation": self.evaluation,
            "score": self.total,
            "terms": [
                {
                    "name": term.name,
                    "feature": term.feature,
                    "weight": term.weight,
                    "contribution": term.contribution,
                }
                for term in self.terms
            ],
        }

    def __str__(self) -> str:
        rows = [[self.evaluation, "feature", "weight", "score"]]
        rows += [[t.name, *(f"{x:.6g}" for x in (t.feature, t.weight, t.contribution))] for t in self.terms]
        rows += [["total", "", "", f"{self.total:.6g}"]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        )
