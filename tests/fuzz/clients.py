"""Targets: the sessions of clients, fed by servers of any manners, and the taunt server's session.

A session is fed the same bytes whole and in pieces, and must hear and say the same.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import cache

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import CARDS, Card
from hearts.game.view import View
from hearts.plain.client import PlainSession
from hearts.session.client_events import DealerEvent, Seated, SessionEnded, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options, Scores
from hearts.session.resume_token import ResumeToken
from hearts.table.inputs import Question
from hearts.taunt.announcer import Announcer
from hearts.taunt.client import ClientSession as TauntSession
from hearts.taunt.client import Delivery, Registered
from hearts.taunt.messages import TAUNT_LIMIT, encode_delivery, encode_taunt, shorten
from hearts.taunt.server import Register, ServerSession, Taunt, TooLong, Unreadable
from hearts.wire.codec import TEXT_LIMIT
from hearts.wire.credentials import SERVER_PLAYER, SeatCredentials, are_genuine
from tests.vectors.transcript import TranscriptKind, TranscriptLine, plain_cases

from .follower import PlayerSession, choose
from .source import ODD_INTS, Source, pieces, same

SECRET = bytes(range(32))
NUMBERS = SeatCredentials(7, 1282901695, 0, 1000)
REQUESTS = (
    RegistrationRequest("Ann", 1000),
    RegistrationRequest("Ann", 1000, list_only=True),
    RegistrationRequest("Ann", 1000, password="fish", table="friends"),
    RegistrationRequest("Ann", 1000, options=Options(frozenset({1, 2, 3}))),
    RegistrationRequest.to_come_back(ResumeToken(NUMBERS, ("Ann", "Moe", "Larry", "Curly"))),
    RegistrationRequest.to_come_back(
        ResumeToken(
            NUMBERS, ("Ann", "Moe", "Larry", "Curly"), 4, 4, Scores((8, 100, 16, 0), (3,), True)
        )
    ),
)


class FuzzPlayer:
    """A client that follows the game and chooses, or is silent, by the bytes of the input."""

    def __init__(self, session: PlayerSession, choices: bytes) -> None:
        self.session = session
        self.heard: list[object] = []
        self.said = b""
        self.over = False
        self._choices = choices
        self._asked = 0

    def receive(self, data: bytes) -> None:
        """Take bytes from the server; empty bytes are the end of the stream."""
        if self.over:
            return
        self.session.feed(data)
        try:
            while (event := self.session.next_event()) is not None:
                assert not self.heard or not isinstance(self.heard[-1], SessionEnded)
                self._take(event)
        except RemoteProtocolError as error:
            self.heard.append(str(error))
            self.session.close()
            self.over = True
        self.said += self.session.bytes_to_send()

    def _take(self, event: DealerEvent) -> None:
        self.heard.append(event)
        if isinstance(event, Seated):
            assert 0 <= event.player <= 3
        if isinstance(event, YourChoice):
            how = self._choices[self._asked % len(self._choices)] if self._choices else 1
            self._asked += 1
            if how:

                def pick(view: View) -> Card:
                    cards = view.legal_cards or view.cards
                    return cards[how % len(cards)]

                choose(self.session, event.question, pick, bool(how & 1))


def client(data: bytes) -> None:
    """A client that any server talks to hears the same, however the bytes were cut."""
    source = Source(data)
    request = source.pick(REQUESTS)
    choices = source.take(source.byte() % 8)
    cuts = source.cuts()
    payload = source.rest()
    players = []
    for fed in ([payload], pieces(payload, cuts)):
        player = FuzzPlayer(PlainSession(request), choices)
        for piece in fed:
            player.receive(piece)
        player.receive(b"")
        # Every session ends with an event, or with an error.
        assert player.session.closed
        players.append(player)
    whole, cut = players
    if request.come_back is not None:
        # What counts as past, and so is not asked for, depends on what has arrived.
        return
    assert cut.heard == whole.heard
    assert cut.said == whole.said


@cache
def visits() -> list[list[TranscriptLine]]:
    return [lines for case in plain_cases() for good, lines in case.connections() if good]


def transcript(data: bytes) -> None:
    """A server that differs from a golden transcript here and there is followed, or blamed."""
    source = Source(data)
    lines = visits()[source.below(65536) % len(visits())]
    cuts = source.cuts()
    edits: dict[int, list[tuple[int, int, int]]] = {}
    for _ in range(source.below(6)):
        at = source.below(65536) % len(lines)
        edits.setdefault(at, []).append((source.below(8), source.byte(), source.int32()))
    player = FuzzPlayer(PlainSession(REQUESTS[0]), b"\0")
    _follow(player, lines, edits, cuts)
    if not player.over:
        player.receive(b"")
        assert player.session.closed


def _follow(
    player: FuzzPlayer,
    lines: list[TranscriptLine],
    edits: dict[int, list[tuple[int, int, int]]],
    cuts: bytes,
) -> None:
    for index, line in enumerate(lines):
        if line.kind is TranscriptKind.RECEIVED:
            data = line.data
            for edit in edits.get(index, ()):
                data = edited(data, *edit)
            for piece in pieces(data, cuts):
                player.receive(piece)
        elif line.kind is TranscriptKind.CHOSEN:
            assert isinstance(player.session, PlainSession)
            _repeat(player.session, line.data)
            player.said += player.session.bytes_to_send()


def edited(data: bytes, how: int, place: int, value: int) -> bytes:
    """The data with one change; ``how`` is one of 8 kinds."""
    at = place % (len(data) or 1)
    number = 4 * (place % (len(data) // 4 or 1))
    match how:
        case 0:
            return (
                data[:at] + bytes([data[at] ^ (value & 0xFF or 1)]) + data[at + 1 :]
                if data
                else b""
            )
        case 1:
            return b""
        case 2:
            return data + data
        case 3:
            return data[:at]
        case 4:
            return data[:at] + bytes(value & 7) + data[at:]
        case 5:
            odd = ODD_INTS[value % len(ODD_INTS)]
            return data[:number] + struct.pack(">i", odd) + data[number + 4 :]
        case _:
            return data[:number] + struct.pack(">i", value) + data[number + 4 :]


def _repeat(session: PlainSession, chosen: bytes) -> None:
    values = struct.unpack(f">{len(chosen) // 4}i", chosen)
    try:
        match session.asked:
            case Question.PASS if len(values) == 3:
                session.pass_cards([_card(session, index) for index in values])
            case Question.CARD:
                session.play(_card(session, values[0]))
            case Question.MOON:
                session.choose_moon(bool(values[0]))
            case Question.AGAIN:
                session.play_again(bool(values[0]))
            case _:
                pass
    except LocalProtocolError:
        # The transcript's card is not in this hand any more.
        return


def _card(session: PlainSession, index: int) -> Card:
    cards = session._cards
    return cards[index] if 0 <= index < len(cards) else CARDS[0]


def taunt_server(data: bytes) -> None:
    """The taunt server's session hears the same however cut, and repeats what can be repeated."""
    source = Source(data)
    verdict = source.below(4)
    cuts = source.cuts()

    def feed(fed: Iterable[bytes]) -> list[object]:
        session = ServerSession()
        events: list[object] = []
        try:
            for piece in fed:
                session.feed(piece)
                while (event := session.next_event()) is not None:
                    events.append(event)
                    if isinstance(event, Register) and verdict:
                        (session.refuse if verdict == 1 else session.accept)()
        except RemoteProtocolError as error:
            events.append(str(error))
            session.feed(bytes(2000))
            assert session.next_event() is None
        return events

    for event in same(source.rest(), cuts, feed):
        match event:
            case Taunt(credentials, text):
                assert encode_taunt(credentials, text)
                assert encode_delivery(0, text)
            case TooLong(_, length):
                assert TAUNT_LIMIT < length <= TEXT_LIMIT
            case Unreadable(_, why):
                assert encode_delivery(-1, shorten(why))
            case _:
                pass


def taunt_client(data: bytes) -> None:
    """A client of any taunt server hears the same however cut; a delivery is what was sent."""
    source = Source(data)
    cuts = source.cuts()

    def feed(fed: Iterable[bytes]) -> list[object]:
        session = TauntSession(NUMBERS)
        session.register()
        return _listen(session, fed)

    for event in same(source.rest(), cuts, feed):
        if isinstance(event, Delivery) and len(event.text.encode()) <= TAUNT_LIMIT:
            session = TauntSession(NUMBERS)
            session.register()
            delivered = (1).to_bytes(4, "big") + encode_delivery(event.player, event.text)
            assert _listen(session, [delivered]) == [Registered(), event]


def _listen(session: TauntSession | Announcer, fed: Iterable[bytes]) -> list[object]:
    events: list[object] = []
    try:
        for piece in fed:
            session.feed(piece)
            while (event := session.next_event()) is not None:
                events.append(event)
    except RemoteProtocolError as error:
        events.append(str(error))
        session.feed(bytes(2000))
        assert session.next_event() is None
    return events


def announcer(data: bytes) -> None:
    """What the game server announces reaches the taunt server as it is, or cut."""
    source = Source(data)
    game, process_id = source.int32(), source.int32() & 0x7FFFFFFF
    cuts = source.cuts()
    text = source.chunk().decode("utf-8", "replace") * (1 + source.below(40))
    speaker = Announcer(SECRET, process_id)
    said = [speaker.register()]
    _listen(speaker, pieces(source.rest(), cuts))
    try:
        said.append(speaker.announce(game, text))
    except LocalProtocolError:
        return
    server = ServerSession()
    heard: list[object] = []
    for piece in pieces(b"".join(said), cuts):
        server.feed(piece)
        while (event := server.next_event()) is not None:
            heard.append(event)
            if isinstance(event, Register):
                assert are_genuine(SECRET, event.credentials)
                server.accept()
    taunt = heard[-1]
    assert isinstance(taunt, Taunt)
    assert are_genuine(SECRET, taunt.credentials)
    assert taunt.credentials.player == SERVER_PLAYER
    assert taunt.text == shorten(text)
    assert text.startswith(taunt.text)
