// The statistics of the games that were played in this browser.

import { counted, course, forgetGames, ownGames } from '../app/own_games.js';
import { forgetMistakes } from '../app/own_mistakes.js';
import { allCalled } from '../app/names.js';
import { meanAgainst } from '../app/par.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { Dialog } from './parts.js';
import { Plot } from './plot.js';

/** @typedef {import('../app/own_games.js').OwnGame} OwnGame */

const MOST_SHOWN = 60;
/** 26 points for four players. */
const EVEN = 6.5;

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
      ${all.par.hands > 1 && html`<p>${texts.par.soFar(meanAgainst(all.par))} ${words.parOf(all.par.hands, all.hands)}</p>`}
      <${Course} games=${games} />
      <h3>${words.latest}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${words.latest}><table><tbody>${games.toReversed().slice(0, 20).map((game) => html`<tr><td>${new Date(game.at).toLocaleDateString()}</td>
        ${allCalled(game.names).map((name, player) => html`<td class="name-cell">${player === game.me ? texts.you : name}${(game.winners >> player) & 1 ? ' ★' : ''} ${game.totals[player]}</td>`)}</tr>`)}</tbody></table></div>
      <div class="row"><button type="button" onClick=${() => { forgetGames(); forgetMistakes(); setGames([]); }}>${words.forget}</button></div>`}
  <//>`;
}

/** How the latest games went. @param {{games: OwnGame[]}} props */
function Course({ games }) {
  if (games.length < 2) return null;
  const words = texts.statistics;
  const { each, average } = course(games);
  const lines = [
    { name: words.eachGame, values: each.slice(-MOST_SHOWN) },
    { name: words.upToThen, values: average.slice(-MOST_SHOWN) },
  ];
  return html`<${Plot} caption=${words.plot} lines=${lines} levels=${[0, EVEN]} />`;
}
