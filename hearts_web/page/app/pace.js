// Shows what comes one thing after the other, slowly enough for people. A full trick lies as long as
// the player likes, as far as their own clock allows.

/**
 * @typedef {object} Item
 * @property {number} at when it came
 * @property {import('../client/messages.js').Message} message
 * @property {import('../client/messages.js').Query} query
 * @property {import('../client/promises.js').Verdict | null} verdict
 */

/**
 * @typedef {object} Stage
 * @property {(item: Item) => void} show
 * @property {() => void} sweep the full trick begins to go to who has taken it
 * @property {() => void} cleared it is there
 * @property {(isHeld: boolean) => void} held what is shown stays until hurry() or for a while
 * @property {() => boolean} isHasty nothing waits: nobody looks, or it is the past
 * @property {() => boolean} isAlone nobody else waits, and no clock runs
 * @property {() => number | null} me our seat, whose own questions do not wait
 * @property {() => boolean} isQuick the hand is played to its end by computers
 * @property {() => 'short' | 'normal' | 'long' | 'tap'} trickStays
 */

const CARD = 420;
const QUICK_CARD = 90;
const QUICK_TRICK = 350;
const SWEEP = 430;
const HAND_IS_OVER = 12_000;
const GAME_IS_OVER = 15_000;
const STAYS = { short: 700, normal: 1600, long: 3200, tap: 600_000 };
/** So long before our own clock runs out everything waits for us alone. */
const OWN_TIME = 12_000;
const TOO_MANY = 80;
const QUESTIONS = new Set(['doPass', 'playCard', 'moonChoice', 'playAgain', 'queryNewRules', 'queryAbort', 'giveSeat']);

export class Pace {
  #stage;
  /** @type {Item[]} */
  #queue = [];
  #isBusy = false;
  #hurry = () => {};

  /** @param {Stage} stage */
  constructor(stage) {
    this.#stage = stage;
  }

  /** @param {Item} item */
  push(item) {
    this.#queue.push(item);
    if (!this.#isBusy) void this.#run();
  }

  /** What is shown has been seen. */
  hurry() {
    this.#hurry();
  }

  async #run() {
    this.#isBusy = true;
    for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
      this.#stage.show(item);
      await this.#waitFor(item.message);
    }
    this.#isBusy = false;
  }

  /** @param {import('../client/messages.js').Message} message */
  async #waitFor(message) {
    switch (message.is) {
      case 'cardPlayed':
        if (message.trick.lying.length < 4) await this.#pause(this.#stage.isQuick() ? QUICK_CARD : CARD);
        break;
      case 'trickDone':
        if (!this.#isHasty) {
          if (this.#stage.isQuick()) await this.#pause(QUICK_TRICK);
          else await this.#hold(CARD + STAYS[this.#stage.trickStays()]);
          this.#stage.sweep();
          await this.#pause(SWEEP);
        }
        this.#stage.cleared();
        break;
      case 'doneHand':
        if (message.winners !== 0) break;
        if (this.#stage.isAlone()) await this.#rest();
        else await this.#hold(HAND_IS_OVER);
        break;
      case 'endGame':
        if (message.decider !== this.#stage.me()) await this.#hold(GAME_IS_OVER);
        break;
      default:
    }
  }

  get #isHasty() {
    return this.#stage.isHasty() || this.#queue.length > TOO_MANY;
  }

  /** What is shown stays until it has been seen, also while nobody looks. */
  async #rest() {
    this.#stage.held(true);
    await new Promise((done) => (this.#hurry = () => done(undefined)));
    this.#hurry = () => {};
    this.#stage.held(false);
  }

  /** @param {number} milliseconds */
  async #hold(milliseconds) {
    if (this.#isHasty) return;
    this.#stage.held(true);
    await this.#pause(milliseconds);
    this.#stage.held(false);
  }

  /** @param {number} milliseconds */
  async #pause(milliseconds) {
    if (this.#isHasty) return;
    await new Promise((done) => {
      this.#hurry = () => done(undefined);
      const look = (/** @type {number} */ end) => {
        if (this.#isHasty || Date.now() >= Math.min(end, this.#ownTimeBegins())) done(undefined);
        else setTimeout(look, Math.min(150, Math.max(1, end - Date.now())), end);
      };
      look(Date.now() + milliseconds);
    });
    this.#hurry = () => {};
  }

  /** When a question to us that waits behind what is shown must be shown. */
  #ownTimeBegins() {
    const times = this.#queue.map(({ message, at }) =>
      QUESTIONS.has(message.is) && 'left' in message && message.left >= 0
        ? at + Math.max(message.left - OWN_TIME, message.left / 3)
        : Infinity,
    );
    return Math.min(...times, Infinity);
  }
}
