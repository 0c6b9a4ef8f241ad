// One seat, or one table that is watched, from the first connection to the last message: what is
// shown of it, what the player may do, and its chat.

import { intsOf, strOf } from '../client/bytes.js';
import { chooseCard, choosePass } from '../client/choice.js';
import { isProved } from '../client/claim.js';
import { Picture } from '../client/picture.js';
import { REQUEST } from '../client/messages.js';
import { Session, isStillOpen } from '../client/session.js';
import { openWebSocket } from '../client/websocket_line.js';
import { texts } from '../texts.js';
import { outcomeOf } from './announcing.js';
import { bestChoice } from './best_choice.js';
import { Pace } from './pace.js';
import { whyNot } from './refusals.js';
import { Talk } from './talk.js';
import { Wishes } from './wishes.js';

/** @typedef {import('../client/messages.js').Message} Message */
/** @typedef {Pick<Session, 'run' | 'answer' | 'request' | 'isConnected' | 'drop' | 'close' | 'seat' | 'levels'>} Host */

const WAITS = [0.3, 0.7, 1, 2, 4, 6, 8, ...Array.from({ length: 2000 }, () => 10)];
const PING_EVERY = 20_000;
const PONG_WITHIN = 8_000;
const STAND_IN = 2;

/**
 * @param {'game' | 'chat'} path
 * @returns {() => Promise<import('../client/wire.js').Line>}
 */
export function opener(path) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  url.hash = '';
  return () => openWebSocket(url);
}

export class TableSession {
  picture = new Picture();
  /** What is said at the table. */
  talk;
  /** What may be asked for beside cards. */
  wishes;
  /** @type {Error | null} why there is no connection, while it is made anew */
  lost = null;
  isOver = false;
  /** @type {Error | null} why it is over, if that is no plain end */
  problem = null;
  /** What the server said no to, in words. */
  refusal = '';
  /** Whether the rest of the hand is chosen for us, by the sense of the hints. */
  isFinishing = false;
  /** Whether the full trick is on its way to who has taken it. */
  isSweeping = false;
  /** Whether what is shown stays for a while, or until the player goes on. */
  isHeld = false;
  /** @type {number[]} what was answered and is not confirmed yet */
  sent = [];
  #sentFor = 0;
  #session;
  #pace;
  #options;
  #changed;
  #told;
  /** @type {import('../client/promises.js').Verdict | null} */
  #verdict = null;
  /** Whether what is still to be shown was taken back. */
  #goesBack = false;
  #wake = () => {};
  #heardAt = 0;
  #pingTimer = 0;

  /**
   * @param {object} made
   * @param {import('../client/session.js').Wanted} made.wanted
   * @param {import('../client/session.js').Seat} made.seat
   * @param {() => import('./options.js').Options} made.options
   * @param {boolean} [made.isInvitable] whether others may invite us to their tables
   * @param {Promise<boolean>} made.hasChat whether this server has a chat
   * @param {() => void} made.changed something is to be drawn anew
   * @param {(message: Message, picture: Picture) => void} made.told each message before it is shown
   * @param {(seat: import('../client/session.js').Seat) => void} made.keep
   * @param {(listener: import('../client/session.js').Listener) => Host} [made.host] what takes the
   *   place of a server
   */
  constructor({ wanted, seat, options, isInvitable = false, hasChat, changed, told, keep, host }) {
    this.wanted = wanted;
    this.isInvitable = isInvitable;
    /** Whether it is a hand of a link, which no server plays. */
    this.isLinked = host !== undefined;
    this.#options = options;
    this.#changed = changed;
    this.#told = told;
    this.#pace = new Pace({
      show: (item) => this.#show(item),
      sweep: () => this.#set(() => (this.isSweeping = true)),
      cleared: () =>
        this.#set(() => {
          this.isSweeping = false;
          this.picture.hand?.clear();
        }),
      held: (isHeld) => this.#set(() => (this.isHeld = isHeld)),
      isHasty: () => document.hidden || this.picture.isPast || this.#goesBack,
      isQuick: () => this.isFinishing || this.picture.hand?.claimed != null,
      isAlone: () => this.picture.isAlone && !this.picture.isPast && !this.#goesBack && this.picture.turnLimit === 0,
      me: () => this.picture.me,
      trickStays: () => this.#options().trickStays,
    });
    this.talk = new Talk({ open: opener('chat'), hasChat, me: () => this.picture.me, changed });
    /** @type {import('../client/session.js').Listener} */
    const listener = {
      hear: (message, query) => this.#take(message, query),
      proved: (verdict) => (this.#verdict = verdict),
      promiseChanged: (deal) => this.#set(() => this.talk.add(-1, texts.fair.changed(deal))),
      keep,
      lost: (error) => this.#set(() => (this.lost = error)),
    };
    this.#session = host?.(listener) ?? new Session({
      open: opener('game'),
      wanted,
      seat,
      waits: WAITS,
      sleep: (seconds) => this.#sleep(seconds * 1000),
      listener,
    });
    this.wishes = new Wishes({
      session: this.#session,
      picture: this.picture,
      begin: () => this.#set(() => (this.refusal = '')),
      changed,
    });
  }

  /** The levels that computers may play at, as bits. */
  get levels() {
    return this.#session.levels;
  }

  get isWatching() {
    return this.wanted.watch != null;
  }

  /** Runs to the end of the session. */
  async run() {
    const hurry = () => this.#lookAlive();
    document.addEventListener('visibilitychange', hurry);
    window.addEventListener('online', hurry);
    this.#pingTimer = window.setInterval(() => this.#ping(PONG_WITHIN), PING_EVERY);
    try {
      await this.#session.run();
    } catch (error) {
      this.problem = /** @type {Error} */ (error);
    }
    document.removeEventListener('visibilitychange', hurry);
    window.removeEventListener('online', hurry);
    clearInterval(this.#pingTimer);
    this.#set(() => {
      this.isOver = true;
      this.lost = null;
    });
    window.setTimeout(() => this.talk.leave(), 60_000);
  }

  // What the player does

  /** Says that the player is here again; a stand-in goes when the connection comes anew (5.5). */
  comeBack() {
    const { me, players } = this.picture;
    this.#set(() => (this.picture.madeForUs = null));
    if (players.some(({ player, presence }) => player === me && presence === STAND_IN)) this.#session.drop();
    this.#wake();
  }

  /** Goes on where something is held. */
  goOn() {
    this.#pace.hurry();
  }

  /** Says why a card may not be played. @param {number} card */
  explain(card) {
    this.#set(() => (this.refusal = whyNot(this.picture.hand, card)));
  }

  /** @param {number[]} cards */
  pass(cards) {
    this.#answer('pass', intsOf(...cards), cards);
  }

  /** @param {number} card */
  play(card) {
    this.#answer('card', intsOf(card), [card]);
  }

  /** @param {boolean} onOthers */
  moon(onOthers) {
    this.#answer('moon', intsOf(onOthers ? 1 : 0), []);
  }

  /** @param {boolean} yes */
  again(yes) {
    this.#answer('again', intsOf(yes ? 1 : 0), []);
  }

  /** Leaves for good. */
  leave() {
    if (this.isWatching || !this.#session.isConnected) this.#session.close();
    else this.#session.request(REQUEST.leave);
    this.#wake();
    this.talk.leave();
  }

  /** @param {string} text */
  say(text) {
    if (this.picture.gameNumber === 0) this.#session.request(REQUEST.comment, strOf(text));
    else this.talk.say(text);
  }

  /**
   * @param {import('../client/picture.js').Question['is']} is
   * @param {Uint8Array} payload
   * @param {number[]} cards
   */
  #answer(is, payload, cards) {
    const { question } = this.picture;
    if (question?.is !== is || this.#sentFor === question.query.sequence) return;
    this.#set(() => {
      this.#sentFor = question.query.sequence;
      this.sent = cards;
      this.refusal = '';
    });
    this.#session.answer(question.query, payload);
  }

  /** Whether all tricks that are left are certainly ours, and may be claimed now. */
  get mayClaim() {
    const { hand, question } = this.picture;
    if (hand === null || question?.is !== 'card' || this.sent.length > 0) return false;
    if ((hand.trick?.plays.length ?? 0) > 0) return false;
    return isProved(hand.held, hand.tricks.flatMap(({ plays }) => plays.map(({ card }) => card)));
  }

  claim() {
    this.#session.request(REQUEST.claimRest);
  }

  /** Takes our latest choice back, or does again what was taken back. @param {boolean} isAgain */
  takeBack(isAgain) {
    if (!this.picture.mayTakeBack) return;
    this.#set(() => (this.isFinishing = false));
    this.wishes.takeBack(isAgain);
  }

  /** Plays the hand to its end without asking. */
  finishHand() {
    this.#set(() => (this.isFinishing = true));
    void this.#choose();
    this.goOn();
  }

  async #choose() {
    const { hand, question, rules, me } = this.picture;
    if (!this.isFinishing || hand === null || rules === null || me === null) return;
    if (question?.is !== 'pass' && question?.is !== 'card') return;
    const best = await bestChoice();
    // Something else may be asked by now.
    if (!this.isFinishing || this.picture.question !== question) return;
    if (question.is === 'pass') {
      this.pass(best?.choosePass(hand, me) ?? choosePass({ held: hand.held, rules }));
      return;
    }
    const { legal } = question;
    const trick = (hand.trick?.plays ?? []).map(({ card }) => card);
    this.play(best?.chooseCard(hand, me, legal) ?? chooseCard({ legal, trick, rules }));
  }

  // What comes

  /** @param {Message} message @param {import('../client/messages.js').Query} query */
  #take(message, query) {
    this.#heardAt = Date.now();
    if (this.lost !== null) this.#set(() => (this.lost = null));
    if (message.is === 'pong') return;
    if (message.is === 'registerPlayer' && this.isInvitable && this.#session.seat.gameNumber === 0) {
      this.#session.request(REQUEST.invitable, intsOf(1));
    }
    const verdict = message.is === 'proof' ? this.#verdict : null;
    if (message.is === 'seated' && !this.isWatching) void this.talk.join(this.#session.seat);
    this.#pace.push({ at: this.#heardAt, message, query, verdict });
    if (message.is === 'takenBack' && message.hands >= 0) {
      this.#goesBack = true;
      this.goOn();
    }
  }

  /** @param {import('./pace.js').Item} item */
  #show({ at, message, query, verdict }) {
    this.#told(message, this.picture);
    this.#set(() => {
      if (['seated', 'takenBack'].includes(message.is)) this.#sentFor = 0;
      if (message.is === 'takenBack') this.#goesBack = false;
      this.picture.apply(message, query, at);
      if (verdict !== null) this.picture.proved(verdict);
      if (['loseCard', 'losePass', 'playCard', 'doPass', 'seated', 'abortHand', 'abortGame', 'takenBack'].includes(message.is)) this.sent = [];
      if (message.is === 'playerComment') this.talk.add(message.player, message.text);
      if (message.is === 'serverNotice') this.talk.add(-1, message.text);
      const outcome = outcomeOf(message, this.picture);
      if (outcome !== '') this.talk.add(-1, outcome);
      this.wishes.apply(message);
      if (message.is === 'answerError') {
        this.refusal = message.why;
        this.sent = [];
        if (isStillOpen(message.reason)) this.#sentFor = 0;
      }
      if (['newHand', 'abortHand'].includes(message.is)) this.isFinishing = false;
    });
    void this.#choose();
  }

  /** @param {() => void} change */
  #set(change) {
    change();
    this.#changed();
  }

  // Coming back

  /** @param {number} milliseconds */
  #sleep(milliseconds) {
    return /** @type {Promise<void>} */ (
      new Promise((done) => {
        const timer = setTimeout(done, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      })
    );
  }

  /** A phone that wakes up may hold a connection that is long gone. */
  #lookAlive() {
    if (document.hidden) return;
    this.#wake();
    this.#ping(PONG_WITHIN / 2);
  }

  /** @param {number} patience milliseconds */
  #ping(patience) {
    if (!this.#session.isConnected) return;
    const asked = Date.now();
    this.#session.request(REQUEST.ping);
    window.setTimeout(() => {
      if (this.#heardAt < asked && this.#session.isConnected) this.#session.drop();
    }, patience);
  }
}
