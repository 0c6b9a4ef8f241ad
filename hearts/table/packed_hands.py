"""The finished hands of a session in few bytes: one without cuts takes at most 85, as a rule.

A step is one byte, and what belongs to it. The six low bits of the byte are a card that the player
in the two high bits has played or passed, or one of :class:`_Code`. A rare step is kept as its
stored line. So every step that can be stored can be packed, under any rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from io import BytesIO

from msgspec import Struct, msgpack

from hearts.game.cards import CARDS
from hearts.game.cuts import NO_HASHES, VALUE_BYTES, ShownCuts, hash_of, shown_cuts
from hearts.game.deal import NO_CUTS, SECRET_BYTES
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import PASS_SIZE
from hearts.game.record import PLAYS

from .replay import SessionStanding
from .steps import Promise, Step, format_step, parse_step

BLOCK_HANDS = 16
"""Hands of a block. To know where the session stood before one, those before it in its block are
played again, which takes 0.2 ms each."""
_PLAYER = 6
_CODES = (1 << _PLAYER) - 1
_BYS = tuple(ChosenBy)


class _Code(IntEnum):
    """The meaning of a byte that is no card."""

    BY = len(CARDS)
    """This and the next ones: who makes the player's choices from here on."""
    PASSES = BY + len(_BYS)
    """The next cards are passed, three by each player."""
    DEAL = PASSES + 1
    """The secret follows."""
    CUT_DEAL = DEAL + 1
    """The secret follows, and for each player one of :class:`_Cut` with its bytes."""
    PROMISE = CUT_DEAL + 1
    """That of the next deal."""
    LINE = PROMISE + 1
    """The length of the line of any other step follows, and the line."""


assert max(_Code) <= _CODES, "a code takes six bits"


class _Cut(IntEnum):
    """A player's part in the cuts of a deal."""

    NONE = 0
    MISSING = 1
    """The hash of a value that was not shown."""
    SHOWN = 2
    """The value."""


_PLAYS = {(play.by, play.player << _PLAYER | play.card): play for play in PLAYS.values()}


def pack_hand(steps: Sequence[Step]) -> bytes:
    """Pack the steps of a hand. Raises ValueError for one whose line is too long."""
    packed = bytearray()
    bys = [ChosenBy.PLAYER] * 4
    is_passing = False
    for step in steps:
        if isinstance(step, (Play, Pass)) and step.by is not bys[step.player]:
            bys[step.player] = step.by
            packed.append(step.player << _PLAYER | _Code.BY + _BYS.index(step.by))
        match step:
            case Play():
                packed.append(step.player << _PLAYER | step.card)
            case Pass(player, cards):
                if not is_passing:
                    is_passing = True
                    packed.append(_Code.PASSES)
                packed += bytes(player << _PLAYER | card for card in cards)
            case Promise():
                packed.append(_Code.PROMISE)
            case Deal(_, bytes() as secret, _, ShownCuts(hashes, values)):
                packed.append(_Code.CUT_DEAL)
                packed += secret
                for digest, value in zip(hashes, values, strict=True):
                    cut = _Cut.SHOWN if value else _Cut.MISSING if digest else _Cut.NONE
                    packed.append(cut)
                    packed += value or digest
            case Deal(_, bytes() as secret, cuts) if cuts == NO_CUTS:
                packed.append(_Code.DEAL)
                packed += secret
            case _:
                line = format_step(step).encode()
                packed.append(_Code.LINE)
                packed.append(len(line))
                packed += line
    return bytes(packed)


def unpack_hand(packed: bytes) -> list[Step]:
    """The steps that were packed."""
    read = BytesIO(packed).read
    steps: list[Step] = []
    bys = [ChosenBy.PLAYER] * 4
    promised = -1
    passes = 0
    while byte := read(1):
        player, code = byte[0] >> _PLAYER, byte[0] & _CODES
        if code < len(CARDS):
            if passes:
                passes -= 1
                a, b, c = (CARDS[each & _CODES] for each in byte + read(PASS_SIZE - 1))
                steps.append(Pass(player, (a, b, c), bys[player]))
            else:
                steps.append(_PLAYS[bys[player], byte[0]])
        elif code == _Code.PASSES:
            passes = 4
        elif code == _Code.DEAL:
            steps.append(Deal.from_secret(read(SECRET_BYTES)))
        elif code == _Code.CUT_DEAL:
            secret = read(SECRET_BYTES)
            shown = _read_shown(read)
            steps.append(Deal.from_shown(secret, shown))
            steps[promised] = Promise(secret, shown.hashes)
        elif code == _Code.PROMISE:
            promised = len(steps)
            steps.append(Promise(b"", NO_HASHES))
        elif code == _Code.LINE:
            steps.append(parse_step(read(read(1)[0]).decode()))
        else:
            bys[player] = _BYS[code - _Code.BY]
    return steps


def _read_shown(read: Callable[[int], bytes]) -> ShownCuts:
    hashes, values = [b""] * 4, [b""] * 4
    for player in range(4):
        match _Cut(read(1)[0]):
            case _Cut.MISSING:
                hashes[player] = read(VALUE_BYTES)
            case _Cut.SHOWN:
                values[player] = read(VALUE_BYTES)
                hashes[player] = hash_of(values[player])
            case _Cut.NONE:
                pass
    return shown_cuts(hashes, values)


class _Block(Struct, array_like=True):
    """Some hands in a row, and the standing before them."""

    standing: SessionStanding
    hands: list[bytes]


_ENCODER = msgpack.Encoder()
_DECODER = msgpack.Decoder(_Block)


class PackedHands:
    """The finished hands of a session, in blocks: few objects, however many hands there are."""

    def __init__(self, standing: SessionStanding) -> None:
        """``standing`` is where the session begins."""
        self._blocks: list[bytes] = []
        """The blocks that are full."""
        self._last = _Block(standing, [])
        self._found = 0, standing
        """The answer that :meth:`standing` gave last, for several questions come about one hand."""

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK_HANDS + len(self._last.hands)

    def append(self, steps: Sequence[Step], after: SessionStanding) -> None:
        """Keep the steps of a hand; ``after`` is where the session stands behind them."""
        hands = self._last.hands
        hands.append(pack_hand(steps))
        if len(hands) == BLOCK_HANDS:
            self._blocks.append(_ENCODER.encode(self._last))
            self._last = _Block(after, [])

    def _block(self, number: int) -> _Block:
        if number == len(self._blocks):
            return self._last
        return _DECODER.decode(self._blocks[number])

    def steps(self, hand: int) -> list[Step]:
        """The steps of a hand, counted from 0."""
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
    """Give the standing behind a hand that began at ``standing``."""
    game = standing.new_game()
    for step in steps:
        standing = standing.after_step(step)
        if isinstance(step, Deal):
            game = standing.new_game()
        if isinstance(step, Deal | Pass | Play | ChooseMoon):
            game.apply(step)
    return standing.after_hand(game)
