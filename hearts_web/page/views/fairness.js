// The mark that says that the deals were as promised, and how that is known.

import { opened } from '../client/replay.js';
import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';
import { Dialog, IconButton } from './parts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */

/** @param {{picture: Picture, onClick: () => void}} props */
export function FairMark({ picture, onClick }) {
  const { verdicts } = picture;
  const isBad = verdicts.some(({ problem }) => problem !== null) || picture.played.some((hand) => opened(hand)?.isWhole === false);
  const label = isBad ? texts.fair.bad : verdicts.length === 0 ? texts.fair.mark : texts.fair.good(verdicts.length);
  return html`<${IconButton} icon=${isBad ? 'unfair' : verdicts.length === 0 ? 'open' : 'fair'} label=${label} onClick=${onClick}
    class=${`icon fair-mark ${isBad ? 'bad' : verdicts.length > 0 ? 'good' : ''}`} />`;
}

/** @param {{picture: Picture, onClose: () => void}} props */
export function Fairness({ picture, onClose }) {
  const words = texts.fair;
  const { verdicts, undisclosed, played } = picture;
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    <p>${words.how}</p>
    ${verdicts.length === 0 && html`<p class="quiet">${words.none}</p>`}
    ${undisclosed.map((deal) => html`<p class="problem">${words.deal} ${deal}: ${words.undisclosed}</p>`)}
    ${verdicts.toReversed().map((verdict) => {
      const hand = played.find((other) => other.verdict?.deal === verdict.deal);
      const open = hand === undefined ? null : opened(hand);
      return html`<details><summary>${words.deal} ${verdict.deal}: <b>${verdict.problem === null ? words.ok : words.problems[verdict.problem]}</b>
          <span class="quiet small"> ${verdict.isCutByMe ? words.cut : words.noCut}</span></summary>
        <dl class="proof small">
          <dt>${words.seal}</dt><dd><code>${verdict.commitment}</code></dd>
          <dt>${words.secret}</dt><dd><code>${verdict.secret}</code></dd>
          <dt>${words.code}</dt><dd><code>${verdict.code}</code></dd>
          ${open !== null && html`<dt>${words.verdict}</dt><dd>${open.isWhole ? words.played : words.notPlayed}</dd>`}
        </dl></details>`;
    })}
  <//>`;
}
