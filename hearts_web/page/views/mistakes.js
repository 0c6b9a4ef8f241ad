// Our own mistakes as questions: the table as it was, and what do we play?

import { suit } from '../client/cards.js';
import { chooseWithReason } from '../client/choice.js';
import { DEALS, factsOf, look } from '../client/judging.js';
import { STEPS } from '../client/open_game.js';
import { seenAt } from '../client/par.js';
import { pointsOf } from '../client/rules.js';
import { bestChoice } from '../app/best_choice.js';
import { nameOf } from '../app/names.js';
import { answered, dueToday, handsLeft, mistakesKept, momentOf } from '../app/own_mistakes.js';
import { inSlices } from '../app/par.js';
import { Face } from '../deck/face.js';
import { texts } from '../texts.js';
import { html, useEffect, useMemo, useState } from '../vendor/preact.js';
import { sorted } from './hand.js';
import { pictureOf } from './hand_link.js';
import { Dialog } from './parts.js';

/** @typedef {import('../client/judging.js').CardOutlook} CardOutlook */
/** @typedef {import('../app/own_mistakes.js').Mistake} Mistake */

/** Deals in which a card is looked at that is neither the better one nor ours. */
const FEW = DEALS / 4;
/** A chance whose difference is less than this is no reason. */
const MATTERS = 0.05;
const TAKES = 0.1;
/** The share of what a card costs that is a reason. */
const SHARE = 0.25;

/** @param {{onClose: () => void}} props */
export function Mistakes({ onClose }) {
  const words = texts.mistakes;
  const [mistake, setMistake] = useState(dueToday().at(0) ?? null);
  // What is found while this is open is asked, too.
  useEffect(() => {
    if (mistake === null && dueToday().length > 0) setMistake(dueToday()[0]);
  });
  const left = handsLeft();
  return html`<${Dialog} title=${words.title} onClose=${onClose} kind="replay">
    ${mistake === null
      ? html`<p>${mistakesKept() === 0 ? words.none : words.done}</p>`
      : html`<${Question} key=${mistake.link + mistake.count} mistake=${mistake} next=${() => setMistake(dueToday().at(0) ?? null)} />`}
    ${left > 0 && html`<p class="small quiet" role="status">${words.looking(left)}</p>`}
  <//>`;
}

/** @param {{mistake: Mistake, next: () => void}} props */
function Question({ mistake, next }) {
  const words = texts.mistakes;
  const { link, count } = mistake;
  const { linked, begin, me } = useMemo(() => momentOf(link, count), [mistake]);
  const { known, legal } = useMemo(() => seenAt(begin), [mistake]);
  const [answer, setAnswer] = useState(0);
  const picture = pictureOf(linked, me);
  const lying = known.trick?.plays ?? [];
  const tallies = known.tricks.reduce((sums, { winner, points }) => sums.map((sum, player) => sum + (player === winner ? points : 0)), [0, 0, 0, 0]);
  const name = (/** @type {number} */ player) => nameOf(picture, player);
  return html`<p>${words.hand(linked.hand.number, mistake.at)}</p>
    ${known.passed !== null && known.received !== null && html`<p class="small">${words.passed(known.passed.cards, name((me + STEPS[begin.direction]) % 4), known.received.cards)}</p>`}
    ${known.tricks.length > 0 && html`<details><summary>${words.before(known.tricks.length)}</summary><ol class="small">${known.tricks.map(({ plays, winner }) =>
      html`<li>${plays.map(({ player, card }) => `${name(player)} ${texts.shortCard(card)}`).join(', ')}. ${texts.lastTrick.taken(name(winner), plays.reduce((sum, { card }) => sum + pointsOf(card, begin.rules), 0))}</li>`)}</ol>
      <p class="small">${tallies.map((points, player) => `${name(player)}: ${points}`).join(', ')}</p></details>`}
    <ul class="card-list replay-trick" aria-label=${texts.table.trick}>${lying.map(({ player, card }) => html`<li><div class="card"><${Face} card=${card} /></div><span>${name(player)}<span class="hidden">: ${texts.card(card)}</span></span></li>`)}</ul>
    <h3>${lying.length === 0 ? words.lead : words.follow}</h3>
    <ul class="card-list answers" aria-label=${texts.table.yourHand}>${sorted(known.held).map((card) => html`<li><button type="button" class=${`card ${card === answer ? 'raised' : ''}`} disabled=${answer !== 0 || !legal.includes(card)} onClick=${() => setAnswer(card)}><${Face} card=${card} /><span class="hidden">${texts.card(card)}</span></button></li>`)}</ul>
    ${answer !== 0 && html`<${Answer} mistake=${mistake} answer=${answer} begin=${begin} me=${me} name=${name} next=${next} />`}`;
}

/**
 * What an answer costs, and why.
 * @param {{mistake: Mistake, answer: number, begin: import('../client/par.js').Begin, me: number, name: (player: number) => string, next: () => void}} props
 */
function Answer({ mistake, answer, begin, me, name, next }) {
  const words = texts.mistakes;
  const [found, setFound] = useState(/** @type {CardOutlook[] | null} */ (null));
  const [days, setDays] = useState(0);
  const [better, own] = mistake.outlooks;
  useEffect(() => {
    let isWanted = true;
    const tell = async () => {
      const isKnown = answer === better.card || answer === own.card;
      const network = isKnown ? null : await bestChoice();
      const outlooks = network === null ? mistake.outlooks
        : await inSlices(look(begin, [better.card, answer], network, 3, (deals) => deals >= FEW), () => isWanted);
      if (outlooks === null || !isWanted) return;
      setFound(outlooks);
      setDays(answered(mistake, isRight(outlooks, answer)));
    };
    void tell();
    return () => void (isWanted = false);
  }, []);
  if (found === null) return html`<p role="status">${texts.hint.wait}</p>`;
  const isGood = isRight(found, answer);
  const said = [isGood ? words.right : answer === own.card ? words.again : words.wrong];
  if (!isGood && answer !== own.card) said.push(...why(found, begin, me, name));
  if (answer !== own.card) said.push(words.inGame(own.card));
  said.push(...why(mistake.outlooks, begin, me, name));
  return html`<div class="stack" role="status">${said.map((line) => html`<p>${line}</p>`)}<p class="quiet">${words.comes(days)}</p></div>
    <div class="row"><button type="button" class="main" onClick=${next}>${texts.table.goOn}</button></div>`;
}

/** @param {CardOutlook[]} outlooks @param {number} answer */
function isRight([better, other], answer) {
  return answer === better.card || (answer === other.card && other.loss <= 2 * other.error);
}

/**
 * What a card costs more than the better one, and by what, the weightiest first.
 * @param {CardOutlook[]} outlooks @param {import('../client/par.js').Begin} begin @param {number} me @param {(player: number) => string} name
 */
function why([better, own], begin, me, name) {
  const words = texts.mistakes;
  const { known, legal } = seenAt(begin);
  const shooter = suspect(known);
  const parts = [
    { difference: better.moon - own.moon, points: 26, what: words.moon, of: [own.moon, better.moon] },
    { difference: own.otherMoon - better.otherMoon, points: 26, what: words.otherMoon(shooter < 0 || shooter === me ? '' : name(shooter)), of: [own.otherMoon, better.otherMoon] },
    { difference: own.queen - better.queen, points: 13, what: words.queen, of: [own.queen, better.queen] },
  ].filter(({ difference, points }) => difference >= MATTERS && difference * points >= SHARE * own.loss);
  const said = parts.toSorted((a, b) => b.difference * b.points - a.difference * a.points)
    .map(({ what, of: [with_, without] }) => words.chance(own.card, what, with_, better.card, without));
  if (Math.abs(own.trick - better.trick) >= TAKES) {
    said.push(words.trick(own, better));
    const { suit: of, out, above, voids } = factsOf(known, me, own.card);
    const [first] = known.trick?.plays ?? [];
    if (first === undefined || suit(first.card) === of) said.push(words.out(of, out, above), ...voids.map((player) => words.hasNone(name(player), of)));
  }
  const rule = chooseWithReason({ legal, trick: (known.trick?.plays ?? []).map(({ card }) => card), rules: begin.rules });
  if (rule.card === better.card) said.push(`${texts.hint.play(better.card)} ${texts.hint.why[rule.why]}`);
  return [words.cost(own, better.card), said.length === 0 ? words.later : said.join(' ')];
}

/** Who has all points so far; -1 for nobody. @param {import('../client/swift.js').Known} known */
function suspect({ tricks }) {
  const takers = new Set(tricks.filter(({ points }) => points > 0).map(({ winner }) => winner));
  return takers.size === 1 ? [...takers][0] : -1;
}
