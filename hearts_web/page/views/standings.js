// The standings of names at the server.

import { inWords } from '../app/faults.js';
import { called } from '../app/names.js';
import { opener } from '../app/table_session.js';
import { askStandings } from '../client/standings.js';
import { language, texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { Dialog } from './parts.js';

/** @typedef {import('../client/standings.js').Standings} Standings */
/** @typedef {import('../client/standings.js').Figure} Figure */

/** @param {number} value @param {number} digits @param {'auto' | 'exceptZero'} [signDisplay] */
const number = (value, digits, signDisplay = 'auto') =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay });

/** @param {{of: Figure | null, digits?: number, unit?: number, sign?: 'auto' | 'exceptZero'}} props */
const Cell = ({ of, digits = 2, unit = 1, sign = 'auto' }) => html`<td class="number">${of === null
  ? '–'
  : html`${number(of.mean * unit, digits, sign)}${of.error !== null && html` <span class="quiet small">±${number(of.error * unit, digits)}</span>`}`}</td>`;

/** @param {{password: string, onClose: () => void}} props */
export function Standings({ password, onClose }) {
  const [tables, setTables] = useState(/** @type {Standings[] | null} */ (null));
  const [why, setWhy] = useState('');
  const words = texts.standings;
  useEffect(() => {
    askStandings(opener('game'), password).then(setTables, (error) => setWhy(inWords(error)));
  }, []);
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${why !== '' && html`<p class="problem" role="alert">${why}</p>`}
    ${tables === null && why === '' && html`<p class="quiet" role="status">${texts.start.loading}</p>`}
    ${tables?.length === 0 && html`<p>${words.none}</p>`}
    ${(tables ?? []).map((table) => html`<${OneTable} table=${table} />`)}
    ${tables !== null && tables.length > 0 && html`<p class="small quiet">${words.about(tables[0].leastGames)}</p>`}
  <//>`;
}

/** @param {{table: Standings}} props */
function OneTable({ table }) {
  const words = texts.standings;
  const title = table.month === '' ? words.ever : words.month(table.month);
  return html`<h3>${title}</h3>${table.lines.length === 0
    ? html`<p class="quiet">${words.nobody}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label=${title}><table>
      <thead><tr><th></th>${words.heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${table.lines.map((line, at) => html`<tr><td class="number">${at + 1}</td>
        <th scope="row" class="name-cell">${called(line.name)}${line.isProgram && html` <span class="quiet small">${words.program}</span>`}</th>
        <td class="number">${line.games}</td><${Cell} of=${line.place} /><${Cell} of=${line.won} unit=${100} digits=${0} />
        <${Cell} of=${line.points} /><${Cell} of=${line.againstPar} sign="exceptZero" /></tr>`)}</tbody>
    </table></div>`}`;
}
