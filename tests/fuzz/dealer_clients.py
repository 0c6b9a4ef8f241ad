"""Target: the sessions of players and watchers in the dealer dialect, fed by any server."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.dealer.frames import HEADER, SERVER_PAYLOAD_LIMIT, Frame, FrameBuffer
from hearts.errors import RemoteProtocolError
from hearts.session.client_registration import RegistrationRequest
from hearts.wire.codec import encode_ints
from tests.hosting.desk import GAME

from .clients import FuzzPlayer, edited
from .desk import REPLIES_TO_WATCHERS, ClientManner, FuzzDesk, FuzzPeer
from .follower import FollowingWatcher, own_cuts
from .frames import MESSAGE_TYPES
from .source import Source, pieces

OWN_CUTS = own_cuts(0)


@dataclass(frozen=True)
class HeardVisit:
    """What a server said over one connection."""

    request: RegistrationRequest | None
    """That of a player; None for a watcher."""
    replies: bytes
    """The answers to the option blocks."""
    frames: tuple[Frame, ...]


def _visit(request: RegistrationRequest | None, said: bytes, replies: int) -> HeardVisit:
    buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
    buffer.feed(said[replies:])
    frames = tuple(iter(buffer.take, None))
    assert not len(buffer)
    return HeardVisit(request, said[:replies], frames)


def _of_player(peer: FuzzPeer) -> HeardVisit:
    return _visit(peer.request, b"".join(peer.said), len(peer.said[0]))


def _play(desk: FuzzDesk, hands: int) -> None:
    """Play until so many hands are over, and some tricks more."""
    for _ in range(400):
        for peer in desk.peers:
            peer.read(card=1)
            desk.say(peer, peer.take_unsent())
        if desk.ended or (desk.table.past.hands_scored() >= hands and len(desk.lines) % 40 > 30):
            return


@cache
def visits() -> tuple[HeardVisit, ...]:
    """Sessions of some kinds of rules: two players, who come back once, and two watchers."""
    made: list[HeardVisit] = []
    for rules, end in ((0, 0), (1, 1), (2, 2), (4, 0)):
        desk = FuzzDesk(
            Source(bytes([0, 1, rules, end, 1])), (ClientManner.CUTS, ClientManner.DEALER)
        )
        desk.look_on()
        _play(desk, 1)
        made += map(_of_player, desk.peers)
        for peer in desk.peers:
            desk.return_to(peer, 0)
        desk.look_on()
        _play(desk, 2)
        made += map(_of_player, desk.peers)
        replies = len(REPLIES_TO_WATCHERS)
        made += [_visit(None, onlooker.data, replies) for onlooker, _ in desk.onlookers]
    return tuple(made)


class FuzzWatcher(FollowingWatcher):
    """A watcher of any server."""

    def __init__(self) -> None:
        super().__init__(WatcherSession(GAME))
        self.said = b""

    def receive(self, data: bytes, *, at_end: bool = False, card: int = 0) -> bytes:
        """Take bytes from the server; empty bytes are the end of the stream."""
        try:
            self.said += super().receive(data, at_end=not data)
        except RemoteProtocolError as error:
            self.heard.append(str(error))
            self.said += self.session.bytes_to_send()
        return b""


class _Eager(DealerSession):
    """Shows its value before it reads on, as nothing has to be stored."""

    def _on_cut_query(self, deal: int) -> None:
        super()._on_cut_query(deal)
        if self.owes_cut:
            self.owes_cut = False
            self.show_cut()


def _listen(visit: HeardVisit, choices: bytes, fed: Iterable[bytes]) -> FuzzPlayer | FuzzWatcher:
    request = visit.request
    listener: FuzzPlayer | FuzzWatcher = (
        FuzzWatcher()
        if request is None
        else FuzzPlayer(_Eager(request, deals=DealVerifier(OWN_CUTS)), choices)
    )
    for piece in fed:
        listener.receive(piece)
    listener.receive(b"")
    # Every session ends with an event, or with an error.
    assert listener.session.closed
    assert listener.session.next_event() is None
    return listener


def _changed(frames: list[Frame], source: Source) -> None:
    at = source.below(65536) % (len(frames) or 1)
    how = source.below(12)
    if how == 0 or not frames:
        kind = source.pick(MESSAGE_TYPES)
        ints = [source.int32() for _ in range(source.below(16))]
        frames.insert(at, Frame(kind, 0, encode_ints(*ints)))
    elif how == 1:
        frames.insert(at, frames[source.below(65536) % len(frames)])
    elif how == 2:
        frames.append(frames.pop(at))
    elif how == 3:
        del frames[at:]
    else:
        kind, _, payload = frames[at]
        payload = edited(payload, how - 4, source.byte(), source.int32())
        frames[at] = Frame(kind, 0, payload)


def dealer_client(data: bytes) -> None:
    """A session that differs from one of good manners is followed, or blamed; the same however cut.

    The frames are counted anew behind a change, so that it is looked at.
    """
    source = Source(data)
    visit = visits()[source.below(65536) % len(visits())]
    choices = source.take(source.byte() % 8)
    cuts = source.cuts()
    frames = list(visit.frames)
    for _ in range(source.below(6)):
        _changed(frames, source)
    counts = visit.request is not None
    payload = visit.replies + b"".join(
        [
            HEADER.pack(frame.type, counts * number, len(frame.payload)) + frame.payload
            for number, frame in enumerate(frames, 1)
        ]
    )
    if source.byte() & 1:
        payload = edited(payload, source.below(8), source.byte(), source.int32())
    payload += source.rest()
    whole = _listen(visit, choices, [payload])
    cut = _listen(visit, choices, pieces(payload, cuts))
    assert cut.heard == whole.heard
    assert cut.said == whole.said
