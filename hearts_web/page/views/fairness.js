// The mark that says that the deals were as promised, and how that is known.

import { missingNumbers } from '../client/promises.js';
import { opened } from '../client/replay.js';
import { ownDays } from '../app/own_days.js';
import { texts } from '../texts.js';
import { html } from '../vendor/preact.js';
import { Dialog, IconButton } from './parts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */
/** @typedef {import('../client/picture.js').NamedVerdict} NamedVerdict */

/** @param {{picture: Picture, onClick: () => void}} props */
export function FairMark({ picture, onClick }) {
  const { verdicts } = picture;
  const last = verdicts.at(-1);
  const isBad = verdicts.some(({ problem }) => problem !== null) || picture.played.some((hand) => opened(hand)?.isWhole === false);
  const isGood = last !== undefined && !verdicts.some(({ fairness }) => fairness === 'anybody' || fairness === 'redrawn');
  const label = isBad ? texts.fair.bad : last === undefined ? texts.fair.mark : `${texts.fair.good(verdicts.length)}. ${whoChose(last)}`;
  return html`<${IconButton} icon=${isBad ? 'unfair' : isGood ? 'fair' : 'open'} label=${label} onClick=${onClick}
    class=${`icon roomy fair-mark ${isBad ? 'bad' : isGood ? 'good' : ''}`} />`;
}

/** What was found out about the deal of a hand that is over. @param {{picture: Picture}} props */
export function LastDeal({ picture }) {
  const last = picture.verdicts.at(-1);
  if (last === undefined) return null;
  const missing = withholders(last).length > 0 ? missingInWords(picture) : [];
  if (picture.day && last.problem === null) return html`<p class="quiet small">${texts.day.fixed(ownDays().since)}</p>`;
  return html`<p class="quiet small">${last.problem === null ? whoChose(last) : texts.fair.problems[last.problem]} ${missing.join('; ')}</p>`;
}

/** @param {{picture: Picture, onClose: () => void}} props */
export function Fairness({ picture, onClose }) {
  const words = texts.fair;
  const { verdicts, undisclosed, played } = picture;
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    <p>${picture.day ? texts.day.fixed(ownDays().since) : words.how}</p>
    ${verdicts.length === 0 && html`<p class="quiet">${words.none}</p>`}
    ${missingInWords(picture).map((line) => html`<p>${line}</p>`)}
    ${undisclosed.map((deal) => html`<p class="problem">${words.deal} ${deal}: ${words.undisclosed}</p>`)}
    ${verdicts.toReversed().map((verdict) => {
      const hand = played.find((other) => other.verdict?.deal === verdict.deal);
      const open = hand === undefined ? null : opened(hand);
      return html`<details><summary>${words.deal} ${verdict.deal}: <b>${verdict.problem === null ? words.ok : words.problems[verdict.problem]}</b>
          <span class="quiet small"> ${whoChose(verdict)}</span></summary>
        <dl class="proof small">
          <dt>${words.seal}</dt><dd><code>${verdict.commitment}</code></dd>
          <dt>${words.secret}</dt><dd><code>${verdict.secret}</code></dd>
          <dt>${words.code}</dt><dd><code>${verdict.code}</code></dd>
          ${open !== null && html`<dt>${words.verdict}</dt><dd>${open.isWhole ? words.played : words.notPlayed}</dd>`}
        </dl></details>`;
    })}
  <//>`;
}

/** @param {Picture} picture */
const missingInWords = ({ verdicts }) =>
  missingNumbers(verdicts).map(({ name, missing, of }) => texts.fair.missing(name, missing, of));

/** The names of those whose numbers are missing in a deal. @param {NamedVerdict} verdict */
const withholders = ({ shown, names }) => names.filter((_, player) => shown?.[player].startsWith('!'));

/** Who can have chosen a deal. @param {NamedVerdict} verdict */
const whoChose = (verdict) => texts.fair.whoChose[verdict.fairness](texts.inARow(withholders(verdict)));
