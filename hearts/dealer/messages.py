"""Everything that the server says in the dealer dialect, by type (DealerSpec.md section 14.3)."""

from __future__ import annotations

from typing import Any

from .beside import BESIDE
from .hand_messages import (
    CARD_PLAYED,
    CHOOSE_CARD,
    TRICK_POINTS,
    TWO_INTS,
    CardPlayedMessage,
    CutMessage,
    DealProof,
    DoneHand,
    DoPass,
    FirstLead,
    HeartsBroken,
    LeadCard,
    LegalCard,
    LoseCard,
    LosePass,
    MoonChoice,
    NewHand,
    PlayCard,
    PlayerShotMoon,
    TakeCard,
    TakePass,
    TakeTrick,
    TrickDone,
)
from .layout import Fields
from .message import (
    DIGEST_BYTES,
    HAND_SIZE,
    PASS_SIZE,
    PING_LIMIT,
    SEATS,
    SECRET_BYTES,
    WATCHER,
    Message,
)
from .table_messages import (
    AnswerError,
    EndGame,
    NewGame,
    PassError,
    PlayAgainMessage,
    PlayError,
    Pong,
    RegisterPlayer,
    ScoreCard,
    SeatedMessage,
)

__all__ = [
    "CARD_PLAYED",
    "CHOOSE_CARD",
    "DIGEST_BYTES",
    "HAND_SIZE",
    "MESSAGES",
    "PASS_SIZE",
    "PING_LIMIT",
    "SEATS",
    "SECRET_BYTES",
    "TRICK_POINTS",
    "TWO_INTS",
    "WATCHER",
    "AnswerError",
    "CardPlayedMessage",
    "CutMessage",
    "DealProof",
    "DoPass",
    "DoneHand",
    "EndGame",
    "FirstLead",
    "HeartsBroken",
    "LeadCard",
    "LegalCard",
    "LoseCard",
    "LosePass",
    "Message",
    "MoonChoice",
    "NewGame",
    "NewHand",
    "PassError",
    "PlayAgainMessage",
    "PlayCard",
    "PlayError",
    "PlayerShotMoon",
    "Pong",
    "RegisterPlayer",
    "ScoreCard",
    "SeatedMessage",
    "TakeCard",
    "TakePass",
    "TakeTrick",
    "TrickDone",
]

MESSAGES: dict[int, type[Message] | Fields[Any]] = {
    **{
        message.TYPE: message
        for message in (
            *(DoPass, DoneHand, EndGame, HeartsBroken, LeadCard, LoseCard, LosePass, NewGame),
            *(NewHand, PassError, PlayCard, PlayError, PlayerShotMoon, RegisterPlayer, TakeCard),
            *(TakePass, TakeTrick, TrickDone, CardPlayedMessage, MoonChoice, PlayAgainMessage),
            *(CutMessage, DealProof, Pong, AnswerError, SeatedMessage, FirstLead, ScoreCard),
        )
    },
    **BESIDE,
}
"""The payload of each type; a frame of another type is to be skipped."""
