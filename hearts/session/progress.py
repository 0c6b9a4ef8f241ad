"""What a client must remember to come back to its seat, and its text form for a file.

SocketSpec.md section 5.6: a replay begins after the Scores that the client names, so what it needs
is how things stood then. The credentials in it are secret: whoever has them has the seat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from hearts.errors import HeartsError, RemoteProtocolError
from hearts.game.scoring import Four
from hearts.wire.codec import INT_MAX, INT_MIN, NAME_LIMIT, is_printable
from hearts.wire.credentials import SeatCredentials

from .messages import Scores

_NO_SCORES: Four = (0, 0, 0, 0)
_KEY = re.compile(r"(?:[0-9a-f]{2}){0,64}")


Names = tuple[str, str, str, str]
"""The names of players 0-3."""


class InvalidProgress(HeartsError, ValueError):
    """A text form that is none; the text says what is wrong, without the numbers."""


class Progress(Struct, frozen=True, gc=False):
    """How far one client has come in its session: up to its latest Scores."""

    credentials: SeatCredentials
    names: Names
    hands: int = 0
    """Hands of the session whose Scores the client has had."""
    game_hands: int = 0
    """Those of them that belong to the game of the latest Scores."""
    latest: Scores | None = None
    """The latest Scores; None before the first."""
    cut_key: bytes = b""
    """What the cuts of this session follow from, and nobody else knows; empty for none."""

    @property
    def player(self) -> int:
        """Our seat, 0-3."""
        return self.credentials.player

    @property
    def scores(self) -> Four:
        """The scores of the game as they stand."""
        return self.latest.scores if self.latest is not None else _NO_SCORES

    @property
    def game_over(self) -> bool:
        """Whether the latest Scores have ended a game."""
        return self.latest is not None and bool(self.latest.winners)

    def after(self, scores: Scores) -> Progress:
        """The progress after one more hand."""
        game_hands = 1 if self.game_over else self.game_hands + 1
        return Progress(
            self.credentials, self.names, self.hands + 1, game_hands, scores, self.cut_key
        )

    def to_dict(self) -> dict[str, object]:
        """The text form, of what JSON knows."""
        shown = self.credentials
        latest = self.latest
        return {
            "game_number": shown.game_number,
            "game_id": shown.game_id,
            "player": shown.player,
            "process_id": shown.process_id,
            "names": list(self.names),
            "hands": self.hands,
            "game_hands": self.game_hands,
            "scores": None if latest is None else list(latest.scores),
            "winners": [] if latest is None else list(latest.winners),
            "you_decide": latest is not None and latest.you_decide,
            "cut_key": self.cut_key.hex(),
        }

    @classmethod
    def from_dict(cls, data: object) -> Progress:
        """The progress of its text form. Raises InvalidProgress."""
        if not isinstance(data, dict):
            raise InvalidProgress("the progress is no object")
        numbers = SeatCredentials(
            _whole(data, "game_number", 1),
            _whole(data, "game_id", 0),
            _whole(data, "player", 0, 3),
            _whole(data, "process_id", 0),
        )
        hands = _whole(data, "hands", 0)
        game_hands = _whole(data, "game_hands", min(hands, 1), hands)
        latest = _scores(data)
        if (latest is None) != (hands == 0):
            raise InvalidProgress("there are scores if, and only if, hands were scored")
        return cls(numbers, _names(data), hands, game_hands, latest, _key(data))


def _whole(data: dict[object, object], key: str, low: int, high: int = INT_MAX) -> int:
    value = data.get(key)
    if type(value) is not int or not low <= value <= high:
        raise InvalidProgress(f"{key} is no whole number from {low} to {high}")
    return value


def _whole_list(data: dict[object, object], key: str, low: int, high: int) -> list[int]:
    values = data.get(key)
    if not isinstance(values, list):
        raise InvalidProgress(f"{key} is no list")
    return [_whole({key: value}, key, low, high) for value in values]


def _key(data: dict[object, object]) -> bytes:
    text = data.get("cut_key", "")
    if not isinstance(text, str) or not _KEY.fullmatch(text):
        raise InvalidProgress("the key of the cuts is none")
    return bytes.fromhex(text)


def _names(data: dict[object, object]) -> Names:
    names = data.get("names")
    if not isinstance(names, list) or len(names) != 4 or not all(map(_is_name, names)):
        raise InvalidProgress("names are not four names")
    a, b, c, d = names
    return (a, b, c, d)


def _is_name(value: object) -> bool:
    if not isinstance(value, str) or not is_printable(value):
        return False
    return len(value.encode()) <= NAME_LIMIT


def _scores(data: dict[object, object]) -> Scores | None:
    if data.get("scores") is None:
        return None
    scores = _whole_list(data, "scores", INT_MIN, INT_MAX)
    winners = _whole_list(data, "winners", 0, 3)
    you_decide = data.get("you_decide")
    if len(scores) != 4 or not isinstance(you_decide, bool):
        raise InvalidProgress("the scores are not complete")
    return _checked(scores, winners, you_decide)


def _checked(scores: Sequence[int], winners: Sequence[int], you_decide: bool) -> Scores:
    flag = sum(4 << player for player in set(winners)) | bool(winners) | you_decide << 1
    try:
        return Scores.decode([*scores, flag])
    except RemoteProtocolError:
        raise InvalidProgress("the scores say that a game goes on, and ask about another") from None
