// How a deal follows from a secret and cuts, and its code (SocketSpec.md, 7 and annex A).

import { asciiOf, intsOf } from './bytes.js';
import { sha256 } from './sha256.js';

export const CUT_LENGTH = 8;

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The words of 7.2, without end.
 * @param {Uint8Array} secret
 * @param {Uint8Array} cuts
 * @returns {Generator<number, never>}
 */
function* words(secret, cuts) {
  const key = sha256(asciiOf('hearts deal 1'), secret, cuts);
  for (let k = 0; ; k += 1) {
    const block = new DataView(sha256(key, intsOf(k)).buffer);
    for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at);
  }
}

/**
 * The cards of the four players, each sorted (7.3).
 * @param {Uint8Array} secret 16 bytes
 * @param {Uint8Array} cuts 32 bytes
 */
export function deal(secret, cuts) {
  const stream = words(secret, cuts);
  const uniform = (/** @type {number} */ n) => {
    let word;
    do word = stream.next().value;
    while (word >= 2 ** 32 - (2 ** 32 % n));
    return word % n;
  };
  const deck = Array.from({ length: 52 }, (_, place) => place + 1);
  for (let i = 51; i >= 1; i -= 1) {
    const j = uniform(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return [0, 1, 2, 3].map((p) => deck.slice(13 * p, 13 * p + 13).sort((a, b) => a - b));
}

/**
 * The code of a deal (7.4).
 * @param {Uint8Array} secret 16 bytes
 */
export function dealCode(secret) {
  const check = sha256(asciiOf('hearts deal code'), secret);
  const bits = [
    '00',
    ...Array.from(secret, (byte) => byte.toString(2).padStart(8, '0')),
    ((check[0] << 2) | (check[1] >> 6)).toString(2).padStart(10, '0'),
  ].join('');
  const digits = (bits.match(/.{5}/g) ?? []).map((five) => DIGITS[Number.parseInt(five, 2)]);
  return (digits.join('').match(/.{4}/g) ?? []).join('-');
}
