// SHA-512, by which Ed25519 signs. A browser has its own only under https.

import { joined } from './bytes.js';

const BLOCK = 128;
const MASK = (1n << 64n) - 1n;

/**
 * The first 64 bits of the fractional part of a root of each of the first primes.
 * @param {number} count @param {bigint} power 2n for square roots, 3n for cube roots
 */
function roots(count, power) {
  const words = [];
  for (let n = 2n; words.length < count; n += 1n) {
    let isPrime = true;
    for (let d = 2n; d * d <= n; d += 1n) isPrime &&= n % d !== 0n;
    if (!isPrime) continue;
    const wanted = n << (64n * power);
    let root = 0n;
    for (let bit = 1n << 70n; bit > 0n; bit >>= 1n) if ((root + bit) ** power <= wanted) root += bit;
    words.push(root & MASK);
  }
  return words;
}

/** @type {{start: bigint[], round: bigint[]} | null} */
let made = null;

/** @param {bigint} x @param {bigint} by */
const rotated = (x, by) => (x >> by) | ((x << (64n - by)) & MASK);

/**
 * 64 bytes.
 * @param {...Uint8Array} parts
 */
export function sha512(...parts) {
  made ??= { start: roots(8, 2n), round: roots(80, 3n) };
  const { start, round } = made;
  const message = joined(...parts);
  const padded = new Uint8Array(Math.ceil((message.length + 17) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  let state = start;
  /** @type {bigint[]} */
  const w = [];
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getBigUint64(at + 8 * i);
    for (let i = 16; i < 80; i += 1) {
      const s0 = rotated(w[i - 15], 1n) ^ rotated(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
      const s1 = rotated(w[i - 2], 19n) ^ rotated(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & MASK;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i += 1) {
      const s1 = rotated(e, 14n) ^ rotated(e, 18n) ^ rotated(e, 41n);
      const t1 = h + s1 + ((e & f) ^ (~e & MASK & g)) + round[i] + w[i];
      const s0 = rotated(a, 28n) ^ rotated(a, 34n) ^ rotated(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK, c, b, a, (t1 + t2) & MASK];
    }
    const now = [a, b, c, d, e, f, g, h];
    state = state.map((word, place) => (word + now[place]) & MASK);
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, place) => digest.setBigUint64(8 * place, word));
  return new Uint8Array(digest.buffer);
}
