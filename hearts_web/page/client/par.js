// Games that four swifts play of a deal, or on from a position, and the par of a deal from them. The
// same as hearts/bots/swift/par.py, to the last digit, and explained there.

import { OpenGame } from './open_game.js';
import { moonOf } from './rules.js';
import { index, rowsOf } from './swift.js';

/** @typedef {import('./rules.js').Rules} Rules */
/** @typedef {import('./swift.js').Network} Network */

/**
 * What games begin with: a deal, and what was chosen of it.
 * @typedef {object} Begin
 * @property {number[][]} dealt
 * @property {number[][]} passed the cards of each player; empty if they are to pass, or nobody does
 * @property {number[]} cards that were played
 * @property {number} direction
 * @property {number} number of the hand in its game, from 1
 * @property {Rules} rules
 */

/**
 * The points that a deal costs each seat, by some games of it.
 * @typedef {object} Par
 * @property {number} games
 * @property {number[]} sums the points of each seat in all games together
 * @property {number[]} squares the sums of their squares
 */

export const GAMES = 8;
const LESS = 64_676;
const STEP = 128;
const WEIGHTS = [2 ** 16];
while (WEIGHTS[WEIGHTS.length - 1] > 0) WEIGHTS.push(Math.floor((WEIGHTS[WEIGHTS.length - 1] * LESS) / 2 ** 16));

/** Chance from whole numbers of 32 bits, seeded by a deal and the game's number. */
export class Lots {
  #state = 0x811c9dc5;

  /** @param {number[][]} dealt @param {number} number */
  constructor(dealt, number) {
    const owners = Array.from({ length: 52 }, () => 0);
    dealt.forEach((cards, player) => cards.forEach((card) => (owners[index(card)] = player)));
    for (const byte of [...owners, number]) this.#state = Math.imul(this.#state ^ byte, 0x01000193) >>> 0;
  }

  /** @param {number} end */
  below(end) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) * end) / 2 ** 32);
  }
}

/** A game in which each player chooses from what they see, by chance. */
class ChancyGame extends OpenGame {
  /** @param {Begin} begin @param {Network} network @param {Lots} lots */
  constructor(begin, network, lots) {
    super(begin);
    this.chosen = begin;
    this.network = network;
    this.lots = lots;
  }

  /** Plays to the end, choice by choice; gives the points. @returns {Generator<void, number[]>} */
  *play() {
    const { direction, passed, cards } = this.chosen;
    if (direction !== 0) {
      /** @type {number[][]} */
      const own = [];
      for (let player = 0; player < 4; player += 1) {
        own.push(passed[player].length > 0 ? passed[player] : yield* this.#choosePass(player));
      }
      this.exchange(own);
    }
    for (let count = 0; count < 52; count += 1) {
      const { turn, legal } = this;
      let card = cards[count] ?? legal[0];
      if (count >= cards.length && legal.length > 1) {
        card = this.#draw(rowsOf(this.known[turn], turn), legal);
        yield;
      }
      this.put(card);
    }
    return this.points();
  }

  /** @param {number} player @returns {Generator<void, number[]>} */
  *#choosePass(player) {
    const known = this.known[player];
    /** @type {number[]} */
    const chosen = [];
    while (chosen.length < 3) {
      const left = known.held.filter((card) => !chosen.includes(card));
      chosen.push(this.#draw(rowsOf(known, player, chosen), left));
      yield;
    }
    return chosen;
  }

  /** @param {number[]} rows @param {number[]} cards */
  #draw(rows, cards) {
    const costs = this.network.costs(rows);
    const order = cards.toSorted((a, b) => index(a) - index(b));
    const least = Math.min(...cards.map((card) => costs[index(card)]));
    const weights = order.map((card) => WEIGHTS[Math.min(Math.floor((costs[index(card)] - least) / STEP), WEIGHTS.length - 1)]);
    let lot = this.lots.below(weights.reduce((sum, weight) => sum + weight, 0));
    return order[weights.findIndex((weight) => (lot -= weight) < 0)];
  }
}

/**
 * The points of each of so many games, choice by choice.
 * @param {Begin} begin
 * @param {Network} network
 * @returns {Generator<void, number[][]>}
 */
export function* gamesFrom(begin, network, games = GAMES) {
  /** @type {number[][]} */
  const points = [];
  while (points.length < games) {
    points.push(yield* new ChancyGame(begin, network, new Lots(begin.dealt, points.length)).play());
  }
  return points;
}

/** @param {number[][]} points of games @returns {Par} */
export function parOf(points) {
  const sums = [0, 1, 2, 3].map((player) => points.reduce((sum, game) => sum + game[player], 0));
  const squares = [0, 1, 2, 3].map((player) => points.reduce((sum, game) => sum + game[player] ** 2, 0));
  return { games: points.length, sums, squares };
}

/** @param {Par} par @param {number} player */
export const meanOf = ({ games, sums }, player) => sums[player] / games;

/** The standard deviation of the points of one game. @param {Par} par @param {number} player */
export const spreadOf = ({ games, sums, squares }, player) =>
  Math.sqrt((games * squares[player] - sums[player] ** 2) / (games * Math.max(games - 1, 1)));

/**
 * Whether a par says anything of a hand that begins with these scores: the network sees none.
 * @param {Rules} rules
 * @param {number} endScore
 * @param {number[] | null} before
 */
export function hasPar(rules, endScore, before) {
  if (rules.exact === 0) return true;
  const least = (rules.jack ? -10 : 0) - (rules.notrick ? 5 : 0);
  const isNear = (/** @type {number} */ score) => least <= endScore - score && endScore - score <= moonOf(rules);
  return before !== null && !before.some(isNear);
}

/** Games from each of two cards. */
export const LOOKS = 16;

/** What the player on turn sees there, and may play. @param {Begin} begin of which the cards are passed */
export function seenAt(begin) {
  const game = new OpenGame(begin);
  if (begin.direction !== 0) game.exchange(begin.passed);
  for (const card of begin.cards) game.put(card);
  return { known: game.known[game.turn], player: game.turn, legal: game.legal };
}

/**
 * By how many points a card was dearer than another for its player, as all cards lay; with the
 * standard error.
 * @param {Begin} begin
 * @param {number} player
 * @param {[number, number]} cards
 * @param {Network} network
 * @returns {Generator<void, {mean: number, error: number}>}
 */
export function* costOf(begin, player, cards, network) {
  const points = [];
  for (const card of cards) {
    points.push(yield* gamesFrom({ ...begin, cards: [...begin.cards, card] }, network, LOOKS));
  }
  const [own, other] = points;
  const dearer = parOf(own.map((game, place) => [game[player] - other[place][player], 0, 0, 0]));
  return { mean: meanOf(dearer, 0), error: spreadOf(dearer, 0) / Math.sqrt(LOOKS) };
}
