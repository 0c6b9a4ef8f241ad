"""What SocketSpec.md asks of a client of the plain dialect, as checks."""

from __future__ import annotations

from hearts_conformance.checks import Check, Level
from hearts_conformance.session import checks as shared

from .rule_checks import (
    FOLLOW,
    NO_POINTS,
    NOT_BROKEN,
    QUEEN_GOES,
    QUEEN_KEEPS,
    ROTATE,
    TWO_OF_CLUBS,
)

MAY = Level.MAY

# Registration

SEATED = Check(
    "ack.seated",
    "3.8",
    "read Game number, Game ID and four names; ack with the Player ID",
    "The ack is an int: the latest Player ID that you were given.",
)
REFUSED_GAME = Check(
    "refused.game",
    "3.7",
    "take a negative Game number as a refusal, say nothing and close",
    "Where block -10 was sent a str with the reason follows; then read to the end and close.",
)
REFUSED_REASON = Check(
    "refused.reason",
    "3.7",
    "read the reason of a refusal that block -10 has asked for",
    "After the negative int read one str.",
    MAY,
)

TABLE_NAME = Check(
    "register.table",
    "3.6",
    "after block -4 acks carry the Player ID of its reply",
    "The first Player ID was provisional: forget it.",
    MAY,
)

# A hand

TABLE = Check(
    "ack.table",
    "3.9",
    "ack Table (5 ints)",
    "One ack for Table, in each game.",
)
HAND = Check(
    "ack.hand",
    "4.1",
    "ack Your hand (13 ints)",
    "Ack the 13 cards before Pass, which is a message of its own.",
)
HOLD = Check(
    "ack.hold",
    "4.2",
    "ack Pass with direction 0",
    "With direction 0 there is nothing to choose: ack it.",
)
PASS = Check(
    "pass.choice",
    "4.2",
    "answer Pass 1-3 with three different hand indexes 0-12, without an ack",
    "12 bytes: three ints, places in Your hand from 0, not card numbers.",
)
RECEIVED = Check(
    "ack.received",
    "4.2",
    "ack the three received cards",
    "One ack for the three cards together.",
)
PLACES = Check(
    "pass.places",
    "4.2",
    "received cards take the hand indexes of the cards that were passed",
    "The first received card takes the first index that you sent, and so on.",
)
LEADS = Check("ack.leads", "4.3", "ack Who leads", "Ack it also where you lead yourself.")
INDEX = Check(
    "play.index",
    "4.4",
    "play a card by its hand index 0-12",
    "One int, the place of the card in Your hand from 0, not the card's number.",
)
HELD = Check(
    "play.held",
    "1.5",
    "a hand index stays with its card: playing a card shifts nothing",
    "Mark a card as played; do not take it out of the list.",
)
CARD = Check(
    "ack.card",
    "4.4",
    "ack each card of another player",
    "One ack for each card, none for your own.",
)
TALLIES = Check("ack.tallies", "4.5", "ack Tallies (5 ints)", "One ack after each trick.")
MOON = Check(
    "ack.moon",
    "4.6",
    "ack Moon with decide 0 (2 ints), also where you are the shooter",
    "Moon comes after each hand. Only with decide 1 you choose.",
)
MOON_CHOICE = Check(
    "moon.choice",
    "4.6",
    "answer Moon with decide 1 with 0 or 1, without an ack",
    "Send 0 or 1, then read the status.",
)
SCORES = Check("ack.scores", "4.7", "ack Scores (5 ints)", "The fifth int is the flag; one ack.")
AGAIN = Check(
    "again.choice",
    "4.8",
    "where bit 1 of the flag is set, ack Scores and send whether to play again",
    "Send 0 for no, another number for yes; then read the status, then New game.",
)
NEW_GAME = Check("ack.new", "4.9", "ack New game", "One int, 1 or 0; ack both.")
SECOND_GAME = Check(
    "game.second",
    "4.9",
    "after New game 1 read Table again, and play another game",
    "Table comes again; the passes and the scores begin anew.",
)

# In step

QUIET_ACK = Check(
    "step.ack",
    "5.1",
    "one ack for a message, and nothing more",
    "Something came while nothing was due: count your acks.",
)
AT_ONCE = Check(
    "ack.at-once",
    "5.1",
    "send the acks that you owe before you think about a choice",
    "Write what you have collected before you ask a person or think: your clock does not start"
    " before, and the others wait.",
)
QUIET_STATUS = Check(
    "step.status",
    "2.1",
    "a status is not acked",
    "Read the status and wait for what comes next.",
)
ONE_CHOICE = Check(
    "step.choice",
    "5.2",
    "one choice for each status",
    "Send the choice once, then read its status; again only after a negative one.",
)
RETRY_PASS = Check(
    "retry.pass",
    "4.2",
    "after status -1 send three indexes again",
    "Status -1 asks for another 12 bytes; 0 and 1 do not.",
)
RETRY_CARD = Check(
    "retry.card",
    "4.4",
    "after a negative status send the index of another card",
    "The status is signed and has the last word: where it contradicts you, do not close, but try"
    " another card that you hold. There is always one that is legal.",
)
RETRY_MOON = Check(
    "retry.moon",
    "4.6",
    "after status -1 send 0 or 1 again",
    "As after a refused card (4.4).",
)
OWED = Check(
    "forced.owed",
    "5.2",
    "got a positive status before your choice: still send one choice",
    "One choice of the right size, any, before any later ack.",
)
CROSSED = Check(
    "forced.crossed",
    "5.2",
    "your choice had crossed a positive status: send nothing more",
    "The choice that you have sent was the one for that status.",
)
FORCED_PASS = Check(
    "forced.pass",
    "4.2",
    "read the three hand indexes that follow status 1, and go by them",
    "After status 1 three ints follow: those cards you have passed, in that order.",
)
FORCED_CARD = Check(
    "forced.card",
    "5.2",
    "after status n >= 1 your hand index n-1 is played, whatever you sent",
    "Go by the status: mark index n-1 as played.",
)
FORCED_MOON = Check(
    "forced.moon",
    "4.6",
    "after a positive status to Moon go on with Scores",
    "Status 1 is 0, status 2 is 1; no ack, Scores follow.",
)
FORCED_AGAIN = Check(
    "forced.again",
    "4.8",
    "after a positive status to Play again go on with New game",
    "Status 1 is no, status 2 is yes; New game follows, and is acked.",
)

# Coming back

DECIDED = Check(
    "back.decided",
    "5.6",
    "send a choice of the right size for each that is decided already",
    "Go by its positive status: what was decided holds.",
    MAY,
)

CHECKS = (
    *shared.REGISTRATION,
    *(REFUSED_GAME, REFUSED_REASON, TABLE_NAME, SEATED),
    *(
        TABLE,
        HAND,
        HOLD,
        PASS,
        shared.DIRECTION,
        RECEIVED,
        PLACES,
        LEADS,
        INDEX,
        HELD,
        CARD,
        TALLIES,
        MOON,
    ),
    *(MOON_CHOICE, SCORES, AGAIN, NEW_GAME, SECOND_GAME),
    *(
        QUIET_ACK,
        AT_ONCE,
        QUIET_STATUS,
        ONE_CHOICE,
        RETRY_PASS,
        RETRY_CARD,
        RETRY_MOON,
        OWED,
        CROSSED,
    ),
    *(FORCED_PASS, FORCED_CARD, FORCED_MOON, FORCED_AGAIN),
    *shared.STREAM,
    *(FOLLOW, TWO_OF_CLUBS, NO_POINTS, NOT_BROKEN, QUEEN_GOES, QUEEN_KEEPS, ROTATE),
    *shared.RETURNS,
    DECIDED,
    *shared.CHAT_CHECKS,
)
"""In the order of the report."""
