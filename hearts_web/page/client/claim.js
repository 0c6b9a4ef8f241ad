// Whether the rest of a hand is certain to be ours, as far as one can see (DealerSpec.md, 14.8).

import { strength, suit } from './cards.js';

/**
 * @param {number[]} held
 * @param {number[]} played all cards of the hand that were played
 */
export function isProved(held, played) {
  if (held.length < 2 || played.length === 0) return false;
  const known = new Set([...held, ...played]);
  const hidden = Array.from({ length: 52 }, (_, place) => place + 1).filter((card) => !known.has(card));
  return [0, 1, 2, 3].every((number) => {
    const ofSuit = (/** @type {number[]} */ cards) =>
      cards.filter((card) => suit(card) === number).map(strength).sort((a, b) => b - a);
    const own = ofSuit(held);
    const others = ofSuit(hidden);
    const needed = own.slice(0, others.length);
    return needed.every((each) => each > (others[0] ?? 0));
  });
}
