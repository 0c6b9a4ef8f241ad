// Hands that are over, with all cards open, card by card.

import { choosePass, chooseWithReason } from '../client/choice.js';
import { recordOf } from '../client/record.js';
import { choiceAfter, heldAfter, opened } from '../client/replay.js';
import { nameOf } from '../app/names.js';
import { save } from '../app/saving.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { sorted } from './hand.js';
import { CopyLink } from './copy_link.js';
import { about, useOpinion, usePar } from './par.js';
import { Choice, Dialog, IconButton } from './parts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */
/** @typedef {import('../client/replay.js').OpenHand} OpenHand */
/** @typedef {import('../client/played.js').PlayedHand} PlayedHand */

const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -52, End: 52 });

/**
 * `more` is drawn below the hands, behind so many cards; a link to the hand stands there else.
 * @param {{picture: Picture, onClose: () => void, more?: ((count: number) => import('../vendor/preact.js').Node) | null}} props
 */
export function Replay({ picture, onClose, more = null }) {
  const words = texts.replay;
  const hands = picture.played.filter((hand) => opened(hand) !== null);
  const [chosen, setChosen] = useState(hands.length - 1);
  const [count, setCount] = useState(0);
  const by = (/** @type {number} */ step) => setCount((now) => Math.max(0, Math.min(52, now + step)));
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const isElsewhere = event.target instanceof HTMLSelectElement || event.altKey || event.ctrlKey || event.metaKey;
      if (STEPS[event.key] === undefined || isElsewhere) return;
      event.preventDefault();
      by(STEPS[event.key]);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const hand = hands[chosen];
  const par = usePar(picture, hand);
  const open = hand === undefined ? null : opened(hand);
  if (open === null) return html`<${Dialog} title=${words.title} onClose=${onClose}><p>${words.none}</p><//>`;
  const round = Math.max(0, Math.ceil(count / 4) - 1);
  const lying = count === 0 ? [] : hand.tricks[round].plays.slice(0, count - 4 * round);
  const held = heldAfter(open, hand, count);
  const record = recordOf(picture.played, hand.game, picture.takenBack.has(hand.game));
  return html`<${Dialog} title=${words.title} onClose=${onClose} kind="replay">
    <div class="replay-bar"><${Choice} label=${texts.scores.hand} value=${chosen} choices=${hands.map(({ game, number }, place) => [place, words.hand(game, number)])}
        onChange=${(/** @type {string} */ value) => { setChosen(Number(value)); setCount(0); }} />
      <div class="row between"><${IconButton} icon="first" label=${words.first} onClick=${() => by(-52)} />
        <${IconButton} icon="left" label=${words.back} onClick=${() => by(-1)} />
        <output aria-live="polite">${words.trick(count === 0 ? 1 : round + 1)}, ${count}/52</output>
        <${IconButton} icon="right" label=${words.forth} onClick=${() => by(1)} />
        <${IconButton} icon="end" label=${words.last} onClick=${() => by(52)} /></div></div>
    <div class="replay-middle">${count > 0 && html`<ul class="card-list replay-trick">${lying.map(({ player, card }) => html`<li><div class="card"><${Face} card=${card} /></div><span>${nameOf(picture, player)}<span class="hidden">: ${texts.card(card)}</span></span></li>`)}</ul>`}
      <p class="said" role="status"><${Said} picture=${picture} open=${open} hand=${hand} count=${count} /></p></div>
    <div class="open-hands">${held.map((cards, player) => html`<section class="open-hand" aria-label=${nameOf(picture, player)}><h3><span class=${`dot hue-${player}`}></span>${nameOf(picture, player)} <span class="quiet small">${texts.points(hand.points[player])}${par !== null && `, ${texts.par.usually(about(par, player))}`}</span></h3>
      <ul class="mini-cards">${sorted(cards).map((card) => html`<li><div class="card"><${Face} card=${card} /></div><span class="hidden">${texts.card(card)}</span></li>`)}</ul>
      ${count === 0 && open.passed[player].length > 0 && html`<p class="small quiet">${words.passed(nameOf(picture, player), open.passed[player])}</p>`}
    </section>`)}</div>
    ${more === null ? html`<${CopyLink} key=${chosen} picture=${picture} hand=${hand} beside=${record !== null && html`<button type="button" onClick=${() => save(`hearts-${picture.gameNumber}-${hand.game}.txt`, record)}>${words.save}</button>`} />` : more(count)}
  <//>`;
}

/**
 * What is to be said of a moment of a hand: what the trick that is full came to, what is played next,
 * and what the hint would have done in our place.
 * @param {{picture: Picture, open: OpenHand, hand: PlayedHand, count: number}} props
 */
function Said({ picture, open, hand, count }) {
  const words = texts.replay;
  const { me } = picture;
  const said = [];
  const opinion = useOpinion(picture, hand, count);
  if (count === 0 && me !== null && open.passed[me].length > 0) said.push(words.hintPass(opinion?.passes?.cards ?? choosePass({ held: open.dealt[me], rules: hand.rules })));
  if (count > 0 && count % 4 === 0) {
    const { winner, points } = hand.tricks[count / 4 - 1];
    said.push(texts.lastTrick.taken(nameOf(picture, winner), points));
  }
  const next = choiceAfter(open, hand, count);
  if (next !== null) said.push(words.next(nameOf(picture, next.player), next.card));
  const plays = opinion?.plays ?? null;
  if (next !== null && plays !== null) {
    const [card] = plays.cards;
    const { card: byRule, why } = chooseWithReason(next.situation);
    const head = plays.isForced ? words.forced : card === next.card ? words.same : words.other(card);
    said.push(plays.isForced || card !== byRule ? `${head}.` : `${head}: ${texts.hint.why[why]}`);
    if (plays.cost !== null) said.push(words.cost(next.card, plays.cost));
  }
  return said.join(' ');
}
