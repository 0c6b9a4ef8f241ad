/* The interface of the Programmer's Challenge of October 1998 ("Hearts", MacTech 14.10), so that an
 * entrant of those days compiles as it is. adapter.c calls these functions. */
#ifndef HEARTS98_H
#define HEARTS98_H

#include <stdint.h>

/* Words of the Macintosh. */
#ifndef pascal
#define pascal
#endif
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef uint32_t Uint32;
typedef int32_t SInt32;

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { kNoSuit = 0, kSpade, kHeart, kDiamond, kClub } Suit;
typedef enum {
    kNoSpot = 0, k2, k3, k4, k5, k6, k7, k8, k9, k10, kJack, kQueen, kKing, kAce
} Spot;
typedef enum { kPassLeft = 0, kPassRight, kPassAcross, kNoPass } Pass;
typedef struct Card {
    Suit suit;
    Spot spot;
} Card;

/* Once in a process. The score is 10000 where a number of hands is played. */
pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore);

/* Players with the same name have the same identifier, above 0, as long as the process lives. */
pascal void InitGame(const UInt32 playerID[4], const UInt16 yourSeat);

/* For each hand. With kNoPass nothing is done with passedCards: indexes in dealtHand. */
pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3]);

/* Cards received stand in the places of those passed; a card that was played is kNoSuit, kNoSpot.
 * cardsPlayed is by seat; seats that have not played have kNoSuit, kNoSpot. */
pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
                      const Card cardsPlayed[4], UInt16 *yourPlay);

pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner);

pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4]);

#ifdef __cplusplus
}
#endif
#endif
