// The face of a card, drawn with a large index, so that a hand can be read on a phone.

import { suit } from '../client/cards.js';
import { html } from '../vendor/preact.js';
import { COURTS } from './court.js';
import { PIPS } from './pips.js';
import { SUIT_CLASSES, SUIT_PATHS } from './suits.js';

const RANKS = ['', 'A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const PIP = 40;

const rank = (/** @type {number} */ card) => ((card - 1) % 13) + 1;

/** @param {number} x @param {number} y @param {number} size @param {number} suitNumber */
const sign = (x, y, size, suitNumber, isTurned = false) => html`<path
  class="suit"
  d=${SUIT_PATHS[suitNumber]}
  transform=${`translate(${x} ${y}) scale(${size / 100})${isTurned ? ' rotate(180)' : ''} translate(-50 -50)`}
/>`;

/** @param {number} card */
function index(card) {
  const text = RANKS[rank(card)];
  return html`<text class="rank" x="37" y="66" text-anchor="middle" textLength=${text === '10' ? 54 : null}
      lengthAdjust="spacingAndGlyphs">${text}</text>
    ${sign(37, 100, 46, suit(card))}`;
}

/** @param {number} card */
function middle(card) {
  const number = rank(card);
  const suitNumber = suit(card);
  if (number === 1) return html`<g class="ace"><circle class="ring" cx="120" cy="168" r="74" />${sign(120, 168, 104, suitNumber)}</g>`;
  if (number <= 10) {
    return html`<g class="pips">${PIPS[number].map(([x, y]) => sign(x, y, PIP, suitNumber, y > 168))}</g>
      <g class="one-pip">${sign(128, 196, 124, suitNumber)}</g>`;
  }
  const half = html`${COURTS[number]}${sign(86, 58, 26, suitNumber)}`;
  return html`<g class="court">
    <rect class="panel" x="66" y="34" width="108" height="268" rx="6" />
    <g>${half}</g>
    <g transform="rotate(180 120 168)">${half}</g>
    <rect class="frame" x="66" y="34" width="108" height="268" rx="6" />
  </g>`;
}

/**
 * The picture of a card; whoever shows it gives it a name.
 * @param {{card: number}} props
 */
export function Face({ card }) {
  return html`<svg class=${`face ${SUIT_CLASSES[suit(card)]}`} viewBox="0 0 240 336" aria-hidden="true" focusable="false">
    <rect class="paper" x="1.500" y="1.500" width="237" height="333" rx="16" />
    ${middle(card)}
    <g class="index">${index(card)}</g>
    <g class="lower-index" transform="rotate(180 120 168)">${index(card)}</g>
  </svg>`;
}

/**
 * A sign of a suit beside a text.
 * @param {{suit: number}} props
 */
export function SuitSign({ suit: number }) {
  return html`<svg class=${`suit-sign ${SUIT_CLASSES[number]}`} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
    <path class="suit" d=${SUIT_PATHS[number]} />
  </svg>`;
}
