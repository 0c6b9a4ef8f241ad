"""The rules as the referee reads them: SocketSpec.md section 6, with no code of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

HEARTS, CLUBS, DIAMONDS, SPADES = range(4)
DECK = range(1, 53)
TWO_C, JACK_D, ACE_S, QUEEN_S, KING_S = 15, 37, 40, 51, 52


class Foul(AssertionError):
    """The clients disagree, or the table broke a rule."""


def need(truth: bool, words: str, *values: object) -> None:
    """Raise Foul in these words, which are formatted only then."""
    if not truth:
        raise Foul(words.format(*values))


def suit_of(card: int) -> int:
    return (card - 1) // 13


def strength(card: int) -> int:
    """0 for the two to 12 for the ace."""
    return (card - 2) % 13


def verdicts(
    rules: SpecRules, hand: set[int], trick: Sequence[int], first: bool, broken: bool
) -> dict[int, int]:
    """The status of each card of the deck (section 6.3), by narrowing down what may be played."""
    found = {card: -1 for card in DECK if card not in hand}
    left = set(hand)

    def keep(status: int, may_stay: Callable[[int], bool]) -> None:
        staying = {card for card in left if may_stay(card)}
        if staying:
            found.update((card, status) for card in left - staying)
            left.intersection_update(staying)

    if not trick and first and not rules.rotate:
        keep(-6, lambda card: card == TWO_C)
    if trick:
        keep(-2, lambda card: suit_of(card) == suit_of(trick[0]))
    if first and not rules.bleed:
        keep(-5, lambda card: suit_of(card) != HEARTS and card != QUEEN_S)
    if rules.dump and trick:
        void = all(suit_of(card) != suit_of(trick[0]) for card in hand)
        covered = suit_of(trick[0]) == SPADES and (ACE_S in trick or KING_S in trick)
        if void or covered:
            keep(-4, lambda card: card == QUEEN_S)
    if not trick and not broken:
        keep(-7, lambda card: suit_of(card) != HEARTS)
    return found | dict.fromkeys(left, 0)


@dataclass(frozen=True, slots=True)
class SpecRules:
    """Section 6.1, read from the number in Table."""

    jack: bool
    moon: int
    exact: int
    dump: bool
    bleed: bool
    rotate: bool
    passes: int
    no_trick: bool
    queen_keeps: bool
    spot: bool

    @classmethod
    def read(cls, number: int) -> SpecRules:
        def bits(first: int, count: int = 1) -> int:
            return (number >> first) % (1 << count)

        need(number == number & 0x2FFF00, "rules {} have bits outside 8-19 and 21", number)
        need(bits(9, 2) < 3 and bits(11, 2) < 3, "rules {} have no meaning", number)
        return cls(
            bool(bits(8)), bits(9, 2), bits(11, 2), bool(bits(13)), bool(bits(14)),
            bool(bits(15)), bits(16, 2), bool(bits(18)), bool(bits(19)), bool(bits(21)),
        )  # fmt: skip

    def direction(self, hand: int) -> int:
        cycle: tuple[int, ...] = ((1, 2, 3, 0), (1, 2, 3), (1,), (0,))[self.passes]
        return cycle[hand % len(cycle)]


def worth(rules: SpecRules, card: int) -> int:
    if card == JACK_D:
        return -10 if rules.jack else 0
    if rules.spot and suit_of(card) == HEARTS:
        return 14 if card == 1 else card
    if card == QUEEN_S:
        return 25 if rules.spot else 13
    return int(suit_of(card) == HEARTS)


def points_of(
    rules: SpecRules, takers: Mapping[int, set[int]], shooter: int, to_others: int
) -> list[int]:
    """Section 6.5; `takers` are the cards that each player took."""
    points = [0, 0, 0, 0]
    moon = 129 if rules.spot else 26
    for player, cards in takers.items():
        black = sum(worth(rules, card) for card in cards if card != JACK_D)
        if shooter < 0:
            points[player] = black
        elif to_others:
            points[player] = 0 if player == shooter else moon
        else:
            points[player] = -moon if player == shooter else 0
        if rules.jack and JACK_D in cards:
            points[player] -= 10
        if rules.no_trick and not cards:
            points[player] -= 5
    return points


def finish(rules: SpecRules, end: int, scores: Sequence[int]) -> tuple[list[int], bool, list[int]]:
    """Section 6.6: the scores, whether the game is over and who has won."""
    exactly = [player for player in range(4) if scores[player] == end]
    if rules.exact == 2 and exactly:
        return list(scores), True, exactly
    after = [0 if rules.exact == 1 and score == end else score for score in scores]
    if max(after) < end:
        return after, False, []
    return after, True, [player for player in range(4) if after[player] == min(after)]
