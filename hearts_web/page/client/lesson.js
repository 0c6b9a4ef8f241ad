// The guided first hand: its cards, its computers, and the moments at which something is said. The
// words are in hearts/bots/lesson.json; the same moments are found in hearts_client/words/lesson.py, and
// both are held to the same vectors.

import { HEARTS, Hand, QUEEN_OF_SPADES, SPADES, highestOf, strength, suit } from './cards.js';
import { chooseCard, choosePass } from './choice.js';
import { deal } from './deal.js';
import { KIND } from './messages.js';
import { Picture } from './picture.js';
import { moonOf, pointsOf, rulesOf } from './rules.js';
import { rowsOf } from './swift.js';

/** @typedef {import('./hand_picture.js').HandPicture} HandPicture */
/** @typedef {import('./swift.js').Network} Network */
/** @typedef {'pass' | 'card' | 'trick' | 'end'} At */
/** @typedef {{key: string, at: At} & Record<string, string>} Step */
/** @typedef {{you: string, suits: string[]}} Words */
/** @typedef {{secret: string, names: string[], unwise: number, steps: Step[]} & Record<string, Words>} Lesson */

const STANDARD = rulesOf(0);
/** Where the cards of a player go: one seat on, to the left. */
const LEFT = 1;

/**
 * What the conditions of the moments are about.
 * @typedef {object} Position
 * @property {HandPicture} hand
 * @property {number} me
 * @property {number[]} trick the cards that lie
 * @property {number[]} spades those that are held
 * @property {number[]} ofSuit the held cards of the suit that was led
 * @property {boolean} leads
 * @property {boolean} isQueenOut whether somebody else holds the queen of spades
 * @property {number[]} holders who has taken points
 */

/** @param {HandPicture} hand @param {number} me @returns {Position} */
function positionOf(hand, me) {
  const trick = hand.trick !== null && hand.trick.winner < 0 ? hand.trick.plays.map(({ card }) => card) : [];
  const played = [...trick, ...hand.tricks.flatMap(({ plays }) => plays.map(({ card }) => card))];
  return {
    hand, me, trick,
    spades: hand.held.filter((card) => suit(card) === SPADES),
    ofSuit: trick.length === 0 ? [] : hand.held.filter((card) => suit(card) === suit(trick[0])),
    leads: trick.length === 0 && hand.tricks.length > 0,
    isQueenOut: ![...hand.held, ...played].includes(QUEEN_OF_SPADES),
    holders: [0, 1, 2, 3].filter((player) => hand.points[player] !== 0),
  };
}

const isAbove = (/** @type {number} */ card) => strength(card) > strength(QUEEN_OF_SPADES);
const lastOf = (/** @type {Position} */ { hand }) => (hand.lastTrick?.plays ?? []).map(({ card }) => card);

/** The conditions of the moments; the others come at their first time. @type {Record<string, (now: Position) => boolean>} */
const HOLDS = {
  high: ({ hand, ofSuit }) => hand.tricks.length === 0 && ofSuit.length > 0,
  follow: ({ ofSuit }) => ofSuit.length > 0,
  lead: ({ leads }) => leads,
  duck({ trick, ofSuit }) {
    const below = ofSuit.filter((card) => strength(card) < strength(highestOf(trick)));
    return below.length > 0 && below.length < ofSuit.length;
  },
  last: ({ trick, ofSuit }) => trick.length === 3 && ofSuit.length > 0,
  void: ({ trick, ofSuit }) => trick.length > 0 && ofSuit.length === 0,
  flush: ({ leads, isQueenOut, spades }) => leads && isQueenOut && spades.length > 0 && !spades.some(isAbove),
  danger: ({ isQueenOut, spades }) => isQueenOut && spades.some(isAbove),
  holding: ({ hand }) => hand.held.includes(QUEEN_OF_SPADES),
  hearts: ({ hand, leads }) => leads && hand.broken && hand.held.some((card) => suit(card) === HEARTS),
  few: ({ hand }) => hand.tricks.length === 9,
  broken: ({ hand }) => hand.broken,
  queen: (now) => lastOf(now).includes(QUEEN_OF_SPADES),
  mine: ({ me, holders }) => holders.includes(me),
  alone: ({ hand, holders }) => holders.length === 1 && Math.max(...hand.points) > 3,
  shared: ({ holders }) => holders.length > 1,
  count: ({ holders }) => holders.length > 1,
  shot: ({ holders }) => holders.length === 1,
};

/** Says each thing once, at its moment. */
export class Guide {
  #lesson;
  #language;
  #card;
  #left;

  /** @param {Lesson} lesson @param {string} language @param {(card: number) => string} card what a card is called */
  constructor(lesson, language, card) {
    this.#lesson = lesson;
    this.#language = language;
    this.#card = card;
    this.#left = lesson.steps;
  }

  /** What there is to say now. @param {At} at @param {HandPicture} hand @param {number} me @param {string[]} names */
  say(at, hand, me, names) {
    const now = positionOf(hand, me);
    const steps = this.#left.filter((step) => step.at === at && (HOLDS[step.key] ?? (() => true))(now));
    this.#left = this.#left.filter((step) => !steps.includes(step));
    const words = this.#words(now, names);
    return steps.map((step) => step[this.#language].replace(/\{(\w+)\}/g, (_, word) => words[word]));
  }

  /** @param {Position} now @param {string[]} names @returns {Record<string, string>} */
  #words({ hand, me, trick, holders }, names) {
    const { you, suits } = this.#lesson[this.#language];
    const called = names.map((name, player) => (player === me ? you : name));
    const last = hand.lastTrick;
    const lying = trick.length > 0 ? trick : (last?.plays ?? []).map(({ card }) => card);
    return {
      left: called[(me + 1) % 4],
      right: called[(me + 3) % 4],
      cards: (hand.received?.cards ?? []).map(this.#card).join(' '),
      led: trick.length > 0 ? suits[suit(trick[0])] : '',
      best: this.#card(lying.length > 0 ? highestOf(lying) : QUEEN_OF_SPADES),
      first: called[hand.tricks[0]?.leader ?? hand.trick?.leader ?? 0],
      taker: last === null ? '' : called[last.winner],
      rival: holders.length > 0 ? called[holders[0]] : '',
      points: `${hand.points[me]}`,
      scores: called.map((name, player) => `${name} ${hand.points[player]}`).join(', '),
    };
  }
}

/** One hand at a table of four, as each of them sees it. */
export class LessonTable {
  pictures = [0, 1, 2, 3].map(() => new Picture());
  #network;
  #unwise;
  #sequence = 0;

  /** @param {Lesson} lesson @param {string} name of the learner, player 0 @param {Network | null} network null: computers play by simple rules */
  constructor(lesson, name, network) {
    this.#network = network;
    this.#unwise = lesson.unwise;
    const players = [name, ...lesson.names].map((name, player) => ({
      player, name, kind: player === 0 ? KIND.person : KIND.cpu, presence: 1, level: 0, comment: '',
    }));
    const bytes = Uint8Array.from(lesson.secret.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    const hands = deal(bytes, new Uint8Array(32));
    this.pictures.forEach((_, player) => this.#tell({ is: 'seated', player, gameNumber: 1, gameId: 0, table: '' }, player));
    this.#tell({ is: 'opponents', players });
    this.#tell({ is: 'newGame', rules: STANDARD, endScore: 100, turnLimit: 0 });
    this.#tell({ is: 'newHand', hand: 1, direction: LEFT });
    hands.forEach((cards, player) => cards.forEach((card) => this.#tell({ is: 'takeCard', card }, player)));
  }

  /** @param {number} player */
  hand(player) {
    return /** @type {HandPicture} */ (this.pictures[player].hand);
  }

  get isOver() {
    return this.hand(0).tricks.length === 13;
  }

  get turn() {
    return this.hand(0).turn ?? 0;
  }

  /** What the player on turn may play. */
  get legal() {
    return Hand.of(this.hand(this.turn)).legal;
  }

  /** Asks the learner for a pass, or for a card. @param {'pass' | 'card'} what */
  ask(what) {
    if (what === 'pass') this.#tell({ is: 'doPass', left: -1 }, 0);
    else this.#tell({ is: 'playCard', left: -1, legal: this.legal }, 0);
  }

  /** What a player passes. @param {number} player */
  wisePass(player) {
    const hand = this.hand(player);
    return this.#network?.choosePass(hand, player) ?? choosePass({ held: hand.held, rules: STANDARD });
  }

  /** What the player on turn plays. */
  wiseCard() {
    const { legal, turn } = this;
    if (legal.length === 1) return legal[0];
    const trick = (this.hand(turn).trick?.plays ?? []).map(({ card }) => card);
    return this.#network?.chooseCard(this.hand(turn), turn, legal) ?? chooseCard({ legal, trick, rules: STANDARD });
  }

  /** What the learner should pass or play in place of some cards that cost much more; null: nothing. @param {number[]} cards */
  better(cards) {
    if (this.#network === null) return null;
    if (cards.length > 1) {
      const wise = this.wisePass(0);
      return wise.some((card) => cards.includes(card)) ? null : wise;
    }
    const costs = this.#network.costs(rowsOf(this.hand(0), 0));
    const cost = (/** @type {number} */ card) => costs[13 * suit(card) + strength(card) - 1];
    const wise = this.wiseCard();
    return cost(cards[0]) - cost(wise) >= this.#unwise ? [wise] : null;
  }

  /** All pass, the learner these. @param {number[]} cards */
  pass(cards) {
    const passes = [cards, ...[1, 2, 3].map((player) => this.wisePass(player))];
    passes.forEach((some, player) => this.#tell({ is: 'losePass', cards: some, by: 0 }, player));
    passes.forEach((some, player) => this.#tell({ is: 'takePass', from: player, cards: some.toSorted((a, b) => a - b) }, (player + 1) % 4));
    const leader = [0, 1, 2, 3].find((player) => this.hand(player).held.includes(15)) ?? 0;
    this.#tell({ is: 'firstLead', leader });
    return passes;
  }

  /** The player on turn plays a card. @param {number} card */
  play(card) {
    const { turn } = this;
    const { trick, broken } = this.hand(0);
    const breaks = broken || suit(card) === HEARTS || card === QUEEN_OF_SPADES;
    if (turn === 0) this.#tell({ is: 'loseCard', card, by: 0 }, 0);
    this.#tell({ is: 'cardPlayed', trick: { round: trick?.round, leader: trick?.leader, broken: breaks }, player: turn, card, by: 0 });
    const lying = this.hand(0).trick?.plays ?? [];
    if (lying.length < 4) return;
    const best = highestOf(lying.map((play) => play.card));
    const winner = lying.find((play) => play.card === best)?.player ?? 0;
    const points = [...this.hand(0).points];
    points[winner] += lying.reduce((sum, play) => sum + pointsOf(play.card, STANDARD), 0);
    this.#tell({ is: 'trickDone', trick: { winner }, points });
  }

  /** The trick that was taken is put away. */
  clear() {
    for (const { hand } of this.pictures) hand?.clear();
  }

  /** Counts the hand that is over. */
  count() {
    const taken = this.hand(0).points;
    const shooter = taken.indexOf(moonOf(STANDARD));
    const points = shooter < 0 ? taken : taken.map((_, player) => (player === shooter ? 0 : moonOf(STANDARD)));
    this.#tell({ is: 'doneHand', scores: points.map((points, player) => ({ player, points })), points, shooter, winners: 0 });
  }

  /** @param {object} message @param {number} [only] the player who is told; nobody: all */
  #tell(message, only) {
    this.#sequence += 1;
    const query = { type: 0, sequence: this.#sequence };
    this.pictures.forEach((picture, player) => {
      if (only !== undefined && only !== player) return;
      picture.apply(/** @type {import('./messages.js').Message} */ (/** @type {unknown} */ (message)), query, 0);
    });
  }
}
