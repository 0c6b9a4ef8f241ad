// Names of tables that nobody else is to find (SocketSpec.md, 3.6).

import { byteLength } from './bytes.js';

const LONGEST_OPENER = 16;
const SECRET = /^(solo|wait)-/;

/**
 * A name that nobody guesses, for a table of ours that nobody else is to find.
 * @param {string} what 'solo' against computers, 'wait' to wait there for an invitation, else what
 *   friends see of it, of 16 bytes at most
 */
export function secretName(what) {
  const [bits] = crypto.getRandomValues(new BigUint64Array(1));
  return `${what}-${bits.toString(36).padStart(13, '0')}`;
}

/** The same for a table of friends. @param {string} opener the name of who opens it */
export function friendsName(opener) {
  const name = opener.trim();
  return secretName(name !== '' && byteLength(name) <= LONGEST_OPENER && !SECRET.test(`${name}-`) ? name : 'hearts');
}

/** Whether a table has such a name. @param {string} table */
export const isSecret = (table) => SECRET.test(table);
