// The rules of a table: their fields, their bits and the presets (SocketSpec.md, 6.1 and 6.2).

import { Nonsense } from './errors.js';

/**
 * @typedef {object} Rules
 * @property {boolean} jack the jack of diamonds counts -10
 * @property {number} moon 0: 26 to each of the others; 1: 26 off the shooter; 2: his choice
 * @property {number} exact a score of exactly the end: 0 nothing; 1 back to 0; 2 wins
 * @property {boolean} dump the queen of spades must go at the first chance
 * @property {boolean} bleed points may be played on the first trick
 * @property {boolean} rotate the first lead goes around, instead of the two of clubs
 * @property {number} passing 0 cycle with hold; 1 cycle without; 2 always left; 3 never
 * @property {boolean} noTrick a player without a trick gets -5
 * @property {boolean} queenBreaks the queen of spades breaks hearts
 */

/**
 * @param {number} bits
 * @returns {Rules}
 */
export function rulesOf(bits) {
  const has = (/** @type {number} */ bit) => ((bits >> bit) & 1) === 1;
  const moon = (bits >> 9) & 3;
  const exact = (bits >> 11) & 3;
  if (bits & ~0xfff00 || moon === 3 || exact === 3) throw new Nonsense(`rules ${bits} have no meaning`);
  return {
    jack: has(8),
    moon,
    exact,
    dump: has(13),
    bleed: has(14),
    rotate: has(15),
    passing: (bits >> 16) & 3,
    noTrick: has(18),
    queenBreaks: !has(19),
  };
}

/** @param {Rules} rules */
export function bitsOf(rules) {
  const flags = { 8: rules.jack, 13: rules.dump, 14: rules.bleed, 15: rules.rotate, 18: rules.noTrick };
  let bits = (rules.moon << 9) | (rules.exact << 11) | (rules.passing << 16);
  for (const [bit, isSet] of Object.entries(flags)) bits |= isSet ? 1 << Number(bit) : 0;
  return rules.queenBreaks ? bits : bits | (1 << 19);
}

/** @type {Record<string, number>} */
export const PRESETS = { standard: 0, mactech98: 16896, mac2000: 136448, windows93: 10496 };

/** @type {[keyof Rules, number | boolean, string][]} */
const WORDS = [
  ['jack', true, 'jack'], ['moon', 1, 'moon=minus'], ['moon', 2, 'moon=choice'], ['exact', 1, 'exact=zero'],
  ['exact', 2, 'exact=wins'], ['dump', true, 'dump'], ['bleed', true, 'bleed'], ['rotate', true, 'rotate'],
  ['passing', 1, 'pass=cycle3'], ['passing', 2, 'pass=left'], ['passing', 3, 'pass=never'],
  ['noTrick', true, 'notrick'], ['queenBreaks', false, 'queen-keeps'],
];

/** As a record has them. @param {Rules} rules */
export const rulesText = (rules) =>
  WORDS.filter(([field, value]) => rules[field] === value).map(([, , word]) => word).join() || 'standard';

/**
 * As P_PROPOSE_RULES has them (14.4).
 * @param {Rules} rules
 * @param {number} endScore
 */
export function fieldsOf(rules, endScore) {
  const int = Number;
  return [
    int(rules.jack), endScore, rules.moon, rules.exact, int(rules.dump), int(!rules.bleed),
    int(rules.rotate), rules.passing, int(rules.noTrick), int(rules.queenBreaks),
  ];
}
