"""The history of a session: its steps, and the events of one player that follow from them.

Events follow from the steps alone, so a player who comes back is told what they missed by doing the
steps again from a point that they name (SocketSpec.md section 5.6). The hands that are finished are
packed: a session is long, and few of them are ever asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from msgspec import Struct, msgpack
from msgspec.structs import replace

from hearts.errors import HeartsError
from hearts.game.events import AbortHand, Action, ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game, Phase

from .effects import SessionTotals, TableEvent, TakenBack
from .inputs import QUESTIONS, AnswerAgain, Question, Setting, TakeBack
from .replay import STAYS, SessionStanding, Undone, replayed, without_latest_choice
from .steps import (
    AbandonGame,
    AskAgain,
    NewRules,
    Promise,
    Removal,
    SeatChange,
    Step,
    pack_hand,
    unpack_hand,
)

BLOCK_HANDS = 16
"""Hands of a block. To find the standing before a hand, the hands before it in its block are played
again, which takes 0.2 ms each."""

_CARDS = (Play, Pass)
_ACTIONS = (Deal, Play, Pass, ChooseMoon)
_CHOICES = (Play, Pass, ChooseMoon, AnswerAgain)


class _Block(Struct, array_like=True):
    """Some hands in a row, and the standing before them."""

    standing: SessionStanding
    hands: list[bytes]


_ENCODER = msgpack.Encoder()
_DECODER = msgpack.Decoder(_Block)


class PackedHands:
    """The finished hands of a session, in blocks: few objects, however many hands there are."""

    def __init__(self, standing: SessionStanding) -> None:
        """``standing`` is that of the session at its beginning."""
        self._blocks: list[bytes] = []
        """The blocks that are full."""
        self._last = _Block(standing, [])
        self._found = 0, standing
        """The latest answer of :meth:`standing`, because several questions come about one hand."""

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK_HANDS + len(self._last.hands)

    def append(self, steps: Sequence[Step], after: SessionStanding) -> None:
        """Keep the steps of a hand; ``after`` is the standing of the session after them."""
        hands = self._last.hands
        hands.append(pack_hand(steps))
        if len(hands) == BLOCK_HANDS:
            # Its encoder leaves a tail that is not used, 100 bytes of it.
            self._blocks.append(bytes(memoryview(_ENCODER.encode(self._last))))
            self._last = _Block(after, [])

    def cut(self, count: int) -> None:
        """Keep so many hands."""
        number, place = divmod(count, BLOCK_HANDS)
        block = self._block(number)
        self._last = _Block(block.standing, block.hands[:place])
        del self._blocks[number:]
        self._found = 0, self._block(0).standing

    def _block(self, number: int) -> _Block:
        if number == len(self._blocks):
            return self._last
        return _DECODER.decode(self._blocks[number])

    def steps(self, hand: int) -> list[Step]:
        """Return the steps of a hand, counted from 0."""
        block, place = divmod(hand, BLOCK_HANDS)
        return unpack_hand(self._block(block).hands[place])

    def standing(self, hand: int) -> SessionStanding:
        if self._found[0] != hand:
            number, place = divmod(hand, BLOCK_HANDS)
            block = self._block(number)
            standing = block.standing
            for packed in block.hands[:place]:
                standing = _after(standing, unpack_hand(packed))
            self._found = hand, standing
        return self._found[1]


def _after(standing: SessionStanding, steps: Sequence[Step]) -> SessionStanding:
    """Give the standing after a hand that began at ``standing``."""
    game = standing.new_game()
    for step in steps:
        standing = standing.after_step(step)
        if isinstance(step, Deal):
            game = standing.new_game()
        if isinstance(step, Deal | Pass | Play | ChooseMoon):
            game.apply(step)
    return standing.after_hand(game)


class SessionHistory:
    """The durable steps of a session, in order.

    A place in it is two numbers: of the hands that were scored before, and of the steps since.
    """

    def __init__(self, setting: Setting, first_hand: int = 0) -> None:
        """``first_hand`` is the number of the first hand in its game, from 0."""
        self._setting = setting
        self._waits_for_second = setting.turn_limit < 0
        self._steps: list[Step] = []
        """The steps since the latest Scores. A replay may still read a list of a hand that has
        been packed since, so each hand has a new one."""
        self._standing = SessionStanding.at_begin(setting, first_hand)
        """The standing at the latest Scores."""
        self._now = self._standing
        """The same with the steps since."""
        self._hands = PackedHands(self._standing)
        self._game_begin = 0
        """The first hand of the game under way."""
        self._last_deal = 0, 0
        """The place of the latest deal, or of its promise."""
        self.promise: Promise | None = None
        """The promise of a deal that is not dealt yet."""
        self._asked = False
        self._joined = [(0, 0)] * 4
        """The place at which each player joined."""
        self.undone = Undone()
        """Steps that were taken back, as far as they can still come."""
        self.went_back: tuple[Game, int] | None = None
        """The game when a choice was taken back, and the hands that are to be played again."""
        self.takes_back = 0
        """Choices that were taken back in the game under way."""
        self.has_changed_seats = False
        """True if a seat has changed hands in the game under way."""
        self.seat_changes: dict[int, SeatChange] = {}
        """The latest change of each seat that has changed hands."""

    def hands_scored(self, player: int | None = None) -> int:
        """Count the hands for which Scores were sent, in all or to one player."""
        return len(self._hands) - (0 if player is None else self._joined[player][0])

    @property
    def deals_over(self) -> int:
        """The number of deals that are over: of the hands that are scored or broken off."""
        return len(self._hands) + self._now.aborted

    def set_clocks(self, people: int) -> int:
        """Return the turn limit for so many people; one that waits for a second is negative."""
        limit = abs(self._setting.turn_limit)
        limit = -limit if self._waits_for_second and people < 2 else limit
        self._setting = replace(self._setting, turn_limit=limit)
        return limit

    @property
    def current_setting(self) -> Setting:
        return self._now.setting(self._setting)

    @property
    def game_actions(self) -> tuple[Action, ...]:
        """The deals and choices of the game under way; each hand takes 0.03 ms.

        Of hands that were broken off there is nothing.
        """
        hands = range(self._game_begin, len(self._hands))
        steps = chain(*map(self._hands.steps, hands), self._steps)
        return tuple(step for step in steps if isinstance(step, _ACTIONS))

    def steps(self) -> Iterator[Step]:
        """Yield all steps of the session so far; each hand takes 0.03 ms."""
        return chain(
            chain.from_iterable(map(self._hands.steps, range(len(self._hands)))), self._steps
        )

    def is_between_hands(self, game: Game) -> bool:
        """Tell whether a game goes on, and its next hand was neither dealt nor promised."""
        return game.phase is Phase.DEAL and self.promise is None

    def can_be_next(self, step: Step, game: Game) -> bool:
        """Tell whether a stored step may follow in a session that has come to this game."""
        match step:
            case NewRules() | Removal():
                return True
            case AskAgain(player):
                over = game.phase is Phase.OVER and not self._asked
                return over and player in (None, 0, 1, 2, 3)
            case AnswerAgain(player):
                return self._asked and player in (-1, 0, 1, 2, 3)
            case Promise() | SeatChange() | AbandonGame():
                return self.is_between_hands(game)
            case TakeBack(player):
                return game.phase in QUESTIONS and self.split(player) is not None
            case _:
                if isinstance(step, Deal) and not self._keeps_promise(step):
                    return False
                try:
                    game.check(step)
                except HeartsError:
                    return False
                return True

    def _keeps_promise(self, deal: Deal) -> bool:
        promise, shown = self.promise, deal.shown
        if promise is None or shown is None:
            return promise is None and shown is None
        return promise == Promise(deal.secret or b"", shown.hashes)

    def add(self, step: Step) -> None:
        """Add a step that is durable; of a removal the seat alone knows."""
        if self.undone.steps:
            self.undone.follow(step)
        if not isinstance(step, _CARDS):
            if isinstance(step, Removal):
                return
            if isinstance(step, TakeBack):
                self._take_back(step)
                return
            self._note(step)
        self._steps.append(step)

    def split(self, player: int) -> tuple[int, list[Step], list[Step]] | None:
        """Split the steps at the latest choice of a player in this game; give its hand, too."""
        hand, steps = len(self._hands), self._steps
        while (split := without_latest_choice(steps, player)) is None:
            if hand == self._game_begin or any(isinstance(step, STAYS) for step in steps):
                return None
            hand -= 1
            steps = [*self._hands.steps(hand), *steps]
        return hand, *split

    def _take_back(self, step: TakeBack) -> None:
        split = self.split(step.player)
        assert split is not None, "it was checked"
        hand, kept, undone = split
        undone += self.undone.steps
        count = self.takes_back + 1
        hands = len(self._hands) - hand
        self._standing = self._now = self._hands.standing(hand)
        self._hands.cut(hand)
        self._steps, self.undone = [], Undone()
        game = self.new_game()
        for each in kept:
            self.add(each)
            if isinstance(each, Deal):
                game = self.new_game()
            if isinstance(each, _ACTIONS):
                game.apply(each)
        self._now = self._now.after_step(step)
        self._steps.append(step)
        self.undone = Undone.of(undone)
        self.takes_back, self.went_back = count, (game, hands)

    def _forget_hand(self) -> None:
        """Keep nothing of the hand under way but the rules that were agreed on within it.

        A replay may still read the list of steps, so there is a new one.
        """
        _, begin = self._last_deal
        steps = self._steps
        self._steps = steps[:begin] + [step for step in steps[begin:] if isinstance(step, NewRules)]
        # A replay of the hand dealt last begins behind what is broken off.
        self._last_deal = len(self._hands), len(self._steps) + 1

    def _note(self, step: Step) -> None:
        if isinstance(step, AbortHand):
            self._forget_hand()
        self._now = self._now.after_step(step)
        place = len(self._hands), len(self._steps)
        match step:
            case Deal():
                if self.promise is None:
                    self._last_deal = place
                self.promise = None
            case Promise():
                self._last_deal = place
                self.promise = step
            case AskAgain():
                self._asked = True
            case AnswerAgain(_, yes):
                self._asked = False
                if yes:
                    self._begin_game()
            case AbandonGame():
                self._begin_game()
            case SeatChange(seat):
                self.has_changed_seats |= len(self._hands) > self._game_begin
                self.seat_changes[seat] = step
                self._joined[seat] = place
            case _:
                pass

    def _begin_game(self) -> None:
        self._game_begin = len(self._hands)
        self.has_changed_seats = False
        self.takes_back = 0

    def note_scores(self, game: Game) -> None:
        """Pack the hand, because the latest step has led to the Scores that the game has."""
        self._standing = self._now = self._now.after_hand(game)
        self._hands.append(self._steps, self._standing)
        self._steps = []

    def new_game(self) -> Game:
        """Return the game under way, before its next deal."""
        return self._now.new_game()

    def decided(self, player: int, hands: int) -> int:
        """Count the choices of a player in :meth:`replay` that are decided already."""
        start = self._standing_at(self._start(player, hands))
        choices = (step for step in self._steps if isinstance(step, _CHOICES))
        since = sum(choice.player == player for choice in choices)
        return self._standing.choices[player] + since - start.choices[player]

    def _start(self, player: int | None, hands: int) -> tuple[int, int]:
        joined = (0, 0) if player is None else self._joined[player]
        if hands < 0:
            return max(joined, self._last_deal)
        return max(joined, (hands + joined[0], 0))

    def _steps_of(self, hand: int) -> list[Step]:
        return self._steps if hand == len(self._hands) else self._hands.steps(hand)

    def _standing_at(self, place: tuple[int, int]) -> SessionStanding:
        hand, count = place
        is_latest = hand == len(self._hands)
        standing = self._standing if is_latest else self._hands.standing(hand)
        if not count:
            return standing
        for step in self._steps_of(hand)[:count]:
            standing = standing.after_step(step)
        return standing

    def setting(self, player: int | None, hands: int) -> Setting:
        """Return the setting of the game in which :meth:`replay` begins."""
        return self._standing_at(self._start(player, hands)).setting(self._setting)

    def standing(self, player: int | None, hands: int) -> SessionTotals:
        """Return the totals with which :meth:`replay` begins."""
        return self._standing_at(self._start(player, hands)).totals

    def replay(self, player: int | None, hands: int) -> Iterator[TableEvent | Question]:
        """Yield what :meth:`replay_steps` brings, without a break."""
        for told in self.replay_steps(player, hands):
            yield from told

    def replay_steps(
        self, player: int | None, hands: int
    ) -> Iterator[Sequence[TableEvent | Question]]:
        """Yield what a player was told and asked after the Scores of some hands, step by step.

        ``hands`` is at most :meth:`hands_scored` of that player; with -1 it begins at the last
        hand dealt. None in place of the player is a watcher. A question that is not followed by
        the event of its answer is still open. Each item costs the work of one step, however little
        there is to tell. Steps that are added while the iterator is in use come too; this call
        settles the beginning.
        """
        return self._told_from(self._start(player, hands), player)

    def _told_from(
        self, place: tuple[int, int], player: int | None
    ) -> Iterator[Sequence[TableEvent | Question]]:
        standing = self._standing_at(place)
        if standing.is_taken_back:
            yield (TakenBack(-1),)
        if not place[1] and player is not None and standing.decider == player:
            yield (Question.AGAIN,)
        yield from replayed(player, standing, self._setting, self._steps_from(place))

    def _steps_from(self, place: tuple[int, int]) -> Iterator[tuple[int, Step]]:
        hand, count = place
        while True:
            for step in islice(self._steps_of(hand), count, None):
                yield hand, step
            if hand == len(self._hands):
                return
            hand, count = hand + 1, 0
