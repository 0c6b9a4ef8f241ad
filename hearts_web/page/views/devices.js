// The devices that have the player's own name: let in by a code, listed, revoked.

import { inWords } from '../app/faults.js';
import { called } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { Dialog, Field } from './parts.js';

/** @typedef {import('./own_name.js').Props} Props */
/** @typedef {Awaited<ReturnType<import('../app/own_name.js').OwnName['devices']>>[number]} Device */
/** @typedef {Awaited<ReturnType<import('../app/own_name.js').OwnName['waiting']>>} Waiting */

/** What goes wrong is said; gives what was said, and what tries something. */
function useAttempts() {
  const [said, say] = useState('');
  const attempt = (/** @type {() => Promise<unknown>} */ act) => {
    say('');
    return act().catch((error) => say(inWords(error)));
  };
  return { said: said !== '' && html`<p class="problem" role="alert">${said}</p>`, say, attempt };
}

/** Shows a code, by which another device lets this one in. @param {Props} props */
export function AskInDialog({ own, options, onClose }) {
  const words = texts.names.devices;
  const name = options.name.trim();
  const [code, setCode] = useState('');
  const [isOurs, setOurs] = useState(false);
  const { said, say, attempt } = useAttempts();
  useEffect(() => void attempt(async () => {
    const told = await own.askIn(name, options.password);
    if (told === '') setOurs(true);
    setCode(`${told.slice(0, 4)}-${told.slice(4)}`);
  }), []);
  const look = () => attempt(async () => {
    if (await own.isLetIn(name, options.password)) setOurs(true);
    else say(words.notYet);
  });
  if (isOurs) {
    return html`<${Dialog} title=${words.title} onClose=${onClose}><p role="status"><b>${texts.names.isYours(called(name))}</b></p>
      <button type="button" class="main" onClick=${onClose}>${texts.close}</button><//>`;
  }
  return html`<${Dialog} title=${words.askIn(called(name))} onClose=${onClose}>
    ${location.protocol !== 'https:' && html`<p class="problem">${texts.names.unsafe}</p>`}
    ${code !== '' && html`<p role="status"><b>${code}</b></p><p>${words.typeThere(called(name))}</p>`}
    ${said}
    ${code !== '' && html`<button type="button" class="main" onClick=${look}>${words.isTyped}</button>`}<//>`;
}

/** Lists the devices of the name, lets in another one, and revokes one. @param {Props} props */
export function DevicesDialog({ own, options, onClose }) {
  const words = texts.names.devices;
  const { password } = options;
  const [devices, setDevices] = useState(/** @type {Device[]} */ ([]));
  const [typed, type] = useState('');
  const [waiting, setWaiting] = useState(/** @type {Waiting | null} */ (null));
  const [gone, setGone] = useState(/** @type {Device | null} */ (null));
  const [done, setDone] = useState('');
  const { said, attempt } = useAttempts();
  const list = async () => setDevices(await own.devices(password));
  useEffect(() => void attempt(list), []);
  const look = (/** @type {Event} */ event) => {
    event.preventDefault();
    setDone('');
    void attempt(async () => setWaiting(await own.waiting(typed, password)));
  };
  const settle = (/** @type {() => Promise<unknown>} */ act, /** @type {string} */ text) => attempt(async () => {
    setWaiting(null);
    setGone(null);
    await act();
    setDone(text);
    await list();
  });
  const day = (/** @type {number} */ at) => new Date(at * 1000).toISOString().slice(0, 10);
  const line = (/** @type {Device} */ { isThis, isProgram, since, used }) => words.line(isThis, isProgram, day(since), day(used));
  const choice = (/** @type {string[]} */ lines, /** @type {string} */ yes, /** @type {() => void} */ act) => html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${lines.map((text) => html`<p>${text}</p>`)}${said}
    <button type="button" class="main" onClick=${act}>${yes}</button><//>`;
  if (gone !== null) return choice([words.revokes(line(gone))], words.revoke, () => settle(() => own.revoke(gone.key, password), ''));
  if (waiting !== null) {
    const { details, isProgram, seconds, isNear } = waiting;
    return choice([words.waits(isProgram, seconds, isNear), words.isYours], words.yes, () => settle(() => own.letIn(details, password), words.done));
  }
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    <ul class="plain-list">${devices.map((device) => html`<li>${line(device)} ${!device.isThis && html`<button type="button" class="plain small" onClick=${() => setGone(device)}>${words.revoke}</button>`}</li>`)}</ul>
    ${done !== '' && html`<p role="status"><b>${done}</b></p>`}
    <form class="stack" onSubmit=${look}><b>${words.letIn}</b>
      <${Field} label=${words.code} value=${typed} autocomplete="off" autocapitalize="characters" spellcheck="false" onInput=${type} />
      ${said}
      <button class="main">${words.look}</button></form><//>`;
}
