"""Targets: the frames of the dealer dialect, and the payloads in them, both ways."""

from __future__ import annotations

from collections.abc import Iterable

from hearts.dealer.answers import (
    ANSWERS,
    AbortAnswer,
    AgainAnswer,
    GiveSeatAnswer,
    Introduction,
    InvitableRequest,
    InvitationAnswer,
    RulesAnswer,
)
from hearts.dealer.frames import (
    CLIENT_PAYLOAD_LIMIT,
    HEADER,
    SERVER_PAYLOAD_LIMIT,
    Frame,
    FrameBuffer,
    encode_frame,
)
from hearts.dealer.layout import Packed, kinds_of
from hearts.dealer.messages import MESSAGES
from hearts.errors import RemoteProtocolError
from hearts.wire.codec import encode_ints

from .source import Source, pieces

ANSWER_TYPES = tuple(sorted(ANSWERS))
MESSAGE_TYPES = tuple(sorted(MESSAGES))
_TRUTHS = (
    *(RulesAnswer, AgainAnswer, AbortAnswer),
    *(GiveSeatAnswer, InvitableRequest, InvitationAnswer),
)
"""What has an int of which each other than 0 means the same."""


def frames(data: bytes) -> None:
    """Frames are the same however the bytes were cut; no more is kept than the longest one."""
    source = Source(data)
    limit = source.pick((CLIENT_PAYLOAD_LIMIT, SERVER_PAYLOAD_LIMIT, 16))
    cuts = source.cuts()
    payload = source.rest()
    whole = _frames(limit, [payload])
    assert _frames(limit, pieces(payload, cuts)) == whole
    written = b"".join([encode_frame(*frame) for frame in whole if isinstance(frame, Frame)])
    assert payload.startswith(written)


def _frames(limit: int, fed: Iterable[bytes]) -> list[Frame | str]:
    buffer = FrameBuffer(limit)
    taken: list[Frame | str] = []
    for piece in fed:
        buffer.feed(piece)
        try:
            while (frame := buffer.take()) is not None:
                assert len(frame.payload) <= limit
                taken.append(frame)
        except RemoteProtocolError as error:
            return [*taken, str(error)]
        assert len(buffer) < HEADER.size + limit
    return taken


def answers(data: bytes) -> None:
    """A payload of a client is read as what is written as the same, or refused."""
    source = Source(data)
    _payload(ANSWERS[source.pick(ANSWER_TYPES)], source)


def dealer_messages(data: bytes) -> None:
    """The same for a payload of the server."""
    source = Source(data)
    _payload(MESSAGES[source.pick(MESSAGE_TYPES)], source)


def _payload(kind: type[Packed], source: Source) -> None:
    head = encode_ints(*[source.int32() for _ in range(source.byte() % 64)])
    payload = head + source.rest()
    try:
        read = kind.decode(payload)
    except RemoteProtocolError:
        return
    written = read.encode()
    assert kind.decode(written) == read
    has_no_hash = isinstance(read, Introduction) and read.cuts and not read.next_hash
    # What is behind a comment is a hash.
    if kinds_of(kind) and not has_no_hash:
        # A later version may add fields.
        assert payload.startswith(written) or kind in _TRUTHS
        assert kind.decode(written + b"more") == read
