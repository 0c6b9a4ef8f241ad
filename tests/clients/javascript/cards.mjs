// Cards, the hand of a player, and which of its cards are legal (SocketSpec.md, 1.5, 6.1, 6.3, 8).

import { Nonsense } from './wire.mjs';

export const HEARTS = 0;
export const SPADES = 3;
export const TWO_OF_CLUBS = 15;
export const JACK_OF_DIAMONDS = 37;
export const ACE_OF_SPADES = 40;
export const QUEEN_OF_SPADES = 51;
export const KING_OF_SPADES = 52;

export const suit = (card) => Math.floor((card - 1) / 13);

/** 1 for a two up to 13 for an ace. */
export const strength = (card) => (card - 1) % 13 || 13;

export const isPointCard = (card) => suit(card) === HEARTS || card === QUEEN_OF_SPADES;

/** The rules that a player needs in order to choose (6.1); the server keeps the others. */
export function readRules(bits) {
  const has = (bit) => ((bits >> bit) & 1) === 1;
  if (bits & ~0xfff00 || (has(9) && has(10)) || (has(11) && has(12))) {
    throw new Nonsense(`rules ${bits} have no meaning`);
  }
  return { jack: has(8), dump: has(13), bleed: has(14), rotate: has(15), queenKeeps: has(19) };
}

/** What one player knows of a hand. A card keeps its hand index, 0 to 12 (4.1). */
export class Hand {
  trick = [];
  isFirstTrick = true;
  broken = false;
  #cards;
  #played = new Set();

  constructor(cards, rules) {
    if (cards.some((card, index) => index > 0 && card <= cards[index - 1])) {
      throw new Nonsense('the cards of a hand are not in order');
    }
    this.#cards = cards;
    this.rules = rules;
  }

  /** The cards that are still held. */
  get held() {
    return this.#cards.filter((card) => !this.#played.has(card));
  }

  indexOf(card) {
    return this.#cards.indexOf(card);
  }

  cardAt(index) {
    return this.#cards[index];
  }

  /** What was received takes the indexes of what was passed, in that order (4.2). */
  pass(indexes, received) {
    if (new Set([...this.#cards, ...received]).size !== 16) {
      throw new Nonsense('a received card was held already');
    }
    indexes.forEach((index, place) => (this.#cards[index] = received[place]));
  }

  newTrick() {
    this.isFirstTrick = this.#played.size === 0;
    this.trick = [];
  }

  playOwn(index) {
    this.#play(this.#cards[index]);
  }

  playOther(card) {
    if (this.#cards.includes(card)) throw new Nonsense(`another played card ${card} of this hand`);
    this.#play(card);
  }

  #play(card) {
    if (this.#played.has(card)) throw new Nonsense(`card ${card} was played twice`);
    this.#played.add(card);
    this.trick.push(card);
    this.broken ||= suit(card) === HEARTS || (card === QUEEN_OF_SPADES && !this.rules.queenKeeps);
  }

  /** A player always has one, unless somebody else should lead. */
  get legal() {
    const legal = this.held.filter((card) => this.status(card) === 0);
    if (legal.length === 0) throw new Nonsense('none of the cards that are held is legal');
    return legal;
  }

  /** The status that the server would give to a card (6.3). */
  status(card) {
    const { held, trick, rules } = this;
    const leads = trick.length === 0;
    const following = leads ? [] : held.filter((other) => suit(other) === suit(trick[0]));
    const candidates = following.length > 0 ? following : held;
    const noPoints =
      this.isFirstTrick && !rules.bleed && candidates.some((other) => !isPointCard(other));
    const queenMustGo =
      rules.dump && !leads && !noPoints && candidates.includes(QUEEN_OF_SPADES) &&
      (following.length === 0 || trick.includes(ACE_OF_SPADES) || trick.includes(KING_OF_SPADES));
    const onlyHearts = held.every((other) => suit(other) === HEARTS);

    if (!held.includes(card)) return -1;
    if (leads && this.isFirstTrick && !rules.rotate && card !== TWO_OF_CLUBS) return -6;
    if (!candidates.includes(card)) return -2;
    if (noPoints && isPointCard(card)) return -5;
    if (queenMustGo && card !== QUEEN_OF_SPADES) return -4;
    if (leads && suit(card) === HEARTS && !this.broken && !onlyHearts) return -7;
    return 0;
  }
}
