// The link to a hand that is over, and other texts for the clipboard.

import { overAt } from '../client/days.js';
import { formatLink } from '../client/hand_link.js';
import { scoresBefore } from '../client/played.js';
import { linkToHand } from '../app/invitation.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { Check } from './parts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */
/** @typedef {import('../client/played.js').PlayedHand} PlayedHand */
/** @typedef {import('../vendor/preact.js').Node} Node */

/**
 * A button that copies a text. `said` follows; where the browser does not copy, the text stands below
 * `byHand`. `beside` stands beside the button.
 * @param {{text: string, label: string, said: string, byHand: string, beside?: Node}} props
 */
export function CopyText({ text, label, said, byHand, beside = null }) {
  const [done, setDone] = useState({ text: '', isByHand: false });
  const copy = async () => {
    let isByHand = false;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without https there is no clipboard but the old one, which copies what is chosen.
      isByHand = true;
    }
    setDone({ text, isByHand });
  };
  return html`<div class="stack">
    <div class="row"><button type="button" onClick=${copy}>${label}</button>${beside}</div>
    ${done.text === text && (done.isByHand
      ? html`<label class="field"><span>${byHand}</span>
          <textarea readonly rows="3" value=${text} ref=${(/** @type {HTMLTextAreaElement | null} */ field) => { field?.select(); document.execCommand('copy'); }} /></label>`
      : html`<p class="small" role="status">${said}</p>`)}
  </div>`;
}

/**
 * The link to a hand that is over, for the clipboard; nothing where there is none, and of a day when
 * there will be one. `beside` stands beside its button, in place of a choice of names.
 * @param {{picture: Picture, hand: PlayedHand | undefined, beside?: Node}} props
 */
export function CopyLink({ picture, hand, beside }) {
  const words = texts.link;
  const [isNamed, setNamed] = useState(false);
  if (hand === undefined) return null;
  if (picture.day) return html`<p class="small quiet">${texts.day.linksAt(overAt(picture.day))}</p>`;
  const value = formatLink(hand, { before: scoresBefore(picture, hand), own: picture.me, named: isNamed });
  if (value === null) return null;
  const names = html`<${Check} label=${words.names} value=${isNamed} onChange=${setNamed} />`;
  return html`<${CopyText} text=${linkToHand(value)} label=${words.copy} said=${words.copied} byHand=${words.byHand} beside=${beside ?? names} />`;
}
