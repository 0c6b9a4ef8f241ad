// A hand that is over, with all cards open: what each player held and passed, and could have played.

import { Hand } from './cards.js';
import { pointsOf } from './rules.js';

/** @typedef {import('./played.js').PlayedHand} PlayedHand */

/** Where the cards of a player go: so many seats clockwise. Hold, left, right, across. */
const STEPS = [0, 1, 3, 2];

/**
 * @typedef {object} OpenHand
 * @property {number[][]} dealt
 * @property {number[][]} passed the three cards of each player; empty in a hand without a pass
 * @property {number[][]} played in order
 * @property {boolean} isWhole whether all of it agrees with the deal that was disclosed
 */

/**
 * Null where the deal was not disclosed, or the hand was not seen as a whole.
 * @param {PlayedHand} hand
 * @returns {OpenHand | null}
 */
export function opened({ verdict, tricks, direction }) {
  if (verdict === null || tricks.length !== 13) return null;
  const dealt = verdict.hands;
  const played = [0, 1, 2, 3].map((player) =>
    tricks.flatMap(({ plays }) => plays.filter((play) => play.player === player)).map(({ card }) => card),
  );
  const passed = dealt.map((cards, player) => cards.filter((card) => !played[player].includes(card)));
  const count = direction === 0 ? 0 : 3;
  const isWhole = passed.every(
    (cards, player) =>
      cards.length === count &&
      cards.every((card) => played[(player + STEPS[direction]) % 4].includes(card)),
  );
  return { dealt, passed, played, isWhole };
}

/**
 * What the players hold behind so many cards of the hand.
 * @param {OpenHand} open
 * @param {PlayedHand} hand
 * @param {number} count 0 to 52 cards played
 */
export function heldAfter(open, hand, count) {
  const gone = new Set(hand.tricks.flatMap(({ plays }) => plays).slice(0, count).map(({ card }) => card));
  return open.played.map((cards) => cards.filter((card) => !gone.has(card)).sort((a, b) => a - b));
}

/**
 * What the player of the next card has to know to choose it; null behind the last one.
 * @param {OpenHand} open
 * @param {PlayedHand} hand
 * @param {number} count cards that were played before
 * @returns {{player: number, card: number, situation: import('./choice.js').Situation} | null}
 */
export function choiceAfter(open, hand, count) {
  const plays = hand.tricks.flatMap((trick) => trick.plays);
  if (count >= plays.length) return null;
  const { player, card } = plays[count];
  const seen = new Hand([...open.played[player]].sort((a, b) => a - b), hand.rules);
  plays.slice(0, count + 1).forEach((play, place) => {
    if (place % 4 === 0) seen.newTrick();
    if (place === count) return;
    if (play.player === player) seen.playOwn(seen.indexOf(play.card));
    else seen.playOther(play.card);
  });
  return { player, card, situation: { legal: seen.legal, trick: [...seen.trick], rules: hand.rules } };
}

/**
 * The cards that count which each player took.
 * @param {Pick<PlayedHand, 'tricks' | 'rules'>} hand
 */
export const pointCards = ({ tricks, rules }) =>
  [0, 1, 2, 3].map((player) =>
    tricks.filter(({ winner }) => winner === player).flatMap(({ plays }) => plays)
      .map(({ card }) => card).filter((card) => pointsOf(card, rules) !== 0),
  );
