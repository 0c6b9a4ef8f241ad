"""Cuts as a client of the dealer dialect sends them: what it shows, when, and for which promise."""

from __future__ import annotations

import pytest

from hearts.dealer import messages as said
from hearts.dealer.client import DealerSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.dealer.frames import DealerState, FrameBuffer, MessageType, encode_frame
from hearts.errors import Fault, RemoteProtocolError
from hearts.game.cards import four
from hearts.game.cuts import NO_HASHES, hash_of
from hearts.game.deal import NO_CUTS, commitment
from hearts.session import table_words as w
from hearts.session.client_events import DealChecked, DealerEvent
from hearts.session.own_cuts import OwnCuts
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction
from hearts.table.effects import DealDisclosed, DealPromised, HandAborted
from hearts.table.inputs import Cut
from hearts.wire.codec import encode_ints
from tests.dealer.payloads import Told, frame, payload, read
from tests.plain.script import back

from . import client_desk as desk

SECRET = bytes(range(16))
OWN = OwnCuts(bytes(range(32)))
PROOF = said.DealProof(1, SECRET, NO_CUTS, NO_HASHES, ())
QUERY = said.CutMessage(60_000, DealerState.SHUFFLING, 1)
_CLIENT_LIMIT = 1024


def promise_to(own: OwnCuts, *, secret: bytes = SECRET, theirs: bytes = b"") -> Told:
    hashes = four((own.next_hash, theirs, b"", b""))
    return DealPromised(1, commitment(secret), hashes)


PROMISE = promise_to(OWN)
REPLAYED = (*desk.SEATED, w.Replay(True), desk.BEGUN[-1], PROMISE, w.Replay(False))


def introduction(own: OwnCuts) -> bytes:
    return payload(Introduction(cuts=True, next_hash=own.next_hash))


def answers(sent: bytes, kind: MessageType) -> list[tuple[int, bytes]]:
    """What was sent of a type behind the registration: in reply to what, and the payload."""
    buffer = FrameBuffer(_CLIENT_LIMIT)
    buffer.feed(sent[len(desk.SENT_REGISTRATION) :])
    found = list(iter(buffer.take, None))
    return [(frame.number, frame.payload) for frame in found if frame.type == kind]


def shown(sent: bytes) -> list[Cut]:
    return [read(Cut, payload, player=0) for _, payload in answers(sent, MessageType.CUT)]


def receive(session: DealerSession, *messages: Told) -> tuple[list[DealerEvent], bytes]:
    events, sent = desk.listen(session, desk.begun(*desk.BEGUN, *messages))
    if session.owes_cut:
        session.owes_cut = False
        session.show_cut()
        sent += session.bytes_to_send()
    return events, sent


def test_who_does_not_cut_does_not() -> None:
    promise = DealPromised(1, commitment(SECRET), NO_HASHES)
    events, sent = desk.converse(*desk.BEGUN, promise, QUERY)
    assert events[-1] == DealPromised(1, commitment(SECRET))
    assert sent == desk.SENT_REGISTRATION + desk.UNSAID


def test_a_value_is_shown_with_the_hash_of_the_next_one() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    _, sent = receive(session, PROMISE, QUERY)
    assert answers(sent, MessageType.REGISTER_PLAYER) == [(1, introduction(OWN))]
    ((number, payload),) = answers(sent, MessageType.CUT)
    assert number == len(desk.BEGUN) + 2
    answer = read(Cut, payload, player=0)
    assert hash_of(answer.value) == OWN.next_hash
    after = session.progress
    assert after is not None
    assert after.cuts is not None
    assert answer.next_hash == after.cuts.next_hash != OWN.next_hash


def test_what_has_come_behind_the_query_settles_it() -> None:
    """A value is shown when all that has come is read."""
    for behind in ([promise_to(OWN, secret=bytes(16))], desk.DEALT[len(desk.BEGUN) :]):
        session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
        _, sent = receive(session, PROMISE, QUERY, *behind)
        assert not session.owes_cut
        assert not shown(sent)


def test_it_waits_until_the_promise_is_kept() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    _, sent = desk.listen(session, desk.begun(*desk.BEGUN, PROMISE, QUERY))
    assert session.owes_cut
    assert not shown(sent)
    assert session.progress is not None
    kept = ResumeToken.from_dict(session.progress.to_dict()).cuts
    assert kept is not None
    ((promise, *_),) = ((own.promise, own.value) for own in kept.held)
    assert (promise.deal, promise.digest) == (1, commitment(SECRET))
    assert (kept.latest, kept.is_open) == (1, True), "it counts as shown"
    session.show_cut()
    assert session.bytes_to_send()


def kept_by(session: DealerSession) -> ResumeToken:
    assert session.progress is not None
    return ResumeToken.from_dict(session.progress.to_dict())


def come_back(kept: ResumeToken, *messages: Told) -> tuple[DealerSession, bytes]:
    """A program that is started again; what it sends behind its registration."""
    session = DealerSession(back(kept), deals=DealVerifier(kept.cuts))
    _, sent = desk.listen(session, encode_ints(2, 1, 1, 1) + desk.frames(desk.ASK, *messages))
    if session.owes_cut:
        session.owes_cut = False
        session.show_cut()
        sent += session.bytes_to_send()
    return session, sent


def test_a_program_that_is_started_again_shows_the_same_value_for_the_same_promise() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    _, sent = receive(session, PROMISE, QUERY)
    (first,) = shown(sent)
    _, again = come_back(kept_by(session), *REPLAYED, QUERY)
    assert again.endswith(frame(first, 8))


def test_and_none_for_another_one() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    receive(session, PROMISE, QUERY)
    for other in (promise_to(OWN, secret=bytes(16)), promise_to(OWN, theirs=hash_of(b"late"))):
        changed = [other if message is PROMISE else message for message in REPLAYED]
        later, sent = come_back(kept_by(session), *changed, QUERY)
        assert encode_ints(MessageType.CUT, 8, 64) not in sent
        assert not later.owes_cut


def test_a_promise_that_was_made_while_we_were_away_uses_the_hash_up() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    receive(session)
    later, sent = come_back(kept_by(session), *REPLAYED)
    own = kept_by(later).cuts
    assert own is not None
    assert own.next == 1
    assert sent.endswith(encode_frame(MessageType.REGISTER_PLAYER, 0, introduction(own)))


def test_a_hand_that_begins_without_our_value_asks_for_the_next_hash() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    _, sent = receive(session, PROMISE, *desk.DEALT[len(desk.BEGUN) :])
    own = kept_by(session).cuts
    assert own is not None
    said_again = answers(sent, MessageType.REGISTER_PLAYER)
    assert said_again == [(1, introduction(OWN)), (0, introduction(own))]


def test_a_value_that_came_too_late_takes_its_next_hash_with_it() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    number = len(desk.BEGUN) + 2
    receive(session, PROMISE, QUERY)
    late = said.AnswerError(number, MessageType.CUT, Fault.TOO_LATE, -1, "")
    _, sent = desk.listen(session, desk.frames(late, first=number + 1))
    own = kept_by(session).cuts
    assert own is not None
    assert sent == encode_frame(MessageType.REGISTER_PLAYER, 0, introduction(own))


def test_who_says_that_they_cut_no_more_says_no_hash() -> None:
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    receive(session)
    session.introduce(Introduction(comment="enough"))
    assert session.bytes_to_send().endswith(payload(Introduction(comment="enough")))
    session.introduce(Introduction(cuts=True))
    assert session.bytes_to_send().endswith(introduction(OWN))


def test_a_proof_that_leaves_our_value_out_and_does_not_say_so_proves_nothing() -> None:
    """It is no end of the connection: the player is told."""
    session = DealerSession(desk.REQUEST, deals=DealVerifier(OWN))
    events, _ = desk.listen(
        session, desk.begun(*desk.BEGUN, PROMISE, *desk.DEALT[len(desk.BEGUN) :], PROOF)
    )
    assert events[-1] == DealDisclosed(1, SECRET, NO_CUTS, None)


def test_a_proof_comes_when_the_hand_is_over_or_broken_off() -> None:
    """Whoever has it knows all hands."""
    dealt = desk.DEALT[len(desk.BEGUN) :]
    for early in ((PROMISE, PROOF), (PROMISE, *dealt, PROOF, desk.PASS_QUERY)):
        with pytest.raises(RemoteProtocolError, match="cannot come now"):
            desk.converse(*desk.BEGUN, *early)
    events, _ = desk.converse(*desk.BEGUN, PROMISE, *dealt, PROOF, HandAborted(1))
    assert events[-1] == HandAborted(1)


def test_a_hand_that_is_broken_off_without_a_proof() -> None:
    dealt, broken_off = (*desk.BEGUN, PROMISE, *desk.DEALT[len(desk.BEGUN) :]), HandAborted(1)
    events, _ = desk.converse(*dealt, broken_off)
    assert events[-2] == DealChecked(1, "its proof did not come over the game")
    deals, picture = DealVerifier(), Picture()
    session = DealerSession(desk.REQUEST, deals=deals, picture=picture)
    desk.listen(session, desk.begun(*dealt))
    later = DealerSession(back(kept_by(session)), deals=deals, picture=picture)
    past = (desk.ASK, *desk.SEATED, w.Replay(True), desk.BEGUN[-1], broken_off, w.Replay(False))
    events, _ = desk.listen(later, encode_ints(2, 1, 1, 1) + desk.frames(*past))
    assert HandAborted(1) in events
    assert not any(isinstance(event, DealChecked) for event in events), "the past has no proof"


def test_a_promise_comes_before_the_hand() -> None:
    with pytest.raises(RemoteProtocolError, match="cannot come now"):
        desk.converse(*desk.BEGUN, *desk.DEALT[len(desk.BEGUN) :], PROMISE)
