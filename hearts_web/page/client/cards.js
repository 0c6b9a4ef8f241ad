// Cards, the hand of a player, and which of its cards are legal (SocketSpec.md, 1.5, 6.3 and 8).

import { Nonsense } from './errors.js';

export const HEARTS = 0;
export const CLUBS = 1;
export const DIAMONDS = 2;
export const SPADES = 3;
export const TWO_OF_CLUBS = 15;
export const JACK_OF_DIAMONDS = 37;
export const ACE_OF_SPADES = 40;
export const QUEEN_OF_SPADES = 51;
export const KING_OF_SPADES = 52;

/** @param {number} card */
export const suit = (card) => Math.floor((card - 1) / 13);

/**
 * 1 for a two up to 13 for an ace.
 * @param {number} card
 */
export const strength = (card) => (card - 1) % 13 || 13;

/** @param {number} card */
export const isPointCard = (card) => suit(card) === HEARTS || card === QUEEN_OF_SPADES;

/**
 * The card of a trick that takes it.
 * @param {number[]} trick the cards in the order played
 */
export function highestOf(trick) {
  const following = trick.filter((card) => suit(card) === suit(trick[0]));
  return following.reduce((a, b) => (strength(b) > strength(a) ? b : a));
}

/** What one player knows of a hand. A card keeps its hand index, 0 to 12 (4.1). */
export class Hand {
  /** @type {number[]} */
  trick = [];
  isFirstTrick = true;
  broken = false;
  #cards;
  /** @type {Set<number>} */
  #played = new Set();

  /**
   * @param {number[]} cards sorted
   * @param {import('./rules.js').Rules} rules
   */
  constructor(cards, rules) {
    if (cards.some((card, index) => index > 0 && card <= cards[index - 1])) {
      throw new Nonsense('the cards of a hand are not in order');
    }
    this.#cards = [...cards];
    this.rules = rules;
  }

  /** The hand of a picture, as far as it says what may be played. @param {import('./hand_picture.js').HandPicture} picture */
  static of({ held, rules, tricks, broken, trick }) {
    const hand = new Hand([...held].sort((a, b) => a - b), rules);
    hand.isFirstTrick = tricks.length === 0;
    hand.broken = broken;
    hand.trick = (trick?.plays ?? []).map(({ card }) => card);
    return hand;
  }

  /** The cards that are still held. */
  get held() {
    return this.#cards.filter((card) => !this.#played.has(card));
  }

  /** The cards that were played by anybody. */
  get played() {
    return [...this.#played];
  }

  /** @param {number} card */
  indexOf(card) {
    return this.#cards.indexOf(card);
  }

  /**
   * What was received takes the indexes of what was passed, in that order (4.2).
   * @param {number[]} indexes
   * @param {number[]} received
   */
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

  /** @param {number} index */
  playOwn(index) {
    this.#play(this.#cards[index]);
  }

  /** @param {number} card */
  playOther(card) {
    if (this.#cards.includes(card)) throw new Nonsense(`another played card ${card} of this hand`);
    this.#play(card);
  }

  /** @param {number} card */
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

  /**
   * The status that the server would give to a card (6.3).
   * @param {number} card
   */
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
