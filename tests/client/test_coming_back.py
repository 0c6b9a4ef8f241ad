"""Clients that lose their connections to a real server, after any byte and in every phase."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.deal import SECRET_BYTES, deal_code
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ConnectionLost,
    DealChecked,
    DealerEvent,
    Seated,
    SessionEnded,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options, Scores, TableInfo
from hearts.session.table_words import Introduction
from hearts.table.inputs import Question
from hearts_client.library.client import Client
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import SessionResult, play_out

from .client_house import house

pytestmark = pytest.mark.usefixtures("autojump_clock")

SEATED = {Dialect.PLAIN: 250, Dialect.DEALER: 700}
"""Bytes after which a client has its seat, so that it can come back."""
LONG = 1_000_000

Lives = Callable[[], int]


@dataclass
class ClientOutcome:
    """What came of a session for one client."""

    result: SessionResult
    events: list[DealerEvent]


async def play(
    folder: Path,
    *arguments: str,
    lives: Sequence[Lives | None] = (None,) * 4,
    cut_at: DealerEvent | type | None = None,
    sent: bool = False,
    dialects: Sequence[Dialect] = (Dialect.PLAIN,) * 4,
    introduction: Introduction | None = None,
) -> list[ClientOutcome]:
    """Four bots play two games with deals that are always the same; seats in order.

    ``lives`` are in bytes. The latest client with a life loses its connection when it hears
    ``cut_at`` for the first time; with ``sent``, when it has sent its choice.
    """
    played: list[ClientOutcome] = []
    # Nobody but the bots themselves chooses, however long they are away.
    arguments = (*arguments, "--turn-limit", "3600", "--grace", "3600")
    for number in range(40):
        code = deal_code(number.to_bytes(SECRET_BYTES, "big"))
        arguments = (*arguments, "--deal", code)
    async with house(folder, *arguments) as made, trio.open_nursery() as nursery:

        async def run(number: int, life: Lives | None) -> None:
            events: list[DealerEvent] = []
            is_cut = life is None

            def receive(event: DealerEvent) -> None:
                nonlocal is_cut
                events.append(event)
                before = events[-2] if sent and len(events) > 1 else event
                if not is_cut and cut_at in (before, type(before)):
                    is_cut = True
                    made.line.cut()

            request = RegistrationRequest(f"bot {number}", number)
            client = made.client(request, life, dialects[number], introduction)
            result = await play_out(SimpleBot(), client, games=2, on_event=receive)
            played.append(ClientOutcome(result, events))

        for number, life in enumerate(lives):
            nursery.start_soon(run, number, life)
            await trio.testing.wait_all_tasks_blocked()
    return sorted(played, key=lambda each: each.result.player)


def hands(events: Sequence[DealerEvent]) -> list[list[DealerEvent]]:
    """Each hand that was scored, as it was last told, without who made a choice."""
    found = []
    hand: list[DealerEvent] = []
    for event in events:
        match event:
            case YourHand():
                hand = [event]
            case PassMade(player, cards):
                hand.append(PassMade(player, cards, ChosenBy.PLAYER))
            case CardPlayed(player, card):
                hand.append(CardPlayed(player, card, ChosenBy.PLAYER))
            case MoonChosen(player, on_others):
                hand.append(MoonChosen(player, on_others, ChosenBy.PLAYER))
            case Scores():
                found.append([*hand, event])
    return found


def check(cut: ClientOutcome, whole: ClientOutcome) -> None:
    """Nothing is lost, nothing doubled, and nothing asked for that was decided."""
    assert cut.result == whole.result
    assert hands(cut.events) == hands(whole.events)
    past = False
    for event in cut.events:
        past = isinstance(event, CameBack) or (past and not isinstance(event, CaughtUp))
        assert not (past and isinstance(event, YourChoice))
    assert cut.events[-1] == SessionEnded(complete=True)


def at_random(seed: int, dialect: Dialect) -> Lives:
    draw, first = random.Random(seed), count()
    most = 2500 if dialect is Dialect.PLAIN else 9000
    return lambda: draw.randrange(most // 8, most) + (0 if next(first) else SEATED[dialect])


@pytest.fixture(scope="module")
def uncut() -> list[ClientOutcome]:
    """The same session without a cut, when it was played once."""
    return []


@pytest.mark.parametrize(
    ("rules", "dialect"),
    [("standard", Dialect.PLAIN), ("jack,moon=choice,rotate", Dialect.DEALER)],
)
async def test_four_who_lose_their_connections_all_the_time(
    rules: str, dialect: Dialect, tmp_path: Path
) -> None:
    arguments, dialects = ("--rules", rules, "--end-score", "1"), [dialect] * 4
    whole = await play(tmp_path / "whole", *arguments, dialects=dialects)
    lives = [at_random(seed, dialect) for seed in range(4)]
    cut = await play(tmp_path / "cut", *arguments, lives=lives, dialects=dialects)
    for each, expected in zip(cut, whole, strict=True):
        check(each, expected)
        assert not any(event.problem for event in each.events if isinstance(event, DealChecked))
    lost = [isinstance(event, ConnectionLost) for each in cut for event in each.events]
    assert sum(lost) > 8


ASKED = [YourChoice(question) for question in (Question.PASS, Question.CARD, Question.AGAIN)]
PHASES: list[DealerEvent | type] = [
    *(Seated, TableInfo, YourHand, PassMade, CardsReceived, TrickBegun, CardPlayed),
    *(TrickTaken, TricksDone, Scores, AgainAnswered, AnotherGame(True), AnotherGame(False)),
]


@pytest.mark.parametrize(
    ("cut_at", "sent"),
    [
        *((phase, False) for phase in PHASES),
        *((asked, sent) for asked in ASKED for sent in (False, True)),
    ],
)
async def test_a_cut_in_every_phase(
    cut_at: DealerEvent | type,
    sent: bool,
    tmp_path: Path,
    uncut: list[ClientOutcome],
) -> None:
    """Player 0, who decides about another game, loses their connection once."""
    arguments = ("--end-score", "5")
    if not uncut:
        uncut.extend(await play(tmp_path / "whole", *arguments))
    lives = (lambda: LONG, None, None, None)
    cut = await play(tmp_path / "cut", *arguments, lives=lives, cut_at=cut_at, sent=sent)
    lost = sum(isinstance(event, ConnectionLost) for event in cut[0].events)
    check(cut[0], uncut[0])
    # After New game 0 there is nothing to come back to.
    assert lost == (cut_at != AnotherGame(False))


@pytest.mark.parametrize("dialect", Dialect)
async def test_two_programs_on_one_seat(dialect: Dialect, tmp_path: Path) -> None:
    """The one that had it first stops, and the later one plays on."""
    ended: list[DealerEvent] = []
    lost: list[DealerEvent] = []

    async def follow(client: Client) -> None:
        async for event in client:
            if isinstance(event, SessionEnded):
                ended.append(event)
            elif isinstance(event, ConnectionLost):
                lost.append(event)

    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        options = Options(computers=frozenset({1, 2, 3}))
        wanted = RegistrationRequest("Ann", 5, options=options)
        first = made.client(wanted, lambda: LONG, dialect)
        while not isinstance(await anext(first), YourChoice):
            pass
        assert first.progress is not None
        again = RegistrationRequest.to_come_back(first.progress)
        second = made.client(again, lambda: LONG, dialect)
        nursery.start_soon(follow, first)
        nursery.start_soon(follow, second)
        await trio.sleep(20)
        assert ended == [SessionEnded(complete=False, displaced=True)]
        # The dealer dialect has a word for it, so nobody tries to have the seat back.
        assert bool(lost) is (dialect is Dialect.PLAIN)
        assert not second.is_lost
        assert second.asked is Question.PASS
        nursery.cancel_scope.cancel()
