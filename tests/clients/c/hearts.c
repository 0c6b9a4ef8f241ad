/* hearts.c: a Hearts client in one file of C11 for POSIX systems.
 *
 *     cc -std=c11 -D_POSIX_C_SOURCE=200809L -o hearts hearts.c
 *     ./hearts --name Ann --computers 3
 *
 * With -DNAMES, and own_name.c and -lcrypto behind it, it can have a name of its own (annex E).
 *
 * It speaks the plain dialect of SocketSpec.md; the numbers in the comments are sections of that
 * file. It plays a whole session by simple sense, chats, and comes back when its connection is
 * lost. README.md, one folder up, has the options and the lines that it prints.
 *
 * Exit status: 0 the session was played to its end, 1 refused or lost, 2 the server talks nonsense.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef NAMES
#include "own_name.h"
#endif

enum { TEXT_SIZE = 1024, TAUNT_SIZE = 128, NAME_SIZE = 31, CARDS = 13 };
enum { REASONS = -10, COME_BACK = -5, TABLE_BY_NAME = -4, TABLE_OPTIONS = -2 };
enum { NO_SUCH_GAME = -103 };
enum { FIRST_WAIT_MS = 500, LONGEST_WAIT_MS = 10000, PATIENCE_MS = 60000 };
enum { GAME_OVER = 1, ASKED = 2 }; /* bits of the flag in Scores */

static struct {
    const char *host, *port, *name, *table, *say, *secret, *known;
    int taunt_port, computers, end_score, again, drop;
} option = {.host = "127.0.0.1", .port = "7626", .name = "Cee", .taunt_port = 7627};

/* What proves that a seat is ours, and how far we have come (5.6). */
static struct {
    bool taken;
    int game_number, game_id, player, process_id, hands, flag;
} seat;

/* The connection to the game server. What we say is collected until we have to wait. */
static struct {
    int fd;
    size_t start, end, queued;
    unsigned char in[4096], out[1024];
} game = {.fd = -1};

/* The connection to the taunt server, which never blocks. */
static struct {
    int fd;
    enum { CALLING, REGISTERING, TALKING } state;
    bool hand_dealt, said;
    size_t have;
    unsigned char in[8 + TEXT_SIZE];
} chat = {.fd = -1};

static jmp_buf lost;     /* where the program goes on when the connection to the game is lost */
static int wait_ms = FIRST_WAIT_MS, waited_ms;
static int me;           /* the Player ID that acks carry */
static int rules;

/* ---- Printing ---- */

#define SHOW(name, ...) show(name, sizeof (int[]){__VA_ARGS__} / sizeof(int), (int[]){__VA_ARGS__})

static void show(const char *name, size_t count, const int numbers[])
{
    printf("%s:", name);
    for (size_t i = 0; i < count; i++)
        printf(" %d", numbers[i]);
    putchar('\n');
}

static void hang_up(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void end_connection(void)
{
    if (game.fd >= 0)
        show("end", 0, NULL);
    hang_up(&game.fd);
}

static _Noreturn void leave(int status, const char *format, ...)
{
    va_list details;
    va_start(details, format);
    end_connection();
    fputs("hearts: ", stderr);
    vfprintf(stderr, format, details);
    fputc('\n', stderr);
    va_end(details);
    exit(status);
}

/* ---- Numbers and texts (1.3, 1.4) ---- */

static int get_int(const unsigned char bytes[4])
{
    return (int32_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]);
}

static unsigned char *put_int(unsigned char *bytes, int number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *bytes++ = (unsigned char)((uint32_t)number >> shift);
    return bytes;
}

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F
        || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Whether these bytes are UTF-8 that may be shown: a terminal takes no command from the server. */
static bool is_text(const unsigned char *bytes, size_t count)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    for (size_t i = 0; i < count;) {
        unsigned char first = bytes[i++];
        size_t more = first < 0x80 ? 0 : first < 0xC0 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF8 ? 3 : 4;
        if (more == 4 || more > count - i)
            return false;
        uint32_t c = more == 0 ? first : first & (0x3Fu >> more);
        for (size_t n = 0; n < more; n++) {
            if ((bytes[i] & 0xC0) != 0x80)
                return false;
            c = c << 6 | (bytes[i++] & 0x3F);
        }
        if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) || is_control(c))
            return false;
    }
    return true;
}

/* Whether these bytes, with the NUL at their end, are a str. */
static bool is_str(const unsigned char *bytes, size_t length)
{
    return bytes[length - 1] == 0 && is_text(bytes, length - 1);
}

/* ---- The taunt server (9) ---- */

static void chat_send(const unsigned char *bytes, size_t count)
{
    if (send(chat.fd, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
        hang_up(&chat.fd); /* so little fits, or nobody reads any more */
}

static unsigned char *put_four_numbers(unsigned char *bytes)
{
    bytes = put_int(bytes, seat.game_number);
    bytes = put_int(bytes, seat.game_id);
    bytes = put_int(bytes, seat.player);
    return put_int(bytes, seat.process_id);
}

static void chat_call(void)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (option.taunt_port == 0 || chat.fd >= 0 || getpeername(game.fd, (struct sockaddr *)&address, &size) != 0)
        return;
    if (address.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&address)->sin6_port = htons((uint16_t)option.taunt_port);
    else
        ((struct sockaddr_in *)&address)->sin_port = htons((uint16_t)option.taunt_port);
    chat.fd = socket(address.ss_family, SOCK_STREAM, 0);
    if (chat.fd < 0)
        return;
    fcntl(chat.fd, F_SETFL, O_NONBLOCK);
    chat.state = CALLING;
    chat.have = 0;
    if (connect(chat.fd, (struct sockaddr *)&address, size) != 0 && errno != EINPROGRESS)
        hang_up(&chat.fd);
}

static void chat_register(void)
{
    int fault = 0;
    socklen_t size = sizeof fault;
    unsigned char bytes[16];
    put_four_numbers(bytes);
    chat.state = REGISTERING;
    if (getsockopt(chat.fd, SOL_SOCKET, SO_ERROR, &fault, &size) != 0 || fault != 0)
        hang_up(&chat.fd);
    else
        chat_send(bytes, sizeof bytes);
}

static void chat_say(void)
{
    if (option.say == NULL || chat.said || !chat.hand_dealt || chat.fd < 0 || chat.state != TALKING)
        return;
    unsigned char bytes[16 + 4 + TAUNT_SIZE];
    size_t length = strlen(option.say) + 1;
    unsigned char *end = put_int(put_four_numbers(bytes), (int)length);
    memcpy(end, option.say, length);
    chat.said = true;
    chat_send(bytes, (size_t)(end - bytes) + length);
}

/* Takes the first message from what has arrived; returns how many bytes it had, 0: not all of it is here. */
static size_t chat_message(void)
{
    if (chat.state == REGISTERING && chat.have >= 4) {
        chat.state = TALKING;
        if (get_int(chat.in) != 1)
            hang_up(&chat.fd);
        return 4;
    }
    if (chat.state != TALKING || chat.have < 8)
        return 0;
    int taunter = get_int(chat.in), length = get_int(chat.in + 4);
    if (taunter < -1 || taunter > 3 || length < 1 || length > TEXT_SIZE) {
        hang_up(&chat.fd);
        return 0;
    }
    if (chat.have < 8 + (size_t)length)
        return 0;
    if (is_str(chat.in + 8, (size_t)length))
        printf("taunt: %d\t%s\n", taunter, (const char *)chat.in + 8);
    else
        hang_up(&chat.fd);
    return 8 + (size_t)length;
}

static void chat_read(void)
{
    ssize_t got = read(chat.fd, chat.in + chat.have, sizeof chat.in - chat.have);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        hang_up(&chat.fd);
        return;
    }
    chat.have += (size_t)got;
    for (size_t used; chat.fd >= 0 && (used = chat_message()) > 0;) {
        chat.have -= used;
        memmove(chat.in, chat.in + used, chat.have);
    }
    chat_say();
}

/* ---- The connection to the game server (1.6) ---- */

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

/* Waits until the game server has something for us, or for so long (-1: for ever); meanwhile it chats. */
static void await_game(int milliseconds)
{
    long deadline = now_ms() + milliseconds;
    for (;;) {
        long left = milliseconds < 0 ? -1 : deadline - now_ms();
        if (milliseconds >= 0 && left <= 0)
            return;
        struct pollfd ends[] = {
            {.fd = game.fd, .events = POLLIN},
            {.fd = chat.fd, .events = chat.state == CALLING ? POLLOUT : POLLIN},
        };
        if (poll(ends, 2, (int)left) < 0 && errno != EINTR)
            leave(1, "poll: %s", strerror(errno));
        if (ends[1].revents != 0) {
            if (chat.state == CALLING)
                chat_register();
            else
                chat_read();
        }
        if (ends[0].revents != 0)
            return;
    }
}

static _Noreturn void lose_connection(void)
{
    end_connection();
    longjmp(lost, 1);
}

static void flush_game(void)
{
    for (size_t sent = 0; sent < game.queued;) {
        ssize_t put = send(game.fd, game.out + sent, game.queued - sent, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR)
            lose_connection();
        if (put > 0)
            sent += (size_t)put;
    }
    game.queued = 0;
}

static void send_int(int number)
{
    if (sizeof game.out - game.queued < 4)
        flush_game();
    put_int(game.out + game.queued, number);
    game.queued += 4;
}

static void send_str(const char *text)
{
    size_t length = strlen(text) + 1;
    send_int((int)length);
    if (sizeof game.out - game.queued < length)
        flush_game();
    memcpy(game.out + game.queued, text, length);
    game.queued += length;
}

static void recv_bytes(unsigned char *bytes, size_t count)
{
    while (count-- > 0) {
        if (game.start == game.end) {
            flush_game();
            await_game(-1);
            ssize_t got = read(game.fd, game.in, sizeof game.in);
            if (got <= 0)
                lose_connection();
            game.start = 0;
            game.end = (size_t)got;
        }
        *bytes++ = game.in[game.start++];
    }
}

/* An int that has to lie between two bounds. */
static int recv_int(const char *what, int least, int most)
{
    unsigned char bytes[4];
    recv_bytes(bytes, sizeof bytes);
    int number = get_int(bytes);
    if (number < least || number > most)
        leave(2, "the server sent %d as %s", number, what);
    return number;
}

static void recv_str(char text[TEXT_SIZE])
{
    size_t length = (size_t)recv_int("the length of a text", 1, TEXT_SIZE);
    recv_bytes((unsigned char *)text, length);
    if (!is_str((unsigned char *)text, length))
        leave(2, "the server sent a text that is none");
}

static void ack(void)
{
    send_int(me);
}

static bool connect_game(void)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    int fault = getaddrinfo(option.host, option.port, &hints, &found), on = 1;
    if (fault != 0) {
        fprintf(stderr, "hearts: %s: %s\n", option.host, gai_strerror(fault));
        return false;
    }
    for (struct addrinfo *a = found; a != NULL && game.fd < 0; a = a->ai_next) {
        game.fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (game.fd >= 0 && connect(game.fd, a->ai_addr, a->ai_addrlen) != 0)
            hang_up(&game.fd);
    }
    freeaddrinfo(found);
    if (game.fd < 0) {
        fprintf(stderr, "hearts: no connection to %s, port %s: %s\n", option.host, option.port, strerror(errno));
        return false;
    }
    setsockopt(game.fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(game.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    game.start = game.end = game.queued = 0;
    return true;
}

/* ---- Registration (3) ---- */

/*
 * A full server and one that shuts down may have a seat for us later, if we had one (3.7, 5.6). One
 * that has lost hands in a power cut does not know our count of them, and is asked once without.
 */
static _Noreturn void refused(int code, bool has_reason)
{
    char reason[TEXT_SIZE] = "the server is full or shuts down";
    if (has_reason)
        recv_str(reason);
    printf("refused: %d\t%s\n", code, reason);
    bool is_count_lost = code == NO_SUCH_GAME && seat.hands > 0;
    if (is_count_lost)
        seat.hands = -1;
    if (seat.taken && (code > -100 || is_count_lost))
        lose_connection();
    leave(1, "refused: %s (%d)", reason, code);
}

static int recv_reply(const char *what, int least, int most, bool has_reason)
{
    int reply = recv_int(what, INT_MIN, most);
    if (reply < 0)
        refused(reply, has_reason);
    if (reply < least)
        leave(2, "the server sent %d as %s", reply, what);
    return reply;
}

static void come_back(void)
{
    if (seat.hands < 0)
        seat.flag = 0; /* the hand that was dealt last comes again as a whole */
    send_int(COME_BACK);
    send_int(seat.game_number);
    send_int(seat.game_id);
    send_int(seat.player);
    send_int(seat.process_id);
    send_int(seat.hands);
    SHOW("back", recv_reply("the reply to block -5", 1, INT_MAX, true));
    me = seat.player;
}

static void choose_table(void)
{
    if (option.table != NULL) {
        send_int(TABLE_BY_NAME);
        send_str(option.table);
        int given = recv_reply("a Player ID", 0, 3, true);
        if (given != me)
            SHOW("player", given);
        me = given;
    }
    if (option.computers > 0 || option.end_score > 0) {
        int hearts = 1 << 4, computers = 0xE & 0xE << (3 - option.computers);
        send_int(TABLE_OPTIONS);
        send_int(hearts | computers);
        send_int(option.end_score);
        send_int(0);
    }
}

static void draw(unsigned char *bytes, size_t count)
{
    FILE *source = fopen("/dev/urandom", "rb");
    if (source == NULL || fread(bytes, count, 1, source) != 1)
        leave(1, "no random numbers here");
    fclose(source);
}

#ifdef NAMES
enum { CHALLENGE = -17, PROOF = -18, MOST_LINES = 20 };

static void send_block(int tag, const unsigned char *bytes, size_t count, const char *text)
{
    size_t length = strlen(text);
    send_int(tag);
    send_int((int)(count + length));
    if (sizeof game.out - game.queued < count + length)
        flush_game();
    memcpy(game.out + game.queued, bytes, count);
    memcpy(game.out + game.queued + count, text, length);
    game.queued += count + length;
}

static void read_secret(unsigned char secret[SECRET_SIZE])
{
    for (size_t i = 0; i < SECRET_SIZE; i++) {
        unsigned byte;
        if (strlen(option.secret) != 2 * SECRET_SIZE || sscanf(option.secret + 2 * i, "%2x", &byte) != 1)
            leave(1, "--secret is 32 digits of hex");
        secret[i] = (unsigned char)byte;
    }
}

/* Claims the name, or proves that it is ours; to a server that is not what it was nothing is proved. */
static void prove_name(void)
{
    struct meeting meeting;
    unsigned char secret[SECRET_SIZE], proof[PROOF_SIZE];
    const char *wrong = NULL;
    bool is_ipv6 = strchr(option.host, ':') != NULL;
    read_secret(secret);
    draw(meeting.chance, CHANCE_SIZE);
    snprintf(meeting.address, ADDRESS_SIZE, is_ipv6 ? "[%s]:%s" : "%s:%s", option.host, option.port);
    for (char *c = meeting.address; *c != 0; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c += 'a' - 'A';
    send_block(CHALLENGE, meeting.chance, CHANCE_SIZE, meeting.address);
    bool is_given = recv_reply("the reply to block -17", 0, 1, true) == 1;
    if (is_given)
        recv_bytes(meeting.challenge, CHALLENGE_SIZE);
    if (is_given && !is_signed(&meeting))
        wrong = "the server has not signed its challenge";
    else if (option.known != NULL)
        wrong = whats_wrong(option.known, meeting.address, is_given ? meeting.challenge : NULL);
    if (!is_given || wrong != NULL) {
        printf(wrong == NULL ? "name: 0\n" : "name: 0\t%s\n", wrong);
        return;
    }
    if (!make_proof(&meeting, secret, option.name, WISH_CLAIM, KIND_PROGRAM, 0, proof))
        leave(1, "libcrypto does not sign");
    if (option.known != NULL)
        remember(option.known, meeting.address, meeting.challenge);
    send_block(PROOF, proof, PROOF_SIZE, "");
    int state = recv_reply("the reply to block -18", 0, 4, true);
    printf("name: %d", state);
    for (int lines = state == 0 ? 0 : recv_int("a count of lines", 0, MOST_LINES); lines > 0; lines--) {
        char line[TEXT_SIZE];
        recv_str(line);
        printf("\t%s", line);
    }
    putchar('\n');
}
#endif

static void register_player(void)
{
    me = recv_reply("a Player ID", 0, 3, false);
    SHOW("player", me);
    send_str(option.name);
    send_int(REASONS);
    send_int(0);
    recv_reply("the reply to block -10", 1, 1, false);
#ifdef NAMES
    if (option.secret != NULL && !seat.taken)
        prove_name();
#endif
    if (seat.taken)
        come_back();
    else
        choose_table();
    send_int(seat.process_id);

    char names[4][TEXT_SIZE];
    int game_number = recv_reply("a Game number", 1, INT_MAX, true);
    int game_id = recv_int("a Game ID", 0, INT_MAX);
    for (int p = 0; p < 4; p++)
        recv_str(names[p]);
    printf("seated: %d %d %d\t%s\t%s\t%s\t%s\n", me, game_number, game_id, names[0], names[1], names[2], names[3]);
    ack();
    seat.taken = true;
    seat.game_number = game_number;
    seat.game_id = game_id;
    seat.player = me;
    wait_ms = FIRST_WAIT_MS;
    waited_ms = 0;
}

/* ---- Cards and rules (1.5, 6) ---- */

enum { HEARTS, CLUBS, DIAMONDS, SPADES };
enum { TWO_OF_CLUBS = 15, JACK_OF_DIAMONDS = 37, ACE_OF_SPADES = 40, QUEEN_OF_SPADES = 51, KING_OF_SPADES = 52 };
enum { JACK = 1 << 8, DUMP = 1 << 13, BLEED = 1 << 14, ROTATE = 1 << 15, QUEEN_KEEPS = 1 << 19 };

/* Cards as a set: bit c is card c. */
typedef uint64_t cards;

static cards just(int card) { return (cards)1 << card; }
static int suit(int card) { return (card - 1) / 13; }
static int rank(int card) { return (card - 1) % 13 == 0 ? 14 : (card - 1) % 13 + 1; }
static cards all_of(int which) { return (cards)0x1FFF << (13 * which + 1); }
static cards point_cards(void) { return all_of(HEARTS) | just(QUEEN_OF_SPADES); }

/* One hand: cards keep their places, tricks come and go. */
static struct {
    int card[CARDS], trick[4], lying; /* card: by hand index, 0 when it is played */
    bool first, broken;
} hand;

static cards set_of(const int card[], int count)
{
    cards set = 0;
    for (int i = 0; i < count; i++)
        set |= card[i] ? just(card[i]) : 0;
    return set;
}

static cards legal_cards(void)
{
    cards held = set_of(hand.card, CARDS), lying = set_of(hand.trick, hand.lying);
    cards following = lying ? held & all_of(suit(hand.trick[0])) : 0, legal = following ? following : held;
    if (!lying && hand.first && !(rules & ROTATE))
        return just(TWO_OF_CLUBS);
    if (hand.first && !(rules & BLEED) && (legal & ~point_cards()))
        legal &= ~point_cards();
    bool queen_in_danger = lying && (!following || (lying & (just(ACE_OF_SPADES) | just(KING_OF_SPADES))));
    if ((rules & DUMP) && queen_in_danger && (legal & just(QUEEN_OF_SPADES)))
        return just(QUEEN_OF_SPADES);
    if (!lying && !hand.broken && (legal & ~all_of(HEARTS)))
        legal &= ~all_of(HEARTS);
    return legal;
}

/* ---- Simple sense ---- */

/* How glad we are to be rid of a card. */
static int burden(int card)
{
    if (card == QUEEN_OF_SPADES)
        return 50;
    if (card == ACE_OF_SPADES || card == KING_OF_SPADES)
        return 40;
    if (card == JACK_OF_DIAMONDS && (rules & JACK))
        return 0;
    return rank(card) + (suit(card) == HEARTS ? 10 : 0);
}

/* The hand index of the card in the set that weighs most. */
static int heaviest(cards set, int (*weight)(int card))
{
    int best = -1;
    for (int x = 0; x < CARDS; x++)
        if ((set & just(hand.card[x])) && (best < 0 || weight(hand.card[x]) > weight(hand.card[best])))
            best = x;
    return best;
}

static int weight_in_trick(int card)
{
    if (hand.lying == 0)
        return -burden(card); /* lead low */
    int led = suit(hand.trick[0]), highest = 0;
    if (suit(card) != led)
        return burden(card); /* a discard */
    for (int i = 0; i < hand.lying; i++)
        if (suit(hand.trick[i]) == led && rank(hand.trick[i]) > highest)
            highest = rank(hand.trick[i]);
    if (rank(card) < highest)
        return 100 + burden(card); /* duck as high as one can */
    bool costs = (set_of(hand.trick, hand.lying) | just(card)) & point_cards();
    return hand.lying == 3 && !costs ? burden(card) : -burden(card);
}

/* ---- A hand (4) ---- */

static void recv_cards(const char *line, size_t count, int cards[])
{
    for (size_t i = 0; i < count; i++)
        cards[i] = recv_int("a card (they are sorted)", i == 0 ? 1 : cards[i - 1] + 1, 52);
    show(line, count, cards);
}

static void your_hand(void)
{
    recv_cards("hand", CARDS, hand.card);
    ack();
    hand.broken = false;
    chat.hand_dealt = true;
    chat_call();
    chat_say();
}

static void pass(void)
{
    int index[3], received[3], direction = recv_int("a direction", 0, 3), status;
    SHOW("pass", direction);
    if (direction == 0) {
        ack();
        return;
    }
    cards left = set_of(hand.card, CARDS);
    for (int i = 0; i < 3; i++) {
        index[i] = heaviest(left, burden);
        left &= ~just(hand.card[index[i]]);
    }
    do {
        for (int i = 0; i < 3; i++)
            send_int(index[i]);
        status = recv_int("the status of a pass", -1, 1);
        SHOW("passing", index[0], index[1], index[2], status);
    } while (status < 0);
    if (status == 1) {
        for (int i = 0; i < 3; i++)
            index[i] = recv_int("a hand index", 0, CARDS - 1);
        show("passed for me", 3, index);
    }
    recv_cards("received", 3, received);
    ack();
    for (int i = 0; i < 3; i++)
        hand.card[index[i]] = received[i];
}

static void lay(int card)
{
    hand.trick[hand.lying++] = card;
    if (suit(card) == HEARTS || (card == QUEEN_OF_SPADES && !(rules & QUEEN_KEEPS)))
        hand.broken = true;
}

/* A legal choice, another one after each negative status, and what was decided in the end (4.4, 5.2). */
static void play_card(void)
{
    int status;
    cards open = legal_cards();
    do {
        int x = heaviest(open, weight_in_trick);
        if (x < 0)
            leave(2, "the server takes none of our cards");
        open &= ~just(hand.card[x]);
        send_int(x);
        status = recv_int("the status of a card", -7, CARDS);
        SHOW("play", x, status);
        if (status == 0)
            status = x + 1;
    } while (status < 0);
    int card = hand.card[status - 1];
    if (card == 0)
        leave(2, "the server played a card for us that we do not hold");
    hand.card[status - 1] = 0;
    lay(card);
}

static void trick(int number)
{
    int leader = recv_int("who leads", 0, 3), tallies[5];
    SHOW("leads", leader);
    ack();
    hand.first = number == 0;
    hand.lying = 0;
    for (int i = 0; i < 4; i++) {
        int player = (leader + i) % 4;
        if (player == me) {
            if (option.drop > 0 && option.drop == seat.hands * CARDS + number + 1) {
                option.drop = 0;
                lose_connection();
            }
            play_card();
        } else {
            lay(recv_int("a card", 1, 52));
            SHOW("saw", player, hand.trick[i]);
            ack();
        }
    }
    tallies[0] = recv_int("the winner of a trick", 0, 3);
    for (int p = 0; p < 4; p++)
        tallies[1 + p] = recv_int("points", INT_MIN, INT_MAX);
    show("tallies", 5, tallies);
    ack();
}

static void moon(void)
{
    int shooter = recv_int("who shot the moon", -1, 3), decide = recv_int("who decides the moon", 0, shooter == me);
    SHOW("moon", shooter, decide);
    if (decide == 0) {
        ack();
        return;
    }
    int status;
    do {
        send_int(1);
        status = recv_int("the status of the moon", -1, 2);
        SHOW("deciding", 1, status);
    } while (status < 0);
}

static void scores(void)
{
    int numbers[5];
    for (int i = 0; i < 4; i++)
        numbers[i] = recv_int("a score", INT_MIN, INT_MAX);
    numbers[4] = recv_int("the flag of the scores", 0, INT_MAX);
    show("scores", 5, numbers);
    ack();
    seat.flag = numbers[4];
    if (seat.hands >= 0)
        seat.hands++;
}

/* ---- A session (2.1) ---- */

static void table(void)
{
    int version = recv_int("the version (we speak 1)", 1, 1);
    rules = recv_int("rules", 0, INT_MAX);
    int end = recv_int("the end of a game", 1, 10000);
    int limit = recv_int("a turn limit", 0, INT_MAX);
    SHOW("table", version, rules, end, limit, recv_int("computers", 0, 15));
    ack();
}

static void play_again(void)
{
    int wish = option.again > 0;
    option.again -= wish;
    send_int(wish);
    SHOW("again", wish, recv_int("the status of another game", 0, 2));
}

static bool new_game(void)
{
    int another = recv_int("New game", 0, 1);
    SHOW("new game", another);
    ack();
    return another == 1;
}

static void play_games(void)
{
    bool over = seat.flag & GAME_OVER; /* we come back, and the Scores that we had last ended a game */
    do {
        table();
        while (!over) {
            your_hand();
            pass();
            for (int number = 0; number < CARDS; number++)
                trick(number);
            moon();
            scores();
            over = seat.flag & GAME_OVER;
        }
        if (seat.flag & ASKED)
            play_again();
        over = false;
    } while (new_game());
}

/* Whether the session was played to its end over this connection. */
static bool play_session(void)
{
    if (setjmp(lost) != 0 || !connect_game())
        return false;
    register_player();
    play_games();
    flush_game();
    await_game(-1);
    end_connection();
    return true;
}

static int draw_process_id(void)
{
    unsigned char bytes[4];
    draw(bytes, sizeof bytes);
    return get_int(bytes) & INT_MAX;
}

/* ---- Options ---- */

static const char *text_option(const char *text, size_t size)
{
    size_t length = strlen(text);
    if (length >= size || !is_text((const unsigned char *)text, length))
        leave(1, "a text is too long or has characters that nobody sees");
    return text;
}

static int number_option(const char *text, int most)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*text == 0 || *end != 0 || number < 0 || number > most)
        leave(1, "%s is no number from 0 to %d", text, most);
    return (int)number;
}

static void read_options(int count, char *words[])
{
    for (int i = 1; i < count; i += 2) {
        const char *name = words[i], *value = words[i + 1];
        if (value == NULL)
            leave(1, "%s needs a value", name);
        if (strcmp(name, "--host") == 0) option.host = value;
        else if (strcmp(name, "--port") == 0) option.port = value;
        else if (strcmp(name, "--taunt-port") == 0) option.taunt_port = number_option(value, 65535);
        else if (strcmp(name, "--name") == 0) option.name = text_option(value, NAME_SIZE);
        else if (strcmp(name, "--table") == 0) option.table = text_option(value, NAME_SIZE);
        else if (strcmp(name, "--computers") == 0) option.computers = number_option(value, 3);
        else if (strcmp(name, "--end-score") == 0) option.end_score = number_option(value, 10000);
        else if (strcmp(name, "--again") == 0) option.again = number_option(value, INT_MAX);
        else if (strcmp(name, "--say") == 0) option.say = text_option(value, TAUNT_SIZE);
#ifdef NAMES
        else if (strcmp(name, "--secret") == 0) option.secret = value;
        else if (strcmp(name, "--known") == 0) option.known = value;
#endif
        else if (strcmp(name, "--drop") == 0) option.drop = number_option(value, INT_MAX);
        else leave(1, "no such option: %s", name);
    }
}

int main(int count, char *words[])
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_options(count, words);
    seat.process_id = draw_process_id();
    while (!play_session()) {
        if (!seat.taken)
            leave(1, "no connection, and no seat to come back to");
        if (waited_ms >= PATIENCE_MS)
            leave(1, "the server does not come back");
        await_game(wait_ms);
        waited_ms += wait_ms;
        wait_ms = wait_ms * 2 < LONGEST_WAIT_MS ? wait_ms * 2 : LONGEST_WAIT_MS;
    }
    hang_up(&chat.fd);
    return 0;
}
