/* own_name.h: a name of one's own (SocketSpec.md, annex E), signed by OpenSSL's libcrypto. */
#ifndef OWN_NAME_H
#define OWN_NAME_H

#include <stdbool.h>

enum { KEY_SIZE = 32, CHANCE_SIZE = 32, SIGNATURE_SIZE = 64, SECRET_SIZE = 16, ADDRESS_SIZE = 256 };
enum { CHALLENGE_SIZE = KEY_SIZE + CHANCE_SIZE + SIGNATURE_SIZE, PROOF_SIZE = 2 + KEY_SIZE + SIGNATURE_SIZE };
enum { WISH_CLAIM = 1, KIND_PROGRAM = 1, LONGEST_NAME = 30 };

/* A client and a server that have shown each other what they have drawn by chance. */
struct meeting {
    unsigned char chance[CHANCE_SIZE], challenge[CHALLENGE_SIZE]; /* ours; the server's key, chance and signature */
    char address[ADDRESS_SIZE];                                   /* host:port, as the player was given it */
};

/* Whether the key in the challenge has signed it, for our chance and address. */
bool is_signed(const struct meeting *meeting);

/* The bytes of block -18; false if libcrypto does not sign. */
bool make_proof(const struct meeting *meeting, const unsigned char secret[SECRET_SIZE], const char *name, int wish,
                int kind, int dialect, unsigned char proof[PROOF_SIZE]);

/*
 * What is wrong with a server, by a file of addresses and keys; NULL for one that is as it was, or
 * new. Without a key: with one that gives no challenge.
 */
const char *whats_wrong(const char *file, const char *address, const unsigned char *key);

/* Adds a server to the file, unless it is there. */
void remember(const char *file, const char *address, const unsigned char key[KEY_SIZE]);

#endif
