// Twelve words that a master secret is written down as, by the English list of BIP-39.

import { sha256 } from './sha256.js';

export const WORD_COUNT = 12;
const BYTES = 16;
const WORD_BITS = 11n;
const CHECK_BITS = 4n;
/** Letters by which a word is known. */
const TELLING = 4;

/**
 * Why words give no secret: the number of the word that is not in the list, from 1; how many words
 * there are, where these are not twelve; or that they do not belong together.
 * @typedef {{is: 'unknown', place: number, word: string} | {is: 'count', count: number} | {is: 'check'}} Wrong
 */

/** The number that a word stands for in the last bits of words. @param {Uint8Array} secret */
const checkOf = (secret) => BigInt(sha256(secret)[0] >> 4);

/**
 * @param {Uint8Array} secret of 16 bytes
 * @param {string[]} list all words
 */
export function wordsOf(secret, list) {
  const number = (secret.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) << CHECK_BITS) | checkOf(secret);
  return Array.from({ length: WORD_COUNT }, (_, place) =>
    list[Number((number >> (WORD_BITS * BigInt(WORD_COUNT - 1 - place))) & 2047n)]);
}

/**
 * The secret of twelve words as somebody types them: case and what stands between words do not
 * count, and four letters are enough for a word.
 * @param {string} typed
 * @param {string[]} list
 * @returns {Uint8Array | Wrong}
 */
export function secretOf(typed, list) {
  const words = typed.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const places = words.map((word) => placeOf(word, list));
  const place = places.indexOf(-1);
  if (place >= 0) return { is: 'unknown', place: place + 1, word: words[place] };
  if (words.length !== WORD_COUNT) return { is: 'count', count: words.length };
  let number = places.reduce((sum, each) => (sum << WORD_BITS) | BigInt(each), 0n);
  const check = number & 15n;
  number >>= CHECK_BITS;
  const secret = new Uint8Array(BYTES);
  for (let at = BYTES - 1; at >= 0; at -= 1, number >>= 8n) secret[at] = Number(number & 255n);
  return checkOf(secret) === check ? secret : { is: 'check' };
}

/** Whether a word that was typed is this one. @param {string} typed @param {string} word */
export const isWord = (typed, word) => {
  const said = typed.trim().toLowerCase();
  return said.slice(0, TELLING) === word.slice(0, TELLING) && word.startsWith(said);
};

/** @param {string} word @param {string[]} list */
const placeOf = (word, list) => list.findIndex((each) => isWord(word, each));
