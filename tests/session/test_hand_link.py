"""Links to hands: what they hold comes back, and whatever else is refused in words."""

from __future__ import annotations

import json
import random
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.errors import InvalidLink
from hearts.game.deal import deal_text
from hearts.game.events import ChooseMoon
from hearts.game.game import Game
from hearts.game.record import PlayedHand, hands_of
from hearts.session.hand_link import LONGEST_LINK, LinkChoice, LinkedHand, format_link, parse_link
from tests.game.games import (
    SEEDS,
    cut_deal_by,
    game_by_chance,
    rules_by,
    secret_deal_by,
)

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "links.json").read_text("utf-8"))
NAMES = ("Ann", "Moe", "Larry ☃", "x" * 30)


def linked(game: Game, hand: PlayedHand) -> LinkedHand:
    passes = sorted(hand.passes, key=lambda choice: choice.player)
    moon = [choice for choice in hand.choices if isinstance(choice, ChooseMoon)]
    choices: tuple[LinkChoice, ...] = (*passes, *hand.plays, *moon)
    deal = replace(hand.deal, shown=None)
    return LinkedHand(game.rules, game.end_score, game.hand_number + 1, deal, choices, hand.before)


def hands_by_chance(seed: int) -> list[LinkedHand]:
    """Some hands of one game, under rules and with cuts by chance."""
    source = random.Random(seed)
    rules = rules_by(source)
    deal = source.choice([secret_deal_by, cut_deal_by])
    actions = game_by_chance(rules, seed, 4, 1000, deal)
    game = Game(rules, 1000)
    return [linked(game, hand) for hand in hands_of(game, actions)]


def a_link(seed: int = 1) -> str:
    return format_link(hands_by_chance(seed)[0])


def is_refused(text: str) -> bool:
    """Return True if a link is refused, in words; any other can be played."""
    why = ""
    try:
        parse_link(text).played()
    except InvalidLink as error:
        why = str(error)
        assert 0 < len(why) < 200
    return bool(why)


@given(SEEDS, st.sampled_from([None, NAMES]), st.sampled_from([None, 0, 3]))
def test_a_hand_comes_back_from_its_link(
    seed: int, names: tuple[str, str, str, str] | None, own: int | None
) -> None:
    for hand in hands_by_chance(seed):
        given = replace(hand, given_names=names, own=own)
        link = format_link(given)
        assert len(link) <= LONGEST_LINK
        assert parse_link(link) == given
        assert parse_link(f" http://192.0.2.17:7680/#hand={link}\n") == given
        game, played = parse_link(link).played()
        assert played.scored is not None
        assert game.scores == played.scored.scores


@pytest.mark.parametrize("vector", VECTORS["hands"], ids=lambda vector: vector["title"])
def test_the_hands_of_the_vectors(vector: dict[str, object]) -> None:
    hand = parse_link(str(vector["link"]))
    game, played = hand.played()
    assert format_link(hand) == vector["link"]
    assert played.scored is not None
    told = {
        "title": vector["title"],
        "link": vector["link"],
        "rules": str(hand.rules),
        "end": hand.end_score,
        "number": hand.number,
        "own": hand.own,
        "names": None if hand.given_names is None else list(hand.given_names),
        "deal": deal_text(hand.deal.secret or b"", hand.deal.cuts),
        "passes": [" ".join(map(str, one.cards)) for one in played.passes],
        "plays": " ".join(f"{one.player}{one.card}{one.by.value[:2]}" for one in played.plays),
        "before": list(hand.before),
        "points": list(played.scored.points),
        "scores": list(game.scores),
        "winners": list(game.winners),
    }
    assert told == vector


@pytest.mark.parametrize("vector", VECTORS["wrong"], ids=lambda vector: vector["title"])
def test_the_wrong_links_of_the_vectors(vector: dict[str, str]) -> None:
    with pytest.raises(InvalidLink, match=vector["python"]):
        parse_link(vector["link"])


def test_a_thousand_links_that_somebody_made_up_end_in_words() -> None:
    source = random.Random(33)
    links = [a_link(seed) for seed in range(8)]
    refused = 0
    for number in range(1000):
        data = bytearray(urlsafe_b64decode(links[number % 8] + "=="))
        match number % 4:
            case 0:
                for _ in range(source.randrange(1, 4)):
                    data[source.randrange(len(data))] = source.randrange(256)
            case 1:
                del data[source.randrange(len(data)) :]
            case 2:
                data += source.randbytes(source.randrange(1, 60))
            case 3:
                data = bytearray(source.randbytes(source.randrange(310)))
        refused += is_refused(urlsafe_b64encode(data).decode().rstrip("="))
    assert 850 < refused < 1000
