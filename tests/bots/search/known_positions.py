"""Positions in which the right card is known, each with the reason."""

from __future__ import annotations

from msgspec import Struct

from hearts.bots.search.position import Position
from hearts.game.cards import FULL_DECK, HEARTS_MASK, QUEEN_OF_SPADES, Card, cards_of, mask_of
from hearts.game.kernel import HandPlay
from hearts.game.rules import Direction, parse_rules
from hearts.game.scoring import Four
from hearts.game.view import View

ME = 2
"""The player on turn; player 3 sits behind them."""


class KnownPosition(Struct, frozen=True):
    """A position, and what is right in it."""

    why: str
    hand: str
    trick: str
    right: str
    """The cards that are right."""
    out: str = ""
    """The cards in the other hands; all that are not named elsewhere if this is empty."""
    taken: tuple[str, str, str, str] = ("", "", "", "")
    """Point cards that each player took. Of hearts that lie nowhere else player 0 has taken the
    lowest, and player 1 the others; player 3 has taken the queen, if she lies nowhere else."""
    rules: str = "standard"
    scores: Four = (0, 0, 0, 0)
    open_hearts: bool = True

    def position(self) -> Position:
        """The position as a search takes it."""
        hand, trick = _mask(self.hand), tuple(map(Card.parse, self.trick.split()))
        named = [_mask(words) for words in self.taken]
        held = _held(hand.bit_count(), len(trick))
        others = FULL_DECK & ~(hand | mask_of(trick))
        out = _mask(self.out) or others & ~sum(named)
        gone = others & ~out
        assert out.bit_count() == sum(held), (self.why, out.bit_count(), sum(held))
        assert not out & sum(named), self.why
        taken = named.copy()
        left = gone & ~sum(named)
        queen = left & 1 << QUEEN_OF_SPADES
        taken[3] |= queen
        hearts = left & HEARTS_MASK
        taken[0] |= hearts & -hearts
        taken[1] |= hearts & (hearts - 1)
        taken[0] |= left & ~queen & ~HEARTS_MASK
        a, b, c, d = taken
        history = (*cards_of(gone), *trick)
        play = HandPlay([0, 0, hand, 0], parse_rules(self.rules), (ME - len(trick)) % 4)
        play.played = len(history) - len(trick)
        play.simple = play.played > 0 and not play.must_dump
        play.broken = self.open_hearts
        for card in trick:
            play.play(card)
        view = View(
            ME, parse_rules(self.rules), 100, self.scores, 3, Direction.HOLD, hand, play.legal(),
            (), (), play.leader, history, play.leader, trick, (a, b, c, d), play.broken,
        )  # fmt: skip
        e, f, g, h = (out if held[player] else 0 for player in range(4))
        return Position(view, (e, f, g, h), held)


def _mask(words: str) -> int:
    return mask_of(map(Card.parse, words.split()))


def _held(own: int, played: int) -> Four:
    a, b, c, d = (0 if player == ME else own - ((ME - player) % 4 <= played) for player in range(4))
    return a, b, c, d


KNOWN = (
    # Last or nearly last to a trick
    KnownPosition("the highest card that stays below goes under a trick with a heart",
          "3D 9D 4C 5C", "JD 2D 2H", "9D", "4D 5D 6D 8D 6C 7C 5S 6S 5H"),
    KnownPosition("the last player takes a trick that costs nothing with a dangerous card",
          "3D 9D KD 4C", "JD 2D 4D", "9D KD", "5C 6C 7C 8D QD 5H 6H 7S 8S"),
    KnownPosition("who must take the trick takes it with the highest",
          "TD KD 2C 2S", "9D 2D 2H", "KD", "3C 4C 5C QD 3S 4S JD 5H 6H"),
    KnownPosition("a heart trick is ducked from the third seat",
          "2H 9H 3C", "TH 4H", "9H", "5H JH 4C 5C 6C 7S 8S"),
    KnownPosition("the queen goes under the king of spades",
          "QS 3S 4C", "2S KS", "QS", "5S 6S 7C 8C 9C 9D TD"),
    KnownPosition("the queen goes under the ace, though others are low enough",
          "QS 3S 4C 5C", "AS 4S 5S", "QS", "7S 8S 7C 8C 9C 9D TD 5H 6H"),
    KnownPosition("the queen does not take a trick that a lower spade loses",
          "QS 3S 4C 5C", "5S 4S 6S", "3S", "7S 8S KS 8C 9C 9D TD 5H 6H"),
    KnownPosition("the king of spades keeps away from the queen behind them",
          "KS 3S 4C 5C", "5S 4S", "3S", "QS 8S 7C 8C 9C 9D TD 5H 6H JC"),
    KnownPosition("the last player may take with the king of spades, for the queen did not come",
          "KS 3S 4C 5C", "5S 4S 9S", "KS", "QS 8S 7C 8C 9C 9D TD JC QC"),
    KnownPosition("the ace goes while no point may fall: the first trick",
          "AC 5C 3D 4D 5D 6D 2S 3S 4S 5S 2H 3H 4H", "2C 9C TC", "AC", open_hearts=False),
    # Another suit is led
    KnownPosition("the queen goes to somebody else at the first chance",
          "QS AH KD 3D", "5C 4C 6C", "QS", "7C 8C 9C TC JC 2S 3S 5H 6H",
          taken=("", "2H 3H", "", "4H")),
    KnownPosition("the ace of spades goes where the queen is still out and it is bare",
          "AS 3D 4D 5D", "5C 4C 6C", "AS", "QS 2S 8C 9C TC JD QD 5H 6H"),
    KnownPosition("a high heart goes where the queen has gone",
          "AH 3D 4D 2H", "5C 4C 6C", "AH", "5D 6D 8C 9C TC 5H 6H 7H 8H"),
    KnownPosition("the bare queen goes before the ace of hearts",
          "QS AH", "5C 9C 6C", "QS", "2S 5H 6H", taken=("2H", "3H", "", "4H")),
    # Leads
    KnownPosition("a low lead that others must beat",
          "2C KC", "", "2C", "3C 4C QC 5H 6H 7D"),
    KnownPosition("the lowest heart is led, for the others hold higher ones",
          "2H AD KD", "", "2H", "3H 4H 5H QD JD TD 5C 6C 7C"),
    KnownPosition("spades are bled while the queen is with another and no high spade is here",
          "3S 5S 6S KD 4C 7C", "", "3S 5S 6S",
          "QS KS AS 2S 4S 7S 8D 9D TD 8C 9C TC JC 5H 6H 7H 8H 9H",),
    KnownPosition("the king of spades is no lead while the queen is out",
          "KS 3D 4C", "", "3D 4C", "QS 2S 5D 6D 7D 5C 6C 7C 8H"),
    KnownPosition("the queen is not led into hands of low spades",
          "QS 2D 3C", "", "2D 3C", "2S 3S 4S 5D 6D 7D 5C 6C 7C"),
    KnownPosition("the master of a suit is not led while points may fall on it",
          "AD 2D 2C", "", "2D 2C", "5D 6D 7D 5C 6C 7C QS 5H 6H"),
    # The moon that is there
    KnownPosition("all points so far and every winner: the moon is taken, the winners first",
          "AH KH QH 2C", "", "AH KH QH", "3H 4H 5H 6C 7C 8C 9C TC JC 5D 6D 7D",
          taken=("", "", "6H 7H 8H 9H TH JH QS 2H", "")),
    KnownPosition("the last heart is worth the trick that takes it, with all others taken",
          "AD KD 2C", "JD 3D", "AD KD", "4C 5C 2H 6C 7C 8C 9C",
          taken=("", "", "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS", "")),
    KnownPosition("the trick with the last heart makes the moon",
          "AC 2C", "5C 6C 2H", "AC", "3C 3D 4D",
          taken=("", "", "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS", "")),
    KnownPosition("with twelve sure tricks the moon is shot from the first lead on",
          "AH KH QH JH TH 9H AS KS AC KC AD KD 2H", "", "AS KS AC KC AD KD AH KH QH JH TH 9H",
          rules="rotate,bleed", open_hearts=True),
    KnownPosition("the shooter takes the queen with the ace, in place of ducking",
          "AS 2S AH KH QH", "QS 3S", "AS", "JH TH 9H 4S 5S 4C 5C 6C 7C 8C 9C TC 8H",
          taken=("", "", "2H 3H 4H 5H 6H 7H", "")),
    KnownPosition("the shooter throws no heart away that they can take a trick with",
          "AH KH 2C", "5D 6D 7D", "2C", "QH JH TH 8D 9D 3C",
          taken=("", "", "2H 3H 4H 5H 6H 7H 8H 9H QS", "")),
    # The moon that is coming
    KnownPosition("the last heart stops the moon: the ace takes it",
          "AH 5H", "3H KH", "AH", "5C 6C 5D 6D",
          taken=("", "2H 4H 6H 7H 8H 9H TH JH QH QS", "", "")),
    KnownPosition("who shoots is stopped by taking a trick with one heart, though it costs a point",
          "KD 2D 3C", "JD 4D 9H", "KD", "TH JH 4C 5C 6C 7C",
          taken=("", "", "", "2H 3H 4H 5H 6H 7H 8H QH KH AH QS")),
    KnownPosition("the shooter gets no heart: another card goes on their trick",
          "AH 9C", "3D AD", "9C", "5C 6C 7C KD",
          taken=("2S", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS", "", "")),
    KnownPosition("the heart goes on the trick of who is not shooting",
          "9H 9C 3C", "KD 3D 4D", "9H", "5C 6C 7C QD TH 5S",
          taken=("QS 2H 3H 4H 5H 6H 7H 8H", "JH QH KH AH", "", "")),
    KnownPosition("the ace takes the shooter's heart trick",
          "AH 2H 4S", "9H KH", "AH", "QH JH 3H 5C 6C 7D 8D",
          taken=("", "4H 5H 6H 7H 8H TH QS", "", "")),
    # Rules
    KnownPosition("the jack of diamonds is taken with the ace",
          "AD 2D 3C 4C", "JD 3D 4D", "AD", "5C 6C 7C 5D 6D 7S 8S 5H 6H", rules="jack"),
    KnownPosition("the jack of diamonds is not led while higher diamonds are out",
          "JD 2C 3C", "", "2C 3C", "QD KD AD 5C 6C 7C 7S 8S 5H", rules="jack"),
    KnownPosition("the last player takes a trick with their own jack",
          "JD 2D 3C 4C", "TD 3D 4D", "JD", "QD KD AD 5C 6C 7C 7S 8S 5H", rules="jack"),
    KnownPosition("the jack is not thrown away",
          "JD 2D 9S", "5C 6C 7C", "9S 2D", "QD 3D 8C 9C TS 4D", rules="jack"),
    KnownPosition("five points off for no trick: the lowest card loses it",
          "2C 9C", "3C 4C", "2C", "TC 5D 6D 7D", rules="notrick",
          taken=("", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "", "QS")),
    KnownPosition("the queen need not go on the first trick: a high club does",
          "QS AC 5C 3D 4D 5D 6D 2S 3S 4S 5S 2H 3H", "2C 9C TC", "AC", rules="dump",
          open_hearts=False),
    # The last tricks
    KnownPosition("the exit card is led first, and the winner waits for nothing",
          "3C AD", "", "3C", "4C 5C 6C 5H 6H 7H"),
    KnownPosition("of two losers the one is led that leaves a safe exit",
          "2C 5D", "", "2C 5D", "3C 4C 6D 7D 8S 9S"),
    KnownPosition("the queen is thrown on the last suit but one",
          "QS 2D", "9C TC JC", "QS", "3S 4S 4D"),
    # The score
    KnownPosition("who leads the game and is near its end takes no risk with the king of spades",
          "KS 3S 4C 5C", "5S 4S", "3S", "QS 8S 7C 8C 9C 9D TD 5H 6H JC", scores=(95, 80, 40, 70)),
)  # fmt: skip
