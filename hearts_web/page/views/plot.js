// Some lines over the same steps, for eyes and for screen readers.

import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';

/** @typedef {{name: string, values: number[]}} PlotLine */

const WIDTH = 320;
const HEIGHT = 150;
const EDGE = 14;
/** Strokes that differ, so that no line is known by its colour alone. */
const DASHES = ['', '7 4', '2 4', '10 3 2 3'];

/**
 * At most four lines with equally many values, two at least.
 * @param {{caption: string, lines: PlotLine[], levels: number[]}} props levels: values that have a
 *   line of their own across the plot
 */
export function Plot({ caption, lines, levels }) {
  const all = [...lines.flatMap(({ values }) => values), ...levels];
  const lowest = Math.min(...all);
  const highest = Math.max(...all);
  const last = lines[0].values.length - 1;
  const x = (/** @type {number} */ place) => EDGE + ((WIDTH - 2 * EDGE) * place) / last;
  const y = (/** @type {number} */ value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - lowest)) / (highest - lowest || 1);
  const summary = lines.map(({ name, values }) => texts.scores.line(name, values)).join('; ');
  return html`<figure class="plot"><figcaption>${caption}</figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${summary}>
      ${levels.map((level) => html`<g class="level"><line x1=${EDGE} x2=${WIDTH - EDGE} y1=${y(level)} y2=${y(level)} /><text x=${EDGE} y=${y(level) - 3}>${level}</text></g>`)}
      ${lines.map(({ values }, number) => html`<g class=${`plot-line hue-line-${number}`}>
        <polyline points=${values.map((value, place) => `${x(place)},${y(value)}`).join(' ')} stroke-dasharray=${DASHES[number]} />
        <circle cx=${x(last)} cy=${y(values[last])} r="3.500" /></g>`)}
    </svg>
    <ul class="plot-names">${lines.map(({ name }, number) => html`<li><svg viewBox="0 0 30 8" aria-hidden="true" class=${`plot-line hue-line-${number}`}><line x1="0" x2="30" y1="4" y2="4" stroke-dasharray=${DASHES[number]} /></svg> ${name}</li>`)}</ul>
  </figure>`;
}
