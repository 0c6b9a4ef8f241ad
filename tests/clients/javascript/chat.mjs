// The chat of the table, on the taunt server (SocketSpec.md, 9). The game does not need it.

import { Lost, Nonsense, Wire } from './wire.mjs';

export class Chat {
  #host;
  #port;
  #hear;
  #wire = null;
  #seat = null;
  #unsaid = [];
  #isJoined = false;

  /** Calls hear(taunter, text) for each taunt. With port 0 nothing is said or heard. */
  constructor(host, port, hear) {
    this.#host = host;
    this.#port = port;
    this.#hear = hear;
  }

  /** Registers with the numbers of a seat, unless that is done; returns when the chat is over. */
  async join({ gameNumber, gameId, player, processId }) {
    if (this.#port === 0 || this.#isJoined) return;
    this.#isJoined = true;
    this.#seat = [gameNumber, gameId, player, processId];
    let wire;
    try {
      wire = await Wire.open(this.#host, this.#port);
      wire.send(...this.#seat);
      const status = await wire.int('the status of the registration', -1, 1);
      if (status !== 1) throw new Lost('the taunt server refused the registration');
      this.#wire = wire;
      this.#sendUnsaid();
      for (;;) this.#hear(await wire.int('taunter', -1, 3), await wire.str());
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Nonsense)) throw error;
      console.error(`no chat: ${error.message}`);
    }
    wire?.close();
    this.#wire = null;
    this.#isJoined = false;
  }

  /** Says it now, or as soon as the taunt server is there. */
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
