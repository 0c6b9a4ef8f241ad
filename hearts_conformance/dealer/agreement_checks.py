"""Checks of what DealerSpec.md asks of a client about deals, rules and seats (14.8)."""

from __future__ import annotations

from hearts_conformance.checks import Check, Level

MAY = Level.MAY

CLAIMED = Check(
    "claim.told",
    "14.8",
    "after another player's P_CLAIM_REST go by what is decided, up to the end of the hand",
    "Your queries come with 0 as the time left and the decision right behind them, and each card"
    " has 3 as by. You need not answer; an answer gets -20.",
)
CLAIM_REFUSED = Check(
    "claim.refused",
    "14.8",
    "where P_CLAIM_REST is refused answer the query as ever",
    "The query is still open after -26 and -27, and its clock goes on.",
    MAY,
)
PROOF = Check(
    "proof.wrong",
    "14.8",
    "close when P_DEAL_PROOF does not fit P_DEAL_COMMITMENT",
    "SHA-256 of the secret is the commitment (7.6, 7.7).",
    MAY,
)
VOTE = Check(
    "rules.vote",
    "14.8",
    "answer P_QUERY_NEW_RULES with an int, also while another query is open",
    "0 is no, anything else yes; in any order with the other answer.",
    MAY,
)
NEW_RULES = Check(
    "rules.new",
    "14.8",
    "play the next game by the rules of P_NEW_GAME",
    "They may be others than in the game before, with another end and other passes.",
    MAY,
)
ABORT_VOTE = Check(
    "abort.vote",
    "14.8",
    "answer P_QUERY_ABORT with an int, also while another query is open",
    "0 is no, anything else yes; in any order with the other answer.",
    MAY,
)
ABORT_HAND = Check(
    "abort.hand",
    "14.8",
    "after P_ABORT_HAND take all cards from your hand, and play the one that is dealt anew",
    "What was asked in it is -20. P_NEW_HAND comes with the same number and pass.",
    MAY,
)
ABORT_GAME = Check(
    "abort.game",
    "14.8",
    "after P_ABORT_GAME with later 2 stay: P_NEW_GAME follows",
    "It is not the end. Nobody has won that game, and the scores begin anew.",
    MAY,
)
GIVE_SEAT = Check(
    "seat.give",
    "14.8",
    "answer P_GIVE_SEAT with an int, also while another query is open",
    "0 is no; anything else gives your seat up: P_TAKEN with type 224, and the connection ends.",
    MAY,
)
INVITATION = Check(
    "invitation.answer",
    "14.8",
    "answer P_INVITATION with an int",
    "0 is no, anything else yes. Only who has sent P_INVITABLE 1 is invited.",
    MAY,
)
