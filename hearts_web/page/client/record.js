// A game as text, which replays: the records that hearts-server and hearts-client write, too.

import { opened } from './replay.js';
import { rulesText } from './rules.js';

/** @typedef {import('./played.js').PlayedHand} PlayedHand */

const RANKS = 'A23456789TJQK';
const SUITS = 'HCDS';
/** Who has chosen: the player, the clock, a stand-in, a computer. */
const MARKS = ['', ' clock', ' stand-in', ' computer'];

/** @param {number} card */
const cardText = (card) => RANKS[(card - 1) % 13] + SUITS[Math.floor((card - 1) / 13)];

/**
 * The record of a game as far as it has gone; null where a hand of it was not seen, or does not agree
 * with its deal. Hands that were broken off are not in it.
 * @param {PlayedHand[]} played
 * @param {number} game
 * @param {boolean} isTakenBack whether choices of it were taken back
 */
export function recordOf(played, game, isTakenBack = false) {
  const hands = played.filter((hand) => hand.game === game);
  if (hands.length === 0 || hands.some(({ number }, place) => number !== place + 1)) return null;
  const lines = hands.flatMap(linesOf);
  if (lines.includes(null)) return null;
  const { rules, endScore, names } = hands[0];
  const players = names.map((name, player) => `player ${player} ${name}`);
  const mark = isTakenBack ? ['# choices were taken back'] : [];
  return ['hearts-record 1', `rules ${rulesText(rules)}`, `end ${endScore}`, ...players, ...mark, ...lines, ''].join('\n');
}

/** @param {PlayedHand} hand @returns {(string | null)[]} */
function linesOf(hand) {
  const { verdict, tricks, moon, passedBy, totals } = hand;
  const open = opened(hand);
  if (verdict === null || open === null || !open.isWhole) return [null];
  const { commitment, code } = verdict;
  const passes = open.passed.map((cards, player) => `pass ${player} ${cards.map(cardText).join(' ')}${MARKS[passedBy[player]]}`);
  const plays = tricks.flatMap((trick) => trick.plays);
  return [
    ...(commitment === '' ? [] : [`commitment ${commitment}`]),
    `deal ${code}${cutsText(verdict)}`,
    ...(hand.direction === 0 ? [] : passes),
    ...plays.map(({ player, card, by }) => `play ${player} ${cardText(card)}${MARKS[by]}`),
    ...(moon === null || moon.onOthers === null
      ? []
      : [`moon ${moon.player} ${moon.onOthers === 1 ? 'others' : 'minus'}${MARKS[moon.by]}`]),
    `scores ${totals.join(' ')}`,
  ];
}

/** Who has cut a deal, behind its code. @param {import('./promises.js').Verdict} verdict */
function cutsText({ shown, cuts }) {
  if (shown !== null) return shown.every((word) => word === '-') ? '' : ` shown ${shown.join(' ')}`;
  return cuts.every((cut) => /^0+$/.test(cut)) ? '' : ` cuts ${cuts.join('')}`;
}
