// The keys and the words of a name, against the vectors that Python reads too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { fromHex, hexOf } from '../../hearts_web/page/client/bytes.js';
import { Meeting, askedBy, seedFor } from '../../hearts_web/page/client/name_proof.js';
import { secretOf, wordsOf } from '../../hearts_web/page/client/name_words.js';
import { sha512 } from '../../hearts_web/page/client/sha512.js';
import * as ed25519 from '../../hearts_web/page/vendor/ed25519.js';

const text = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const vectors = JSON.parse(text('tests/vectors/name_keys.json'));
const list = text('hearts/names/english.txt').trim().split('\n');
const ascii = (words) => new TextEncoder().encode(words);

ed25519.etc.sha512Sync = sha512;

test('SHA-512 of texts whose digests everybody knows', () => {
  const known = {
    '': 'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
    abc: 'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
  };
  for (const [words, digest] of Object.entries(known)) assert.equal(hexOf(sha512(ascii(words))), digest);
});

test('SHA-512 is what the system says, for all lengths around a block', async () => {
  for (let length = 100; length < 270; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) & 255);
    const real = new Uint8Array(await crypto.subtle.digest('SHA-512', bytes));
    assert.equal(hexOf(sha512(bytes.subarray(0, 50), bytes.subarray(50))), hexOf(real), `${length}`);
  }
});

test('signatures', () => {
  for (const { seed, public: key, message, signature } of [...vectors.rfc8032, ...vectors.keys]) {
    assert.equal(hexOf(ed25519.getPublicKey(fromHex(seed))), key);
    assert.equal(hexOf(ed25519.sign(fromHex(message), fromHex(seed))), signature);
    assert.ok(ed25519.verify(fromHex(signature), fromHex(message), fromHex(key), { zip215: false }));
    assert.ok(!ed25519.verify(fromHex(signature), fromHex(`${message}2e`), fromHex(key), { zip215: false }));
  }
});

test('a key for each server', () => {
  for (const { secret, server, seed } of vectors.keys) assert.equal(hexOf(seedFor(fromHex(secret), fromHex(server))), seed);
});

test('secrets as words, and words as secrets', () => {
  for (const { secret, words } of vectors.words) {
    assert.equal(wordsOf(fromHex(secret), list).join(' '), words);
    assert.equal(hexOf(secretOf(words, list)), secret);
  }
  for (const { typed, secret } of vectors.typed) assert.equal(hexOf(secretOf(typed, list)), secret);
});

test('wrong words say what is wrong', () => {
  for (const { typed, ...wrong } of vectors.wrong) assert.deepEqual(secretOf(typed, list), wrong);
});

test('questions, challenges and proofs', () => {
  const { proofs } = JSON.parse(text('tests/vectors/names.json'));
  for (const vector of proofs) {
    const [asked, challenge, secret] = ['bytes of block -17', 'challenge', 'own secret'].map((name) => fromHex(vector[name]));
    const { address, name, dialect } = vector;
    const chance = asked.subarray(0, 32);
    assert.equal(hexOf(askedBy(chance, address)), hexOf(asked));
    const meeting = new Meeting(chance, address, challenge);
    assert.equal(hexOf(meeting.server), vector['server key']);
    assert.ok(meeting.isSigned(ed25519));
    const proof = vector['bytes of block -18'];
    const [wish, kind] = fromHex(proof);
    const details = fromHex(proof.slice(2 * 98));
    assert.equal(hexOf(meeting.proof(ed25519, secret, { name: `~${name}`, dialect, wish, kind, details })), proof);
    assert.ok(!new Meeting(chance, `evil${address}`, challenge).isSigned(ed25519));
    assert.ok(!new Meeting(chance, address, challenge.map((byte, at) => byte ^ Number(at === 40))).isSigned(ed25519));
    assert.ok(!new Meeting(chance, address, challenge.map((byte, at) => (at < 32 ? 0xff : byte))).isSigned(ed25519));
  }
});
