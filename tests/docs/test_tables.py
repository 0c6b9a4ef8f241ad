"""The tables of SocketSpec.md against the code."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest

from hearts.errors import IllegalAction, RemoteProtocolError
from hearts.game import deal as d
from hearts.game import rules as r
from hearts.game.cards import CARDS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, Suit, by_wire, mask_of
from hearts.game.kernel import HandPlay
from hearts.game.scoring import add_points, hand_points
from hearts.plain import seat
from hearts.session import messages
from hearts.settings.readers import LEVELS
from hearts.taunt import server as taunt_sessions
from hearts.wire.credentials import issue
from taunt_server.config import TauntConfig

from . import page_rules
from .limits import CONFIG, TABLE, shown_table
from .spec import FILE, Row, numbers, sections, table, tables


def test_directions() -> None:
    for row in table("1.5"):
        direction = r.Direction(int(row["direction"]))
        assert row["name"] == direction.name.lower()
        passes = row["player p passes to"]
        step = 0 if passes == "nobody" else int(passes.removeprefix("(p+").removesuffix(") mod 4"))
        assert [direction.target(player) for player in range(4)] == [
            (player + step) % 4 for player in range(4)
        ]


def test_ports() -> None:
    ports = {row["server"]: int(row["default port"]) for row in table("1.1")}
    assert ports == {"game server": CONFIG.port, "taunt server": CONFIG.taunt_port}
    assert CONFIG.taunt_port == TauntConfig().port


# Registration


def test_reserved_option_blocks() -> None:
    assert [row["tag"] for row in table("12")] == [f"{messages.FIRST_RESERVED_TAG} and below"]


def test_options() -> None:
    of_options, of_levels = tables("3.4")
    meant = {row["bits of options"] for row in of_options}
    assert meant == {"0", "1-3", "4-5", "6-7", "8-19", "20", "21-31"}
    numbers = {row["how a computer plays"].split("`")[1]: row["level"] for row in of_levels[1:]}
    assert numbers == {name: str(number) for name, number in LEVELS.items()}
    decode = messages.Options.decode
    hearts = 1 << 4
    assert decode((hearts | 0b1010, 0, 0)).computers == {1, 3}
    assert decode((hearts | 0b1100_0000, 0, 0)) == messages.Options()
    assert decode((hearts | 1 << 8, 0, 0)).rules is None
    assert decode((hearts | 1 << 20 | 1 << 8, 0, 0)).rules == r.Rules(jack=True)
    for other in (0, 2 << 4, 3 << 4):
        with pytest.raises(RemoteProtocolError, match="bits 4-5"):
            decode((other, 50, 30))
    assert decode((hearts, 50, 14)).turn_limit is None
    assert decode((hearts, 50, 15)).turn_limit == 15


# Statuses and rules


def test_rule_bits_and_tokens() -> None:
    rows = tables("6.1")[0]
    seen = 0
    for row in rows:
        bits, value, token = row["bits"], int(row["value"]), row["token"]
        low = int(bits.split("-")[0])
        rules = r.rules_from_bits(value << low)
        assert rules == r.parse_rules(token), row
        assert rules.bits == value << low
        assert str(rules) == (token if value else "standard")
        seen |= value << low
    assert seen == r.RULE_BITS_MASK


def test_the_rules_that_players_read() -> None:
    text = (FILE.parent / "docs" / "rules.md").read_text(encoding="utf-8")
    rows, _, _ = text.partition("| rules text | meaning |")[2].partition("\n\n")
    shown = re.findall(r"`([^`]+)`", " ".join(row.split("|")[1] for row in rows.splitlines()[2:]))
    tokens = [value.token for rule in r.HOUSE_RULES for value in rule.values if value.token]
    assert sorted(shown) == sorted([*r.PRESETS, *tokens])


def test_the_rules_of_the_page() -> None:
    written = page_rules.PATH.read_text(encoding="utf-8")
    assert written == page_rules.page_rules(), "python -m tests.docs.page_rules writes them"


def test_presets() -> None:
    rows = table("6.2")
    assert [row["preset"] for row in rows] == list(r.PRESETS)
    for row in rows:
        rules = r.parse_rules(row["preset"])
        assert rules == r.parse_rules(row["the same as"])
        assert str(rules) == row["the same as"]
        assert rules.bits == int(row["bits as a number"])
        assert row["end"] == str(r.PRESET_ENDS.get(row["preset"], "-"))


LEGAL = table("6.3")


@pytest.mark.parametrize("row", LEGAL, ids=lambda row: " ".join(row.values()))
def test_legal_cards(row: Row) -> None:
    rules = r.parse_rules(row["rules"])
    trick = [Card.parse(word) for word in row["trick"].split() if word != "-"]
    hand = mask_of(Card.parse(word) for word in row["hand"].split())
    played = 0 if row["first trick"] == "yes" else 4
    leader = (4 - len(trick)) % 4
    play = HandPlay([hand, 0, 0, 0], rules, leader)
    play.played = played
    play.broken = row["broken"] == "yes"
    for place, card in enumerate(trick):
        play.hands[(leader + place) % 4] |= 1 << card
        play.play(card)
    play.broken = row["broken"] == "yes"
    assert play.turn == 0
    status = 0
    try:
        play.check(Card.parse(row["card"]))
    except IllegalAction as error:
        status = error.reason
    assert status == int(row["status"])


SCORING = table("6.7")


@pytest.mark.parametrize("row", SCORING, ids=lambda row: " ".join(row.values()))
def test_scoring(row: Row) -> None:
    rules = r.parse_rules(row["rules"])
    hearts = [card for card in CARDS if card.suit is Suit.HEARTS]
    taken = []
    for count in numbers(row["hearts"]):
        taken.append(mask_of(hearts[:count]))
        hearts = hearts[count:]
    taken[int(row["queen"])] |= 1 << QUEEN_OF_SPADES
    taken[int(row["jack"])] |= 1 << JACK_OF_DIAMONDS
    for player, tricks in enumerate(numbers(row["tricks"])):
        if tricks and not taken[player]:
            taken[player] = 1 << Card.parse("2C")
        assert bool(tricks) == bool(taken[player])
    on_others = rules.moon is r.Moon.OTHERS if row["choice"] == "-" else row["choice"] == "1"
    points = hand_points(taken, rules, on_others)
    assert list(points) == numbers(row["points"])
    a, b, c, d = numbers(row["before"])
    outcome = add_points((a, b, c, d), points, rules, int(row["end"]))
    assert list(outcome.scores) == numbers(row["after"])
    assert ("yes" if outcome.over else "no") == row["over"]
    assert list(outcome.winners) == numbers(row["winners"])


# Deals and credentials


def test_deals() -> None:
    vectors, steps = tables("7.5")
    assert len(vectors) >= 4
    for row in vectors:
        secret = bytes.fromhex(row["secret"])
        assert d.deal_code(secret) == row["deal code"]
        assert d.parse_deal_code(row["deal code"]) == secret
        for player, hand in enumerate(d.deal_hands(secret)):
            assert [card.wire for card in by_wire(hand)] == numbers(row[f"player {player}"])
    values = {row["value"]: row["hex"] for row in steps}
    key = hashlib.sha256(b"hearts deal 1" + bytes(16) + d.NO_CUTS).digest()
    assert values["key"] == key.hex()
    for block in range(2):
        digest = hashlib.sha256(key + block.to_bytes(4, "big")).hexdigest()
        assert values[f"block {block}"] == digest


def test_commitments() -> None:
    vectors, notices = table("7.6"), table("B")
    assert len(vectors) >= 4
    for row in vectors:
        secret = bytes.fromhex(row["secret"])
        assert hashlib.sha256(secret).hexdigest() == row["commitment"]
        assert d.commitment(secret).hex() == row["commitment"]
        assert d.deal_code(secret) == row["deal code"]
    promise, told, cut = (row["notice"].strip("`") for row in notices)
    secret, cuts = bytes(range(16)), bytes(range(8)) + bytes(24)
    for form, notice in (
        (promise, d.commitment_notice(3, secret)),
        (told, d.disclosure_notice(3, secret)),
        (cut, d.disclosure_notice(3, secret, cuts)),
    ):
        values = {
            "N": "3",
            "H": d.commitment(secret).hex(),
            "C": d.deal_code(secret),
            "X": cuts.hex(),
        }
        assert notice == " ".join(values.get(word, word) for word in form.split(" "))
        assert f"\n{notice}\n" in sections()["B"]


def test_game_ids() -> None:
    for row in table("9.5"):
        secret = bytes.fromhex(row["secret"])
        ints = [int(row[name]) for name in ("game number", "player", "process id")]
        message = b"".join(value.to_bytes(4, "big", signed=True) for value in ints)
        assert hmac.new(secret, message, hashlib.sha256).hexdigest() == row["hmac"]
        assert issue(secret, *ints).game_id == int(row["game id"])


# Limits


def test_limits() -> None:
    assert shown_table() == TABLE, "python -m tests.docs.limits writes the table"
    assert taunt_sessions.EARLY_LIMIT == seat.EARLY_LIMIT
