// The hand of a link, with all cards open, and a seat to play it on.

import { parseLink } from '../client/hand_link.js';
import { nameOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useMemo, useState } from '../vendor/preact.js';
import { Choice, Dialog } from './parts.js';
import { Replay } from './replay_dialog.js';

/** @typedef {import('../client/picture.js').Picture} Picture */
/** @typedef {import('../client/hand_link.js').LinkedHand} LinkedHand */
/** @typedef {(linked: LinkedHand, me: number, count: number) => void} Take */

/**
 * The hand of a link, with all cards open.
 * `take` is null while there is a game to be played.
 * @param {{value: string, onClose: () => void, take: Take | null}} props
 */
export function HandOfLink({ value, onClose, take }) {
  const words = texts.link;
  const linked = useMemo(() => {
    try {
      return parseLink(value);
    } catch {
      return null;
    }
  }, [value]);
  const [seat, setSeat] = useState(linked?.own ?? 0);
  if (linked === null) return html`<${Dialog} title=${words.title} onClose=${onClose}><p class="problem" role="alert">${words.wrong}</p><//>`;
  const picture = pictureOf(linked);
  return html`<${Replay} picture=${picture} onClose=${onClose} more=${(/** @type {number} */ count) => html`<p class="small">${words.shows}</p>
    ${take !== null && html`<div class="row"><${Choice} label=${words.seat} value=${seat} choices=${[0, 1, 2, 3].map((player) => [player, nameOf(picture, player)])} onChange=${(/** @type {string} */ player) => setSeat(Number(player))} />
      <button type="button" class="main" disabled=${count > 51} onClick=${() => take(linked, seat, count)}>${count === 0 && linked.hand.direction !== 0 ? words.takeBefore : words.take}</button></div>`}`} />`;
}

/** What the replay needs of a table. @param {LinkedHand} linked @param {number | null} me @returns {Picture} */
export function pictureOf({ hand, names }, me = null) {
  const players = [0, 1, 2, 3].map((player) => ({ player, name: names?.[player] ?? texts.link.player(player) }));
  return /** @type {Picture} */ (/** @type {unknown} */ ({ played: [hand], takenBack: new Set(), me, players, forming: null, gameNumber: 0 }));
}
