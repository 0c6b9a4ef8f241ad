// Reads frames of the server, and sends those of a client (DealerSpec.md, 14.1).

import { readMessage } from './messages.js';

const LONGEST_PAYLOAD = 4096;

export class Frames {
  #wire;
  #registration;
  #isWatching;
  #count = 0;

  /**
   * @param {import('./wire.js').Wire} wire
   * @param {import('./registration.js').Registration} registration
   * @param {boolean} isWatching a watcher's frames all have sequence 0 (14.9)
   */
  constructor(wire, registration, isWatching = false) {
    this.#wire = wire;
    this.#registration = registration;
    this.#isWatching = isWatching;
  }

  /**
   * The next message that is known, and the query that it may be. Raises Lost, Refused, Nonsense.
   * @returns {Promise<{message: import('./messages.js').Message, query: import('./messages.js').Query}>}
   */
  async next() {
    for (;;) {
      const type = await this.#wire.int('the type of a frame');
      // What crosses with the Process ID is refused as before it (14.2).
      if (this.#count === 0 && type < 0) throw await this.#registration.refusal(type);
      this.#count += 1;
      const expected = this.#isWatching ? 0 : this.#count;
      const sequence = await this.#wire.int('the sequence of a frame', expected, expected);
      const length = await this.#wire.int('the length of a payload', 0, LONGEST_PAYLOAD);
      const message = readMessage(type, await this.#wire.bytes(length));
      if (message !== null) return { message, query: { type, sequence } };
    }
  }

  /**
   * @param {import('./messages.js').Query} query
   * @param {Uint8Array} payload
   */
  answer(query, payload) {
    this.#wire.send(query.type, query.sequence, payload.length);
    this.#wire.sendBytes(payload);
    this.#wire.flush();
  }

  /**
   * @param {number} type
   * @param {Uint8Array} payload
   */
  request(type, payload = new Uint8Array(0)) {
    this.answer({ type, sequence: 0 }, payload);
  }
}

