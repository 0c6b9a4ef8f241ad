// How players are called on the page.

import { texts } from '../texts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */

/** "You", or a name. @param {Picture} picture @param {number} player */
export const nameOf = (picture, player) =>
  player === picture.me ? texts.you : picture.players[player]?.name || `${player + 1}`;

const SECRET = /^(solo|wait)-/;

/**
 * A name that nobody guesses, for a table of ours that nobody else is to find.
 * @param {'solo' | 'wait'} what against computers, or to wait there for an invitation
 */
export function secretName(what) {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return `${what}-${Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('')}`;
}

/** Whether a table has such a name. @param {string} table */
export const isSecret = (table) => SECRET.test(table);

/** Clockwise from the bottom of the page, where we sit. @param {Picture} picture @param {number} player */
export const placeOf = (picture, player) => (player - (picture.me ?? 0) + 4) % 4;

/** @param {Picture} picture @param {number} place */
export const playerAt = (picture, place) => (place + (picture.me ?? 0)) % 4;

/** Who gets our cards. @param {Picture} picture @param {number} direction */
export const targetOf = (picture, direction) =>
  nameOf(picture, ((picture.me ?? 0) + [0, 1, 3, 2][direction]) % 4);

/** Players of bits. @param {number} bits */
export const playersOf = (bits) => [0, 1, 2, 3].filter((player) => (bits >> player) & 1);
