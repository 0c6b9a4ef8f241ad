// The password of the server: asked for once in a visit.

import { listTables } from '../client/asking.js';
import { opener } from '../app/table_session.js';
import { inWords, isPasswordWrong } from '../app/faults.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { Field } from './parts.js';

/** @typedef {import('../app/options.js').Options} Options */

/**
 * What the start page has to do with the password.
 * @typedef {object} Password
 * @property {boolean} isNeeded nothing else can be asked of the server before
 * @property {() => Promise<boolean>} enter says what was typed; whether it is right
 * @property {(error: unknown) => boolean} isRefused whether that is why something failed; it is asked for then
 * @property {import('../vendor/preact.js').Node} form
 */

/**
 * @param {object} props
 * @param {Options} props.options
 * @param {(some: Partial<Options>) => void} props.set
 * @param {boolean} props.isAsked whether this server has one, as far as we know
 * @param {() => void} props.setAsked
 * @returns {Password}
 */
export function usePassword({ options, set, isAsked, setAsked }) {
  const [typed, type] = useState('');
  const [said, say] = useState('');
  const words = texts.password;
  const isNeeded = isAsked && options.password === '';
  const refuse = (/** @type {string} */ why) => {
    say(why);
    document.getElementById('password')?.focus();
    return false;
  };
  const enter = async () => {
    if (typed === '') return refuse(words.asked);
    try {
      await listTables(opener('game'), '?', typed);
    } catch (error) {
      return refuse(isPasswordWrong(error) ? words.wrong : inWords(error));
    }
    say(words.right);
    set({ password: typed });
    return true;
  };
  const isRefused = (/** @type {unknown} */ error) => {
    if (!isPasswordWrong(error)) return false;
    say(options.password === '' ? '' : words.wrong);
    setAsked();
    set({ password: '' });
    return true;
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void enter();
  };
  const form = isNeeded
    ? html`<form class="stack password" onSubmit=${submit}>
        <div class="asking"><${Field} label=${words.label} type="password" id="password" value=${typed} autocomplete="current-password"
          aria-describedby="password-said" onInput=${type} /><button>${words.enter}</button></div>
        <p id="password-said" class="small" role="alert">${said}</p>
      </form>`
    : html`<p class="small quiet" role="status">${said === words.right ? said : ''}</p>`;
  return { isNeeded, enter, isRefused, form };
}
