"""Packed hands: what was put in comes out, and a replay says the same as without packing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, cards_of, four
from hearts.game.cuts import hash_of, shown_cuts
from hearts.game.events import AbortHand, ChooseMoon, Deal, HandScored, Pass, Play
from hearts.game.game import Game
from hearts.game.rules import STANDARD, Rules, parse_rules
from hearts.game.scoring import Four
from hearts.table.effects import SessionTotals, TableEvent
from hearts.table.history import BLOCK_HANDS, SessionHistory
from hearts.table.inputs import AnswerAgain, Question, Setting
from hearts.table.replay import SessionStanding, replayed
from hearts.table.seat import Kind
from hearts.table.steps import (
    AbandonGame,
    AskAgain,
    NewRules,
    Promise,
    SeatChange,
    Step,
    format_step,
    pack_hand,
    unpack_hand,
)
from hearts.table.table import Table
from tests.game.games import ALL_RULES, SEEDS
from tests.table.desk import HOLD, NAMES, SECRET, Desk
from tests.table.sessions import SessionByChance

CLIENT, COMPUTER = Kind.CLIENT, Kind.COMPUTER
ACTIONS = (Deal, Pass, Play, ChooseMoon)
CHOICES = (Pass, Play, ChooseMoon, AnswerAgain)
ORDINARY_BYTES = 85

Told = list[TableEvent | Question]


class PlainHistory:
    """A session with each step as it is, and where it stood at each."""

    def __init__(self, setting: Setting, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.scored: list[int] = []
        """The step behind the last one of each hand."""
        self.totals: list[SessionTotals] = []
        """Where the players stood before each step, and behind the last one."""
        self.settings: list[Setting] = []
        """What was played then."""
        self.deals: list[int] = []
        """The deals, each with the promise before it if there was one."""
        totals, game, agreed = SessionTotals(), Game(setting.rules, setting.end_score), setting
        promised = False
        for place, step in enumerate([*steps, None]):
            self.totals.append(totals)
            self.settings.append(setting)
            match step:
                case NewRules(rules, end_score):
                    agreed = replace(setting, rules=rules, end_score=end_score)
                case AnswerAgain(yes=True):
                    setting, totals = agreed, SessionTotals(games=totals.games)
                    game = Game(setting.rules, setting.end_score)
                case AbandonGame():
                    setting, totals = agreed, SessionTotals(games=totals.games)
                    game = Game(setting.rules, setting.end_score)
                case AbortHand():
                    self.deals.append(place + 1)
                case Promise():
                    self.deals.append(place)
                    promised = True
                case AskAgain():
                    totals = self._score(place, game, totals)
                case Deal() | Pass() | Play() | ChooseMoon():
                    if isinstance(step, Deal) and not promised:
                        self.deals.append(place)
                    promised = False
                    scored = [e for e in game.apply(step) if isinstance(e, HandScored)]
                    if scored and not scored[0].winners:
                        totals = self._score(place, game, totals)
                case _:
                    pass

    def _score(self, place: int, game: Game, before: SessionTotals) -> SessionTotals:
        self.scored.append(place + 1)
        assert game.play is not None
        taken = [set(cards_of(mask)) for mask in game.play.taken]
        return SessionTotals(
            game.scores,
            _more(before.queens, [QUEEN_OF_SPADES in cards for cards in taken]),
            _more(before.jacks, [JACK_OF_DIAMONDS in cards for cards in taken]),
            _more(before.games, [player in game.winners for player in range(4)]),
        )

    def start(self, player: int | None, hands: int) -> int:
        """The step with which a replay begins."""
        joined = [
            place
            for place, step in enumerate(self.steps)
            if isinstance(step, SeatChange) and step.seat == player
        ]
        begin = joined[-1] if joined else 0
        if hands < 0:
            return max([begin, *self.deals[-1:]])
        return max([begin, *[end for end in self.scored if end > begin][:hands][-1:]])

    def told(self, player: int | None) -> list[Told]:
        """What a player was told for each step, done from the first one on."""
        first = self.settings[0]
        steps = ((bisect_right(self.scored, place), step) for place, step in enumerate(self.steps))
        standing = SessionStanding.at_begin(first, 0)
        return [list(told) for told in replayed(player, standing, first, steps)]


def without_aborted(steps: Sequence[Step]) -> list[Step]:
    """The steps that a table keeps: of a hand that was broken off the rules that were agreed on."""
    kept: list[Step] = []
    begin, is_promised = 0, False
    for step in steps:
        if isinstance(step, AbortHand):
            kept[begin:] = [each for each in kept[begin:] if isinstance(each, NewRules)]
        elif isinstance(step, Promise) or (isinstance(step, Deal) and not is_promised):
            begin = len(kept)
        is_promised = isinstance(step, Promise) or (is_promised and not isinstance(step, Deal))
        kept.append(step)
    return kept


def _more(counts: Four, more: Sequence[bool]) -> Four:
    a, b, c, d = (count + one for count, one in zip(counts, more, strict=True))
    return (a, b, c, d)


def played(
    rules: Rules, other: Rules, end_score: int, seed: int, hands: int, more: float = 0.9
) -> tuple[SessionHistory, PlainHistory]:
    """A session by chance: packed, by a table that takes it from its store, and unpacked."""
    setting = Setting(rules, end_score, 0, 0.0, 600.0)
    steps = list(SessionByChance(rules, other, end_score, seed, more).steps(hands))
    players = [(name, CLIENT) for name in NAMES]
    table = Table(setting, players, lambda: Deal.from_secret(SECRET))
    table.restore(map(format_step, steps), 0.0)
    return table.past, PlainHistory(setting, without_aborted(steps))


SESSIONS = st.builds(
    played,
    ALL_RULES,
    ALL_RULES,
    st.sampled_from([1, 26, 100, 10_000]),
    SEEDS,
    st.integers(0, 6),
)
PLAYERS = st.sampled_from([None, 0, 1, 2, 3])


def check_steps(past: SessionHistory, plain: PlainHistory) -> None:
    packed = past._hands
    assert len(packed) == len(plain.scored)
    for hand, (begin, end) in enumerate(pairwise([0, *plain.scored])):
        assert packed.steps(hand) == plain.steps[begin:end]
    assert packed.standing(len(packed)) == past._standing


def check_replay(
    past: SessionHistory, plain: PlainHistory, player: int | None, hands: int, whole: list[Told]
) -> None:
    start = plain.start(player, hands)
    told = [list(missed) for missed in past.replay_steps(player, hands)]
    before = plain.steps[start - 1] if start else None
    if player is not None and before == AskAgain(player):
        assert told.pop(0) == [Question.AGAIN]
    assert told == whole[start:]
    assert past.setting(player, hands) == plain.settings[start]
    assert past.standing(player, hands) == plain.totals[start]
    if player is not None:
        chosen = [step for step in plain.steps[start:] if isinstance(step, CHOICES)]
        assert past.decided(player, hands) == sum(step.player == player for step in chosen)


@given(SESSIONS)
def test_the_steps_come_back(session: tuple[SessionHistory, PlainHistory]) -> None:
    check_steps(*session)


@given(SESSIONS, PLAYERS)
def test_a_replay_from_any_hand_is_the_end_of_the_whole(
    session: tuple[SessionHistory, PlainHistory], player: int | None
) -> None:
    past, plain = session
    whole = plain.told(player)
    for hands in range(-1, past.hands_scored(player) + 1):
        check_replay(past, plain, player, hands, whole)


@given(SESSIONS)
def test_the_game_under_way_is_whole(session: tuple[SessionHistory, PlainHistory]) -> None:
    past, plain = session
    begins = [
        place
        for place, step in enumerate(plain.steps)
        if isinstance(step, AbandonGame) or (isinstance(step, AnswerAgain) and step.yes)
    ]
    begin = begins[-1] if begins else 0
    game = [step for step in plain.steps[begin:] if isinstance(step, ACTIONS)]
    assert list(past.game_actions) == game


@pytest.mark.parametrize("end_score", [1, 10_000])
def test_a_session_of_several_blocks(end_score: int) -> None:
    hands = 2 * BLOCK_HANDS + 1
    past, plain = played(STANDARD, parse_rules("jack"), end_score, 1, hands, more=1.0)
    assert past.hands_scored() >= hands
    check_steps(past, plain)
    whole = plain.told(2)
    for scored in range(0, hands, 7):
        check_replay(past, plain, 2, scored, whole)


@pytest.mark.parametrize("steps", [0, 1, 30, 53, 54, 55, 56, 100, 104])
def test_a_replay_goes_on_while_hands_are_packed_behind_it(steps: int) -> None:
    desk = Desk(HOLD, end=1)
    past = desk.table.past
    desk.play_hand()
    desk.choose(0, Question.AGAIN)
    desk.play(50)
    replay = past.replay_steps(1, 0)
    told = list(islice(replay, steps))
    while past.hands_scored() < 6:
        for player, question in desk.asked():
            desk.choose(player, question)
        told += islice(replay, 1)
    told += replay
    assert told == list(past.replay_steps(1, 0))


def test_a_table_that_is_taken_up_again_has_packed_the_same() -> None:
    rules, kinds = "moon=choice,pass=cycle3", (CLIENT, COMPUTER, CLIENT, COMPUTER)
    desk = Desk(rules, kinds, end=30, pause=60.0)
    while desk.table.past.hands_scored() < BLOCK_HANDS + 2:
        for player, question in desk.asked():
            if kinds[player] is CLIENT:
                desk.choose(player, question)
        desk.answer_bots()
    again = Desk(rules, kinds, end=30, pause=60.0, stored=desk.lines)
    packed, packed_again = desk.table.past._hands, again.table.past._hands
    assert len(packed) == len(packed_again) == BLOCK_HANDS + 2
    assert packed._blocks == packed_again._blocks


def test_a_step_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="range"):
        pack_hand([SeatChange(0, CLIENT, 1, "N" * 256)])


@pytest.mark.parametrize("computers", [0, 3])
def test_an_ordinary_hand_is_small_and_no_object(computers: int) -> None:
    desk = Desk(end=10_000, kinds=[CLIENT] * (4 - computers) + [COMPUTER] * computers)
    while desk.table.past.hands_scored() < BLOCK_HANDS:
        for player, question in desk.asked():
            if desk.table.seats[player].kind is CLIENT:
                desk.choose(player, question)
        desk.answer_bots()
    (block,) = desk.table.past._hands._blocks
    for hand in range(BLOCK_HANDS):
        assert len(pack_hand(desk.table.past._hands.steps(hand))) <= ORDINARY_BYTES
    assert len(block) / BLOCK_HANDS < ORDINARY_BYTES + 5


def test_a_cut_takes_the_bytes_of_its_value() -> None:
    values = [bytes([player]) * 32 for player in range(1, 4)]
    hashes = four([b"", *map(hash_of, values)])
    shown = shown_cuts(hashes, [b"", *values[:2], b""])
    steps: list[Step] = [Promise(SECRET, hashes), Deal.from_shown(SECRET, shown)]
    packed = pack_hand(steps)
    assert len(packed) == 1 + 1 + 16 + 4 + 3 * 32
    assert unpack_hand(packed) == steps


def test_what_is_packed_is_in_no_repr() -> None:
    desk = Desk(HOLD)
    desk.play_hand()
    past = desk.table.past
    assert past.hands_scored() == 1
    seen = f"{past!r} {past._hands!r} {past._standing!r}"
    assert "Card" not in seen
    assert repr(SECRET)[2:-1] not in seen
