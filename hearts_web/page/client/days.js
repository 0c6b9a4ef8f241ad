// The deal of the day: what a server tells of it, and what its values prove (SocketSpec.md, 3.5 and 7.8).

import { fromHex, hexOf, isSameBytes } from './bytes.js';
import { hmacSha256, sha256 } from './sha256.js';

const TABLE = /^day (?:(\d{4}-\d\d-\d\d) [A-Z2-7]{15}|[\w-]{22})$/;
const STATE = /^day (\d{4}-\d\d-\d\d) (open|playing|played) ([\da-f]{64})$/;
const OVER = /^over (\d{4}-\d\d-\d\d) ([\da-f]{64})$/;
const RESULT = /^result (\d{4}-\d\d-\d\d) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/;
const HAND = /^hand \d{4}-\d\d-\d\d \d ([\w-]+)$/;
const LISTED = /^listed \d{4}-\d\d-\d\d (\d+) (\d+) (.+)$/;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const MILLISECONDS = 86_400_000;
/** Days of a chain. */
const DAYS = 36_525;
const SECRET = 16;
/** Milliseconds from the beginning of a day by UTC until it is over everywhere. */
const OVER_AFTER = 1.5 * MILLISECONDS;

/**
 * What came of a day that a visitor has played in time.
 * @typedef {object} DayResult
 * @property {string} day
 * @property {number} place from 1 among those who have played so far; 0 for the host, who is not counted
 * @property {number} count those who have played so far
 * @property {number[]} points of each hand
 */

/**
 * What a server tells a visitor of its days.
 * @typedef {object} ToldDay
 * @property {string} day today, as 2026-11-27
 * @property {'open' | 'playing' | 'played'} state
 * @property {string} anchor of the chain, in hexadecimal digits
 * @property {string} over the latest day that is over everywhere
 * @property {string} value of that day, in hexadecimal digits
 * @property {DayResult[]} results of the latest days, at most one for each
 * @property {string[]} links to our hands of the day that is over
 * @property {{place: number, points: number, name: string}[]} names the best of the day that is over
 * @property {string[]} lines to show, in English
 */

/**
 * Null where the texts tell of no day.
 * @param {string[]} texts
 * @returns {ToldDay | null}
 */
export function readDay([first = '', second = '', ...more]) {
  const [, day, state, anchor] = STATE.exec(first) ?? [];
  const [, over, value] = OVER.exec(second) ?? [];
  if (day === undefined || over === undefined) return null;
  /** @type {ToldDay} */
  const told = { day, state: /** @type {ToldDay['state']} */ (state), anchor, over, value, results: [], links: [], names: [], lines: [] };
  for (const text of more) {
    const result = RESULT.exec(text);
    const hand = HAND.exec(text);
    const listed = LISTED.exec(text);
    if (result !== null) {
      const [place, count, ...points] = result.slice(2).map(Number);
      told.results.push({ day: result[1], place, count, points });
    } else if (hand !== null) told.links.push(hand[1]);
    else if (listed !== null) told.names.push({ place: Number(listed[1]), points: Number(listed[2]), name: listed[3] });
    else told.lines.push(text);
  }
  return told;
}

/** The day of a table of that name; empty: it is none of a day. @param {string} table */
export const dayOf = (table) => TABLE.exec(table)?.[1] ?? '';

/** Whether a table of that name is, or becomes, one of a day. @param {string} table */
export const isOfDay = (table) => TABLE.test(table);

/** The name by which a visitor joins their table. @param {Uint8Array} token */
export const dayTable = (token) =>
  `day ${btoa(String.fromCharCode(...token)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;

/** When a day is over everywhere. @param {string} day */
export const overAt = (day) => new Date(Date.parse(day) + OVER_AFTER);

/** Whether the value of the day that is over is of the chain with the anchor. @param {ToldDay} told */
export function isOfChain({ over, value, anchor }) {
  const number = (Date.parse(over) - FIRST_DAY) / MILLISECONDS + 1;
  if (!(number >= 1 && number <= DAYS)) return false;
  let hash = fromHex(value);
  for (let left = number; left > 0; left -= 1) hash = sha256(hash);
  return hexOf(hash) === anchor;
}

/**
 * Whether a hand has the secret that follows from the value of its day.
 * @param {string} value in hexadecimal digits
 * @param {import('./played.js').PlayedHand} hand
 */
export const isOfValue = (value, { number, verdict }) =>
  isSameBytes(hmacSha256(fromHex(value), Uint8Array.of(number)).subarray(0, SECRET), fromHex(verdict?.secret ?? ''));
