// What is opened above the table: menu, scores, chat, last trick, hint, rules, seats, options, and
// the question whether to leave.

import { KIND } from '../client/messages.js';
import { PRESETS, rulesOf } from '../client/rules.js';
import { isSecret } from '../client/table_names.js';
import { adviceOn } from '../app/advice.js';
import { bestChoice } from '../app/best_choice.js';
import { nameOf } from '../app/names.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useEffect, useState } from '../vendor/preact.js';
import { ChatBox } from './chat.js';
import { Dialog, Field } from './parts.js';
import { RulesForm, RulesInWords } from './rules_form.js';
import { ScorePlot, ScoreTable } from './scores.js';
import { Invitation } from './waiting.js';

/** @typedef {import('../app/table_session.js').TableSession} TableSession */
/** @typedef {import('../client/fields.js').PlayerInfo} PlayerInfo */
/** @typedef {{session: TableSession, options: import('../app/options.js').Options, onClose: () => void, open: (dialog: string) => void, toStart: () => void}} Props */

/** @param {Props} props */
export function Menu({ session, onClose, open, toStart }) {
  const { day } = session.picture;
  const words = texts.table;
  const item = (/** @type {string} */ dialog, /** @type {string} */ text) =>
    html`<button type="button" onClick=${() => open(dialog)}>${text}</button>`;
  return html`<${Dialog} title=${words.menu} onClose=${onClose} kind="menu">
    ${item('scores', words.scores)} ${item('last', words.lastTrick)} ${item('replay', words.replay)}
    ${!session.isWatching && !day && session.picture.hand !== null && !session.picture.hand.isDone && html`<button type="button" onClick=${() => { onClose(); session.finishHand(); }}>${words.finish}</button>`}
    ${session.picture.mayTakeBack && [false, true].map((isAgain) => html`<button type="button" onClick=${() => { onClose(); session.takeBack(isAgain); }}>${isAgain ? words.redo : words.undo}</button>`)}
    ${item('rules', words.rules)} ${item('teaching', texts.teaching.title)} ${session.picture.isAlone && session.picture.turnLimit === 0 && item('lesson', texts.lesson.title)} ${!session.isWatching && !day && item('host', words.host)} ${item('fair', texts.fair.title)}
    ${item('statistics', texts.start.statistics)} ${item('options', words.options)}
    ${session.isWatching || session.isOver
      ? html`<button type="button" onClick=${() => { onClose(); toStart(); }}>${words.toStart}</button>`
      : item('leave', words.leave)}
  <//>`;
}

/** @param {Props} props */
export const Scores = ({ session, onClose }) => html`<${Dialog} title=${texts.scores.title} onClose=${onClose}>
  <${ScoreTable} picture=${session.picture} /><${ScorePlot} picture=${session.picture} /><//>`;

/** @param {Props} props */
export const ChatDialog = ({ session, options, onClose }) => html`<${Dialog} title=${texts.chat.title} onClose=${onClose} kind="chat-dialog">
  <${ChatBox} session=${session} options=${options} /><//>`;

/** @param {Props} props */
export function LastTrick({ session, onClose }) {
  const { picture } = session;
  const trick = picture.hand?.lastTrick ?? null;
  const words = texts.lastTrick;
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${trick === null ? html`<p>${words.none}</p>` : html`<ul class="card-list">${trick.plays.map(({ player, card }) => html`<li>
        <div class="card"><${Face} card=${card} /></div><span>${nameOf(picture, player)}<span class="hidden">: ${texts.card(card)}</span></span></li>`)}</ul>
      <p>${words.taken(nameOf(picture, trick.winner), trick.points)}</p>`}
  <//>`;
}

/** @param {Props} props */
export function Hint({ session, onClose }) {
  const { picture } = session;
  const { hand, me, question } = picture;
  const words = texts.hint;
  const [network, setNetwork] = useState(/** @type {import('../client/swift.js').Network | null | undefined} */ (undefined));
  useEffect(() => void bestChoice().then(setNetwork), []);
  const best = () => {
    if (network == null || hand === null || me === null) return null;
    return question?.is === 'card' ? [network.chooseCard(hand, me, question.legal)] : network.choosePass(hand, me);
  };
  const advice = network === undefined ? { cards: [], said: words.wait, why: '' } : adviceOn(picture, best()) ?? { cards: [], said: words.none, why: '' };
  const { cards, said, why } = advice;
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${cards.length > 0 && html`<ul class="card-list">${cards.map((card) => html`<li><div class="card"><${Face} card=${card} /></div></li>`)}</ul>`}
    <p><b>${said}</b> ${why}</p><//>`;
}

/** @param {Props} props */
export function Rules({ session, onClose }) {
  const { rules, endScore, turnLimit, nextRules } = session.picture;
  return html`<${Dialog} title=${texts.table.rules} onClose=${onClose}>
    ${rules !== null && html`<${RulesInWords} rules=${rules} endScore=${endScore} turnLimit=${turnLimit / 1000} day=${session.picture.day} />`}
    ${nextRules !== null && html`<h3>${texts.vote.agreed}</h3><${RulesInWords} rules=${nextRules.rules} endScore=${nextRules.endScore} turnLimit=${null} />`}<//>`;
}

/** What is up to the first player: rules and seats. @param {Props} props */
export function Host({ session, options, onClose }) {
  const { picture } = session;
  const words = texts.host;
  const [rules, setRules] = useState(picture.rules ?? rulesOf(PRESETS.standard.bits));
  const [endScore, setEndScore] = useState(String(picture.endScore));
  const [said, setSaid] = useState('');
  const others = picture.players.filter(({ player }) => player !== picture.me);
  const [isBreaking, setBreaking] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const breakOff = (/** @type {boolean} */ isWholeGame) => {
    setAsking(false);
    session.wishes.breakOff(isWholeGame);
    setBreaking(true);
  };
  /** A player who is there keeps their seat unless they agree. @param {PlayerInfo} info */
  const isThere = ({ kind, presence }) => kind !== KIND.cpu && presence === 1;
  const ask = (/** @type {PlayerInfo} */ info, /** @type {() => void} */ request) => {
    setBreaking(false);
    setAsking(isThere(info));
    request();
  };
  const choose = (/** @type {import('../client/rules.js').Rules | null} */ chosen, /** @type {number} */ end) => {
    if (chosen !== null) setRules(chosen);
    if (end > 0) setEndScore(String(end));
  };
  const propose = () => {
    setBreaking(false);
    setAsking(false);
    session.wishes.propose(rules, Number(endScore));
    setSaid(words.proposed);
  };
  return html`<${Dialog} title=${words.title} onClose=${onClose}>
    ${(!isSecret(picture.table) || picture.openSeats.length > 0) && html`<${Invitation} table=${picture.table} password=${options.password} />`}
    <h3>${words.seats}</h3>
    <ul class="mute-list">${others.map((info) => html`<li>${nameOf(picture, info.player)} <span class="row">
      ${info.kind !== KIND.cpu && html`<button type="button" aria-label=${`${words.replace}: ${nameOf(picture, info.player)}`} onClick=${() => ask(info, () => session.wishes.replace(info.player))}>${words.replace}</button>`}
      ${picture.openSeats.includes(info.player) ? html`<span role="status">${words.isOpen}</span>` : html`<button type="button" aria-label=${`${words.open}: ${nameOf(picture, info.player)}`} onClick=${() => ask(info, () => session.wishes.openSeat(info.player))}>${words.open}</button>`}</span></li>`)}</ul>
    <p role="status" class="small">${isAsking ? session.refusal || words.asked : ''}</p>
    <h3>${texts.abort.title}</h3>
    <div class="row"><button type="button" onClick=${() => breakOff(false)}>${texts.abort.proposeHand}</button>
      <button type="button" onClick=${() => breakOff(true)}>${texts.abort.proposeGame}</button></div>
    <p role="status" class="small">${isBreaking ? session.refusal || texts.abort.proposed : ''}</p>
    <h3>${words.propose}</h3>
    <${RulesForm} rules=${rules} onChange=${choose} />
    <${Field} label=${texts.make.endScore} type="number" min="1" max="10000" value=${endScore} onInput=${setEndScore} />
    <div class="row"><button type="button" class="main" onClick=${propose}>${words.send}</button><span role="status">${isBreaking || isAsking ? '' : session.refusal || said}</span></div>
    <p class="small quiet">${words.notYou}</p><//>`;
}

/** @param {Props} props */
export const Leave = ({ session, onClose }) => html`<${Dialog} title=${texts.leave.title} onClose=${onClose}>
  <p>${session.isLinked ? texts.link.leave : session.picture.day ? texts.day.leave : session.picture.gameNumber === 0 ? texts.leave.forming : texts.leave.body}</p>
  <div class="row"><button type="button" class="main" onClick=${onClose}>${texts.leave.no}</button>
    <button type="button" onClick=${() => { session.leave(); onClose(); }}>${texts.leave.yes}</button></div><//>`;
