"""What the texts of players mean, and which bots they make."""

from __future__ import annotations

import random

import pytest

from hearts.bots import RandomBot, SimpleBot
from hearts.game.cards import CARDS, cards_of
from hearts.game.deal import deal_hands
from hearts.game.rules import STANDARD, Direction
from hearts.game.view import View
from hearts_arena.play.players import (
    BadPlayer,
    Blunderer,
    BuiltIn,
    Connects,
    OwnClass,
    OwnProgram,
    Player,
    maker_of,
    parse_player,
)

from .own_bots import HERE, Tuned

HAND = deal_hands(bytes(16))[0]
VIEW = View(
    *(0, STANDARD, 100, (0, 0, 0, 0), 0, Direction.LEFT, HAND, HAND, (), (), 0, (), 0, ()),
    *((0, 0, 0, 0), True),
)


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("random", BuiltIn("random")),
        ("simple", BuiltIn("simple")),
        ("simple,blunder=0.1", BuiltIn("simple", 0.1)),
        ("simple, blunder=1", BuiltIn("simple", 1.0)),
        ("mine:Bot", OwnClass("mine", "Bot")),
        (
            "a.b:Bot,depth=3,share=.5,bold=true,name=x y",
            OwnClass("a.b", "Bot", (("depth", 3), ("share", 0.5), ("bold", True), ("name", "x y"))),
        ),
        ("cmd:./bot --port {port}, -x", OwnProgram("./bot --port {port}, -x")),
        ("wire:7600", Connects(7600)),
    ],
)
def test_what_a_text_means(text: str, player: Player) -> None:
    assert parse_player(text) == player


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "",
            "there is no player '': give random, novice, simple, strong, expert, swift, "
            "MODULE:CLASS, cmd:COMMAND or wire:PORT",
        ),
        ("clever", "there is no player 'clever'"),
        (":Bot", "there is no player ':Bot'"),
        ("mine:", "there is no player 'mine:'"),
        ("mine:a b", "there is no player 'mine:a b'"),
        ("simple,depth=3", "simple has no setting 'depth', only blunder=0..1"),
        ("simple,blunder=2", "blunder is a number from 0 to 1, not 2"),
        ("simple,blunder=nan", "blunder is a number from 0 to 1, not nan"),
        ("simple,blunder=true", "blunder is a number from 0 to 1, not True"),
        ("simple,blunder", "'blunder' is no setting: give NAME=VALUE"),
        ("cmd: ", "'cmd: ' names no command"),
        ("wire:", "'wire:' names no port from 1 to 65535"),
        ("wire:0", "'wire:0' names no port"),
        ("wire:655360000", "names no port"),
        ("wire:-1", "'wire:-1' names no port"),
    ],
)
def test_texts_that_mean_nothing(text: str, complaint: str) -> None:
    with pytest.raises(BadPlayer) as caught:
        parse_player(text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("player", "complaint"),
    [
        (OwnClass("tests.arena.nothing", "Bot"), "cannot import tests.arena.nothing: "),
        (OwnClass("tests.arena.broken_bot", "Bot"), "cannot import tests.arena.broken_bot: "),
        (OwnClass(HERE, "Nobody"), f"the module {HERE} has no class Nobody"),
        (OwnClass(HERE, "HERE"), f"the module {HERE} has no class HERE"),
        (OwnClass("hearts.game.game", "Game"), "the class Game has no method choose_pass"),
    ],
)
def test_classes_that_cannot_be_had(player: OwnClass, complaint: str) -> None:
    with pytest.raises(BadPlayer, match=complaint):
        maker_of(player)


def test_a_class_gets_its_settings_and_the_arenas_randomness() -> None:
    player = parse_player(f"{HERE}:Tuned,depth=3,name=x,bold=true")
    assert isinstance(player, OwnClass)
    make = maker_of(player)
    first, again, other = make(5), make(5), make(6)
    assert isinstance(first, Tuned)
    assert isinstance(again, Tuned)
    assert isinstance(other, Tuned)
    assert first.settings == (3, "x", True)
    assert first.drawn == again.drawn == random.Random(5).random()
    assert first.drawn != other.drawn


def test_a_class_that_wants_no_randomness_gets_none() -> None:
    assert type(maker_of(OwnClass(HERE, "Plain"))(1)).__name__ == "Plain"


def test_built_in_bots() -> None:
    assert isinstance(maker_of(BuiltIn("simple"))(1), SimpleBot)
    bots = [maker_of(BuiltIn("random"))(seed) for seed in (7, 7, 8)]
    assert all(isinstance(bot, RandomBot) for bot in bots)
    one, same, other = ([bot.choose_card(VIEW) for _ in range(40)] for bot in bots)
    assert one == same
    assert one != other


def test_a_blunderer_blunders_as_often_as_it_should() -> None:
    sound = SimpleBot().choose_card(VIEW)
    bot = maker_of(BuiltIn("simple", 0.3))(1)
    assert isinstance(bot, Blunderer)
    times = 4000
    chosen = [bot.choose_card(VIEW) for _ in range(times)]
    others = len(list(cards_of(VIEW.legal))) - 1
    # By chance it may take the sound card as well.
    expected = 0.3 * others / (others + 1)
    share = sum(card != sound for card in chosen) / times
    assert abs(share - expected) < 4 * (expected * (1 - expected) / times) ** 0.5
    assert set(chosen) == set(cards_of(VIEW.legal))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_blunderer_at_the_ends(share: float) -> None:
    blunderer = Blunderer("simple", random.Random(1).random, share)
    passes = {tuple(sorted(blunderer.choose_pass(VIEW))) for _ in range(20)}
    assert (passes == {tuple(sorted(SimpleBot().choose_pass(VIEW)))}) is (share == 0.0)
    moons = {blunderer.choose_moon(VIEW) for _ in range(40)}
    assert moons == ({True, False} if share else {SimpleBot().choose_moon(VIEW)})
    assert {blunderer.choose_card(VIEW) for _ in range(99)} <= set(CARDS)
