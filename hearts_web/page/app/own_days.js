// The deal of the day, as this browser keeps it: who its visitor is, since when the days are fixed,
// and the hands of the latest days.

import { fromHex, hexOf } from '../client/bytes.js';
import { formatLink } from '../client/hand_link.js';
import { scoresBefore } from '../client/played.js';
import { keepLinks } from './own_mistakes.js';

/** @typedef {import('../client/days.js').ToldDay} ToldDay */

const PLACE = 'hearts.days';
const TOKEN_BYTES = 16;
const MOST_DAYS = 4;

/**
 * @typedef {object} OwnDays
 * @property {string} token of the visitor
 * @property {string} anchor that the server told; empty: none yet
 * @property {string} since the day on which it told that first
 * @property {Record<string, string[]>} hands links to the hands of each day, in their order
 */

/** @type {OwnDays | null} where the browser keeps nothing, it counts until the page is left */
let known = null;

/** @returns {OwnDays} */
export function ownDays() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? 'null');
    if (/^[\da-f]{32}$/.test(kept?.token)) known = { anchor: '', since: '', hands: {}, ...kept };
  } catch {
    // What cannot be read is as if there was nothing.
  }
  if (known === null) keep({ token: hexOf(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))), anchor: '', since: '', hands: {} });
  return /** @type {OwnDays} */ (known);
}

/** @param {OwnDays} days */
function keep(days) {
  known = days;
  try {
    localStorage.setItem(PLACE, JSON.stringify(days));
  } catch {
    // The server knows who has played for as long as the page is open.
  }
}

/** The token by which a server knows this browser again. */
export const visitor = () => fromHex(ownDays().token);

/**
 * Takes in what a server tells; whether it told the same anchor before, or none.
 * @param {ToldDay} told
 */
export function noteDay({ anchor, over, links }) {
  keepLinks(links);
  const days = ownDays();
  const isSame = days.anchor === '' || days.anchor === anchor;
  const since = days.anchor === anchor ? days.since : new Date().toISOString().slice(0, 10);
  keep({ ...days, anchor, since, hands: links.length > 0 ? latest({ ...days.hands, [over]: links }) : days.hands });
  return isSame;
}

/** Keeps the hands of a day that are over. @param {import('../client/picture.js').Picture} picture */
export function keepDay(picture) {
  const links = picture.played.map((hand) => formatLink(hand, { before: scoresBefore(picture, hand), own: picture.me }));
  const days = ownDays();
  const hands = links.filter((link) => link !== null);
  if (hands.length > (days.hands[picture.day]?.length ?? 0)) keep({ ...days, hands: latest({ ...days.hands, [picture.day]: hands }) });
}

/** @param {Record<string, string[]>} hands */
const latest = (hands) => Object.fromEntries(Object.entries(hands).sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, MOST_DAYS));
