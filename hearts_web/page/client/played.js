// A hand that is over, and all that is to be known of it later.

import { BY_COMPUTER, KIND } from './messages.js';

/**
 * A hand that is over, as it can be replayed where its deal was disclosed.
 * @typedef {object} PlayedHand
 * @property {number} game from 1
 * @property {number} number
 * @property {number} direction
 * @property {import('./hand_picture.js').ShownTrick[]} tricks
 * @property {number[]} points
 * @property {number[]} totals of the game, behind it
 * @property {import('./hand_picture.js').HandPicture['moon']} moon
 * @property {number[]} passedBy who chose the cards that each player passed
 * @property {string[]} names
 * @property {import('./rules.js').Rules} rules
 * @property {number} endScore
 * @property {import('./promises.js').Verdict | null} verdict
 */

/**
 * The scores before a hand, as far as they were seen.
 * @param {Pick<import('./picture.js').Picture, 'played'>} picture
 * @param {PlayedHand} hand
 */
export function scoresBefore({ played }, hand) {
  const last = played.find(({ game, number }) => game === hand.game && number === hand.number - 1);
  return last?.totals ?? [0, 0, 0, 0];
}

/**
 * What is kept of a hand that is over.
 * @param {import('./picture.js').Picture} picture
 * @param {Pick<PlayedHand, 'rules' | 'points' | 'totals'> & {hand: import('./hand_picture.js').HandPicture}} over
 * @returns {PlayedHand}
 */
export function playedHand({ game, players, me, endScore, verdicts }, { hand, rules, points, totals }) {
  const { number, direction, tricks, moon } = hand;
  const passedBy = players.map(({ player, kind }) => {
    if (player === me) return hand.passed?.by ?? 0;
    return kind === KIND.cpu ? BY_COMPUTER : 0;
  });
  const names = players.map(({ name }) => name);
  const verdict = verdicts.at(-1) ?? null;
  return { game, number, direction, tricks, points, totals, moon, passedBy, names, rules, endScore, verdict };
}
