"""Targets: the frames of the dealer dialect, and the payloads in them, both ways."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from hearts.dealer import frames as f
from hearts.dealer.beside import ANSWERS, Ping
from hearts.dealer.messages import MESSAGES, Pong
from hearts.errors import RemoteProtocolError
from hearts.session.table_words import Introduction, InvitationMessage, TableMessage, Waiting
from hearts.session.wishes import AnswerInvitation, BeInvitable
from hearts.table.effects import AbortProposed, RulesAgreed, RulesProposed, SeatWanted
from hearts.table.inputs import AnswerAgain, GiveSeat, ProposeRules, Vote
from hearts.wire.codec import encode_ints
from tests.dealer.payloads import Codec, decode_as, payload

from .source import Source, same

ANSWER_TYPES = tuple(sorted(ANSWERS))
MESSAGE_TYPES = tuple(sorted(MESSAGES))
_TRUTHS = (
    *(AnswerAgain, Vote),
    *(GiveSeat, BeInvitable, AnswerInvitation),
)
"""What has an int of which each other than 0 means the same."""
_ELSEWISE = (
    *(Waiting, InvitationMessage, RulesProposed, SeatWanted, AbortProposed),
    *(TableMessage, ProposeRules, RulesAgreed),
)
"""Values with a state that follows from the rest, a time in whole seconds, or bits of rules behind
all else, which may be left out, and of which the low ones count for nothing."""


def frames(data: bytes) -> None:
    """Frames are the same however the bytes were cut; no more is kept than the longest one."""
    source = Source(data)
    limit = source.pick((f.CLIENT_PAYLOAD_LIMIT, f.SERVER_PAYLOAD_LIMIT, 16))
    cuts = source.cuts()
    payload = source.rest()
    whole = same(payload, cuts, partial(_frames, limit))
    written = b"".join([f.encode_frame(*frame) for frame in whole if isinstance(frame, f.Frame)])
    assert payload.startswith(written)


def _frames(limit: int, fed: Iterable[bytes]) -> list[f.Frame | str]:
    buffer = f.FrameBuffer(limit)
    taken: list[f.Frame | str] = []
    for piece in fed:
        buffer.feed(piece)
        try:
            while (frame := buffer.take()) is not None:
                assert len(frame.payload) <= limit
                taken.append(frame)
        except RemoteProtocolError as error:
            return [*taken, str(error)]
        assert len(buffer) < f.HEADER.size + limit
    return taken


def answers(data: bytes) -> None:
    source = Source(data)
    _payload(ANSWERS[source.pick(ANSWER_TYPES)], source)


def dealer_messages(data: bytes) -> None:
    source = Source(data)
    _payload(MESSAGES[source.pick(MESSAGE_TYPES)], source)


def _payload(codec: Codec, source: Source) -> None:
    head = encode_ints(*[source.int32() for _ in range(source.byte() % 64)])
    data = head + source.rest()
    try:
        read = decode_as(codec, data)
    except RemoteProtocolError:
        return
    if None in (getattr(read, "wish", 0), getattr(read, "change", 0)):
        return  # Only a later version knows it.
    written = payload(read)
    assert decode_as(codec, written) == read
    has_no_hash = isinstance(read, Introduction) and read.cuts and not read.next_hash
    # What is behind a comment is a hash.
    if codec.value not in (Ping, Pong) and not has_no_hash:
        # A later version may add fields.
        assert data.startswith(written) or type(read) in (*_TRUTHS, *_ELSEWISE)
        assert decode_as(codec, written + b"more") == read
