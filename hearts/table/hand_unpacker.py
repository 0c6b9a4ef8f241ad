"""Gives back the steps of a packed hand; :mod:`hand_format` says how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from hearts.game.cards import CARDS, Card, cards_of, mask_of
from hearts.game.cuts import NO_HASHES, VALUE_BYTES, hash_of, shown_cuts
from hearts.game.deal import NO_CUTS, SECRET_BYTES
from hearts.game.events import AbortHand, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import PASS_SIZE
from hearts.game.kernel import HandPlay, first_leader
from hearts.game.rules import END_SCORES, Direction, Moon, Rules, rules_from_bits
from hearts.game.scoring import add_points, hand_points

from .hand_format import (
    ALL_RULES,
    BIT,
    BYS,
    KINDS,
    NAME_BYTES,
    PLAYS,
    PROCESS_IDS,
    RULES_COME,
    RULES_UNIT,
    SUIT_OF,
    AfterPlay,
    BeforeDeal,
    ChoiceMarks,
    CutShown,
    DealCuts,
)
from .inputs import AnswerAgain
from .standing import SessionStanding
from .steps import AbandonGame, AskAgain, NewRules, Promise, SeatChange, Step


def unpack_hand(data: bytes, standing: SessionStanding) -> tuple[list[Step], SessionStanding]:
    """The steps that were packed, and where the session stands then."""
    unpacker = _Unpacker(data)
    steps: list[Step] = []
    while True:
        step = unpacker.take_before()
        steps.append(step)
        if isinstance(step, Deal):
            if step.shown is not None:
                promised = next(i for i, before in enumerate(steps) if isinstance(before, Promise))
                steps[promised] = Promise(step.secret or b"", step.shown.hashes)
            break
        standing = standing.after_step(step)
    hand, after = unpacker.take_hand(step, standing)
    return steps + hand, after


class _Unpacker:
    """Takes the digits of a hand from its number, in the same order."""

    __slots__ = ("_number", "_promised")

    def __init__(self, data: bytes) -> None:
        self._number = int.from_bytes(data, "little")
        self._promised: bytes | None = None

    def _take(self, base: int) -> int:
        self._number, digit = divmod(self._number, base)
        return digit

    def _take_bytes(self, size: int) -> bytes:
        return self._take(1 << 8 * size).to_bytes(size, "big")

    def take_before(self) -> Step:
        """The next step that comes before the deal, or the deal."""
        match BeforeDeal(self._take(len(BeforeDeal))):
            case BeforeDeal.DEAL:
                return self._take_deal(self._promised or self._take_bytes(SECRET_BYTES))
            case BeforeDeal.HANDS:
                hands = [0, 0, 0, 0]
                for bit in BIT:
                    hands[self._take(4)] |= bit
                a, b, c, d = hands
                return Deal((a, b, c, d))
            case BeforeDeal.PROMISE:
                self._promised = self._take_bytes(SECRET_BYTES)
                return Promise(self._promised, NO_HASHES)  # They follow from the deal.
            case BeforeDeal.ANSWER:
                return AnswerAgain(self._take(5) - 1, bool(self._take(2)), self._take_by())
            case BeforeDeal.RULES:
                return self._take_rules()
            case BeforeDeal.SEAT:
                seat, kind = self._take(4), KINDS[self._take(len(KINDS))]
                process_id = self._take(PROCESS_IDS)
                name = self._take_bytes(self._take(NAME_BYTES)).decode()
                return SeatChange(seat, kind, process_id, name)
            case BeforeDeal.ABORT_HAND:
                return AbortHand()
            case BeforeDeal.ABORT_GAME:
                return AbandonGame()
            case never:
                assert_never(never)

    def _take_deal(self, secret: bytes) -> Deal:
        match DealCuts(self._take(len(DealCuts))):
            case DealCuts.NONE:
                return Deal.from_secret(secret)
            case DealCuts.GIVEN:
                return Deal.from_secret(secret, self._take_bytes(len(NO_CUTS)))
            case DealCuts.SHOWN:
                return Deal.from_shown(secret, shown_cuts(*zip(*self._take_shown(), strict=True)))
            case never:
                assert_never(never)

    def _take_shown(self) -> Iterator[tuple[bytes, bytes]]:
        """The hash and the value of each player."""
        for _ in range(4):
            match CutShown(self._take(len(CutShown))):
                case CutShown.NONE:
                    yield b"", b""
                case CutShown.VALUE:
                    value = self._take_bytes(VALUE_BYTES)
                    yield hash_of(value), value
                case CutShown.MISSING:
                    yield self._take_bytes(VALUE_BYTES), b""
                case never:
                    assert_never(never)

    def _take_by(self) -> ChosenBy:
        return BYS[self._take(len(BYS))]

    def _take_rules(self) -> NewRules:
        rules = rules_from_bits(self._take(ALL_RULES) * RULES_UNIT)
        return NewRules(rules, self._take(END_SCORES.stop))

    def take_hand(
        self, deal: Deal, standing: SessionStanding
    ) -> tuple[list[Step], SessionStanding]:
        """The steps behind the deal, and where the session stands then."""
        rules = standing.rules
        direction = rules.direction(standing.hands)
        passes = 0 if direction is Direction.HOLD else 4
        seats, bys, within = self._take_marks(passes + PLAYS)
        late = self._take_late()
        steps: list[Step] = []
        hands = list(deal.hands)
        if passes:
            steps += self._take_passes(hands, direction, seats, bys)
        play = HandPlay(hands, rules, first_leader(hands, rules, standing.hands))
        for place in range(passes, passes + PLAYS):
            player = play.turn
            held = play.hands[player]
            if play.trick:
                held = held & SUIT_OF[play.trick[0]] or held
            for _ in range(self._take(held.bit_count())):
                held &= held - 1
            card = CARDS[(held & -held).bit_length() - 1]
            steps.append(Play(player, card, bys[place] if bys else seats[player]))
            play.play(card)
        for place, step in reversed(within):
            steps.insert(place, step)
        others = [*(step for _, step in within), *late]
        points = hand_points(play.taken, rules, _moon_on_others(rules, late))
        outcome = add_points(standing.scores, points, rules, standing.end_score)
        after = standing.after_hand(
            outcome.scores, outcome.winners, play.taken, passes // 4, others
        )
        return steps + late, after

    def _take_marks(
        self, choices: int
    ) -> tuple[list[ChosenBy], list[ChosenBy], list[tuple[int, NewRules]]]:
        """Who chose at each seat, or for each choice; and the rules that came before a choice."""
        seats, bys = [ChosenBy.PLAYER] * 4, list[ChosenBy]()
        within: list[tuple[int, NewRules]] = []
        match ChoiceMarks(self._take(len(ChoiceMarks))):
            case ChoiceMarks.PLAYERS:
                pass
            case ChoiceMarks.SEATS:
                seats = [self._take_by() for _ in range(4)]
            case ChoiceMarks.CHOICES:
                while len(bys) < choices:
                    digit = self._take(len(BYS) + 1)
                    if digit == RULES_COME:
                        within.append((len(bys), self._take_rules()))
                    else:
                        bys.append(BYS[digit])
            case never:
                assert_never(never)
        return seats, bys, within

    def _take_passes(
        self,
        hands: list[int],
        direction: Direction,
        seats: Sequence[ChosenBy],
        bys: Sequence[ChosenBy],
    ) -> list[Step]:
        """The passes, which are carried out."""
        steps: list[Step] = []
        waiting = [0, 1, 2, 3]
        dealt = tuple(hands)
        for place in range(4):
            player = waiting.pop(self._take(len(waiting)))
            held = list(cards_of(dealt[player]))
            a, b, c = (held.pop(self._take(len(held))) for _ in range(PASS_SIZE))
            steps.append(Pass(player, (a, b, c), bys[place] if bys else seats[player]))
            _move_cards((a, b, c), hands, player, direction)
        return steps

    def _take_late(self) -> list[Step]:
        """What comes behind the last card."""
        steps: list[Step] = []
        while True:
            match AfterPlay(self._take(len(AfterPlay))):
                case AfterPlay.END:
                    return steps
                case AfterPlay.ASK:
                    player = self._take(5)
                    steps.append(AskAgain(None if player == 4 else player))
                case AfterPlay.MOON:
                    player, on_others = self._take(4), bool(self._take(2))
                    steps.append(ChooseMoon(player, on_others, self._take_by()))
                case AfterPlay.RULES:
                    steps.append(self._take_rules())
                case never:
                    assert_never(never)


def _moon_on_others(rules: Rules, steps: Sequence[Step]) -> bool:
    chosen = [step.on_others for step in steps if isinstance(step, ChooseMoon)]
    return chosen[0] if chosen else rules.moon is Moon.OTHERS


def _move_cards(cards: Sequence[Card], hands: list[int], player: int, direction: Direction) -> None:
    mask = mask_of(cards)
    hands[player] ^= mask
    hands[direction.target(player)] |= mask
