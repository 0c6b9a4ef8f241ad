// From the Player ID to the Process ID, in either dialect (SocketSpec.md, 3).

import { asciiOf } from './bytes.js';
import { Nonsense, Refused } from './errors.js';
import { CHALLENGE_BYTES, STATE } from './name_proof.js';
import { bitsOf, rulesOf } from './rules.js';

const BLOCK_REASONS = -10;
const BLOCK_PASSWORD = -7;
const BLOCK_DEALER_DIALECT = -6;
const BLOCK_LIST = -8;
const BLOCK_TABLE_NAME = -4;
const BLOCK_COME_BACK = -5;
const BLOCK_WATCH = -9;
const BLOCK_HOW_TO_PLAY = -2;
const BLOCK_ASK_TABLE = -12;
const BLOCK_LEVELS = -15;
const BLOCK_GREETING = -16;
const BLOCK_CHALLENGE = -17;
const BLOCK_PROOF = -18;
const MOST_NOTES = 20;
const MOST_GREETING = 21;
const KIND_HEARTS = 1 << 4;
const RULES_ARE_MEANT = 1 << 20;
export const DEALER_VERSION = 1;
/** In place of a turn limit: none while we play alone with computers at a private table. */
export const NO_CLOCK_ALONE = -1;

const WITHOUT_REASON = new Map([
  [-1, 'the server is full'],
  [-2, 'too many connections from this address'],
  [-4, 'the server is shutting down'],
]);

/**
 * How a table shall play (block -2).
 * @typedef {object} Wishes
 * @property {number} computers how many seats, from the last one on
 * @property {number} endScore 0: the host's own
 * @property {number} [turnLimit] seconds, or NO_CLOCK_ALONE; 0 or none: the host's own
 * @property {import('./rules.js').Rules | null} [rules] null or none: the host's own
 * @property {number} [level] how well computers play (block -15); 0 or none: the host's own
 */

/**
 * The numbers that prove a seat, and what else is needed to come back to it (5.6).
 * @typedef {object} SeatNumbers
 * @property {number} processId
 * @property {number} gameNumber 0 until there is a seat to come back to
 * @property {number} gameId
 * @property {number} player
 * @property {number} hands
 */

/**
 * What is listed of a table (3.5).
 * @typedef {{table: string, gameNumber: number, openSeats: number, names: string[]}} ListedTable
 */

/**
 * What is told of a table of a name (3.6).
 * @typedef {object} ToldTable
 * @property {number} gameNumber 0 while it is forming
 * @property {boolean} isPrivate
 * @property {number} openSeats
 * @property {import('./rules.js').Rules} rules
 * @property {number} endScore
 * @property {number} turnLimit seconds
 * @property {string} opener
 * @property {string[]} names
 */

export class Registration {
  #wire;
  #player = -1;
  #withReasons = false;

  /** @param {import('./wire.js').Wire} wire */
  constructor(wire) {
    this.#wire = wire;
  }

  /**
   * The Player ID, the name and what comes before all other blocks.
   * @param {string} name
   * @param {string} password empty where there is none
   */
  async begin(name, password = '') {
    this.#player = await this.reply('Player ID', 0, 3);
    this.#wire.sendStr(name);
    this.#wire.send(BLOCK_REASONS, 0);
    await this.reply('the reply to block -10', 1, 1);
    this.#withReasons = true;
    if (password !== '') {
      this.#wire.send(BLOCK_PASSWORD);
      this.#wire.sendStr(password);
      await this.reply('the reply to block -7', 1, 1);
    }
    return this.#player;
  }

  async dealerDialect() {
    this.#wire.send(BLOCK_DEALER_DIALECT, DEALER_VERSION);
    await this.reply('the reply to block -6', 1, DEALER_VERSION);
  }

  /** @returns {Promise<ListedTable[]>} the public tables */
  async list() {
    this.#wire.send(BLOCK_LIST);
    const tables = [];
    for (let left = await this.reply('a number of tables', 0, 100); left > 0; left -= 1) {
      const table = await this.#wire.str();
      const [gameNumber, openSeats] = await this.#wire.ints(2, 'a number of a table', 0);
      tables.push({ table, gameNumber, openSeats, names: await this.#names() });
    }
    return tables;
  }

  /**
   * What the table of a name is; null where there is none, undefined where that is not told.
   * @param {string} table
   * @returns {Promise<ToldTable | null | undefined>}
   */
  async ask(table) {
    const name = asciiOf(table);
    this.#wire.send(BLOCK_ASK_TABLE, name.length);
    this.#wire.sendBytes(name);
    const told = await this.reply('the reply to block -12', 0, 2);
    if (told === 0) {
      // Raises Refused if that is for want of a password.
      await this.list();
      return undefined;
    }
    if (told === 1) return null;
    const gameNumber = await this.#wire.int('game number', 0);
    const isPrivate = (await this.#wire.int('private', 0, 1)) === 1;
    const openSeats = await this.#wire.int('open seats', 0, 4);
    const rules = rulesOf(await this.#wire.int('rules'));
    const [endScore, turnLimit] = await this.#wire.ints(2, 'end of game, turn limit', 0);
    const opener = await this.#wire.str();
    return { gameNumber, isPrivate, openSeats, rules, endScore, turnLimit, opener, names: await this.#names() };
  }

  /** The levels that computers may play at, bit n for level n; 0 where none can be chosen. */
  async levels() {
    this.#wire.send(BLOCK_LEVELS, 0);
    return this.reply('the reply to block -15', 0);
  }

  /**
   * The name of the server, which may be empty, and its word of the day; nothing where there is neither.
   * With the token of a visitor, what they are told of the deal of the day; with a byte, standings.
   * @param {Uint8Array} [visitor]
   */
  async greeting(visitor = new Uint8Array(0)) {
    this.#wire.send(BLOCK_GREETING, visitor.length);
    this.#wire.sendBytes(visitor);
    const texts = [];
    for (let left = await this.reply('the reply to block -16', 0, MOST_GREETING); left > 0; left -= 1) {
      texts.push(await this.#wire.str());
    }
    return texts;
  }

  /**
   * A challenge to the owner of the name (annex E); null from a server that has none.
   * @param {Uint8Array} asked
   */
  async challenge(asked) {
    this.#wire.send(BLOCK_CHALLENGE, asked.length);
    this.#wire.sendBytes(asked);
    const isGiven = (await this.reply('the reply to block -17', 0, 1)) === 1;
    return isGiven ? this.#wire.bytes(CHALLENGE_BYTES) : null;
  }

  /**
   * The state of the name that is proved, and lines about it.
   * @param {Uint8Array} proof
   */
  async prove(proof) {
    this.#wire.send(BLOCK_PROOF, proof.length);
    this.#wire.sendBytes(proof);
    const state = await this.reply('the reply to block -18', 0, STATE.taken);
    const notes = [];
    for (let left = state === STATE.untold ? 0 : await this.#wire.int('a number of notes', 0, MOST_NOTES); left > 0; left -= 1) {
      notes.push(await this.#wire.str());
    }
    return { state, notes };
  }

  /**
   * Joins a table by its name; the Player ID there.
   * @param {string} table
   */
  async join(table) {
    this.#wire.send(BLOCK_TABLE_NAME);
    this.#wire.sendStr(table);
    this.#player = await this.reply('the reply to block -4', 0, 3);
    return this.#player;
  }

  /**
   * How the table shall play, if we have opened it.
   * @param {Wishes} wishes
   */
  async howToPlay({ computers, endScore, turnLimit = 0, rules = null, level = 0 }) {
    if (this.#player !== 0) return;
    if (level > 0) {
      this.#wire.send(BLOCK_LEVELS, 4, level * 0x01010101);
      await this.reply('the reply to block -15', 0, 1);
    }
    if (computers === 0 && endScore === 0 && turnLimit === 0 && rules === null) return;
    let options = KIND_HEARTS;
    for (let player = 4 - computers; player < 4; player += 1) options |= 1 << player;
    if (rules !== null) options |= RULES_ARE_MEANT | bitsOf(rules);
    this.#wire.send(BLOCK_HOW_TO_PLAY, options, endScore, turnLimit);
  }

  /**
   * Comes back to a seat; how many choices were decided.
   * @param {SeatNumbers} seat
   */
  async comeBack({ gameNumber, gameId, player, processId, hands }) {
    this.#wire.send(BLOCK_COME_BACK, gameNumber, gameId, player, processId, hands);
    const decided = await this.reply('the reply to block -5', 1);
    this.#player = player;
    return decided;
  }

  /** @param {number} gameNumber of a table to watch */
  async watch(gameNumber) {
    this.#wire.send(BLOCK_WATCH, gameNumber);
    await this.reply('the reply to block -9', 1, 1);
  }

  /** @param {number} processId */
  end(processId) {
    this.#wire.send(processId);
  }

  /**
   * An int in whose place a refusal can come (3.7).
   * @param {string} what
   * @param {number} lowest
   * @param {number} [highest]
   */
  async reply(what, lowest, highest) {
    const value = await this.#wire.int(what, undefined, highest);
    if (value < 0) throw await this.refusal(value);
    if (value < lowest) throw new Nonsense(`${what} is ${value}`);
    return value;
  }

  /**
   * The refusal of this code, with its reason.
   * @param {number} code
   */
  async refusal(code) {
    return new Refused(code, this.#withReasons ? await this.#wire.str() : WITHOUT_REASON.get(code) ?? '');
  }

  async #names() {
    const names = [];
    while (names.length < 4) names.push(await this.#wire.str());
    return names;
  }
}

