// The guided first hand: a table at which the next step is always said.

import { adviceOn } from '../app/advice.js';
import { playerAt } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { Hand } from './hand.js';
import { IconButton } from './parts.js';
import { Seat } from './seat.js';
import { Prompt } from './table.js';
import { Trick } from './trick.js';

/** @typedef {import('../app/lesson_session.js').LessonSession} LessonSession */

/** @param {{session: LessonSession, options: import('../app/options.js').Options, toStart: () => void}} props */
export function Lesson({ session, options, toStart }) {
  const { picture, isHeld } = session;
  const [chosen, choose] = useState(/** @type {number[]} */ ([]));
  useEffect(() => choose([]), [picture.question?.query.sequence]);
  const words = texts.lesson;
  return html`<div class="play lesson">
    <header class="bar"><div class="bar-title"><h1>${words.title}</h1></div>
      <button type="button" class="plain" onClick=${toStart}>${words.leave}</button></header>
    <main class="felt" aria-label=${texts.table.felt} onClick=${() => isHeld && session.goOn()}>
      ${[2, 1, 3].map((place) => html`<${Seat} key=${place} picture=${picture} player=${playerAt(picture, place)} back=${options.back} />`)}
      <div class="middle"><${Trick} session=${session} /></div>
    </main>
    <section class="own" aria-label=${texts.table.own}>
      <${Said} session=${session} />
      <div class="own-bar"><${Seat} picture=${picture} player=${0} back=${options.back} />
        ${!isHeld && session.doubt === null && html`<${Prompt} session=${session} chosen=${chosen} choose=${choose} />`}</div>
      <${Hand} session=${session} options=${options} chosen=${chosen} choose=${choose} />
    </section>
  </div>`;
}

/** What is said at this moment. @param {{session: LessonSession}} props */
function Said({ session }) {
  const { isHeld, doubt, picture } = session;
  const words = texts.lesson;
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const said = doubt === null ? session.texts[0] ?? '' : words.doubt(doubt.cards);
  useEffect(() => button.current?.focus({ preventScroll: true }), [said]);
  const advice = doubt === null || picture.hand === null ? null : adviceOn(picture, doubt.better);
  return html`<div class="said-step"><p role="status">${said} ${advice !== null && html`<b>${advice.said}</b> ${advice.why}`}</p>
    ${isHeld && html`<button type="button" class="main" ref=${button} onClick=${() => session.goOn()}>${texts.table.goOn}</button>`}
    ${doubt !== null && html`<div class="row"><button type="button" class="main" ref=${button} onClick=${() => session.thinkAgain()}>${words.another}</button>
      <button type="button" onClick=${() => session.insist()}>${words.anyway}</button></div>`}</div>`;
}
