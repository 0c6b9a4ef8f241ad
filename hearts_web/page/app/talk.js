// What is said at one table: its lines, who is not heard, and the chat as long as it is wanted.

import { Chat } from '../client/chat.js';

/** @typedef {{player: number, text: string}} ChatLine a player of -1 is a notice */

const WAITS = [1, 2, 5, 10, 20, 30];
const MOST_LINES = 300;
const ABOUT_DEALS = /^deal \d+ (commitment|was) /;

export class Talk {
  /** @type {ChatLine[]} */
  lines = [];
  unread = 0;
  /** @type {Set<number>} players */
  muted = new Set();
  /** Whether the server has a chat, as far as we know. */
  hasChat = true;
  #chat;
  #known;
  #me;
  #changed;
  #isOver = false;

  /**
   * @param {object} made
   * @param {() => Promise<import('../client/wire.js').Line>} made.open a connection to the chat
   * @param {Promise<boolean>} made.hasChat whether there is one
   * @param {() => number | null} made.me our seat
   * @param {() => void} made.changed something is to be drawn anew
   */
  constructor({ open, hasChat, me, changed }) {
    this.#chat = new Chat(open, (player, text) => this.#hear(player, text));
    this.#known = hasChat;
    this.#me = me;
    this.#changed = changed;
    void hasChat.then((has) => this.#set(() => (this.hasChat = has)));
  }

  /** Hears the chat until {@link leave}. @param {import('../client/registration.js').SeatNumbers} seat */
  async join(seat) {
    if (!(await this.#known)) return;
    for (let tries = 0; !this.#isOver; tries += 1) {
      const began = Date.now();
      if ((await this.#chat.join(seat)) === '') return;
      if (Date.now() - began > 60_000) tries = 0;
      await new Promise((done) => setTimeout(done, 1000 * WAITS[Math.min(tries, WAITS.length - 1)]));
    }
  }

  leave() {
    this.#isOver = true;
    this.#chat.leave();
  }

  /** Says it in the chat. @param {string} text */
  say(text) {
    this.#chat.say(text);
  }

  /** @param {number} player */
  mute(player) {
    this.#set(() => {
      if (!this.muted.delete(player)) this.muted.add(player);
    });
  }

  /** What was said has been read. */
  read() {
    if (this.unread > 0) this.#set(() => (this.unread = 0));
  }

  /** Adds a line, without drawing it. @param {number} player @param {string} text */
  add(player, text) {
    if (this.muted.has(player)) return;
    this.lines = [...this.lines, { player, text }].slice(-MOST_LINES);
    if (player !== this.#me()) this.unread += 1;
  }

  /** @param {number} player @param {string} text */
  #hear(player, text) {
    if (player === -1 && ABOUT_DEALS.test(text)) return;
    this.#set(() => this.add(player, text));
  }

  /** @param {() => void} change */
  #set(change) {
    change();
    this.#changed();
  }
}
