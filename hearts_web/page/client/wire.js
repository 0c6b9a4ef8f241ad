// Ints and strs over one connection (SocketSpec.md, 1.3 to 1.7).

import { HIGHEST_INT, LONGEST_STR, LOWEST_INT, intOf, intsOf, joined, strOf, textOf } from './bytes.js';
import { Lost, Nonsense } from './errors.js';

/**
 * What carries the bytes: a WebSocket in a browser, a TCP connection elsewhere.
 * @typedef {object} Line
 * @property {(bytes: Uint8Array) => void} write never waits
 * @property {() => Promise<Uint8Array | null>} read the next bytes, as many as there are; null at
 *   the end. Raises Lost.
 * @property {() => void} close
 */

export class Wire {
  #line;
  /** @type {Uint8Array} */
  #unread = new Uint8Array(0);
  /** @type {Uint8Array[]} */
  #unsent = [];

  /** @param {Line} line */
  constructor(line) {
    this.#line = line;
  }

  /**
   * What is sent is collected, so that an ack and the choice after it go in one write.
   * @param {...number} ints
   */
  send(...ints) {
    this.sendBytes(intsOf(...ints));
  }

  /** @param {string} text */
  sendStr(text) {
    this.sendBytes(strOf(text));
  }

  /** @param {Uint8Array} bytes */
  sendBytes(bytes) {
    this.#unsent.push(bytes);
  }

  flush() {
    if (this.#unsent.length > 0) this.#line.write(joined(...this.#unsent));
    this.#unsent = [];
  }

  /** @param {string} what */
  async int(what, lowest = LOWEST_INT, highest = HIGHEST_INT) {
    const value = intOf(await this.bytes(4));
    if (value < lowest || value > highest) {
      throw new Nonsense(`${what} is ${value}, not ${lowest} to ${highest}`);
    }
    return value;
  }

  /**
   * @param {number} count
   * @param {string} what
   * @param {number} [lowest]
   * @param {number} [highest]
   */
  async ints(count, what, lowest, highest) {
    const values = [];
    while (values.length < count) values.push(await this.int(what, lowest, highest));
    return values;
  }

  async str() {
    return textOf(await this.bytes(await this.int('the length of a str', 1, LONGEST_STR)));
  }

  /** Waits for the end of the stream. */
  async end() {
    try {
      await this.bytes(1);
    } catch (error) {
      if (error instanceof Lost) return;
      throw error;
    }
    throw new Nonsense('bytes behind the last message');
  }

  /** @param {number} count */
  async bytes(count) {
    this.flush();
    while (this.#unread.length < count) {
      const piece = await this.#line.read();
      if (piece === null) throw new Lost('the connection ended');
      this.#unread = this.#unread.length === 0 ? piece : joined(this.#unread, piece);
    }
    const bytes = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return bytes;
  }

  close() {
    this.#line.close();
  }
}
