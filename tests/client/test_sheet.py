"""Score sheets: what stands on the page, and what is wrong with a record."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hearts_client.commands.main import main

from .statistics_folder import own_file, record


def _page(path: Path) -> ET.Element:
    return ET.fromstring(path.read_text(encoding="utf-8").replace('<meta charset="utf-8">', ""))


def _rows(table: ET.Element) -> list[list[str]]:
    return [[cell.text or "" for cell in row] for row in table.iter("tr")]


def test_a_score_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, page = own_file(tmp_path, 1, record(end_score=40, hands=2)), tmp_path / "page.html"
    assert main(["sheet", str(game), "--output", str(page)]) == 0
    assert capsys.readouterr() == ("", "")
    body = _page(page)
    (sheet,) = body.iter("table")
    assert _rows(sheet) == [
        ["hand", "pass", "Ann", "Moe", "Larry", "Curly"],
        ["1", "hold", "+0 = 0", "+26 = 26", "+26 = 26", "+26 = 26"],
        ["2", "hold", "+0 = 0", "+26 = 52", "+26 = 52", "+26 = 52"],
        ["end", "", "0", "52", "52", "52"],
    ]
    assert [cell.text for cell in sheet.iter("td") if cell.get("class") == "won"] == ["0"]
    words = [paragraph.text for paragraph in body.iter("p")]
    assert words == ["Rules: pass=never. The game ends at 40 points.", "Won by Ann."]


def test_what_each_hand_usually_costs(tmp_path: Path) -> None:
    text = record("exact=wins", end_score=40, hands=2)
    game, page = own_file(tmp_path, 1, text), tmp_path / "page.html"
    assert main(["sheet", "--par", str(game), "--output", str(page)]) == 0
    (sheet,) = _page(page).iter("table")
    _, _, first, _, second, _ = _rows(sheet)
    # Who has all clubs takes all, whatever the others do. Then 40 is near, for those who have 26.
    assert first == ["", "usually", "0 +-0", "26 +-0", "26 +-0", "26 +-0"]
    assert second == ["", "usually", "no par"]


def test_each_hand_card_by_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = own_file(tmp_path, 1, record())
    assert main(["sheet", "--cards", str(game)]) == 0
    page = tmp_path / "page.html"
    page.write_text(capsys.readouterr().out, encoding="utf-8")
    _, dealt, tricks = map(_rows, _page(page).iter("table"))
    assert dealt[0] == ["Ann", "2♣ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♣"]
    assert [name for name, _ in dealt] == ["Ann", "Moe", "Larry", "Curly"]
    assert tricks[1][:2] == ["1", "2♣"]
    assert tricks[1][-1] == "Ann"
    played = {card for row in tricks[1:] for card in row[1:5]}
    assert (len(tricks), len(played)) == (14, 52)


def test_a_name_cannot_write_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = own_file(tmp_path, 1, record(names=("<b>&", "Moe", "Larry", "Curly")))
    assert main(["sheet", str(game)]) == 0
    text = capsys.readouterr().out
    assert "&lt;b&gt;&amp;" in text
    assert "<b>" not in text


def test_several_games_on_one_page(tmp_path: Path) -> None:
    one, two = (own_file(tmp_path, number, record()) for number in (1, 2))
    page = tmp_path / "page.html"
    assert main(["sheet", str(one), str(two), "--output", str(page)]) == 0
    assert len(list(_page(page).iter("article"))) == 2


def test_a_game_that_stops_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = own_file(tmp_path, 1, record(end_score=100))
    assert main(["sheet", str(game)]) == 0
    assert "The game was not finished." in capsys.readouterr().out


def test_a_record_that_is_wrong_further_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = own_file(tmp_path, 1, record(end_score=100) + "nonsense\n")
    assert main(["sheet", str(game)]) == 1
    out, err = capsys.readouterr()
    assert "+26 = 26" in out
    assert "nonsense" in err


@pytest.mark.parametrize("text", ["", "no record", "hearts-record 1\n"])
def test_what_is_no_record(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["sheet", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hearts-client sheet: ")


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", str(tmp_path / "none.txt")]) == 2
    assert "No such file" in capsys.readouterr().err
