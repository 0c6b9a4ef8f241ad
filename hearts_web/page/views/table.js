// The table while it is played: seats, trick, own cards, and what is asked.

import { suit } from '../client/cards.js';
import { moonOf } from '../client/rules.js';
import { isSecret } from '../client/table_names.js';
import { moonTimeUp } from '../app/announcing.js';
import { lossInWords } from '../app/faults.js';
import { called, nameOf, playerAt, playersOf, targetOf } from '../app/names.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { SuitSign } from '../deck/face.js';
import { ChatBox } from './chat.js';
import { FairMark } from './fairness.js';
import { Hand } from './hand.js';
import { IconButton } from './parts.js';
import { HandIsOver, Result } from './result.js';
import { RulesInWords } from './rules_form.js';
import { ScoreTable } from './scores.js';
import { Seat } from './seat.js';
import { Trick } from './trick.js';

/** @typedef {import('../app/table_session.js').TableSession} TableSession */
/** @typedef {import('../app/lesson_session.js').LessonSession} LessonSession */
/** @typedef {import('../app/options.js').Options} Options */

/** @param {{session: TableSession, options: Options, open: (dialog: string) => void, toStart: () => void}} props */
export function Table({ session, options, open, toStart }) {
  const { picture, isHeld, sent } = session;
  const { hand, question, me } = picture;
  const [chosen, choose] = useState(/** @type {number[]} */ ([]));
  const sequence = question?.query.sequence ?? 0;

  // What was chosen ahead is played when it is our turn, if it may be; else nothing is chosen.
  useEffect(() => {
    const [ahead] = chosen;
    if (question?.is === 'card' && ahead !== undefined && chosen.length === 1 && options.ahead && question.legal.includes(ahead) && sent.length === 0) {
      session.play(ahead);
    }
    choose([]);
  }, [sequence, hand?.number]);

  const words = texts.table;
  return html`<div class="play">
    <header class="bar">
      <div class="bar-title"><h1>${picture.day ? texts.day.title : isSecret(picture.table) ? texts.title : called(picture.table)}</h1>
        ${hand !== null && html`<p class="small"><span>${words.hand(hand.number)}</span> <span>${words.direction(hand.direction)}</span></p>`}</div>
      <${FairMark} picture=${picture} onClick=${() => open('fair')} />
      <${IconButton} icon="last" label=${words.lastTrick} class="icon roomy" onClick=${() => open('last')} />
      ${!session.isWatching && !picture.day && html`<${IconButton} icon="hint" label=${words.hint} onClick=${() => open('hint')} />`}
      ${picture.mayTakeBack && html`<${IconButton} icon="undo" label=${words.undo} onClick=${() => session.takeBack(false)} />`}
      <${IconButton} icon="scores" label=${words.scores} onClick=${() => open('scores')} class="icon narrow" />
      <${IconButton} icon="chat" label=${session.talk.unread > 0 ? words.chatUnread(session.talk.unread) : words.chat} class="icon narrow" onClick=${() => open('chat')}>
        ${session.talk.unread > 0 && html`<span class="badge">${session.talk.unread}</span>`}<//>
      <${IconButton} icon="menu" label=${words.menu} onClick=${() => open('menu')} />
    </header>
    <main class="felt" aria-label=${words.felt} onClick=${() => isHeld && session.goOn()}>
      ${[2, 1, 3].map((place) => html`<${Seat} key=${place} picture=${picture} player=${playerAt(picture, place)} back=${options.back} />`)}
      <div class="middle"><${Trick} session=${session} />
        ${hand?.broken && html`<span class="broken" title=${words.hearts}><${SuitSign} suit=${0} /><span class="hidden">${words.hearts}</span></span>`}</div>
      <${Celebration} picture=${picture} />
    </main>
    <section class="own" aria-label=${words.own}><${MadeForUs} session=${session} />
      <div class="own-bar"><${Seat} picture=${picture} player=${playerAt(picture, 0)} back=${options.back} />
        <${Prompt} session=${session} chosen=${chosen} choose=${choose} /></div>
      ${me !== null && html`<${Hand} session=${session} options=${options} chosen=${chosen} choose=${choose} />`}
    </section>
    <aside class="side" aria-label=${words.side}>
      <section class="side-part"><h2>${words.scores}</h2><${ScoreTable} picture=${picture} /></section>
      <section class="side-part side-chat"><h2>${words.chat}</h2><${ChatBox} session=${session} options=${options} /></section>
    </aside>
    <${Vote} session=${session} /><${SeatWanted} session=${session} />
    ${session.lost !== null && html`<p class="lost" role="alert">${lossInWords(session.lost)}</p>`}
    ${picture.winners !== 0 ? html`<${Result} session=${session} open=${open} toStart=${toStart} />` : hand?.isDone && isHeld && html`<${HandIsOver} session=${session} open=${open} />`}
  </div>`;
}

/** A choice was made for us. @param {{session: TableSession}} props */
function MadeForUs({ session }) {
  const { picture } = session;
  if (picture.madeForUs === null || picture.winners !== 0) return null;
  const { cards, moon, byClock } = picture.madeForUs;
  const words = texts.playedFor;
  return html`<section class="played-for card-panel" role="alert"><b>${words.title}</b>
    ${byClock && html`<p>${moon === null ? words.timeUp(cards, texts.shortCard) : moonTimeUp(moon, picture)}</p>`}
    <button type="button" class="main" onClick=${() => session.comeBack()}>${words.back}</button></section>`;
}

/** What all are asked; the cards can be played meanwhile. @param {{session: TableSession}} props */
function Vote({ session }) {
  const { vote } = session.picture;
  if (vote === null) return null;
  const words = vote.is === 'rules' ? texts.vote : texts.abort;
  const asked = vote.is === 'rules' ? texts.vote.title : texts.abort.ask(vote.isWholeGame);
  return html`<section class="vote card-panel" role="alertdialog" aria-label=${asked}><b>${asked}</b>
    ${vote.is === 'rules' && html`<${RulesInWords} rules=${vote.rules} endScore=${vote.endScore} turnLimit=${null} />`}
    <div class="row"><button type="button" class="main" onClick=${() => session.wishes.agree(true)}>${words.yes}</button>
      <button type="button" onClick=${() => session.wishes.agree(false)}>${words.no}</button></div></section>`;
}

/** Whether we give up our seat. @param {{session: TableSession}} props */
function SeatWanted({ session }) {
  const { picture } = session;
  const wanted = picture.seatWanted;
  if (wanted === null) return null;
  const words = texts.seat;
  const asked = words.ask(nameOf(picture, wanted.asker), wanted.opens);
  return html`<section class="vote card-panel" role="alertdialog" aria-label=${asked}><b>${asked}</b><p class="small">${words.forGood}</p>
    <div class="row"><button type="button" class="main" onClick=${() => session.wishes.giveSeat(false)}>${words.no}</button>
      <button type="button" onClick=${() => session.wishes.giveSeat(true)}>${words.yes}</button></div></section>`;
}

/** What is asked of us, or whom we wait for. @param {{session: TableSession | LessonSession, chosen: number[], choose: (cards: number[]) => void}} props */
export function Prompt({ session, chosen, choose }) {
  const { picture, sent, isHeld } = session;
  const { question, hand, me, rules } = picture;
  const words = texts.table;
  const said = (/** @type {unknown} */ text) => html`<p class="prompt">${text}</p>`;
  if (question?.is === 'moon' && rules !== null) return html`<div class="prompt row"><b>${texts.moon.ask}</b>
    <button type="button" class="main" onClick=${() => session.moon(false)}>${texts.moon.mine(moonOf(rules))}</button>
    <button type="button" onClick=${() => session.moon(true)}>${texts.moon.others(moonOf(rules))}</button></div>`;
  if (question?.is === 'pass' && sent.length === 0 && hand !== null) return html`<div class="prompt">
    <button type="button" class="main" disabled=${chosen.length < 3} onClick=${() => { session.pass(chosen); choose([]); }}>
      ${chosen.length < 3 ? `${words.passTo(targetOf(picture, hand.direction))} (${words.chosen(chosen.length)})` : words.passTo(targetOf(picture, hand.direction))}</button></div>`;
  if (session.refusal !== '') return said(session.refusal);
  if (question?.is === 'card' && sent.length === 0) {
    const lying = hand?.trick?.plays ?? [];
    if (chosen.length === 1) return said(words.tapAgain);
    if (lying.length === 0) return html`<p class="prompt"><b>${words.yourLead}</b>
      ${session.mayClaim && html`<button type="button" class="go-on claim" onClick=${() => session.claim()}>${words.claim}</button>`}</p>`;
    const led = suit(lying[0].card);
    const follows = question.legal.some((card) => suit(card) === led);
    return said(html`<b>${follows ? words.follow(led) : words.anyCard}</b>`);
  }
  const trick = hand?.trick ?? null;
  if (hand?.claimed != null && !hand.isDone) return said(words.claimed(nameOf(picture, hand.claimed.player)));
  if (trick !== null && trick.winner >= 0) return html`<p class="prompt">${words.takes(nameOf(picture, trick.winner))}
    ${isHeld && html`<button type="button" class="go-on" onClick=${() => session.goOn()}>${words.goOn}</button>`}</p>`;
  if (chosen.length === 1 && trick !== null) return said(words.ahead(chosen[0]));
  if (trick === null && hand?.passed != null && hand.received === null) return said(words.passed);
  if (hand?.received != null && hand.tricks.length === 0 && (trick?.plays.length ?? 0) === 0 && hand.turn !== me) {
    return said(words.received(nameOf(picture, hand.received.from), hand.received.cards));
  }
  if (hand?.turn != null) return said(words.waitFor(nameOf(picture, hand.turn)));
  if (me === null) return said(words.watching);
  if (picture.waiting !== null && hand?.trick == null) {
    return said(playersOf(picture.waiting.players).map((player) => nameOf(picture, player)).join(', '));
  }
  return said(picture.winners === 0 && (hand === null || hand.isDone) ? words.dealing : '');
}

/** @param {{picture: import('../client/picture.js').Picture}} props */
function Celebration({ picture }) {
  const { hand } = picture;
  const trick = hand?.trick;
  if (hand?.moon != null) {
    return html`<div class="celebration moon" key=${`moon-${hand.number}`} aria-hidden="true"><div class="moon-disc"></div><p>${texts.moon.shot(nameOf(picture, hand.moon.player))}</p></div>`;
  }
  if (trick != null && trick.winner >= 0 && trick.plays.some(({ card }) => card === 51)) {
    return html`<div class="celebration queen" key=${`queen-${trick.round}`} aria-hidden="true"><p>${texts.queen.fell(nameOf(picture, trick.winner))}</p></div>`;
  }
  return null;
}
