// From the Player ID to the Process ID, in either dialect (SocketSpec.md, 3). Each method is the
// part of section 3 or 14 whose name it bears.

import { Nonsense } from './wire.mjs';

const BLOCK_REASONS = -10;
const BLOCK_DEALER_DIALECT = -6;
const BLOCK_TABLE_NAME = -4;
const BLOCK_COME_BACK = -5;
const BLOCK_HOW_TO_PLAY = -2;
const KIND_HEARTS = 1 << 4;
const DEALER_VERSION = 1;

const WITHOUT_REASON = new Map([
  [-1, 'the server is full'],
  [-2, 'too many connections from this address'],
  [-4, 'the server is shutting down'],
]);

/** The server's refusal (3.7). */
export class Refused extends Error {
  constructor(code, reason) {
    super(reason);
    this.code = code;
  }
}

export class Registration {
  #wire;
  #kept;
  #options;
  #show;
  #player;
  #withReasons = false;

  constructor(wire, kept, options, show) {
    this.#wire = wire;
    this.#kept = kept;
    this.#options = options;
    this.#show = show;
  }

  /** Returns the Player ID. What comes next comes when the table has four players. */
  async run() {
    await this.#playerId();
    this.#wire.sendStr(this.#options.name);
    this.#wire.send(BLOCK_REASONS, 0);
    await this.reply('the reply to block -10', 1, 1);
    this.#withReasons = true;
    if (this.#options.dialect === 'dealer') await this.#turningItOn();
    if (this.#kept.gameNumber > 0) {
      await this.#comingBack();
    } else {
      if (this.#options.table !== '') await this.#tableByName();
      if (this.#player === 0) this.#howTheTableShallPlay();
    }
    this.#wire.send(this.#kept.processId);
    return this.#player;
  }

  /** An int in whose place a refusal can come (3.7). */
  async reply(what, lowest, highest) {
    const value = await this.#wire.int(what, -(2 ** 31), highest);
    if (value < 0) {
      const reason = this.#withReasons ? await this.#wire.str() : WITHOUT_REASON.get(value) ?? '';
      throw new Refused(value, reason);
    }
    if (value < lowest) throw new Nonsense(`${what} is ${value}`);
    return value;
  }

  async #playerId() {
    this.#player = await this.reply('Player ID', 0, 3);
    this.#show('player', [this.#player]);
  }

  async #turningItOn() {
    this.#wire.send(BLOCK_DEALER_DIALECT, DEALER_VERSION);
    await this.reply('the reply to block -6', 1, DEALER_VERSION);
  }

  async #tableByName() {
    this.#wire.send(BLOCK_TABLE_NAME);
    this.#wire.sendStr(this.#options.table);
    const provisional = this.#player;
    this.#player = await this.reply('the reply to block -4', 0, 3);
    if (this.#player !== provisional) this.#show('player', [this.#player]);
  }

  #howTheTableShallPlay() {
    const { computers, 'end-score': endScore } = this.#options;
    if (computers === 0 && endScore === 0) return;
    let options = KIND_HEARTS;
    for (let player = 4 - computers; player < 4; player += 1) options |= 1 << player;
    this.#wire.send(BLOCK_HOW_TO_PLAY, options, endScore, 0);
  }

  async #comingBack() {
    if (this.#kept.hands < 0) this.#kept.flag = 0; // the hand dealt last comes again as a whole
    const { gameNumber, gameId, player, processId, hands } = this.#kept;
    this.#wire.send(BLOCK_COME_BACK, gameNumber, gameId, player, processId, hands);
    this.#show('back', [await this.reply('the reply to block -5', 1)]);
    this.#player = player;
  }
}
