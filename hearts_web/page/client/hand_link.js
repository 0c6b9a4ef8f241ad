// One hand as the end of a link (docs/links.md): what its cards follow from, and all that was chosen.

import { fromHex, hexOf, joined } from './bytes.js';
import { deal, dealCode } from './deal.js';
import { Nonsense } from './errors.js';
import { OpenGame, added } from './open_game.js';
import { opened } from './replay.js';
import { bitsOf, rulesOf } from './rules.js';
import { index } from './swift.js';

/** @typedef {import('./played.js').PlayedHand} PlayedHand */
/** @typedef {import('./rules.js').Rules} Rules */

/**
 * A hand of a link. `names` are null where it has none, `own` where its maker has not said it.
 * @typedef {object} LinkedHand
 * @property {PlayedHand} hand
 * @property {number[]} before the scores
 * @property {number[][]} passed the cards of each player, in their order
 * @property {number | null} own
 * @property {string[] | null} names
 */

/** Characters behind `#hand=`. */
export const LONGEST = 400;
const VERSION = 1;
const CUT = 8;
const SCORES = 16;
const NAMES = 32;
const NOBODY = 4;
const LONGEST_NAME = 30;
/** The directions of the pass, hand by hand, by the rule of the pass. */
const DIRECTIONS = [[1, 2, 3, 0], [1, 2, 3], [1], [0]];
/** Marks that pile up, and what cannot be seen or turns the line round. */
const ILLEGIBLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]|[\p{Mn}\p{Me}\u200c\u200d]{5}/u;
const VISIBLE = /[^\s\p{Mn}\p{Me}\u200c\u200d\u2800]/u;

/** The card of a number in a link. @param {number} number */
const cardOf = (number) => 13 * Math.floor(number / 13) + (((number % 13) + 1) % 13) + 1;

/** @param {number} value @param {number} size bytes */
const number = (value, size) => Uint8Array.from({ length: size }, (_, place) => value >> (8 * (size - 1 - place)));

/** The direction of a hand. @param {Rules} rules @param {number} hand from 1 */
export const directionOf = (rules, hand) => DIRECTIONS[rules.pass][(hand - 1) % DIRECTIONS[rules.pass].length];

/**
 * What stands behind `#hand=`; null where the hand is not all known, or a number has no room.
 * @param {PlayedHand} hand
 * @param {{before: number[], own: number | null, named?: boolean, passed?: number[][]}} more
 */
export function formatLink(hand, { before, own, named = false, passed = opened(hand)?.passed }) {
  const { verdict, rules, tricks, moon, passedBy, endScore, names } = hand;
  if (verdict === null || passed === undefined || tricks.length !== 13 || opened(hand)?.isWhole !== true) return null;
  if (before.some((score) => score < -0x8000 || score > 0x7fff) || hand.number > 0xffff) return null;
  const cuts = verdict.cuts.map((cut) => (/^0*$/.test(cut) ? new Uint8Array(0) : fromHex(cut)));
  const hasScores = before.some((score) => score !== 0);
  const flags = cuts.reduce((bits, cut, player) => bits | (cut.length > 0 ? 1 << player : 0), 0) | (hasScores ? SCORES : 0) | (named ? NAMES : 0);
  const choice = (/** @type {number} */ by, /** @type {number} */ value) => Uint8Array.of((by << 6) | value);
  const called = names.map((name) => new TextEncoder().encode(name));
  const bytes = joined(
    Uint8Array.of(VERSION), number(bitsOf(rules), 4), number(endScore, 2), number(hand.number, 2),
    Uint8Array.of(flags, own ?? NOBODY), fromHex(verdict.secret), ...cuts,
    ...(hasScores ? before.map((score) => number(score, 2)) : []),
    ...passed.flatMap((cards, player) => cards.map((card) => choice(passedBy[player], index(card)))),
    ...tricks.flatMap(({ plays }) => plays.map(({ card, by }) => choice(by, index(card)))),
    ...(moon === null || moon.onOthers === null ? [] : [choice(moon.by, moon.onOthers)]),
    ...(named ? called.flatMap((name) => [Uint8Array.of(name.length), name]) : []),
  );
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * The hand of a link, played by the rules. Raises Nonsense.
 * @param {string} text what stands behind `#hand=`
 * @returns {LinkedHand}
 */
export function parseLink(text) {
  if (text.length > LONGEST || !/^[\w-]+$/.test(text) || text.length % 4 === 1) throw new Nonsense('no link to a hand');
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  if (btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') !== text) throw new Nonsense('the last character of a link');
  return new LinkReader(Uint8Array.from(binary, (character) => character.charCodeAt(0))).hand();
}

class LinkReader {
  #bytes;
  #at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** @param {number} count */
  #read(count) {
    if (this.#at + count > this.#bytes.length) throw new Nonsense('the end of a link is missing');
    return this.#bytes.subarray(this.#at, (this.#at += count));
  }

  /** A number that is within its bounds. @param {number} size bytes @param {number} lowest @param {number} highest */
  #number(size, lowest, highest) {
    const value = this.#read(size).reduce((sum, byte) => 256 * sum + byte, 0);
    if (value < lowest || value > highest) throw new Nonsense('a number of a link has no meaning');
    return value;
  }

  /** What a flag says to be there, which is not only zeros. @param {number} size bytes */
  #present(size) {
    const bytes = this.#read(size);
    if (bytes.every((byte) => byte === 0)) throw new Nonsense('a number of a link has no meaning');
    return bytes;
  }

  /** Who chose, and what. @param {number} highest @returns {[number, number]} */
  #choice(highest) {
    const byte = this.#read(1)[0];
    if ((byte & 63) > highest) throw new Nonsense('a choice of a link has no meaning');
    return [byte >> 6, byte & 63];
  }

  /** @returns {LinkedHand} */
  hand() {
    this.#number(1, VERSION, VERSION);
    const bits = this.#number(4, 0, 0x7fffffff);
    const rules = rulesOf(bits);
    if (bitsOf(rules) !== bits || (rules.spot && (rules.jack || rules.notrick))) throw new Nonsense('rules that are not known');
    const endScore = this.#number(2, 1, 10_000);
    const hand = this.#number(2, 1, 0xffff);
    const flags = this.#number(1, 0, 2 * NAMES - 1);
    const own = this.#number(1, 0, NOBODY);
    const secret = this.#read(16);
    const cuts = [0, 1, 2, 3].map((player) => ((flags >> player) & 1 ? this.#present(CUT) : new Uint8Array(CUT)));
    const told = flags & SCORES ? this.#present(8) : new Uint8Array(8);
    const before = [0, 1, 2, 3].map((player) => new DataView(told.buffer, told.byteOffset).getInt16(2 * player));
    const direction = directionOf(rules, hand);
    const dealt = deal(secret, joined(...cuts));
    const game = new OpenGame({ dealt, direction, number: hand, rules });
    const { passed, passedBy } = direction === 0 ? { passed: [[], [], [], []], passedBy: [0, 0, 0, 0] } : this.#passes(dealt);
    if (direction !== 0) game.exchange(passed);
    const bys = this.#play(game);
    const moon = this.#moon(game, rules);
    const names = flags & NAMES ? [0, 1, 2, 3].map(() => this.#name()) : null;
    if (this.#at !== this.#bytes.length) throw new Nonsense('there is more in a link than a hand');
    const points = game.points(moon?.onOthers == null ? undefined : moon.onOthers === 1);
    const tricks = game.tricks.map((trick) => ({ ...trick, plays: trick.plays.map((play, place) => ({ ...play, by: bys[4 * (trick.round - 1) + place] })) }));
    const verdict = {
      deal: 0, commitment: '', secret: hexOf(secret), code: dealCode(secret), cuts: cuts.map(hexOf), shown: null,
      hands: dealt, problem: null, fairness: /** @type {const} */ ('notCut'),
    };
    const { totals } = added(before, points, rules, endScore);
    return {
      hand: {
        game: 1, number: hand, direction, tricks, points, totals, moon, passedBy, rules, endScore, verdict,
        names: names ?? ['', '', '', ''],
      },
      before, passed, names, own: own === NOBODY ? null : own,
    };
  }

  /** @param {number[][]} dealt */
  #passes(dealt) {
    /** @type {number[]} */
    const passedBy = [];
    const passed = dealt.map((held) => {
      const three = [0, 1, 2].map(() => this.#choice(51));
      const cards = three.map(([, card]) => cardOf(card));
      const isOne = three.every(([by]) => by === three[0][0]) && new Set(cards).size === 3;
      if (!isOne || !cards.every((card) => held.includes(card))) throw new Nonsense('cards that cannot be passed');
      passedBy.push(three[0][0]);
      return cards;
    });
    return { passed, passedBy };
  }

  /** @param {OpenGame} game */
  #play(game) {
    return Array.from({ length: 52 }, () => {
      const [by, number] = this.#choice(51);
      if (!game.legal.includes(cardOf(number))) throw new Nonsense('the rules do not allow what was played');
      game.put(cardOf(number));
      return by;
    });
  }

  /** @param {OpenGame} game @param {Rules} rules @returns {PlayedHand['moon']} */
  #moon(game, rules) {
    const { shooter } = game;
    if (shooter < 0) return null;
    if (rules.moon !== 2) return { player: shooter, onOthers: null, by: 0 };
    const [by, onOthers] = this.#choice(1);
    return { player: shooter, onOthers, by };
  }

  #name() {
    const bytes = this.#read(this.#number(1, 1, LONGEST_NAME));
    let name = '';
    try {
      name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Nonsense('a name that is not UTF-8');
    }
    if (ILLEGIBLE.test(name) || !VISIBLE.test(name)) throw new Nonsense('a name that cannot be shown');
    return name;
  }
}
