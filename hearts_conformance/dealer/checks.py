"""What DealerSpec.md asks of a client of the dealer dialect, as checks."""

from __future__ import annotations

from hearts.table import Question
from hearts_conformance.checks import Check, Level
from hearts_conformance.session import checks as shared

from . import agreement_checks as agreements
from . import cut_checks as cuts

MAY = Level.MAY

# Frames

DIALECT = Check(
    "dealer.version",
    "14.1",
    "turn the dialect on with block -6 and a version of 1 or more",
    "Send block -6 and the highest version that you speak, behind -10 and -7.",
)
FRAMES = Check(
    "frame.whole",
    "14.1",
    "send frames: int type, int in reply to, int length, then the payload of 0 to 1024 bytes",
    "12 bytes of header, most significant byte first; the length is that of the payload alone.",
)
NO_ACKS = Check(
    "frame.no-acks",
    "14.1",
    "send no acks: from the Process ID on there are only frames",
    "An int that is no frame came: the acks of sections 3 to 5 are those of the plain dialect.",
)
IN_REPLY_TO = Check(
    "answer.in-reply-to",
    "14.1",
    "an answer has the sequence of its query as in reply to; a notification gets none",
    "Copy the second int of the query's header. Answer only the types with a star in 14.3.",
)
ANSWER_TYPE = Check(
    "answer.type",
    "14.1",
    "an answer has the type of its query",
    "P_LEAD_CARD is answered with 108, P_PLAY_CARD with 118.",
)
ONE_ANSWER = Check(
    "answer.once",
    "14.5",
    "one answer to a query, unless it is refused with -1 to -7 or -23",
    "A second answer gets -24. Send the answer once and wait.",
)
UNKNOWN = Check(
    "frame.unknown",
    "14.1",
    "skip a frame whose type you do not know",
    "Read its length and as many bytes, and go on. It counts in the sequence like any other.",
)
LONGER = Check(
    "frame.longer",
    "14.1",
    "ignore what follows the fields of a payload that you know",
    "Skip to the end of the payload by the length of the frame, not by what you have read.",
)

# Questions and answers

REGISTER = Check(
    "register.player",
    "14.2",
    "answer P_REGISTER_PLAYER with kind 3 to 5, level 0 to 1000, cuts 0 or 1 and a comment",
    "Three ints and a str of at most 127 bytes, and with cuts 1 a hash; now, later or never.",
    MAY,
)
PASS = Check(
    "pass.answer",
    "14.3",
    "answer P_DO_PASS with three different cards that you hold",
    "Three ints, card numbers of section 8, not hand indexes.",
)
CARD = Check(
    "card.answer",
    "14.3",
    "answer P_LEAD_CARD and P_PLAY_CARD with a card that you hold",
    "One int, a card number of section 8, one of those in the query.",
)
LEGAL = Check(
    "card.legal",
    "14.3",
    "play a card whose legal flag is 1",
    "The query has each card of your hand with a flag; only those with 1 may be played now.",
    Level.SHOULD,
)
LOST = Check(
    "card.lost",
    "14.2",
    "lose the cards that P_LOSE_CARD and P_LOSE_PASS name, not those that you answered with",
    "Do not take a card from your hand when you answer; where your time was up they name others.",
)
TAKEN = Check(
    "card.taken",
    "14.3",
    "take the cards of P_TAKE_PASS into your hand",
    "Behind P_TAKE_PASS you hold 13 cards again.",
)
MOON = Check(
    "moon.answer",
    "14.3",
    "answer P_MOON_CHOICE with 0 or 1",
    "One int: 0 26 off your score, 1 on the others'.",
)
AGAIN = Check(
    "again.answer",
    "14.3",
    "answer P_PLAY_AGAIN with an int",
    "One int: 0 no, anything else yes.",
)
SECOND_GAME = Check(
    "game.second",
    "14.2",
    "after P_AGAIN_DECIDED 1 play another game",
    "P_NEW_GAME comes again; scores, hands and passes begin anew.",
)

REQUEST = Check(
    "request.payload",
    "14.3",
    "send requests (121, 160, 163 to 165, 206, 220 to 227, 242) with in reply to 0 and the payload"
    " of their type",
    "P_PING has 0 to 64 bytes; rules are ten ints; a player is 0 to 3; a flag is 0 or 1.",
    MAY,
)

# Refused, late, decided

RETRY_PASS = Check(
    "retry.pass",
    "14.5",
    "after P_PASS_ERROR -1 answer again, with the same in reply to",
    "The query is still open; no other one comes.",
)
RETRY_CARD = Check(
    "retry.card",
    "14.5",
    "after P_PLAY_ERROR -1 to -7 answer again, with the same in reply to",
    "The query is still open; no other one comes. Choose another card if you have one.",
)
RETRY_MOON = Check(
    "retry.moon",
    "14.5",
    "after P_ANSWER_ERROR -23 to P_MOON_CHOICE answer again, with the same in reply to",
    "The query is still open; no other one comes.",
)
TOO_LATE = Check(
    "late.nothing",
    "14.5",
    "after reason -20 (too late) send nothing more to that query",
    "It was decided for you: what P_LOSE_CARD, P_LOSE_PASS and the like say holds.",
)
FORCED_PASS = Check(
    "forced.pass",
    "14.2",
    "go by P_LOSE_PASS where your time was up",
    "Those three cards you have passed, whatever you answered or still wanted to answer.",
)
FORCED_CARD = Check(
    "forced.card",
    "14.2",
    "go by P_LOSE_CARD where your time was up",
    "That card you have played, whatever you answered or still wanted to answer.",
)
FORCED_MOON = Check(
    "forced.moon",
    "14.3",
    "go by P_MOON_CHOSEN where your time was up",
    "It says what was decided for you; P_DONE_HAND follows.",
)
FORCED_AGAIN = Check(
    "forced.again",
    "14.3",
    "go by P_AGAIN_DECIDED where your time was up",
    "It says what was decided for you.",
)
ASIDES = Check(
    "aside.any-time",
    "14.2",
    "take P_WAITING, P_PLAYER_CHANGE, P_RULES_STAY, P_PLAY_GOES_ON, P_SEAT_STAYS and"
    " P_SERVER_NOTICE at any time",
    "They can come between any two frames, also between a query and what was decided.",
)
NOTIFIED = Check(
    "notify.silent",
    "14.1",
    "send nothing for a notification",
    "Only queries are answered: those with a star in 14.3.",
)

# Refusals and ends

REFUSED = Check(
    "refused.frame",
    "14.2",
    "take P_REFUSED as the end of the registration, say nothing more and close",
    "After the Process ID a refusal is a frame: a code and a reason. Then read to the end.",
)
REFUSED_PLAINLY = Check(
    "refused.plainly",
    "14.2",
    "read a first int below 0 behind the Process ID as a refusal of section 3.7",
    "No type is negative. It has crossed with your Process ID; behind -10 a str follows.",
)
ABORTED = Check(
    "abort.over",
    "14.3",
    "after P_ABORT_GAME with later 0 read the end of the stream and close",
    "The session is over; there is nothing to come back to.",
)

# Coming back

PAST = Check(
    "back.past",
    "14.7",
    "answer nothing of what comes between P_REPLAY 1 and P_REPLAY 0",
    "Queries of the past are not repeated; P_LOSE_PASS and P_LOSE_CARD tell what was decided.",
    MAY,
)
END_COUNTED = Check(
    "back.end",
    "14.7",
    "count a hand that ends a game only once you have had its P_END_GAME",
    "Count it there, not at P_DONE_HAND: or a connection that is lost between the two costs you"
    " P_END_GAME, and nobody tells you who decides.",
    MAY,
)
STILL_OPEN = Check(
    "back.open",
    "14.7",
    "answer the query that follows P_REPLAY 0",
    "It has a sequence of the new connection; the old one means nothing there.",
    MAY,
)
LATER = Check(
    "abort.later",
    "14.3",
    "after P_ABORT_GAME with later 1 come back",
    "The session goes on later: come back as after a lost connection.",
    MAY,
)

# Watching

WATCH = Check(
    "watch.reads",
    "14.9",
    "watch: read frames with sequence 0 from the middle of a hand to the end of the session",
    "P_SEATED with player 4 and Game ID 0, P_REPLAY 1, what is past, P_REPLAY 0, then what happens."
    " Nothing but pings is answered. Read to the end of the stream and close.",
    MAY,
)

WATCH_REFUSED = Check(
    "watch.refused",
    "14.9",
    "take -104 in place of the reply of block -9 as the end: say nothing more and close",
    "The game is over or private, or too many watch it. There is nothing to come back to.",
    MAY,
)

ANSWERS = {
    Question.PASS: PASS,
    Question.CARD: CARD,
    Question.MOON: MOON,
    Question.AGAIN: AGAIN,
    Question.CUT: cuts.ANSWER,
}
"""What is asked of an answer."""
RETRIES = {
    Question.PASS: RETRY_PASS,
    Question.CARD: RETRY_CARD,
    Question.MOON: RETRY_MOON,
    Question.AGAIN: AGAIN,
    Question.CUT: cuts.ANSWER,
}
"""What is asked after an answer that was refused."""
FORCED = {
    Question.PASS: FORCED_PASS,
    Question.CARD: FORCED_CARD,
    Question.MOON: FORCED_MOON,
    Question.AGAIN: FORCED_AGAIN,
    Question.CUT: cuts.ANSWER,
}
"""What is asked after a choice that the table has made."""

CHECKS = (
    *shared.REGISTRATION,
    DIALECT,
    *(REFUSED, REFUSED_PLAINLY, FRAMES, NO_ACKS, NOTIFIED, IN_REPLY_TO, ANSWER_TYPE, ONE_ANSWER),
    *(UNKNOWN, LONGER, *shared.STREAM),
    *(
        REGISTER,
        REQUEST,
        PASS,
        shared.DIRECTION,
        CARD,
        LEGAL,
        LOST,
        TAKEN,
        MOON,
        AGAIN,
        SECOND_GAME,
    ),
    *(RETRY_PASS, RETRY_CARD, RETRY_MOON, TOO_LATE),
    *(FORCED_PASS, FORCED_CARD, FORCED_MOON, FORCED_AGAIN, agreements.CLAIMED, ASIDES, ABORTED),
    *shared.RETURNS,
    *(
        PAST,
        END_COUNTED,
        STILL_OPEN,
        LATER,
        *cuts.CUTS,
        agreements.PROOF,
        agreements.VOTE,
        agreements.NEW_RULES,
    ),
    *(
        agreements.CLAIM_REFUSED,
        agreements.ABORT_VOTE,
        agreements.ABORT_HAND,
        agreements.ABORT_GAME,
        agreements.GIVE_SEAT,
        agreements.INVITATION,
        WATCH,
        WATCH_REFUSED,
    ),
    *shared.CHAT_CHECKS,
)
"""In the order of the report."""
