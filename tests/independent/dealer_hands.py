"""What all at a table are told in the dealer dialect, checked as it comes (DealerSpec.md 14.2).

`Hands` follows the messages that watchers get too, in the one order in which they may come, and
works out for itself what each of them has to say. `dealer_story.py` puts hands together to games,
and `dealer.py` adds what a player is told alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from . import dealer_frames as p
from . import plain_client as client
from .dealer_frames import FrameScore, FrameTrick, ServerFrame, expect
from .dealer_line import Answered, DealerLine, Heard
from .dealer_proof import DealPromise, SeatRecord, check
from .plain_client import HandMemory, Request, Talk, Ticket, is_point_card, rank, suit
from .rules import JACK_D, QUEEN_S, TWO_C, SpecRules, finish, points_of, worth

CUTS, PASSES, MOON, AGAIN = (404,), (406, 407, 408, 409), (415,), (416,)
BEGINNING = (FrameScore(0, 0, 0, 0),) * 4


def playing(player: int) -> tuple[int, ...]:
    return (410 + player,)


class Hands(DealerLine):
    """The hands of a session as all at the table hear them.

    records: what is known of each deal of the session, also from earlier connections.
    """

    def __init__(
        self,
        settings: client.ClientHabits,
        ticket: Ticket | None = None,
        records: dict[int, SeatRecord] | None = None,
        *,
        committed: bool = True,
    ) -> None:
        """``committed``: the server deals from secrets, as all do but those of some tests."""
        super().__init__(settings, ticket)
        self._newcomer = False
        """Whether we have taken an open seat."""
        self._joins = ticket is not None
        """Whether the game is under way when we first hear of it."""
        self.records = {} if records is None else records
        self._committed = committed
        self._sure_of_rules = False
        """Whether we have heard of all other rules that the next game may have."""
        self._end_score = 0
        self._limit = 0
        """Milliseconds for a choice; 0 is no limit."""
        self._deal: int | None = None
        self._number: int | None = None
        """Hands of this game so far; None where that is not known yet, like the deal."""
        self._scores: tuple[FrameScore, ...] | None = None
        self._computers: set[int] = set()
        self._record = SeatRecord(0, 4)
        self._takers: dict[int, set[int]] = {}
        self._points = [0] * 4
        self._decider: int | None = -1
        """Who is asked about another game, -1 nobody; None where we cannot know."""

    @property
    def rules(self) -> SpecRules:
        return SpecRules.read(self._rules)

    # -- what a player adds --

    def _cut(self, promised: ServerFrame | None) -> Talk:
        """P_CUT; ``promised`` is P_DEAL_COMMITMENT."""
        yield from ()

    def _hold(self) -> Talk:
        """P_TAKE_CARD."""
        yield from ()

    def _pass_on(self, direction: int) -> Talk:
        """P_DO_PASS, P_LOSE_PASS and P_TAKE_PASS."""
        yield from ()

    def _turn(self, player: int, trick: FrameTrick) -> Talk:
        """P_LEAD_CARD or P_PLAY_CARD, and P_LOSE_CARD."""
        yield from ()

    def _own_card(self, played: ServerFrame) -> None:
        """Check P_CARD_PLAYED against what we hold or have just lost."""

    def _take_trick(self, trick: FrameTrick) -> Talk:
        yield from ()

    def _where_26_go(self, shooter: int) -> Heard:
        return (yield from self._take(p.MOON_CHOSEN, waits=MOON))

    # -- hands --

    def _whole_hand(self) -> Generator[Request, bytes, bool]:
        """One hand; whether the game is over."""
        yield from self._begin_hand()
        record = self._record
        first = yield from self._take(p.FIRST_LEAD)
        leader: int = first["leader"]
        if self.rules.rotate:
            expect(leader == (record.number - 1) % 4, "{} in hand {}", first, record.number)
        elif "Y" in self.audience:
            mine = TWO_C in self._memory.holding()
            expect(mine == (leader == self.me), "{}, and we hold {}", first, self._memory.holding())
        for number in range(1, 14):
            leader = yield from self._whole_trick(number, leader)
        to_others = yield from self._moon()
        if self._committed:
            check(record, (yield from self._take(p.DEAL_PROOF)))
        yield from self._count(to_others)
        return record.over

    def _begin_hand(self) -> Talk:
        """All up to the first lead."""
        deal, frame, promise = (self._deal or 0) + 1, None, None
        if self._committed:
            # It waits for those who have just come to say whether they cut.
            frame = yield from self._take(p.DEAL_COMMITMENT, waits=CUTS)
            due = frame["deal"] if self._deal is None else deal
            expect(frame["deal"] == due, "{}, but deal {} is due", frame, due)
            deal, promise = due, DealPromise(due, frame["commitment"], frame["hashes"])
        self._deal = deal
        if deal == 1:
            self._number, self._scores, self._sure_of_rules = 0, BEGINNING, True
        before = self.records.get(deal)
        record = self._record = SeatRecord(deal, self.me, promise, self._rules)
        if before is not None:
            same = before.promise in (None, promise)
            expect(same, "deal {} had another promise before we came back", deal)
            # A value is lost with a server that dies before it has dealt.
            record.value = before.value if before.dealt is not None else None
            record.passed = before.passed
            expect(before.rules in (0, self._rules), "deal {} was under other rules before", deal)
        self.records[deal] = record
        yield from self._cut(frame)
        new = yield from self._take(p.NEW_HAND, waits=CUTS)
        due = new["hand"] if self._number is None else self._number + 1
        expect(new["hand"] == due <= deal, "{}, but hand {} of deal {} is due", new, due, deal)
        record.number = self._number = due
        record.direction = new["direction"]
        direction = self.rules.direction(due - 1)
        expect(record.direction == direction, "{}, but direction {} is due", new, direction)
        self._computers = {player for player, info in self.people.items() if info.kind == p.CPU}
        self._played_out = False
        self._memory = HandMemory()
        self._takers = {player: set() for player in range(4)}
        self._points = [0] * 4
        yield from self._hold()
        if before is not None and before.dealt is not None:
            expect(
                record.dealt == before.dealt, "deal {} had other cards before we came back", deal
            )
        self._note("pass", direction)
        if direction:
            yield from self._pass_on(direction)

    def _whole_trick(self, number: int, leader: int) -> Answered:
        """One trick; its winner."""
        memory = self._memory
        memory.trick, memory.first = [], number == 1
        self._note("leads", leader)
        for player in (leader, (leader + 1) % 4, (leader + 2) % 4, (leader + 3) % 4):
            yield from self._turn(player, self._lying(number, leader))
            played = yield from self._take(p.CARD_PLAYED, waits=playing(player))
            expect(played["player"] == player, "{}, but player {} is next", played, player)
            breaks = self._card(played)
            due = self._lying(number, leader)
            expect(played["trick"] == due, "{}, but {} is due", played, due)
            if breaks:
                yield from self._take(p.HEARTS_BROKEN)
        winner = self._wins(leader)
        self._points[winner] += sum(worth(self.rules, card) for card in memory.trick)
        self._takers[winner].update(memory.trick)
        self._record.tricks.append((leader, tuple(memory.trick)))
        trick = self._lying(number, leader)._replace(winner=winner)
        yield from self._take_trick(trick)
        self.check_trick((yield from self._take(p.TRICK_DONE)), trick)
        self._note("tallies", winner, *self._points)
        return winner

    def check_trick(self, frame: ServerFrame, trick: FrameTrick) -> None:
        expect(frame["trick"] == trick, "{}, but {} is due", frame, trick)
        points = tuple(self._points)
        expect(frame["points"] == points, "{}, but the points are {}", frame, points)

    def _card(self, played: ServerFrame) -> bool:
        """Put the card on the table; whether it breaks hearts."""
        card, player, by = played["card"], played["player"], played["by"]
        memory = self._memory
        gone = {card for _, cards in self._record.tricks for card in cards} | {*memory.trick}
        expect(card not in gone, "{}, a card that is gone", played)
        opening = memory.first and not memory.trick and not self.rules.rotate
        expect(not opening or card == TWO_C, "{} is the first lead", played)
        if not played.past:
            computer = player in self._computers or self._played_out
            expect(computer == (by == p.A_COMPUTER), "{}; computers: {}", played, self._computers)
        self._own_card(played)
        if player != self.me:
            self._note("saw", player, card)
        memory.trick.append(card)
        breaks = suit(card) == 0 or (card == QUEEN_S and not self.rules.queen_keeps)
        before, memory.broken = memory.broken, memory.broken or breaks
        return breaks and not before

    def _lying(self, number: int, leader: int) -> FrameTrick:
        lying = self._memory.trick
        cards = [0] * 4
        for place, card in enumerate(lying):
            cards[(leader + place) % 4] = card
        # Hearts are 4, clubs 3, diamonds 2, spades 1.
        led = 4 - suit(lying[0]) if lying else 0
        jack, queen = int(JACK_D in lying), int(QUEEN_S in lying)
        broken = int(self._memory.broken)
        return FrameTrick((*cards,), led, leader, number, broken, -1, jack, queen)

    def _wins(self, leader: int) -> int:
        lying = self._memory.trick
        best = max((card for card in lying if suit(card) == suit(lying[0])), key=rank)
        return (leader + lying.index(best)) % 4

    # -- counting --

    def _taker(self, card: int) -> int:
        return next(player for player, cards in self._takers.items() if card in cards)

    def _shooter(self) -> int:
        black = {card for card in range(1, 53) if is_point_card(card)}
        return next((player for player, cards in self._takers.items() if cards >= black), -1)

    def _moon(self) -> Answered:
        """P_PLAYER_SHOT_MOON and P_MOON_CHOSEN; 1 if the 26 go to the others."""
        shooter, moon = self._shooter(), self.rules.moon
        if shooter < 0:
            yield from self._peek()
            self._note("moon", -1, 0)
            return 0
        shot = yield from self._take(p.PLAYER_SHOT_MOON)
        due = {"player": shooter, "decides": int(moon == 2)}
        expect(shot.fields == due, "{}, but {} is due", shot, due)
        self._note("moon", shooter, int(moon == 2 and shooter == self.me))
        if moon != 2:
            return int(moon == 0)
        chosen = yield from self._where_26_go(shooter)
        expect(chosen["player"] == shooter, "{}, but player {} shot", chosen, shooter)
        if not chosen.past:
            computer = shooter in self._computers
            expect(computer == (chosen["by"] == p.A_COMPUTER), "{}: {}", chosen, self._computers)
        to_others: int = chosen["on others"]
        return to_others

    def _count(self, to_others: int) -> Talk:
        """P_DONE_HAND, and P_END_GAME where the game is over."""
        done = yield from self._take(p.DONE_HAND)
        queen, jack, shooter = self._taker(QUEEN_S), self._taker(JACK_D), self._shooter()
        points = points_of(self.rules, self._takers, shooter, to_others)
        told: tuple[FrameScore, ...] = done["scores"]
        winners, over = done["winners"], done["winners"] > 0
        if self._scores is not None:
            sums = [old.points + more for old, more in zip(self._scores, points, strict=True)]
            after, over, lowest = finish(self.rules, self._end_score, sums)
            winners = bits_of(lowest)
            for player, old in enumerate(self._scores):
                took = old.queens + (player == queen), old.jacks + (player == jack)
                due = FrameScore(after[player], *took, old.games + (player in lowest))
                expect(told[player] == due, "{}: player {} has {}", done, player, due)
        dues = {"queen": queen, "jack": jack, "shooter": shooter, "points": tuple(points)}
        dues |= {"winners": winners, "winner": (winners & -winners).bit_length() - 1}
        for field, value in dues.items():
            expect(done[field] == value, "{}: {} {} is due", done, field, value)
        flag = over + 4 * winners
        if over:
            end = yield from self._take(p.END_GAME)
            expect(end["scores"] == told, "{}, but the scores were {}", end, told)
            expect(end["winners"] == winners, "{}, but the winners were {}", end, winners)
            self._decider = end["decider"]
            flag |= 2 * (self._decider == self.me)
        # Only from here on the hand is one of those that need not be told again (14.7).
        self._scores = self._record.scores = told
        self._record.over = over
        self._note("scores", *(score.points for score in told), flag)


def bits_of(players: Iterable[int]) -> int:
    return sum(1 << player for player in players)
