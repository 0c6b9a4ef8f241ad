// The upper half of a jack, a queen or a king; the lower half is the same, turned around.

import { html } from '../vendor/preact.js';

const FACE = html`
  <path class="skin" d="M101 82c0-16 8-24 19-24s19 8 19 24c0 17-8 29-19 29s-19-12-19-29z" />
  <path class="ink-line" d="M120 80l-3 12h5" />
  <path class="ink-line" d="M114 101q6 3 12 0" />
  <circle class="ink" cx="112" cy="82" r="2.200" />
  <circle class="ink" cx="128" cy="82" r="2.200" />
  <path class="ink-line" d="M108 76q4-3 8 0M124 76q4-3 8 0" />
`;

const KING = html`
  <path class="robe" d="M66 168c2-30 18-46 40-52h28c22 6 38 22 40 52z" />
  <path class="gold" d="M98 119l22 49 22-49 12 5-24 44h-20l-24-44z" />
  <path class="fur" d="M104 112c4 12 9 20 16 27 7-7 12-15 16-27l8 5c-4 18-12 30-24 40-12-10-20-22-24-40z" />
  <path class="hair" d="M97 66c-5 14-5 30 1 44h7V66zM143 66c5 14 5 30-1 44h-7V66z" />
  ${FACE}
  <path class="hair" d="M101 88c1 20 8 36 19 42 11-6 18-22 19-42-4 8-9 10-13 9-4-2-8-2-12 0-4 1-9-1-13-9z" />
  <path class="skin" d="M112 103q8 6 16 0q-8 3-16 0z" />
  <path class="gold" d="M97 64l-5-25 15 11 13-16 13 16 15-11-5 25q-23-6-46 0z" />
  <path class="ink-line" d="M98 60q22-6 44 0" />
  <circle class="suit" cx="120" cy="50" r="3.500" />
  <circle class="gold" cx="92" cy="38" r="3.500" /><circle class="gold" cx="120" cy="33" r="3.500" />
  <circle class="gold" cx="148" cy="38" r="3.500" />
  <path class="gold" d="M158 168V92h6v76z" /><path class="gold" d="M161 76l8 10-8 10-8-10z" />
`;

const QUEEN = html`
  <path class="hair" d="M93 76c0-22 12-32 27-32s27 10 27 32c0 20 4 32 9 44H84c5-12 9-24 9-44z" />
  <path class="robe" d="M66 168c3-28 16-42 38-50l16 14 16-14c22 8 35 22 38 50z" />
  <path class="fur" d="M103 117l17 26 17-26 6 3-23 36-23-36z" />
  <path class="skin" d="M112 104h16v14l-8 12-8-12z" />
  ${FACE}
  <path class="hair" d="M99 82c2-14 9-20 21-22 12 2 19 8 21 22 2-18-6-31-21-31s-23 13-21 31z" />
  <path class="gold" d="M98 60c2-8 3-12 2-20l11 8 9-12 9 12 11-8c-1 8 0 12 2 20q-22-8-44 0z" />
  <circle class="pearl" cx="100" cy="39" r="3" /><circle class="pearl" cx="120" cy="35" r="3.500" />
  <circle class="pearl" cx="140" cy="39" r="3" />
  <path class="pearls" d="M104 122q16 16 32 0" />
  <path class="leaf" d="M80 168c-2-14-1-26 3-38" />
  <circle class="suit" cx="84" cy="122" r="8" /><circle class="gold" cx="84" cy="122" r="3" />
  <path class="suit-line" d="M76 168q8-30 26-40M164 168q-8-30-26-40" />
`;

const JACK = html`
  <path class="hair" d="M94 70c-3 18-2 34 2 42 6 4 12 4 16 0V70zM146 70c3 18 2 34-2 42-6 4-12 4-16 0V70z" />
  <path class="robe" d="M66 168c2-28 16-44 42-52h24c26 8 40 24 42 52z" />
  <path class="gold" d="M92 124l12-5 16 20 16-20 12 5-20 44h-16z" />
  <path class="suit-line" d="M120 139v29M108 146l12 10 12-10" />
  <path class="fur" d="M106 114h28l4 9-18 14-18-14z" />
  ${FACE}
  <path class="hair" d="M99 80c4-9 10-13 21-13s17 4 21 13c2-18-6-26-21-26s-23 8-21 26z" />
  <path class="suit" d="M92 64c-4-16 8-28 26-29 20-1 34 9 31 22-1 5-5 8-9 8q-24-8-48-1z" />
  <path class="gold" d="M91 66q28-10 57-1v-7q-29-9-58 0z" />
  <path class="feather" d="M140 56c10-6 20-18 20-32 10 12 6 34-16 40z" />
  <path class="gold" d="M76 168V96h5v72z" /><path class="fur" d="M78.500 70l9 24h-18z" />
`;

/** @type {Record<number, import('../vendor/preact.js').Node>} by rank */
export const COURTS = { 11: JACK, 12: QUEEN, 13: KING };
