/* Makes a program of the line protocol (LineSpec.md) of an entrant of October 1998:
 *
 *     cc -o entrant adapter.c my_entrant.c
 *     hearts-arena run simple "old=cmd:--line ./entrant" --rules mactech98
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hearts98.h"

enum { LONGEST = 4096, NAMES = 256, NAME = 64, SEATS = 4, HAND = 13, PASSED = 3 };

static const char RANKS[] = "23456789TJQKA", SUITS[] = "SHDC";
static const Card NONE = {kNoSuit, kNoSpot};

static char names[NAMES][NAME];
static UInt32 known, ids[SEATS];
static UInt16 players, seat, tricks, leader;
static Pass direction;
static Card hand[HAND], trick[SEATS];
static int is_ready, has_lead;

static Card card_of(const char *word) {
    Card card = {(Suit)(strchr(SUITS, word[1]) - SUITS + 1),
                 (Spot)(strchr(RANKS, word[0]) - RANKS + 1)};
    return card;
}

static void say(UInt16 place) {
    if (place < HAND && hand[place].suit != kNoSuit)
        printf(" %c%c", RANKS[hand[place].spot - 1], SUITS[hand[place].suit - 1]);
    else
        printf(" nothing"); /* which is not legal, so that the question comes again */
}

static int place_of(Card card) {
    for (int place = 0; place < HAND; place++)
        if (hand[place].suit == card.suit && hand[place].spot == card.spot) return place;
    return -1;
}

static void put(Card old, Card card) {
    int place = place_of(old);
    if (place >= 0) hand[place] = card;
}

static void clear_trick(void) {
    for (int at = 0; at < SEATS; at++) trick[at] = NONE;
    has_lead = 0;
}

static const char *next(void) {
    const char *word = strtok(NULL, " ");
    return word ? word : "";
}

static void begin_game(void) {
    seat = (UInt16)atoi(next());
    const char *end = next();
    next(); /* the rules */
    srand((unsigned)strtoull(next(), NULL, 10));
    if (!is_ready) InitTournament(players, (UInt16)(*end == '-' ? 10000 : atoi(end)));
    is_ready = 1;
}

static void name_player(void) {
    int at = atoi(next()) % SEATS;
    const char *name = strtok(NULL, "");
    char kept[NAME] = "";
    strncat(kept, name ? name : "", NAME - 1);
    UInt32 id = 0;
    while (id < known && strcmp(names[id], kept) != 0) id++;
    if (id == known && known < NAMES - 1) strcpy(names[known++], kept);
    ids[at] = id + 1;
    if (at == SEATS - 1) InitGame(ids, seat);
}

static void begin_hand(void) {
    static const char *WORDS[] = {"left", "right", "across"};
    UInt16 ignored[PASSED] = {0, 1, 2};
    next(); /* its number */
    const char *word = next();
    direction = kPassLeft;
    while (direction < kNoPass && strcmp(WORDS[direction], word) != 0)
        direction = (Pass)(direction + 1);
    for (int place = 0; place < HAND; place++) hand[place] = card_of(next());
    tricks = 0;
    clear_trick();
    if (direction == kNoPass) SelectPass(hand, direction, ignored);
}

static void answer(const char *kind) {
    UInt16 chosen[PASSED] = {0, 1, 2};
    int number = atoi(next());
    if (strcmp(kind, "pass") == 0)
        SelectPass(hand, direction, chosen);
    else if (strcmp(kind, "card") == 0)
        PlayTrick(tricks, has_lead ? leader : seat, hand, trick, chosen);
    printf("%d", number);
    if (strcmp(kind, "moon") == 0)
        printf(" self"); /* as the rules of 1998 have it */
    else
        for (int at = 0; at < (*kind == 'p' ? PASSED : 1); at++) say(chosen[at]);
    putchar('\n');
}

static void take(const char *kind) {
    static Card passed[PASSED];
    if (strcmp(kind, "passed") == 0) {
        for (int at = 0; at < PASSED; at++) passed[at] = card_of(next());
    } else if (strcmp(kind, "received") == 0) {
        for (int at = 0; at < PASSED; at++) put(passed[at], card_of(next()));
    } else if (strcmp(kind, "played") == 0) {
        UInt16 player = (UInt16)(atoi(next()) % SEATS);
        trick[player] = card_of(next());
        if (player == seat) put(trick[player], NONE);
        if (!has_lead) leader = player;
        has_lead = 1;
    } else if (strcmp(kind, "trick") == 0) {
        TrickResults(trick, (UInt16)atoi(next()));
        tricks++;
        clear_trick();
    } else if (strcmp(kind, "scores") == 0) {
        SInt16 points[SEATS];
        SInt32 sums[SEATS];
        for (int at = 0; at < SEATS; at++) points[at] = (SInt16)atoi(next());
        for (int at = 0; at < SEATS; at++) sums[at] = atoi(next());
        HandResults(points, sums);
    }
}

int main(void) {
    char line[LONGEST];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *kind = strtok(line, " ");
        if (kind == NULL) continue;
        if (strcmp(kind, "hearts-line") == 0)
            puts("ready");
        else if (strcmp(kind, "tournament") == 0)
            players = (UInt16)atoi(next());
        else if (strcmp(kind, "game") == 0)
            begin_game();
        else if (strcmp(kind, "name") == 0)
            name_player();
        else if (strcmp(kind, "hand") == 0)
            begin_hand();
        else if (strcmp(kind, "pass") == 0 || strcmp(kind, "card") == 0 || strcmp(kind, "moon") == 0)
            answer(kind);
        else
            take(kind);
        fflush(stdout);
    }
    return 0;
}
