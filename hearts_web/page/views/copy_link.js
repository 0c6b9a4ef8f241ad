// The link to a hand that is over.

import { formatLink } from '../client/hand_link.js';
import { linkToHand } from '../app/invitation.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { Check } from './parts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */
/** @typedef {import('../client/played.js').PlayedHand} PlayedHand */

/** The scores before a hand, as far as they were seen. @param {Picture} picture @param {PlayedHand} hand */
function scoresBefore({ played }, hand) {
  const last = played.find(({ game, number }) => game === hand.game && number === hand.number - 1);
  return last?.totals ?? [0, 0, 0, 0];
}

/**
 * The link to a hand that is over, for the clipboard; nothing where there is none. `beside` stands
 * beside its button, in place of a choice of names.
 * @param {{picture: Picture, hand: PlayedHand | undefined, beside?: import('../vendor/preact.js').Node}} props
 */
export function CopyLink({ picture, hand, beside }) {
  const words = texts.link;
  const [isNamed, setNamed] = useState(false);
  const [copied, setCopied] = useState('');
  if (hand === undefined) return null;
  const value = formatLink(hand, { before: scoresBefore(picture, hand), own: picture.me, named: isNamed });
  if (value === null) return null;
  const link = linkToHand(value);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(words.copied);
    } catch {
      // Without https there is no clipboard but the old one, which copies what is chosen.
      setCopied(link);
    }
  };
  return html`<div class="stack">
    <div class="row"><button type="button" onClick=${copy}>${words.copy}</button>
      ${beside ?? html`<${Check} label=${words.names} value=${isNamed} onChange=${(/** @type {boolean} */ is) => { setNamed(is); setCopied(''); }} />`}</div>
    ${copied !== '' && copied !== link && html`<p class="small" role="status">${copied}</p>`}
    ${copied === link && html`<label class="field"><span>${words.byHand}</span>
      <input readonly value=${link} ref=${(/** @type {HTMLInputElement | null} */ field) => { field?.select(); document.execCommand('copy'); }} /></label>`}
  </div>`;
}
