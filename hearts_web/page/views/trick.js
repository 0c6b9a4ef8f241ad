// The cards that lie on the table. They come from their players, and go to who takes them.

import { highestOf } from '../client/cards.js';
import { flyAway, flyIn } from '../app/flights.js';
import { nameOf, placeOf } from '../app/names.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useLayoutEffect, useRef } from '../vendor/preact.js';

/** @typedef {import('../app/table_session.js').TableSession | import('../app/lesson_session.js').LessonSession} TableSession */

/** @param {{session: TableSession}} props */
export function Trick({ session }) {
  const { picture, isSweeping } = session;
  const trick = picture.hand?.trick ?? null;
  const plays = trick?.plays ?? [];
  const best = plays.length > 0 ? highestOf(plays.map(({ card }) => card)) : 0;
  const goesTo = isSweeping && trick !== null ? placeOf(picture, trick.winner) : null;
  return html`<ul class="trick" aria-label=${texts.table.trick}>
    ${plays.map(({ player, card }, number) => html`<${Lying} key=${`${trick?.round}-${card}`} card=${card} place=${placeOf(picture, player)}
      name=${nameOf(picture, player)} number=${number} isBest=${card === best} isFull=${plays.length === 4} goesTo=${goesTo} isPast=${picture.isPast} />`)}
  </ul>`;
}

/** @param {{card: number, place: number, name: string, number: number, isBest: boolean, isFull: boolean, goesTo: number | null, isPast: boolean}} props */
function Lying({ card, place, name, number, isBest, isFull, goesTo, isPast }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (element.current !== null && !isPast) flyIn(element.current, card, place);
  }, []);
  useLayoutEffect(() => {
    if (element.current !== null && goesTo !== null) flyAway(element.current, goesTo);
  }, [goesTo]);
  return html`<li class=${`lying lying-${place} order-${number} ${isBest ? 'best' : ''} ${isFull ? 'full' : ''}`}>
    <div class="card" ref=${element}><${Face} card=${card} /></div>
    <span class="hidden">${`${name}: ${texts.card(card)}`}</span></li>`;
}
