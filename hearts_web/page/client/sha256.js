// SHA-256 and HMAC-SHA-256. A browser has its own only under https; a table at home has none.

import { joined } from './bytes.js';

const BLOCK = 64;

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function roots(/** @type {number} */ count, /** @type {number} */ power) {
  const words = [];
  for (let n = 2; words.length < count; n += 1) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d += 1) isPrime &&= n % d !== 0;
    if (isPrime) words.push(((n ** power % 1) * 2 ** 32) | 0);
  }
  return words;
}

const START = roots(8, 1 / 2);
const ROUND = roots(64, 1 / 3);

const rotated = (/** @type {number} */ x, /** @type {number} */ by) => (x >>> by) | (x << (32 - by));

/**
 * 32 bytes.
 * @param {...Uint8Array} parts
 */
export function sha256(...parts) {
  const message = joined(...parts);
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setInt32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/**
 * 32 bytes.
 * @param {Uint8Array} key
 * @param {...Uint8Array} parts
 */
export function hmacSha256(key, ...parts) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(block.map((byte) => byte ^ 0x36), ...parts);
  return sha256(block.map((byte) => byte ^ 0x5c), inner);
}
