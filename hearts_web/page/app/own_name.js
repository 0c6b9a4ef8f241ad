// The player's own name at this server, and the secret that proves it; kept in this browser.

import { asked } from '../client/asking.js';
import { asciiOf, fromHex, hexOf, joined } from '../client/bytes.js';
import { Meeting, STATE, WISH, askedBy, seedFor, withoutMark } from '../client/name_proof.js';
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
const CODE_LENGTH = 8;
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

/** A code as it is typed: in any case, with hyphens, and O for 0. @param {string} typed */
const codeTyped = (typed) =>
  asciiOf(typed.toUpperCase().replace(/[^0-9A-Z]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1').padEnd(CODE_LENGTH).slice(0, CODE_LENGTH));

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
   * @param {string} code of an invitation, as it is typed; empty: none
   */
  async claim(name, password, code = '') {
    this.#makeSecret();
    const notes = await this.#ask(name, password, WISH.claim, code === '' ? undefined : codeTyped(code));
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

  /**
   * The seats at tables that go on, the latest first, also those of another device. Raises as claim does.
   * @param {string} password
   */
  async seats(password) {
    const told = this.#values(await this.#ask(this.name, password, WISH.seats), 'seat').map((each) => each.map(Number));
    return told.map(([gameNumber, gameId, player, processId]) => ({ gameNumber, gameId, player, processId, hands: -1 }));
  }

  /** Lines with all that the server stores about the name; raises as claim does. @param {string} password */
  export(password) {
    return this.#ask(this.name, password, WISH.export);
  }

  /** Gives the name up for good; raises as claim does. @param {string} password */
  giveUp(password) {
    return this.#ask(this.name, password, WISH.giveUp);
  }

  /**
   * Asks to have the name of another device here too; the code to show, or nothing if it is ours.
   * Raises as claim does.
   * @param {string} name
   * @param {string} password
   */
  async askIn(name, password) {
    this.#makeSecret();
    return this.#values(await this.#ask(name, password, WISH.askIn), 'code')[0]?.[0] ?? '';
  }

  /** Whether the other device has let this one in. @param {string} name @param {string} password */
  async isLetIn(name, password) {
    await this.#ask(name, password, WISH.prove).catch((error) => {
      if (!(error instanceof Unproved) || error.doubt !== 'taken') throw error;
      this.#doubt(null);
    });
    return this.isOwn(name);
  }

  /**
   * What waits with a code, as it was typed. Raises as claim does.
   * @param {string} typed
   * @param {string} password
   */
  async waiting(typed, password) {
    const code = codeTyped(typed);
    const [told] = this.#values(await this.#ask(this.name, password, WISH.letIn, code), 'waits');
    if (told === undefined) throw this.#doubt('untold');
    const [key, seconds, kind, place] = told;
    return { details: joined(code, fromHex(key)), seconds: Number(seconds), isProgram: kind === 'program', isNear: place === 'near' };
  }

  /** @param {Uint8Array} details of what waits @param {string} password */
  letIn(details, password) {
    return this.#ask(this.name, password, WISH.letIn, details);
  }

  /** The devices that have the name, the oldest first. Raises as claim does. @param {string} password */
  async devices(password) {
    const told = this.#values(await this.#ask(this.name, password, WISH.keys), 'key');
    const own = (await signatures()).getPublicKey(seedFor(fromHex(this.#stored.secret), fromHex(this.#stored.server)));
    return told.map(([key, since, used, kind]) =>
      ({ key, since: Number(since), used: Number(used), isProgram: kind === 'program', isThis: key === hexOf(own) }));
  }

  /** Takes a key from the name. Raises as claim does. @param {string} key @param {string} password */
  revoke(key, password) {
    return this.#ask(this.name, password, WISH.revoke, fromHex(key));
  }

  /** The values of the lines that are for programs. @param {string[]} notes @param {string} word */
  #values(notes, word) {
    return notes.filter((note) => note.startsWith(`${word} `)).map((note) => note.split(' ').slice(1));
  }

  #makeSecret() {
    if (this.#stored.secret === '') this.#keep({ secret: hexOf(byChance(SECRET_BYTES)), isWritten: false });
  }

  /** @param {string} name @param {string} password @param {number} wish @param {Uint8Array} [details] */
  #ask(name, password, wish, details) {
    return asked(opener('game'), withoutMark(name.trim()), password, (registration) =>
      this.#prove(registration, withoutMark(name.trim()), 0, wish, details));
  }

  /** @param {Registration} registration @param {string} name @param {number} dialect @param {number} wish @param {Uint8Array} [details] */
  async #prove(registration, name, dialect, wish, details) {
    this.#doubt(null);
    const ed25519 = await signatures();
    const chance = byChance(CHANCE_BYTES);
    const challenge = await registration.challenge(askedBy(chance, addressHere()));
    if (challenge === null) throw this.#doubt('silent');
    const meeting = new Meeting(chance, addressHere(), challenge);
    const { server, secret } = this.#stored;
    if (!meeting.isSigned(ed25519)) throw this.#doubt('unsigned');
    if (server !== '' && server !== hexOf(meeting.server)) throw this.#doubt('changed');
    const { state, notes } = await registration.prove(meeting.proof(ed25519, fromHex(secret), { name, dialect, wish, details }));
    if (state === STATE.taken && wish === WISH.askIn) {
      this.#keep({ server: hexOf(meeting.server) });
      return notes;
    }
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
