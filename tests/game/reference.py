"""The rules of Hearts once more, word by word, slow and plain: what the core is compared with.

It shares no code with ``hearts``. Cards are texts ("QS"), hands are sets of them, and the rules
are the words of the rules text, without presets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "HCDS"
DECK = [rank + suit for suit in SUITS for rank in RANKS]

NOT_HELD = -1
FOLLOW_SUIT = -2
QUEEN_MUST_GO = -4
NO_POINTS_ON_FIRST_TRICK = -5
TWO_OF_CLUBS_LEADS = -6
HEARTS_NOT_BROKEN = -7


def words_of(rules: str) -> set[str]:
    return set(rules.split(","))


def is_point(card: str) -> bool:
    return card[1] == "H" or card == "QS"


class ReferenceHand:
    """The play of one hand."""

    def __init__(self, hands: Sequence[Iterable[str]], rules: str, hand_number: int) -> None:
        self.hands = [set(hand) for hand in hands]
        self.words = words_of(rules)
        self.tricks: list[tuple[int, list[str]]] = []
        """The tricks that are complete: who took them, and the cards."""
        self.trick: list[str] = []
        if "rotate" in self.words:
            self.turn = hand_number % 4
        else:
            self.turn = next(player for player in range(4) if "2C" in self.hands[player])

    def copy(self) -> ReferenceHand:
        other = ReferenceHand.__new__(ReferenceHand)
        other.hands = [set(hand) for hand in self.hands]
        other.words = self.words
        other.tricks = list(self.tricks)
        other.trick = list(self.trick)
        other.turn = self.turn
        return other

    def played(self) -> list[str]:
        return [card for _, cards in self.tricks for card in cards] + self.trick

    def hearts_are_broken(self) -> bool:
        for card in self.played():
            if card[1] == "H":
                return True
            if card == "QS" and "queen-keeps" not in self.words:
                return True
        return False

    def refusal(self, card: str) -> int:
        """The status code with which a card of the player on turn is refused; 0 if it is legal."""
        hand = self.hands[self.turn]
        if card not in hand:
            return NOT_HELD
        if self._breaks_first_lead(card):
            return TWO_OF_CLUBS_LEADS
        if self._breaks_suit(card):
            return FOLLOW_SUIT
        if self._breaks_first_trick(card):
            return NO_POINTS_ON_FIRST_TRICK
        if self._breaks_dump(card):
            return QUEEN_MUST_GO
        if self._breaks_hearts(card):
            return HEARTS_NOT_BROKEN
        return 0

    def legal(self) -> set[str]:
        return {card for card in self.hands[self.turn] if self.refusal(card) == 0}

    def _breaks_first_lead(self, card: str) -> bool:
        is_first_lead = not self.tricks and not self.trick
        return is_first_lead and "rotate" not in self.words and card != "2C"

    def _breaks_suit(self, card: str) -> bool:
        if not self.trick:
            return False
        led = self.trick[0][1]
        can_follow = any(held[1] == led for held in self.hands[self.turn])
        return can_follow and card[1] != led

    def _breaks_hearts(self, card: str) -> bool:
        if self.trick or card[1] != "H" or self.hearts_are_broken():
            return False
        return any(held[1] != "H" for held in self.hands[self.turn])

    def _breaks_first_trick(self, card: str) -> bool:
        if self.tricks or "bleed" in self.words or not is_point(card):
            return False
        return any(
            not is_point(held)
            and not self._breaks_first_lead(held)
            and not self._breaks_suit(held)
            and not self._breaks_hearts(held)
            for held in self.hands[self.turn]
        )

    def _breaks_dump(self, card: str) -> bool:
        hand = self.hands[self.turn]
        if "dump" not in self.words or not self.trick or card == "QS" or "QS" not in hand:
            return False
        if self._breaks_suit("QS") or self._breaks_first_trick("QS"):
            return False
        led = self.trick[0][1]
        if all(held[1] != led for held in hand):
            return True
        return led == "S" and ("AS" in self.trick or "KS" in self.trick)

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            led = self.trick[0][1]
            followed = [card for card in self.trick if card[1] == led]
            highest = max(followed, key=lambda card: RANKS.index(card[0]))
            self.turn = (self.turn + self.trick.index(highest)) % 4
            self.tricks.append((self.turn, self.trick))
            self.trick = []

    def taken(self) -> list[list[str]]:
        """The cards that each player took."""
        return [
            [card for taker, cards in self.tricks if taker == player for card in cards]
            for player in range(4)
        ]


def count(hand: ReferenceHand, depth: int) -> int:
    """How many sequences of legal plays of this length follow."""
    if depth == 0:
        return 1
    total = 0
    for card in hand.legal():
        after = hand.copy()
        after.play(card)
        total += count(after, depth - 1)
    return total


def worth(card: str, rules: str) -> int:
    """What a card counts in a trick."""
    words = words_of(rules)
    if card == "JD":
        return -10 if "jack" in words else 0
    if card == "QS":
        return 25 if "spot" in words else 13
    if card[1] != "H":
        return 0
    return 2 + RANKS.index(card[0]) if "spot" in words else 1


def hand_points(taken: Sequence[Sequence[str]], rules: str, on_others: bool) -> list[int]:
    """What a finished hand adds to each score."""
    words = words_of(rules)
    points = []
    for cards in taken:
        hearts = len([card for card in cards if card[1] == "H"])
        moon = 129 if "spot" in words else 26
        shot = hearts == 13 and "QS" in cards
        others_shot = any(
            "QS" in other and len([card for card in other if card[1] == "H"]) == 13
            for other in taken
            if other is not cards
        )
        if shot:
            score = 0 if on_others else -moon
        elif others_shot:
            score = moon if on_others else 0
        else:
            score = sum(worth(card, rules) for card in cards if card != "JD")
        if "jack" in words and "JD" in cards:
            score -= 10
        if "notrick" in words and not cards:
            score -= 5
        points.append(score)
    return points


def add(
    scores: Sequence[int], points: Sequence[int], rules: str, end: int
) -> tuple[list[int], list[int]]:
    """The scores after a hand, and the winners; nobody has won while the game goes on."""
    words = words_of(rules)
    after = [scores[player] + points[player] for player in range(4)]
    if "exact=wins" in words and end in after:
        return after, [player for player in range(4) if after[player] == end]
    if "exact=zero" in words:
        after = [0 if score == end else score for score in after]
    if any(score >= end for score in after):
        return after, [player for player in range(4) if after[player] == min(after)]
    return after, []
