// Simple sense: which cards to pass and to play, what to do with a moon, and why.

import {
  ACE_OF_SPADES, HEARTS, JACK_OF_DIAMONDS, KING_OF_SPADES, QUEEN_OF_SPADES, SPADES, highestOf,
  isPointCard, strength, suit,
} from './cards.js';

/**
 * What has to be known to choose a card.
 * @typedef {object} Situation
 * @property {number[]} legal the cards that may be played
 * @property {number[]} trick the cards that lie
 * @property {import('./rules.js').Rules} rules
 */

/**
 * Why a card is the best, by a word that the texts of the page explain.
 * @typedef {'only' | 'leadLow' | 'queenAway' | 'shedHigh' | 'shedPoints' | 'queenBelow' | 'duck' |
 *   'takeFree' | 'mustTake' | 'mayTake'} Why
 */

const highest = (/** @type {number[]} */ some) =>
  some.reduce((a, b) => (strength(b) > strength(a) ? b : a));
const lowest = (/** @type {number[]} */ some) =>
  some.reduce((a, b) => (strength(b) < strength(a) ? b : a));

/**
 * How much a player wants to be rid of a card.
 * @param {number} card
 * @param {import('./rules.js').Rules} rules
 */
function danger(card, rules) {
  if (card === QUEEN_OF_SPADES) return 100;
  if (card === KING_OF_SPADES || card === ACE_OF_SPADES) return 50 + strength(card);
  if (card === JACK_OF_DIAMONDS && rules.jack) return 0;
  return strength(card) + (suit(card) === HEARTS ? 10 : 0);
}

/**
 * @param {number[]} some
 * @param {import('./rules.js').Rules} rules
 */
const byDanger = (some, rules) => some.toSorted((a, b) => danger(b, rules) - danger(a, rules));

/** @param {{held: number[], rules: import('./rules.js').Rules}} hand */
export function choosePass(hand) {
  return byDanger(hand.held, hand.rules).slice(0, 3);
}

/**
 * The spades that make a pass of high spades wise: none below the queen guards her.
 * @param {number[]} passed
 * @returns {'passSpades' | 'passHigh'}
 */
export const whyPass = (passed) =>
  passed.some((card) => suit(card) === SPADES && card !== QUEEN_OF_SPADES) ||
  passed.includes(QUEEN_OF_SPADES)
    ? 'passSpades'
    : 'passHigh';

/** @param {Situation} hand */
export const chooseCard = (hand) => chooseWithReason(hand).card;

/**
 * @param {Situation} hand
 * @returns {{card: number, why: Why}}
 */
export function chooseWithReason(hand) {
  const { legal, trick, rules } = hand;
  if (legal.length === 1) return { card: legal[0], why: 'only' };
  if (trick.length === 0) return { card: lowest(legal), why: 'leadLow' };
  if (suit(legal[0]) !== suit(trick[0])) {
    const card = byDanger(legal, rules)[0];
    if (card === QUEEN_OF_SPADES) return { card, why: 'queenAway' };
    return { card, why: isPointCard(card) ? 'shedPoints' : 'shedHigh' };
  }
  const winning = strength(highestOf(trick));
  const below = legal.filter((card) => strength(card) < winning);
  if (below.includes(QUEEN_OF_SPADES)) return { card: QUEEN_OF_SPADES, why: 'queenBelow' };
  if (below.length > 0) return { card: highest(below), why: 'duck' };

  const above = legal.filter((card) => card !== QUEEN_OF_SPADES);
  if (above.length === 0) return { card: QUEEN_OF_SPADES, why: 'only' };
  if (trick.length < 3) return { card: lowest(above), why: 'mayTake' };
  return trick.some(isPointCard)
    ? { card: lowest(above), why: 'mustTake' }
    : { card: highest(above), why: 'takeFree' };
}

/**
 * Points to each of the others if that wins the game at once, else points off the own score.
 * @param {number} player
 * @param {number[]} scores
 * @param {number} endOfGame
 * @param {number} moon the points of a moon
 */
export function chooseMoon(player, scores, endOfGame, moon) {
  const others = scores.filter((_, other) => other !== player).map((score) => score + moon);
  const wins = Math.max(...others) >= endOfGame && scores[player] < Math.min(...others);
  return wins ? 1 : 0;
}
