// The fields of a payload, one after the other, and the structures in it (DealerSpec.md, 14.4).

import { HIGHEST_INT, LONGEST_STR, LOWEST_INT, intOf, textOf } from './bytes.js';
import { Nonsense } from './errors.js';
import { readRules, withMore } from './rules.js';

/**
 * @typedef {object} Trick
 * @property {number[]} lying the cards in the order in which they were played
 * @property {number} leader
 * @property {number} round 1 to 13
 * @property {boolean} broken
 * @property {number} winner -1 until all four lie
 */

/**
 * @typedef {object} Score
 * @property {number} points
 * @property {number} queens
 * @property {number} jacks
 * @property {number} games
 */

/**
 * @typedef {object} PlayerInfo
 * @property {number} player
 * @property {number} kind 0 free; 1 a computer; 3 a program; 4 a person; 5 not said
 * @property {number} level
 * @property {number} presence 0 away; 1 there; 2 a stand-in plays
 * @property {string} name
 * @property {string} comment
 */

/** What follows the fields that one reads is ignored. */
export class Fields {
  #type;
  #bytes;
  #at = 0;

  /**
   * @param {number} type
   * @param {Uint8Array} bytes
   */
  constructor(type, bytes) {
    this.#type = type;
    this.#bytes = bytes;
  }

  /** @param {number} count */
  bytes(count) {
    if (this.#at + count > this.#bytes.length) {
      throw new Nonsense(`a frame of type ${this.#type} is too short`);
    }
    return this.#bytes.subarray(this.#at, (this.#at += count));
  }

  /** @param {string} what */
  int(what, lowest = LOWEST_INT, highest = HIGHEST_INT) {
    const value = intOf(this.bytes(4));
    if (value < lowest || value > highest) {
      throw new Nonsense(`${what} is ${value}, not ${lowest} to ${highest} (type ${this.#type})`);
    }
    return value;
  }

  /**
   * @param {number} count
   * @param {string} what
   * @param {number} [lowest]
   * @param {number} [highest]
   */
  ints(count, what, lowest, highest) {
    return Array.from({ length: count }, () => this.int(what, lowest, highest));
  }

  /** What a choice may take from the bank of the hand; null where there is none, and from an older server. */
  bank() {
    if (this.#at === this.#bytes.length) return null;
    const [free, stock] = this.ints(2, 'free, stock', -1);
    return free < 0 || stock < 0 ? null : { free, stock };
  }

  /** @param {string} what */
  flag(what) {
    return this.int(what, 0, 1) === 1;
  }

  player() {
    return this.int('a player', 0, 3);
  }

  playerOrNobody() {
    return this.int('a player', -1, 3);
  }

  card() {
    return this.int('a card', 1, 52);
  }

  /** Who chose: 0 the player, 1 the clock, 2 a stand-in, 3 a computer. */
  by() {
    return this.int('who chose', 0, 3);
  }

  str() {
    return textOf(this.bytes(this.int('the length of a str', 1, LONGEST_STR)));
  }

  /** @returns {Trick} */
  trick() {
    const cards = this.ints(4, 'a card of a trick', 0, 52);
    this.int('the suit of a trick', 0, 4);
    const leader = this.player();
    const round = this.int('the round', 1, 13);
    const broken = this.flag('hearts broken');
    const winner = this.playerOrNobody();
    this.ints(2, 'jack won, queen won', 0, 1);
    const inOrder = [0, 1, 2, 3].map((place) => cards[(leader + place) % 4]);
    const lying = inOrder.filter((card) => card !== 0);
    if (inOrder.slice(0, lying.length).includes(0)) throw new Nonsense('a trick with a gap');
    return { lying, leader, round, broken, winner };
  }

  /** @returns {Score[]} */
  scores() {
    return Array.from({ length: 4 }, () => {
      const points = this.int('points');
      const [queens, jacks, games] = this.ints(3, 'queens, jacks, games', 0);
      return { points, queens, jacks, games };
    });
  }

  rules() {
    return readRules((what, lowest, highest) => this.int(what, lowest, highest));
  }

  /**
   * What has rules in it, with their bits from 21 on; an older server tells of none.
   * @template {{rules: import('./rules.js').Rules}} T
   * @param {T} told
   * @returns {T}
   */
  more(told) {
    if (this.#at === this.#bytes.length) return told;
    return { ...told, rules: withMore(told.rules, this.int('more')) };
  }

  /** @returns {PlayerInfo} */
  playerInfo() {
    const player = this.player();
    const kind = this.int('the kind of a player', 0, 5);
    const level = this.int('the level of a player', 0, 1000);
    const presence = this.int('the presence of a player', 0, 2);
    return { player, kind, level, presence, name: this.str(), comment: this.str() };
  }
}
