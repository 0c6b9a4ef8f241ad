"""Deals in which a rule bites: most of what the client holds may not be played.

Seats are counted from the client: 0 is the client, 1 its left neighbour. Whatever the bots on the
other seats choose, each deal comes to its point.
"""

from __future__ import annotations

from hearts.game.cards import CARDS, RANK_TEXT, Card, mask_of
from hearts.game.events import Deal

Place = int
"""0 for the client, then clockwise."""

Wish = dict[Place, str]
"""Some of the cards of some hands, as text."""


def arrange(wish: Wish, me: int) -> Deal:
    """Return a deal with these cards; the others are dealt out in order."""
    given = {place: [Card.parse(text) for text in cards.split()] for place, cards in wish.items()}
    used = mask_of(card for cards in given.values() for card in cards)
    rest = [card for card in CARDS if not used >> card & 1]
    hands = [0, 0, 0, 0]
    # Dealt round, so that every hand has something of each suit, as far as there is enough.
    places = [place for place in range(4) if len(given.get(place, [])) < 13]
    while rest:
        for place in places:
            cards = given.setdefault(place, [])
            if len(cards) < 13 and rest:
                cards.append(rest.pop())
    for place, cards in given.items():
        hands[(me + place) % 4] = mask_of(cards)
    a, b, c, d = hands
    return Deal((a, b, c, d))


def suit(letter: str, ranks: str = RANK_TEXT) -> str:
    return " ".join(rank + letter for rank in ranks)


ALL_CLUBS: Wish = {0: suit("C")}
"""The client takes every trick, and shoots the moon."""
ANOTHERS_CLUBS: Wish = {1: suit("C")}
"""The left neighbour takes every trick, and shoots the moon."""
LEADS_HEARTS: Wish = {
    0: "AC 2D " + suit("H", "3456789TJQK"),
    1: "2C 3C 4C 5C",
    2: "6C 7C 8C 9C",
    3: "TC JC QC KC",
}
"""The ace of clubs must follow, and take the trick; then all but a diamond are hearts."""
LEADS_TWO: Wish = {0: "2C 9C AC QS " + suit("H", "3456789TJ")}
"""The two of clubs must be led."""
NO_CLUBS: Wish = {0: "QS 2D 3D " + suit("H", "23456789TJ")}
"""Nothing of the first suit: all but two diamonds are points."""
DUMPS_ON_CLUBS: Wish = {0: "QS " + suit("D", "23456789TJQK"), 1: suit("C")}
"""Clubs are led all the time: from the second trick on the queen must go."""
DUMPS_AT_ONCE: Wish = {0: "QS " + suit("D", "23456789TJQK")}
"""With points on the first trick the queen must go at once."""
DUMPS_UNDER_ACE: Wish = {
    0: "2C QS 2S 3S 4S 5S 6S 7S " + suit("D", "23456"),
    1: "AC AS KS " + suit("H", "23456789TJ"),
}
"""The left neighbour takes the first trick and has to lead the ace or the king of spades."""
QUEEN_FALLS: Wish = {
    0: "AC 2D " + suit("H", "3456789TJQK"),
    1: "2C 3C 4C 5C 6C 7C",
    2: "QS " + suit("D", "3456789TJQKA"),
    3: "8C 9C TC JC QC KC",
}
"""The queen must go on the client's ace of clubs; then all but a diamond are hearts."""
LEADS_ANYTHING: Wish = {0: "QS 2D " + suit("H", "3456789TJQK"), 1: "2C"}
"""The first lead rotates to the client: all but a diamond are points."""
