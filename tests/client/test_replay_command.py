"""The command for links to hands: told in lines, printed from a record, and played on."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.bots import RandomBot
from hearts.game.cards import Card
from hearts.game.game import Game
from hearts.game.record import Record
from hearts.game.rules import Moon
from hearts.game.view import View
from hearts.session.hand_link import SHOWN_BY_LINK, parse_link
from hearts_client.commands.main import main
from hearts_client.lines.linked_game import LinkedGame
from hearts_client.session.replay import link_of, linked_replay, read_replay
from hearts_client.words.style import Style
from tests.game.games import SEEDS, game_by_chance, rules_by, secret_deal_by
from tests.session.test_hand_link import VECTORS, hands_by_chance

LINK = f"http://192.0.2.17:7680/#hand={VECTORS['hands'][2]['link']}"
NAMES = ("Ann", "Moe", "Larry", "Curly")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["replay", *words])
    return status, *capsys.readouterr()


def test_a_hand_is_told_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, LINK)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "--- Hand 3: three cards go across. ---"
    assert sum(line.startswith("Trick ") for line in lines) == 13
    points = VECTORS["hands"][2]["points"]
    assert lines[-3].split() == ["points", *map(str, points)]
    assert parse_link(lines[-2]).given_names is None
    assert lines[-1] == SHOWN_BY_LINK
    _, usual, _ = run(capsys, LINK, "--par")
    costs = r"Usually, seat by seat: (\d+ \+-\d+(, |\.$)){4}"
    assert re.fullmatch(costs, usual.splitlines()[-3])
    _, named, _ = run(capsys, LINK, "--names", "--links")
    assert named == LINK.replace("192.0.2.17", "localhost") + "\n"


def test_the_links_of_two_hundred_hands_lead_to_the_same_scores() -> None:
    """A record is replayed, and the link to each of its hands."""
    hands = 0
    for seed in range(50):
        source = random.Random(seed)
        rules = rules_by(source)
        actions = game_by_chance(rules, seed, 4, 10_000, secret_deal_by)
        for hand in read_replay(str(Record(rules, 10_000, NAMES, tuple(actions))), 1).hands:
            again = linked_replay(parse_link(link_of(hand, named=True)))
            assert again == hand
            assert again.points is not None
            hands += 1
    assert hands == 200


def test_the_links_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    actions = game_by_chance(rules_by(random.Random(5)), 5, 2, 10_000, secret_deal_by)
    record = Record(rules_by(random.Random(5)), 10_000, NAMES, tuple(actions))
    file = tmp_path / "a-seat-2.txt"
    file.write_text(str(record))
    status, out, _ = run(capsys, str(file), "--links", "--page", "http://pi/")
    links = out.splitlines()
    assert (status, len(links)) == (0, 2)
    assert all(link.startswith("http://pi/#hand=") for link in links)
    assert [parse_link(link).number for link in links] == [1, 2]
    assert parse_link(links[0]).own == 2


@pytest.mark.parametrize("vector", VECTORS["wrong"][2:], ids=lambda vector: vector["title"])
def test_wrong_links_end_in_words(
    vector: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, f"#hand={vector['link']}")
    assert (status, out) == (2, "")
    assert err.startswith("hearts-client replay: ")
    assert len(err.splitlines()) == 1


def test_what_a_record_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, str(tmp_path / "none.txt"), "--take", "3")
    assert (status, "--take needs the link" in err) == (2, True)


def test_what_the_plays_of_a_link_cost(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--deals", "1", "--every", "--player", "Ann"]
    assert main(["analyse", LINK, *words]) == 0
    out = capsys.readouterr().out
    assert " choices; " in out
    assert "   3   pass  Ann " in out


# Played on


class Typist(LinkedGame):
    """Somebody who plays what a bot thinks of, in place of a person."""

    said: list[str]

    @classmethod
    def at(cls, seed: int, seat: int) -> Typist:
        said: list[str] = []
        typist = cls(hands_by_chance(seed)[0], seat, Style(ascii=True), said.append)
        typist.said = said
        return typist


def answer(view: View, source: random.Random, game: Game) -> str:
    bot = RandomBot(source.random)
    if game.phase.value == "moon":
        return source.choice(["others", "mine"])
    if game.phase.value == "pass":
        return " ".join(map(str, bot.choose_pass(view)))
    card: Card = bot.choose_card(view)
    return str(card)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(-1, 12), st.integers(0, 3))
def test_somebody_plays_on_to_the_end(seed: int, tricks: int, seat: int) -> None:
    """All points of the hand are there at its end, whoever takes them."""
    source = random.Random(seed)
    typist = Typist.at(seed, seat)
    game = typist._game

    async def play() -> None:
        send, receive = trio.open_memory_channel[str](0)

        async def type_answers() -> None:
            async with send:
                while True:
                    await send.send(answer(typist.view, source, game))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(type_answers)
            with trio.fail_after(20):
                await typist.go_on(tricks, receive)
            nursery.cancel_scope.cancel()

    trio.run(play)
    assert game.play is not None
    assert game.play.over
    assert game.rules.moon in Moon
    assert typist.said[-1].startswith(f"You took {game.points[seat]} points; in the link it was ")


def test_the_same_choices_lead_to_the_same_hand() -> None:
    """Computers choose by what they see alone."""

    def ended() -> list[str]:
        typist = Typist.at(7, 1)
        send, receive = trio.open_memory_channel[str](200)
        for _ in range(60):
            send.send_nowait("1")
            send.send_nowait("")
            send.send_nowait("1 2 3")
        send.close()
        trio.run(typist.go_on, -1, receive)
        return typist.said

    assert ended() == ended()
    assert ended()[-1].startswith("You took")


def test_who_leaves_in_the_middle() -> None:
    typist = Typist.at(7, 1)
    send, receive = trio.open_memory_channel[str](200)
    for line in ("/hand", "/last", "nonsense", "/leave"):
        send.send_nowait(line)
    trio.run(typist.go_on, 3, receive)
    assert any(line.startswith("Trick 3: ") for line in typist.said)
    assert any("is no card" in line for line in typist.said)
    assert not typist.said[-1].startswith("You took")
