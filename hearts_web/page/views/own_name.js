// The player's own name: claimed once, with twelve words to write down, and taken back by these.

import { byteLength } from '../client/bytes.js';
import { WORD_COUNT } from '../client/name_words.js';
import { inWords } from '../app/faults.js';
import { called } from '../app/names.js';
import { CHECKED } from '../app/own_name.js';
import { save } from '../app/saving.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { Dialog, Field, OwnMark } from './parts.js';

/** @typedef {import('../app/own_name.js').OwnName} OwnName */
/** @typedef {{own: OwnName, options: import('../app/options.js').Options, onClose: () => void}} Props */

const LONGEST_NAME = 30;

/**
 * What stands below the field of the name.
 * @param {{own: OwnName, name: string, open: (dialog: string) => void, changed: () => void}} props
 */
export function OwnNamePanel({ own, name, open, changed }) {
  const words = texts.names;
  const button = (/** @type {string} */ text, /** @type {() => void} */ act) => html`<button type="button" class="plain small" onClick=${act}>${text}</button>`;
  const settle = (/** @type {() => void} */ act) => () => {
    act();
    changed();
  };
  if (own.doubt !== null) {
    return html`<p class="problem" role="alert">${words.doubts[own.doubt]} ${own.notes}</p><div class="row">
      ${own.doubt === 'free' && button(words.claim(called(name.trim())), () => open('claim'))}
      ${own.doubt === 'changed' && button(words.takeKey, settle(() => own.forgetServer()))}
      ${button(words.playAsGuest, settle(() => own.playAsGuest()))}</div>`;
  }
  const shown = name.trim();
  if (shown === '' || byteLength(shown) > LONGEST_NAME) return html`<p class="small quiet">${words.lead}</p>`;
  if (own.isOwn(shown) && !own.isGuest) {
    return html`<div class="row small"><span role="status"><${OwnMark} /> ${words.isYours(called(shown))}</span>
      ${own.owesWords ? button(words.writeDown, () => open('claim')) : button(words.manage, () => open('own name'))} ${button(words.devices.title, () => open('devices'))}</div>`;
  }
  return html`<div class="row small"><span class="quiet">${words.isGuest(`~${shown}`)}</span>
    ${own.name === '' ? button(words.claim(called(shown)), () => open('claim')) : html`<span>${words.other(called(own.name))}</span>`}
    ${own.name === '' && button(words.devices.askIn(called(shown)), () => open('askIn'))}
    ${!own.owesWords && button(words.restore, () => open('restore'))}</div>`;
}

/** Claims the name, shows the words, and has two of them typed. @param {Props} props */
export function ClaimDialog({ own, options, onClose }) {
  const words = texts.names;
  const name = options.name.trim();
  const [isOurs, setOurs] = useState(own.isOwn(name));
  const [list, setList] = useState(/** @type {string[]} */ ([]));
  const [isChecking, setChecking] = useState(false);
  const [isDone, setDone] = useState(false);
  const [typed, setTyped] = useState(['', '']);
  const [said, say] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [code, setCode] = useState('');
  const attempt = async (/** @type {() => Promise<void>} */ act) => {
    setBusy(true);
    say('');
    await act().catch((error) => say(inWords(error)));
    setBusy(false);
  };
  const showWords = async () => (own.owesWords ? setList(await own.words()) : setDone(true));
  useEffect(() => void (isOurs && attempt(showWords)), []);
  const claim = () => attempt(async () => {
    await own.claim(name, options.password, code);
    setOurs(true);
    await showWords();
  });
  const check = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (own.check(typed, list)) setDone(true);
    else say(words.wrongCheck);
  };
  const problem = html`<p class="problem" role="alert">${said}</p>`;
  if (isDone) {
    return html`<${Dialog} title=${words.title} onClose=${onClose}><p role="status"><b>${words.isYours(called(name))}</b></p><p>${words.kept}</p>
      <button type="button" class="main" onClick=${onClose}>${texts.close}</button><//>`;
  }
  if (!isOurs) {
    return html`<${Dialog} title=${words.title} onClose=${onClose}>
      <p>${words.about(called(name))}</p>
      ${location.protocol !== 'https:' && html`<p class="problem">${words.unsafe}</p>`}
      ${said !== '' && html`${problem}<${Field} label=${words.invitation} value=${code} autocomplete="off" onInput=${setCode} />`}
      <button type="button" class="main" disabled=${isBusy} onClick=${claim}>${words.claim(called(name))}</button><//>`;
  }
  if (!isChecking) {
    return html`<${Dialog} title=${words.title} onClose=${onClose}>
      <p role="status"><b>${words.fromNowOn(called(name))}</b></p><p>${words.write}</p>
      <ol class="secret-words">${list.map((word) => html`<li>${word}</li>`)}</ol>
      ${said !== '' && problem}
      <button type="button" class="main" disabled=${list.length === 0} onClick=${() => setChecking(true)}>${words.haveWritten}</button><//>`;
  }
  return html`<${Dialog} title=${words.title} onClose=${onClose}><form class="stack" onSubmit=${check}>
    <p>${words.check}</p>
    <div class="pair">${CHECKED.map((number, at) => html`<${Field} label=${words.word(number)} value=${typed[at]} autocomplete="off" autocapitalize="none" spellcheck="false"
      onInput=${(/** @type {string} */ word) => setTyped(typed.map((each, place) => (place === at ? word : each)))} />`)}</div>
    ${said !== '' && problem}
    <div class="row"><button class="main">${words.checkIt}</button><button type="button" onClick=${() => { setChecking(false); say(''); }}>${words.seeAgain}</button></div>
  </form><//>`;
}

/** Shows and saves what the server stores about the name, or gives it up. @param {Props} props */
export function OwnNameDialog({ own, options, onClose }) {
  const words = texts.names;
  const [name] = useState(own.name);
  const [lines, setLines] = useState(/** @type {string[]} */ ([]));
  const [isAsking, setAsking] = useState(false);
  const [said, say] = useState('');
  const attempt = async (/** @type {Promise<string[]>} */ answer) => {
    say('');
    await answer.then(setLines).catch((error) => say(inWords(error)));
  };
  const button = (/** @type {string} */ text, /** @type {() => void} */ act) => html`<button type="button" onClick=${act}>${text}</button>`;
  const acts = () => {
    if (own.name === '') return null;
    if (isAsking) return button(words.isSure, () => attempt(own.giveUp(options.password)));
    return [
      lines.length === 0 ? button(words.export, () => attempt(own.export(options.password))) : button(words.save, () => save(`${name}.txt`, `${lines.join('\n')}\n`)),
      button(words.giveUp, () => setAsking(true)),
    ];
  };
  return html`<${Dialog} title=${words.manage} onClose=${onClose}>
    <p>${isAsking && own.name !== '' ? words.aboutGivingUp(called(name)) : called(name)}</p>
    <div class="small" role="status">${lines.map((line) => html`<p>${line}</p>`)}</div>
    ${said !== '' && html`<p class="problem" role="alert">${said}</p>`}
    <div class="row">${acts()}<button type="button" class="main" onClick=${onClose}>${texts.close}</button></div><//>`;
}

/** Takes a name back by its words. @param {Props & {set: (some: {name: string}) => void}} props */
export function RestoreDialog({ own, options, set, onClose }) {
  const words = texts.names;
  const [typed, type] = useState('');
  const [said, say] = useState('');
  const [isDone, setDone] = useState(false);
  const restore = async (/** @type {Event} */ event) => {
    event.preventDefault();
    say('');
    try {
      const wrong = await own.restore(typed, options.name, options.password);
      if (wrong === null) setDone(true);
      else if (wrong.is === 'unknown') say(words.unknown(wrong.place, wrong.word));
      else say(wrong.is === 'count' ? words.count(wrong.count, WORD_COUNT) : words.mixed);
    } catch (error) {
      say(inWords(error));
    }
  };
  if (isDone) {
    return html`<${Dialog} title=${words.restore} onClose=${onClose}><p role="status"><b>${words.isYours(called(own.name))}</b></p>
      <button type="button" class="main" onClick=${onClose}>${texts.close}</button><//>`;
  }
  return html`<${Dialog} title=${words.restore} onClose=${onClose}><form class="stack" onSubmit=${restore}>
    <p>${words.trust}</p>
    <${Field} label=${texts.start.name} value=${options.name} maxlength="30" autocomplete="nickname" onInput=${(/** @type {string} */ name) => set({ name })} />
    <label class="field"><span>${words.theWords}</span><textarea rows="4" autocapitalize="none" spellcheck="false" autocomplete="off"
      value=${typed} onInput=${(/** @type {{target: HTMLTextAreaElement}} */ { target }) => type(target.value)}></textarea></label>
    ${said !== '' && html`<p class="problem" role="alert">${said}</p>`}
    <button class="main">${words.takeBack}</button>
  </form><//>`;
}
