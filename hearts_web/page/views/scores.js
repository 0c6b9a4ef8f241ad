// The scores of a game: a table, and how they went.

import { nameOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';
import { Plot } from './plot.js';

/** @typedef {import('../client/picture.js').Picture} Picture */

/** @param {{picture: Picture}} props */
export function ScoreTable({ picture }) {
  const { rows, hand, totals, scores } = picture;
  const words = texts.scores;
  const open = hand !== null && !hand.isDone && hand.points.some((points) => points !== 0) ? hand : null;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${words.title}><table>
    <thead><tr><th scope="col">${words.hand}</th>${[0, 1, 2, 3].map((player) => html`<th scope="col" class="name-cell">${nameOf(picture, player)}</th>`)}</tr></thead>
    <tbody>
      ${rows.map(({ hand: number, points, shooter }) => html`<tr><td>${number}${shooter >= 0 ? html` <span title=${words.moon} aria-label=${words.moon}>☾</span>` : ''}</td>
        ${points.map((each) => html`<td>${each}</td>`)}</tr>`)}
      ${open !== null && html`<tr class="quiet"><td>${open.number}…</td>${open.points.map((each) => html`<td>${each}</td>`)}</tr>`}
      ${rows.length === 0 && open === null && html`<tr><td colspan="5" class="quiet">${words.none}</td></tr>`}
    </tbody>
    <tfoot><tr><th scope="row">${words.total}</th>${totals.map((total) => html`<td><b>${total}</b></td>`)}</tr>
      ${scores.some(({ games }) => games > 0) && html`<tr><th scope="row">${words.games}</th>${scores.map(({ games }) => html`<td>${games}</td>`)}</tr>`}</tfoot>
  </table></div>`;
}

/** How the scores of a game went. @param {{picture: Picture}} props */
export function ScorePlot({ picture }) {
  const { rows, endScore } = picture;
  if (rows.length < 2) return null;
  const lines = [0, 1, 2, 3].map((player) => ({
    name: nameOf(picture, player),
    values: [0, ...rows.map(({ totals }) => totals[player])],
  }));
  const most = Math.max(...lines.flatMap(({ values }) => values));
  const levels = [0, ...(endScore <= 2 * most + 1 ? [endScore] : [])];
  return html`<${Plot} caption=${texts.scores.plot} lines=${lines} levels=${levels} />`;
}
