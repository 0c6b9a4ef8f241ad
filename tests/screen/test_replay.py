"""A replay on the screen: what is drawn, and what keys and clicks do."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.bots.swift.par import Par
from hearts.game.cards import RANK_TEXT
from hearts.game.deal import deal_text, parse_deal_code
from hearts.game.events import Action, ChosenBy, Deal, Play
from hearts.game.game import Game, Phase
from hearts.game.record import Record
from hearts.game.rules import Rules, parse_rules
from hearts.game.view import view_of
from hearts_client.par.pars import GivePar
from hearts_client.screen.input.drawn_page import WHEEL_DOWN, WHEEL_UP
from hearts_client.screen.pages.replay_page import ReplayPage
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.settings.settings import Settings
from hearts_client.session.replay import HandReplay, choice_at, read_replay
from hearts_client.words.opinions import verdict_lines
from tests.client.opinions import OpinionDesk
from tests.game.games import ALL_RULES, SEEDS, game_by_chance, play_by_chance, secret_deal_by

from .replays import CUTS, NAMES, SIZE, THEME, Shown, cut_deal_by, record


def hands_of(rules: str = "standard", seed: int = 1, hands: int = 2) -> tuple[HandReplay, ...]:
    return read_replay(record(rules, seed, hands), own=1).hands


def drawn(
    replay: HandReplay, position: int, *, ascii: bool = True, size: tuple[int, int] = SIZE
) -> list[str]:
    page = ReplayPage([replay], Theme(Settings(), ascii=ascii))
    page.position = position
    return page.draw(size).lines()


# The picture


@given(rules=ALL_RULES, seed=SEEDS, data=st.data(), own=st.integers(0, 3))
def test_every_card_is_shown_once_in_its_hand(
    rules: Rules, seed: int, data: st.DataObject, own: int
) -> None:
    actions = game_by_chance(rules, seed, 1, deal=secret_deal_by)
    text = str(Record(rules, 100, NAMES, tuple(actions)))
    (hand,) = read_replay(text, own).hands
    position = data.draw(st.integers(0, hand.last))
    lines = drawn(hand, position)
    assert all(len(line) <= 80 for line in lines)
    assert all(line.isascii() for line in lines)
    moment = hand.at(position)
    columns = {0: slice(25, 56), 1: slice(1, 32), 2: slice(25, 56), 3: slice(49, 80)}
    rows = {0: 12, 1: 7, 2: 2, 3: 7}
    for place in range(4):
        player = (own + place) % 4
        there, away = 0, 0
        for line in lines[rows[place] + 1 : rows[place] + 5]:
            part = line[columns[place]].strip()
            open_part, _, closed = part[1:].partition("(")
            suit = "HCDS".index(part[0])
            there |= _mask(suit, open_part)
            away |= _mask(suit, closed.rstrip(")"))
        assert there == moment.held[player] & ~moment.gone[player]
        assert away == moment.gone[player]


def _mask(suit: int, ranks: str) -> int:
    words = ranks.replace("10", "T").split()
    return sum(1 << 13 * suit + RANK_TEXT.index(word) for word in words if word != "-")


def test_thirteen_cards_of_a_suit_have_room() -> None:
    hearts, clubs, diamonds, spades = (0x1FFF << 13 * suit for suit in range(4))
    game = Game(parse_rules("pass=never,rotate"))
    deal = Deal((spades, hearts, clubs, diamonds))
    actions: list[Action] = [deal]
    game.apply(deal)
    for rank in range(6):
        for player in range(4):
            card = next(c for c in view_of(game, player).cards if c.rank == rank)
            actions.append(Play(player, card))
            game.apply(actions[-1])
    text = str(Record(game.rules, 100, NAMES, tuple(actions)))
    (hand,) = read_replay(text, own=0).hands
    for ascii in (True, False):
        lines = drawn(hand, hand.last, ascii=ascii)
        heart = "H" if ascii else "♥"
        assert f" {heart} A K Q J 10 9 8 (7 6 5 4 3 2) " in lines[9]
        assert lines[20] == " The deal has no code."


def test_a_hand_from_its_deal_to_its_scores() -> None:
    first, _ = hands_of("pass=left", 4)
    start = drawn(first, 0)
    assert start[0].split() == ["Replay", "of", "hand", "1", "The", "deal"]
    assert start[1] == " Three cards go to the left. Rules: pass=left"
    assert start[17] == " In brackets: what is passed."
    assert start[18].startswith(" Ann to You: ")
    assert start[19].startswith(" \"the 'Zo~ to Curly: ")
    assert start[20:22] == [f" Deal {first.deal.partition('+')[0]}+", f"      {CUTS.hex()}"]
    passed = drawn(first, 1)
    assert "After the pass" in passed[0]
    assert passed[17].endswith("the first trick.")
    end = drawn(first, first.last)
    assert end[0].endswith("Trick 13 of 13")
    assert "the trick" in end[17]
    points, scores = first.points, first.scores
    assert points is not None
    assert points == scores
    told = f"You {points[1]}, "
    assert end[18].startswith(f" The hand adds: {told}")
    assert end[19].startswith(f" Scores: {told}")


def test_the_trick_that_lies() -> None:
    (hand, *_) = hands_of("pass=never", 2)
    card, last = hand.plays[0], hand.plays[3]
    begun = drawn(hand, 1, ascii=False)
    name = {0: "Ann plays", 1: "You play", 2: "\"the 'Zoë'\" plays", 3: "Curly plays"}
    assert begun[17] == f" {name[card.player]} {card.card.symbol}."
    assert sum(f"▸ {card.card.symbol}" in line for line in begun) == 1
    done = drawn(hand, 4, ascii=False)
    winner = hand.at(4).winner
    best = next(play.card for play in hand.plays[:4] if play.player == winner)
    assert sum(f"{best.symbol}★" in line for line in done) == 1
    assert done[17].startswith(f" {name[last.player]} {last.card.symbol}. ")
    assert "the trick" in done[17]
    assert "1 trick" in "\n".join(done)


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (ChosenBy.CLOCK, "(time was up)."),
        (ChosenBy.STAND_IN, "(a stand-in)."),
        (ChosenBy.COMPUTER, "(a computer)."),
    ],
)
def test_who_made_a_choice(by: ChosenBy, told: str) -> None:
    lines = record("pass=never").splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("play "))
    lines[place] += f" {by.value}"
    hand = read_replay("\n".join(lines)).hands[0]
    assert drawn(hand, 1)[17].endswith(told)


def test_a_moon_and_the_winners() -> None:
    rules = parse_rules("pass=never,moon=minus")
    actions = moon_actions(rules)
    text = str(Record(rules, 100, NAMES, tuple(actions)))
    (hand,) = read_replay(text, own=3).hands
    assert drawn(hand, hand.last)[18] == " A moon adds: You -26, Ann 0, Moe 0, \"the 'Zo~ 0"
    won = read_replay(record(seed=3, hands=20, end=30), own=0).hands[-1]
    (winner, *_) = won.winners
    assert won.scores is not None
    assert f" {won.scores[winner]} *" in drawn(won, won.last)[19]


def moon_actions(rules: Rules) -> list[Action]:
    """Player 3 takes all when everybody plays low, without a pass."""
    game = Game(rules)
    actions: list[Action] = [
        Deal.from_secret(parse_deal_code("0000-0000-0000-0000-0000-0001-8RZY"))
    ]
    game.apply(actions[0])
    while game.phase is Phase.PLAY:
        (player,) = game.waiting_for()
        legal = view_of(game, player).legal_cards
        actions.append(Play(player, min(legal, key=lambda card: (card.rank, card.wire))))
        game.apply(actions[-1])
    return actions


def test_where_nobody_looks_at_his_own_game() -> None:
    (hand, *_) = read_replay(record()).hands
    lines = drawn(hand, 1)
    assert lines[12].strip() == "Ann"
    assert not any("You" in line for line in lines)


def test_a_larger_terminal_has_it_in_its_middle() -> None:
    hand = hands_of()[0]
    small = drawn(hand, 7)
    large = drawn(hand, 7, size=(120, 41))
    assert large[9:32] == [" " * 20 + line if line else "" for line in small]


# The page


def test_keys_move_by_cards_tricks_and_hands() -> None:
    hands = hands_of("pass=left", 1, 3)
    page = ReplayPage(hands, THEME)
    shown = Shown(page)
    seen = []
    for key in ("right", " ", "down", "page down", "left", "up", "page up", "home", "left", "end"):
        shown.press(key)
        seen.append(page.position)
    assert seen == [1, 2, 5, 9, 8, 5, 1, 0, 0, 53]
    shown.press("right", "down")
    assert page.position == 53
    assert "hand 3 (3 of 3)" in shown.text
    shown.press("n")
    assert page.position == 53
    shown.press("p")
    assert (page.position, page.place) == (0, 1)
    shown.press("p", "p", "p")
    assert "hand 1 (1 of 3)" in shown.text
    shown.press("n")
    assert "hand 2 (2 of 3)" in shown.text
    assert page.widget.keypress(SIZE, "x") == "x"


def test_the_end_says_what_the_hand_usually_costs() -> None:
    hands = hands_of("standard", 1, 2)
    asked: list[tuple[HandReplay, GivePar]] = []
    page = ReplayPage(hands, THEME, reckon=lambda *both: asked.append(both))
    shown = Shown(page)
    shown.press("end")
    assert "usually" not in shown.text
    assert [hand for hand, _ in asked] == [hands[1]]
    asked[0][1](Par(8, (82, 84, 0, 104), (2044, 2044, 0, 2363)))
    taken = hands[1].points
    assert taken is not None
    for points, told in zip(taken, ("10 +-13", "11 +-13", "0 +-0", "13 +-12"), strict=True):
        assert f"  {points}, usually {told}" in shown.text
    shown.press("left")
    assert "usually" not in shown.text
    # Another hand has another par, and one that is known is not asked for again.
    shown.press("p", "end")
    assert "usually" not in shown.text
    asked[1][1](None)
    assert "usually" not in shown.text
    shown.press("n", "end")
    assert "usually 10 +-13" in shown.text
    assert len(asked) == 2


def test_it_says_what_a_card_costs() -> None:
    (hand,) = hands_of("pass=left", 1, 1)
    desk = OpinionDesk()
    page = ReplayPage([hand], THEME, ask=desk.ask)
    shown = Shown(page)
    choices = [position for position in range(54) if choice_at(hand, position) is not None]
    first, second = choices[:2]
    shown.press(*["right"] * first)
    assert not desk.waiting
    shown.click("[x] what the card costs")
    assert "It is being looked at..." in shown.text
    view, card = choice_at(hand, first) or (None, None)
    assert view is not None
    assert card is not None
    verdict, *_ = verdict_lines(view, desk.answer(), [card], THEME.style, hand.names.__getitem__)
    assert verdict in shown.text
    # It is taken back, and what is known is not asked again.
    shown.press("x")
    assert verdict not in shown.text
    shown.press("home", "x", *["right"] * first)
    assert verdict in shown.text
    assert not desk.waiting
    shown.press(*["right"] * (second - first))
    desk.fail()
    assert "There is no answer." in shown.text
    # In the last trick there is no choice, and at its end the scores stand there.
    shown.press("end", "left")
    assert "No other card could be played." in shown.text
    shown.press("end")
    assert "Scores:" in shown.text
    assert "No other card" not in shown.text
    assert not desk.waiting


def test_clicks_and_the_wheel() -> None:
    page = ReplayPage(hands_of("pass=left"), THEME, first=0)
    shown = Shown(page)
    for words, position in (("[right]", 1), ("[down]", 5), ("[up]", 1), ("[left]", 0)):
        shown.click(words)
        assert page.position == position
    shown.click("Deal", WHEEL_DOWN)
    assert page.position == 1
    shown.click("Deal", WHEEL_UP)
    assert page.position == 0
    shown.click("Deal")
    assert page.position == 0
    shown.click("[n]")
    assert page.place == 1


async def test_the_deal_again_or_back() -> None:
    hand = hands_of()[0]
    again = Shown(ReplayPage([hand], THEME))
    again.press("a")
    assert await again.result() == hand.deal
    assert hand.deal == deal_text(*_secret_and_cuts(hand))
    left = Shown(ReplayPage([hand], THEME))
    left.click("[esc]")
    assert await left.result() is None


def _secret_and_cuts(hand: HandReplay) -> tuple[bytes, bytes]:
    game = Game()
    (action, _), *_ = play_by_chance(game, random.Random(1), 1, cut_deal_by)
    assert isinstance(action, Deal)
    assert action.secret is not None
    assert action.hands == hand.dealt
    return action.secret, action.cuts


def test_a_link_leads_to_the_page_of_the_server() -> None:
    page = ReplayPage(hands_of(), THEME, page="http://hearts.example:7680/")
    page.widget.keypress(SIZE, "k")
    assert page.link.startswith("http://hearts.example:7680/#hand=")
    page.widget.keypress(SIZE, "k")
    assert page.link == ""


def test_where_no_deal_can_be_played_again() -> None:
    page = ReplayPage(hands_of(), THEME, can_repeat=False)
    assert "again" not in Shown(page).text
    assert page.widget.keypress(SIZE, "a") == "a"
