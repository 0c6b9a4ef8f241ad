"""The token by which a client comes back to its seat, and its text form for a file.

SocketSpec.md section 5.6: a replay begins after the Scores that the client names, so the client
must remember how things stood then. The credentials in the token are secret: anybody who has them
can take the seat.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, to_builtins

from hearts.errors import HeartsError, RemoteProtocolError
from hearts.game.cuts import format_hashes, parse_hashes
from hearts.game.deal import DealPromised
from hearts.game.scoring import Four
from hearts.wire.codec import INT_MAX, INT_MIN, NAME_LIMIT, is_printable
from hearts.wire.credentials import SeatCredentials
from hearts.wire.json_values import InvalidJson, from_plain

from .messages import Scores
from .own_cuts import PROMISES_KEPT, OwnCuts, OwnPromise

_NO_SCORES: Four = (0, 0, 0, 0)

UNKNOWN_HANDS = -1
"""The count of a client that does not know how many hands it has had the Scores of."""

Names = tuple[str, str, str, str]
"""The names of players 0-3."""


class InvalidResumeToken(HeartsError, ValueError):
    """A text form that is none; the text says what is wrong, without the numbers."""


class ResumeToken(Struct, frozen=True, gc=False):
    """The progress of one client in its session, up to its latest Scores."""

    credentials: SeatCredentials
    names: Names
    hands: int = 0
    """Hands of the session whose Scores the client has had, or UNKNOWN_HANDS."""
    game_hands: int = 0
    """Those of them that belong to the game of the latest Scores; 0 if the count is unknown."""
    latest: Scores | None = None
    """The latest Scores; None before the first, and if the count is unknown."""
    cuts: OwnCuts | None = None
    """The source of our cuts of this session, which nobody else knows; None for none."""

    @property
    def player(self) -> int:
        return self.credentials.player

    @property
    def knows_count(self) -> bool:
        """True if the hands are counted; if not, the hand dealt last comes again as a whole."""
        return self.hands != UNKNOWN_HANDS

    @property
    def scores(self) -> Four:
        return self.latest.scores if self.latest is not None else _NO_SCORES

    @property
    def game_over(self) -> bool:
        return self.latest is not None and bool(self.latest.winners)

    def after(self, scores: Scores) -> ResumeToken:
        """Return the progress after one more hand. A count that is unknown stays so."""
        if not self.knows_count:
            return self
        game_hands = 1 if self.game_over else self.game_hands + 1
        return ResumeToken(
            self.credentials, self.names, self.hands + 1, game_hands, scores, self.cuts
        )

    def without_count(self) -> ResumeToken:
        """Give the same progress for a client that does not know how far it has come."""
        return ResumeToken(self.credentials, self.names, hands=UNKNOWN_HANDS, cuts=self.cuts)

    def to_dict(self) -> dict[str, object]:
        shown, latest = self.credentials, self.latest
        kept: dict[str, object] = to_builtins(
            _ProgressFile(
                shown.game_number,
                shown.game_id,
                shown.player,
                shown.process_id,
                self.names,
                self.hands,
                self.game_hands,
                None if latest is None else latest.scores,
                () if latest is None else latest.winners,
                latest is not None and latest.you_decide,
                None if self.cuts is None else _CutsFile.of(self.cuts),
            )
        )
        return kept

    @classmethod
    def from_dict(cls, data: object) -> ResumeToken:
        """Return the progress of its text form. Raises InvalidResumeToken."""
        try:
            kept: _ProgressFile = from_plain(data, _ProgressFile)
        except InvalidJson as error:
            raise InvalidResumeToken(str(error)) from None
        if not all(is_printable(name) and len(name.encode()) <= NAME_LIMIT for name in kept.names):
            raise InvalidResumeToken("names are not four names")
        scored = max(kept.hands, 0)
        if not min(scored, 1) <= kept.game_hands <= scored:
            raise InvalidResumeToken("hands and game_hands cannot both be")
        latest = None if kept.scores is None else _checked(kept)
        if (latest is None) != (scored == 0):
            raise InvalidResumeToken("there are scores if, and only if, hands were scored")
        numbers = SeatCredentials(kept.game_number, kept.game_id, kept.player, kept.process_id)
        cuts = None if kept.cuts is None else kept.cuts.cuts()
        return cls(numbers, kept.names, kept.hands, kept.game_hands, latest, cuts)


_Id = Annotated[int, Meta(ge=0, le=INT_MAX)]
_Player = Annotated[int, Meta(ge=0, le=3)]
_Score = Annotated[int, Meta(ge=INT_MIN, le=INT_MAX)]


_Hex = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class _PromiseFile(Struct, frozen=True, gc=False):
    """The text form of a promise; ``-`` for a player who does not cut."""

    deal: Annotated[int, Meta(ge=1, le=INT_MAX)]
    digest: _Hex
    hashes: tuple[str, str, str, str]
    value: _Id
    is_spoiled: bool
    is_redrawn: bool

    @classmethod
    def of(cls, own: OwnPromise) -> _PromiseFile:
        kept = own.promise
        a, b, c, d = format_hashes(kept.hashes)
        digest = kept.digest.hex()
        return cls(kept.deal, digest, (a, b, c, d), own.value, own.is_spoiled, own.is_redrawn)

    def promise(self) -> OwnPromise:
        try:
            hashes = parse_hashes(self.hashes)
        except ValueError as error:
            raise InvalidResumeToken(f"the hashes of a promise: {error}") from None
        promise = DealPromised(self.deal, bytes.fromhex(self.digest), hashes)
        return OwnPromise(promise, self.value, self.is_spoiled, self.is_redrawn)


class _CutsFile(Struct, frozen=True, gc=False):
    """The text form of our cuts."""

    key: _Hex
    next: _Id
    held: Annotated[tuple[_PromiseFile, ...], Meta(max_length=PROMISES_KEPT)]
    latest: _Id
    is_open: bool

    @classmethod
    def of(cls, own: OwnCuts) -> _CutsFile:
        held = tuple(map(_PromiseFile.of, own.held))
        return cls(own.key.hex(), own.next, held, own.latest, own.is_open)

    def cuts(self) -> OwnCuts:
        held = tuple(each.promise() for each in self.held)
        return OwnCuts(bytes.fromhex(self.key), self.next, held, self.latest, self.is_open)


class _ProgressFile(Struct, frozen=True, gc=False):
    """The text form; winners and you_decide are those of the scores."""

    game_number: Annotated[int, Meta(ge=1, le=INT_MAX)]
    game_id: _Id
    player: _Player
    process_id: _Id
    names: Names
    hands: Annotated[int, Meta(ge=UNKNOWN_HANDS, le=INT_MAX)]
    game_hands: _Id
    scores: tuple[_Score, _Score, _Score, _Score] | None
    winners: tuple[_Player, ...]
    you_decide: bool
    cuts: _CutsFile | None


def _checked(kept: _ProgressFile) -> Scores:
    winners = set(kept.winners)
    flag = sum(4 << player for player in winners) | bool(winners) | kept.you_decide << 1
    try:
        return Scores.decode([*(kept.scores or ()), flag])
    except RemoteProtocolError:
        raise InvalidResumeToken(
            "the scores say that a game goes on, and ask about another"
        ) from None
