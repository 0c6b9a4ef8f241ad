// What one viewer knows of a table: the messages of the dealer dialect, one after the other, become
// what can be drawn.

import { dayOf } from './days.js';
import { HandPicture } from './hand_picture.js';
import { KIND } from './messages.js';
import { playedHand } from './played.js';
import { rulesOf } from './rules.js';

/** @typedef {import('./messages.js').Message} Message */
/** @typedef {import('./messages.js').Query} Query */
/** @typedef {Extract<Message, {is: 'table'}>} FormingTable */

/**
 * The bank of a hand: it has so many milliseconds, and the time from `from` on is taken from it.
 * @typedef {{from: number, stock: number}} Bank
 */

/**
 * What we are asked. `until` is a time of the clock in milliseconds, null where there is no limit.
 * @typedef {{query: Query, until: number | null, bank: Bank | null} & (
 *   {is: 'pass'} | {is: 'card', legal: number[]} | {is: 'moon'} | {is: 'again'}
 * )} Question
 */

/**
 * What all are asked while the play goes on: other rules, or whether something is broken off.
 * @typedef {{query: Query, until: number | null} & (
 *   {is: 'rules', rules: import('./rules.js').Rules, endScore: number} | {is: 'abort', isWholeGame: boolean}
 * )} Vote
 */

/** @typedef {{cards: number[], moon: number | null, byClock: boolean}} MadeForUs the cards that were passed or played, or what became of a moon */

/** @typedef {{query: Query, asker: number, opens: boolean}} SeatWanted we are asked for our seat */

/** @typedef {Extract<Message, {is: 'invitation'}> & {query: Query}} Invitation we are asked to come to a table */
/** @typedef {Extract<Message, {is: 'invitable'}>} Invitable somebody who would come to ours */

/** @typedef {{hand: number, points: number[], totals: number[], shooter: number}} Row a hand's points */

/** @typedef {import('./played.js').PlayedHand} PlayedHand */

/** @typedef {import('./promises.js').Verdict & {names: string[]}} NamedVerdict with the players of that deal */

const LONGEST_HISTORY = 200;
/** What has changed of a player (14.4). */
const SEAT_IS_OPEN = 5;
/** Who has chosen (14.3); 2 is a stand-in. */
const BY = { player: 0, clock: 1, computer: 3 };

export class Picture {
  /** @type {number | null} our seat; null: we watch */
  me = null;
  table = '';
  gameNumber = 0;
  /** @type {import('./fields.js').PlayerInfo[]} */
  players = [];
  /** @type {FormingTable | null} */
  forming = null;
  /** @type {import('./rules.js').Rules | null} */
  rules = null;
  endScore = 100;
  /** Milliseconds; 0: no limit. */
  turnLimit = 0;
  /** @type {HandPicture | null} */
  hand = null;
  /** @type {Question | null} */
  question = null;
  /** @type {Vote | null} */
  vote = null;
  /** @type {SeatWanted | null} */
  seatWanted = null;
  /** @type {Invitation | null} */
  invitation = null;
  /** @type {Invitable[]} as they were listed last */
  invitables = [];
  /** @type {Invitable[]} */
  #listed = [];
  /** @type {{players: number, until: number | null} | null} who is waited for, by bits */
  waiting = null;
  /** @type {import('./fields.js').Score[]} */
  scores = [];
  /** @type {Row[]} of this game */
  rows = [];
  /** Which players have won the game, by bits; 0: it goes on. */
  winners = 0;
  /** The player who is asked about another game; -1 nobody. */
  decider = -1;
  /** Whether another game follows; null: that is not decided. */
  /** @type {boolean | null} */
  again = null;
  isPast = false;
  /** @type {Set<number>} the games in which choices were taken back, so that they do not count */
  takenBack = new Set();
  /** @type {number[]} the seats that are open for a person, where a computer plays until one comes */
  openSeats = [];
  /** @type {MadeForUs | null} the latest choice, if it was made for us */
  madeForUs = null;
  game = 0;
  /** @type {{rules: import('./rules.js').Rules, endScore: number} | null} of the next game */
  nextRules = null;
  /** @type {PlayedHand[]} */
  played = [];
  /** @type {NamedVerdict[]} of the deals that were disclosed */
  verdicts = [];
  /** The deal that is promised and not disclosed yet; 0: none. */
  promised = 0;
  /** @type {number[]} deals that were promised and never disclosed */
  undisclosed = [];
  #isStanding = false;
  #hasComeBack = false;

  /**
   * @param {Message} message
   * @param {Query} query
   * @param {number} at the time at which it came, in milliseconds
   */
  apply(message, query, at) {
    const until = 'left' in message && message.left >= 0 ? at + message.left : null;
    const bank = 'bank' in message && message.bank !== null ? { from: at + message.bank.free, stock: message.bank.stock } : null;
    switch (message.is) {
      case 'registerPlayer':
        this.me = message.player;
        break;
      case 'moveSeat':
        this.me = message.player;
        break;
      case 'invitable':
        this.#listed.push(message);
        break;
      case 'invitables':
        this.invitables = this.#listed.splice(0);
        break;
      case 'invitation':
        this.invitation = { ...message, query };
        break;
      case 'invitationOver':
        this.invitation = null;
        this.invitables = this.invitables.filter(({ number }) => number !== message.number);
        break;
      case 'table':
        this.forming = message;
        this.table = message.table;
        break;
      case 'opponents':
        this.players = message.players;
        break;
      case 'playerChange':
        this.players = this.players.map((p) => (p.player === message.info.player ? message.info : p));
        this.openSeats = this.openSeats.filter((player) => player !== message.info.player);
        if (message.change === SEAT_IS_OPEN) this.openSeats.push(message.info.player);
        break;
      case 'waiting':
        this.waiting = { players: message.players, until };
        break;
      case 'seated':
        this.me = message.player === 4 ? null : message.player;
        this.table = message.table;
        this.gameNumber = message.gameNumber;
        this.question = null;
        this.vote = null;
        this.seatWanted = null;
        this.invitation = null;
        break;
      case 'replay':
        this.isPast = message.begins;
        this.#hasComeBack = message.begins;
        this.question = null;
        break;
      case 'takenBack':
        this.takenBack.add(this.game);
        if (message.hands >= 0) this.#takeBack(message.hands);
        break;
      case 'newGame':
        this.#newGame(message);
        break;
      case 'standing':
        this.#standing(message.scores);
        break;
      case 'newRules':
        this.nextRules = message;
        this.vote = null;
        break;
      case 'queryNewRules':
        this.vote = { is: 'rules', query, until, rules: message.rules, endScore: message.endScore };
        break;
      case 'rulesStay':
      case 'playGoesOn':
        this.vote = null;
        break;
      case 'giveSeat':
        this.seatWanted = { query, asker: message.asker, opens: message.opens };
        break;
      case 'seatStays':
        this.seatWanted = null;
        break;
      case 'queryAbort':
        this.vote = { is: 'abort', query, until, isWholeGame: message.isWholeGame };
        break;
      case 'abortHand':
      case 'abortGame':
        if (this.vote?.is === 'abort') this.vote = null;
        this.hand = null;
        this.question = null;
        this.waiting = null;
        break;
      case 'commitment':
        if (this.promised > 0 && this.promised !== message.deal) {
          this.undisclosed = [...this.undisclosed, this.promised];
        }
        this.promised = message.deal;
        break;
      case 'newHand':
        this.hand = new HandPicture(message.hand, message.direction, this.rules ?? rulesOf(0));
        this.question = null;
        this.waiting = null;
        if (this.me === null) this.hand.counts = [13, 13, 13, 13];
        break;
      case 'takeCard':
        this.hand?.take(message.card);
        break;
      case 'doPass':
        this.question = { is: 'pass', query, until, bank };
        break;
      case 'losePass':
        this.hand?.lose(message.cards, message.by);
        this.#chosen(message.cards, message.by);
        this.question = null;
        break;
      case 'takePass':
        this.hand?.receive(message.from, message.cards);
        break;
      case 'firstLead':
        this.hand?.lead(message.leader);
        this.waiting = null;
        break;
      case 'playCard':
        this.hand?.clear();
        // Behind a claim a computer chooses at once.
        if (this.hand?.claimed != null) break;
        this.question = { is: 'card', query, until, bank, legal: message.legal };
        break;
      case 'claimRest':
        if (this.hand !== null) this.hand.claimed = { player: message.player, cards: message.cards };
        this.question = null;
        break;
      case 'loseCard':
        this.#chosen([message.card], message.by);
        this.question = null;
        break;
      case 'cardPlayed':
        this.waiting = null;
        this.hand?.play(message.trick, message);
        break;
      case 'trickDone':
        this.hand?.taken(message.trick.winner, message.points);
        break;
      case 'shotMoon':
        if (this.hand !== null) this.hand.moon = { player: message.player, onOthers: null, by: 0 };
        break;
      case 'moonChoice':
        this.question = { is: 'moon', query, until, bank };
        break;
      case 'moonChosen':
        this.question = null;
        if (message.player === this.me) this.#chosen([], message.by, message.onOthers);
        if (this.hand !== null) this.hand.moon = { player: message.player, onOthers: message.onOthers, by: message.by };
        break;
      case 'doneHand':
        this.#doneHand(message);
        break;
      case 'endGame':
        this.winners = message.winners;
        this.decider = message.decider;
        this.scores = message.scores;
        break;
      case 'playAgain':
        this.question = { is: 'again', query, until, bank };
        break;
      case 'againDecided':
        this.again = message.yes;
        this.question = null;
        this.waiting = null;
        break;
      default:
    }
  }

  /**
   * A deal was disclosed.
   * @param {import('./promises.js').Verdict} verdict
   */
  proved(verdict) {
    this.promised = 0;
    this.undisclosed = this.undisclosed.filter((deal) => deal !== verdict.deal);
    const named = { ...verdict, names: this.players.map(({ name }) => name) };
    this.verdicts = [...this.verdicts.filter(({ deal }) => deal !== verdict.deal), named];
  }

  /** @param {number[]} cards @param {number} by who has chosen @param {number | null} moon */
  #chosen(cards, by, moon = null) {
    if (this.isPast || by === BY.computer) return;
    this.madeForUs = by === BY.player ? null : { cards, moon, byClock: by === BY.clock };
  }

  /** Whether we play with computers alone. */
  get isAlone() {
    return this.me !== null && this.players.every(({ player, kind }) => player === this.me || kind === KIND.cpu);
  }

  /** The day whose deals are played at this table; empty: it has deals of its own. */
  get day() {
    return dayOf(this.table);
  }

  /** Whether we may take a choice back: alone, without a clock, in a game in which we have made one. */
  get mayTakeBack() {
    const { hand, rows } = this;
    if (hand === null || this.day !== '' || this.winners !== 0 || !this.isAlone || this.turnLimit !== 0) return false;
    const played = [...hand.tricks, hand.trick].flatMap((trick) => trick?.plays ?? []);
    return rows.length > 0 || hand.passed !== null || played.some(({ player }) => player === this.me);
  }

  /** The points that each player has in the game. */
  get totals() {
    return this.scores.length === 4 ? this.scores.map(({ points }) => points) : [0, 0, 0, 0];
  }

  /** Whose turn it is, also while cards are passed. @param {number} player */
  isAwaited(player) {
    const { hand, question } = this;
    if (player === this.me && question !== null) return true;
    if (hand === null || hand.isDone) return false;
    if (hand.trick !== null) return hand.turn === player;
    return this.waiting !== null && ((this.waiting.players >> player) & 1) === 1;
  }

  /** @param {Extract<Message, {is: 'newGame'}>} message */
  #newGame({ rules, endScore, turnLimit }) {
    this.rules = rules;
    this.endScore = endScore;
    this.turnLimit = turnLimit;
    this.forming = null;
    this.nextRules = null;
    this.winners = 0;
    this.decider = -1;
    this.again = null;
    if (this.#hasComeBack) {
      this.#hasComeBack = false;
      this.#isStanding = true;
      return;
    }
    this.game += 1;
    this.rows = [];
    this.hand = null;
    this.scores = this.scores.map((score) => ({ ...score, points: 0, queens: 0, jacks: 0 }));
  }

  /** The latest hands are to be played again. @param {number} hands */
  #takeBack(hands) {
    this.rows = this.rows.slice(0, this.rows.length - hands);
    const kept = this.rows.map(({ hand }) => hand);
    this.played = this.played.filter(({ game, number }) => game !== this.game || kept.includes(number));
    this.hand = null;
    this.question = null;
    this.madeForUs = null;
    this.waiting = null;
    this.promised = 0;
  }

  /** What is so when one comes back: rows that lead there are kept. */
  #standing(/** @type {import('./fields.js').Score[]} */ scores) {
    const points = scores.map((score) => score.points).join();
    if (this.#isStanding) {
      this.#isStanding = false;
      const at = this.rows.findLastIndex((row) => row.totals.join() === points);
      this.rows = this.rows.slice(0, at + 1);
      this.game = Math.max(this.game, 1);
      this.hand = null;
    }
    this.scores = scores;
  }

  /** @param {Extract<Message, {is: 'doneHand'}>} message */
  #doneHand({ scores, points, shooter, winners }) {
    const { hand, rules } = this;
    if (hand === null || rules === null) return;
    hand.isDone = true;
    hand.turn = null;
    this.question = null;
    this.waiting = null;
    this.scores = scores;
    this.winners = winners;
    const totals = scores.map((score) => score.points);
    this.rows = [...this.rows.filter((row) => row.hand !== hand.number), { hand: hand.number, points, totals, shooter }];
    const isAgain = (/** @type {PlayedHand} */ other) => other.game === this.game && other.number === hand.number;
    this.played = [
      ...this.played.filter((other) => !isAgain(other)),
      playedHand(this, { hand, rules, points, totals }),
    ].slice(-LONGEST_HISTORY);
  }
}
