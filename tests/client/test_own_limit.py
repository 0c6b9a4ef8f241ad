"""How long a person has for a choice: SocketSpec.md section 5.4, as a client of ours follows it."""

from __future__ import annotations

from hearts.game.cards import Card
from hearts.game.events import CardPlayed, ChosenBy, YourHand
from hearts.game.rules import STANDARD, Direction
from hearts.session.client_events import CameBack, CaughtUp, ChoiceTerms, YourChoice
from hearts.session.messages import TableInfo
from hearts.table.inputs import Question
from hearts_client.session.own_limit import OwnLimit
from tests.plain.script import NEW

ME = 2
HAND = YourHand(0, Direction.HOLD, ())


class Clock:
    """Time, as the test has it."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


TIME = Clock()


def begun(turn_limit: int = 60) -> OwnLimit:
    own = OwnLimit(TIME)
    own.receive(TableInfo(STANDARD, 100, turn_limit, frozenset()), ME)
    own.receive(HAND, ME)
    return own


def play(own: OwnLimit, *choices: ChosenBy, player: int = ME, after: float | None = None) -> float:
    """Our next choices; what we have for the one after them.

    ``after`` is how many seconds each takes; as many as there are if that is not said.
    """
    for by in choices:
        own.receive(YourChoice(Question.CARD), ME)
        TIME.now += own.seconds if after is None else after
        own.receive(CardPlayed(player, Card(15), by), ME)
    return own.seconds


def test_after_two_misses_it_is_short_until_a_choice_in_time_and_the_next_hand() -> None:
    own = begun()
    assert play(own, ChosenBy.CLOCK, ChosenBy.PLAYER) == 60
    assert not own.is_short
    assert play(own, ChosenBy.CLOCK) == 3
    assert own.is_short
    own.receive(HAND, ME)
    assert play(own, ChosenBy.CLOCK) == 3
    assert own.is_short
    assert play(own, ChosenBy.PLAYER) == 3
    assert not own.is_short
    assert play(own, ChosenBy.CLOCK, ChosenBy.CLOCK) == 3
    own.receive(HAND, ME)
    assert play(own) == 60


def test_what_comes_sooner_is_no_miss() -> None:
    """In the plain dialect the rest of a hand that somebody has claimed comes in this way."""
    own = begun()
    assert play(own, *[ChosenBy.CLOCK] * 7, after=0.1) == 60
    assert not own.is_short
    assert play(own, *[ChosenBy.CLOCK] * 2, after=59) == 3


def test_what_others_miss_is_not_ours() -> None:
    assert play(begun(), ChosenBy.CLOCK, ChosenBy.CLOCK, player=1) == 60


def test_who_comes_back_has_his_full_time_in_the_next_hand() -> None:
    own = begun()
    play(own, ChosenBy.CLOCK, ChosenBy.CLOCK)
    own.receive(CameBack(1, NEW), ME)
    own.receive(HAND, ME)
    assert play(own, ChosenBy.CLOCK, ChosenBy.CLOCK) == 60
    own.receive(CaughtUp(), ME)
    assert play(own, ChosenBy.CLOCK, ChosenBy.CLOCK) == 3


def test_what_the_server_says_counts() -> None:
    own = begun()
    own.receive(ChoiceTerms(Question.CARD, 1500), ME)
    assert own.seconds == 1.5
    assert not own.is_short
    play(own, ChosenBy.CLOCK, ChosenBy.CLOCK)
    assert own.is_short


def test_the_bank_is_used_beyond_what_is_free() -> None:
    own = begun()
    assert own.until_bank is None
    own.receive(ChoiceTerms(Question.CARD, 50_000, (), 20_000, 30_000), ME)
    own.receive(YourChoice(Question.CARD), ME)
    assert own.until_bank == 20
    for seconds, bank in ((19, None), (1, 30), (10, 20), (30, 0)):
        TIME.now += seconds
        assert own.bank == bank
    own.receive(ChoiceTerms(Question.CARD, 20_000, (), 20_000, 0), ME)
    own.receive(YourChoice(Question.CARD), ME)
    assert own.until_bank is None, "there is nothing in it"
    own.receive(ChoiceTerms(Question.CARD, 60_000), ME)
    own.receive(YourChoice(Question.CARD), ME)
    TIME.now += 59
    assert own.bank is None, "there is none"


def test_a_table_without_a_clock_has_no_short_limit() -> None:
    own = begun(0)
    assert play(own, ChosenBy.CLOCK, ChosenBy.CLOCK) == 0
    assert not own.is_short
