// The rules of a table in their forms: fields, bits, text and ints (SocketSpec.md, 6.1 and 6.2).

import { Nonsense } from './errors.js';
import { POINTS, RULES } from './rule_table.js';

/** @typedef {import('./rule_table.js').Rules} Rules */

export { PRESETS, RULES } from './rule_table.js';

/** From here on bits may be set that nobody knows here, and they are passed over. */
const OPEN = -1 << 21;
const KNOWN = RULES.reduce((bits, { bit, tokens }) => bits | ((tokens.length > 2 ? 3 : 1) << bit), 0);
const THERE = RULES.filter(({ there }) => there !== '');

/**
 * @param {number} bits
 * @returns {Rules}
 */
export function rulesOf(bits) {
  if (bits & ~KNOWN & ~OPEN) throw new Nonsense(`rules ${bits} have no meaning`);
  const fields = RULES.map(({ field, bit, tokens }) => {
    const value = (bits >> bit) & (tokens.length > 2 ? 3 : 1);
    if (value >= tokens.length) throw new Nonsense(`rules ${bits} have no meaning`);
    return [field, tokens.length > 2 ? value : value === 1];
  });
  return Object.fromEntries(fields);
}

/** @param {Rules} rules */
export const bitsOf = (rules) =>
  RULES.reduce((bits, { field, bit }) => bits | (Number(rules[field]) << bit), 0);

/** With some fields, and without what does not go together with them. @param {Rules} rules @param {Partial<Rules>} some */
export function having(rules, some) {
  const undone = RULES.filter(({ field }) => some[field]).flatMap(({ against }) => against);
  return /** @type {Rules} */ ({ ...rules, ...Object.fromEntries(undone.map((field) => [field, false])), ...some });
}

/** What a card adds to the points of who takes it. @param {number} card @param {Rules} rules */
export const pointsOf = (card, rules) =>
  RULES.reduce((counted, { field, points }) => (rules[field] ? points[card] ?? counted : counted), POINTS[card] ?? 0);

/** The points of a moon. @param {Rules} rules */
export const moonOf = (rules) =>
  Object.keys(POINTS).reduce((sum, card) => sum + pointsOf(Number(card), rules), 0);

/** As a record has them. @param {Rules} rules */
export const rulesText = (rules) =>
  RULES.map(({ field, tokens }) => tokens[Number(rules[field])]).filter((token) => token !== '').join() || 'standard';

/**
 * As P_PROPOSE_RULES has them (14.4).
 * @param {Rules} rules
 * @param {number} endScore
 */
export function fieldsOf(rules, endScore) {
  const [jack, ...others] = THERE.map(({ field, isReversed }) => Number(rules[field]) ^ Number(isReversed));
  return [jack, endScore, ...others, bitsOf(rules) & OPEN];
}

/**
 * The structure of the rules (14.4), read by `int`.
 * @param {(what: string, lowest: number, highest: number) => number} int
 * @returns {{rules: Rules, endScore: number}}
 */
export function readRules(int) {
  let endScore = 0;
  let bits = 0;
  for (const { there, tokens, isReversed, bit } of THERE) {
    bits |= (int(there, 0, tokens.length - 1) ^ Number(isReversed)) << bit;
    if (bit === THERE[0].bit) endScore = int('max score', 1, 10_000);
  }
  return { rules: rulesOf(bits), endScore };
}

/** Rules with the bits from 21 on of a payload, which come behind all else. @param {Rules} rules @param {number} bits */
export const withMore = (rules, bits) => rulesOf(bitsOf(rules) | (bits & OPEN));
