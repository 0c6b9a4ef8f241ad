// The scores of a game: a table, and how they went.

import { nameOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';

/** @typedef {import('../client/picture.js').Picture} Picture */

const WIDTH = 320;
const HEIGHT = 150;
const EDGE = 14;
/** Strokes that differ, so that no line is known by its colour alone. */
const DASHES = ['', '7 4', '2 4', '10 3 2 3'];

/** @param {{picture: Picture}} props */
export function ScoreTable({ picture }) {
  const { rows, hand, totals, scores } = picture;
  const words = texts.scores;
  const open = hand !== null && !hand.isDone && hand.points.some((points) => points !== 0) ? hand : null;
  return html`<div class="scroll"><table>
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

/** @param {{picture: Picture}} props */
export function ScorePlot({ picture }) {
  const { rows, endScore } = picture;
  if (rows.length < 2) return null;
  const all = [0, 1, 2, 3].map((player) => [0, ...rows.map(({ totals }) => totals[player])]);
  const lowest = Math.min(0, ...all.flat());
  const highest = Math.max(...all.flat(), Math.min(endScore, 2 * Math.max(...all.flat()) + 1));
  const x = (/** @type {number} */ place) => EDGE + ((WIDTH - 2 * EDGE) * place) / rows.length;
  const y = (/** @type {number} */ score) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (score - lowest)) / (highest - lowest || 1);
  const summary = all.map((line, player) => texts.scores.line(nameOf(picture, player), line)).join('; ');
  return html`<figure class="plot"><figcaption>${texts.scores.plot}</figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${summary}>
      ${[0, endScore].filter((score) => score >= lowest && score <= highest).map((score) => html`<g class="level"><line x1=${EDGE} x2=${WIDTH - EDGE} y1=${y(score)} y2=${y(score)} /><text x=${EDGE} y=${y(score) - 3}>${score}</text></g>`)}
      ${all.map((line, player) => html`<g class=${`plot-line hue-line-${player}`}>
        <polyline points=${line.map((score, place) => `${x(place)},${y(score)}`).join(' ')} stroke-dasharray=${DASHES[player]} />
        <circle cx=${x(rows.length)} cy=${y(line[line.length - 1])} r="3.500" /></g>`)}
    </svg>
    <ul class="plot-names">${all.map((_, player) => html`<li><svg viewBox="0 0 30 8" aria-hidden="true" class=${`plot-line hue-line-${player}`}><line x1="0" x2="30" y1="4" y2="4" stroke-dasharray=${DASHES[player]} /></svg> ${nameOf(picture, player)}</li>`)}</ul>
  </figure>`;
}
