// Our own cards: to look at, to pass and to play, by touch, mouse and keyboard. A card is played by
// a click of the mouse, by two taps, by a flick towards the table, or by Enter.

import { suit } from '../client/cards.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/preact.js';

/** @typedef {import('../app/table_session.js').TableSession | import('../app/lesson_session.js').LessonSession} TableSession */

/** By suit as people sort them: clubs, diamonds, spades, hearts; aces high. */
const SUIT_ORDER = [3, 0, 1, 2];
const order = (/** @type {number} */ card) => SUIT_ORDER[suit(card)] * 13 + ((card - 2 + 13) % 13);
export const sorted = (/** @type {number[]} */ cards) => cards.toSorted((a, b) => order(a) - order(b));

/** What is tapped so soon behind a change of the cards was meant for what was there before. */
const GUARD_MILLISECONDS = 350;
const FLICK_PIXELS = 36;

/**
 * @param {object} props
 * @param {TableSession} props.session
 * @param {import('../app/options.js').Options} props.options
 * @param {number[]} props.chosen raised cards: those to pass, or the one to play
 * @param {(cards: number[]) => void} props.choose
 */
export function Hand({ session, options, chosen, choose }) {
  const { picture, sent } = session;
  const { hand, question } = picture;
  const held = sorted(hand?.held ?? []);
  const [focus, setFocus] = useState(0);
  const group = useRef(/** @type {HTMLElement | null} */ (null));
  const hadFocus = useRef(false);
  const changedAt = useRef(0);
  const flick = useRef(/** @type {{card: number, y: number, done: boolean} | null} */ (null));
  const asked = question?.is;
  const legal = question?.is === 'card' ? question.legal : null;
  const isPassing = asked === 'pass' && sent.length === 0;
  const received = hand !== null && hand.tricks.length === 0 ? hand.received?.cards ?? [] : [];

  useEffect(() => {
    changedAt.current = Date.now();
    // Where the card that had the focus is gone, another one has it, so that the keys go on.
    if (hadFocus.current && document.activeElement === document.body) focusOn(held[at]);
  }, [question?.query.sequence, held.length]);

  const isLegal = (/** @type {number} */ card) => legal === null || legal.includes(card);
  const toggle = (/** @type {number} */ card) => {
    if (chosen.includes(card)) choose(chosen.filter((other) => other !== card));
    else choose([...chosen, card].slice(-3));
  };
  /** @param {number} card @param {boolean} isSure whether one act is enough */
  const act = (card, isSure) => {
    if (hand === null || sent.length > 0) return;
    if (isPassing) toggle(card);
    else if (asked === 'card') {
      if (!isLegal(card)) return session.explain(card);
      if (isSure || chosen[0] === card) session.play(card);
      else choose([card]);
    } else if (options.ahead && hand.trick !== null) choose(chosen[0] === card ? [] : [card]);
  };
  /** @param {PointerEvent} event @param {number} card */
  const click = (event, card) => {
    if (flick.current?.done) {
      flick.current = null;
      return;
    }
    // A click by a keyboard or a screen reader is always meant.
    const isPointer = event.detail > 0;
    if (isPointer && Date.now() - changedAt.current < GUARD_MILLISECONDS) return;
    const isSure = options.taps === 'once' || (options.taps === 'auto' && event.pointerType !== 'touch') || !isPointer;
    act(card, isSure);
  };
  const down = (/** @type {PointerEvent} */ event, /** @type {number} */ card) => {
    flick.current = { card, y: event.clientY, done: false };
  };
  const up = (/** @type {PointerEvent} */ event, /** @type {number} */ card) => {
    const began = flick.current;
    if (began?.card !== card || sent.length > 0) return;
    const way = event.clientY - began.y;
    if (Math.abs(way) < FLICK_PIXELS) return;
    began.done = true;
    setTimeout(() => (flick.current = null), 0);
    if (isPassing && way < 0 !== chosen.includes(card)) toggle(card);
    else if (isPassing && way < 0 && chosen.length === 3) session.pass(chosen);
    else if (asked === 'card' && way < 0 && isLegal(card)) session.play(card);
  };
  const move = (/** @type {KeyboardEvent} */ event) => {
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 });
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(held.length - 1, at + step));
    setFocus(next);
    focusOn(held[next]);
  };
  const focusOn = (/** @type {number} */ card) =>
    /** @type {HTMLElement | null | undefined} */ (group.current?.querySelector(`[data-card="${card}"]`))?.focus();
  const leave = (/** @type {FocusEvent} */ event) => {
    if (event.relatedTarget !== null) hadFocus.current = false;
  };
  const enter = (/** @type {number} */ place) => {
    hadFocus.current = true;
    setFocus(place);
  };
  const at = Math.min(focus, Math.max(0, held.length - 1));
  const half = Math.ceil(held.length / 2);
  const isNew = hand !== null && hand.tricks.length === 0 && !picture.isPast;
  const one = (/** @type {number} */ card, /** @type {number} */ place) => {
    const isRaised = chosen.includes(card);
    const mayNot = !isLegal(card);
    const state = [mayNot ? texts.table.illegal : '', received.includes(card) ? texts.table.passedNew : ''].filter(Boolean).join(', ');
    return html`<button type="button" key=${card} data-card=${card} tabindex=${place === at ? 0 : -1}
      class=${`card in-hand ${isRaised ? 'raised' : ''} ${mayNot ? 'illegal' : ''} ${received.includes(card) ? 'received' : ''} ${sent.includes(card) ? 'sent' : ''} deal-${isNew ? place : 'none'}`}
      aria-pressed=${isRaised} aria-disabled=${mayNot}
      onFocus=${() => enter(place)} onBlur=${leave} onPointerDown=${(/** @type {PointerEvent} */ event) => down(event, card)}
      onPointerUp=${(/** @type {PointerEvent} */ event) => up(event, card)}
      onClick=${(/** @type {PointerEvent} */ event) => click(event, card)}><${Face} card=${card} /><span class="hidden">${texts.card(card) + (state === '' ? '' : `, ${state}`)}</span></button>`;
  };
  return html`<div class=${`hand ${asked === 'card' || isPassing ? 'asked' : ''}`} ref=${group} role="group" aria-label=${texts.table.yourHand} onKeyDown=${move}
    style=${{ '--n': held.length, '--half': half }}>
    <div class="hand-row">${held.slice(0, half).map((card, place) => one(card, place))}</div>
    <div class="hand-row">${held.slice(half).map((card, place) => one(card, half + place))}</div>
  </div>`;
}
