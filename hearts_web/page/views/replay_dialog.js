// Hands that are over, with all cards open, card by card.

import { recordOf } from '../client/record.js';
import { heldAfter, opened } from '../client/replay.js';
import { nameOf } from '../app/names.js';
import { save } from '../app/saving.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useState } from '../vendor/preact.js';
import { sorted } from './hand.js';
import { Choice, Dialog, IconButton } from './parts.js';

/** @param {{picture: import('../client/picture.js').Picture, onClose: () => void}} props */
export function Replay({ picture, onClose }) {
  const words = texts.replay;
  const hands = picture.played.filter((hand) => opened(hand) !== null);
  const [chosen, setChosen] = useState(hands.length - 1);
  const [count, setCount] = useState(0);
  const hand = hands[chosen];
  const open = hand === undefined ? null : opened(hand);
  if (open === null) return html`<${Dialog} title=${words.title} onClose=${onClose}><p>${words.none}</p><//>`;
  const round = Math.max(0, Math.ceil(count / 4) - 1);
  const lying = count === 0 ? [] : hand.tricks[round].plays.slice(0, count - 4 * round);
  const held = heldAfter(open, hand, count);
  const record = recordOf(picture.played, hand.game);
  const to = (/** @type {number} */ next) => setCount(Math.max(0, Math.min(52, next)));
  return html`<${Dialog} title=${words.title} onClose=${onClose} kind="replay">
    <${Choice} label=${texts.scores.hand} value=${chosen} choices=${hands.map(({ game, number }, place) => [place, words.hand(game, number)])}
      onChange=${(/** @type {string} */ value) => { setChosen(Number(value)); setCount(0); }} />
    <div class="row between"><${IconButton} icon="first" label=${words.first} onClick=${() => to(0)} />
      <${IconButton} icon="left" label=${words.back} onClick=${() => to(count - 1)} />
      <output aria-live="polite">${words.trick(count === 0 ? 1 : round + 1)}, ${count}/52</output>
      <${IconButton} icon="right" label=${words.forth} onClick=${() => to(count + 1)} />
      <${IconButton} icon="end" label=${words.last} onClick=${() => to(52)} /></div>
    <ul class="card-list replay-trick">${lying.map(({ player, card }) => html`<li><div class="card"><${Face} card=${card} /></div><span>${nameOf(picture, player)}<span class="hidden">: ${texts.card(card)}</span></span></li>`)}</ul>
    ${held.map((cards, player) => html`<section class="open-hand" aria-label=${nameOf(picture, player)}><h3>${nameOf(picture, player)} <span class="quiet small">${texts.points(hand.points[player])}</span></h3>
      <ul class="mini-cards">${sorted(cards).map((card) => html`<li><div class="card"><${Face} card=${card} /></div><span class="hidden">${texts.card(card)}</span></li>`)}</ul>
      ${count === 0 && open.passed[player].length > 0 && html`<p class="small quiet">${words.passed(nameOf(picture, player), open.passed[player])}</p>`}
    </section>`)}
    ${record !== null && html`<div class="row"><button type="button" onClick=${() => save(`hearts-${picture.gameNumber}-${hand.game}.txt`, record)}>${words.save}</button></div>`}
  <//>`;
}
