// The bot swift: a small network that has learned what cards and passes cost. The same as
// hearts/bots/swift, and held to the same vectors; there the rows are explained.

import { isPointCard, strength, suit } from './cards.js';

/** @typedef {Pick<import('./hand_picture.js').HandPicture,
 *   'held' | 'passed' | 'received' | 'trick' | 'tricks' | 'direction' | 'rules' | 'broken'>} Known */

const SIZES = [
  52, 208, 52, 52, 52, 156, 52, 52, 52, 56, 56, 56, 4, 4, 6, 3, 4, 4, 13, 12, 4, 7, 1, 4, 13, 13, 3, 4,
];
const [
  HAND, PLAYED, OUT, TRICK, BEST, KNOWN, RECEIVED, HIGHEST, LOWEST, LENGTH, LEFT, OF_HEARTS, QUEEN,
  TRICKS, ALONE, WINNER, LEAD, PLACE, CARDS, VOID, DIRECTION, RULES, BROKEN, PHASE, SPOT_HAND,
  SPOT_TRICK, JACK, JACK_TAKEN,
] = SIZES.map((_, place) => SIZES.slice(0, place).reduce((sum, size) => sum + size, 0));
const OF_RULES = /** @type {const} */ (['rotate', 'bleed', 'dump', 'queenKeeps', 'jack', 'notrick', 'spot']);
const QUEEN_OF_SPADES = 49;
const JACK_OF_DIAMONDS = 35;
const CEILING = 4095;

/** The number of a card in the rows: 0 for the two of hearts. @param {number} card */
export const index = (card) => 13 * suit(card) + strength(card) - 1;

/**
 * What is seen of a hand in which player `me` is to choose.
 * @param {Known} hand
 * @param {number} me
 * @param {number[] | null} chosen the cards of a pass so far; null if a card is to be played
 */
export function rowsOf(hand, me, chosen = null) {
  const { rules, direction } = hand;
  const held = hand.held.filter((card) => !chosen?.includes(card));
  const table = hand.trick !== null && hand.trick.winner < 0 ? hand.trick.plays : [];
  const tricks = [...hand.tricks.map(({ plays }) => plays), ...(table.length > 0 ? [table] : [])];
  const played = tricks.flat();
  const seen = new Set([...held, ...played.map(({ card }) => card)]);
  const rows = held.map((card) => HAND + index(card));
  const seat = (/** @type {number} */ player) => (player - me + 4) % 4;

  const taken = [[], [], [], []].map(() => /** @type {number[]} */ ([]));
  const voids = new Set();
  let broken = false;
  let best = { player: me, card: 0 };
  for (const plays of tricks) {
    best = plays[0];
    for (const play of plays) {
      rows.push(PLAYED + 52 * seat(play.player) + index(play.card));
      const led = suit(plays[0].card);
      if (play === plays[0]) {
        if (led === 0 && !broken) for (const other of [1, 2, 3]) voids.add(4 * seat(play.player) + other);
      } else if (suit(play.card) !== led) {
        voids.add(4 * seat(play.player) + led);
      } else if (strength(play.card) > strength(best.card)) {
        best = play;
      }
      if (suit(play.card) === 0 || (isPointCard(play.card) && !rules.queenKeeps)) broken = true;
    }
    if (plays.length === 4) taken[seat(best.player)].push(...plays.map(({ card }) => index(card)));
  }
  for (const shown of voids) if (shown >= 4) rows.push(VOID + shown - 4);

  const out = [];
  for (let card = 1; card <= 52; card += 1) if (!seen.has(card)) out.push(index(card));
  rows.push(...out.map((card) => OUT + card));
  rows.push(...table.map(({ card }) => TRICK + index(card)));
  const to = [0, 1, 3, 2][direction];
  for (const card of chosen ?? hand.passed?.cards ?? []) {
    if (out.includes(index(card))) rows.push(KNOWN + 52 * (to - 1) + index(card));
  }
  rows.push(...(hand.received?.cards ?? []).map((card) => RECEIVED + index(card)));
  for (let of = 0; of < 4; of += 1) {
    const own = held.map(index).filter((card) => Math.floor(card / 13) === of);
    const left = out.filter((card) => Math.floor(card / 13) === of);
    rows.push(LENGTH + 14 * of + own.length, LEFT + 14 * of + left.length);
    rows.push(...own.filter((card) => left.every((other) => other < card)).map((card) => HIGHEST + card));
    rows.push(...own.filter((card) => left.every((other) => other > card)).map((card) => LOWEST + card));
  }
  const isPoint = (/** @type {number} */ card) => card < 13 || card === QUEEN_OF_SPADES;
  const holders = [0, 1, 2, 3].filter((one) => taken[one].some(isPoint));
  taken.forEach((cards, one) => {
    rows.push(OF_HEARTS + 14 * one + cards.filter((card) => card < 13).length);
    if (cards.includes(QUEEN_OF_SPADES)) rows.push(QUEEN + one);
    if (cards.length > 0) rows.push(TRICKS + one);
    if (rules.jack && cards.includes(JACK_OF_DIAMONDS)) rows.push(JACK_TAKEN + one);
  });
  rows.push(ALONE + (holders.length === 0 ? 4 : holders.length === 1 ? holders[0] : 5));
  if (table.length > 0) {
    rows.push(BEST + index(best.card), WINNER + seat(best.player) - 1, LEAD + suit(best.card));
  }
  rows.push(PLACE + table.length, CARDS + held.length - 1, DIRECTION + direction);
  OF_RULES.forEach((rule, place) => rules[rule] && rows.push(RULES + place));
  if (broken) rows.push(BROKEN);
  rows.push(PHASE + (chosen === null ? 0 : chosen.length + 1));
  const places = [held.map(index), out, table.map(({ card }) => index(card))];
  if (rules.spot) {
    rows.push(...places[0].filter((card) => card < 13).map((card) => SPOT_HAND + card));
    rows.push(...places[2].filter((card) => card < 13).map((card) => SPOT_TRICK + card));
  }
  if (rules.jack) places.forEach((cards, at) => cards.includes(JACK_OF_DIAMONDS) && rows.push(JACK + at));
  return rows;
}

/**
 * Adds rows of weights, each so many times; four at a time, which takes a third of the time.
 * @param {Int32Array} numbers @param {Int8Array} weights @param {number[]} rows @param {number[]} factors
 */
function addRows(numbers, weights, rows, factors) {
  const columns = numbers.length;
  for (let at = 0; at < rows.length; at += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((more) => (rows[at + more] ?? 0) * columns);
    const [p, q, r, s] = [0, 1, 2, 3].map((more) => factors[at + more] ?? 0);
    for (let place = 0; place < columns; place += 1) {
      numbers[place] = (numbers[place] + p * weights[a + place] + q * weights[b + place] + r * weights[c + place] + s * weights[d + place]) | 0;
    }
  }
}

/** A network of whole numbers, from the bytes of its file. */
export class Network {
  /** @type {{weights: Int8Array, biases: Int32Array, shift: number, numbers: Int32Array}[]} */
  #layers = [];

  /** @param {ArrayBuffer} file */
  constructor(file) {
    let at = new Uint8Array(file).indexOf(10) + 1;
    const { layers } = JSON.parse(new TextDecoder().decode(file.slice(0, at)));
    for (const { rows, columns, shift } of layers) {
      const end = at + rows * columns;
      const weights = new Int8Array(file, at, rows * columns);
      const bytes = new DataView(file, end, 4 * columns);
      const biases = Int32Array.from({ length: columns }, (_, place) => bytes.getInt32(4 * place, true));
      this.#layers.push({ weights, biases, shift, numbers: new Int32Array(columns) });
      at = end + 4 * columns;
    }
  }

  /** What each of the 52 cards costs, if some rows are there. @param {number[]} rows */
  costs(rows) {
    let given = rows;
    let factors = rows.map(() => 1);
    /** @type {Int32Array} */
    let numbers = new Int32Array();
    for (const { weights, biases, shift, numbers: room } of this.#layers) {
      numbers = room;
      numbers.set(biases);
      addRows(numbers, weights, given, factors);
      given = [];
      factors = [];
      for (let place = 0; place < numbers.length; place += 1) {
        numbers[place] >>= shift;
        if (numbers[place] > 0) given.push(place);
        if (numbers[place] > 0) factors.push(Math.min(numbers[place], CEILING));
      }
    }
    return numbers.slice();
  }

  /** @param {Known} hand @param {number} me @param {number[]} legal */
  chooseCard(hand, me, legal) {
    return this.#cheapest(rowsOf(hand, me), legal);
  }

  /** @param {Known} hand @param {number} me */
  choosePass(hand, me) {
    /** @type {number[]} */
    const chosen = [];
    while (chosen.length < 3) {
      const left = hand.held.filter((card) => !chosen.includes(card));
      chosen.push(this.#cheapest(rowsOf(hand, me, chosen), left));
    }
    return chosen;
  }

  /** @param {number[]} rows @param {number[]} cards */
  #cheapest(rows, cards) {
    const costs = this.costs(rows);
    const order = cards.toSorted((a, b) => costs[index(a)] - costs[index(b)] || index(a) - index(b));
    return order[0];
  }
}
