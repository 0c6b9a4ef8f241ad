"""A client that follows the quick start of SocketSpec.md and writes down what is said.

It reads message by message, so each line of a transcript is one message. What it plays comes from
a plan; to know which cards are legal it looks at the table, which no real client can.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from hearts.errors import IllegalAction
from hearts.game.cards import Card, cards_of
from hearts.game.game import Game

from .notebook import Notebook, card, cards, ints, text
from .vector_house import VectorServer

DIRECTIONS = ("hold", "left", "right", "across")

Pick = Callable[["Scribe", int], int]
"""The hand index of the card to play in a trick 1-13, out of what may be played."""
Turn = Callable[["Scribe"], Awaitable[None]]
"""A whole turn of the plan, from the try to the status."""


def low(scribe: Scribe, trick: int) -> int:
    """As the robots play."""
    view = scribe.legal_cards()
    return scribe.hand.index(min(view, key=lambda each: (each.rank, each.wire)).wire)


def high(scribe: Scribe, trick: int) -> int:
    view = scribe.legal_cards()
    return scribe.hand.index(max(view, key=lambda each: (each.rank, each.wire)).wire)


class Scribe(Notebook):
    """One case of a transcript."""

    def __init__(self, house: VectorServer, title: str) -> None:
        super().__init__(house, title)
        self.pick: Pick = low
        self.turns: dict[tuple[int, object], Turn] = {}
        """What to do at a turn in place of :attr:`pick`, by hand (from 1) and trick or name."""
        self.wrong: set[int] = set()
        """Statuses for which a card is tried once, as soon as there is one."""
        self.hand: list[int] = []
        self.passed: list[int] = []
        self.trick_number = 0

    # Registration

    async def connect(self, name: str = "Ann", *, raw: bool = False) -> None:
        """Up to the name."""
        await self.do("connect", *(["raw"] if raw else []))
        await self.player_id()
        await self.say(text(name), f'Name "{name}"')

    async def player_id(self) -> None:
        (self.me,) = await self.receive(1)
        self.told(f"Player ID {self.me}")

    async def block(self, tag: int, payload: bytes, comment: str, answer: int | None = 1) -> None:
        await self.say(ints(tag) + payload, f"block {tag}: {comment}")
        if answer is not None:
            await self.reply(answer)

    async def reply(self, answer: int) -> None:
        (got,) = await self.receive(1)
        assert got == answer, (self.lines[-1], got)
        self.told(f"reply {got}")

    async def reasons(self) -> None:
        await self.block(-10, ints(0), "refusals with a reason, please")

    async def options(self, options: int, end: int, limit: int, comment: str) -> None:
        await self.block(-2, ints(options, end, limit), comment, None)

    async def process_id(self, number: int = 1000) -> None:
        await self.say(ints(number), f"Process ID {number}")

    async def refused(self, code: int, *, reason: bool = False) -> None:
        (got,) = await self.receive(1)
        assert got == code, (self.lines[-1], got)
        if reason:
            self.told(f"refused, {code}: {await self.receive_text()}")
        else:
            self.told(f"refused, {code}")
        self.end()

    async def list_of_tables(self) -> None:
        (number,) = await self.receive(1)
        shown = []
        for _ in range(number):
            name = await self.receive_text()
            game, seats = await self.receive(2)
            players = [await self.receive_text() or "-" for _ in range(4)]
            state = f"game {game}" if game else f"forming, open seats: {seats}"
            shown.append(f'"{name}" {state}, {" ".join(players)}')
        self.told("; ".join([f"reply: {number} tables", *shown]))

    async def seated(self) -> None:
        """From the Game number to the ack of Table."""
        game, game_id = await self.receive(2)
        names = [await self.receive_text() for _ in range(4)]
        self.told(f"Game number {game}, Game ID {game_id}, {', '.join(names)}")
        await self.ack()
        await self.table()

    async def table(self) -> None:
        version, rules, end, limit, computers = await self.receive(5)
        who = " ".join(str(player) for player in range(4) if computers >> player & 1) or "none"
        self.told(
            f"Table: version {version}, rules {rules}, end of game {end}, {limit} s, "
            f"computers: {who}"
        )
        await self.ack()

    async def register(self, options: int = 0b01_1110, *, end: int = 0, limit: int = 0) -> None:
        """The usual way: reasons and options, then to the table."""
        await self.connect()
        await self.reasons()
        if options >= 0:
            await self.options(options, end, limit, "how the table shall play")
        await self.process_id()
        await self.seated()

    # What the plan may look at

    @property
    def game(self) -> Game:
        return self.house.game

    def legal_cards(self) -> list[Card]:
        play = self.game.play
        assert play is not None
        assert play.turn == self.me
        return list(cards_of(play.legal()))

    def other_than_low(self) -> int:
        return high(self, 0)

    def _wrong_cards(self) -> list[tuple[int, int]]:
        play = self.game.play
        assert play is not None
        found = []
        for index, number in enumerate(self.hand):
            try:
                play.check(Card.from_wire(number))
            except IllegalAction as error:
                if error.reason in self.wrong:
                    self.wrong.discard(error.reason)
                    found.append((index, int(error.reason)))
        return [item for item in found if item[1] != -1]

    # A hand

    async def play_hand(self, hand: int) -> int:
        """A hand as far as its Scores, acknowledged; the flag."""
        await self.dealt(hand)
        for trick in range(1, 14):
            await self.trick(hand, trick)
        return await self.moon_and_scores(hand)

    async def dealt(self, hand: int) -> None:
        self.hand = list(await self.receive(13))
        self.told(f"Your hand: {cards(self.hand)}")
        await self.ack()
        (direction,) = await self.receive(1)
        self.told(f"Pass: direction {direction}, {DIRECTIONS[direction]}")
        if direction == 0:
            await self.ack()
            return
        turn = self.turns.get((hand, "pass"))
        if turn is not None:
            await turn(self)
        else:
            await self.pass_cards([2, 1, 0])
        await self.received()

    async def pass_cards(self, indexes: Sequence[int]) -> None:
        await self.choose(ints(*indexes), self.named(indexes))
        await self.pass_status(indexes)

    def named(self, indexes: Sequence[int]) -> str:
        return "indexes " + ", ".join(
            f"{index} {card(self.hand[index])}" if 0 <= index < 13 else str(index)
            for index in indexes
        )

    async def pass_status(self, indexes: Sequence[int]) -> int:
        (status,) = await self.receive(1)
        self.passed = list(indexes)
        if status == 1:
            self.passed = list(await self.receive(3))
            self.told(f"status 1: the server passed your {self.named(self.passed)}")
        else:
            self.told(f"status {status}")
        return status

    async def received(self) -> None:
        got = await self.receive(3)
        self.told(f"received {cards(got)}")
        for index, number in zip(self.passed, got, strict=True):
            self.hand[index] = number
        await self.ack()

    async def trick(self, hand: int, trick: int) -> None:
        self.trick_number = trick
        (leader,) = await self.receive(1)
        self.told(f"Who leads: player {leader}; trick {trick}")
        await self.ack()
        for step in range(4):
            player = (leader + step) % 4
            if player == self.me:
                turn = self.turns.get((hand, trick))
                if turn is not None:
                    await turn(self)
                else:
                    await self.turn(trick)
            else:
                (number,) = await self.receive(1)
                self.told(f"player {player} plays {card(number)}")
                await self.ack()
        await self.tallies()

    async def tallies(self) -> None:
        winner, *points = await self.receive(5)
        self.told(f"Tallies: player {winner} takes it; points {' '.join(map(str, points))}")
        await self.ack()

    async def turn(self, trick: int) -> None:
        """A turn of our own as the plan has it."""
        for index, reason in self._wrong_cards():
            await self.play(index)
            assert await self.play_status() == reason
        await self.play(self.pick(self, trick))
        assert await self.play_status() == 0

    async def play(self, index: int) -> None:
        name = card(self.hand[index]) if 0 <= index < 13 else "no card"
        await self.choose(ints(index), f"index {index}, {name}")

    async def play_status(self) -> int:
        (status,) = await self.receive(1)
        if status > 0:
            self.told(f"status {status}: the server played index {status - 1}")
        else:
            self.told(f"status {status}")
        return status

    async def moon_and_scores(self, hand: int) -> int:
        shooter, decide = await self.receive(2)
        self.told(f"Moon: {'nobody' if shooter < 0 else f'player {shooter}'}, decide {decide}")
        if decide:
            turn = self.turns.get((hand, "moon"))
            assert turn is not None
            await turn(self)
        else:
            await self.ack()
        *scores, flag = await self.receive(5)
        self.told(f"Scores {' '.join(map(str, scores))}; flag {flag}")
        await self.ack()
        return flag

    async def yes_or_no(self, value: int, comment: str) -> None:
        await self.choose(ints(value), comment)
        await self.settled()

    async def settled(self) -> int:
        (status,) = await self.receive(1)
        self.told(f"status {status}")
        return status

    async def new_game(self) -> int:
        (another,) = await self.receive(1)
        self.told(f"New game {another}")
        await self.ack()
        return another


Story = Callable[[Scribe], Awaitable[None]]
