"""The command for links to hands: told in lines, printed from a record, and played on."""

from __future__ import annotations

import random

import pytest
import trio
from hypothesis import given
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


def test_a_hand_is_told_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", LINK]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "--- Hand 3: three cards go across. ---"
    assert sum(line.startswith("Trick ") for line in lines) == 13
    assert lines[-3].split() == ["points", *map(str, VECTORS["hands"][2]["points"])]
    assert lines[-1] == SHOWN_BY_LINK


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
