"""A Hearts client that shares no code with the project, written from SocketSpec.md alone.

It imports the standard library and nothing else, and has its own idea of which card is legal.
`session` is the conversation as a generator: it yields what it wants to read, to write or how
long it thinks, so that blocking sockets (`Driver`) and streams on a virtual clock can run it. It
can split and join bytes as it likes, choose wrongly on purpose, be slow, and it keeps a transcript
of facts, one for every message it saw or choice it made, for `referee.py`.

    python tests/independent/plain_client.py --host 127.0.0.1 --port 7626 --computers 3
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import struct
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

TWO_OF_CLUBS, JACK_OF_DIAMONDS, ACE_OF_SPADES, QUEEN_OF_SPADES, KING_OF_SPADES = 15, 37, 40, 51, 52


class Fact(NamedTuple):
    """One thing that this client saw or did."""

    kind: str
    numbers: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """Wants exactly `count` bytes."""

    count: int


@dataclass(frozen=True, slots=True)
class Write:
    """Wants to send `data`."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Think:
    """Wants to do nothing for a while."""

    seconds: float


Request = Read | Write | Think
Talk = Generator[Request, bytes, None]


class Closed(Exception):
    """The stream ended where the client wanted to read."""


class Nonsense(Exception):
    """The server said something that SocketSpec.md does not allow."""


@dataclass(frozen=True, slots=True)
class ClientHabits:
    """How one client behaves. Seconds are at most so many, drawn anew each time."""

    name: str = "Indy"
    process_id: int = 4711
    password: str | None = None
    table: str | None = None
    listing: bool = False
    visitor: bytes = b""
    """The token by which it asks for the deal of the day; it does not play that."""
    options: tuple[int, int, int] | None = None
    reasons: bool = True
    wrong: float = 0.0
    """The part of all choices that is wrong on purpose, 0 to 1."""
    again: int = 0
    """How many times it wants another game, when asked."""
    shooter: int | None = None
    """The player whom this client helps to shoot the moon; None plays by chance."""
    plodding: bool = False
    """Always takes the first choice that is legal, so that every session of a deal is the same."""
    seed: int = 0
    ack_seconds: float = 0.0
    think_seconds: float = 0.0
    think_chance: float = 0.0


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a client remembers to come back to its seat (section 5.6)."""

    game: int
    game_id: int
    player: int
    process_id: int
    hands: int
    """Hands of the session whose Scores it has had, or -1 where it does not know."""
    flag: int
    """The flag of the last of these Scores; 0 before the first."""


@dataclass(slots=True)
class HandMemory:
    """What the client knows of the hand that is being played."""

    cards: list[int] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    trick: list[int] = field(default_factory=list)
    first: bool = True
    broken: bool = False

    def holding(self) -> list[int]:
        return [card for card, held in zip(self.cards, self.held, strict=True) if held]


def suit(card: int) -> int:
    """0 hearts, 1 clubs, 2 diamonds, 3 spades (section 1.5)."""
    return (card - 1) // 13


def rank(card: int) -> int:
    """2 to 14; the ace is high though its number is low (section 1.5)."""
    return (card - 1) % 13 + 1 if (card - 1) % 13 else 14


def is_point_card(card: int) -> bool:
    return suit(card) == 0 or card == QUEEN_OF_SPADES


def judge(card: int, memory: HandMemory, rules: int) -> int:
    """The status that this card deserves: the function of section 6.3, line by line."""
    hand, trick = memory.holding(), memory.trick
    if card not in hand:
        return -1
    bleed, rotate, dump = rules >> 14 & 1, rules >> 15 & 1, rules >> 13 & 1
    if not trick and memory.first and not rotate and card != TWO_OF_CLUBS:
        return -6
    following = [other for other in hand if trick and suit(other) == suit(trick[0])]
    if following and card not in following:
        return -2
    candidates = following or hand
    clean = [other for other in candidates if not is_point_card(other)]
    no_points = bool(memory.first and not bleed and clean)
    if no_points and is_point_card(card):
        return -5
    queen_fits = QUEEN_OF_SPADES in candidates and not no_points
    if dump and trick and card != QUEEN_OF_SPADES and queen_fits:
        covered = ACE_OF_SPADES in trick or KING_OF_SPADES in trick
        if not following or (suit(trick[0]) == 3 and covered):
            return -4
    if not trick and suit(card) == 0 and not memory.broken and any(suit(c) for c in hand):
        return -7
    return 0


class OwnSession:
    """One session of one client; `facts` grows while it runs."""

    def __init__(self, settings: ClientHabits, ticket: Ticket | None = None) -> None:
        """With a ticket it comes back to a seat."""
        self.settings = settings
        self._came_with = ticket
        self.facts: list[Fact] = []
        self.me = -1
        self.random = random.Random(settings.seed)
        self._memory = HandMemory()
        self._rules = 0
        self._again = settings.again
        self._reasons = False
        self._indexes_tried: set[int] = set()
        """Hand indexes that were tried for the card that is to be played."""

    def talk(self) -> Talk:
        """The whole conversation; it ends when the server or the session does."""
        try:
            if (yield from self._register()):
                yield from self._games()
                yield Read(1)
                raise Nonsense("bytes after New game 0")
        except Closed:
            self._note("end")

    @property
    def ticket(self) -> Ticket | None:
        """What it takes to come back; None while there is no seat."""
        came_with = self._came_with
        seated = next((fact for fact in self.facts if fact.kind == "seated"), None)
        if seated is None:
            return came_with
        player, game, game_id = seated.numbers
        flags = [fact.numbers[4] for fact in self.facts if fact.kind == "scores"]
        hands = len(flags)
        if came_with is not None:
            hands = hands + came_with.hands if came_with.hands >= 0 else -1
        before = came_with.flag if came_with is not None else 0
        flag = flags[-1] if flags else before
        return Ticket(game, game_id, player, self.settings.process_id, hands, flag)

    def _note(self, kind: str, *numbers: int, texts: tuple[str, ...] = ()) -> None:
        self.facts.append(Fact(kind, numbers, texts))

    # -- bytes (sections 1.3 and 1.4) --

    def _int(self) -> Generator[Request, bytes, int]:
        number: int = struct.unpack(">i", (yield Read(4)))[0]
        return number

    def _ints(self, count: int) -> Generator[Request, bytes, list[int]]:
        return list(struct.unpack(f">{count}i", (yield Read(4 * count))))

    def _str(self) -> Generator[Request, bytes, str]:
        length = yield from self._int()
        if not 1 <= length <= 1024:
            raise Nonsense(f"a str of {length} bytes")
        data = yield Read(length)
        if data[-1] or 0 in data[:-1]:
            raise Nonsense("a str without one NUL at its end")
        return data[:-1].decode()

    def _send(self, *numbers: int) -> Talk:
        yield Write(struct.pack(f">{len(numbers)}i", *numbers))

    def _ack(self) -> Talk:
        if self.settings.ack_seconds:
            yield Think(self.random.uniform(0, self.settings.ack_seconds))
        yield from self._send(self.me)

    def _choose(self, *numbers: int) -> Talk:
        if self.random.random() < self.settings.think_chance:
            yield Think(self.random.uniform(0, self.settings.think_seconds))
        yield from self._send(*numbers)

    # -- section 3 --

    def _register(self) -> Generator[Request, bytes, bool]:
        settings = self.settings
        self.me = yield from self._int()
        if self.me < 0:
            return (yield from self._refused(self.me))
        self._note("player", self.me)
        yield Write(string(settings.name))
        if settings.reasons:
            yield from self._send(-10, 0)
            if (reply := (yield from self._int())) < 0:
                return (yield from self._refused(reply))
            self._reasons = True
        if settings.password is not None:
            yield Write(struct.pack(">i", -7) + string(settings.password))
            if (reply := (yield from self._int())) < 0:
                return (yield from self._refused(reply))
        if settings.listing:
            yield from self._send(-8)
            if (reply := (yield from self._int())) < 0:
                return (yield from self._refused(reply))
            for _ in range(reply):
                yield from self._listed_table()
        if settings.visitor:
            yield Write(struct.pack(">2i", -16, 16) + settings.visitor)
            for _ in range((yield from self._int())):
                yield from self._told()
        if settings.table is not None:
            yield Write(struct.pack(">i", -4) + string(settings.table))
            if (reply := (yield from self._int())) < 0:
                return (yield from self._refused(reply))
            self.me = reply
            self._note("player", self.me)
        ticket = self._came_with
        if ticket is not None:
            numbers = (ticket.game, ticket.game_id, ticket.player, ticket.process_id, ticket.hands)
            yield from self._send(-5, *numbers)
            if (reply := (yield from self._int())) < 0:
                return (yield from self._refused(reply))
            self.me = ticket.player
            self._note("back", reply)
        if settings.options is not None:
            yield from self._send(-2, *settings.options)
        yield from self._send(settings.process_id)
        game = yield from self._int()
        if game < 0:
            return (yield from self._refused(game))
        game_id = yield from self._int()
        names = yield from self._names()
        self._note("seated", self.me, game, game_id, texts=names)
        yield from self._ack()
        return True

    def _names(self) -> Generator[Request, bytes, tuple[str, ...]]:
        first = yield from self._str()
        second = yield from self._str()
        third = yield from self._str()
        return first, second, third, (yield from self._str())

    def _listed_table(self) -> Talk:
        name = yield from self._str()
        game, seats = yield from self._ints(2)
        names = yield from self._names()
        self._note("listed", game, seats, texts=(name, *names))

    def _told(self) -> Talk:
        self._note("told", texts=((yield from self._str()),))

    def _refused(self, code: int) -> Generator[Request, bytes, bool]:
        self._note("refused", code, texts=((yield from self._str()),) if self._reasons else ())
        yield Read(1)
        raise Nonsense("bytes after a refusal")

    # -- section 4 --

    def _games(self) -> Talk:
        more = 1
        flag = self._came_with.flag if self._came_with is not None else 0
        while more == 1:
            table = yield from self._ints(5)
            if table[0] != 1:
                raise Nonsense(f"version {table[0]}")
            self._rules = table[1]
            self._note("table", *table)
            yield from self._ack()
            while not flag & 1:
                yield from self._hand()
                *scores, flag = yield from self._ints(5)
                self._note("scores", *scores, flag)
                yield from self._ack()
            if flag & 2:
                yield from self._play_again()
            flag = 0
            more = yield from self._int()
            self._note("new game", more)
            yield from self._ack()

    def _hand(self) -> Talk:
        cards = yield from self._ints(13)
        self._memory = HandMemory(cards, [True] * 13)
        self._note("hand", *cards)
        yield from self._ack()
        direction = yield from self._int()
        self._note("pass", direction)
        if direction == 0:
            yield from self._ack()
        else:
            yield from self._pass()
        for number in range(13):
            yield from self._trick(first=number == 0)
        shooter, decide = yield from self._ints(2)
        self._note("moon", shooter, decide)
        if decide:
            yield from self._decide()
        else:
            yield from self._ack()

    def _pass(self) -> Talk:
        cards = self._memory.cards
        status = -1
        passed: list[int] = []
        while status < 0:
            passed = self._three()
            if self.random.random() < self.settings.wrong:
                passed[-1] = self.random.choice([passed[0], 13, -1, 2**31 - 1])
            yield from self._choose(*passed)
            status = yield from self._int()
            self._note("passing", *passed, status)
        if status > 0:
            passed = yield from self._ints(3)
            self._note("passed for me", *passed)
        received = yield from self._ints(3)
        self._note("received", *received)
        for index, card in zip(passed, received, strict=True):
            cards[index] = card
        yield from self._ack()

    def _three(self) -> list[int]:
        if self.settings.shooter is None:
            if self.settings.plodding:
                return [0, 1, 2]
            return self.random.sample(range(13), 3)
        by_rank = sorted(range(13), key=lambda index: rank(self._memory.cards[index]))
        return by_rank[:3] if self.settings.shooter == self.me else by_rank[10:]

    def _trick(self, first: bool) -> Talk:
        leader = yield from self._int()
        self._note("leads", leader)
        if not 0 <= leader <= 3:
            raise Nonsense(f"leader {leader}")
        yield from self._ack()
        memory = self._memory
        memory.trick, memory.first = [], first
        for player in (leader, leader + 1, leader + 2, leader + 3):
            if player % 4 == self.me:
                card = yield from self._play()
            else:
                card = yield from self._int()
                self._note("saw", player % 4, card)
                if not 1 <= card <= 52:
                    raise Nonsense(f"card {card}")
                yield from self._ack()
            memory.trick.append(card)
            if suit(card) == 0 or (card == QUEEN_OF_SPADES and not self._rules >> 19 & 1):
                memory.broken = True
        self._note("tallies", *(yield from self._ints(5)))
        yield from self._ack()

    def _play(self) -> Generator[Request, bytes, int]:
        memory = self._memory
        status, index = -1, 0
        self._indexes_tried.clear()
        while status < 0:
            index = self._wrong_index() if self._slips() else self._card_index()
            self._indexes_tried.add(index)
            yield from self._choose(index)
            status = yield from self._int()
            self._note("play", index, status)
        if status > 0:
            index = status - 1
        memory.held[index] = False
        return memory.cards[index]

    def _slips(self) -> bool:
        return self.random.random() < self.settings.wrong

    def _wrong_index(self) -> int:
        memory = self._memory
        illegal = [
            index
            for index in range(13)
            if not memory.held[index] or judge(memory.cards[index], memory, self._rules)
        ]
        return self.random.choice([*illegal, 13, -1, -(2**31)])

    def _card_index(self) -> int:
        memory = self._memory
        legal = [
            index
            for index in range(13)
            if memory.held[index] and judge(memory.cards[index], memory, self._rules) == 0
        ]
        # The server has the last word, whatever we think of it (section 4.4).
        untried = [
            index for index in range(13) if memory.held[index] and index not in self._indexes_tried
        ]
        legal = [index for index in legal if index not in self._indexes_tried] or untried or legal
        if self.settings.shooter is None:
            if self.settings.plodding:
                return legal[0]
            return self.random.choice(legal)
        return self._helpful(legal)

    def _helpful(self, legal: Sequence[int]) -> int:
        """The legal card that helps the shooter most, at a guess."""
        memory = self._memory
        trick = memory.trick

        def height(index: int) -> tuple[bool, int]:
            return is_point_card(memory.cards[index]), rank(memory.cards[index])

        if self.settings.shooter == self.me:
            discards = trick and all(suit(memory.cards[i]) != suit(trick[0]) for i in legal)
            return min(legal, key=height) if discards else max(legal, key=lambda i: height(i)[1])
        if not trick:
            return min(legal, key=lambda index: height(index)[1])
        best = max((c for c in trick if suit(c) == suit(trick[0])), key=rank)
        winner = (self.me - len(trick) + trick.index(best)) % 4
        if winner == self.settings.shooter:
            below = [i for i in legal if suit(memory.cards[i]) != suit(best)]
            below += [i for i in legal if i not in below and rank(memory.cards[i]) < rank(best)]
            return max(below or legal, key=height)
        return min(legal, key=height)

    def _decide(self) -> Talk:
        status = -1
        while status < 0:
            choice = self.random.choice([2, -1, 7]) if self._slips() else self.random.randrange(2)
            if self.settings.plodding:
                choice = 1
            yield from self._choose(choice)
            status = yield from self._int()
            self._note("deciding", choice, status)

    def _play_again(self) -> Talk:
        choice = self.random.choice([1, 1, 2, -7]) if self._again > 0 else 0
        self._again -= 1
        yield from self._choose(choice)
        self._note("again", choice, (yield from self._int()))


def string(text: str) -> bytes:
    data = text.encode() + b"\0"
    return struct.pack(">i", len(data)) + data


class Driver:
    """Runs a conversation on a blocking socket, all of it or some steps at a time.

    piece: bytes in each send and recv, 0 for as many as there are. joined: collect what is written
    until something must be read.
    """

    def __init__(
        self, talk: Talk, connection: socket.socket, *, piece: int = 0, joined: bool = False
    ) -> None:
        self._talk = talk
        self._connection = connection
        self._piece = piece
        self._joined = joined
        self._request: Request = next(talk)
        self._unread = b""
        self._unsent = b""

    def run(self, steps: int = -1) -> bool:
        """Take so many steps, or all for -1; whether the conversation goes on."""
        while steps:
            steps -= 1
            try:
                self._request = self._talk.send(self._meet(self._request))
            except StopIteration:
                return False
            except (Closed, ConnectionError):
                try:
                    self._talk.throw(Closed())
                except StopIteration:
                    return False
                raise
        return True

    def _meet(self, request: Request) -> bytes:
        match request:
            case Write(data) if self._joined:
                self._unsent += data
            case Write(data):
                self._send(data)
            case Think(seconds):
                time.sleep(seconds)
            case Read(count):
                self._send(self._unsent)
                self._unsent = b""
                while len(self._unread) < count:
                    data = self._connection.recv(self._piece or 65536)
                    if not data:
                        raise Closed
                    self._unread += data
                answer, self._unread = self._unread[:count], self._unread[count:]
                return answer
        return b""

    def _send(self, data: bytes) -> None:
        size = self._piece or len(data) or 1
        for start in range(0, len(data), size):
            self._connection.sendall(data[start : start + size])


def play(
    host: str, port: int, settings: ClientHabits, *, piece: int = 0, joined: bool = False
) -> OwnSession:
    """Play one session on a blocking socket; the session with all its facts."""
    session = OwnSession(settings)
    with socket.create_connection((host, port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Driver(session.talk(), connection, piece=piece, joined=joined).run()
    return session


def main() -> int:
    """One session from the command line; the facts go to the standard output as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=7626)
    parser.add_argument("--computers", type=int, default=0, help="so many computers, as player 0")
    parser.add_argument("--end-score", type=int, default=0)
    parser.add_argument("--again", type=int, default=0, help="so many more games")
    given = parser.parse_args()
    bits = 0b10000 | sum(1 << player for player in range(4 - given.computers, 4))
    process_id = random.SystemRandom().randrange(2**31)
    options = (bits, given.end_score, 0)
    settings = ClientHabits(process_id=process_id, options=options, again=given.again)
    session = play(given.host, given.port, settings)
    for fact in session.facts:
        print(json.dumps(fact))
    return 1 if any(fact.kind == "refused" for fact in session.facts) else 0


if __name__ == "__main__":
    sys.exit(main())
