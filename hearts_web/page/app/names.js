// How players are called on the page.

import { KIND } from '../client/messages.js';
import { GUEST_MARK, shownName, shownNames } from '../client/names.js';
import { texts } from '../texts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */

const WORDS = { own: [texts.you, texts.chat.table], quoted: texts.quoted, atSeat: texts.atSeat };
/** @type {WeakMap<object, string[]>} by the names, or the players, of a table */
const shown = new WeakMap();

/** A name from elsewhere than our table, such as that of a table. @param {string} name */
export const called = (name) => shownName(name, WORDS);

/** The names of the players of a table; empty: nobody is there. @param {string[]} names */
export const allCalled = (names) => shownNames(names, WORDS);

/** Those of our table, also while it forms. @param {Picture} picture */
export function namesOf(picture) {
  const source = picture.forming?.names ?? picture.players;
  const found = shown.get(source) ?? allCalled(source.map((each) => (typeof each === 'string' ? each : each.name)));
  shown.set(source, found);
  return found;
}

/** "You", or a name. @param {Picture} picture @param {number} player */
export const nameOf = (picture, player) =>
  player === picture.me ? texts.you : namesOf(picture)[player] || `${player + 1}`;

/** Whether names may be claimed at this server, so that they say whose they are. */
let hasMarks = false;

/** @param {boolean} yes whether this server lets names be claimed */
export const showMarks = (yes) => void (hasMarks = yes);

/** Whether a player is a guest, or has a name of their own; empty: neither. @param {Picture} picture @param {number} player @returns {'guest' | 'own' | ''} */
export function markOf(picture, player) {
  const name = rawName(picture, player);
  if (!hasMarks || name === '' || picture.players[player]?.kind === KIND.cpu) return '';
  return name.startsWith(GUEST_MARK) ? 'guest' : 'own';
}

/** @param {Picture} picture @param {number} player */
const rawName = (picture, player) => picture.forming?.names[player] ?? picture.players[player]?.name ?? '';

/** The letter that stands for a player. @param {Picture} picture @param {number} player */
export const initialOf = (picture, player) =>
  [...rawName(picture, player).replace(GUEST_MARK, '')][0] ?? '?';

/** Clockwise from the bottom of the page, where we sit. @param {Picture} picture @param {number} player */
export const placeOf = (picture, player) => (player - (picture.me ?? 0) + 4) % 4;

/** @param {Picture} picture @param {number} place */
export const playerAt = (picture, place) => (place + (picture.me ?? 0)) % 4;

/** Who gets our cards. @param {Picture} picture @param {number} direction */
export const targetOf = (picture, direction) =>
  nameOf(picture, ((picture.me ?? 0) + [0, 1, 3, 2][direction]) % 4);

/** Players of bits. @param {number} bits */
export const playersOf = (bits) => [0, 1, 2, 3].filter((player) => (bits >> player) & 1);
