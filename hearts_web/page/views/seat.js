// One player at the table: name, points, clock, cards that are left, and the points that just fell.

import { QUEEN_OF_SPADES } from '../client/cards.js';
import { KIND } from '../client/messages.js';
import { initialOf, markOf, nameOf, placeOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { OwnMark } from './parts.js';

/** @typedef {import('../client/picture.js').Picture} Picture */

const ROUND = 2 * Math.PI * 20;
const HURRY_SECONDS = 10;

/**
 * The time that is left, as a ring, and what is left of the bank while it is used.
 * @param {{until: number, limit: number, bank: import('../client/picture.js').Bank | null}} props milliseconds
 */
function Clock({ until, limit, bank }) {
  const ring = useRef(/** @type {SVGCircleElement | null} */ (null));
  const [now, setNow] = useState(Date.now);
  const seconds = secondsOf(until - now);
  useEffect(() => {
    const left = Math.max(0, until - Date.now());
    const whole = Math.max(limit, left, 1);
    const run = ring.current?.animate(
      [{ strokeDashoffset: `${ROUND * (1 - left / whole)}` }, { strokeDashoffset: `${ROUND}` }],
      { duration: left, fill: 'forwards' },
    );
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => {
      run?.cancel();
      clearInterval(timer);
    };
  }, [until]);
  return html`<svg class=${`clock ${seconds <= HURRY_SECONDS ? 'late' : ''}`} viewBox="0 0 48 48" aria-hidden="true">
      <circle class="track" cx="24" cy="24" r="20" /><circle ref=${ring} class="left" cx="24" cy="24" r="20" stroke-dasharray=${ROUND} transform="rotate(-90 24 24)" />
    </svg>${seconds <= Math.max(HURRY_SECONDS, limit / 2000) && html`<span class="seconds">${seconds}</span>`}
    ${bank !== null && now > bank.from && html`<span class="bank">${texts.table.bank(seconds, secondsOf(bank.stock - (now - bank.from)))}</span>`}`;
}

/** @param {number} milliseconds */
const secondsOf = (milliseconds) => Math.max(0, Math.ceil(milliseconds / 1000));

/** @param {{picture: Picture, player: number, back: string}} props */
export function Seat({ picture, player, back }) {
  const { hand, question, waiting } = picture;
  const info = picture.players[player];
  const isMe = player === picture.me;
  const name = nameOf(picture, player);
  const place = placeOf(picture, player);
  const isAwaited = picture.isAwaited(player);
  const until = isMe ? question?.until ?? null : isAwaited ? waiting?.until ?? null : null;
  const points = hand?.points[player] ?? 0;
  const cards = hand?.counts[player] ?? 0;
  const total = picture.totals[player];
  const trick = hand?.trick;
  const isTaker = trick != null && trick.winner === player;
  const fell = isTaker ? trick.points : 0;
  const hasQueen = isTaker && trick.plays.some(({ card }) => card === QUEEN_OF_SPADES);
  const hasMoon = hand?.moon?.player === player;
  const state = picture.openSeats.includes(player) ? texts.table.openSeat : info?.presence === 2 ? texts.table.standIn : info?.presence === 0 ? texts.table.away : info?.kind === KIND.program ? texts.table.program : '';
  const mark = markOf(picture, player);
  const label = [texts.table.seat(name, total, points, cards), mark && texts.names[mark], isAwaited ? texts.table.turn : '', state].filter(Boolean).join(', ');
  return html`<section id=${`seat-${place}`} class=${`seat seat-${place} ${isAwaited ? 'awaited' : ''} ${isTaker ? 'taker' : ''}`} aria-label=${label}>
    <div class="plate" aria-hidden="true">
      <span class=${`avatar hue-${player}`}>${info?.kind === KIND.cpu ? html`<svg viewBox="0 0 24 24" class="robot"><path d="M5 9h14v10H5zM12 9V5M9 13v2M15 13v2M12 4v.01" /></svg>` : initialOf(picture, player)}
        ${isAwaited && until !== null && html`<${Clock} until=${until} limit=${picture.turnLimit} bank=${isMe ? question?.bank ?? null : null} />`}</span>
      <span class="who"><span class="name">${isMe ? texts.you : name}${mark === 'own' && html` <${OwnMark} />`}</span>
        <span class="numbers"><span class="total">${total}</span>${points !== 0 && html`<span class=${`in-hand ${hasMoon ? 'moon' : ''}`}>${hasMoon ? '☾' : texts.signed(points)}</span>`}
          ${state !== '' && html`<span class="state">${state}</span>`}</span></span>
      ${isAwaited && html`<span class="turn-mark">${'▸'}</span>`}
    </div>
    ${place !== 0 || picture.me === null ? html`<div class="fan" aria-hidden="true">${Array.from({ length: cards }, (_, n) => html`<span key=${n} class=${`back back-${back}`}></span>`)}</div>` : ''}
    ${fell !== 0 && html`<span key=${`fell-${trick?.round}`} class=${`fell ${hasQueen ? 'queen' : ''} ${fell < 0 || hasMoon ? 'good' : ''}`} aria-hidden="true">${texts.signed(fell)}</span>`}
  </section>`;
}
