// The options of the player, and the statistics of the games in this browser.

import { counted, forgetGames, ownGames } from '../app/own_games.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
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
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${choice('trickStays', words.trickStays, words.stays)} ${choice('taps', words.taps, words.tapKinds)} ${check('ahead', words.ahead)}
    ${choice('scheme', words.scheme, words.schemes)} ${choice('back', words.back, words.backs)} ${check('fourColours', words.fourColours)}
    ${choice('announce', words.announce, words.announces)}
    <${Field} label=${words.pause} type="number" min="0" max="10" step="0.5" value=${String(options.announcePause)}
      onInput=${(/** @type {string} */ value) => set({ announcePause: Math.min(10, Math.max(0, Number(value) || 0)) })} />
    ${check('keys', words.keys)} <p class="small quiet">${words.keyHelp}</p>
    <label class="field"><span>${words.quick}</span><textarea rows="4" onChange=${setQuick}>${quick.join('\n')}</textarea></label>
  <//>`;
}

/** @param {{onClose: () => void}} props */
export function Statistics({ onClose }) {
  const [games, setGames] = useState(ownGames());
  const words = texts.statistics;
  const all = counted(games);
  /** @type {[string, string | number][]} */
  const figures = [
    [words.games, all.games], [words.won, all.won], [words.hands, all.hands],
    [words.average, all.pointsPerHand.toFixed(1)], [words.queens, all.queens], [words.moons, all.moons],
  ];
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${games.length === 0 ? html`<p class="quiet">${words.none}</p>` : html`
      <dl class="figures">${figures.map(([name, figure]) => html`<div><dt>${name}</dt><dd>${figure}</dd></div>`)}</dl>
      <h3>${words.latest}</h3>
      <div class="scroll"><table><tbody>${games.toReversed().slice(0, 20).map((game) => html`<tr><td>${new Date(game.at).toLocaleDateString()}</td>
        ${game.names.map((name, player) => html`<td class="name-cell">${player === game.me ? texts.you : name}${(game.winners >> player) & 1 ? ' ★' : ''} ${game.totals[player]}</td>`)}</tr>`)}</tbody></table></div>
      <div class="row"><button type="button" onClick=${() => { forgetGames(); setGames([]); }}>${words.forget}</button></div>`}
  <//>`;
}
