// What a hand came to, and who has won the game.

import { QUEEN_OF_SPADES } from '../client/cards.js';
import { pointCards } from '../client/replay.js';
import { initialOf, nameOf, playersOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useRef } from '../vendor/preact.js';
import { CopyLink } from './copy_link.js';
import { LastDeal } from './fairness.js';
import { sorted } from './hand.js';
import { LastPar } from './par.js';
import { ScorePlot } from './scores.js';

/** @typedef {import('../app/table_session.js').TableSession} TableSession */

/** @param {{session: TableSession, open: (dialog: string) => void}} props */
export function HandIsOver({ session, open }) {
  const { picture } = session;
  const row = picture.rows.at(-1);
  const button = useFocus();
  const hand = picture.played.at(-1);
  if (row === undefined || hand === undefined) return null;
  const taken = pointCards(hand);
  return html`<section class="over-panel card-panel" aria-label=${texts.scores.handOver(row.hand)}>
    <h2>${texts.scores.handOver(row.hand)}</h2>
    <table><tbody>${ranked(picture.totals).map((player) => html`<tr><th scope="row"><span class=${`dot hue-${player}`}></span>${nameOf(picture, player)}${taken[player].length > 0 && html`<small class="taken quiet">${sorted(taken[player]).map(texts.shortCard).join(' ')}</small>`}</th>
      <td>${texts.signed(row.points[player])}${row.shooter === player ? ' ☾' : ''}</td><td><b>${row.totals[player]}</b></td></tr>`)}</tbody></table>
    <${Queen} picture=${picture} />
    <${LastPar} picture=${picture} />
    <${LastDeal} picture=${picture} />
    <div class="row"><button type="button" class="main" ref=${button} onClick=${() => session.goOn()}>${texts.table.goOn}</button>
      <button type="button" onClick=${() => open('replay')}>${texts.result.seeAgain}</button></div>
    <${CopyLink} picture=${picture} hand=${hand} />
  </section>`;
}

/** @param {{session: TableSession, open: (dialog: string) => void, toStart: () => void}} props */
export function Result({ session, open, toStart }) {
  const { picture, sent, isOver, isHeld } = session;
  const { question, winners, again, decider, me } = picture;
  const words = texts.result;
  const button = useFocus();
  const isMine = me !== null && ((winners >> me) & 1) === 1;
  return html`<section class=${`over-panel result card-panel ${isMine ? 'mine' : ''}`} aria-label=${words.won(playersOf(winners).map((player) => nameOf(picture, player)))}>
    <h2>${words.won(playersOf(winners).map((player) => nameOf(picture, player)))}</h2>
    <ol class="places">${ranked(picture.totals).map((player) => html`<li><span class=${`avatar hue-${player}`} aria-hidden="true">${initialOf(picture, player)}</span>
      <span>${nameOf(picture, player)}${(winners >> player) & 1 ? ' ★' : ''}</span><b>${picture.totals[player]}</b></li>`)}</ol>
    <${Queen} picture=${picture} />
    <${LastPar} picture=${picture} />
    <${ScorePlot} picture=${picture} />
    <${LastDeal} picture=${picture} />
    <div class="row">
      ${question?.is === 'again' && sent.length === 0 && html`<button type="button" class="main" ref=${button} onClick=${() => session.again(true)}>${words.again}</button>
        <button type="button" onClick=${() => session.again(false)}>${words.noMore}</button>`}
      ${question === null && isHeld && html`<button type="button" class="main" ref=${button} onClick=${() => session.goOn()}>${texts.table.goOn}</button>`}
      <button type="button" onClick=${() => open('replay')}>${words.replay}</button>
      ${(isOver || again === false) && html`<button type="button" class="main" onClick=${toStart}>${words.toStart}</button>`}
    </div>
    <${CopyLink} picture=${picture} hand=${picture.played.at(-1)} />
    <p class="quiet" role="status">${again === true ? words.follows : again === false ? words.over : decider >= 0 && decider !== me ? words.decides(nameOf(picture, decider)) : ''}</p>
  </section>`;
}

/** Who took the queen in the hand that is over. @param {{picture: import('../client/picture.js').Picture}} props */
function Queen({ picture }) {
  const hand = picture.played.at(-1);
  const taker = hand === undefined ? -1 : pointCards(hand).findIndex((cards) => cards.includes(QUEEN_OF_SPADES));
  return taker < 0 ? null : html`<p>${texts.queen.fell(nameOf(picture, taker))}.</p>`;
}

/** The players, the best first. @param {number[]} totals */
const ranked = (totals) => [0, 1, 2, 3].sort((a, b) => totals[a] - totals[b]);

/** A button that has the focus when it appears, unless somebody types. */
function useFocus() {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLInputElement)) button.current?.focus({ preventScroll: true });
  }, []);
  return button;
}
