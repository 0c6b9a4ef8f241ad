// Whether the cards were dealt as the server had promised, and our own cuts (SocketSpec.md, 7;
// DealerSpec.md, 14.8).

import { hexOf, intsOf, isSameBytes, joined } from './bytes.js';
import { CUT_LENGTH, deal, dealCode } from './deal.js';
import { hmacSha256, sha256 } from './sha256.js';

/**
 * What was found out about a deal.
 * @typedef {object} Verdict
 * @property {number} deal
 * @property {string} commitment hex; empty where there was none
 * @property {string} secret hex
 * @property {string} code of the deal
 * @property {string[]} cuts of players 0-3, hex
 * @property {string[] | null} shown a word for each player: their value, `!` and the hash of one that is
 *   missing, or `-`; null where that is not known
 * @property {number[][]} hands dealt to players 0-3
 * @property {Problem | null} problem
 * @property {Fairness} fairness
 */

/** @typedef {'no promise' | 'twice' | 'secret' | 'numbers' | 'cards'} Problem */

/**
 * Who can have chosen a deal: nobody; nobody but for those who have shown no value; anybody, for a
 * deal before it was taken back or never proved, or for our value is not in it; or we do not cut.
 * @typedef {'nobody' | 'withholders' | 'redrawn' | 'anybody' | 'notCut'} Fairness
 */

/**
 * @typedef {object} Promised
 * @property {number} deal
 * @property {string} commitment hex
 * @property {string[]} hashes of players 0-3, hex; empty for who does not cut
 */

/**
 * A promise with our hash in it, and the number of the value that is shown for it alone; for none if
 * another promise had the same hash. It is redrawn if a deal before it was taken back, or never proved.
 * @typedef {Promised & {value: number, isSpoiled: boolean, isRedrawn: boolean}} Held
 */

/**
 * How far our values are used up, as it is kept in a browser's storage: the number of the next one,
 * and the promises of this game that have a hash of ours; the latest deal for which a value was shown,
 * or that was proved; and whether a value was shown for a deal that is not proved yet.
 * @typedef {{next: number, held: Held[], latest: number, isOpen: boolean}} Kept
 */

/** @type {Kept} */
const NOTHING_KEPT = { next: 0, held: [], latest: 0, isOpen: false };

/** @param {Uint8Array} bytes */
const hexOrNone = (bytes) => (bytes.some((byte) => byte !== 0) ? hexOf(bytes) : '');

/** @param {Promised} some @param {Promised} other */
const isSame = (some, other) =>
  [some.deal, some.commitment, ...some.hashes].join() === [other.deal, other.commitment, ...other.hashes].join();

/** What one player was promised, and shows for it. It outlives a connection. */
export class Promises {
  #key;
  /** @type {Map<number, Promised>} the latest promise of each deal */
  #told;
  /** @type {Set<number>} deals that were promised twice, and not the same */
  #twice = new Set();
  /** The value whose hash this connection was told last. */
  #said = -1;
  /** The deal of the hand under way, if it is proved; else 0. */
  #proved = 0;

  /**
   * @param {Uint8Array | null} key a secret of the session, from which our values follow; null: we do
   *   not cut
   * @param {Kept} kept
   */
  constructor(key, kept = NOTHING_KEPT) {
    this.#key = key;
    this.kept = { ...NOTHING_KEPT, ...kept };
    this.#told = new Map(kept.held.map((promise) => [promise.deal, promise]));
  }

  /** The hash of the value for the next promise; empty where we do not cut. */
  get #nextHash() {
    return this.#key === null ? new Uint8Array(0) : sha256(hmacSha256(this.#key, intsOf(this.kept.next)));
  }

  /** @param {boolean} isBehindPowerCut then deals may be promised anew (14.7) */
  beginConnection(isBehindPowerCut) {
    this.#said = -1;
    this.#proved = 0;
    if (isBehindPowerCut) this.goBack();
  }

  /** What was promised is told again, or another deal in its place. */
  goBack() {
    this.#told.clear();
    this.#twice.clear();
    this.#proved = 0;
  }

  /** The hash of the value for the next promise, which is told now; empty where we do not cut. */
  sayNextHash() {
    this.#said = this.kept.next;
    return this.#nextHash;
  }

  /** Whether that hash is still to be told. */
  get owesHash() {
    return this.#key !== null && this.#said !== this.kept.next;
  }

  /** Promises before the last one come no more. */
  beginGame() {
    this.kept = { ...this.kept, held: this.kept.held.slice(-1) };
  }

  /**
   * Takes in a promise. False where the same deal was promised otherwise before, or another deal with
   * the same hash of ours.
   * @param {{deal: number, commitment: Uint8Array, hashes: Uint8Array[]}} message
   * @param {number} player we
   */
  promised({ deal: number, commitment, hashes }, player) {
    const promise = { deal: number, commitment: hexOf(commitment), hashes: hashes.map(hexOrNone) };
    const before = this.#told.get(number);
    this.#told.set(number, promise);
    const isChanged = before !== undefined && !isSame(before, promise);
    if (isChanged) this.#twice.add(number);
    const { next, held, latest, isOpen } = this.kept;
    if (this.#key === null || held.some((other) => isSame(other, promise))) return !isChanged;
    const own = promise.hashes[player];
    if (own === hexOf(this.#nextHash)) {
      const isRedrawn = isOpen || number <= latest;
      const others = held.filter((other) => other.deal !== number);
      const own = { ...promise, value: next, isSpoiled: false, isRedrawn };
      this.kept = { ...this.kept, next: next + 1, held: [...others, own], isOpen: isRedrawn };
      return !isChanged;
    }
    const isSpoiled = (/** @type {Held} */ other) => other.isSpoiled || other.hashes[player] === own;
    this.kept = { ...this.kept, held: held.map((other) => ({ ...other, isSpoiled: isSpoiled(other) })) };
    return !isChanged && !held.some((other) => other.hashes[player] === own);
  }

  /**
   * The payload of P_CUT; null where no value may be shown. It is sent when {@link kept} is stored,
   * which says now that it is shown.
   * @param {number} number of the deal
   */
  answer(number) {
    const value = this.#value(number);
    if (value === null) return null;
    this.kept = { ...this.kept, latest: Math.max(this.kept.latest, number), isOpen: true };
    return joined(value, this.sayNextHash());
  }

  /** The hand under way is over. */
  endHand() {
    const { held, latest, isOpen } = this.kept;
    const isPast = this.#proved < (held.at(-1)?.deal ?? 0);
    this.kept = { ...this.kept, latest: Math.max(latest, this.#proved), isOpen: isOpen && isPast };
    this.#proved = 0;
  }

  /** @param {number} number of a deal */
  #held(number) {
    const told = this.#told.get(number);
    return this.kept.held.find((promise) => told !== undefined && isSame(promise, told));
  }

  /** @param {number} number of a deal */
  #value(number) {
    const held = this.#held(number);
    return this.#key === null || held === undefined || held.isSpoiled ? null : hmacSha256(this.#key, intsOf(held.value));
  }

  /**
   * @param {{deal: number, secret: Uint8Array, cuts: Uint8Array, values: Uint8Array[], missing: number}} proof
   * @param {number | null} player we; null: a watcher
   * @param {number[]} dealt our cards, before the pass
   * @returns {Verdict}
   */
  verdict(proof, player, dealt) {
    const { secret, cuts } = proof;
    const hands = deal(secret, cuts);
    this.#proved = proof.deal;
    const promise = this.#told.get(proof.deal);
    const shown = promise === undefined ? null : shownWords(promise, proof);
    /** @type {Problem | null} */
    let problem = null;
    if (promise === undefined) problem = 'no promise';
    else if (this.#twice.has(proof.deal)) problem = 'twice';
    else if (hexOf(sha256(secret)) !== promise.commitment) problem = 'secret';
    else if (shown === null) problem = 'numbers';
    else if (player !== null && hands[player].join() !== dealt.join()) problem = 'cards';
    return {
      deal: proof.deal,
      commitment: promise?.commitment ?? '',
      secret: hexOf(secret),
      code: dealCode(secret),
      cuts: [0, 1, 2, 3].map((p) => hexOf(cuts.subarray(CUT_LENGTH * p, CUT_LENGTH * (p + 1)))),
      shown,
      hands,
      problem,
      fairness: this.#fairness(proof, player),
    };
  }

  /**
   * @param {{deal: number, values: Uint8Array[], missing: number}} proof
   * @param {number | null} player
   * @returns {Fairness}
   */
  #fairness({ deal: number, values, missing }, player) {
    if (player === null || this.#key === null) return 'notCut';
    const own = this.#value(number);
    if (own === null || !isSameBytes(own, values[player])) return 'anybody';
    if (this.#held(number)?.isRedrawn) return 'redrawn';
    return missing === 0 ? 'nobody' : 'withholders';
  }
}

/**
 * The players who have not shown all numbers that they had promised, as far as we have seen.
 * @param {(Verdict & {names: string[]})[]} verdicts
 */
export function missingNumbers(verdicts) {
  /** @type {Map<string, {name: string, missing: number, of: number}>} */
  const counts = new Map();
  for (const { shown, names } of verdicts) {
    shown?.forEach((word, player) => {
      const name = names[player];
      const { missing, of } = counts.get(`${player} ${name}`) ?? { missing: 0, of: 0 };
      const isMissing = word.startsWith('!');
      counts.set(`${player} ${name}`, { name, missing: missing + Number(isMissing), of: of + Number(word !== '-') });
    });
  }
  return [...counts.values()].filter(({ missing }) => missing > 0);
}

/**
 * A word for each player; null where the proof is not that of the promised hashes.
 * @param {Promised} promise
 * @param {{cuts: Uint8Array, values: Uint8Array[], missing: number}} proof
 */
function shownWords({ hashes }, { cuts, values, missing }) {
  const words = values.map((value, player) => {
    const word = hexOrNone(value);
    if (word !== '') return hexOf(sha256(value)) === hashes[player] ? word : null;
    return hashes[player] === '' ? '-' : `!${hashes[player]}`;
  });
  const isMissing = words.map((word) => word?.startsWith('!'));
  const areNamed = isMissing.every((is, player) => is === (((missing >> player) & 1) === 1));
  const follow = isSameBytes(cuts, joined(...values.map((value) => value.subarray(0, CUT_LENGTH))));
  return areNamed && follow && words.every((word) => word !== null) ? words : null;
}
