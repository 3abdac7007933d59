"""Transcript files."""

import pytest

from flipdrop import ConnectFour, FlipdropError, Othello, RecordError, game
from flipdrop.games.records import GameRecord
from flipdrop.games.records.plain import read_plain, write_plain


def test_a_text_with_everything() -> None:
    text = (
        "\ufefff5d6".removeprefix("\ufeff")
        + "\n\n  # a comment\nF5 D6 c3  # moves may be apart\n# Game : connect4:9x10\r\n"
    )
    text += "4453\n4453 -12\n-\n- +3\n#game:othello4\nb1\n"
    assert list(read_plain(text)) == [
        GameRecord.from_transcript(Othello(), "f5d6"),
        GameRecord.from_transcript(Othello(), "f5d6c3"),
        GameRecord.from_transcript(ConnectFour(columns=9, rows=10), "4453"),
        GameRecord.from_transcript(ConnectFour(columns=9, rows=10), "4453", value=-12),
        GameRecord(ConnectFour(columns=9, rows=10)),
        GameRecord(ConnectFour(columns=9, rows=10), value=3),
        GameRecord.from_transcript(Othello(size=4), "b1"),
    ]


def test_game_of_lines_without_header() -> None:
    first, second = read_plain("4453\n# game: othello\nf5 6", game("connect4"))
    assert first == GameRecord.from_transcript(ConnectFour(), "4453")
    assert second == GameRecord.from_transcript(Othello(), "f5", value=6)


def test_written_text() -> None:
    records = [
        GameRecord.from_transcript(Othello(), "f5d6", first="not written"),
        GameRecord(Othello(), value=4),
        GameRecord.from_transcript(ConnectFour(columns=9, rows=10, forbidden="c3"), "4453", value=-2),
    ]
    assert write_plain(records) == ("# game: othello\nf5d6\n- 4\n# game: connect4:9x10,forbid=c3\n4453 -2\n")
    assert write_plain([]) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nf5e4", "line 2: move 2 of the transcript, after 'f5': e4 for white; legal: f4 d6 f6"),
        ("f5?", "line 1: transcript 'f5?': '?' is not a move"),
        ("12", "line 1: transcript '12': '12' is not a move"),
        ("f5 " + "9" * 5000, "line 1: 'f5 9999"),
        ("f5 12345678901234567", "line 1: the number '12345678901234567' after the moves; it has at most 15 digits"),
        ("f5 ١", "line 1: 'f5 ١' is not a game"),
        ("\ud800", "line 1: '\\ud800' is not a game"),
        ("f5" * 500_000, "line 1: 'f5f5"),
        ("# game: chess\n", "line 1: unknown game ' chess'; games are othello"),
        ("# game:\n", "line 1: unknown game ''; games are othello"),
        ("# game: connect4\n4 4 5 3", "line 2: '4 4 5 3': write the moves without spaces"),
        ("# game: connect4\n8", "line 2: move 1 of the transcript, at the start: '8' is not a move"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(FlipdropError) as caught:
        list(read_plain(text))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_other_starts_cannot_be_written() -> None:
    with pytest.raises(
        RecordError, match=r"^game 2: the game starts from '--.* X'; plain text holds games from the usual"
    ):
        write_plain([GameRecord(Othello()), GameRecord(Othello().play("f5").play("d6"))])
