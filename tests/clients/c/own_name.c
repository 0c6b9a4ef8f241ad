/* own_name.c: a name of one's own (SocketSpec.md, annex E); link with -lcrypto (OpenSSL 1.1.1 or newer). */
#include "own_name.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BOTH_SIZE = KEY_SIZE + 2 * CHANCE_SIZE + 4 + ADDRESS_SIZE, WORD_SIZE = 16, SIZED_NAME = 4 + LONGEST_NAME + 4 };
enum { MESSAGE_SIZE = WORD_SIZE + BOTH_SIZE + 3 + SIZED_NAME, HEX_SIZE = 2 * KEY_SIZE + 1 };

static size_t put(unsigned char *to, const void *bytes, size_t count)
{
    memcpy(to, bytes, count);
    return count;
}

/* A text behind its length in bytes, as an int. */
static size_t put_sized(unsigned char *to, const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(length >> (24 - 8 * i));
    return 4 + put(to + 4, text, length);
}

/* What both sides sign behind a word of their own. */
static size_t put_both(unsigned char *to, const char *word, const struct meeting *meeting)
{
    size_t size = put(to, word, strlen(word));
    size += put(to + size, meeting->challenge, KEY_SIZE);
    size += put(to + size, meeting->chance, CHANCE_SIZE);
    size += put(to + size, meeting->challenge + KEY_SIZE, CHANCE_SIZE);
    return size + put_sized(to + size, meeting->address);
}

bool is_signed(const struct meeting *meeting)
{
    unsigned char message[MESSAGE_SIZE];
    size_t size = put_both(message, "hearts server 1", meeting);
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, meeting->challenge, KEY_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool holds = key != NULL && context != NULL && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1
        && EVP_DigestVerify(context, meeting->challenge + KEY_SIZE + CHANCE_SIZE, SIGNATURE_SIZE, message, size) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return holds;
}

/* The seed of the name's key at this server: HKDF-SHA256 (RFC 5869) without salt, one block. */
static bool derive(const unsigned char *secret, const unsigned char *server, unsigned char seed[KEY_SIZE])
{
    static const unsigned char no_salt[KEY_SIZE];
    unsigned char extracted[KEY_SIZE], info[64];
    size_t size = put(info, "hearts name key 1", strlen("hearts name key 1"));
    size += put(info + size, server, KEY_SIZE);
    info[size++] = 1;
    return HMAC(EVP_sha256(), no_salt, sizeof no_salt, secret, SECRET_SIZE, extracted, NULL) != NULL
        && HMAC(EVP_sha256(), extracted, sizeof extracted, info, size, seed, NULL) != NULL;
}

bool make_proof(const struct meeting *meeting, const unsigned char secret[SECRET_SIZE], const char *name, int wish,
                int kind, int dialect, unsigned char proof[PROOF_SIZE])
{
    unsigned char seed[KEY_SIZE], message[MESSAGE_SIZE];
    const unsigned char numbers[] = {(unsigned char)wish, (unsigned char)kind, (unsigned char)dialect};
    size_t size = put_both(message, "hearts name 1", meeting), key_size = KEY_SIZE, signature_size = SIGNATURE_SIZE;
    while (*name == '~')
        name++;
    if (strlen(name) > LONGEST_NAME || !derive(secret, meeting->challenge, seed))
        return false;
    size += put(message + size, numbers, sizeof numbers);
    size += put_sized(message + size, name);
    size += put_sized(message + size, ""); /* no details */
    proof[0] = numbers[0];
    proof[1] = numbers[1];
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, KEY_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool made = key != NULL && context != NULL && EVP_PKEY_get_raw_public_key(key, proof + 2, &key_size) == 1
        && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1
        && EVP_DigestSign(context, proof + 2 + KEY_SIZE, &signature_size, message, size) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return made;
}

static void put_hex(char hex[HEX_SIZE], const unsigned char key[KEY_SIZE])
{
    for (int i = 0; i < KEY_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", key[i]);
}

static bool same_host(const char *one, const char *other)
{
    const char *end = strrchr(one, ':'), *others_end = strrchr(other, ':');
    return end != NULL && others_end != NULL && end - one == others_end - other
        && strncmp(one, other, (size_t)(end - one)) == 0;
}

const char *whats_wrong(const char *file, const char *address, const unsigned char *key)
{
    char known[ADDRESS_SIZE], known_key[HEX_SIZE], hex[HEX_SIZE] = "";
    const char *wrong = NULL;
    FILE *kept = fopen(file, "r");
    if (key != NULL)
        put_hex(hex, key);
    while (kept != NULL && fscanf(kept, "%255s %64s", known, known_key) == 2) {
        bool is_same_key = strcmp(known_key, hex) == 0;
        if (strcmp(known, address) == 0) {
            wrong = key == NULL ? "the server asks for no proof any more" : "the server has another key than before";
            wrong = is_same_key ? NULL : wrong;
            break;
        }
        if (is_same_key && !same_host(known, address))
            wrong = "this is the key of a server at another host";
    }
    if (kept != NULL)
        fclose(kept);
    return wrong;
}

void remember(const char *file, const char *address, const unsigned char key[KEY_SIZE])
{
    char known[ADDRESS_SIZE], known_key[HEX_SIZE], hex[HEX_SIZE];
    FILE *kept = fopen(file, "a+");
    if (kept == NULL)
        return;
    rewind(kept);
    while (fscanf(kept, "%255s %64s", known, known_key) == 2)
        if (strcmp(known, address) == 0) {
            fclose(kept);
            return;
        }
    put_hex(hex, key);
    fseek(kept, 0, SEEK_END);
    fprintf(kept, "%s %s\n", address, hex);
    fclose(kept);
}
