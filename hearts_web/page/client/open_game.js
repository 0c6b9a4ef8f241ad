// A hand in which all four hands lie open: the rules, and what each player sees of it.

import { Hand, TWO_OF_CLUBS, isPointCard, strength, suit } from './cards.js';
import { moonOf, pointsOf } from './rules.js';

/** @typedef {import('./rules.js').Rules} Rules */

/**
 * @typedef {object} Dealt
 * @property {number[][]} dealt
 * @property {number} direction
 * @property {number} number of the hand in its game, from 1
 * @property {Rules} rules
 */

/** Where the cards of a player go: so many seats clockwise. Hold, left, right, across. */
export const STEPS = [0, 1, 3, 2];

export class OpenGame {
  /** Whose card is next; -1 before the pass, and at the end. */
  turn = -1;
  /** @type {import('./hand_picture.js').ShownTrick[]} those that are taken */
  tricks = [];
  /** What each player knows, as the bots see it. @type {import('./swift.js').Known[]} */
  known;
  /** @type {Hand[]} */
  #seen = [];

  /** @param {Dealt} begin */
  constructor(begin) {
    const { dealt, direction, rules } = begin;
    this.begin = begin;
    this.known = dealt.map((held) => ({
      held, direction, rules, passed: null, received: null, trick: null, tricks: this.tricks, broken: false,
    }));
    if (direction === 0) this.#lead();
  }

  /** @param {number[][]} passed */
  exchange(passed) {
    const step = STEPS[this.begin.direction];
    this.known.forEach((known, player) => {
      const from = (player - step + 4) % 4;
      known.held = [...known.held.filter((card) => !passed[player].includes(card)), ...passed[from]];
      known.passed = { cards: passed[player], by: 0 };
      known.received = { from, cards: passed[from] };
    });
    this.#lead();
  }

  /** What the player on turn may play. */
  get legal() {
    return this.#seen[this.turn].legal;
  }

  /** The card of the player on turn, which is legal. @param {number} card */
  put(card) {
    const player = this.turn;
    this.#seen.forEach((seen, other) => (other === player ? seen.playOwn(seen.indexOf(card)) : seen.playOther(card)));
    const trick = /** @type {import('./hand_picture.js').ShownTrick} */ (this.known[0].trick);
    trick.plays.push({ player, card, by: 0 });
    trick.points += pointsOf(card, this.begin.rules);
    this.known[player].held = this.known[player].held.filter((other) => other !== card);
    this.known.forEach((known) => (known.broken = this.#seen[0].broken));
    this.turn = (player + 1) % 4;
    if (trick.plays.length === 4) this.#take(trick);
  }

  /** @param {import('./hand_picture.js').ShownTrick} trick */
  #take(trick) {
    const following = trick.plays.filter((play) => suit(play.card) === suit(trick.plays[0].card));
    trick.winner = following.reduce((a, b) => (strength(b.card) > strength(a.card) ? b : a)).player;
    this.tricks.push(trick);
    if (this.tricks.length === 13) this.turn = -1;
    else this.#newTrick(trick.winner);
  }

  #lead() {
    const { rules, number } = this.begin;
    this.#seen = this.known.map(({ held }) => new Hand(held.toSorted((a, b) => a - b), rules));
    this.#newTrick(rules.rotate ? (number - 1) % 4 : this.known.findIndex(({ held }) => held.includes(TWO_OF_CLUBS)));
  }

  /** @param {number} leader */
  #newTrick(leader) {
    const trick = { round: this.tricks.length + 1, leader, plays: [], winner: -1, points: 0 };
    this.#seen.forEach((seen) => seen.newTrick());
    this.known.forEach((known) => (known.trick = trick));
    this.turn = leader;
  }

  /** The cards in the tricks of each player. */
  get taken() {
    return [0, 1, 2, 3].map((player) =>
      this.tricks.filter(({ winner }) => winner === player).flatMap(({ plays }) => plays.map(({ card }) => card)));
  }

  /** What the cards that each player has taken come to, the moon not counted. */
  get tallies() {
    return this.taken.map((cards) => cards.reduce((sum, card) => sum + pointsOf(card, this.begin.rules), 0));
  }

  /** Who has taken all hearts and the queen; -1 for nobody. */
  get shooter() {
    return this.taken.findIndex((cards) => cards.filter(isPointCard).length === 14);
  }

  /** What the hand adds to the scores. @param {boolean} onOthers how a moon counts */
  points(onOthers = this.begin.rules.moon !== 1) {
    const { rules } = this.begin;
    const { taken, shooter } = this;
    const moon = moonOf(rules);
    return this.tallies.map((own, player) => {
      const bonus = rules.notrick && taken[player].length === 0 ? -5 : 0;
      if (shooter < 0) return own + bonus;
      if (!onOthers) return own + bonus - (player === shooter ? 2 * moon : 0);
      return own + bonus + (player === shooter ? -moon : moon);
    });
  }
}

/**
 * The scores behind a hand, and who has won the game with it, by bits.
 * @param {number[]} before @param {number[]} points @param {Rules} rules @param {number} endScore
 */
export function added(before, points, rules, endScore) {
  let totals = before.map((score, player) => score + points[player]);
  const bits = (/** @type {(score: number) => boolean} */ is) =>
    totals.reduce((sum, score, player) => sum | (is(score) ? 1 << player : 0), 0);
  const exact = bits((score) => score === endScore);
  if (exact !== 0 && rules.exact === 2) return { totals, winners: exact };
  if (rules.exact === 1) totals = totals.map((score) => (score === endScore ? 0 : score));
  const isOver = Math.max(...totals) >= endScore;
  return { totals, winners: isOver ? bits((score) => score === Math.min(...totals)) : 0 };
}
