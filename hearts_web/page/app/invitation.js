// The link to a table. Its name and the server's words are in the fragment, which no server, no
// proxy and no log is told of.

import { byteLength } from '../client/bytes.js';
import { LONGEST as LONGEST_HAND } from '../client/hand_link.js';

const PLACE = 'hearts.invited';
/** Bytes of a name. */
const LONGEST = 30;

/** @typedef {{table: string, words: string, isOpened: boolean, hand: string}} Invitation empty: none; `isOpened`: a link to a table was opened just now */

/**
 * Takes an invitation out of the address, and keeps its table for the visit. Nothing may be asked
 * of a server before this.
 * @returns {Invitation}
 */
export function takeInvitation() {
  // Links of older pages had the name in the query.
  const said = new URLSearchParams(location.hash.slice(1) || location.search);
  if (location.hash !== '' || location.search !== '') history.replaceState(null, '', location.pathname);
  const named = said.get('table') ?? '';
  const table = byteLength(named) <= LONGEST ? named : '';
  if (table !== '') keepInvited(table);
  return {
    table: table || (sessionStorage.getItem(PLACE) ?? ''),
    words: said.get('words') ?? '',
    isOpened: table !== '',
    // A hand that is too long is none, and says so where it is read.
    hand: (said.get('hand') ?? '').slice(0, LONGEST_HAND + 1),
  };
}

/** @param {string} table empty: it counts no more */
export function keepInvited(table) {
  try {
    sessionStorage.setItem(PLACE, table);
  } catch {
    // It is gone when the page is loaded again.
  }
}

/** The address at which friends come to a table. @param {string} table @param {string} words of the server; empty: none */
export function linkTo(table, words) {
  const url = new URL(location.href);
  url.search = '';
  url.hash = `${new URLSearchParams(words === '' ? { table } : { table, words })}`;
  return url.href;
}

/** The address at which anybody sees a hand. @param {string} value */
export function linkToHand(value) {
  const url = new URL(location.href);
  url.search = '';
  url.hash = `hand=${value}`;
  return url.href;
}
