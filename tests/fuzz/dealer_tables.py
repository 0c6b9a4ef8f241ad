"""Targets: a client's frames at a real table, and a watcher's."""

from __future__ import annotations

from collections.abc import Iterable

from hearts.dealer.beside import ANSWERS, Ping
from hearts.dealer.frames import SERVER_PAYLOAD_LIMIT, FrameBuffer, MessageType, encode_frame
from hearts.dealer.listener import IDLE_BYTES, WatcherSeat
from hearts.dealer.messages import MESSAGES
from hearts.errors import RemoteProtocolError
from hearts.session.table_words import Introduction, PlayerKind
from hearts.table.inputs import Abort, OpenSeat, ProposeAbort, ProposeRules, ReplacePlayer
from hearts.wire.codec import encode_ints
from tests.dealer.payloads import Said, frame

from .desk import RULES, ClientManner, FuzzDesk, FuzzPeer
from .fuzz_tables import LONGEST, lead
from .source import Source, pieces

MANNERS = (
    (ClientManner.DEALER, ClientManner.DEALER),
    (ClientManner.DEALER, ClientManner.PLAIN),
    (ClientManner.CUTS, ClientManner.DEALER),
    (ClientManner.CUTS, ClientManner.CUTS),
    (ClientManner.PLAIN, ClientManner.DEALER),
)
TYPES = (*sorted(ANSWERS), 999)


def request(source: Source, number: int) -> Said:
    """Something that a client may say at any time; ``number`` is 0 to 15."""
    match number % 8:
        case 0 | 1:
            return ProposeRules(0, source.pick(RULES), 1 + source.byte())
        case 2 | 3:
            return ReplacePlayer(0, number // 8 + 1)
        case 4 | 5:
            return OpenSeat(0, number // 8 + 2)
        case 7:
            return ProposeAbort(0, Abort.GAME if source.byte() & 1 else Abort.HAND)
        case _:
            return Ping(source.take(number))


def any_frame(source: Source, latest: int) -> bytes:
    """A frame of any type; often it answers something near the ``latest`` sequence."""
    kind = source.pick(TYPES)
    near = source.byte()
    number = 0 if near < 64 else latest - near % 8 if near < 224 else source.int32()
    payload = encode_ints(*[source.int32() for _ in range(near % 4)])
    if near & 16:
        payload += source.take(64)
    return encode_frame(kind, number, payload)


def _latest(peer: FuzzPeer) -> int:
    """How many frames a client was sent."""
    if not peer.dealer:
        return 0
    buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
    # The replies of the registration are no frames.
    buffer.feed(b"".join(peer.said[1:]))
    return sum(1 for _ in iter(buffer.take, None))


def dealer_seat(data: bytes) -> None:
    """Whatever frames a client sends, its table plays by the rules; watchers can follow it."""
    source = Source(data[:LONGEST])
    desk = FuzzDesk(source, source.pick(MANNERS))
    lead(desk, source, lambda source, led: any_frame(source, _latest(led)), _beside, _ask_for)


def _beside(desk: FuzzDesk, many: int) -> None:
    """What happens beside the led client."""
    good = desk.peers[1]
    match many % 5:
        case 0:
            desk.lose(good)
        case 1:
            desk.return_to(good, many)
        case 2:
            desk.look_on()
        case _:
            desk.take_seat(2 + many % 2, many)


def _ask_for(desk: FuzzDesk, source: Source, many: int) -> None:
    """The led client says what it may say at any time, or who it is."""
    led = desk.peers[0]
    if not led.dealer:
        return
    if many == 16:
        cuts = bool(source.byte() & 1)
        # A client that has said another hash is asked for its value, and does not know it.
        led.client.behaves = led.client.behaves and not cuts
        digest = source.pick((b"", bytes([source.byte() or 1]) * 32))
        said = Introduction(PlayerKind.PERSON, 3 * source.byte(), cuts, "me", digest)
        desk.say(led, frame(said, 1))
        return
    asked = request(source, many - 1)
    desk.say(led, frame(asked))


def watcher(data: bytes) -> None:
    """A watcher's bytes are answered where they are pings, however they were cut."""
    source = Source(data)
    many = source.byte()
    cuts = source.cuts()
    payload = source.rest()
    if many & 1:
        # Behind that much there is not room for much more.
        payload = encode_frame(999, 0, bytes(1000)) * 65 + payload
    whole, replies = _watch([payload])
    cut, also = _watch(pieces(payload, cuts))
    if "bytes without" not in whole + cut:
        # Where a limit is passed depends on what came at once.
        assert (cut, also) == (whole, replies)
    buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
    buffer.feed(replies)
    for pong in iter(buffer.take, None):
        assert (pong.type, pong.number) == (MessageType.PONG, 0)
        MESSAGES[pong.type].decode(pong.payload)
    assert not len(buffer)
    assert len(replies) <= len(payload)


def _watch(fed: Iterable[bytes]) -> tuple[str, bytes]:
    seat = WatcherSeat()
    replies = b""
    fed_bytes = 0
    for piece in fed:
        fed_bytes += len(piece)
        try:
            assert seat.receive(piece) == []
        except RemoteProtocolError as error:
            return str(error), replies + seat.take_replies()
        replies += seat.take_replies()
        assert not seat.early
        assert replies or fed_bytes <= IDLE_BYTES
    return "", replies
