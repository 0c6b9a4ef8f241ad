// Why cards are the best choice now, in words.

import { chooseWithReason, choosePass, whyPass } from '../client/choice.js';
import { texts } from '../texts.js';

/**
 * @param {import('../client/picture.js').Picture} picture of somebody who is asked for a pass or a card
 * @param {number[] | null} best what the network chose; null: the rules choose
 * @returns {{cards: number[], said: string, why: string} | null} null: nothing of that is asked
 */
export function adviceOn({ hand, rules, question }, best) {
  const words = texts.hint;
  if (hand === null || rules === null) return null;
  if (question?.is === 'pass') {
    const byRule = choosePass({ held: hand.held, rules });
    const cards = best ?? byRule;
    const isByRule = cards.every((card) => byRule.includes(card));
    return { cards, said: words.pass(cards), why: isByRule ? words.why[whyPass(cards)] : words.why.learned };
  }
  if (question?.is !== 'card') return null;
  const trick = (hand.trick?.plays ?? []).map(({ card }) => card);
  const byRule = chooseWithReason({ legal: question.legal, trick, rules });
  const [card] = best ?? [byRule.card];
  return { cards: [card], said: words.play(card), why: card === byRule.card ? words.why[byRule.why] : words.why.learned };
}
