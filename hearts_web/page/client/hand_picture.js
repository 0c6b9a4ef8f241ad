// What one viewer knows of a hand.

import { pointsOf } from './rules.js';

/** @typedef {{player: number, card: number, by: number}} Play */

/**
 * @typedef {object} ShownTrick
 * @property {number} round
 * @property {number} leader
 * @property {Play[]} plays
 * @property {number} winner -1 until it is taken
 * @property {number} points that lie in it
 */

/** A hand from the first card to the last point. */
export class HandPicture {
  /** @type {number[]} our cards as they were dealt, sorted; none for a watcher */
  dealt = [];
  /** @type {number[]} our cards now, sorted */
  held = [];
  /** @type {{cards: number[], by: number} | null} what we have passed */
  passed = null;
  /** @type {{from: number, cards: number[]} | null} */
  received = null;
  /** @type {ShownTrick | null} */
  trick = null;
  /** @type {ShownTrick[]} those that were taken */
  tricks = [];
  /** The points that each player has taken. */
  points = [0, 0, 0, 0];
  /** How many cards each player holds. */
  counts = [0, 0, 0, 0];
  broken = false;
  /** @type {number | null} whose turn it is */
  turn = null;
  /** @type {{player: number, onOthers: number | null, by: number} | null} */
  moon = null;
  isDone = false;
  /** @type {{player: number, cards: number[]} | null} who has claimed the rest */
  claimed = null;

  /**
   * @param {number} number from 1
   * @param {number} direction 0 hold, 1 left, 2 right, 3 across
   * @param {import('./rules.js').Rules} rules
   */
  constructor(number, direction, rules) {
    this.number = number;
    this.direction = direction;
    this.rules = rules;
  }

  /** @param {number} card */
  take(card) {
    this.dealt.push(card);
    this.held = [...this.dealt];
    this.counts = [13, 13, 13, 13];
  }

  /** @param {number[]} cards @param {number} by */
  lose(cards, by) {
    this.passed = { cards, by };
    this.held = this.held.filter((card) => !cards.includes(card));
  }

  /** @param {number} from @param {number[]} cards */
  receive(from, cards) {
    this.received = { from, cards };
    this.held = [...this.held, ...cards].sort((a, b) => a - b);
  }

  /** @param {number} leader */
  lead(leader) {
    this.counts = [13, 13, 13, 13];
    this.#begin(leader, 1);
  }

  /** @param {import('./fields.js').Trick} trick @param {Play} play */
  play(trick, play) {
    if (this.trick === null || this.trick.round !== trick.round) this.#begin(trick.leader, trick.round);
    const shown = /** @type {ShownTrick} */ (this.trick);
    shown.plays = [...shown.plays, play];
    shown.points += pointsOf(play.card, this.rules);
    this.counts[play.player] -= 1;
    this.held = this.held.filter((card) => card !== play.card);
    this.broken = trick.broken;
    this.turn = shown.plays.length < 4 ? (play.player + 1) % 4 : null;
  }

  /** @param {number} winner @param {number[]} points */
  taken(winner, points) {
    if (this.trick === null) return;
    this.trick.winner = winner;
    this.points = points;
    this.tricks = [...this.tricks, this.trick];
  }

  /** The trick that was taken is put away, and the next one begins. */
  clear() {
    const last = this.trick;
    if (last === null || last.winner < 0) return;
    if (last.round < 13) this.#begin(last.winner, last.round + 1);
    else this.trick = null;
  }

  /** @returns {ShownTrick | null} */
  get lastTrick() {
    return this.tricks.at(-1) ?? null;
  }

  /** @param {number} leader @param {number} round */
  #begin(leader, round) {
    this.trick = { round, leader, plays: [], winner: -1, points: 0 };
    this.turn = leader;
  }
}
