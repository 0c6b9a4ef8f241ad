/* An entrant for hearts98.h: it passes its highest cards, stays below where it can, and gets rid of
 * its highest card where it cannot follow. */
#include "hearts98.h"

static int areBroken; /* a point card was played on an earlier trick of this hand */

pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore) {
    (void)numPlayers, (void)gameEndingScore;
}

pascal void InitGame(const UInt32 playerID[4], const UInt16 yourSeat) {
    (void)playerID, (void)yourSeat;
}

static int isQueen(Card card) { return card.suit == kSpade && card.spot == kQueen; }

pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3]) {
    int isPassed[13] = {0};
    areBroken = 0;
    if (passDirection == kNoPass) return;
    for (int count = 0; count < 3; count++) {
        int best = -1;
        for (int i = 0; i < 13; i++)
            if (!isPassed[i] && (best < 0 || dealtHand[i].spot > dealtHand[best].spot)) best = i;
        isPassed[best] = 1;
        passedCards[count] = (UInt16)best;
    }
}

pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
                      const Card cardsPlayed[4], UInt16 *yourPlay) {
    const Suit led = cardsPlayed[trickLeader].suit;
    Spot highest = kNoSpot;
    int canFollow = 0, others = 0, best = -1;
    for (int i = 0; i < 4; i++)
        if (cardsPlayed[i].suit == led && cardsPlayed[i].spot > highest)
            highest = cardsPlayed[i].spot;
    for (int i = 0; i < 13; i++) {
        canFollow |= led != kNoSuit && yourHand[i].suit == led;
        others |= yourHand[i].suit != kNoSuit && yourHand[i].suit != kHeart;
    }
    for (int i = 0; i < 13; i++) {
        const Card card = yourHand[i];
        if (card.suit == kNoSuit || (canFollow && card.suit != led)) continue;
        if (led == kNoSuit) {
            if (trickNumber == 0 && !(card.suit == kClub && card.spot == k2)) continue;
            if (card.suit == kHeart && !areBroken && others) continue;
        }
        if (best < 0) {
            best = i;
            continue;
        }
        const Card old = yourHand[best];
        if (led == kNoSuit) {
            if (card.spot < old.spot) best = i;
        } else if (!canFollow) {
            if (isQueen(card) || (!isQueen(old) && card.spot > old.spot)) best = i;
        } else if (old.spot < highest ? card.spot < highest && card.spot > old.spot
                                      : card.spot < old.spot) {
            best = i;
        }
    }
    *yourPlay = (UInt16)best;
}

pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner) {
    (void)trickWinner;
    for (int i = 0; i < 4; i++) areBroken |= lastTrick[i].suit == kHeart || isQueen(lastTrick[i]);
}

pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4]) {
    (void)pointsThisHand, (void)cumPoints;
}
