// The chat of the table, with quick words, and who is not heard.

import { LONGEST_TAUNT } from '../client/chat.js';
import { byteLength } from '../client/bytes.js';
import { nameOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/preact.js';

/** @typedef {import('../app/table_session.js').TableSession} TableSession */

/** @param {{session: TableSession, options: import('../app/options.js').Options}} props */
export function ChatBox({ session, options }) {
  const [text, setText] = useState('');
  const [reporting, setReporting] = useState(-1);
  const log = useRef(/** @type {HTMLElement | null} */ (null));
  const { talk, picture } = session;
  const { lines, muted } = talk;
  const words = texts.chat;
  const quick = options.quickWords.length > 0 ? options.quickWords : words.quickWords;
  const isTooLong = byteLength(text) > LONGEST_TAUNT;
  useEffect(() => {
    log.current?.scrollTo(0, log.current.scrollHeight);
    // Beside a narrow table the chat is there and not shown.
    if (log.current?.checkVisibility()) talk.read();
  }, [lines.length]);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() === '' || isTooLong) return;
    const line = text.trim();
    if (line.startsWith('/')) session.wishes.askHost(line.slice(1).replace(/^mod /, ''));
    else session.say(line);
    setText('');
  };
  const report = (/** @type {number} */ player) => {
    setReporting(-1);
    session.wishes.askHost(`report ${player}`);
  };
  const who = (/** @type {number} */ player) => (player === -1 ? words.table : nameOf(picture, player));
  // While a table forms, the server itself passes on what is said.
  const isSilent = picture.gameNumber > 0 && !talk.hasChat;
  const others = picture.players.filter(({ player, kind }) => player !== picture.me && kind > 1);
  return html`<div class="chat">
    <div class="chat-log" ref=${log} role="log" aria-label=${words.title} tabindex="0">
      ${lines.length === 0 && html`<p class="quiet">${words.nobody}</p>`}
      ${lines.map(({ player, text: said }) => html`<p class=${player === -1 ? 'notice' : player === picture.me ? 'own' : ''}>
        <b class=${`hue-text-${player}`}>${who(player)}</b> <span dir="auto">${said}</span></p>`)}
    </div>
    ${isSilent && html`<p class="small quiet">${words.none}</p>`}
    ${!session.isWatching && !isSilent && html`<div class="quick" role="group" aria-label=${words.quick}>
        ${quick.map((word) => html`<button type="button" onClick=${() => session.say(word)}>${word}</button>`)}</div>
      <form class="say" onSubmit=${send}>
        <input aria-label=${words.say} placeholder=${words.say} value=${text} aria-invalid=${isTooLong} enterkeyhint="send" autocomplete="off"
          onInput=${(/** @type {{target: HTMLInputElement}} */ { target }) => setText(target.value)} />
        <button disabled=${isTooLong}>${words.send}</button></form>
      ${isTooLong && html`<p class="small" role="alert">${words.tooLong}</p>`}
      ${picture.gameNumber > 0 && others.length > 0 && html`<details class="small"><summary>${words.players}</summary><ul class="mute-list">
        ${others.map(({ player }) => html`<li>${nameOf(picture, player)}
          <button type="button" aria-pressed=${muted.has(player)} onClick=${() => talk.mute(player)}>${muted.has(player) ? words.unmute : words.mute}</button>
          ${reporting === player
    ? html`<button type="button" onClick=${() => report(player)}>${words.surelyReport}</button>`
    : html`<button type="button" aria-label=${words.reportWho(nameOf(picture, player))} onClick=${() => setReporting(player)}>${words.report}</button>`}</li>`)}
      </ul></details>`}`}
  </div>`;
}
