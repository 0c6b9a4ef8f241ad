"""One hand as the end of a link: what its cards follow from, and all that was chosen.

``docs/links.md`` has the bytes. They are for ever, unlike those in which a table keeps its hands
(:mod:`hearts.table.steps`), and come from anybody: sizes are checked first, then the rules.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from io import BytesIO
from itertools import chain
from struct import Struct as Layout

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import HeartsError, InvalidLink
from hearts.game.cards import CARDS, four
from hearts.game.deal import NO_CUT, SECRET_BYTES
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import PASS_SIZE, Game, Phase
from hearts.game.record import PlayedHand
from hearts.game.rules import END_SCORES, Direction, Rules, rules_from_bits
from hearts.game.scoring import Four
from hearts.wire.text import is_legible, is_visible

SHOWN_BY_LINK = (
    "A link shows that the cards follow from the numbers in it, not that anybody was dealt or "
    "played them."
)
LONGEST_LINK = 400  # Characters behind ``#hand=``; one with four long names has 343.
_VERSION = b"\x01"

_TEXT = re.compile(r"(?:.*#)?(?:hand=)?([A-Za-z0-9_-]+)", re.DOTALL)
_HEAD = Layout(">IHHBB")
_SCORES = Layout(">4h")
_SCORE_FLAG, _NAME_FLAG, _FLAGS = 1 << 4, 1 << 5, 1 << 6
_NOBODY = 4
_NAME_BYTES = 30
_CARD, _CARD_BITS = 6, 0b111111
_BYS = tuple(ChosenBy)
_SEATS = ("Seat 0", "Seat 1", "Seat 2", "Seat 3")
_NO_SCORES: Four = (0, 0, 0, 0)

LinkChoice = Pass | Play | ChooseMoon


class LinkedHand(Struct, frozen=True, gc=False):
    """A hand that was played to its end, as a link has it."""

    rules: Rules
    end_score: int
    number: int
    deal: Deal
    choices: tuple[LinkChoice, ...]
    """The passes of players 0 to 3, the plays, and what becomes of a moon."""
    before: Four = _NO_SCORES
    own: int | None = None
    """The seat (0-3) of the maker of the link, if they say so."""
    given_names: tuple[str, str, str, str] | None = None

    @property
    def names(self) -> tuple[str, str, str, str]:
        return self.given_names or _SEATS

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self.deal, *self.choices)

    def new_game(self) -> Game:
        """Return the game before this hand."""
        return Game(self.rules, self.end_score, self.before, self.number - 1)

    def played(self) -> tuple[Game, PlayedHand]:
        """Play it; return its game at the end. Raises HeartsError for what the rules forbid."""
        game = self.new_game()
        hand = PlayedHand(self.before)
        for action in self.actions:
            hand.do(game, action)
        return game, hand


def format_link(hand: LinkedHand) -> str:
    """Return what stands behind ``#hand=``. Raises InvalidLink if a number of it has no room."""
    flags, cuts = 0, b""
    for player in range(4):
        cut = hand.deal.cuts[8 * player : 8 * player + 8]
        if cut != NO_CUT:
            flags |= 1 << player
            cuts += cut
    scores = names = b""
    if hand.before != _NO_SCORES:
        flags |= _SCORE_FLAG
        if not all(-0x8000 <= score < 0x8000 for score in hand.before):
            raise InvalidLink("the scores are too high for a link")
        scores = _SCORES.pack(*hand.before)
    if hand.given_names is not None:
        flags |= _NAME_FLAG
        written = [name.encode() for name in hand.given_names]
        names = b"".join(bytes([len(name)]) + name for name in written)
    if hand.deal.secret is None or hand.number > 0xFFFF:
        raise InvalidLink("the hand has no deal code, or too high a number")
    own = _NOBODY if hand.own is None else hand.own
    head = _HEAD.pack(hand.rules.bits, hand.end_score, hand.number, flags, own)
    chosen = bytes(chain.from_iterable(map(_packed, hand.choices)))
    data = _VERSION + head + hand.deal.secret + cuts + scores + chosen + names
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _packed(choice: LinkChoice) -> list[int]:
    by = _BYS.index(choice.by) << _CARD
    match choice:
        case Pass(_, cards):
            return [by | card for card in cards]
        case Play(_, card):
            return [by | card]
        case ChooseMoon(_, on_others):
            return [by | on_others]


def parse_link(text: str) -> LinkedHand:
    """Return the hand of a link, of ``#hand=...`` or of what stands behind that.

    Raises InvalidLink, saying what is wrong, also for a choice that the rules do not allow.
    """
    found = _TEXT.fullmatch("".join(text.split())) if len(text) <= 2 * LONGEST_LINK else None
    if found is None:
        raise InvalidLink("it is no link to a hand")
    value = found[1]
    if len(value) > LONGEST_LINK:
        raise InvalidLink(f"a hand has at most {LONGEST_LINK} characters, this one {len(value)}")
    if len(value) % 4 == 1:
        raise InvalidLink("a part of it is missing")
    data = urlsafe_b64decode(value + "=" * (-len(value) % 4))
    if urlsafe_b64encode(data).rstrip(b"=").decode() != value:
        raise InvalidLink("its last character means nothing")
    return _LinkReader(data).hand()


class _LinkReader:
    def __init__(self, data: bytes) -> None:
        self._stream = BytesIO(data)

    def _read(self, size: int) -> bytes:
        data = self._stream.read(size)
        if len(data) < size:
            raise InvalidLink("the end of it is missing")
        return data

    def hand(self) -> LinkedHand:
        if self._read(1) != _VERSION:
            raise InvalidLink("it is of a kind that is not known here")
        bits, end_score, number, flags, own = _HEAD.unpack(self._read(_HEAD.size))
        if end_score not in END_SCORES or not number or flags >= _FLAGS or own > _NOBODY:
            raise InvalidLink("it has a number without a meaning")
        try:
            rules = rules_from_bits(bits)
        except HeartsError as error:
            raise InvalidLink(str(error)) from None
        if rules.bits != bits:
            raise InvalidLink("it has rules that are not known here")
        secret = self._read(SECRET_BYTES)
        cuts = [self._present(flags >> player & 1, NO_CUT) for player in range(4)]
        before = _NO_SCORES
        if flags & _SCORE_FLAG:
            before = _SCORES.unpack(self._present(1, bytes(_SCORES.size)))
        seat = None if own == _NOBODY else own
        deal = Deal.from_secret(secret, b"".join(cuts))
        hand = LinkedHand(rules, end_score, number, deal, (), before, seat)
        try:
            choices = self._choices(hand.new_game(), deal)
        except InvalidLink:
            raise
        except HeartsError as error:
            raise InvalidLink(f"the rules do not allow what was played: {error}") from None
        names = four(self._name() for _ in range(4)) if flags & _NAME_FLAG else None
        if self._stream.read(1):
            raise InvalidLink("there is more in it than a hand")
        return replace(hand, choices=choices, given_names=names)

    def _present(self, is_there: int, nothing: bytes) -> bytes:
        """Read what a flag says to be there; it is never the same as if it were not."""
        if not is_there:
            return nothing
        data = self._read(len(nothing))
        if data == nothing:
            raise InvalidLink("it has a number without a meaning")
        return data

    def _choices(self, game: Game, deal: Deal) -> tuple[LinkChoice, ...]:
        choices: list[LinkChoice] = []

        def do(choice: LinkChoice) -> None:
            game.check(choice)
            game.apply(choice)
            choices.append(choice)

        game.apply(deal)
        if game.direction is not Direction.HOLD:
            for player in range(4):
                chosen = [self._choice() for _ in range(PASS_SIZE)]
                if len({by for by, _ in chosen}) > 1 or any(card >= 52 for _, card in chosen):
                    raise InvalidLink("three cards that are passed mean nothing")
                do(Pass(player, tuple(CARDS[card] for _, card in chosen), chosen[0][0]))
        while game.phase is Phase.PLAY:
            by, card = self._choice()
            if card >= 52:
                raise InvalidLink(f"there is no card {card}")
            do(Play(game.waiting_for()[0], CARDS[card], by))
        if game.phase is Phase.MOON:
            by, on_others = self._choice()
            if on_others > 1:
                raise InvalidLink("what becomes of the moon means nothing")
            do(ChooseMoon(game.waiting_for()[0], bool(on_others), by))
        return tuple(choices)

    def _choice(self) -> tuple[ChosenBy, int]:
        byte = self._read(1)[0]
        return _BYS[byte >> _CARD], byte & _CARD_BITS

    def _name(self) -> str:
        size = self._read(1)[0]
        try:
            name = self._read(size).decode()
        except UnicodeDecodeError:
            raise InvalidLink("a name is no UTF-8") from None
        if not 1 <= size <= _NAME_BYTES or not is_legible(name) or not is_visible(name):
            raise InvalidLink("a name in it cannot be shown")
        return name
