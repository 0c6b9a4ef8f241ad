// A table that is forming: who is there, the link for friends, computers on demand, chat.

import { lossInWords } from '../app/faults.js';
import { linkTo } from '../app/invitation.js';
import { KIND, REQUEST } from '../client/messages.js';
import { isSecret } from '../client/table_names.js';
import { initialOf, markOf, namesOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { ChatBox } from './chat.js';
import { Inviting, InvitationQuestion } from './inviting.js';
import { LevelChoice } from './level_choice.js';
import { OwnMark } from './parts.js';
import { RulesInWords } from './rules_form.js';

/** @typedef {import('../app/table_session.js').TableSession} TableSession */

/** @param {{table: string, password: string}} props */
export function Invitation({ table, password }) {
  const [isCopied, setCopied] = useState(false);
  const link = linkTo(table, password);
  const copy = async () => {
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById('link'));
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      // Without https there is no clipboard but the old one.
      field?.select();
      document.execCommand('copy');
    }
    setCopied(true);
  };
  const share = () => void navigator.share({ title: texts.title, url: link }).catch(() => {});
  return html`<div class="stack">
    <label class="field"><span>${texts.waiting.invite}</span><input id="link" readonly value=${link} /></label>
    <div class="row"><button type="button" onClick=${copy}>${texts.waiting.copy}</button>
      ${'share' in navigator && html`<button type="button" onClick=${share}>${texts.waiting.share}</button>`}
      <span role="status">${isCopied ? texts.waiting.copied : ''}</span></div>
  </div>`;
}

/** @param {{session: TableSession, options: import('../app/options.js').Options, open: (dialog: string) => void}} props */
export function Waiting({ session, options, open }) {
  const { picture } = session;
  const { forming, waiting, me } = picture;
  const words = texts.waiting;
  const isForming = forming !== null && forming.gameNumber === 0;
  // Until the hand is over a computer has the seat of somebody who has come late.
  const names = namesOf(picture).map((name, player) => (isForming || player !== me ? name : session.wanted.name));
  const marks = [0, 1, 2, 3].map((player) => markOf(picture, player));
  const isAlone = session.isInvitable && forming !== null && isSecret(forming.table);
  const mayStart = forming !== null && forming.gameNumber === 0 && forming.opener === me;
  const isComputer = (/** @type {number} */ player) => picture.players[player]?.kind === KIND.cpu;
  const maySendAway = mayStart && forming.isPrivate && me === 0;
  return html`<main class="start waiting">
    <div class="card-panel stack">
      <h1 class="smaller">${isAlone ? texts.invite.title : forming === null ? words.title : texts.invited.title(forming.table)}</h1>
      ${session.refusal !== '' && html`<p class="problem" role="alert">${session.refusal}</p>`}
      <p role="status">${isAlone ? texts.invite.wait : forming !== null && forming.gameNumber > 0 ? words.between : words.seats(forming?.openSeats ?? 3)}</p>
      ${session.lost !== null && html`<p class="problem" role="alert">${lossInWords(session.lost)}</p>`}
      <ul class="seats-list" aria-label=${words.seatsHere}>${[0, 1, 2, 3].map((player) => {
        const name = names[player] ?? '';
        return html`<li class=${name === '' ? 'free' : ''}><span class=${`avatar hue-${player}`} aria-hidden="true">${name === '' ? '' : initialOf(picture, player)}</span>
          <span class="seat-name">${name === '' ? words.free : player === me ? `${name} (${texts.you.toLowerCase()})` : name}
            ${marks[player] === 'own' ? html` <${OwnMark} />` : marks[player] === 'guest' && html` <span class="small quiet">${texts.names.guest}</span>`}
            ${picture.players[player]?.kind === KIND.program && html` <span class="small quiet">${texts.table.program}</span>`}</span>
          ${mayStart && (name === '' || isComputer(player)) && html`<${LevelChoice} levels=${session.levels} level=${picture.players[player]?.level ?? 0}
            label=${words.levelAt(player)} onChange=${(/** @type {number} */ level) => session.wishes.setLevel(player, level)} />`}
          ${name === '' && isForming && me !== 0 && html`<button type="button" aria-label=${words.moveTo(player)} onClick=${() => session.wishes.moveTo(player)}>${words.move}</button>`}
          ${name !== '' && maySendAway && player !== me && !isComputer(player) && html`<button type="button" class="plain" aria-label=${words.sendAwayWho(name)} onClick=${() => session.wishes.ask(REQUEST.sendAway, player)}>${words.sendAway}</button>`}</li>`;
      })}</ul>
      ${forming?.isPrivate && !isAlone && html`<${Invitation} table=${forming.table} password=${options.password} />`}
      ${isForming && waiting?.until != null && html`<${Soon} until=${waiting.until} />`}
      ${mayStart && html`<button type="button" class="main" onClick=${() => session.wishes.startTable()}>${words.computers}</button>`}
      ${mayStart && !isAlone && forming.openSeats > 0 && html`<${Inviting} session=${session} />`}
      ${!mayStart && forming !== null && forming.opener >= 0 && forming.gameNumber === 0 && html`<p class="quiet">${words.opener(names[forming.opener])}</p>`}
      ${forming !== null && html`<details><summary>${texts.table.rules}</summary>
        <${RulesInWords} rules=${forming.rules} endScore=${forming.endScore} turnLimit=${forming.turnLimit / 1000} day=${session.picture.day} /></details>`}
      <div class="row between"><button type="button" class="plain" onClick=${() => open('teaching')}>${texts.teaching.title}</button>
        <button type="button" class="plain" onClick=${() => session.leave()}>${words.leave}</button></div>
    </div>
    <${InvitationQuestion} session=${session} />
    <section class="card-panel" aria-label=${texts.chat.title}><h2>${texts.chat.title}</h2>
      <${ChatBox} session=${session} options=${options} /></section>
  </main>`;
}

/** @param {{until: number}} props */
function Soon({ until }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return html`<p class="quiet">${texts.waiting.soon(Math.max(0, Math.ceil((until - now) / 1000)))}</p>`;
}
