// One seat at a table over as many connections as it takes (SocketSpec.md, 5.6).

import { fromHex, hexOf, intsOf } from './bytes.js';
import { Aborted, Full, Lost, Overtaken, Refused, Unreachable } from './errors.js';
import { Frames } from './frames.js';
import { CUT, KIND, LATER, MEANINGLESS, REQUEST, whoIAm } from './messages.js';
import { Promises } from './promises.js';
import { DEALER_VERSION, Registration } from './registration.js';
import { Wire } from './wire.js';

const NO_SUCH_GAME = -103;
const TABLE_CLOSED = -104;
const SEAT_ELSEWHERE = -111;
/** Refusals that come again as long as the same is sent (10). */
const FOR_GOOD = new Set([-101, -102, -105, -107, -108, -110, NO_SUCH_GAME, TABLE_CLOSED]);

/** So many connections in a row, each lost at once, mean that somebody else has our numbers. */
const TAKEN_AFTER = 10;
const AT_ONCE_MILLISECONDS = 1000;

/**
 * What is kept of a seat, also where the program ends: as it is in a browser's storage.
 * @typedef {import('./registration.js').SeatNumbers & {
 *   table: string,
 *   handsBefore: number,
 *   cutKey: string,
 *   cuts?: import('./promises.js').Kept,
 * }} Seat
 */

/**
 * What a session asks for.
 * @typedef {object} Wanted
 * @property {string} name
 * @property {string} [password]
 * @property {string} [table] joined or opened by this name; empty: the public one that is forming
 * @property {import('./registration.js').Wishes | null} [wishes]
 * @property {number | null} [watch] the number of a game to watch; then no seat is taken
 * @property {boolean} cuts
 * @property {number} kind
 * @property {number} [level]
 * @property {string} [comment]
 * @property {(registration: Registration, name: string, dialect: number) => Promise<void>} [proveName]
 *   before a seat is taken; what it raises ends the session
 * @property {boolean} [tellOfTable] whether to ask what the own table is (14.8)
 */

/**
 * What a session tells. What it does not know how to answer is up to `hear`.
 * @typedef {object} Listener
 * @property {(message: import('./messages.js').Message, query: import('./messages.js').Query) => void} hear
 *   each message in order
 * @property {(verdict: import('./promises.js').Verdict) => void} [proved] of each deal
 * @property {(deal: number) => void} [promiseChanged] a deal was promised otherwise before, or
 *   another one with the same hash of ours
 * @property {(numbers: {player: number} | {decided: number}) => void} [registered] a Player ID, or
 *   how many choices were decided while one was away
 * @property {(seat: Seat) => void} [keep] the seat has changed
 * @property {(error: Error) => void} [lost] the connection is gone, and will be made anew
 * @property {(error: Refused) => void} [refused] one registration was refused
 * @property {() => void} [ended] one connection is over
 */

/**
 * A seat that is not taken yet. Numbers and keys are drawn by a generator for secrets.
 * @param {(bytes: Uint8Array) => Uint8Array} random fills bytes
 * @returns {Seat}
 */
export function newSeat(random) {
  const [a, b, c, d] = random(new Uint8Array(4));
  return {
    processId: ((a & 0x7f) << 24) | (b << 16) | (c << 8) | d,
    gameNumber: 0,
    gameId: 0,
    player: 0,
    hands: 0,
    table: '',
    handsBefore: 0,
    cutKey: hexOf(random(new Uint8Array(32))),
  };
}

export class Session {
  /** The levels that computers may play at, as bits (block -15). */
  levels = 0;
  #open;
  #wanted;
  #listener;
  #waits;
  #sleep;
  #promises;
  /** @type {Wire | null} */
  #wire = null;
  /** @type {Frames | null} */
  #frames = null;
  /** @type {number[]} */
  #dealt = [];
  #failures = 0;
  #lostAtOnce = 0;
  #backSince = 0;
  #isPast = false;
  #hasGameWinner = false;
  #isOver = false;
  #isTriedWithoutCount = false;

  /**
   * @param {object} made
   * @param {() => Promise<import('./wire.js').Line>} made.open
   * @param {Wanted} made.wanted
   * @param {Seat} made.seat changes as the session goes on
   * @param {Listener} made.listener
   * @param {number[]} made.waits seconds before each try to come back; when they are used up the
   *   connection is lost for good
   * @param {(seconds: number) => Promise<void>} made.sleep
   */
  constructor({ open, wanted, seat, listener, waits, sleep }) {
    this.#open = open;
    this.#wanted = wanted;
    this.seat = seat;
    this.#listener = listener;
    this.#waits = waits;
    this.#sleep = sleep;
    this.#promises = new Promises(wanted.cuts && wanted.watch == null ? fromHex(seat.cutKey) : null, seat.cuts);
  }

  /** Plays to the end of the session. Raises Refused, Aborted, Overtaken, Nonsense or Lost. */
  async run() {
    for (;;) {
      try {
        return await this.#connection();
      } catch (error) {
        if (this.#isOver && error instanceof Lost) return;
        if (!(error instanceof Error) || !this.#canComeBack(error)) throw error;
        this.#listener.lost?.(error);
      }
      await this.#sleep(this.#waits[this.#failures]);
      if (this.#isOver) return;
      this.#failures += 1;
    }
  }

  /**
   * Answers a query, with the bytes that it asks for.
   * @param {import('./messages.js').Query} query
   * @param {Uint8Array} payload
   */
  answer(query, payload) {
    this.#frames?.answer(query, payload);
  }

  /**
   * @param {number} type
   * @param {Uint8Array} [payload]
   */
  request(type, payload) {
    this.#frames?.request(type, payload);
  }

  /** Whether there is a connection over which messages come. */
  get isConnected() {
    return this.#frames !== null;
  }

  /** Ends the connection, as if it were lost. */
  drop() {
    this.#wire?.close();
  }

  /** Ends the session here; the seat waits for whoever has its numbers. */
  close() {
    this.#isOver = true;
    this.drop();
  }

  /** @param {Error} error */
  #canComeBack(error) {
    const isWatching = this.#wanted.watch != null;
    const isAtGateway = error instanceof Full || error instanceof Unreachable;
    // Who has no seat yet begins anew, and loses nothing by it.
    if (isAtGateway && this.seat.gameNumber === 0) return this.#failures < this.#waits.length;
    if (this.seat.gameNumber === 0 && !isWatching) return false;
    if (this.#failures >= this.#waits.length) return false;
    if (error instanceof Refused) {
      if (error.code === NO_SUCH_GAME && this.seat.hands > 0 && !this.#isTriedWithoutCount) {
        this.#isTriedWithoutCount = true;
        this.seat.hands = -1; // a power cut may have taken hands that we had (14.7)
        return true;
      }
      return !FOR_GOOD.has(error.code);
    }
    if (!(error instanceof Lost)) return false;
    const wasShort = this.#backSince > 0 && Date.now() - this.#backSince < AT_ONCE_MILLISECONDS;
    this.#lostAtOnce = wasShort ? this.#lostAtOnce + 1 : 0;
    if (this.#lostAtOnce >= TAKEN_AFTER) throw new Overtaken('somebody else has this seat');
    return true;
  }

  async #connection() {
    this.#backSince = 0;
    this.#promises.beginConnection(this.seat.hands < 0);
    const wire = (this.#wire = new Wire(await this.#open()));
    try {
      this.#frames = await this.#register(wire);
      for (;;) {
        const { message, query } = await this.#frames.next();
        this.#note(message, query);
        this.#listener.hear(message, query);
        if (message.is === 'abortGame' && message.later !== LATER.anotherGame) {
          throw message.later === LATER.comeBack ? new Lost(message.why) : new Aborted(message.why);
        }
        if (message.is === 'taken' && message.type === REQUEST.leave) this.#isOver = true;
        if (message.is === 'doneHand') this.#countHand(message.winners !== 0);
        if (message.is === 'endGame') this.#countGame();
      }
    } catch (error) {
      if (error instanceof Refused) this.#listener.refused?.(error);
      throw error;
    } finally {
      wire.close();
      this.#wire = null;
      this.#frames = null;
      this.#listener.ended?.();
    }
  }

  /** @param {Wire} wire */
  async #register(wire) {
    const { name, password, table = '', wishes = null, watch = null, proveName } = this.#wanted;
    const registration = new Registration(wire);
    const provisional = await registration.begin(name, password);
    if (watch === null) this.#listener.registered?.({ player: provisional });
    await registration.dealerDialect();
    if (watch !== null) {
      await registration.watch(watch);
    } else if (this.seat.gameNumber > 0) {
      const decided = await registration.comeBack(this.seat);
      this.#listener.registered?.({ decided });
    } else {
      await proveName?.(registration, name, DEALER_VERSION);
      const player = table === '' ? provisional : await registration.join(table);
      if (player !== provisional) this.#listener.registered?.({ player });
      if (wishes !== null) await registration.howToPlay(wishes);
      this.levels = await registration.levels();
    }
    registration.end(this.seat.processId);
    const frames = new Frames(wire, registration, watch !== null);
    if (this.#wanted.tellOfTable) frames.request(REQUEST.askTable, intsOf(1, 0).subarray(0, 5));
    return frames;
  }

  /**
   * What the session itself has to do with a message.
   * @param {import('./messages.js').Message} message
   * @param {import('./messages.js').Query} query
   */
  #note(message, query) {
    switch (message.is) {
      case 'registerPlayer':
        this.#frames?.answer(query, this.#whoIAm());
        break;
      case 'refused':
        if (message.code === SEAT_ELSEWHERE) throw new Overtaken(message.why);
        throw new Refused(message.code, message.why);
      case 'table':
        // A private table may be another one by now, or have another name.
        if (message.isPrivate && message.gameNumber === 0) this.#wanted = { ...this.#wanted, table: message.table };
        break;
      case 'seated':
        this.#failures = 0;
        this.#isTriedWithoutCount = false;
        this.#backSince = Date.now();
        Object.assign(this.seat, {
          gameNumber: message.gameNumber,
          gameId: message.gameId,
          player: message.player,
          table: message.table,
        });
        this.#keep();
        break;
      case 'abortGame':
        // The hands of a game that is broken off are scored for nobody, and count all the same.
        if (message.later === LATER.anotherGame) this.seat.handsBefore = this.seat.hands;
        this.#keep();
        break;
      case 'replay':
        this.#isPast = message.begins;
        this.#sayNextHash();
        break;
      case 'takenBack':
        if (message.hands < 0) break;
        this.#promises.goBack();
        if (this.seat.hands > 0) this.seat.hands -= message.hands;
        this.#keep();
        break;
      case 'newGame':
        if (!this.#isPast) this.#promises.beginGame();
        break;
      case 'againDecided':
        this.#isOver = !message.yes;
        break;
      case 'commitment':
        if (!this.#promises.promised(message, this.seat.player)) this.#listener.promiseChanged?.(message.deal);
        this.#keep();
        break;
      case 'cut': {
        const answer = this.#promises.answer(message.deal);
        this.#keep();
        if (answer !== null) this.#frames?.answer(query, answer);
        break;
      }
      case 'answerError':
        if (message.type === CUT) this.#sayWhoIAm();
        break;
      case 'newHand':
        this.#sayNextHash();
        this.#dealt = [];
        break;
      case 'takeCard':
        this.#dealt.push(message.card);
        break;
      case 'proof': {
        const player = this.#wanted.watch == null ? this.seat.player : null;
        const verdict = this.#promises.verdict(message, player, this.#dealt);
        this.#listener.proved?.(verdict);
        break;
      }
      case 'doneHand':
      case 'abortHand':
        this.#promises.endHand();
        this.#keep();
        break;
      default:
    }
  }

  #whoIAm() {
    const { kind = KIND.unsaid, level = 0, comment = '' } = this.#wanted;
    return whoIAm({ kind, level, comment }, this.#promises.sayNextHash());
  }

  /** Says who we are again, where a promise has used up the hash that was said. */
  #sayNextHash() {
    if (!this.#isPast && this.#promises.owesHash) this.#sayWhoIAm();
  }

  #sayWhoIAm() {
    this.request(REQUEST.whoIAm, this.#whoIAm());
  }

  /** A hand that ended a game counts once P_END_GAME is there (14.7). */
  #countHand(/** @type {boolean} */ endsGame) {
    this.#hasGameWinner = endsGame;
    if (!endsGame) this.#count();
  }

  #countGame() {
    // It comes again where the hand that ended the game does not.
    if (!this.#hasGameWinner) return;
    this.#hasGameWinner = false;
    this.#count();
    this.seat.handsBefore = this.seat.hands;
    this.#keep();
  }

  #count() {
    if (this.seat.hands >= 0) this.seat.hands += 1;
    this.#keep();
  }

  #keep() {
    this.seat.cuts = this.#promises.kept;
    this.#listener.keep?.(this.seat);
  }

  /** Whether what comes is the past (14.7). */
  get isPast() {
    return this.#isPast;
  }
}

/** Reasons for which the same query is answered again (14.5). */
export const isStillOpen = (/** @type {number} */ reason) => reason >= -7 || reason === MEANINGLESS;
