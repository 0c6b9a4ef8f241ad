// Simple sense: which cards to pass and to play, and what to do with a moon.

import * as cards from './cards.mjs';

const { isPointCard, strength, suit } = cards;

const highest = (some) => some.reduce((a, b) => (strength(b) > strength(a) ? b : a));
const lowest = (some) => some.reduce((a, b) => (strength(b) < strength(a) ? b : a));

/** How much a player wants to be rid of a card. */
function danger(card, rules) {
  if (card === cards.QUEEN_OF_SPADES) return 100;
  if (card === cards.KING_OF_SPADES || card === cards.ACE_OF_SPADES) return 50 + strength(card);
  if (card === cards.JACK_OF_DIAMONDS && rules.jack) return 0;
  return strength(card) + (suit(card) === cards.HEARTS ? 10 : 0);
}

const byDanger = (some, rules) => some.toSorted((a, b) => danger(b, rules) - danger(a, rules));

export function choosePass(hand) {
  return byDanger(hand.held, hand.rules).slice(0, 3);
}

export function chooseCard(hand) {
  const { legal, trick, rules } = hand;
  if (trick.length === 0) return lowest(legal);
  if (suit(legal[0]) !== suit(trick[0])) return byDanger(legal, rules)[0];

  const winning = Math.max(...trick.filter((card) => suit(card) === suit(trick[0])).map(strength));
  const below = legal.filter((card) => strength(card) < winning);
  if (below.includes(cards.QUEEN_OF_SPADES)) return cards.QUEEN_OF_SPADES;
  if (below.length > 0) return highest(below);

  const above = legal.filter((card) => card !== cards.QUEEN_OF_SPADES);
  if (above.length === 0) return cards.QUEEN_OF_SPADES;
  return trick.length === 3 && !trick.some(isPointCard) ? highest(above) : lowest(above);
}

/** 26 points to each of the others where that wins the game at once, else 26 off the own score. */
export function chooseMoon(player, scores, endOfGame) {
  const others = scores.filter((_, other) => other !== player).map((score) => score + 26);
  const wins = Math.max(...others) >= endOfGame && scores[player] < Math.min(...others);
  return wins ? 1 : 0;
}
