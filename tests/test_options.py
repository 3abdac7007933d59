"""Options: declared once, checked, parsed and formatted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from flipdrop.errors import OptionError
from flipdrop.options import Option, check_options, format_options, option, options_of, parse_options
from flipdrop.players import PLAYER_TYPES

DOCS = Path(__file__).parents[1] / "docs" / "players.md"


@dataclass(frozen=True)
class Settings:
    depth: int | None = option(None, "plies", minimum=1, maximum=200)
    share: float = option(0.5, "share of moves", above=0, maximum=1)
    loud: bool = option(False, "prints everything")
    mode: str = option("end", "how it ends", choices=("end", "depth"))
    model: Path | None = option(None, "a file")
    other: int = 3

    def __post_init__(self) -> None:
        check_options(self)


def test_declarations() -> None:
    depth, share, *_ = options_of(Settings)
    assert depth == Option("depth", int, None, "plies", 1, 200)
    assert depth.expected == "a whole number of at least 1 and at most 200"
    assert share.expected == "a number of more than 0 and at most 1"
    assert [one.name for one in options_of(Settings, leave_out=("mode",))] == ["depth", "share", "loud", "model"]


@pytest.mark.parametrize(
    ("values", "expected_error"),
    [
        ({"depth": 0}, "depth=0: expected a whole number of at least 1 and at most 200 (plies)"),
        ({"depth": 201}, "depth=201: expected"),
        ({"share": 0.0}, "share=0: expected a number of more than 0 and at most 1 (share of moves)"),
        ({"share": float("inf")}, "share=inf: expected a finite number"),
        ({"mode": "never"}, "mode='never': expected one of end, depth (how it ends)"),
    ],
)
def test_values_out_of_range(values: dict[str, object], expected_error: str) -> None:
    with pytest.raises(OptionError, match=re.escape(expected_error)):
        Settings(**values)  # type: ignore[arg-type]


def test_text_reads_back() -> None:
    settings = Settings(depth=9, share=0.1 + 0.2, loud=True, mode="depth", model=Path("my.file"))
    text = format_options(settings)
    assert text == "depth=9,share=0.30000000000000004,loud=yes,mode=depth,model=my.file"
    assert Settings(**parse_options(text, options_of(Settings))) == settings
    assert format_options(Settings()) == ""


@pytest.mark.parametrize(
    ("text", "expected_error"),
    [
        ("dept=3", "no option 'dept'; did you mean depth?"),
        ("depth", "write depth=VALUE"),
        ("depth=1,depth=2", "given twice"),
        ("depth=many", "depth='many': expected a whole number"),
        ("loud=maybe", "loud='maybe': expected yes or no"),
        ("model=x", "files are not read here"),
    ],
)
def test_text_that_is_no_option(text: str, expected_error: str) -> None:
    with pytest.raises(OptionError, match=re.escape(expected_error)):
        parse_options(text, options_of(Settings), allow_files=False)


def test_tables_of_the_docs() -> None:
    """Sections of docs/players.md name players; their tables have one row for each option."""
    rows: dict[str, dict[str, str]] = {}
    players: list[str] = []
    for line in DOCS.read_text().splitlines():
        if line.startswith("## "):
            players = [name for name in PLAYER_TYPES if re.search(rf"\b{name}\b", line)]
        if (own := re.match(r"\| `(\w+)` \| default \|", line)) and own[1] in PLAYER_TYPES:
            players = [own[1]]
        elif row := re.match(r"\| `(\w+)` \| ([^|]+) \|", line):
            for name in players:
                rows.setdefault(name, {})[row[1]] = row[2]
    for kind in PLAYER_TYPES.values():
        for one in kind.options:
            assert one.name in rows[kind.name], f"docs/players.md lacks {kind.name}'s option {one.name}"
            default = kind.unlimited.get(one.name, one.default)
            if default not in (None, ""):
                written = rows[kind.name][one.name].strip("`").split()[0].strip("`;")
                assert written.replace(",", "") == (
                    f"{default:.4g}" if isinstance(default, float) else one.format(default)
                )
