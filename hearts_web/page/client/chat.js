// The chat of the table, on the taunt server (SocketSpec.md, 9). The game does not need it.

import { Lost, Nonsense } from './errors.js';
import { Wire } from './wire.js';

/** The longest taunt, in bytes. */
export const LONGEST_TAUNT = 127;

export class Chat {
  #open;
  #hear;
  /** @type {Wire | null} */
  #wire = null;
  /** @type {number[]} */
  #seat = [];
  /** @type {string[]} */
  #unsaid = [];
  #isJoined = false;

  /**
   * @param {() => Promise<import('./wire.js').Line>} open
   * @param {(taunter: number, text: string) => void} hear called for each taunt; -1: a notice
   */
  constructor(open, hear) {
    this.#open = open;
    this.#hear = hear;
  }

  /**
   * Registers with the numbers of a seat, unless that is done; returns when the chat is over, with
   * why in words.
   * @param {import('./registration.js').SeatNumbers} seat
   * @returns {Promise<string>}
   */
  async join({ gameNumber, gameId, player, processId }) {
    if (this.#isJoined) return '';
    this.#isJoined = true;
    this.#seat = [gameNumber, gameId, player, processId];
    /** @type {Wire | null} */
    let wire = null;
    let why = '';
    try {
      wire = new Wire(await this.#open());
      wire.send(...this.#seat);
      const status = await wire.int('the status of the registration', -1, 1);
      if (status !== 1) throw new Lost('the taunt server refused the registration');
      this.#wire = wire;
      this.#sendUnsaid();
      for (;;) this.#hear(await wire.int('taunter', -1, 3), await wire.str());
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Nonsense)) throw error;
      why = error.message;
    }
    wire?.close();
    this.#wire = null;
    this.#isJoined = false;
    return why;
  }

  /** Whether what is said goes out at once. */
  get isThere() {
    return this.#wire !== null;
  }

  leave() {
    this.#wire?.close();
  }

  /**
   * Says it now, or as soon as the taunt server is there.
   * @param {string} text
   */
  say(text) {
    this.#unsaid.push(text);
    this.#sendUnsaid();
  }

  #sendUnsaid() {
    if (this.#wire === null) return;
    for (const text of this.#unsaid.splice(0)) {
      this.#wire.send(...this.#seat);
      this.#wire.sendStr(text);
    }
    this.#wire.flush();
  }
}
