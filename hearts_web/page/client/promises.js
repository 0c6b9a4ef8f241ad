// Whether the cards were dealt as the server had promised (SocketSpec.md, 7; DealerSpec.md, 14.8).

import { fromHex, hexOf, intsOf, isSameBytes } from './bytes.js';
import { CUT_LENGTH, deal, dealCode } from './deal.js';
import { hmacSha256, sha256 } from './sha256.js';

const NO_CUT = new Uint8Array(CUT_LENGTH);

/**
 * What was found out about a deal.
 * @typedef {object} Verdict
 * @property {number} deal
 * @property {string} commitment hex; empty where there was none
 * @property {string} secret hex
 * @property {string} code of the deal
 * @property {string[]} cuts of players 0-3, hex
 * @property {number[][]} hands dealt to players 0-3
 * @property {boolean} isCutByMe
 * @property {Problem | null} problem
 */

/**
 * @typedef {'no promise' | 'secret' | 'cards' | 'other cut' | 'cut left out'} Problem
 */

/**
 * The deal that was promised last. It is kept as it is in a browser's storage.
 * @typedef {object} Promised
 * @property {number} deal
 * @property {string} commitment hex
 * @property {boolean} isCut whether a cut was sent
 * @property {boolean} mayBeLate whether that cut may have come too late
 */

/** What one player was promised, and gave to it. It outlives a connection. */
export class Promises {
  #cutKey;
  /** @type {Promised | null} */
  last;

  /**
   * @param {Uint8Array} cutKey a secret of the session, from which the cuts follow: the same deal
   *   and commitment get the same cut again
   * @param {Promised | null} last
   */
  constructor(cutKey, last = null) {
    this.#cutKey = cutKey;
    this.last = last;
  }

  /**
   * False where the same deal was promised otherwise before.
   * @param {number} number
   * @param {Uint8Array} bytes
   * @param {boolean} mayBeAnother after a power cut a deal may be promised anew (14.7)
   */
  promised(number, bytes, mayBeAnother = false) {
    const commitment = hexOf(bytes);
    if (this.last?.deal !== number || (mayBeAnother && this.last.commitment !== commitment)) {
      this.last = { deal: number, commitment, isCut: false, mayBeLate: true };
      return true;
    }
    const isSame = this.last.commitment === commitment;
    this.last = { ...this.last, commitment, mayBeLate: true };
    return isSame;
  }

  /**
   * The cut of a deal; null where it was not promised.
   * @param {number} number
   */
  cut(number) {
    if (this.last?.deal !== number) return null;
    this.last = { ...this.last, isCut: true, mayBeLate: false };
    return this.#cutOf(this.last);
  }

  cutWasLate() {
    if (this.last !== null) this.last = { ...this.last, mayBeLate: true };
  }

  /**
   * @param {{deal: number, secret: Uint8Array, cuts: Uint8Array}} proof
   * @param {number | null} player we; null: a watcher
   * @param {number[]} dealt our cards, before the pass
   * @returns {Verdict}
   */
  verdict(proof, player, dealt) {
    const { secret, cuts } = proof;
    const hands = deal(secret, cuts);
    const ofEach = [0, 1, 2, 3].map((p) => cuts.subarray(CUT_LENGTH * p, CUT_LENGTH * (p + 1)));
    const promise = this.last?.deal === proof.deal ? this.last : null;
    /** @type {Problem | null} */
    let problem = null;
    let isCutByMe = false;
    if (promise === null) {
      problem = 'no promise';
    } else if (hexOf(sha256(secret)) !== promise.commitment) {
      problem = 'secret';
    } else if (player !== null) {
      const own = ofEach[player];
      isCutByMe = promise.isCut && isSameBytes(own, this.#cutOf(promise));
      if (!isCutByMe && !isSameBytes(own, NO_CUT)) problem = 'other cut';
      else if (hands[player].join() !== dealt.join()) problem = 'cards';
      else if (promise.isCut && !isCutByMe && !promise.mayBeLate) problem = 'cut left out';
    }
    return {
      deal: proof.deal,
      commitment: promise?.commitment ?? '',
      secret: hexOf(secret),
      code: dealCode(secret),
      cuts: ofEach.map(hexOf),
      hands,
      isCutByMe,
      problem,
    };
  }

  /** @param {Promised} promise */
  #cutOf(promise) {
    const mac = hmacSha256(this.#cutKey, intsOf(promise.deal), fromHex(promise.commitment));
    return mac.subarray(0, CUT_LENGTH);
  }
}
