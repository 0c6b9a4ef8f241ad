"""A client of the dealer dialect that shares no code with the project (DealerSpec.md section 14).

It imports the standard library and the plain client beside it. It answers queries, wrongly and in
other bad ways on purpose if it is told to, checks each frame that comes, and raises Nonsense at the
first that SocketSpec.md does not allow. It keeps the transcript of facts that a plain client would
have, for `referee.py` and `joined.py`, and all frames. `Watcher` only looks on.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from . import dealer_frames as p
from . import plain_client as client
from .dealer_asked import AskedPlayer, DealerSettings, Wish
from .dealer_frames import FrameCard, FrameTrick, ServerFrame, encode, expect, ints
from .dealer_hands import AGAIN, CUTS, MOON, PASSES, playing
from .dealer_line import Answered, Heard
from .dealer_proof import NO_VALUE, receiver
from .dealer_story import HeardStory
from .plain_client import Request, Talk, Ticket, judge

__all__ = ["DealerSettings", "DealerWatcher", "PlayerConnection", "Wish"]

_FORMING = (401,)


class PlayerConnection(AskedPlayer):
    """One connection of a player."""

    def __init__(
        self,
        settings: DealerSettings,
        ticket: Ticket | None = None,
        earlier: PlayerConnection | None = None,
    ) -> None:
        """With a ticket it comes back; `earlier` is the connection before, if that was one too."""
        super().__init__(settings, ticket, *(earlier.records, earlier.values) if earlier else ())
        self._lost = (0, 0)
        """The card of the last P_LOSE_CARD, and by whom."""
        self._due_trick: FrameTrick | None = None

    # -- registration --

    def _place(self) -> Answered:
        if self.settings.table is not None:
            reply = yield from self._block(-4, client.string(self.settings.table))
            if reply < 0:
                return reply
            expect(reply <= 3, "Player ID {}", reply)
            self.me = reply
            self._note("player", self.me)
        if (ticket := self._came_with) is not None:
            numbers = (ticket.game, ticket.game_id, ticket.player, ticket.process_id, ticket.hands)
            reply = yield from self._block(-5, ints(*numbers))
            if reply < 0:
                return reply
            expect(reply > 0, "block -5 is answered with {}", reply)
            self.me, self._replies = ticket.player, reply - 1
            self._note("back", reply)
        return 0

    def _sit(self) -> Generator[Request, bytes, bool]:
        first = yield from self._take(p.REGISTER_PLAYER, p.REFUSED)
        if first.type == p.REFUSED:
            return (yield from self._turned_away(first))
        expect(first["player"] == self.me, "{}, but we are {}", first, self.me)
        expect(self._came_with is not None or first["state"] == 401, "{} is not in DS_INIT", first)
        self._who = first
        if self.settings.registers == 0:
            yield from self._introduce()
        forming = (
            (p.SEATED, p.REFUSED) if self._joins else (p.SEATED, p.REFUSED, p.REGISTER_OPPONENTS)
        )
        waits = () if self._joins else _FORMING
        frame = yield from self._take(*forming, waits=waits)
        while frame.type == p.REGISTER_OPPONENTS:
            self._told_free = False
            self._meet(frame, full=False)
            frame = yield from self._take(*forming, waits=_FORMING)
            expect(self._told_free, "{}, and no P_WAITING was before it", frame)
        if frame.type == p.REFUSED:
            return (yield from self._turned_away(frame))
        yield from self._seated(frame)
        ticket, settings = self._came_with, self.settings
        if ticket is not None:
            same = (frame["game"], frame["game id"]) == (ticket.game, ticket.game_id)
            expect(same, "{}, but we came back to {}", frame, ticket)
            yield from self._replay_begins()
        else:
            wanted = settings.table or self.table_name
            # The table of a visitor of the day gets its name from the server (3.5).
            is_of_day = wanted.startswith("day ") and self.table_name.startswith("day ")
            expect(is_of_day or self.table_name == wanted, "{}: other table", frame)
            name = self.people[self.me].name.removeprefix("~")
            expect(name == settings.name, "we are {}, not {}", settings.name, name)
        return True

    def _meet(self, frame: ServerFrame, *, full: bool) -> None:
        super()._meet(frame, full=full)
        mine = self.people[self.me]
        # What we said about ourselves may have crossed this frame.
        said = (self.settings.kind, self.settings.level, self.settings.comment)
        known = self._came_with is not None or mine[1:3] + mine[5:] in (said, (p.NOT_SAID, 0, ""))
        expect(known, "{}: we are {}", frame, mine)
        # Who comes back is told with P_PLAYER_CHANGE when the others are.
        back = self._came_with is not None
        expect(back or mine.presence == p.THERE, "{}: we are {}", frame, mine)

    # -- a hand --

    def _cut(self, promised: ServerFrame | None) -> Talk:
        settings, record = self.settings, self._record
        deal, promise = record.deal, record.promise
        mine = promise.hashes[self.me] if promise else NO_VALUE
        due = self._said if self._is_heard and self._said == self.values.next_hash else mine
        if promise and mine != NO_VALUE:
            expect(settings.cuts, "{}, but we do not cut", promised)
            is_ours = self.values.take(promise, self.me)
            expect(is_ours or self._is_stranger, "{} has no hash of ours", promised)
        if promised and not promised.past:
            expect(mine == due, "{}, but our hash is {!r}", promised, due)
        if deal == settings.registers:
            yield from self._introduce()
        for wish in settings.wishes:
            if wish.deal == deal:
                yield from self._request(wish.type, wish.payload, {wish.reason})
        frame = yield from self._peek(CUTS)
        if frame.type == p.CUT:
            expect(mine != NO_VALUE, "{}, but no hash of ours is promised", frame)
            expect(frame["deal"] == deal, "{}, but it is deal {}", frame, deal)
            record.value = NO_VALUE
            yield from self._query(p.CUT, p.NEW_HAND, CUTS)
        elif promised and not promised.past:
            expect(mine == NO_VALUE, "no P_CUT came for deal {}", deal)

    def _hold(self) -> Talk:
        cards: list[int] = []
        for _ in range(13):
            frame = yield from self._take(p.TAKE_CARD)
            expect(not cards or frame["card"] > cards[-1], "{} after {}", frame, cards)
            cards.append(frame["card"])
        self._memory.cards, self._memory.held = cards, [True] * 13
        self._record.dealt = tuple(cards)
        self._note("hand", *cards)

    def _pass_on(self, direction: int) -> Talk:
        memory, me = self._memory, self.me
        lost = yield from self._query(p.DO_PASS, p.LOSE_PASS, PASSES[: me + 1])
        self._check_pass(lost, me, direction)
        before = self._record.passed
        expect(before in ((), lost["cards"]), "{}, but it was {} before we came back", lost, before)
        expect(set(lost["cards"]) <= set(memory.cards), "{}: we hold {}", lost, memory.cards)
        indexes = [memory.cards.index(card) for card in lost["cards"]]
        self._record.passed = lost["cards"]
        self._note("passing", *indexes, int(lost["by"] != p.THE_PLAYER))
        if lost["by"] != p.THE_PLAYER:
            self._note("passed for me", *indexes)
        took = yield from self._take(p.TAKE_PASS, waits=PASSES)
        giver = next(player for player in range(4) if receiver(player, direction) == me)
        self._check_pass(took, giver, direction)
        received = took["cards"]
        expect(list(received) == sorted(received), "{}: not ascending", took)
        expect(not {*received} & {*memory.cards}, "{}: we held {}", took, memory.cards)
        for index, card in zip(indexes, received, strict=True):
            memory.cards[index] = card
        self._note("received", *received)

    def _check_pass(self, frame: ServerFrame, player: int, direction: int) -> None:
        same = (frame["player"], frame["direction"]) == (player, direction)
        expect(same, "{}, but {} passes to {}", frame, player, direction)
        expect(len(set(frame["cards"])) == 3, "{}: not three cards", frame)

    def _check_query(self, query: ServerFrame, waits: tuple[int, ...]) -> None:
        super()._check_query(query, waits)
        holding = self._memory.holding()
        if query.type == p.DO_PASS:
            due = (self.me, self._record.direction)
            expect((query["player"], query["direction"]) == due, "{}: {} is due", query, due)
            expect(sorted(query["cards"]) == holding, "{}: we hold {}", query, holding)
        elif query.type in (p.LEAD_CARD, p.PLAY_CARD):
            told: Sequence[FrameCard] = query["cards"]
            cards = sorted(card for card, _ in told)
            expect(cards == sorted(holding), "{}: we hold {}", query, holding)
            for card, legal in told:
                status = judge(card, self._memory, self._rules)
                expect(legal == (status == 0), "{}: card {} has status {}", query, card, status)
            due_trick = self._due_trick
            expect(query["trick"] == due_trick, "{}, but {} is due", query, due_trick)

    def _turn(self, player: int, trick: FrameTrick) -> Talk:
        if player != self.me:
            return
        memory = self._memory
        kind = p.PLAY_CARD if memory.trick else p.LEAD_CARD
        self._due_trick = trick
        lost = yield from self._query(kind, p.LOSE_CARD, playing(player))
        card, by = lost["card"], lost["by"]
        expect(card in memory.holding(), "{}: we hold {}", lost, memory.holding())
        status = judge(card, memory, self._rules)
        expect(status == 0, "{}: its status is {}", lost, status)
        index = memory.cards.index(card)
        memory.held[index] = False
        self._lost = card, by
        self._note("play", index, 0 if by == p.THE_PLAYER else index + 1)

    def _own_card(self, played: ServerFrame) -> None:
        card = played["card"]
        if played["player"] == self.me:
            expect((card, played["by"]) == self._lost, "{}, but we lost {}", played, self._lost)
        else:
            expect(card not in self._memory.holding(), "{}, which we hold", played)

    def _take_trick(self, trick: FrameTrick) -> Talk:
        if trick.winner == self.me:
            self.check_trick((yield from self._take(p.TAKE_TRICK)), trick)

    def _where_26_go(self, shooter: int) -> Heard:
        if shooter != self.me:
            return (yield from super()._where_26_go(shooter))
        chosen = yield from self._query(p.MOON_CHOICE, p.MOON_CHOSEN, MOON)
        to_others, by = chosen["on others"], chosen["by"]
        self._note("deciding", to_others, 0 if by == p.THE_PLAYER else 1 + to_others)
        return chosen

    def _another_game(self, decider: int | None) -> Heard:
        if decider != self.me:
            return (yield from super()._another_game(decider))
        decided = yield from self._query(p.PLAY_AGAIN, p.AGAIN_DECIDED, AGAIN)
        yes, by = decided["yes"], decided["by"]
        self._again -= yes
        self._note("again", yes, 0 if by == p.THE_PLAYER else 1 + yes)
        return decided


class DealerWatcher(HeardStory):
    """One who looks on (14.9)."""

    def __init__(
        self,
        settings: client.ClientHabits,
        game: int,
        *,
        bothers: bool = False,
        committed: bool = True,
    ) -> None:
        """``bothers``: it pings after each trick, and answers what nobody has asked it."""
        super().__init__(settings, committed=committed)
        self._joins = True
        self._game = game
        self._bothers = bothers
        self._pings: list[bytes] = []

    def _place(self) -> Answered:
        reply = yield from self._block(-9, ints(self._game))
        expect(reply < 0 or reply == 1, "block -9 is answered with {}", reply)
        return reply

    def _sit(self) -> Generator[Request, bytes, bool]:
        frame = yield from self._take(p.SEATED, p.REFUSED)
        if frame.type == p.REFUSED:
            return (yield from self._turned_away(frame))
        self.me = 4
        expect((frame["game"], frame["game id"]) == (self._game, 0), "{}: another game", frame)
        yield from self._seated(frame)
        yield from self._replay_begins()
        return True

    def _react(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
        yield from ()
        if frame.type != p.PONG:
            return False
        expect(bool(self._pings), "{}, but there was no ping", frame)
        ping = self._pings.pop(0)
        expect(frame["ping"] == ping, "{}, but {} was the ping", frame, ping.hex())
        return True

    def _take_trick(self, trick: FrameTrick) -> Talk:
        if self._bothers:
            self._pings.append(self.random.randbytes(self.random.randrange(65)))
            yield client.Write(encode(p.PLAY_CARD, 0, ints(self.random.randrange(1, 53))))
            yield client.Write(encode(p.PING, 0, self._pings[-1]))
