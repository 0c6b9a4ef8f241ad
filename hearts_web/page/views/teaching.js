// How Hearts is played, in pictures and words, with the rules of the table where there is one.

import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';
import { Dialog } from './parts.js';
import { RulesInWords } from './rules_form.js';

/** Cards of the pictures, by number: a trick of clubs, a hand that passes its three highest, and hearts. */
const TRICK = [20, 23, 16, 39];
const TAKES = 23;
const HAND = [15, 18, 30, 33, 45, 52, 40, 13];
const PASSED = new Set([52, 40, 13]);
const QUEEN = 51;
const HEARTS = [2, 7, 11, 1];
const ALL_HEARTS = [1, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

/**
 * @param {object} props
 * @param {number[]} props.cards
 * @param {string} props.label what the picture shows
 * @param {(card: number) => string} [props.kind] how a card is shown
 * @param {(card: number, place: number) => string} [props.under]
 */
const Cards = ({ cards, label, kind = () => '', under }) => html`<div class="taught" role="img" aria-label=${label}>
  ${cards.map((card, place) => html`<div class=${kind(card)}><div class="card"><${Face} card=${card} /></div>${under !== undefined && html`<span>${under(card, place)}</span>`}</div>`)}</div>`;

/** @param {{picture: import('../client/picture.js').Picture | null, onClose: () => void}} props */
export function Teaching({ picture, onClose }) {
  const words = texts.teaching;
  const table = picture?.forming ?? picture ?? null;
  return html`<${Dialog} title=${words.title} onClose=${onClose} kind="teaching">
    <p>${words.aim}</p>
    <h3>${words.trickTitle}</h3>
    <p>${words.trick}</p>
    <${Cards} cards=${TRICK} label=${words.trickPicture} kind=${(/** @type {number} */ card) => (card === TAKES ? 'takes' : '')}
      under=${(/** @type {number} */ _, /** @type {number} */ place) => words.places[place]} />
    <p>${words.trickExample}</p>
    <h3>${words.pointsTitle}</h3>
    <p>${words.points}</p>
    <${Cards} cards=${[QUEEN, ...HEARTS]} label=${words.pointsPicture} under=${(/** @type {number} */ card) => (card === QUEEN ? '13' : '1')} />
    <p>${words.early}</p>
    <h3>${words.passTitle}</h3>
    <p>${words.pass}</p>
    <${Cards} cards=${HAND} label=${words.passPicture} kind=${(/** @type {number} */ card) => (PASSED.has(card) ? 'raised' : '')} />
    <h3>${words.moonTitle}</h3>
    <p>${words.moon}</p>
    <${Cards} cards=${[QUEEN, ...ALL_HEARTS]} label=${words.moonPicture} kind=${() => 'narrow'} />
    <h3>${words.endTitle}</h3>
    <p>${words.end}</p>
    ${table !== null && table.rules !== null && html`<h3>${words.here}</h3>
      <${RulesInWords} rules=${table.rules} endScore=${table.endScore} turnLimit=${table.turnLimit / 1000} day=${picture?.day ?? ''} />`}<//>`;
}
