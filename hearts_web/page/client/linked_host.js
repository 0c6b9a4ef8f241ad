// A hand of a link that is played on here, from any of its cards: one player, and three computers who
// choose from what they see. It speaks as a server does to a session of a table, and keeps nothing.

import { intOf } from './bytes.js';
import { chooseCard, chooseMoon, choosePass } from './choice.js';
import { KIND, BY_COMPUTER, REQUEST } from './messages.js';
import { OpenGame, added } from './open_game.js';
import { moonOf } from './rules.js';
import { secretName } from './table_names.js';

/** @typedef {import('./messages.js').Message} Message */
/** @typedef {import('./hand_link.js').LinkedHand} LinkedHand */

/** Types of questions, which nobody looks at here. */
const ASKED = 108;
/** @type {Message[]} */
const NOTHING = [];

export class LinkedHost {
  levels = 0;
  isConnected = true;
  #linked;
  #me;
  #name;
  #count;
  #network;
  #listener;
  #game;
  #sequence = 0;
  /** @type {(payload: Uint8Array) => void} */
  #answered = () => {};
  #leave = () => {};
  #isLeft = new Promise((/** @type {(value: undefined) => void} */ done) => (this.#leave = () => done(undefined)));

  /**
   * @param {object} made
   * @param {LinkedHand} made.linked
   * @param {number} made.me
   * @param {string} made.name ours
   * @param {number} made.count cards that were played before; with 0 the pass is chosen anew
   * @param {Promise<import('./swift.js').Network | null>} made.network null: computers play by simple rules
   * @param {import('./session.js').Seat} made.seat
   * @param {import('./session.js').Listener} made.listener
   */
  constructor({ linked, me, name, count, network, seat, listener }) {
    const { hand } = linked;
    this.#linked = linked;
    this.#me = me;
    this.#name = name;
    this.#count = count;
    this.#network = network;
    this.seat = seat;
    this.#listener = listener;
    const dealt = hand.verdict?.hands ?? [];
    this.#game = new OpenGame({ dealt, direction: hand.direction, number: hand.number, rules: hand.rules });
  }

  /** Plays the hand; it is over when the player has left. */
  async run() {
    void this.#play();
    await this.#isLeft;
  }

  /** @param {import('./messages.js').Query} query @param {Uint8Array} payload */
  answer(query, payload) {
    if (query.sequence === this.#sequence) this.#answered(payload);
  }

  /** @param {number} type */
  request(type) {
    if (type === REQUEST.leave) this.close();
    if (type === REQUEST.ping) this.#tell({ is: 'pong' });
  }

  drop() {}

  close() {
    this.isConnected = false;
    this.#leave();
  }

  /** @param {Message} message */
  #tell(message) {
    this.#listener.hear(message, { type: 0, sequence: 0 });
  }

  /** @param {Message} message @returns {Promise<Uint8Array>} */
  #ask(message) {
    this.#sequence += 1;
    const answer = new Promise((/** @type {(payload: Uint8Array) => void} */ done) => (this.#answered = done));
    this.#listener.hear(message, { type: ASKED, sequence: this.#sequence });
    return answer;
  }

  async #play() {
    const { hand, before, names } = this.#linked;
    const { rules, endScore, direction } = hand;
    const game = this.#game;
    const network = await this.#network;
    const scores = before.map((points) => ({ points, queens: 0, jacks: 0, games: 0 }));
    const players = [0, 1, 2, 3].map((player) => ({
      player, kind: player === this.#me ? KIND.person : KIND.cpu, level: 0, presence: 1, comment: '',
      name: player === this.#me ? this.#name : names?.[player] ?? `${player + 1}`,
    }));
    for (const message of /** @type {Message[]} */ ([
      { is: 'opponents', players },
      { is: 'seated', player: this.#me, gameNumber: 1, gameId: 0, table: secretName('hand') },
      { is: 'replay', begins: true },
      { is: 'newGame', rules, endScore, turnLimit: 0 },
      { is: 'standing', scores },
      { is: 'newHand', hand: hand.number, direction },
      ...game.begin.dealt[this.#me].map((card) => ({ is: 'takeCard', card })),
      ...(this.#count === 0 ? [{ is: 'replay', begins: false }] : NOTHING),
    ])) this.#tell(message);
    if (direction !== 0) await this.#pass(network);
    this.#tell({ is: 'firstLead', leader: game.turn });
    const cards = hand.tricks.flatMap(({ plays }) => plays).slice(0, this.#count);
    for (const { card, by } of cards) this.#put(card, by);
    if (this.#count > 0) this.#tell({ is: 'replay', begins: false });
    while (game.turn >= 0) await this.#next(network);
    await this.#end(before, endScore);
  }

  /** @param {import('./swift.js').Network | null} network */
  async #pass(network) {
    const game = this.#game;
    const { direction } = game.begin;
    const me = this.#me;
    const held = game.known[me].held;
    let passed = this.#linked.passed;
    if (this.#count === 0) {
      passed = game.known.map((known, player) => network?.choosePass(known, player) ?? choosePass(known));
      passed[me] = await this.#own(3, held, () => this.#ask({ is: 'doPass', left: -1, state: 0, player: me, direction, held, bank: null }));
    }
    game.exchange(passed);
    this.#tell({ is: 'losePass', cards: passed[me], by: 0 });
    const { from, cards } = game.known[me].received ?? { from: 0, cards: [] };
    this.#tell({ is: 'takePass', from, cards });
  }

  /** Some of the cards that may be chosen, as they are answered. @param {number} count @param {number[]} from @param {() => Promise<Uint8Array>} ask */
  async #own(count, from, ask) {
    for (;;) {
      const payload = await ask();
      const cards = Array.from({ length: payload.length / 4 }, (_, place) => intOf(payload.subarray(4 * place)));
      if (cards.length === count && new Set(cards).size === count && cards.every((card) => from.includes(card))) return cards;
    }
  }

  /** The next card. @param {import('./swift.js').Network | null} network */
  async #next(network) {
    const game = this.#game;
    const { turn, legal } = game;
    const { rules } = game.begin;
    const known = game.known[turn];
    if (turn !== this.#me) {
      const lying = (known.trick?.plays ?? []).map(({ card }) => card);
      const card = legal.length === 1 ? legal[0] : network?.chooseCard(known, turn, legal) ?? chooseCard({ legal, trick: lying, rules });
      // One after the other: a long hand must not hold up what is drawn.
      await new Promise((done) => setTimeout(done));
      this.#put(card, BY_COMPUTER);
      return;
    }
    const held = known.held;
    const [card] = await this.#own(1, legal, () => this.#ask({ is: 'playCard', left: -1, state: 0, trick: this.#shown(), held, legal, bank: null }));
    this.#put(card, 0);
  }

  /** The trick that lies. @returns {import('./fields.js').Trick} */
  #shown() {
    const trick = /** @type {import('./hand_picture.js').ShownTrick} */ (this.#game.known[0].trick);
    return { lying: trick.plays.map(({ card }) => card), leader: trick.leader, round: trick.round, broken: this.#game.known[0].broken, winner: trick.winner };
  }

  /** @param {number} card @param {number} by */
  #put(card, by) {
    const game = this.#game;
    const player = game.turn;
    const trick = this.#shown();
    game.put(card);
    if (player === this.#me) this.#tell({ is: 'loseCard', card, by: 0 });
    const lying = [...trick.lying, card];
    this.#tell({ is: 'cardPlayed', player, card, by, trick: { ...trick, lying, broken: game.known[0].broken } });
    if (lying.length < 4) return;
    const { winner } = game.tricks[game.tricks.length - 1];
    this.#tell({ is: 'trickDone', trick: { ...trick, lying, winner }, points: game.tallies });
  }

  /** @param {number[]} before @param {number} endScore */
  async #end(before, endScore) {
    const game = this.#game;
    const { rules } = game.begin;
    const { shooter } = game;
    let onOthers = rules.moon !== 1;
    if (shooter >= 0) this.#tell({ is: 'shotMoon', player: shooter, decides: rules.moon === 2 });
    if (shooter >= 0 && rules.moon === 2) {
      onOthers = shooter === this.#me
        ? intOf(await this.#ask({ is: 'moonChoice', left: -1, bank: null })) === 1
        : chooseMoon(shooter, before, endScore, moonOf(rules)) === 1;
      this.#tell({ is: 'moonChosen', player: shooter, onOthers: Number(onOthers), by: shooter === this.#me ? 0 : BY_COMPUTER });
    }
    const points = game.points(onOthers);
    const { totals, winners } = added(before, points, rules, endScore);
    const scores = totals.map((total) => ({ points: total, queens: 0, jacks: 0, games: 0 }));
    this.#tell({ is: 'doneHand', queenWinner: -1, jackWinner: -1, shooter, scores, gameWinner: -1, points, winners });
    if (winners !== 0) this.#tell({ is: 'endGame', scores, winners, decider: -1 });
    this.#tell({ is: 'againDecided', player: -1, yes: false, by: 0 });
  }
}
