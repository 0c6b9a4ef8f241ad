// Calls the player: by sounds of our own, by vibration, by the title, and, where they allow it, by a
// notification while they look at something else.

import { KIND } from '../client/messages.js';
import { texts } from '../texts.js';

/** @typedef {import('../client/messages.js').Message} Message */
/** @typedef {import('../client/picture.js').Picture} Picture */

/** Notes of each sound: hertz, and the seconds at which it begins and that it lasts. */
const SOUNDS = {
  turn: [[659, 0, 0.18], [880, 0.12, 0.3]],
  card: [[196, 0, 0.06]],
  queen: [[220, 0, 0.25], [165, 0.2, 0.5]],
  moon: [[523, 0, 0.3], [659, 0.15, 0.3], [784, 0.3, 0.3], [1047, 0.45, 0.7]],
  come: [[587, 0, 0.12], [587, 0.16, 0.2]],
  over: [[784, 0, 0.2], [659, 0.16, 0.2], [523, 0.32, 0.5]],
};
const LOUDNESS = 0.12;
const VIBRATION = [60, 40, 60];
/** Whoever has waited so long may look at something else. */
const LONG_MILLISECONDS = 3000;
const QUESTIONS = new Set(['doPass', 'playCard', 'moonChoice', 'playAgain', 'giveSeat', 'queryNewRules', 'queryAbort', 'invitation']);

/** Whether this browser can show notifications here. */
export const mayNotify = () => window.isSecureContext && 'Notification' in window;

/** How many people sit at a table. @param {Picture} picture */
export const peopleAt = ({ players }) => players.filter(({ kind }) => kind !== KIND.free && kind !== KIND.cpu).length;

export class Caller {
  #options;
  /** @type {AudioContext | null} */
  #audio = null;
  #lastAt = Date.now();

  /** @param {() => import('./options.js').Options} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Calls for a message before it is shown.
   * @param {Message} message
   * @param {Picture} picture
   */
  tell(message, picture) {
    if (picture.isPast) return;
    const { me, forming } = picture;
    if (QUESTIONS.has(message.is)) {
      const isLong = document.hidden || Date.now() - this.#lastAt > LONG_MILLISECONDS;
      this.#lastAt = Date.now();
      if (isLong || message.is !== 'playCard') this.#call('turn', texts.said.yourTurn);
      return;
    }
    switch (message.is) {
      case 'loseCard':
      case 'losePass':
        this.#lastAt = Date.now();
        break;
      case 'cardPlayed':
        this.#play(message.card === 51 ? 'queen' : 'card');
        break;
      case 'shotMoon':
        this.#play('moon');
        break;
      case 'endGame':
        this.#call('over', texts.said.gameOver);
        break;
      case 'newGame':
        if (me !== null && forming !== null && peopleAt(picture) > 1) this.#call('come', texts.waiting.begins);
        break;
      case 'table':
        if (whoHasCome(message, picture) !== '') this.#play('come');
        break;
      default:
    }
  }

  /** @param {keyof typeof SOUNDS} sound @param {string} words */
  #call(sound, words) {
    const { vibrate, notify } = this.#options();
    this.#play(sound);
    if (vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION);
    if (notify && document.hidden && mayNotify() && Notification.permission === 'granted') void show(words);
  }

  /** @param {keyof typeof SOUNDS} sound */
  #play(sound) {
    // Before the first touch no browser lets a page be heard.
    if (!this.#options().sounds || !navigator.userActivation?.hasBeenActive) return;
    const audio = (this.#audio ??= new AudioContext());
    void audio.resume();
    for (const [hertz, after, seconds] of SOUNDS[sound]) {
      const tone = new OscillatorNode(audio, { type: 'triangle', frequency: hertz });
      const loudness = new GainNode(audio, { gain: 0 });
      const begin = audio.currentTime + after;
      loudness.gain.setValueAtTime(LOUDNESS, begin);
      loudness.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
      tone.connect(loudness).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + seconds);
    }
  }
}

/**
 * Who has come to the table that forms; empty: nobody.
 * @param {Extract<Message, {is: 'table'}>} message
 * @param {Picture} picture
 */
export function whoHasCome({ names, gameNumber, table }, picture) {
  const before = picture.forming;
  if (before === null || gameNumber > 0 || before.table !== table) return '';
  const place = names.findIndex((name, player) => name !== '' && !before.names.includes(name) && player !== picture.me);
  return place < 0 || before.openSeats === 0 ? '' : names[place];
}

/** What the title of the page says. @param {Picture | null} picture @param {number[]} sent */
export const titleOf = (picture, sent) =>
  picture !== null && picture.question !== null && sent.length === 0 ? `${texts.table.yourTurn} – ${texts.title}` : texts.title;

/** Android has notifications by the service worker alone. @param {string} words */
async function show(words) {
  const how = { body: words, tag: words, icon: 'icon-192.png' };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker !== undefined) return worker.showNotification(texts.title, how);
  const shown = new Notification(texts.title, how);
  shown.onclick = () => window.focus();
}
