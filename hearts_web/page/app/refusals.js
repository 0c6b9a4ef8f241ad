// Why a card may not be played now, by the status that the server would give to it (6.3).

import { Hand, suit } from '../client/cards.js';
import { texts } from '../texts.js';

/** In words; empty: it may be played. @param {import('../client/hand_picture.js').HandPicture | null} hand @param {number} card */
export function whyNot(hand, card) {
  if (hand === null) return '';
  const seen = Hand.of(hand);
  const words = texts.whyNot;
  switch (seen.status(card)) {
    case -2: return words.follow(suit(seen.trick[0]));
    case -4: return words.queen;
    case -5: return words.points;
    case -6: return words.two;
    case -7: return words.hearts;
    default: return '';
  }
}
