"""The roster of a class: names, versions, owners, limits, and its file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.errors import StoreError
from flipdrop.interface.web.agents import roster as module
from flipdrop.interface.web.agents.roster import ClassError, RosterFolder, clean_name

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.interface.web.agents.roster import Student


def add(folder: RosterFolder, name: str, client: str = "c", game: str = "othello4") -> Student:
    code = folder.folder / "sent.py"
    folder.folder.mkdir(exist_ok=True)
    code.write_text("def choose(p): ...")
    return folder.add(name, client, "choose", code, game)


@pytest.mark.parametrize("name", ["Ann", "小明", "O'Neil Jr.", "Zoë 2", "a-b_c"])
def test_good_names(name: str) -> None:
    assert clean_name(f"  {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 25,
        "<b>",
        "../../etc",
        "a/b",
        "a\\b",
        "a@2",
        "a:b",
        "a,b",
        "a\0b",
        "\u202eevil",
        "-x",
        "=1+1",
        "a\u200bb",
    ],
)
def test_bad_names(name: str) -> None:
    with pytest.raises(ClassError, match="name"):
        clean_name(name)


@given(st.text(max_size=30))
def test_any_name(name: str) -> None:
    try:
        cleaned = clean_name(name)
    except ClassError:
        return
    assert clean_name(cleaned) == cleaned
    assert not set(cleaned) & set('<>&"/\\@:,=\n\t\0')


def test_versions(tmp_path: Path) -> None:
    folder = RosterFolder(tmp_path / "class")
    assert folder.read().students == ()
    assert add(folder, "Ann").spec == "agent:Ann@1"
    assert add(folder, "Ann").spec == "agent:Ann@2"
    assert add(folder, "ANN").name == "Ann"  # names that look alike are one
    (student,) = folder.read().students
    assert [version.number for version in student.versions] == [1, 2, 3]
    code = folder.code_at("Ann", 2, 1.0)
    assert code is not None
    assert (tmp_path / "class") in type(tmp_path)(code.folder).parents
    assert folder.code_at("Ann", 9, 1.0) is None
    assert RosterFolder(tmp_path / "class").read() == folder.read()


def test_removed_names_are_free_and_versions_count_on(tmp_path: Path) -> None:
    """A new agent of an old name never inherits games: its spec is another one."""
    folder = RosterFolder(tmp_path)
    add(folder, "Ann", "one")
    with pytest.raises(ClassError, match="another browser"):
        add(folder, "ann", "two")
    add(folder, "Ann", "")  # the teacher may
    folder.remove("Ann")
    assert folder.read().present == ()
    student = add(folder, "Ann", "two")
    assert (student.spec, student.client) == ("agent:Ann@3", "two")
    with pytest.raises(ClassError, match="another browser"):
        add(folder, "Ann", "one")


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = RosterFolder(tmp_path)
    for name in ("A", "B", "C"):
        add(folder, name)
    with pytest.raises(ClassError, match="this browser has 3"):
        add(folder, "D")
    add(folder, "A")
    monkeypatch.setattr(module, "MAX_AGENTS", 3)
    with pytest.raises(ClassError, match="takes no more"):
        add(folder, "D", "other")
    folder.remove("B")
    add(folder, "D", "other")
    monkeypatch.setattr(module, "MAX_VERSIONS", 2)
    with pytest.raises(ClassError, match="versions already"):
        add(folder, "A")


def test_who_plays(tmp_path: Path) -> None:
    folder = RosterFolder(tmp_path)
    add(folder, "Ann", game="othello4")
    revision = folder.read().revision
    folder.set(game="othello4")
    assert [student.name for student in folder.read().playing] == ["Ann"]
    folder.set(game="connect4")
    assert folder.read().playing == ()
    folder.record_check("Ann", 1, "connect4", "it fails")
    assert folder.read().playing == ()
    folder.record_check("Ann", 1, "connect4", "")
    assert len(folder.read().playing) == 1
    folder.record_check("Ann", 7, "connect4", "another version")
    assert len(folder.read().playing) == 1
    assert folder.read().revision > revision


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"settings": {"game": "chess"}, "students": [], "revision": 1}']
)
def test_damaged_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "class.json").write_text(content)
    with pytest.raises(StoreError, match=r"class\.json"):
        RosterFolder(tmp_path).read()


def test_file_has_no_secrets(tmp_path: Path) -> None:
    folder = RosterFolder(tmp_path)
    add(folder, "Ann", "hash")
    data = json.loads((tmp_path / "class.json").read_text())
    assert data["students"][0]["client"] == "hash"
    assert str(tmp_path) not in json.dumps(data)
