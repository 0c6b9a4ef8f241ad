/* The example entrant of October 1998, which checks on the way that it is told what it was to be. It
 * sits in seat 0, against players of whom the second has seats 1 and 3, for some single hands of one
 * match. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define InitTournament playInitTournament
#define InitGame playInitGame
#define SelectPass playSelectPass
#define PlayTrick playPlayTrick
#define TrickResults playTrickResults
#define HandResults playHandResults
#include "example.c"
#undef InitTournament
#undef InitGame
#undef SelectPass
#undef PlayTrick
#undef TrickResults
#undef HandResults

#define CHECK(what) ((what) ? (void)0 : fail(__LINE__, #what))

static int tournaments, games, hands, tricks, choice;
static Card dealt[13], held[13];
static UInt16 passed[3];
static SInt32 sums[4];
static UInt16 first;

static void fail(int line, const char *what) {
    fprintf(stderr, "line %d: %s is not so\n", line, what);
    exit(9);
}

static int isCard(Card card) {
    return card.suit >= kSpade && card.suit <= kClub && card.spot >= k2 && card.spot <= kAce;
}

static int isSame(Card one, Card other) {
    return one.suit == other.suit && one.spot == other.spot;
}

pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore) {
    CHECK(tournaments++ == 0 && games == 0);
    CHECK(numPlayers == 3 && gameEndingScore == 10000);
}

pascal void InitGame(const UInt32 playerID[4], const UInt16 yourSeat) {
    CHECK(tournaments == 1 && games++ == 0);
    CHECK(playerID[1] == playerID[3] && playerID[0] > 0);
    CHECK(playerID[0] != playerID[1] && playerID[1] != playerID[2] && playerID[0] != playerID[2]);
    CHECK(yourSeat == 0);
}

pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3]) {
    CHECK(games == 1 && tricks % 13 == 0 && tricks / 13 == hands);
    CHECK(passDirection == (Pass)(hands++ % 4));
    for (int i = 0; i < 13; i++) {
        CHECK(isCard(dealtHand[i]));
        for (int j = 0; j < i; j++) CHECK(!isSame(dealtHand[i], dealtHand[j]));
    }
    memcpy(dealt, dealtHand, sizeof dealt);
    playSelectPass(dealtHand, passDirection, passedCards);
    memcpy(passed, passedCards, sizeof passed);
}

pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
                      const Card cardsPlayed[4], UInt16 *yourPlay) {
    CHECK(trickNumber == tricks % 13 && hands == tricks / 13 + 1);
    for (int i = 0; i < 13; i++) {
        int isPassed = hands % 4 != 0 && (i == passed[0] || i == passed[1] || i == passed[2]);
        if (trickNumber == 0)
            CHECK(isCard(yourHand[i]) && isSame(yourHand[i], dealt[i]) == !isPassed);
        else
            CHECK(isSame(yourHand[i], held[i]));
    }
    for (int i = 0; i < 4; i++) {
        int hasPlayed = trickLeader > 0 && i >= trickLeader;
        CHECK(hasPlayed ? isCard(cardsPlayed[i]) : isSame(cardsPlayed[i], cardsPlayed[0]));
    }
    CHECK(cardsPlayed[0].suit == kNoSuit && cardsPlayed[0].spot == kNoSpot);
    first = trickLeader;
    playPlayTrick(trickNumber, trickLeader, yourHand, cardsPlayed, yourPlay);
    choice = *yourPlay;
    memcpy(held, yourHand, sizeof held);
}

pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner) {
    int winner = first;
    for (int i = 0; i < 4; i++) {
        CHECK(isCard(lastTrick[i]));
        if (lastTrick[i].suit == lastTrick[first].suit && lastTrick[i].spot > lastTrick[winner].spot)
            winner = i;
    }
    CHECK(winner == trickWinner && isSame(lastTrick[0], held[choice]));
    held[choice].suit = kNoSuit;
    held[choice].spot = kNoSpot;
    tricks++;
    playTrickResults(lastTrick, trickWinner);
}

pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4]) {
    int all = 0;
    CHECK(tricks == 13 * hands);
    for (int i = 0; i < 4; i++) {
        sums[i] += pointsThisHand[i];
        all += pointsThisHand[i];
        CHECK(sums[i] == cumPoints[i]);
    }
    CHECK(all == 26 || all == -26);
    playHandResults(pointsThisHand, cumPoints);
}
