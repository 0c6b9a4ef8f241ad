// The options of the player.

import { mayNotify } from '../app/calling.js';
import { LANGUAGES, texts } from '../texts.js';
import { html } from '../vendor/preact.js';
import { Check, Choice, Dialog, Field } from './parts.js';

/** @typedef {import('../app/options.js').Options} Options */

/** @param {{options: Options, set: (some: Partial<Options>) => void, onClose: () => void}} props */
export function OptionsDialog({ options, set, onClose }) {
  const words = texts.options;
  /** @param {keyof Options} key @param {string} label @param {Record<string, string>} choices */
  const choice = (key, label, choices) => html`<${Choice} label=${label} value=${options[key]} choices=${Object.entries(choices)}
    onChange=${(/** @type {string} */ value) => set(/** @type {Partial<Options>} */ ({ [key]: value }))} />`;
  /** @param {keyof Options} key @param {string} label */
  const check = (key, label) => html`<${Check} label=${label} value=${options[key]} onChange=${(/** @type {boolean} */ value) => set({ [key]: value })} />`;
  const quick = options.quickWords.length > 0 ? options.quickWords : texts.chat.quickWords;
  const setQuick = (/** @type {{target: HTMLTextAreaElement}} */ { target }) =>
    set({ quickWords: target.value.split('\n').map((word) => word.trim()).filter((word) => word !== '').slice(0, 12) });
  /** The browser asks the player. @param {boolean} yes */
  const notify = async (yes) => set({ notify: yes && (await Notification.requestPermission()) === 'granted' });
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${choice('language', words.language, { auto: words.browsers, ...LANGUAGES })} ${choice('trickStays', words.trickStays, words.stays)} ${choice('taps', words.taps, words.tapKinds)} ${check('ahead', words.ahead)}
    ${choice('scheme', words.scheme, words.schemes)} ${choice('back', words.back, words.backs)} ${check('fourColours', words.fourColours)}
    ${check('sounds', words.sounds)} ${'vibrate' in navigator && check('vibrate', words.vibrate)}
    ${mayNotify() && html`<${Check} label=${words.notify} value=${options.notify} onChange=${notify} />`}
    ${check('par', words.par)}
    ${choice('announce', words.announce, words.announces)}
    <${Field} label=${words.pause} type="number" min="0" max="10" step="0.5" value=${String(options.announcePause)}
      onInput=${(/** @type {string} */ value) => set({ announcePause: Math.min(10, Math.max(0, Number(value) || 0)) })} />
    ${check('keys', words.keys)} <p class="small quiet">${words.keyHelp}</p>
    <label class="field"><span>${words.quick}</span><textarea rows="4" onChange=${setQuick}>${quick.join('\n')}</textarea></label>
  <//>`;
}
