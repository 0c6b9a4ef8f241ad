"""Packs the steps of a finished hand; :mod:`hand_format` says how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, cast

from hearts.game.deal import NO_CUTS, Hands
from hearts.game.events import AbortHand, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.rules import END_SCORES

from .hand_format import (
    ALL_RULES,
    BELOW,
    BIT,
    BYS,
    CHOICES,
    DIGIT_OF,
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
from .steps import AbandonGame, AskAgain, NewRules, Promise, Removal, SeatChange, Step


def pack_hand(
    steps: Sequence[Step], standing: SessionStanding, game: Game
) -> tuple[bytes, SessionStanding]:
    """The steps of a hand that is scored in few bytes, and where the session stands then.

    ``steps`` are all that follow ``standing``, up to the one that led to the Scores, and ``game``
    is as the hand has left it. Raises ValueError for a step that says what there is no digit for.
    """
    packer = _Packer()
    for count, step in enumerate(steps, 1):
        packer.add_before(step)
        if isinstance(step, Deal):
            return packer.finish(step, steps[count:], standing, game)
        standing = standing.after_step(step)
    raise AssertionError("no hand without a deal is scored")


class _Packer:
    """Adds the digits of a hand to a number."""

    __slots__ = ("_number", "_promised", "_weight")

    def __init__(self) -> None:
        self._number = 0
        self._weight = 1
        self._promised = False

    def _add(self, digit: int, base: int) -> None:
        if not 0 <= digit < base:
            raise ValueError(f"there are only {base} digits for it")
        self._number += digit * self._weight
        self._weight *= base

    def _add_bytes(self, data: bytes) -> None:
        self._add(int.from_bytes(data, "big"), 1 << 8 * len(data))

    def add_before(self, step: Step) -> None:
        """Add a step that comes before the deal, or the deal."""
        match step:
            case Deal():
                self._add_deal(step)
            case Promise(secret):  # Its hashes follow from the deal.
                self._add(BeforeDeal.PROMISE, len(BeforeDeal))
                self._add_bytes(secret)
                self._promised = True
            case AnswerAgain(player, yes, by):
                self._add(BeforeDeal.ANSWER, len(BeforeDeal))
                self._add(player + 1, 5)
                self._add(yes, 2)
                self._add(DIGIT_OF[by], len(BYS))
            case NewRules():
                self._add(BeforeDeal.RULES, len(BeforeDeal))
                self._add_rules(step)
            case SeatChange(seat, kind, process_id, name):
                text = name.encode()
                self._add(BeforeDeal.SEAT, len(BeforeDeal))
                self._add(seat, 4)
                self._add(KINDS.index(kind), len(KINDS))
                self._add(process_id, PROCESS_IDS)
                self._add(len(text), NAME_BYTES)
                self._add_bytes(text)
            case AbortHand():
                self._add(BeforeDeal.ABORT_HAND, len(BeforeDeal))
            case AbandonGame():
                self._add(BeforeDeal.ABORT_GAME, len(BeforeDeal))
            case Pass() | Play() | ChooseMoon() | AskAgain():
                raise AssertionError("this comes behind a deal")
            case Removal():
                raise AssertionError("this is no part of the history")
            case _:
                assert_never(step)

    def _add_deal(self, deal: Deal) -> None:
        if deal.secret is None:
            self._add(BeforeDeal.HANDS, len(BeforeDeal))
            for bit in BIT:
                self._add(next(p for p, hand in enumerate(deal.hands) if hand & bit), 4)
            return
        self._add(BeforeDeal.DEAL, len(BeforeDeal))
        if not self._promised:
            self._add_bytes(deal.secret)
        if deal.shown is not None:
            self._add(DealCuts.SHOWN, len(DealCuts))
            for digest, value in zip(deal.shown.hashes, deal.shown.values, strict=True):
                self._add_some(CutShown.VALUE if value else CutShown.MISSING, value or digest)
            return
        self._add(DealCuts.NONE if deal.cuts == NO_CUTS else DealCuts.GIVEN, len(DealCuts))
        if deal.cuts != NO_CUTS:
            self._add_bytes(deal.cuts)

    def _add_some(self, kind: CutShown, data: bytes) -> None:
        self._add(kind if data else CutShown.NONE, len(CutShown))
        self._add_bytes(data)

    def _add_rules(self, step: NewRules) -> None:
        self._add(step.rules.bits // RULES_UNIT, ALL_RULES)
        self._add(step.end_score, END_SCORES.stop)

    def finish(
        self, deal: Deal, steps: Sequence[Step], standing: SessionStanding, game: Game
    ) -> tuple[bytes, SessionStanding]:
        """Add what follows the deal; the whole, and where the session stands then."""
        choices = [step for step in steps if isinstance(step, CHOICES)]
        end = len(choices)
        others = steps[end:]
        if any(isinstance(step, Play) for step in others):
            # Rules were agreed on within the hand.
            end = max(place for place, step in enumerate(steps, 1) if isinstance(step, Play))
            others = [step for step in steps if not isinstance(step, CHOICES)]
        # All passes come before the first play.
        passes = cast("list[Pass]", choices[:-PLAYS])
        plays = cast("list[Play]", choices[-PLAYS:])
        self._add_marks(steps[:end], choices)
        self._add_late(steps[end:])
        self._add_passes(passes, deal.hands)
        number = self._number + self._weight * _play_number(plays)
        data = number.to_bytes((number.bit_length() + 7) // 8, "little")
        assert game.play is not None
        return data, standing.after_hand(
            game.scores, game.winners, game.play.taken, len(passes) // 4, others
        )

    def _add_marks(self, steps: Sequence[Step], choices: Sequence[Play | Pass]) -> None:
        bys = [choice.by for choice in choices]
        is_plain = len(steps) == len(choices)
        if is_plain and bys.count(ChosenBy.PLAYER) == len(bys):
            self._add(ChoiceMarks.PLAYERS, len(ChoiceMarks))
            return
        seats = {choice.player: choice.by for choice in choices}
        if is_plain and bys == [seats[choice.player] for choice in choices]:
            self._add(ChoiceMarks.SEATS, len(ChoiceMarks))
            for player in range(4):
                self._add(DIGIT_OF[seats[player]], len(BYS))
            return
        self._add(ChoiceMarks.CHOICES, len(ChoiceMarks))
        for step in steps:
            if isinstance(step, NewRules):
                self._add(RULES_COME, len(BYS) + 1)
                self._add_rules(step)
            elif isinstance(step, CHOICES):
                self._add(DIGIT_OF[step.by], len(BYS) + 1)

    def _add_passes(self, passes: Sequence[Pass], hands: Hands) -> None:
        waiting = [0, 1, 2, 3]
        number, weight = 0, 1
        for step in passes:
            number += waiting.index(step.player) * weight
            weight *= len(waiting)
            waiting.remove(step.player)
            held = hands[step.player]
            for card in step.cards:
                number += (held & BELOW[card]).bit_count() * weight
                weight *= held.bit_count()
                held ^= BIT[card]
        self._add(number, weight)

    def _add_late(self, steps: Sequence[Step]) -> None:
        for step in steps:
            match step:
                case ChooseMoon(player, on_others, by):
                    self._add(AfterPlay.MOON, len(AfterPlay))
                    self._add(player, 4)
                    self._add(on_others, 2)
                    self._add(DIGIT_OF[by], len(BYS))
                case NewRules():
                    self._add(AfterPlay.RULES, len(AfterPlay))
                    self._add_rules(step)
                case AskAgain(player):
                    self._add(AfterPlay.ASK, len(AfterPlay))
                    self._add(4 if player is None else player, 5)
                case _:
                    raise AssertionError("nothing else comes behind the last card")
        self._add(AfterPlay.END, len(AfterPlay))


def _play_number(plays: Sequence[Play]) -> int:
    """The digits of the plays as one number; from the last to the first, so that hands grow."""
    number = 0
    hands = [0, 0, 0, 0]
    latest = reversed(plays)
    for fourth, third, second, lead in zip(latest, latest, latest, latest, strict=True):
        suit = SUIT_OF[lead.card]
        for play in (fourth, third, second):
            player, card = play.player, play.card
            hands[player] = held = hands[player] | BIT[card]
            held = held & suit or held
            number = number * held.bit_count() + (held & BELOW[card]).bit_count()
        player, card = lead.player, lead.card
        hands[player] = held = hands[player] | BIT[card]
        number = number * held.bit_count() + (held & BELOW[card]).bit_count()
    return number
