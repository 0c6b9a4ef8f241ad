// Ints and strs as bytes (SocketSpec.md, 1.3 and 1.4).

import { Nonsense } from './errors.js';

export const LONGEST_STR = 1024;
export const LOWEST_INT = -(2 ** 31);
export const HIGHEST_INT = 2 ** 31 - 1;

/** What could end a line or turn the direction of writing; no str may hold it (1.4). */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** @param {...number} ints */
export function intsOf(...ints) {
  const bytes = new Uint8Array(4 * ints.length);
  const view = new DataView(bytes.buffer);
  ints.forEach((int, place) => view.setInt32(4 * place, int));
  return bytes;
}

/**
 * A str, its length before it.
 * @param {string} text
 */
export function strOf(text) {
  const bytes = encoder.encode(`${text}\0`);
  return joined(intsOf(bytes.length), bytes);
}

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes four of them */
export function intOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getInt32(0);
}

/**
 * The text of a str: its bytes with the NUL at the end.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  if (bytes.at(-1) !== 0) throw new Nonsense('a str without a NUL at its end');
  let text;
  try {
    text = decoder.decode(bytes.subarray(0, -1));
  } catch {
    throw new Nonsense('a str that is not UTF-8');
  }
  if (CONTROL.test(text)) throw new Nonsense('a str with a control character');
  return text;
}

/**
 * How many bytes a text has on the wire, without the NUL.
 * @param {string} text
 */
export const byteLength = (text) => encoder.encode(text).length;

/** @param {string} text ASCII */
export const asciiOf = (text) => encoder.encode(text);

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {string} hex an even number of digits */
export const fromHex = (hex) =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

/**
 * @param {Uint8Array} some
 * @param {Uint8Array} others
 */
export const isSameBytes = (some, others) =>
  some.length === others.length && some.every((byte, place) => byte === others[place]);
