// The player's own name at this server, and the secret that proves it; kept in this browser.

import { asked } from '../client/asking.js';
import { fromHex, hexOf } from '../client/bytes.js';
import { Meeting, STATE, WISH, askedBy, withoutMark } from '../client/name_proof.js';
import { isWord, secretOf, wordsOf } from '../client/name_words.js';
import { signatures, wordList } from './name_kit.js';
import { opener } from './table_session.js';

/** @typedef {import('../client/registration.js').Registration} Registration */
/** @typedef {'changed' | 'silent' | 'unsigned' | 'free' | 'taken' | 'untold'} Doubt why a name is not proved */

/**
 * @typedef {object} Stored
 * @property {string} secret in hex; empty: none
 * @property {string} name empty: none is claimed
 * @property {string} server its key in hex; empty: not seen yet
 * @property {boolean} isWritten whether the player has shown that they have the words
 */

const PLACE = 'hearts.name';
const SECRET_BYTES = 16;
const CHANCE_BYTES = 32;
/** The numbers of the words that are typed to show that all are written down. */
export const CHECKED = [3, 9];
/** @type {Stored} */
const NONE = { secret: '', name: '', server: '', isWritten: false };
const IS_OWN = new Set([STATE.own, STATE.claimed]);
/** @type {Record<number, Doubt>} */
const DOUBTS = { [STATE.untold]: 'untold', [STATE.free]: 'free', [STATE.taken]: 'taken' };

/** A name that is not proved, of which the player has to know before they play. */
export class Unproved extends Error {
  /** @param {Doubt} doubt @param {string[]} notes of the server */
  constructor(doubt, notes = []) {
    super(notes.join(' '));
    this.doubt = doubt;
  }
}

/** Host and port as the player was given them (annex E). */
const addressHere = () =>
  `${location.hostname}:${location.port || (location.protocol === 'https:' ? 443 : 80)}`;

/** @param {number} count */
const byChance = (count) => crypto.getRandomValues(new Uint8Array(count));

export class OwnName {
  /** @type {Doubt | null} why the name was not proved the last time */
  doubt = null;
  /** What the server said to that. */
  notes = '';
  /** Whether the player plays as a guest for now, and knows it. */
  isGuest = false;
  #stored = read();

  /** The name that is claimed; empty: none. */
  get name() {
    return this.#stored.name;
  }

  /** Whether there are words that the player has not written down yet. */
  get owesWords() {
    return this.#stored.name !== '' && !this.#stored.isWritten;
  }

  /** @param {string} name */
  isOwn(name) {
    return this.#stored.name !== '' && this.#stored.name === withoutMark(name.trim());
  }

  /**
   * Proves the name in a registration for a seat. Raises Unproved.
   * @param {Registration} registration
   * @param {string} name
   * @param {number} dialect
   */
  async prove(registration, name, dialect) {
    if (!this.isOwn(name) || this.isGuest) return;
    await this.#prove(registration, name, dialect, WISH.prove);
  }

  /**
   * Claims a name, or shows that it is ours already; lines of the server about it. Raises Unproved,
   * Refused and Lost.
   * @param {string} name
   * @param {string} password of the server
   */
  async claim(name, password) {
    if (this.#stored.secret === '') this.#keep({ secret: hexOf(byChance(SECRET_BYTES)), isWritten: false });
    const notes = await this.#ask(name, password);
    // Safari forgets what is stored after a week without a visit, unless it is asked not to.
    void navigator.storage?.persist?.().catch(() => false);
    return notes;
  }

  /**
   * Takes a name back by its words; null, or what is wrong with them. Raises as claim does, and
   * then keeps what was there.
   * @param {string} typed
   * @param {string} name
   * @param {string} password
   */
  async restore(typed, name, password) {
    const secret = secretOf(typed, await wordList());
    if (!(secret instanceof Uint8Array)) return secret;
    const before = this.#stored;
    this.#stored = { ...NONE, server: before.server, secret: hexOf(secret), isWritten: true };
    try {
      await this.claim(name, password);
    } catch (error) {
      this.#stored = before;
      throw error;
    }
    return null;
  }

  /** The twelve words, to be written down. Raises where their list cannot be fetched. */
  async words() {
    return wordsOf(fromHex(this.#stored.secret), await wordList());
  }

  /** Whether what was typed are the words that are asked for. @param {string[]} typed @param {string[]} words */
  check(typed, words) {
    const isRight = CHECKED.every((number, at) => isWord(typed[at] ?? '', words[number - 1]));
    if (isRight) this.#keep({ isWritten: true });
    return isRight;
  }

  /** Takes the key that the server shows the next time. */
  forgetServer() {
    this.#keep({ server: '' });
    this.#doubt(null);
  }

  /** Plays as a guest until the page is loaded anew. */
  playAsGuest() {
    this.isGuest = true;
    this.#doubt(null);
  }

  /** Lines with all that the server stores about the name; raises as claim does. @param {string} password */
  export(password) {
    return this.#ask(this.name, password, WISH.export);
  }

  /** Gives the name up for good; raises as claim does. @param {string} password */
  giveUp(password) {
    return this.#ask(this.name, password, WISH.giveUp);
  }

  /** @param {string} name @param {string} password */
  #ask(name, password, wish = WISH.claim) {
    return asked(opener('game'), withoutMark(name.trim()), password, (registration) =>
      this.#prove(registration, withoutMark(name.trim()), 0, wish));
  }

  /** @param {Registration} registration @param {string} name @param {number} dialect @param {number} wish */
  async #prove(registration, name, dialect, wish) {
    this.#doubt(null);
    const ed25519 = await signatures();
    const chance = byChance(CHANCE_BYTES);
    const challenge = await registration.challenge(askedBy(chance, addressHere()));
    if (challenge === null) throw this.#doubt('silent');
    const meeting = new Meeting(chance, addressHere(), challenge);
    const { server, secret } = this.#stored;
    if (!meeting.isSigned(ed25519)) throw this.#doubt('unsigned');
    if (server !== '' && server !== hexOf(meeting.server)) throw this.#doubt('changed');
    const { state, notes } = await registration.prove(meeting.proof(ed25519, fromHex(secret), { name, dialect, wish }));
    const isGone = wish === WISH.giveUp;
    if (isGone ? state !== STATE.free : !IS_OWN.has(state)) {
      if (state !== STATE.untold && wish === WISH.prove) this.#keep({ name: '' });
      throw this.#doubt(DOUBTS[state], notes);
    }
    this.isGuest = false;
    this.#keep({ name: isGone ? '' : name, server: hexOf(meeting.server) });
    return notes;
  }

  /** @param {Doubt | null} doubt @param {string[]} notes */
  #doubt(doubt, notes = []) {
    this.doubt = doubt;
    this.notes = notes.join(' ');
    return new Unproved(doubt ?? 'untold', notes);
  }

  /** @param {Partial<Stored>} some */
  #keep(some) {
    this.#stored = { ...this.#stored, ...some };
    // A name without its secret is lost, so it is not claimed where nothing can be kept.
    localStorage.setItem(PLACE, JSON.stringify(this.#stored));
  }
}

/** @returns {Stored} */
function read() {
  try {
    return { ...NONE, ...JSON.parse(localStorage.getItem(PLACE) ?? '{}') };
  } catch {
    return NONE; // What cannot be read is no name.
  }
}
