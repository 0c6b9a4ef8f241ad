"""Coming back against scripted servers: every phase as the point of the cut, in any pieces."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.errors import RemoteProtocolError
from hearts.game.events import (
    CardPlayed,
    ChosenBy,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.plain.client import PlainSession
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    DealerEvent,
    Seated,
    SessionEnded,
    YourChoice,
)
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.table.inputs import Question
from tests.plain.script import (
    BEGUN,
    CARDS,
    HAND,
    HAND_CHOICES,
    HAND_SAID,
    NEW,
    OWN_CHOICES,
    REQUEST,
    SEATED,
    SENT_NAME,
    SIZES,
    TABLE,
    Choice,
    again,
    back,
    back_said,
    back_sent,
    converse,
    example_hand,
    example_past,
    feed,
    ints,
    moon,
    text,
)

ACK = ints(0)
AFTER_ONE = NEW.after(Scores((8, 2, 16, 0)))
OVER_FOR_US = AFTER_ONE.after(Scores((104, 2, 16, 0), (1,), you_decide=True))
OVER = AFTER_ONE.after(Scores((104, 2, 16, 0), (1,)))


def story(events: list[DealerEvent]) -> list[DealerEvent]:
    """What happens at the table, without who made our own choices."""
    told: list[DealerEvent] = []
    for event in events:
        if isinstance(event, PassMade | CardPlayed):
            told.append(replace(event, by=ChosenBy.PLAYER))
        elif isinstance(event, TrickBegun | TrickTaken):
            told.append(event)
    return told


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("decided", range(OWN_CHOICES + 1))
def test_a_hand_cut_at_every_choice(decided: int, size: int) -> None:
    said, choices, sent = example_hand(decided)
    past = example_past(decided)
    session = PlainSession(back(NEW))
    events, out = feed(session, back_said(decided) + said[:past], choices[:1], size=size)
    assert events[0] == CameBack(decided, NEW)
    assert events.count(CaughtUp()) == 1
    asked = [event for event in events if isinstance(event, YourChoice)]
    assert asked == events[events.index(CaughtUp()) :][1:] or size
    assert len(asked) == min(1, OWN_CHOICES - decided)
    more, out_then = feed(session, said[past:], choices[1:], size=size)
    assert out + out_then == back_sent(NEW) + sent
    uncut, _ = converse(HAND_SAID, HAND_CHOICES)
    assert story(events + more) == story(uncut)


def test_more_is_decided_than_the_reply_said() -> None:
    said, choices, _ = example_hand(4)
    past = example_past(4)
    session = PlainSession(back(NEW))
    events, _ = feed(session, back_said(1) + said[:past], choices[:1])
    assert [event for event in events if isinstance(event, YourChoice)] == events[-1:]
    more, _ = feed(session, said[past:], choices[1:])
    assert sum(isinstance(event, YourChoice) for event in more) == OWN_CHOICES - 5


def test_what_is_not_whole_is_not_past() -> None:
    said, _, _ = example_hand(OWN_CHOICES)
    session = PlainSession(back(NEW))
    events, _ = feed(session, back_said(OWN_CHOICES) + said[:-1])
    assert events[-1] == CaughtUp()
    assert feed(session, said[-1:])[0] == [TrickTaken(2, (8, 2, 16, 0))]


def test_the_question_that_stays_open_is_asked_last() -> None:
    events, _ = converse(back_said(0) + ints(*HAND, 1), request=back(NEW))
    assert events == [
        CameBack(0, NEW),
        Seated(NEW.credentials, NEW.names),
        TableInfo.decode([1, 0, 100, 60, 14]),
        YourHand(0, Direction.LEFT, CARDS),
        CaughtUp(),
        YourChoice(Question.PASS),
    ]


def test_nothing_is_asked_for_in_the_past() -> None:
    session = PlainSession(back(NEW))
    events, _ = feed(session, back_said(1) + ints(*HAND, 1))
    assert not any(isinstance(event, YourChoice | CaughtUp) for event in events)
    assert session.asked is None
    events, out = feed(session, ints(1, 5, 4, 9))
    assert events[-1] == CaughtUp()
    assert out == ints(5, 4, 9)


ENDS: dict[str, tuple[ResumeToken, bytes, list[Choice], bytes, list[DealerEvent]]] = {
    "the next hand": (
        AFTER_ONE,
        ints(*HAND, 2),
        [],
        ACK,
        [YourHand(1, Direction.RIGHT, CARDS)],
    ),
    "we are to decide": (
        OVER_FOR_US,
        ints(0, 0),
        [again(True)],
        ints(1) + ACK,
        [
            CaughtUp(),
            YourChoice(Question.AGAIN),
            AgainAnswered(True, ChosenBy.PLAYER),
            AnotherGame(False),
        ],
    ),
    "another decides": (OVER, ints(1) + TABLE, [], 2 * ACK, [AnotherGame(True)]),
    "another has decided": (
        OVER,
        ints(1) + TABLE + ints(*HAND, 0),
        [],
        4 * ACK,
        [AnotherGame(True), YourHand(0, Direction.HOLD, CARDS)],
    ),
}
DECIDED_ENDS: dict[str, tuple[ResumeToken, bytes, bytes, list[DealerEvent]]] = {
    "yes was decided": (
        OVER_FOR_US,
        ints(2, 1) + TABLE + ints(*HAND, 0),
        ints(1) + 4 * ACK,
        [
            AgainAnswered(True, ChosenBy.CLOCK),
            AnotherGame(True),
            YourHand(0, Direction.HOLD, CARDS),
            CaughtUp(),
        ],
    ),
    "no was decided": (
        OVER_FOR_US,
        ints(1, 0),
        ints(0) + ACK,
        [AgainAnswered(False, ChosenBy.CLOCK), AnotherGame(False), CaughtUp()],
    ),
}


def told(events: list[DealerEvent], wanted: list[DealerEvent]) -> list[DealerEvent]:
    kinds = tuple(type(event) for event in wanted)
    return [event for event in events if isinstance(event, kinds)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ENDS)
def test_between_hands_and_games(name: str, size: int) -> None:
    progress, said, choices, sent, wanted = ENDS[name]
    # The choice comes when the replay is read; so the server's answer comes after it.
    session = PlainSession(back(progress))
    events, out = feed(session, back_said(0), choices, size=size)
    more, sent_then = feed(session, said, size=size)
    assert told(events + more, wanted) == wanted
    assert out + sent_then == back_sent(progress) + sent


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DECIDED_ENDS)
def test_play_again_was_decided_meanwhile(name: str, size: int) -> None:
    progress, said, sent, wanted = DECIDED_ENDS[name]
    events, out = converse(back_said(1) + said, size=size, request=back(progress))
    kinds = {type(event) for event in wanted} - {CaughtUp}
    assert [event for event in events if type(event) in kinds] == wanted[: len(kinds)]
    assert events.count(CaughtUp()) == 1
    assert not any(isinstance(event, YourChoice) for event in events)
    assert out == back_sent(progress) + sent


@pytest.mark.parametrize("size", SIZES)
def test_the_moon_is_open(size: int) -> None:
    said, _, sent = example_hand(OWN_CHOICES)
    session = PlainSession(back(NEW))
    # The server's word is all that a client has about who has shot the moon.
    replay = back_said(OWN_CHOICES) + said + ints(0, 1)
    events, out = feed(session, replay, [moon(True)], size=size)
    assert events.index(CaughtUp()) < events.index(YourChoice(Question.MOON))
    assert out == back_sent(NEW) + sent + ints(1)
    assert feed(session, ints(0))[0] == [MoonChosen(0, True, ChosenBy.PLAYER)]


@pytest.mark.parametrize("size", SIZES)
def test_the_moon_is_decided_and_the_scores_are_there(size: int) -> None:
    said, _, sent = example_hand(OWN_CHOICES)
    ended = ints(0, 1, 2, 0, 26, 26, 26, 0)
    session = PlainSession(back(AFTER_ONE))
    events, out = feed(session, back_said(OWN_CHOICES + 1) + said + ended, size=size)
    assert MoonChosen(0, True, ChosenBy.CLOCK) in events
    assert TricksDone(0, True) in events
    assert not any(isinstance(event, YourChoice) for event in events)
    assert out == back_sent(AFTER_ONE) + sent + ints(1) + ACK
    assert session.progress == AFTER_ONE.after(Scores((0, 26, 26, 26)))


def test_progress_goes_with_the_scores() -> None:
    session = PlainSession(REQUEST)
    assert session.progress is None
    feed(session, HAND_SAID, HAND_CHOICES)
    assert session.progress == NEW
    feed(session, ints(-1, 0, 8, 2, 16, 0, 0))
    assert session.progress == AFTER_ONE
    said, choices, _ = example_hand()
    feed(session, said + ints(-1, 0, 104, 2, 16, 0, 11), choices)
    assert session.progress == OVER_FOR_US
    assert OVER_FOR_US.game_over
    feed(session, b"", [again(True)]) if session.asked is None else session.play_again(True)
    feed(session, ints(0, 1) + TABLE)
    assert session.progress == OVER_FOR_US
    said, choices, _ = example_hand()
    feed(session, said + ints(-1, 0, 8, 2, 16, 0, 0), choices)
    assert session.progress is not None
    assert (session.progress.hands, session.progress.game_hands) == (3, 1)


def test_without_a_count_the_hand_dealt_last_comes_as_a_whole() -> None:
    unknown = OVER_FOR_US.without_count()
    said, _, _ = example_hand(OWN_CHOICES)
    ended = ints(-1, 0, 88, 28, 32, 8, 0)
    session = PlainSession(back(unknown))
    events, out = feed(session, back_said(OWN_CHOICES) + said + ended)
    assert events[:1] == [CameBack(OWN_CHOICES, unknown)]
    assert out.startswith(SENT_NAME + ints(-5, 7, 99, 0, 1000, -1))
    assert Scores((88, 28, 32, 8)) in events
    assert session.progress == unknown
    assert session.picture.board.totals == (88, 28, 32, 8)


def test_after_new_game_0_there_is_nothing_to_come_back_to() -> None:
    session = PlainSession(back(OVER))
    feed(session, back_said(0) + ints(0))
    assert session.progress is None
    session.feed(b"")
    assert session.next_event() == SessionEnded(complete=True)


def test_the_picture_goes_on_where_the_scores_were() -> None:
    picture = Picture()

    def receive(progress: ResumeToken, said: bytes) -> None:
        events, _ = converse(back_said(0) + said, request=back(progress))
        for event in events:
            picture.update(event)

    receive(AFTER_ONE, ints(*HAND, 2))
    view = picture.view()
    assert (view.hand_number, view.scores, view.direction) == (1, (8, 2, 16, 0), Direction.RIGHT)
    receive(OVER, b"")
    assert not picture.dealt
    receive(OVER, ints(1) + TABLE + ints(*HAND, 1))
    view = picture.view()
    assert (view.hand_number, view.scores) == (0, (0, 0, 0, 0))


def test_the_rotating_lead_after_coming_back() -> None:
    rotate = ints(1, 1 << 15, 100, 60, 14)
    said = ints(3, 1, 1) + SEATED + rotate + ints(*HAND, 0)
    picture = Picture()
    events, _ = converse(said + ints(1), request=back(AFTER_ONE))
    for event in events:
        picture.update(event)
    assert picture.turn == 1
    *events, first_lead = converse(said + ints(0), request=back(AFTER_ONE))[0][:-2]
    for event in events:
        picture.update(event)
    with pytest.raises(RemoteProtocolError, match="cannot lead"):
        picture.update(first_lead)
    # Without a count any hand may be the one dealt last.
    for event in converse(said + ints(0), request=back(AFTER_ONE.without_count()))[0]:
        picture.update(event)
    assert picture.turn == 0


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (ints(0, 1, 0), "COME_BACK_REPLY"),
        (ints(0, 1, 1, 8, 99) + 4 * text("Ann"), "got another"),
        (ints(0, 1, 1, 7, 98) + 4 * text("Ann"), "got another"),
        (back_said(0) + ints(*HAND, 1, 0), "accepted before it was sent"),
    ],
)
def test_what_no_server_says(said: bytes, why: str) -> None:
    with pytest.raises(RemoteProtocolError, match=why):
        converse(said, request=back(NEW))


def test_the_end_in_the_middle_of_a_replay() -> None:
    session = PlainSession(back(NEW))
    events, _ = feed(session, back_said(3) + ints(*HAND))
    session.feed(b"")
    assert session.next_event() == SessionEnded(complete=False)
    assert CaughtUp() not in events
    assert session.progress == NEW


def test_a_new_session_knows_nothing_of_a_past() -> None:
    events, out = converse(BEGUN)
    assert not any(isinstance(event, CameBack | CaughtUp) for event in events)
    assert ints(-5) not in out
    assert out.startswith(SENT_NAME)
