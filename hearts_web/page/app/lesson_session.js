// The guided first hand in this browser alone: what is shown of it, what is said, and what the
// learner does. To the views it is one more session at a table.

import { Guide, LessonTable } from '../client/lesson.js';
import { language, texts } from '../texts.js';
import { bestChoice } from './best_choice.js';
import { rememberPlace } from './flights.js';
import { whyNot } from './refusals.js';

const CARD = 480;
const TRICK = 1100;
const SWEEP = 430;
const DONE = 'hearts.lesson';

/** Whether the lesson was begun here before. */
export function isLessonKnown() {
  try {
    return localStorage.getItem(DONE) !== null;
  } catch {
    return false;
  }
}

/** Notes that the lesson was begun. */
function noteLesson() {
  try {
    localStorage.setItem(DONE, '1');
  } catch {
    // It is offered again, then.
  }
}

export class LessonSession {
  isWatching = false;
  isOver = false;
  isHeld = false;
  isFinishing = false;
  isSweeping = false;
  mayClaim = false;
  lost = null;
  refusal = '';
  /** @type {number[]} */
  sent = [];
  /** @type {string[]} what there is to read; the first is shown */
  texts = [];
  /** @type {{cards: number[], better: number[]} | null} a choice that costs much, and a better one */
  doubt = null;
  #table;
  #guide;
  #changed;
  /** @type {(cards: number[]) => void} */
  #choose = () => {};
  #goOn = () => {};

  /** @param {import('../client/lesson.js').Lesson} lesson @param {import('../client/swift.js').Network | null} network @param {string} name @param {() => void} changed */
  constructor(lesson, network, name, changed) {
    this.#table = new LessonTable(lesson, name, network);
    this.#guide = new Guide(lesson, language, texts.shortCard);
    this.#changed = changed;
  }

  get picture() {
    return this.#table.pictures[0];
  }

  /** Plays the hand to its end, or until the learner leaves. */
  async run() {
    noteLesson();
    const table = this.#table;
    await this.#say('pass');
    table.ask('pass');
    table.pass(await this.#choice());
    while (!table.isOver && !this.isOver) {
      await (table.turn === 0 ? this.#ownCard() : this.#wait(CARD));
      if (table.turn !== 0) table.play(table.wiseCard());
      else table.play(this.sent[0]);
      this.sent = [];
      if (table.hand(0).trick?.winner !== -1) await this.#trick();
    }
    if (this.isOver) return;
    table.count();
    await this.#say('end');
    this.leave();
  }

  async #ownCard() {
    await this.#say('card');
    this.#table.ask('card');
    this.sent = await this.#choice();
    rememberPlace(this.sent[0]);
  }

  async #trick() {
    await this.#wait(TRICK);
    if (!this.#table.isOver) await this.#say('trick');
    this.isSweeping = true;
    await this.#wait(SWEEP);
    this.isSweeping = false;
    this.#table.clear();
  }

  /** Says what there is to say; the last of it stays while a choice is made. @param {import('../client/lesson.js').At} at */
  async #say(at) {
    const said = this.#guide.say(at, this.#table.hand(0), 0, this.picture.players.map(({ name }) => name));
    this.texts = said;
    const last = at === 'pass' || at === 'card' ? 1 : 0;
    while (this.texts.length > last && !this.isOver) {
      this.isHeld = true;
      await this.#until((done) => (this.#goOn = done));
      this.isHeld = false;
      this.texts = this.texts.slice(1);
    }
    this.#changed();
  }

  /** @returns {Promise<number[]>} */
  async #choice() {
    this.#changed();
    /** @type {number[]} */
    let chosen = [];
    await this.#until((done) => (this.#choose = (cards) => {
      chosen = cards;
      done();
    }));
    this.#choose = () => {};
    this.refusal = '';
    this.doubt = null;
    this.texts = [];
    return chosen;
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    return this.#until((done) => setTimeout(done, milliseconds));
  }

  /** @param {(done: () => void) => void} begin @returns {Promise<void>} */
  #until(begin) {
    this.#changed();
    return new Promise((done) => begin(() => done()));
  }

  /** @param {number[]} cards */
  #take(cards) {
    if (this.isHeld || this.picture.question === null) return;
    const isSure = this.doubt !== null && this.doubt.cards.every((card) => cards.includes(card));
    const better = isSure ? null : this.#table.better(cards);
    this.refusal = '';
    this.doubt = better === null ? null : { cards, better };
    if (better === null) this.#choose(cards);
    this.#changed();
  }

  // What the learner does

  /** @param {number[]} cards */
  pass(cards) {
    this.#take(cards);
  }

  /** @param {number} card */
  play(card) {
    this.#take([card]);
  }

  /** Plays what was doubted. */
  insist() {
    if (this.doubt !== null) this.#take(this.doubt.cards);
  }

  /** Takes another card than the doubted one. */
  thinkAgain() {
    this.doubt = null;
    this.#changed();
  }

  /** Says why a card may not be played. @param {number} card */
  explain(card) {
    this.refusal = whyNot(this.picture.hand, card);
    this.#changed();
  }

  goOn() {
    this.#goOn();
  }

  moon() {}

  claim() {}

  leave() {
    this.isOver = true;
    this.#changed();
  }
}

/** The lesson, ready to be run; null if the server cannot be reached. @param {string} name @param {() => void} changed */
export async function openLesson(name, changed) {
  try {
    const [answer, network] = await Promise.all([fetch('lesson.json'), bestChoice()]);
    return answer.ok ? new LessonSession(await answer.json(), network, name, changed) : null;
  } catch {
    return null;
  }
}
