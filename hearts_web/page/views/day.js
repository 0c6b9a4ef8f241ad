// The deal of the day: its one try, what our hands came to, and those of the days before.

import { askDay } from '../client/asking.js';
import { dayTable, isOfChain, isOfValue, overAt } from '../client/days.js';
import { parseLink } from '../client/hand_link.js';
import { meanOf, spreadOf } from '../client/par.js';
import { inWords } from '../app/faults.js';
import { linkToHand } from '../app/invitation.js';
import { called } from '../app/names.js';
import { noteDay, ownDays, visitor } from '../app/own_days.js';
import { againstPar, meanAgainst, parOfHand } from '../app/par.js';
import { opener } from '../app/table_session.js';
import { texts } from '../texts.js';
import { html, useEffect, useMemo, useState } from '../vendor/preact.js';
import { CopyText } from './copy_link.js';
import { about } from './par.js';
import { Dialog } from './parts.js';

/** @typedef {import('../client/days.js').ToldDay} ToldDay */
/** @typedef {import('../client/par.js').Par} Par */

const LOOK_AGAIN = 3000;

/** @param {{options: import('../app/options.js').Options, play: (table: string) => void, onClose: () => void}} props */
export function Day({ options, play, onClose }) {
  const words = texts.day;
  const [told, setTold] = useState(/** @type {(ToldDay & {isSame: boolean}) | null} */ (null));
  const [why, setWhy] = useState('');
  useEffect(() => {
    let timer = 0;
    let isOver = false;
    const look = async () => {
      try {
        const now = await askDay(opener('game'), '?', options.password, visitor());
        if (isOver) return;
        if (now === null) return setWhy(words.none);
        setTold({ ...now, isSame: noteDay(now) });
        // It is played elsewhere, or its end has not been counted yet.
        if (now.state === 'playing') timer = window.setTimeout(look, LOOK_AGAIN);
      } catch (error) {
        if (!isOver) setWhy(inWords(error));
      }
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  if (told === null) return html`<${Dialog} title=${words.title} onClose=${onClose}><p role="status">${why || texts.start.loading}</p><//>`;
  const { since, hands } = ownDays();
  const days = new Set([told.day, ...told.results.map(({ day }) => day), ...Object.keys(hands)]);
  const results = [...days].sort().reverse().map((day) => ({ day, links: hands[day] ?? [], result: told.results.find((each) => each.day === day) ?? null }));
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    <p><b>${words.date(told.day)}</b></p>
    ${told.state === 'played' && told.lines.map((line) => html`<p>${line}</p>`)}
    ${told.state === 'open' && html`<p>${words.open}</p><p class="small quiet">${words.visitor}</p>
      <div class="row"><button type="button" class="main" onClick=${() => play(dayTable(visitor()))}>${words.play}</button></div>`}
    ${told.state === 'playing' && html`<p role="status">${words.playing}</p>`}
    ${told.state === 'played' && !told.results.some(({ day }) => day === told.day) && html`<p>${words.left}</p>`}
    ${results.map(({ day, links, result }) => (result !== null || links.length > 0) && html`<section class="stack" key=${day}>
      ${day !== told.day && html`<h3>${words.date(day)}</h3>`}
      <${DayHands} day=${day} links=${links} result=${result} over=${told.over} value=${told.value} /></section>`)}
    ${told.names.length > 0 && html`<section class="stack"><h3>${words.listed(told.over)}</h3>
      <table><tbody>${told.names.map(({ place, points, name }) => html`<tr><td>${place}</td><th scope="row">${called(name)}</th><td>${texts.points(points)}</td></tr>`)}</tbody></table></section>`}
    <p class="small quiet">${words.fixed(since)}</p>
    ${!(told.isSame && isOfChain(told)) && html`<p class="problem" role="alert">${words.broken}</p>`}
  <//>`;
}

/**
 * Our place, and lines to share while others still play the day.
 * @param {{result: import('../client/days.js').DayResult, usual: number | null, isComplete: boolean, isOver: boolean}} props `usual` is what the hands usually cost, `isComplete`: the points of all hands are shown already
 */
function Result({ result, usual, isComplete, isOver }) {
  const words = texts.day;
  const lines = words.lines(result, usual, isOver);
  const share = lines.join('\n');
  return html`${!isComplete && html`<p>${lines[1]}</p>`}<p><b>${lines[2]}</b></p>
    ${!isOver && html`<pre class="share">${share}</pre>
      <${CopyText} text=${share} label=${words.share} said=${words.copied} byHand=${words.byHand} />`}`;
}

/** A hand that this browser has kept; none where it cannot be read. @param {string} link */
function opened(link) {
  try {
    return [{ link, ...parseLink(link) }];
  } catch {
    return [];
  }
}

/** @param {Par | null | undefined} par undefined: it is being reckoned @param {number} player */
const usually = (par, player) => (par === undefined ? '…' : par === null ? '' : about(par, player));

/**
 * Our hands of a day beside what they usually cost, and when it is over everywhere the links to them.
 * @param {{day: string, links: string[], result: import('../client/days.js').DayResult | null, over: string, value: string}} props `over` is the latest day that is over, with its value
 */
function DayHands({ day, links, result, over, value }) {
  const words = texts.day;
  const hands = useMemo(() => links.flatMap(opened), [links.join()]);
  const [pars, setPars] = useState(/** @type {(Par | null)[]} */ ([]));
  const [against, setAgainst] = useState(/** @type {import('../app/par.js').AgainstPar | null} */ (null));
  const own = hands[0]?.own ?? 0;
  useEffect(() => {
    const table = { me: own, played: hands.map(({ hand }) => hand) };
    void Promise.all(table.played.map((hand) => parOfHand(table, hand))).then(setPars);
    void againstPar(table).then(setAgainst);
  }, [hands]);
  const isOver = day <= over;
  const isBad = day === over && !hands.every(({ hand }) => isOfValue(value, hand));
  const known = pars.filter((par) => par !== null);
  const all = known.length < hands.length ? null : { mean: known.reduce((sum, par) => sum + meanOf(par, own), 0), spread: Math.hypot(...known.map((par) => spreadOf(par, own))) };
  const told = result !== null && html`<${Result} result=${result} usual=${hands.length > 3 ? all?.mean ?? null : null} isComplete=${hands.length > 3} isOver=${isOver} />`;
  if (hands.length === 0) return told || null;
  return html`<table><thead><tr><th scope="col">${texts.scores.hand}</th><th scope="col">${words.points}</th><th scope="col">${words.usually}</th></tr></thead>
      <tbody>${hands.map(({ hand, link }, place) => html`<tr><th scope="row">${isOver ? html`<a href=${linkToHand(link)}>${words.hand(hand.number)}</a>` : words.hand(hand.number)}</th>
        <td>${hand.points[own]}</td><td>${usually(pars[place], own)}</td></tr>`)}
        <tr><th scope="row">${words.total}</th><td><b>${hands.reduce((sum, { hand }) => sum + hand.points[own], 0)}</b></td>
          <td>${all === null ? '' : texts.par.about(Math.round(all.mean), Math.round(all.spread))}</td></tr></tbody></table>
    ${against !== null && against.hands > 1 && html`<p class="small">${texts.par.soFar(meanAgainst(against))}</p>`}
    ${isBad && html`<p class="problem" role="alert">${words.notOfValue}</p>`}
    <p class="small quiet">${isOver ? texts.link.shows : words.linksAt(overAt(day))}</p>${told}`;
}
